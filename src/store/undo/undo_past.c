/* What a journal says about a point in time. */
#include "store/undo/undo_internal.h"

size_t undo_past_find(const struct undo_past *past, struct sv uuid)
{
	for (size_t i = past->events.n; i-- > 0;)
		if (past->events.at[i].uuid && sv_is(uuid, past->events.at[i].uuid))
			return i;
	return SIZE_MAX;
}

bool undo_past_covers(const struct undo_event *event, struct sv path)
{
	for (size_t i = 0; i < event->roots.n; i++) {
		struct sv root = sv_cstr(event->roots.at[i]);

		if (path.len > root.len && sv_starts(path, root) &&
		    (root.len == 1 || path.ptr[root.len] == '/'))
			return true;
	}
	return false;
}

bool undo_past_scanned(const struct undo_past *past, size_t event)
{
	for (size_t i = event; i < past->events.n; i++)
		if (past->events.at[i].roots.n)
			return true;
	return false;
}

/* The state that one observation found. Where a scan has not reached the path but those before and
 * after it found the same, it was that all the time. */
static const struct undo_state *undo_past_version(const struct undo_path *versions, size_t i)
{
	const struct undo_version *at = versions->versions.at;
	size_t before = i, after = i;

	while (before && undo_state_is_unreached(&at[before].state))
		before--;
	while (after + 1 < versions->versions.n && undo_state_is_unreached(&at[after].state))
		after++;
	return undo_state_is_same(&at[before].state, &at[after].state) ? &at[before].state
								       : &at[i].state;
}

/* Whether the scan has not looked where the path is. */
static bool undo_past_is_hidden(const struct undo_past *past, struct sv path, size_t scan)
{
	for (size_t i = 0; i < past->hiding.n; i++) {
		struct sv dir = sv_cstr(past->hiding.at[i]);
		const struct undo_path *p;
		size_t next = 0;

		if (path.len <= dir.len || path.ptr[dir.len] != '/' || !sv_starts(path, dir))
			continue;
		p = map_get(&past->paths, dir);
		while (p && next < p->versions.n && p->versions.at[next].event <= scan)
			next++;
		if (next && undo_state_hides(&p->versions.at[next - 1].state))
			return true;
	}
	return false;
}

const struct undo_state *undo_past_state(const struct undo_past *past, struct sv path,
					 const struct undo_path *versions, size_t event)
{
	static const struct undo_state absent = { .kind = UNDO_ABSENT };
	static char why[] = "awl had no time to look for it before it was changed";
	static const struct undo_state unseen = { .kind = UNDO_UNKEPT, .text = why };
	const struct undo_version *at = versions->versions.at;
	size_t n = versions->versions.n, next = 0, scan = event;

	while (next < n && at[next].event <= event)
		next++;
	while (scan < past->events.n && !undo_past_covers(&past->events.at[scan], path))
		scan++;
	if (next < n && at[next].event <= scan)
		return undo_past_version(versions,
					 next); /* since, no later than by the first scan */
	if (scan == past->events.n || undo_past_is_hidden(past, path, scan))
		return NULL;
	if (next)
		return undo_past_version(versions,
					 next - 1); /* the first scan has found it as it was */
	return past->events.at[scan].is_complete ? &absent : &unseen;
}

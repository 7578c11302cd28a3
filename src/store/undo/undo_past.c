/* What a journal says about a point in time. */
#include "store/undo/undo_internal.h"

size_t undo_past_find(const struct undo_past *past, struct sv uuid)
{
	for (size_t i = past->events.n; i-- > 0;)
		if (past->events.at[i].uuid && sv_is(uuid, past->events.at[i].uuid))
			return i;
	return SIZE_MAX;
}

static bool undo_past_covers(const struct undo_event *event, struct sv path)
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

const struct undo_state *undo_past_state(const struct undo_past *past, struct sv path,
					 const struct undo_path *versions, size_t event)
{
	static const struct undo_state absent = { .kind = UNDO_ABSENT };
	const struct undo_version *at = versions->versions.at;
	size_t n = versions->versions.n, next = 0, scan = event;

	while (next < n && at[next].event <= event)
		next++;
	while (scan < past->events.n && !undo_past_covers(&past->events.at[scan], path))
		scan++;
	if (next < n && at[next].event <= scan)
		return &at[next].state; /* observed since, no later than by the first scan */
	if (scan == past->events.n)
		return NULL;
	if (next)
		return &at[next - 1].state; /* the first scan since has found it as it was */
	return past->events.at[scan].is_complete ? &absent : NULL;
}

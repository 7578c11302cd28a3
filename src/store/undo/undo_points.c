/* The points of a journal: prompts, and where /undo and /redo lead. */
#include "store/undo/undo_internal.h"

void undo_points_clear(undo_points *points)
{
	for (size_t i = 0; i < points->n; i++) {
		free(points->at[i].uuid);
		free(points->at[i].title);
		free(points->at[i].target);
	}
	vec_clear(points);
}

bool undo_point_is_work(const struct undo_point *point)
{
	return point->kind == UNDO_PROMPT || point->kind == UNDO_COMMAND;
}

static char *undo_points_dup(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

static void undo_points_add(undo_points *out, const struct undo_event *event)
{
	struct undo_point *point = vec_add(out);

	point->kind = event->kind == UNDO_EVENT_BACK      ? UNDO_BACK
		      : event->kind == UNDO_EVENT_FORTH   ? UNDO_FORTH
		      : event->kind == UNDO_EVENT_COMMAND ? UNDO_COMMAND
							  : UNDO_PROMPT;
	point->uuid = xstrdup(event->uuid);
	point->title = undo_points_dup(event->text);
	point->target = undo_points_dup(event->target);
	point->wall_ms = event->wall_ms;
}

typedef VEC(size_t) undo_point_events; /* of the points: their places among the events */

/* The last known state, where nobody knows the one at the event. */
static const struct undo_state *undo_points_state(const struct undo_past *past, struct sv path,
						  const struct undo_path *p, size_t event)
{
	const struct undo_state *state = undo_past_state(past, path, p, event);

	return state ? state : &vec_last(&p->versions)->state;
}

/* Count for each point the paths that had another state at the next one, or at the last have another now. */
static void undo_points_count(undo_points *out, const struct undo_past *past,
			      const undo_point_events *events)
{
	struct sv path;
	void *value;

	for (size_t i = 0; map_next(&past->paths, &i, &path, &value);) {
		const struct undo_path *p = value;

		for (size_t k = 0; p->versions.n && k < events->n; k++) {
			size_t end = k + 1 < events->n ? events->at[k + 1] : past->events.n;
			const struct undo_state *here =
				undo_past_state(past, path, p, events->at[k]);
			const struct undo_state *next = undo_points_state(past, path, p, end);

			out->at[k].nchanged += here && next->kind != UNDO_DIR &&
					       here->kind != UNDO_DIR &&
					       !undo_state_is_same(here, next);
		}
	}
}

/* The last prompt, if what was done for it was not observed; SIZE_MAX: all is known. */
static size_t undo_points_find_open(const struct undo_past *past)
{
	bool is_open = false;

	for (size_t i = past->events.n; i-- > 0;) {
		enum undo_event_kind kind = past->events.at[i].kind;

		if (kind == UNDO_EVENT_AFTER)
			return SIZE_MAX;
		is_open |= kind == UNDO_EVENT_BEFORE;
		if (is_open && past->events.at[i].uuid)
			return i;
	}
	return SIZE_MAX;
}

static bool undo_points_complete(struct undo *h, const struct undo_scope *given, struct err *err)
{
	defer(undo_past_freep) struct undo_past *past = xnew(struct undo_past);
	struct undo_scope scope = *given;
	size_t open;

	if (h->marks.len && !undo_log_add(h, SV_EMPTY, err))
		return false;
	if (!undo_past_load(past, h->log_path, err))
		return false;
	open = undo_points_find_open(past);
	scope.is_after = true;
	return open == SIZE_MAX || undo_plan_observe(h, open, past, &scope, err);
}

bool undo_list(undo_points *out, struct undo *h, const struct undo_scope *scope, struct err *err)
{
	defer(undo_past_freep) struct undo_past *past = xnew(struct undo_past);
	undo_point_events events = VEC_INIT;

	if (!undo_points_complete(h, scope, err) || !undo_past_load(past, h->log_path, err))
		return false;
	for (size_t i = 0; i < past->events.n; i++) {
		if (!past->events.at[i].uuid)
			continue;
		undo_points_add(out, &past->events.at[i]);
		vec_push(&events, i);
	}
	undo_points_count(out, past, &events);
	vec_clear(&events);
	return true;
}

static const struct undo_point *undo_points_find(const undo_points *points, const char *uuid)
{
	for (size_t i = points->n; i-- > 0;)
		if (strcmp(points->at[i].uuid, uuid) == 0)
			return &points->at[i];
	return NULL;
}

/* The undo that the last redo has not taken back; NULL: none. */
static const struct undo_point *undo_points_open_undo(const undo_points *points)
{
	size_t redone = 0;

	for (size_t i = points->n; i-- > 0;) {
		const struct undo_point *p = &points->at[i];

		if (p->kind == UNDO_FORTH)
			redone++;
		else if (p->kind == UNDO_BACK && redone)
			redone--;
		else if (p->kind == UNDO_BACK)
			return p;
		else if (p->nchanged)
			return NULL; /* there are new changes */
	}
	return NULL;
}

const struct undo_point *undo_forth_target(const undo_points *points)
{
	return undo_points_open_undo(points);
}

const struct undo_point *undo_back_target(const undo_points *points)
{
	const struct undo_point *undo = undo_points_open_undo(points);
	const struct undo_point *from = undo ? undo_points_find(points, undo->target) : NULL;
	size_t i = from ? (size_t)(from - points->at) : points->n;

	while (i-- > 0)
		if (undo_point_is_work(&points->at[i]) && points->at[i].nchanged)
			return &points->at[i];
	return NULL;
}

#include "base/limits.h"
#include "term/editor/editor_internal.h"

static void editor_step_clear(struct editor_step *step)
{
	str_clear(&step->removed);
	str_clear(&step->inserted);
}

static void editor_steps_clear(editor_steps *steps)
{
	for (size_t i = 0; i < steps->n; i++)
		editor_step_clear(&steps->at[i]);
	steps->n = 0;
}

void editor_forget_steps(struct editor *e)
{
	editor_steps_clear(&e->done);
	editor_steps_clear(&e->undone);
}

void editor_seal(struct editor *e)
{
	if (!e->nesting)
		e->group++;
}

void editor_begin(struct editor *e)
{
	editor_seal(e);
	e->nesting++;
}

void editor_end(struct editor *e)
{
	e->nesting--;
	editor_seal(e);
}

void editor_record(struct editor *e, size_t at, struct sv removed, struct sv inserted)
{
	struct editor_step *last;

	editor_steps_clear(&e->undone);
	/* Characters typed one after the other are one step. */
	if (e->done.n && !removed.len) {
		last = vec_last(&e->done);
		if (last->group == e->group && at == last->at + last->inserted.len) {
			str_add(&last->inserted, inserted);
			return;
		}
	}
	if (e->done.n == LIMIT_EDITOR_STEPS) {
		editor_step_clear(&e->done.at[0]);
		vec_remove(&e->done, 0);
	}
	last = vec_add(&e->done);
	last->at = at;
	last->cursor = e->cursor;
	last->group = e->group;
	str_add(&last->removed, removed);
	str_add(&last->inserted, inserted);
}

/* Take back the newest group of `from`, and keep it in `to` turned round. */
static bool editor_turn_back(struct editor *e, editor_steps *from, editor_steps *to)
{
	unsigned group = from->n ? vec_last(from)->group : 0;
	bool any = false;

	while (from->n && vec_last(from)->group == group) {
		struct editor_step step = vec_pop(from);
		struct str removed = step.removed;
		size_t cursor = e->cursor;

		str_splice(&e->text, step.at, step.at + step.inserted.len, sv_of(&step.removed));
		e->cursor = step.cursor;
		step.removed = step.inserted;
		step.inserted = removed;
		step.cursor = cursor;
		vec_push(to, step);
		any = true;
	}
	e->rows.n = 0;
	e->goal = SIZE_MAX;
	e->last = EDITOR_OTHER;
	editor_seal(e);
	return any;
}

bool editor_undo(struct editor *e)
{
	return editor_turn_back(e, &e->done, &e->undone);
}

bool editor_redo(struct editor *e)
{
	return editor_turn_back(e, &e->undone, &e->done);
}

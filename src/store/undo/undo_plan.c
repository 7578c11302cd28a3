/* Going back: comparing the present with a point of the journal, and making it so.
 *
 * The present is observed first, so a plan never overwrites what is not kept, and going back can be
 * taken back. Then, for each path that the journal knows, the state at the point and the last
 * observation are compared. */
#include "base/limits.h"
#include "store/undo/undo_internal.h"
#include "text/diff/diff.h"

void undo_plan_clear(struct undo_plan *plan)
{
	for (size_t i = 0; i < plan->changes.n; i++) {
		free(plan->changes.at[i].path);
		str_clear(&plan->changes.at[i].problem);
	}
	vec_clear(&plan->changes);
	undo_past_free(plan->past);
	*plan = (struct undo_plan)UNDO_PLAN_INIT;
}

/* --- what would change -------------------------------------------------------------------- */

typedef VEC(struct sv) undo_svs;

/* Paths that were observed one by one since the event; a scan may not cover them. */
static void undo_plan_find_paths(const struct undo_past *past, size_t event, undo_svs *out)
{
	struct sv path;
	void *value;

	for (size_t i = 0; map_next(&past->paths, &i, &path, &value);) {
		const struct undo_path *p = value;

		for (size_t v = p->versions.n; v-- > 0 && p->versions.at[v].event > event;) {
			if (past->events.at[p->versions.at[v].event].roots.n)
				continue;
			vec_push(out, path);
			break;
		}
	}
}

bool undo_plan_observe(struct undo *h, size_t event, const struct undo_past *past,
		       const struct undo_scope *given, struct err *err)
{
	struct undo_scope scope = *given;
	undo_svs paths = VEC_INIT;
	bool ok;

	undo_plan_find_paths(past, event, &paths);
	if (!undo_past_scanned(past, event))
		scope.nroots = 0;
	scope.paths = paths.at;
	scope.npaths = paths.n;
	ok = undo_save(h, &scope, err);
	vec_clear(&paths);
	return ok;
}

/* Whether the last change of a path was made by somebody else: the present differs from what was
 * found when awl had finished its own work. */
static bool undo_plan_is_foreign(const struct undo_past *past, const struct undo_path *p)
{
	size_t n = p->versions.n, last = past->events.n - 1;
	const struct undo_version *now = &p->versions.at[n - 1];

	if (now->event != last || last == 0)
		return false;
	for (size_t i = last; i-- > 0;) {
		if (past->events.at[i].kind == UNDO_EVENT_BEFORE)
			return false;
		if (past->events.at[i].kind == UNDO_EVENT_AFTER)
			return n < 2 ? past->events.at[i].roots.n > 0
				     : !undo_state_is_same(&now->state,
							   &p->versions.at[n - 2].state);
	}
	return false;
}

static void undo_plan_add(struct undo_plan *plan, struct sv path, const struct undo_path *p,
			  const struct undo_state *to)
{
	const struct undo_state *from = &vec_last(&p->versions)->state;
	struct undo_change *change;

	if (undo_state_is_same(from, to))
		return;
	change = vec_add(&plan->changes);
	change->path = sv_dup(path);
	change->from = *from;
	change->to = *to;
	change->is_foreign = undo_plan_is_foreign(plan->past, p);
	if (to->kind == UNDO_UNKEPT)
		str_addf(&change->problem, "it was not kept: %s", to->text);
	else if (from->kind == UNDO_UNKEPT)
		str_addf(&change->problem, "what is there now cannot be kept: %s", from->text);
	else if (to->is_closed && from->kind != UNDO_DIR)
		str_adds(&change->problem, "what was in it could not be read");
	plan->nforeign += change->is_foreign;
	plan->nproblems += change->problem.len > 0;
}

static int undo_plan_compare(const void *a, const void *b)
{
	const struct undo_change *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static bool undo_plan_text(struct str *out, struct undo *h, const struct undo_state *state,
			   struct err *err)
{
	return state->kind != UNDO_FILE || undo_object_read(out, h, state, err);
}

/* Count the lines, and find out early what cannot be restored. */
static void undo_plan_count(struct undo *h, struct undo_plan *plan, struct undo_change *change)
{
	defer(str_clear) struct str from = STR_INIT, to = STR_INIT;
	defer(diff_clear) struct diff diff = DIFF_INIT;
	struct err err = ERR_INIT;

	if (change->problem.len)
		return;
	if (!undo_plan_text(&to, h, &change->to, &err)) {
		str_adds(&change->problem, err.text);
		plan->nproblems++;
	} else if (undo_plan_text(&from, h, &change->from, &err) &&
		   diff_texts(&diff, sv_of(&from), sv_of(&to), 0, &err)) {
		plan->added += diff.added;
		plan->removed += diff.removed;
	}
}

bool undo_plan(struct undo_plan *out, struct undo *h, struct sv uuid,
	       const struct undo_scope *scope, struct err *err)
{
	defer(undo_past_freep) struct undo_past *before = xnew(struct undo_past);
	struct undo_plan plan = UNDO_PLAN_INIT;
	struct sv path;
	size_t event;
	void *value;

	if (h->marks.len && !undo_log_add(h, SV_EMPTY, err))
		return false;
	if (!undo_past_load(before, h->log_path, err))
		return false;
	event = undo_past_find(before, uuid);
	if (event == SIZE_MAX)
		return err_set(err, ERR_NOT_FOUND, "No file checkpoint found for this message.");
	if (!undo_plan_observe(h, event, before, scope, err))
		return false;
	plan.past = xnew(struct undo_past);
	if (!undo_past_load(plan.past, h->log_path, err)) {
		undo_plan_clear(&plan);
		return false;
	}
	for (size_t i = 0; map_next(&plan.past->paths, &i, &path, &value);) {
		const struct undo_state *to = undo_past_state(plan.past, path, value, event);

		if (to)
			undo_plan_add(&plan, path, value, to);
	}
	if (plan.changes.n)
		qsort(plan.changes.at, plan.changes.n, sizeof(*plan.changes.at), undo_plan_compare);
	for (size_t i = 0; i < plan.changes.n; i++)
		undo_plan_count(h, &plan, &plan.changes.at[i]);
	*out = plan;
	return true;
}

/* --- for people ---------------------------------------------------------------------------- */

static struct sv undo_plan_name(const struct undo_change *change, struct sv root)
{
	struct sv path = sv_cstr(change->path);

	return sv_starts(path, root) && path.len > root.len && path.ptr[root.len] == '/'
		       ? sv_skip(path, root.len + 1)
		       : path;
}

static const char *undo_plan_verb(const struct undo_change *change)
{
	if (change->problem.len)
		return "keep";
	if (change->to.kind == UNDO_ABSENT)
		return "delete";
	return change->from.kind == UNDO_ABSENT ? "bring back" : "restore";
}

void undo_plan_describe(struct str *out, const struct undo_plan *plan, struct sv root)
{
	for (size_t i = 0; i < plan->changes.n; i++) {
		const struct undo_change *change = &plan->changes.at[i];
		struct sv name = undo_plan_name(change, root);

		if (i == LIMIT_UNDO_SHOWN) {
			str_addf(out, "  and %zu more\n", plan->changes.n - i);
			break;
		}
		str_addf(out, "  %s %.*s%s", undo_plan_verb(change), SV_ARG(name),
			 change->to.kind == UNDO_DIR || change->from.kind == UNDO_DIR ? "/" : "");
		if (change->problem.len)
			str_addf(out, " (%s)", str_c(&change->problem));
		else if (change->is_foreign)
			str_adds(out, " (changed by another program since)");
		str_addc(out, '\n');
	}
}

static void undo_plan_diff_one(struct str *out, struct undo *h, const struct undo_change *change,
			       struct sv root)
{
	defer(str_clear) struct str old = STR_INIT, new = STR_INIT, from = STR_INIT, to = STR_INIT;
	defer(diff_clear) struct diff diff = DIFF_INIT;
	struct sv name = undo_plan_name(change, root);
	struct err err = ERR_INIT;

	str_addf(&from, "a/%.*s", SV_ARG(name));
	str_addf(&to, "b/%.*s", SV_ARG(name));
	if (change->problem.len || !undo_plan_text(&old, h, &change->to, &err) ||
	    !undo_plan_text(&new, h, &change->from, &err))
		str_addf(out, "%.*s: %s\n", SV_ARG(name),
			 change->problem.len ? str_c(&change->problem) : err.text);
	else if (sv_find_char(sv_of(&old), 0) != SIZE_MAX ||
		 sv_find_char(sv_of(&new), 0) != SIZE_MAX)
		str_addf(out, "Binary file %.*s differs\n", SV_ARG(name));
	else if (diff_texts(&diff, sv_of(&old), sv_of(&new), 3, &err))
		diff_format(out, &diff,
			    change->to.kind == UNDO_FILE ? sv_of(&from) : SV("/dev/null"),
			    change->from.kind == UNDO_FILE ? sv_of(&to) : SV("/dev/null"));
}

void undo_plan_diff(struct str *out, struct undo *h, const struct undo_plan *plan, struct sv root,
		    size_t max)
{
	size_t start = out->len;

	for (size_t i = 0; i < plan->changes.n; i++) {
		const struct undo_change *c = &plan->changes.at[i];

		if (out->len - start > max) {
			str_addf(out, "%zu more files differ\n", plan->changes.n - i);
			return;
		}
		if (c->to.kind != UNDO_DIR && c->from.kind != UNDO_DIR)
			undo_plan_diff_one(out, h, c, root);
	}
}

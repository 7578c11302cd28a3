/* What the journals say about one file: a list of contents with the prompt that each is the work of.
 *
 * A session looks at a file before a call may change it and at the end of a turn. If the file has changed
 * since it looked last, then the prompt of that moment has changed it, unless the session was idle in
 * between: then somebody else has. That may be another session, whose journal claims the change. */
#include "base/limits.h"
#include "store/undo/blame_internal.h"

enum { BLAME_MOVES = 8 }; /* as often a file is followed to the name that it had before */

void blame_past_clear(struct blame_past *past)
{
	for (size_t i = 0; i < past->journals.n; i++) {
		free(past->journals.at[i].dir);
		free(past->journals.at[i].session);
		free(past->journals.at[i].path);
	}
	for (size_t i = 0; i < past->prompts.n; i++) {
		free(past->prompts.at[i].session);
		free(past->prompts.at[i].uuid);
		free(past->prompts.at[i].title);
	}
	for (size_t i = 0; i < past->seen.n; i++)
		undo_state_clear(&past->seen.at[i].state);
	vec_clear(&past->journals);
	vec_clear(&past->prompts);
	vec_clear(&past->seen);
}

/* --- one journal ------------------------------------------------------------------------------ */

/* A walk through the events of a journal. */
struct blame_reader {
	struct blame_past *out;
	const struct undo_past *journal;
	size_t number;
	struct sv path;
	int64_t until_ms;                /* what was seen later is of no interest */
	struct undo_state last;          /* what was seen last; borrowed */
	int64_t last_ms;                 /* when; INT64_MAX: never */
	bool was_before;                 /* it was seen before a change, not after one */
	const struct undo_event *worker; /* the prompt of that moment; NULL: none */
	const struct undo_event *prompt; /* that has begun last; NULL: none */
	size_t moved; /* the event at which the file came from another name; 0: none */
};

static uint32_t blame_reader_add_prompt(struct blame_reader *r, const struct undo_event *event)
{
	struct blame_past *out = r->out;

	if (!event)
		return BLAME_UNKNOWN;
	for (size_t i = 0; i < out->prompts.n; i++)
		if (strcmp(out->prompts.at[i].uuid, event->uuid) == 0)
			return (uint32_t)i;
	vec_push(&out->prompts,
		 ((struct blame_prompt){ .session = xstrdup(out->journals.at[r->number].session),
					 .uuid = xstrdup(event->uuid),
					 .title = xstrdup(event->text),
					 .wall_ms = event->wall_ms }));
	return (uint32_t)out->prompts.n - 1;
}

/* The version of a path that this event has found; NULL: it does not mention it. */
static const struct undo_state *blame_reader_find(const struct undo_path *p, size_t event)
{
	for (size_t i = 0; p && i < p->versions.n; i++)
		if (p->versions.at[i].event == event)
			return &p->versions.at[i].state;
	return NULL;
}

/* Whether scans do not enter a directory above the path. */
static bool blame_reader_is_left_out(const struct blame_reader *r, size_t event)
{
	struct sv dir;
	void *value;

	for (size_t i = 0; map_next(&r->journal->paths, &i, &dir, &value);) {
		const struct undo_path *p = value;
		size_t v = p->versions.n;

		while (v && p->versions.at[v - 1].event > event)
			v--;
		if (dir.len < r->path.len && v && p->versions.at[v - 1].state.kind == UNDO_UNKEPT)
			return true;
	}
	return false;
}

/* What the event says about the path; false: nothing. */
static bool blame_reader_look(const struct blame_reader *r, size_t event, struct undo_state *out)
{
	const struct undo_event *e = &r->journal->events.at[event];
	const struct undo_state *found =
		blame_reader_find(map_get(&r->journal->paths, r->path), event);

	if (found) {
		*out = *found;
		return true;
	}
	if (!e->is_complete || !undo_past_covers(e, r->path) || blame_reader_is_left_out(r, event))
		return false;
	*out = r->last;
	if (r->last_ms == INT64_MAX)
		*out = (struct undo_state){ .kind = UNDO_ABSENT };
	return true;
}

static void blame_reader_see(struct blame_reader *r, size_t event)
{
	const struct undo_event *e = &r->journal->events.at[event];
	bool is_before = e->kind == UNDO_EVENT_BEFORE, is_first = r->last_ms == INT64_MAX;
	struct blame_seen seen = { .wall_ms = e->wall_ms,
				   .since_ms = r->last_ms,
				   .prompt = BLAME_UNKNOWN,
				   .journal = r->number,
				   .order = r->out->seen.n };
	struct undo_state state;

	if (!blame_reader_look(r, event, &state))
		return;
	if (is_first || !undo_state_is_same(&r->last, &state)) {
		if (!is_first && (!is_before || r->was_before))
			seen.prompt =
				blame_reader_add_prompt(r, r->was_before ? r->worker : r->prompt);
		if (!is_first && r->last.kind == UNDO_ABSENT && state.kind == UNDO_FILE)
			r->moved = event;
		seen.state = undo_state_copy(&state);
		vec_push(&r->out->seen, seen);
	}
	r->last = state;
	r->last_ms = e->wall_ms;
	r->was_before = is_before;
	r->worker = r->prompt;
}

static void blame_reader_run(struct blame_reader *r)
{
	for (size_t i = 0; i < r->journal->events.n; i++) {
		const struct undo_event *e = &r->journal->events.at[i];

		if (e->wall_ms >= r->until_ms)
			break;
		if (undo_event_is_work(e))
			r->prompt = e;
		else if (e->uuid)
			r->prompt = NULL; /* an undo restores the work of others */
		else
			blame_reader_see(r, i);
	}
	if (r->last_ms == INT64_MAX || r->last_ms < r->out->last_ms || r->until_ms != INT64_MAX)
		return;
	r->out->last_ms = r->last_ms;
	r->out->open = r->was_before ? blame_reader_add_prompt(r, r->worker) : BLAME_UNKNOWN;
}

/* --- all journals ------------------------------------------------------------------------------- */

struct blame_walk {
	struct blame_past *out;
	struct sv dir;
};

static enum fs_visit blame_past_visit(void *arg, const struct fs_entry *entry)
{
	struct blame_walk *walk = arg;
	defer(str_clear) struct str path = STR_INIT;
	struct sv project, name = entry->name;

	if (entry->depth == 0)
		return FS_GO_ON;
	if (entry->kind != FS_FILE || !sv_ends(name, SV(".log")))
		return FS_SKIP;
	fs_join(&path, walk->dir, entry->path);
	project = sv_slice(sv_of(&path), 0, path.len - name.len - 1);
	vec_push(&walk->out->journals,
		 ((struct blame_journal){ .dir = sv_dup(project),
					  .session = sv_dup(sv_slice(name, 0, name.len - 4)),
					  .path = xstrdup(path.ptr) }));
	return FS_SKIP;
}

/* The name that a file had before the event, at which it appeared; NULL: it was not moved. */
static char *blame_past_find_source(const char *journal, size_t event, struct sv path)
{
	defer(undo_past_freep) struct undo_past *past = xnew(struct undo_past);
	struct err ignored = ERR_INIT;
	const struct undo_state *here;
	struct sv other;
	void *value;

	if (!undo_past_load(past, journal, &ignored))
		return NULL;
	here = blame_reader_find(map_get(&past->paths, path), event);
	for (size_t i = 0; here && map_next(&past->paths, &i, &other, &value);) {
		const struct undo_path *p = value;

		for (size_t v = 1; v < p->versions.n; v++)
			if (p->versions.at[v].event == event &&
			    p->versions.at[v].state.kind == UNDO_ABSENT &&
			    undo_state_has_content(&p->versions.at[v - 1].state, here))
				return sv_dup(other);
	}
	return NULL;
}

/* A file that has come from another name. */
struct blame_move {
	char *from;
	int64_t wall_ms;
};

static void blame_past_read(struct blame_past *out, size_t number, struct sv path, int64_t until_ms,
			    struct blame_move *move)
{
	const char *file = out->journals.at[number].path;
	defer(undo_past_freep) struct undo_past *journal = xnew(struct undo_past);
	struct err ignored = ERR_INIT;
	struct blame_reader r = { .out = out,
				  .journal = journal,
				  .number = number,
				  .path = path,
				  .until_ms = until_ms,
				  .last_ms = INT64_MAX };

	if (!undo_past_load_path(journal, file, path, &ignored))
		return;
	blame_reader_run(&r);
	if (r.moved && (!move->from || journal->events.at[r.moved].wall_ms > move->wall_ms)) {
		char *from = blame_past_find_source(file, r.moved, path);

		if (!from)
			return;
		free(move->from);
		*move = (struct blame_move){ from, journal->events.at[r.moved].wall_ms };
	}
}

/* Forget what was at the name of a file before it was moved there. */
static void blame_past_forget(struct blame_past *out, size_t from, int64_t before_ms)
{
	size_t kept = from;

	for (size_t i = from; i < out->seen.n; i++) {
		if (out->seen.at[i].wall_ms < before_ms)
			undo_state_clear(&out->seen.at[i].state);
		else
			out->seen.at[kept++] = out->seen.at[i];
	}
	out->seen.n = kept;
}

static int blame_past_compare(const void *a, const void *b)
{
	const struct blame_seen *x = a, *y = b;

	if (x->wall_ms != y->wall_ms)
		return x->wall_ms < y->wall_ms ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

void blame_past_load(struct blame_past *out, struct sv config_dir, const char *path)
{
	defer(str_clear) struct str dir = STR_INIT, name = STR_INIT;
	struct blame_walk walk = { .out = out };
	int64_t until_ms = INT64_MAX;
	struct err ignored = ERR_INIT;

	out->open = BLAME_UNKNOWN;
	fs_join(&dir, config_dir, SV("awl/undo"));
	walk.dir = sv_of(&dir);
	if (!fs_exists(dir.ptr) || !fs_walk(dir.ptr, blame_past_visit, &walk, &ignored))
		return;
	str_adds(&name, path);
	for (int moves = 0; moves <= BLAME_MOVES; moves++) {
		struct blame_move move = { 0 };
		size_t first = out->seen.n;

		for (size_t i = 0; i < out->journals.n; i++)
			blame_past_read(out, i, sv_of(&name), until_ms, &move);
		if (!move.from)
			break;
		blame_past_forget(out, first, move.wall_ms);
		str_set(&name, sv_cstr(move.from));
		free(move.from);
		until_ms = move.wall_ms;
	}
	if (out->seen.n)
		qsort(out->seen.at, out->seen.n, sizeof(*out->seen.at), blame_past_compare);
}

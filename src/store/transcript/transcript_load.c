/* Reads a session: the walk finds its records, the mender turns them into messages, and other
 * facts are gathered on the way. */
#include "base/limits.h"
#include "base/map.h"
#include "base/str_list.h"
#include "base/utf8.h"
#include "proto/message.h"
#include "store/plans.h"
#include "store/transcript/transcript.h"
#include "store/transcript/transcript_mend.h"
#include "store/transcript/transcript_walk.h"
#include "text/json/json_span.h"

void transcript_loaded_clear(struct transcript_loaded *l)
{
	for (size_t i = 0; i < l->messages.n; i++)
		str_clear(&l->messages.at[i].json);
	vec_clear(&l->messages);
	str_clear(&l->cost_state);
	str_clear(&l->todos);
	str_clear(&l->title);
	str_clear(&l->worktree);
	str_clear(&l->model);
	str_clear(&l->cwd);
	str_clear(&l->permission_mode);
	str_clear(&l->prompt);
	str_clear(&l->slug);
	str_clear(&l->plan);
	str_clear(&l->goal);
	str_clear(&l->agent);
	str_clear(&l->usage);
	str_clear(&l->notes);
	*l = (struct transcript_loaded)TRANSCRIPT_LOADED_INIT;
}

/* --- what lines say besides ------------------------------------------------------ */

struct gather {
	struct transcript_loaded *out;
	struct str summary; /* a title if there is no better one */
	int64_t todos_at;   /* of their line */
	/* Prompts that were never sent, newest first. Those before one that was sent belong to
	 * an earlier end, and were reported then. */
	struct map user_ids; /* ids of the user's messages */
	str_list waiting;
	bool is_settled;
};

static void gather_text(struct str *out, struct sv value)
{
	if (!out->len)
		line_text(out, value);
}

static bool is_json(struct sv text)
{
	struct json_span ignored;
	struct err why;

	return json_span_root(text, &ignored, &why);
}

static void gather_waiting(struct gather *g, const struct line *line)
{
	struct sv id = line_id(line->queued), operation = peek_plain(line->operation);
	const void *known;

	if (g->is_settled || !id.len)
		return;
	if (sv_is(operation, "remove"))
		map_put(&g->user_ids, id, &g->waiting);
	if (!sv_is(operation, "enqueue"))
		return;
	known = map_get(&g->user_ids, id);
	if (known == g)
		g->is_settled = true;
	else if (!known && g->waiting.n < LIMIT_QUEUED_REPORTED)
		line_text(vec_add(&g->waiting), line->content);
}

/* Takes the slug of the plan, and the plan: from a record of it, or from the prompt that it began. */
static void gather_plan(struct transcript_loaded *out, const struct line *line)
{
	defer(str_clear) struct str slug = STR_INIT;

	if (!out->slug.len) {
		line_text(&slug, line->slug);
		if (plan_slug_valid(sv_of(&slug)))
			str_add(&out->slug, sv_of(&slug));
	}
	if (line_is(line, "attachment") &&
	    sv_is(peek_plain(peek_get(line->attachment, "type")), "plan_file_reference"))
		gather_text(&out->plan, peek_get(line->attachment, "planContent"));
	gather_text(&out->plan, line->plan_content);
}

static void gather_goal(struct transcript_loaded *out, const struct line *line)
{
	if (!out->goal.len && line_is(line, "attachment") &&
	    sv_is(peek_plain(peek_get(line->attachment, "type")), "goal_status") &&
	    is_json(line->attachment))
		str_add(&out->goal, line->attachment);
}

/* Lines come newest first, so a value that is set stays. */
static void gather_line(void *arg, const struct line *line, const struct tail_line *where)
{
	struct gather *g = arg;
	struct transcript_loaded *out = g->out;
	struct sv session = line_id(line->session);

	if (!out->session_id.text[0] && uuid_valid(session))
		memcpy(out->session_id.text, session.ptr, session.len);
	gather_text(&out->cwd, line->cwd);
	gather_text(&out->permission_mode, line->permission_mode);
	gather_plan(out, line);
	gather_goal(out, line);
	if (line_is(line, "user") && line_id(line->uuid).len && !g->is_settled)
		map_put(&g->user_ids, line_id(line->uuid), g);
	else if (line_is(line, "queue-operation"))
		gather_waiting(g, line);
	else if (line_is(line, "custom-title"))
		gather_text(&out->title, line->title);
	else if (line_is(line, "agent-setting"))
		gather_text(&out->agent, line->agent_setting);
	else if (line_is(line, "summary"))
		gather_text(&g->summary, line->summary);
	else if (line_is(line, "worktree-state") && !out->worktree.len && is_json(where->text))
		str_add(&out->worktree, sv_trim(where->text));
	else if (line_is(line, "cost-state") && !out->cost_state.len && is_json(where->text))
		str_add(&out->cost_state, sv_trim(where->text));
	else if (line_is(line, "todos") && !out->todos.len && sv_starts(line->todos, SV("[")) &&
		 is_json(line->todos)) {
		str_add(&out->todos, line->todos);
		g->todos_at = where->at;
	}
}

/* Reads the start of the file, as far as the walk has not read it. */
static bool gather_head(struct gather *g, struct tail *t, struct err *err)
{
	struct tail_line where = { .end = g->out->title.len && g->out->cost_state.len };
	struct line line;

	if (!where.end && !tail_jump(t, LIMIT_TRANSCRIPT_HEAD, err))
		return false;
	while (!where.end) {
		if (!tail_prev(t, &where, err))
			return false;
		if (line_read(&line, where.text) && !line_flag(line.side_chain))
			gather_line(g, &line, &where);
	}
	return true;
}

/* Takes the list of the newest record that has one, a note or a call. */
static void gather_todos(struct gather *g, const struct mend_record *r, int64_t at)
{
	struct json_iter it = json_each(r->as_tree);
	struct sv none, bytes, todos;
	struct json block;
	struct peek p;
	bool any = false;

	while (!any && json_next(&it, NULL, &block))
		any = sv_is(json_str_or(json_get(block, "name"), SV_EMPTY), "TodoWrite");
	if (!any || at < g->todos_at || !peek_begin(&p, r->content))
		return;
	while (peek_next(&p, &none, &bytes)) {
		todos = peek_get(peek_get(bytes, "input"), "todos");
		if (!sv_starts(todos, SV("[")))
			continue;
		str_set(&g->out->todos, todos);
		g->todos_at = at;
	}
}

/* --- what was said --------------------------------------------------------------- */

struct reader {
	struct chain_walk *walk;
	struct gather *gather;
	struct mend mend;
	struct json_pool pool;
};

static void reader_clear(struct reader *r)
{
	mend_clear(&r->mend);
	json_pool_clear(&r->pool);
}

/* Take the prompt of a record: one that the user wrote, or the one that a shortened conversation carries
 * over after a line of its own. Records come oldest first, so the last one counts. */
static void load_take_prompt(struct transcript_loaded *out, const struct pick *pick,
			     struct json content)
{
	struct json first = json_get(json_at(content, 0), "text");
	bool is_carried =
		pick->harness && sv_is(json_str_or(first, SV_EMPTY), MESSAGE_LATEST_REQUEST);
	defer(str_clear) struct str blocks = STR_INIT, marker = STR_INIT;

	if (!pick->prompt || pick->stray || (pick->harness && !is_carried))
		return;
	content_blocks(&blocks, content);
	if (is_carried) {
		block_text(&marker, SV(MESSAGE_LATEST_REQUEST));
		str_consume(&blocks, min_of(marker.len + strlen(","), blocks.len));
	}
	str_set(&out->prompt, sv_of(&blocks));
}

static bool load_read_record(struct reader *r, const struct pick *pick, struct err *err)
{
	struct mend_record record = { .assistant = pick->assistant,
				      .results_only = pick->stray && !pick->assistant,
				      .harness = pick->harness,
				      .answer = pick->answer,
				      .uuid = pick->uuid };
	struct err why;

	if (!chain_walk_content(r->walk, pick, &record.content, err))
		return false;
	if (!json_parse_in(&r->pool, record.content, 0, &record.as_tree, &why)) {
		r->gather->out->bad_lines++;
		return true;
	}
	if (pick->assistant)
		gather_todos(r->gather, &record, pick->at);
	load_take_prompt(r->gather->out, pick, record.as_tree);
	mend_add(&r->mend, &record);
	return true;
}

/* Returns the first record that fits: the first prompt among those, or a record inside the turn
 * if all belong to one long turn. */
static size_t load_first_that_fits(const struct chain_walk *w)
{
	size_t weight = 0, first = w->picks.n;

	while (first > 0 && (first == w->picks.n ||
			     (weight + w->picks.at[first - 1].content_len <= LIMIT_RESUME_BYTES &&
			      w->picks.n - first < LIMIT_RESUME_RECORDS)))
		weight += w->picks.at[--first].content_len;
	for (size_t i = first; i < w->picks.n; i++)
		if (w->picks.at[i].prompt)
			return i;
	return first;
}

static void load_note_end(struct transcript_loaded *out, const struct chain_walk *w,
			  size_t left_out)
{
	if (out->bad_lines)
		str_addf(&out->notes, "%zu damaged line%s skipped.\n", out->bad_lines,
			 out->bad_lines == 1 ? " was" : "s were");
	if (w->oversized)
		str_addf(&out->notes, "%zu message%s skipped: larger than %zu MiB.\n", w->oversized,
			 w->oversized == 1 ? " was" : "s were", LIMIT_RESUME_BYTES / MIB);
	if (w->end == WALK_MISSING)
		str_addf(&out->notes,
			 "The beginning of the conversation is missing: record %s was not found.\n",
			 w->wanted.text);
	if (left_out)
		str_addf(&out->notes,
			 "%zu record%s and the first %.1f MB of the file %s skipped: awl loads "
			 "only the newest %zu MiB of a conversation.\n",
			 left_out, left_out == 1 ? "" : "s", (double)w->picks.at[0].at / 1e6,
			 left_out == 1 ? "was" : "were", LIMIT_RESUME_BYTES / MIB);
}

static bool load_read_records(struct transcript_loaded *out, struct chain_walk *w, struct gather *g,
			      struct err *err)
{
	defer(reader_clear) struct reader r = {
		.walk = w, .gather = g, .mend = MEND_INIT, .pool = JSON_POOL_INIT
	};
	size_t first = w->end == WALK_FULL ? load_first_that_fits(w) : 0;

	for (size_t i = first; i < w->picks.n; i++)
		if (!load_read_record(&r, &w->picks.at[i], err))
			return false;
	out->bad_lines += w->bad_lines;
	out->dropped = first;
	load_note_end(out, w, first);
	mend_finish(&r.mend, out);
	return true;
}

/* If no record names the session, the name of the file does. */
static void load_name_session(struct transcript_loaded *out, const char *path)
{
	struct sv name = sv_cstr(path);

	name = sv_basename(name);
	name = sv_slice(name, 0, sv_rfind_char(name, '.'));
	if (!out->session_id.text[0] && uuid_valid(name))
		memcpy(out->session_id.text, name.ptr, name.len);
}

/* Appends each as a line, like all notes. */
static void load_note_waiting(struct gather *g)
{
	for (size_t i = g->waiting.n; i > 0; i--) {
		struct sv text = utf8_prefix(sv_of(&g->waiting.at[i - 1]), LIMIT_QUEUED_SHOWN);
		struct sv line;

		str_adds(&g->out->notes,
			 "This prompt was still queued when the session ended and was not sent:");
		while (sv_cut_line(&text, &line))
			str_addf(&g->out->notes, " %.*s", SV_ARG(line));
		str_addc(&g->out->notes, '\n');
	}
}

static void gather_clear(struct gather *g)
{
	str_list_clear(&g->waiting);
	map_clear(&g->user_ids);
	str_clear(&g->summary);
}

/* What the last response used says nothing about a conversation that was cut. */
static void load_take_usage(struct transcript_loaded *out, const struct chain_walk *w)
{
	out->answered_ms = w->answered_ms;
	if (!out->dropped && is_json(sv_of(&w->usage)))
		str_add(&out->usage, sv_of(&w->usage));
}

static bool load_run(struct transcript_loaded *out, const char *path, struct sv at, bool is_side,
		     struct err *err)
{
	defer(transcript_loaded_clear) struct transcript_loaded loaded = TRANSCRIPT_LOADED_INIT;
	defer(gather_clear) struct gather g = { .out = &loaded, .todos_at = -1 };
	defer(chain_walk_clear) struct chain_walk w = {
		.leaf = at, .is_side = is_side, .see = gather_line, .arg = &g, WALK_INIT
	};

	if (!chain_walk_run(&w, path, err) || !gather_head(&g, &w.tail, err) ||
	    !load_read_records(&loaded, &w, &g, err))
		return false;
	if (!loaded.title.len)
		str_add(&loaded.title, sv_of(&g.summary));
	load_note_waiting(&g);
	str_add(&loaded.model, sv_of(&w.model));
	load_take_usage(&loaded, &w);
	load_name_session(&loaded, path);
	loaded.last = w.last;
	*out = loaded;
	loaded = (struct transcript_loaded)TRANSCRIPT_LOADED_INIT;
	return true;
}

bool transcript_load(struct transcript_loaded *out, const char *path, struct sv at, struct err *err)
{
	return load_run(out, path, at, false, err);
}

bool transcript_load_side(struct transcript_loaded *out, const char *path, struct err *err)
{
	return load_run(out, path, SV_EMPTY, true, err);
}

/* After a resume, only the conversation tells which files and skills an earlier process has used. The next summary is
 * about to replace it, so they are collected from it first, and carried over like those of this process. */
#include "base/limits.h"
#include "context/summary.h"
#include "core/agent/agent_internal.h"
#include "core/compaction/compaction.h"
#include "core/compaction/compaction_internal.h"
#include "tool/edit/patch_text.h"
#include "tool/read/read_state.h"

struct recalled_call {
	struct sv tool;
	struct json input;
};

struct recall {
	struct agent *agent;
	struct session *s;
	struct map
		calls; /* by id, to struct recalled_call in the arena, until the result has come */
	struct arena arena;
};

static struct sv recall_text(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

/* --- files ------------------------------------------------------------------------------------ */

static void recall_file(struct recall *r, struct sv path, bool ours)
{
	const struct tool_context *ctx = &r->agent->ctx;

	if (path.len)
		read_state_recall(ctx->files, tool_real_path(ctx, path, &r->arena), ours);
}

static void recall_patch(struct recall *r, struct sv text)
{
	defer(patch_clear) struct patch patch = PATCH_INIT;
	struct err ignored = ERR_INIT;

	if (!patch_parse(&patch, text, &ignored))
		return;
	for (size_t i = 0; i < patch.parts.n; i++) {
		const struct patch_part *part = &patch.parts.at[i];

		recall_file(r, part->move_to.len ? part->move_to : part->path, true);
	}
}

static void recall_used(struct recall *r, const struct recalled_call *call)
{
	struct sv path = recall_text(call->input, "file_path");

	if (sv_is(call->tool, "Read"))
		recall_file(r, path, false);
	else if (sv_is(call->tool, "Edit") || sv_is(call->tool, "Write") ||
		 sv_is(call->tool, "MultiEdit"))
		recall_file(r, path, true);
	else if (sv_is(call->tool, "NotebookEdit"))
		recall_file(r, recall_text(call->input, "notebook_path"), true);
	else if (sv_is(call->tool, "apply_patch"))
		recall_patch(r, recall_text(call->input, "input"));
}

/* The list of files in a summary. */
static void recall_list(struct recall *r, struct sv list)
{
	struct sv line, mark = SV(SUMMARY_CHANGED);

	while (sv_cut_line(&list, &line) && line.len) {
		bool ours = sv_ends(line, mark);

		recall_file(r, sv_slice(line, 0, line.len - (ours ? mark.len : 0)), ours);
	}
}

/* --- skills ----------------------------------------------------------------------------------- */

static void recall_skill(struct recall *r, struct sv text)
{
	struct sv rest = sv_skip(text, strlen(SKILL_BASE)), dir;

	if (!sv_cut_line(&rest, &dir))
		return;
	dir = sv_trim(dir);
	compaction_note_skill(r->s, sv_skip(dir, sv_rfind_char(dir, '/') + 1), text);
}

/* Those that an earlier summary has carried over. */
static void recall_skills(struct recall *r, struct sv text)
{
	static const struct sv mark = SV_INIT(COMPACTION_SKILL);
	size_t at = sv_find(text, mark);

	while (at != SIZE_MAX) {
		struct sv rest = sv_skip(text, at + mark.len), skill, name;

		text = rest;
		at = sv_find(text, mark);
		skill = sv_slice(text, 0, min_of(at, text.len));
		if (sv_cut_line(&skill, &name))
			compaction_note_skill(r->s, name, sv_trim(skill));
	}
}

/* --- the conversation --------------------------------------------------------------------------- */

static void recall_block(struct recall *r, struct json block)
{
	struct sv type = recall_text(block, "type"), text = recall_text(block, "text"), files;
	bool is_main = r->agent == r->s->agent;
	const struct recalled_call *call;

	if (sv_is(type, "tool_result")) {
		call = map_get(&r->calls, recall_text(block, "tool_use_id"));
		if (call && !json_bool_or(json_get(block, "is_error"), false))
			recall_used(r, call);
	} else if (summary_find_files(text, &files)) {
		recall_list(r, files);
	} else if (is_main && sv_starts(text, SV(SKILL_BASE))) {
		recall_skill(r, text);
	} else if (is_main && sv_starts(text, SV(COMPACTION_SKILLS))) {
		recall_skills(r, text);
	}
}

static void recall_call(struct recall *r, struct json block)
{
	struct recalled_call *call;

	if (!sv_is(recall_text(block, "type"), "tool_use"))
		return;
	call = arena_new(&r->arena, struct recalled_call);
	*call = (struct recalled_call){ .tool = recall_text(block, "name"),
					.input = json_get(block, "input") };
	map_put(&r->calls, recall_text(block, "id"), call);
}

/* The calls of a response are in the message before their results. */
static void recall_message(struct recall *r, const struct history_message *response,
			   const struct history_message *m)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *before =
		response ? json_parse(sv_of(&response->json), 0, &ignored) : NULL;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(&m->json), 0, &ignored);
	struct json_iter calls = json_each(json_get(json_root(before), "content"));
	struct json_iter blocks = json_each(json_get(json_root(doc), "content"));
	struct json block;

	while (json_next(&calls, NULL, &block))
		recall_call(r, block);
	while (json_next(&blocks, NULL, &block))
		recall_block(r, block);
	map_clear(&r->calls);
	arena_clear(&r->arena);
}

static void recall_messages(struct recall *r)
{
	const struct history *h = &r->agent->history;

	for (size_t i = 0; i < min_of(r->agent->restored, h->messages.n); i++) {
		const struct history_message *m = &h->messages.at[i];
		bool answers = i > 0 && h->messages.at[i - 1].assistant;

		if (!m->assistant)
			recall_message(r, answers ? m - 1 : NULL, m);
	}
	r->agent->restored = 0;
}

/* --- order -------------------------------------------------------------------------------------- */

/* The skills that this process has used come after those. */
static void recall_note_newer(struct session *s, session_skills *newer)
{
	for (size_t i = 0; i < newer->n; i++) {
		struct session_skill *skill = &newer->at[i];

		compaction_note_skill(s, sv_of(&skill->name), sv_of(&skill->text));
		str_clear(&skill->name);
		str_clear(&skill->text);
	}
	vec_clear(newer);
}

/* What this process has used is newer than all of that. */
void compaction_recall(struct session *s, struct agent *agent)
{
	struct recall r = { .agent = agent, .s = s, .calls = MAP_INIT, .arena = ARENA_INIT };
	struct read_state *files = agent->ctx.files;
	session_skills newer = VEC_INIT;
	VEC(struct str) used = VEC_INIT;
	const struct file_seen *seen;
	struct sv path;

	if (!agent->restored)
		return;
	for (size_t i = 0; read_state_next(files, &i, &path, &seen);)
		str_add(vec_add(&used), path);
	if (agent == s->agent) {
		newer = s->compaction.skills;
		s->compaction.skills = (session_skills)VEC_INIT;
	}
	recall_messages(&r);
	for (size_t i = 0; i < used.n; i++) {
		(void)read_state_get(files, sv_of(&used.at[i]));
		str_clear(&used.at[i]);
	}
	vec_clear(&used);
	recall_note_newer(s, &newer);
}

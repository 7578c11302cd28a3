/* What a sub-agent tells: events for hosts, the result of its call, and the notice that wakes the session. */
#include "base/utf8.h"
#include "core/session/session_append.h"
#include "core/session/session_emit.h"
#include "core/session/session_tasks.h"
#include "core/subagents/team.h"
#include "proto/message.h"
#include "text/json/json_write.h"
#include "text/tag.h"

/* --- events --------------------------------------------------------------------------------------- */

static int64_t subagent_elapsed(const struct subagent *a)
{
	return a->state == SUBAGENT_ENDED ? a->duration_ms
					  : loop_now(a->all->s->engine->loop) - a->started_ms;
}

struct event_task subagent_describe(const struct subagent *a)
{
	return (struct event_task){
		.id = sv_cstr(a->id),
		.call = sv_of(&a->call),
		.type = SV("local_agent"),
		.is_awaited = !a->is_background,
		.description = sv_of(&a->description),
		.status = a->status,
		.end_ms = loop_wall(a->all->s->engine->loop),
		.output_file = sv_of(&a->path),
		.agent_type = sv_of(&a->type),
		.parent = a->parent ? sv_cstr(a->parent->id) : SV_EMPTY,
		.last_tool = sv_of(&a->last_tool),
		.depth = (int64_t)a->depth,
		.total_tokens = a->total_tokens,
		.tool_uses = a->tool_uses,
		.duration_ms = subagent_elapsed(a),
	};
}

void subagent_emit_started(const struct subagent *a)
{
	struct event_task task = subagent_describe(a);

	if (a->is_background)
		session_emit_tasks(a->all->s);
	task.prompt = sv_of(&a->prompt);
	session_emit(a->all->s, &(struct event){ .kind = EVENT_TASK_STARTED, .task = task });
}

void subagent_emit_progress(const struct subagent *a, struct sv summary)
{
	struct event_task task = subagent_describe(a);

	task.summary = summary;
	task.description = sv_of(a->last_step.len ? &a->last_step : &a->description);
	session_emit(a->all->s, &(struct event){ .kind = EVENT_TASK_PROGRESS, .task = task });
}

void subagent_emit_ended(const struct subagent *a)
{
	enum { SUMMARY = 2000 };
	struct event_task task = subagent_describe(a);

	task.summary = utf8_prefix(sv_of(&a->result), SUMMARY);
	session_emit(a->all->s, &(struct event){ .kind = EVENT_TASK_UPDATED, .task = task });
	session_emit(a->all->s, &(struct event){ .kind = EVENT_TASK_ENDED, .task = task });
	if (a->is_background)
		session_emit_tasks(a->all->s);
}

/* --- what it does now ------------------------------------------------------------------------------ */

/* The member of an input that says most about a call. */
static struct sv subagent_call_subject(struct json input)
{
	static const char keys[][14] = { "description",   "command", "file_path",
					 "notebook_path", "path",    "pattern",
					 "query",         "url",     "subject" };

	for (size_t i = 0; i < countof(keys); i++) {
		struct sv text = sv_trim(json_str_or(json_get(input, keys[i]), SV_EMPTY));

		if (text.len)
			return text;
	}
	return SV_EMPTY;
}

static enum subagent_work subagent_work_of(struct sv tool)
{
	static const struct {
		char tool[13];
		enum subagent_work work;
	} works[] = {
		{ "Read", WORK_READ },         { "Grep", WORK_SEARCH },
		{ "Glob", WORK_SEARCH },       { "LS", WORK_SEARCH },
		{ "Bash", WORK_BASH },         { "Edit", WORK_EDIT },
		{ "MultiEdit", WORK_EDIT },    { "Write", WORK_EDIT },
		{ "NotebookEdit", WORK_EDIT }, { "apply_patch", WORK_EDIT },
	};

	for (size_t i = 0; i < countof(works); i++)
		if (sv_is(tool, works[i].tool))
			return works[i].work;
	return WORK_OTHER;
}

void subagent_note_call(struct subagent *a, struct sv message)
{
	enum { STEP = 160 };
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct json_iter it;
	struct json block;

	if (sv_find(message, SV("\"type\":\"tool_use\"")) == SIZE_MAX)
		return;
	doc = json_parse(message, 0, &ignored);
	it = json_each(json_get(json_root(doc), "content"));
	while (json_next(&it, NULL, &block)) {
		struct sv name = json_str_or(json_get(block, "name"), SV_EMPTY), line;
		struct sv subject = subagent_call_subject(json_get(block, "input"));

		if (!sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), "tool_use"))
			continue;
		a->tool_uses++;
		a->stats.calls[subagent_work_of(name)]++;
		subagent_review_note(a, name, json_get(block, "input"));
		str_set(&a->last_tool, name);
		str_set(&a->last_step, name);
		if (sv_cut_line(&subject, &line) && line.len)
			str_addf(&a->last_step, ": %.*s", SV_ARG(utf8_prefix(line, STEP)));
		subagent_emit_progress(a, SV_EMPTY);
		subagent_summary_note(a);
	}
}

/* --- results --------------------------------------------------------------------------------------- */

static void subagent_add_usage(const struct subagent *a, struct str *out)
{
	str_addf(out, "<usage>total_tokens: %lld\ntool_uses: %lld\nduration_ms: %lld</usage>",
		 (long long)a->total_tokens, (long long)a->tool_uses,
		 (long long)subagent_elapsed(a));
}

static void subagent_write_text(struct jw *w, struct sv text)
{
	defer(str_clear) struct str block = STR_INIT;

	block_text(&block, text);
	jw_put_array(w, "content");
	jw_raw(w, sv_of(&block));
	jw_end(w);
}

static void subagent_write_stats(struct jw *w, const struct subagent_stats *stats)
{
	static const char keys[WORK_KINDS][15] = {
		[WORK_READ] = "readCount",       [WORK_SEARCH] = "searchCount",
		[WORK_BASH] = "bashCount",       [WORK_EDIT] = "editFileCount",
		[WORK_OTHER] = "otherToolCount",
	};

	jw_put_object(w, "toolStats");
	for (size_t i = 0; i < WORK_KINDS; i++)
		jw_put_int(w, keys[i], stats->calls[i]);
	jw_put_int(w, "linesAdded", stats->lines_added);
	jw_put_int(w, "linesRemoved", stats->lines_removed);
	jw_end(w);
}

static void subagent_write_data(const struct subagent *a, struct str *out)
{
	struct usage_counts counts = usage_to_counts(&a->usage);
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "status", SV("completed"));
	jw_put_str(&w, "prompt", sv_of(&a->prompt));
	jw_put_str(&w, "agentId", sv_cstr(a->id));
	jw_put_str(&w, "agentType", sv_of(&a->type));
	subagent_write_text(&w, sv_of(&a->result));
	if (a->tree.path.len) {
		jw_put_str(&w, "worktreePath", sv_of(&a->tree.path));
		jw_put_str(&w, "worktreeBranch", sv_of(&a->tree.branch));
	}
	jw_put_int(&w, "totalDurationMs", a->duration_ms);
	jw_put_int(&w, "totalTokens", a->total_tokens);
	jw_put_int(&w, "totalToolUseCount", a->tool_uses);
	jw_key(&w, SV("usage"));
	usage_counts_write(&w, &counts);
	subagent_write_stats(&w, &a->stats);
	jw_end(&w);
	jw_done(&w);
}

void subagent_write_result(const struct subagent *a, struct tool_result *out)
{
	if (a->status == COMMAND_STOPPED)
		str_addf(&out->text, "Agent %s was stopped. What it had written last:\n", a->id);
	else if (a->status == COMMAND_FAILED)
		str_addf(&out->text, "Agent %s failed: ", a->id);
	str_add(&out->text, sv_of(&a->result));
	out->is_error = a->status != COMMAND_COMPLETED;
	if (a->path.len)
		str_addf(&out->text, "\n\nagentId: %s (SendMessage with this id continues it)",
			 a->id);
	str_addc(&out->text, '\n');
	subagent_add_usage(a, &out->text);
	if (!out->is_error)
		subagent_write_data(a, &out->data);
}

void subagent_write_launched(const struct subagent *a, struct tool_result *out)
{
	struct jw w;

	str_addf(&out->text,
		 "The agent works in the background as %s. You are notified when it has finished; "
		 "do not wait for it. SendMessage reaches it, TaskStop stops it.",
		 a->id);
	if (a->path.len)
		str_addf(&out->text, "\noutput_file: %s", str_c(&a->path));
	jw_init(&w, &out->data, JW_COMPACT);
	jw_object(&w);
	jw_put_bool(&w, "isAsync", true);
	jw_put_str(&w, "status", SV("async_launched"));
	jw_put_str(&w, "agentId", sv_cstr(a->id));
	jw_put_str(&w, "description", sv_of(&a->description));
	jw_put_str(&w, "prompt", sv_of(&a->prompt));
	jw_put_str(&w, "outputFile", sv_of(&a->path));
	jw_end(&w);
	jw_done(&w);
}

/* --- the end of one in the background ---------------------------------------------------------------- */

static void subagent_write_state(const struct subagent *a, struct str *out)
{
	str_addf(out, "<status>%s</status>\n<summary>Agent \"%s\" %s</summary>\n",
		 command_status_name(a->status), str_c(&a->description),
		 a->status == COMMAND_COMPLETED ? "has finished"
		 : a->status == COMMAND_STOPPED ? "was stopped"
						: "failed");
}

void subagent_notify(struct subagent *a)
{
	struct session *s = a->all->s;
	defer(str_clear) struct str text = STR_INIT;

	if (session_is_closed(s) || a->is_reported)
		return;
	str_addf(&text, "<task-notification>\n<task-id>%s</task-id>\n", a->id);
	if (a->is_teammate)
		team_write_state(a, &text);
	else
		subagent_write_state(a, &text);
	str_adds(&text, "<result>");
	tag_add_text(&text, sv_of(&a->result));
	str_adds(&text, "</result>\n");
	subagent_add_usage(a, &text);
	str_adds(&text, "\n</task-notification>");
	if (!s->is_ending && a->status != COMMAND_STOPPED)
		session_wake(s, sv_of(&text));
	else
		session_append_note(s, sv_of(&text));
}

/* What a conversation begins with after it was summarised. In this order: the environment and the
 * instruction files, as at every beginning; the summary with what is carried over beside it; the latest
 * prompt, word for word. */
#include "base/limits.h"
#include "context/summary.h"
#include "core/agent_internal.h"
#include "core/compaction_internal.h"
#include "proto/message.h"
#include "text/json/json_write.h"
#include "tool/read/read_state.h"

/* --- files ---------------------------------------------------------------------------------- */

typedef VEC(struct sv) compaction_paths;

/* The files that the model has read or written, the least recently used first. */
static void compaction_list_files(const struct read_state *files, struct str *out,
				  compaction_paths *paths)
{
	size_t n = read_state_count(files), nth = 0;
	const struct file_seen *seen;
	struct sv path;

	for (size_t i = 0; read_state_next(files, &i, &path, &seen); nth++) {
		vec_push(paths, path);
		if (n - nth <= LIMIT_COMPACT_NAMES)
			str_addf(out, "%s%.*s%s", out->len ? "\n" : "", SV_ARG(path),
				 seen->ours ? " (changed)" : "");
	}
}

/* Append the content of the newest files, so that they need not be read again at once. */
static void compaction_restore_files(struct session *s, const compaction_paths *paths)
{
	defer(str_clear) struct str text = STR_INIT;
	size_t n = 0;

	for (size_t i = paths->n; i > 0 && n < LIMIT_COMPACT_FILES; i--)
		n += session_add_file(s, &text, paths->at[i - 1], LIMIT_COMPACT_FILE);
	if (!text.len)
		return;
	str_splice(&text, 0, 0, SV("The files that were used last, as they are now:"));
	session_append_meta(s, sv_of(&text));
}

/* --- the summary ------------------------------------------------------------------------------ */

static void compaction_append_summary(struct compaction *c, struct sv files)
{
	struct session *s = c->s;
	defer(str_clear) struct str text = STR_INIT, block = STR_INIT, todos = STR_INIT,
				    plan = STR_INIT;

	(void)!session_plan_read(s, &plan);
	session_list_open_tasks(s, &todos);
	summary_write(&text, &(struct summary_facts){
				     .summary = sv_of(&c->summary),
				     .todos = sv_of(&todos),
				     .files = files,
				     .plan = sv_of(&plan),
				     .transcript = sv_cstr(s->conversation.path),
				     .is_automatic = !c->is_manual,
			     });
	block_text(&block, sv_of(&text));
	c->uuid = uuid_v4(loop_rng(c->agent->loop));
	message_open(&c->message, "user", sv_of(&block));
	(void)!agent_append(c->agent, &(struct agent_message){ .content = sv_of(&block),
							       .uuid = sv_cstr(c->uuid.text),
							       .is_summary = true,
							       .quiet = true,
							       .durable = true });
}

/* Append the latest prompt as it was. It is a message of its own, which a resumed session gets too. */
static void compaction_append_prompt(struct compaction *c)
{
	struct agent *agent = c->agent;
	defer(str_clear) struct str content = STR_INIT;

	if (!agent->prompt.len || agent->prompt.len > LIMIT_COMPACT_PROMPT)
		return;
	block_text(&content, c->is_manual ? SV("The latest request of the user was, word for word:")
					  : SV("The latest request of the user, word for word:"));
	str_addf(&content, ",%s", agent->prompt.ptr);
	(void)!agent_append(agent, &(struct agent_message){ .content = sv_of(&content),
							    .is_meta = true,
							    .quiet = true });
}

/* --- the records and events -------------------------------------------------------------------- */

static void compaction_record_boundary(struct compaction *c)
{
	struct uuid uuid = uuid_v4(loop_rng(c->agent->loop));
	defer(str_clear) struct str metadata = STR_INIT;
	struct jw w;

	jw_init(&w, &metadata, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "trigger", c->is_manual ? SV("manual") : SV("auto"));
	jw_put_int(&w, "preTokens", c->before);
	jw_end(&w);
	jw_done(&w);
	(void)!agent_record(c->agent,
			    &(struct transcript_record){ .type = "system",
							 .uuid = sv_cstr(uuid.text),
							 .content = SV("Conversation compacted"),
							 .compact_metadata = sv_of(&metadata) });
}

/* Emit the boundary, then the summary. */
static void compaction_report(struct compaction *c)
{
	int64_t after = agent_estimate(c->agent);

	agent_emit(c->agent,
		   &(struct event){ .kind = EVENT_COMPACTED,
				    .compacted = { .is_manual = c->is_manual,
						   .before = c->before,
						   .after = after,
						   .duration_ms = loop_now(c->agent->loop) -
								  c->started_ms } });
	agent_emit_as(
		c->agent,
		&(struct event){ .kind = EVENT_USER,
				 .message = { .json = sv_of(&c->message), .is_synthetic = true } },
		sv_cstr(c->uuid.text));
	if (c->answer)
		str_addf(c->answer,
			 "The conversation was summarised: %lld tokens before, about %lld now.",
			 (long long)c->before, (long long)after);
}

void compaction_apply(struct compaction *c)
{
	struct session *s = c->s;
	bool is_main = c->agent == s->agent;
	defer(str_clear) struct str names = STR_INIT;
	compaction_paths paths = VEC_INIT;

	compaction_list_files(c->agent->ctx.files, &names, &paths);
	agent_forget_messages(c->agent);
	compaction_record_boundary(c);
	if (is_main) {
		session_forget_sent(s);
		session_append_meta(s, sv_of(&s->conversation.environment));
		session_append_pending(s, 0);
		compaction_restore_files(s, &paths);
	}
	compaction_append_summary(c, sv_of(&names));
	compaction_append_prompt(c);
	vec_clear(&paths);
	compaction_report(c);
	compaction_tell_hooks(c);
}

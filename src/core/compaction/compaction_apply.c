/* What a conversation begins with after it was summarised. In this order: the environment and the
 * instruction files, as at every beginning; the summary with what is carried over beside it; the latest
 * prompt, word for word. */
#include "base/hash.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "context/summary.h"
#include "core/agent/agent_internal.h"
#include "core/commands/commands_report.h"
#include "core/compaction/compaction_internal.h"
#include "core/session/session_append.h"
#include "core/session/session_plan.h"
#include "core/side/session_notes.h"
#include "proto/message.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

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
	message_open(&c->message, "user", sv_of(&block));
	(void)!agent_append(c->agent, &(struct agent_message){ .content = sv_of(&block),
							       .uuid = sv_cstr(c->uuid.text),
							       .is_summary = true,
							       .quiet = true,
							       .durable = true });
}

/* The last bytes of a text, at most `max`. */
static struct sv compaction_end_of(struct sv text, size_t max)
{
	struct sv end = sv_skip(text, text.len - min_of(text.len, max));

	while (end.len && ((unsigned char)end.ptr[0] & 0xc0) == 0x80)
		end = sv_skip(end, 1);
	return end;
}

/* Store the text of a prompt that is too long to be carried over, and write where it is and how it begins
 * and ends. Without a file the transcript, which the summary names, has it. */
static void compaction_cut_prompt(const struct compaction *c, struct str *out)
{
	defer(str_clear) struct str list = STR_INIT, text = STR_INIT, path = STR_INIT;
	const char *dir = c->s->conversation.results_dir;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct sv begin, end;

	str_addf(&list, "[%s]", c->agent->prompt.ptr);
	doc = json_parse(sv_of(&list), 0, &err);
	content_text(&text, json_root(doc));
	begin = utf8_prefix(sv_of(&text), LIMIT_COMPACT_PROMPT / 4);
	end = compaction_end_of(sv_of(&text), LIMIT_COMPACT_PROMPT / 4);
	if (dir)
		str_addf(&path, "%s/prompt-%016llx.txt", dir,
			 (unsigned long long)hash_bytes(sv_of(&text), 0));
	if (!dir || !fs_mkdirs(dir, 0700, &err) ||
	    !fs_write(path.ptr, sv_of(&text), (struct fs_write){ .mode = 0600 }, &err))
		str_set(&path, sv_cstr(c->s->conversation.path));
	str_addf(out,
		 "The latest request of the user is %zu bytes long. All of it is in %s: read that "
		 "before you continue. It begins:\n\n%.*s\n\n[...]\n\nand ends:\n\n%.*s",
		 text.len, str_c(&path), SV_ARG(begin), SV_ARG(end));
}

/* Append the latest prompt as it was. It is a message of its own, which a resumed session gets too. */
static void compaction_append_prompt(struct compaction *c, const struct uuid *uuid)
{
	struct agent *agent = c->agent;
	defer(str_clear) struct str content = STR_INIT, cut = STR_INIT;

	if (agent->prompt.len > LIMIT_COMPACT_PROMPT) {
		compaction_cut_prompt(c, &cut);
		block_text(&content, sv_of(&cut));
	} else {
		block_text(&content, SV(MESSAGE_LATEST_REQUEST));
		str_addf(&content, ",%s", agent->prompt.ptr);
	}
	(void)!agent_append(agent, &(struct agent_message){ .content = sv_of(&content),
							    .uuid = sv_cstr(uuid->text),
							    .is_meta = true,
							    .quiet = true });
}

/* --- what stays ---------------------------------------------------------------------------------- */

/* The messages that stay, as copies: the history is about to be emptied. They are recorded anew, because the chain
 * that leads to the old records ends at the boundary. */
struct compaction_kept {
	struct str json;
	bool assistant;
	struct uuid uuid; /* of the new record */
};
typedef VEC(struct compaction_kept) compaction_kept;

static void compaction_copy_kept(const struct compaction *c, compaction_kept *kept)
{
	const struct history *h = &c->agent->history;

	for (size_t i = c->keep_from; i < min_of(c->keep_to, h->messages.n); i++) {
		struct compaction_kept *copy = vec_add(kept);

		copy->uuid = uuid_v4(loop_rng(c->agent->loop));
		copy->assistant = h->messages.at[i].assistant;
		str_add(&copy->json, sv_of(&h->messages.at[i].json));
	}
}

static void compaction_kept_clear(compaction_kept *kept)
{
	for (size_t i = 0; i < kept->n; i++)
		str_clear(&kept->at[i].json);
	vec_clear(kept);
}

/* A response is recorded as if it had come now: the record of the old one is on the other side of the boundary. */
static void compaction_record_response(struct compaction *c, const struct compaction_kept *kept)
{
	defer(str_clear) struct str message = STR_INIT;

	str_addf(&message,
		 "{\"id\":\"msg_%s\",\"type\":\"message\",\"model\":\"%.*s\",\"usage\":{\"input_"
		 "tokens\":0,"
		 "\"output_tokens\":0},%.*s",
		 kept->uuid.text, SV_ARG(agent_model(c->agent)),
		 SV_ARG(sv_skip(sv_of(&kept->json), 1)));
	(void)!agent_record(c->agent, &(struct transcript_record){ .type = "assistant",
								   .uuid = sv_cstr(kept->uuid.text),
								   .message = sv_of(&message) });
}

static void compaction_append_kept(struct compaction *c, const compaction_kept *kept)
{
	for (size_t i = 0; i < kept->n; i++) {
		struct sv json = sv_of(&kept->at[i].json);
		defer(str_clear) struct str blocks = STR_INIT;
		struct err ignored = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, &ignored);

		content_blocks(&blocks, json_get(json_root(doc), "content"));
		if (kept->at[i].assistant) {
			history_add(&c->agent->history, true, sv_of(&blocks));
			compaction_record_response(c, &kept->at[i]);
		} else {
			(void)!agent_append(
				c->agent,
				&(struct agent_message){ .content = sv_of(&blocks),
							 .uuid = sv_cstr(kept->at[i].uuid.text),
							 .is_meta = true,
							 .quiet = true });
		}
	}
}

static bool compaction_keeps_prompt(const struct compaction *c, const compaction_kept *kept)
{
	for (size_t i = 0; i < kept->n; i++)
		if (sv_find(sv_of(&kept->at[i].json), sv_of(&c->agent->prompt)) != SIZE_MAX)
			return true;
	return false;
}

/* --- the records and events -------------------------------------------------------------------- */

/* Which of the new records contain messages as they were, and after which record they come. */
static void compaction_write_kept(struct jw *w, const compaction_kept *kept,
				  const struct uuid *anchor)
{
	static const char *const lists[] = { "uuids", "allUuids" };

	if (!kept->n)
		return;
	jw_put_object(w, "preservedSegment");
	jw_put_str(w, "headUuid", sv_cstr(kept->at[0].uuid.text));
	jw_put_str(w, "anchorUuid", sv_cstr(anchor->text));
	jw_put_str(w, "tailUuid", sv_cstr(vec_last(kept)->uuid.text));
	jw_end(w);
	jw_put_object(w, "preservedMessages");
	jw_put_str(w, "anchorUuid", sv_cstr(anchor->text));
	for (size_t k = 0; k < countof(lists); k++) {
		jw_put_array(w, lists[k]);
		for (size_t i = 0; i < kept->n; i++)
			jw_str(w, sv_cstr(kept->at[i].uuid.text));
		jw_end(w);
	}
	jw_end(w);
}

static void compaction_record_boundary(struct compaction *c, const struct uuid *uuid,
				       const compaction_kept *kept, const struct uuid *anchor)
{
	defer(str_clear) struct str metadata = STR_INIT;
	struct jw w;

	jw_init(&w, &metadata, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "trigger", c->is_manual ? SV("manual") : SV("auto"));
	jw_put_int(&w, "preTokens", c->before);
	compaction_write_kept(&w, kept, anchor);
	jw_end(&w);
	jw_done(&w);
	(void)!agent_record(c->agent,
			    &(struct transcript_record){ .type = "system",
							 .uuid = sv_cstr(uuid->text),
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
	if (!c->answer)
		return;
	str_adds(c->answer, "The conversation was summarised: ");
	str_add_count(c->answer, c->before);
	str_adds(c->answer, " tokens before, about ");
	str_add_count(c->answer, after);
	str_adds(c->answer, " now.");
}

/* What every conversation begins with, and what the model would have to read again. */
static void compaction_begin_anew(struct session *s)
{
	session_forget_sent(s);
	session_append_meta(s, sv_of(&s->conversation.environment));
	session_append_pending(s, 0);
	compaction_restore_files(s);
	compaction_restore_skills(s);
}

void compaction_apply(struct compaction *c)
{
	struct session *s = c->s;
	bool is_main = c->agent == s->agent;
	defer(str_clear) struct str names = STR_INIT;
	defer(compaction_kept_clear) compaction_kept kept = VEC_INIT;
	bool keeps_start = c->keep_from == 0 && c->keep_to > 0, keeps_prompt;
	struct uuid boundary = uuid_v4(loop_rng(c->agent->loop)),
		    prompt = uuid_v4(loop_rng(c->agent->loop));

	c->uuid = uuid_v4(loop_rng(c->agent->loop));
	compaction_recall(s, c->agent);
	compaction_list_files(c->agent->ctx.files, &names);
	compaction_copy_kept(c, &kept);
	keeps_prompt = !c->agent->prompt.len || compaction_keeps_prompt(c, &kept);
	c->agent->choice.task_used += c->before;
	agent_forget_messages(c->agent);
	compaction_record_boundary(c, &boundary, &kept,
				   keeps_start    ? &boundary
				   : keeps_prompt ? &c->uuid
						  : &prompt);
	if (keeps_start)
		compaction_append_kept(c, &kept);
	else if (is_main)
		compaction_begin_anew(s);
	compaction_append_summary(c, sv_of(&names));
	if (!keeps_prompt)
		compaction_append_prompt(c, &prompt);
	if (!keeps_start)
		compaction_append_kept(c, &kept);
	if (is_main) {
		session_notes_forget(s);
		context_drops_clear(&s->drops);
	}
	compaction_report(c);
	compaction_run_hooks(c);
}

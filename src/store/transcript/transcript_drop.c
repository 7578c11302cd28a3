/* What a resume that cuts the conversation short may drop. The host names one prompt, and sees the conversation
 * only as far as it was told: a prompt that joined the turn, a notice, or the results of an earlier turn would
 * be lost without anybody noticing. So each record behind the cut has to belong to the turn of that prompt. */
#include "proto/message.h"
#include "store/transcript/transcript.h"
#include "store/transcript/transcript_walk.h"
#include "text/json/json.h"

struct drop {
	struct sv prompt; /* uuid */
	bool has_begun;   /* its record was seen */
};

static struct sv drop_member(struct sv object, const char *key)
{
	return peek_plain(peek_get(object, key));
}

/* Whether all of it are results of calls that failed, as those of interrupted calls do. */
static bool drop_is_failures(struct json content)
{
	struct json_iter it = json_each(content);
	struct json block;

	while (json_next(&it, NULL, &block))
		if (!sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), "tool_result") ||
		    !json_bool_or(json_get(block, "is_error"), false))
			return false;
	return true;
}

static bool drop_is_interruption(struct json content)
{
	defer(str_clear) struct str text = STR_INIT;

	content_text(&text, content);
	return sv_is(sv_of(&text), MESSAGE_INTERRUPTED) ||
	       sv_is(sv_of(&text), MESSAGE_INTERRUPTED_TOOLS);
}

/* Return what a record of the type "user" is that must not be lost; NULL: nothing. */
static const char *drop_judge_user(const struct drop *d, const struct line *line, struct sv text)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct message_calls results = message_calls(&line->parsed, false);
	struct sv origin = drop_member(peek_get(text, "origin"), "kind"), id;
	struct err damaged;
	struct json content;

	if (line_flag(line->compact_summary) || !line->parsed.content.len)
		return NULL;
	doc = json_parse(line->parsed.content, 0, &damaged);
	content = json_root(doc);
	if (message_next_call(&results, &id))
		return d->has_begun || drop_is_failures(content) ? NULL
								 : "the result of an earlier call";
	if (sv_is(origin, "task-notification"))
		return "a notification";
	if (line_flag(line->meta) || drop_is_interruption(content))
		return NULL;
	return "another message of the user";
}

static const char *drop_judge_attachment(const struct drop *d, const struct line *line)
{
	struct sv type = drop_member(line->attachment, "type");

	if (sv_is(type, "queued_command"))
		return "a prompt that was queued";
	if (sv_is(type, "structured_output") && !d->has_begun)
		return "the output of an earlier turn";
	return NULL;
}

/* The same for any record. */
static const char *drop_judge(struct drop *d, const struct line *line, struct sv text)
{
	if (sv_eq(line_id(line->uuid), d->prompt)) {
		d->has_begun = true;
		return NULL;
	}
	if (line_is(line, "assistant"))
		return d->has_begun ? NULL : "a response of an earlier turn";
	if (line_is(line, "user"))
		return drop_judge_user(d, line, text);
	if (line_is(line, "attachment"))
		return drop_judge_attachment(d, line);
	if (line_is_boundary(line) &&
	    sv_is(drop_member(line->compact_metadata, "trigger"), "manual"))
		return "a summary that the user asked for";
	return NULL;
}

/* Return the index of the first pick behind the record `at`; 0: it is not among them. */
static size_t drop_begin(const struct chain_walk *w, struct sv at)
{
	for (size_t i = w->picks.n; i > 0; i--)
		if (sv_is(at, w->picks.at[i - 1].uuid.text))
			return i;
	return 0;
}

bool transcript_check_drop(const char *path, struct sv at, struct sv prompt, struct err *err)
{
	defer(chain_walk_clear) struct chain_walk w = { .all = true, WALK_INIT };
	struct drop d = { .prompt = prompt };
	struct line line;
	struct sv text;
	size_t first;

	if (!chain_walk_run(&w, path, err))
		return false;
	first = drop_begin(&w, at);
	if (!first)
		return err_set(err, ERR_NOT_FOUND, "the conversation has no record %.*s",
			       SV_ARG(at));
	for (size_t i = first; i < w.picks.n; i++) {
		const char *why;

		if (!chain_walk_line(&w, &w.picks.at[i], &text, err))
			return false;
		why = line_read(&line, text) ? drop_judge(&d, &line, text) : "a damaged record";
		if (why)
			return err_set(err, ERR_INVALID,
				       "the turn of prompt %.*s does not contain record %s: %s",
				       SV_ARG(prompt), w.picks.at[i].uuid.text, why);
	}
	return true;
}

/* The prompts of a conversation, for the points that one can go back to. */
#include "proto/message.h"
#include "store/transcript/transcript.h"
#include "store/transcript/transcript_walk.h"
#include "text/iso_time.h"
#include "text/json/json.h"

static bool prompts_is_result(const struct pick *pick)
{
	return !pick->assistant && pick->content_len && !pick->prompt;
}

static bool prompts_visit(const struct pick *pick, struct sv text, transcript_prompt_fn *visit,
			  void *arg)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	defer(str_clear) struct str words = STR_INIT;
	struct err ignored = ERR_INIT;
	int64_t wall_ms = 0;
	struct line line;

	if (!line_read(&line, text))
		return true;
	doc = json_parse(line.parsed.content, 0, &ignored);
	content_text(&words, json_root(doc));
	if (!iso_time_parse(peek_plain(line.timestamp), &wall_ms))
		wall_ms = 0;
	return visit(arg, sv_cstr(pick->uuid.text), sv_of(&words), wall_ms);
}

bool transcript_prompts(const char *path, bool since_calls, transcript_prompt_fn *visit, void *arg,
			struct err *err)
{
	defer(chain_walk_clear) struct chain_walk w = { WALK_INIT };
	struct sv text;

	if (!chain_walk_run(&w, path, err))
		return false;
	for (size_t i = w.picks.n; i-- > 0;) {
		const struct pick *pick = &w.picks.at[i];

		if (since_calls && prompts_is_result(pick))
			return true;
		if (!pick->prompt || pick->harness || pick->stray)
			continue;
		if (!chain_walk_line(&w, pick, &text, err))
			return false;
		if (!prompts_visit(pick, text, visit, arg))
			return true;
	}
	return true;
}

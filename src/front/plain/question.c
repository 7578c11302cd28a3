#include "front/plain/question.h"

#include "front/words.h"

enum { SHOWN_LINES = 40, SHOWN_BYTES = 8192, LINE_CELLS = 200, BLANKS = 20 };

/* Every line of `text`, with something before it. */
static void question_add_lines(struct str *out, const char *before, struct sv text)
{
	struct sv rest = sv_slice(text, 0, SHOWN_BYTES), line;
	size_t hidden = text.len - rest.len;

	for (size_t n = 0; n < SHOWN_LINES && sv_cut_line(&rest, &line); n++) {
		str_adds(out, before);
		words_add_exact(out, line);
		str_addc(out, '\n');
	}
	hidden += rest.len;
	if (hidden)
		str_addf(out, "%s(%zu more bytes are not shown)\n", before, hidden);
}

static struct sv question_text_of(struct json input, const char *key)
{
	return json_str_or(json_get(input, key), SV_EMPTY);
}

/* Blanks push what follows out of sight: a run of them is counted in place of shown. */
static void question_add_without_blanks(struct str *out, struct sv line)
{
	size_t from = 0, at = 0;

	while (at < line.len) {
		size_t end = at;

		while (end < line.len && (line.ptr[end] == ' ' || line.ptr[end] == '\t'))
			end++;
		if (end - at > BLANKS) {
			words_add_exact(out, sv_slice(line, from, at));
			str_addf(out, " (%zu blanks) ", end - at);
			from = end;
		}
		at = max_of(end, at + 1);
	}
	words_add_exact(out, sv_skip(line, from));
}

static void question_add_empty(struct str *out, const char *before, size_t n, size_t most)
{
	if (n > most)
		str_addf(out, "%s(%zu empty line%s)\n", before, n, n == 1 ? "" : "s");
	for (size_t i = 0; n <= most && i < n; i++)
		str_addc(out, '\n');
}

/* All of it, however long: what is not seen is what somebody wants to hide. More than `most`
 * empty lines together are counted in place of shown. */
static void question_add_whole(struct str *out, const char *before, struct sv text, size_t most)
{
	size_t empty = 0;
	struct sv line;

	while (sv_cut_line(&text, &line)) {
		if (!sv_trim(line).len && text.len) {
			empty++;
			continue;
		}
		question_add_empty(out, before, empty, most);
		empty = 0;
		str_adds(out, before);
		question_add_without_blanks(out, line);
		str_addc(out, '\n');
	}
}

static void question_add_command(struct str *out, struct json input)
{
	struct sv why = question_text_of(input, "description");

	str_adds(out, "May it run this command?");
	if (why.len) {
		str_adds(out, " (");
		words_add_line(out, why, LINE_CELLS);
		str_addc(out, ')');
	}
	str_addc(out, '\n');
	question_add_whole(out, "  ", question_text_of(input, "command"), 0);
}

static void question_add_may_it(struct str *out, const char *verb, struct sv what)
{
	str_addf(out, "May it %s ", verb);
	words_add_name(out, what);
	str_adds(out, "?\n");
}

static void question_add_path(struct str *out, const char *verb, struct json input, struct sv cwd)
{
	question_add_may_it(out, verb, words_path(question_text_of(input, "file_path"), cwd));
}

static void question_add_fetch(struct str *out, struct json input)
{
	question_add_may_it(out, "fetch", question_text_of(input, "url"));
	question_add_lines(out, "  to find out: ", question_text_of(input, "prompt"));
}

static void question_add_write(struct str *out, struct json input, struct sv cwd)
{
	question_add_path(out, "write", input, cwd);
	question_add_lines(out, "  + ", question_text_of(input, "content"));
}

static void question_add_edit(struct str *out, struct json input, struct sv cwd)
{
	bool everywhere = json_bool_or(json_get(input, "replace_all"), false);

	question_add_path(out, everywhere ? "change every place in" : "change", input, cwd);
	question_add_lines(out, "  - ", question_text_of(input, "old_string"));
	question_add_lines(out, "  + ", question_text_of(input, "new_string"));
}

static void question_add_other(struct str *out, struct sv tool, struct json input)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_PRETTY);
	jw_value(&w, input);
	jw_done(&w);
	question_add_may_it(out, "use", tool);
	question_add_lines(out, "  ", sv_of(&json));
}

static void question_add_plan(struct str *out, struct json input)
{
	str_adds(out, "This is the plan. May it be carried out?\n");
	question_add_whole(out, "  ", question_text_of(input, "plan"), 1);
}

/* Whether `named` in `cwd` says already what `real` is. */
static bool question_says_all(struct sv named, struct sv real, struct sv cwd)
{
	struct sv below = words_path(real, cwd);

	return sv_eq(named, real) || (below.len < real.len && sv_eq(named, below));
}

/* Where a link leads, and why it is asked. */
static void question_add_reasons(struct str *out, struct json request, struct sv cwd)
{
	struct sv path = question_text_of(request, "blocked_path");
	struct sv named = question_text_of(json_get(request, "input"), "file_path");
	struct sv why = question_text_of(request, "decision_reason");

	if (named.len && path.len && !question_says_all(named, path, cwd)) {
		str_adds(out, "  That is ");
		words_add_name(out, path);
		str_adds(out, ".\n");
	}
	if (why.len) {
		str_adds(out, "  Asked because: ");
		words_add_name(out, why);
		str_addc(out, '\n');
	}
}

void question_add(struct str *out, struct json request, struct sv cwd)
{
	struct sv tool = question_text_of(request, "tool_name");
	struct json input = json_get(request, "input");

	if (sv_is(tool, "Bash"))
		question_add_command(out, input);
	else if (sv_is(tool, "Write"))
		question_add_write(out, input, cwd);
	else if (sv_is(tool, "Edit"))
		question_add_edit(out, input, cwd);
	else if (sv_is(tool, "Read"))
		question_add_path(out, "read", input, cwd);
	else if (sv_is(tool, "WebFetch"))
		question_add_fetch(out, input);
	else if (sv_is(tool, "ExitPlanMode"))
		question_add_plan(out, input);
	else
		question_add_other(out, tool, input);
	if (!sv_is(tool, "ExitPlanMode")) /* of a plan it goes without saying */
		question_add_reasons(out, request, cwd);
}

enum reply question_reply(struct sv line, bool has_offer)
{
	static const struct {
		const char *word;
		enum reply reply;
	} words[] = {
		{ "1", REPLY_YES },        { "y", REPLY_YES },    { "yes", REPLY_YES },
		{ "2", REPLY_NO },         { "n", REPLY_NO },     { "no", REPLY_NO },
		{ "3", REPLY_NO_BECAUSE }, { "4", REPLY_ALWAYS },
	};

	for (size_t i = 0; i < countof(words); i++)
		if (sv_eq_nocase(sv_trim(line), sv_cstr(words[i].word)) &&
		    (has_offer || words[i].reply != REPLY_ALWAYS))
			return words[i].reply;
	return REPLY_UNCLEAR;
}

/* --- yes for good --------------------------------------------------------- */

static void question_add_rules(struct str *words, struct json rules)
{
	struct json_iter it = json_each(rules);
	struct json rule;

	str_adds(words, "4 yes, and write into this project's local settings:");
	while (json_next(&it, NULL, &rule)) {
		struct sv content = question_text_of(rule, "ruleContent");

		str_addc(words, ' ');
		words_add_name(words, question_text_of(rule, "toolName"));
		if (content.len) {
			str_addc(words, '(');
			words_add_name(words, content);
			str_addc(words, ')');
		}
	}
	str_addc(words, '\n');
}

bool question_offer(struct json request, struct str *change, struct str *words)
{
	struct json first = json_at(json_get(request, "permission_suggestions"), 0);
	struct jw w;

	if (sv_is(question_text_of(first, "type"), "setMode"))
		str_addf(words,
			 "4 yes, and ask no more before files here are changed (mode %.*s)\n",
			 SV_ARG(question_text_of(first, "mode")));
	else if (sv_is(question_text_of(first, "type"), "addRules"))
		question_add_rules(words, json_get(first, "rules"));
	else
		return false;
	jw_init(&w, change, JW_COMPACT);
	jw_array(&w);
	jw_value(&w, first);
	jw_end(&w);
	jw_done(&w);
	return true;
}

void question_open_yes(struct jw *w, struct str *out, struct sv request_id)
{
	jw_init(w, out, JW_COMPACT);
	jw_object(w);
	jw_put_str(w, "type", SV("control_response"));
	jw_put_object(w, "response");
	jw_put_str(w, "subtype", SV("success"));
	jw_put_str(w, "request_id", request_id);
	jw_put_object(w, "response");
	jw_put_str(w, "behavior", SV("allow"));
}

void question_close_yes(struct jw *w)
{
	for (int i = 0; i < 3; i++)
		jw_end(w);
	jw_done(w);
}

void question_answer_always(struct str *out, struct sv request_id, struct sv change)
{
	struct jw w;

	question_open_yes(&w, out, request_id);
	jw_put_raw(&w, "updatedPermissions", change);
	question_close_yes(&w);
}

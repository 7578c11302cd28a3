#include "front/plain/question.h"

#include "front/words.h"

enum { SHOWN_LINES = 40, SHOWN_BYTES = 8192, LINE_CELLS = 200, BLANKS = 20 };

/* Every line of `text`, with something before it. */
static void add_lines(struct str *out, const char *before, struct sv text)
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

static struct sv text_of(struct json input, const char *key)
{
	return json_str_or(json_get(input, key), SV_EMPTY);
}

/* Blanks push what follows out of sight: a run of them is counted in place of shown. */
static void add_without_blanks(struct str *out, struct sv line)
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

static void add_empty(struct str *out, const char *before, size_t n, size_t most)
{
	if (n > most)
		str_addf(out, "%s(%zu empty line%s)\n", before, n, n == 1 ? "" : "s");
	for (size_t i = 0; n <= most && i < n; i++)
		str_addc(out, '\n');
}

/* All of it, however long: what is not seen is what somebody wants to hide. More than `most`
 * empty lines together are counted in place of shown. */
static void add_whole(struct str *out, const char *before, struct sv text, size_t most)
{
	size_t empty = 0;
	struct sv line;

	while (sv_cut_line(&text, &line)) {
		if (!sv_trim(line).len && text.len) {
			empty++;
			continue;
		}
		add_empty(out, before, empty, most);
		empty = 0;
		str_adds(out, before);
		add_without_blanks(out, line);
		str_addc(out, '\n');
	}
}

static void add_command(struct str *out, struct json input)
{
	struct sv why = text_of(input, "description");

	str_adds(out, "May it run this command?");
	if (why.len) {
		str_adds(out, " (");
		words_add_line(out, why, LINE_CELLS);
		str_addc(out, ')');
	}
	str_addc(out, '\n');
	add_whole(out, "  ", text_of(input, "command"), 0);
}

static void add_may_it(struct str *out, const char *verb, struct sv what)
{
	str_addf(out, "May it %s ", verb);
	words_add_name(out, what);
	str_adds(out, "?\n");
}

static void add_path_question(struct str *out, const char *verb, struct json input, struct sv cwd)
{
	add_may_it(out, verb, words_path(text_of(input, "file_path"), cwd));
}

static void add_fetch(struct str *out, struct json input)
{
	add_may_it(out, "fetch", text_of(input, "url"));
	add_lines(out, "  to find out: ", text_of(input, "prompt"));
}

static void add_write(struct str *out, struct json input, struct sv cwd)
{
	add_path_question(out, "write", input, cwd);
	add_lines(out, "  + ", text_of(input, "content"));
}

static void add_edit(struct str *out, struct json input, struct sv cwd)
{
	bool everywhere = json_bool_or(json_get(input, "replace_all"), false);

	add_path_question(out, everywhere ? "change every place in" : "change", input, cwd);
	add_lines(out, "  - ", text_of(input, "old_string"));
	add_lines(out, "  + ", text_of(input, "new_string"));
}

static void add_other(struct str *out, struct sv tool, struct json input)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_PRETTY);
	jw_value(&w, input);
	jw_done(&w);
	add_may_it(out, "use", tool);
	add_lines(out, "  ", sv_of(&json));
}

static void add_plan(struct str *out, struct json input)
{
	str_adds(out, "This is the plan. May it be carried out?\n");
	add_whole(out, "  ", text_of(input, "plan"), 1);
}

/* Whether `named` in `cwd` says already what `real` is. */
static bool says_all(struct sv named, struct sv real, struct sv cwd)
{
	struct sv below = words_path(real, cwd);

	return sv_eq(named, real) || (below.len < real.len && sv_eq(named, below));
}

/* Where a link leads, and why it is asked. */
static void add_reasons(struct str *out, struct json request, struct sv cwd)
{
	struct sv path = text_of(request, "blocked_path");
	struct sv named = text_of(json_get(request, "input"), "file_path");
	struct sv why = text_of(request, "decision_reason");

	if (named.len && path.len && !says_all(named, path, cwd)) {
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
	struct sv tool = text_of(request, "tool_name");
	struct json input = json_get(request, "input");

	if (sv_is(tool, "Bash"))
		add_command(out, input);
	else if (sv_is(tool, "Write"))
		add_write(out, input, cwd);
	else if (sv_is(tool, "Edit"))
		add_edit(out, input, cwd);
	else if (sv_is(tool, "Read"))
		add_path_question(out, "read", input, cwd);
	else if (sv_is(tool, "WebFetch"))
		add_fetch(out, input);
	else if (sv_is(tool, "ExitPlanMode"))
		add_plan(out, input);
	else
		add_other(out, tool, input);
	if (!sv_is(tool, "ExitPlanMode")) /* of a plan it goes without saying */
		add_reasons(out, request, cwd);
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

static void add_rules(struct str *words, struct json rules)
{
	struct json_iter it = json_each(rules);
	struct json rule;

	str_adds(words, "4 yes, and write into this project's local settings:");
	while (json_next(&it, NULL, &rule)) {
		struct sv content = text_of(rule, "ruleContent");

		str_addc(words, ' ');
		words_add_name(words, text_of(rule, "toolName"));
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

	if (sv_is(text_of(first, "type"), "setMode"))
		str_addf(words,
			 "4 yes, and ask no more before files here are changed (mode %.*s)\n",
			 SV_ARG(text_of(first, "mode")));
	else if (sv_is(text_of(first, "type"), "addRules"))
		add_rules(words, json_get(first, "rules"));
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

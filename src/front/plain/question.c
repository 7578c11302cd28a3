#include "front/plain/question.h"

#include "front/display.h"

enum { SHOWN_LINES = 40, SHOWN_BYTES = 8192, LINE_CELLS = 200, BLANKS = 20 };

/* Add every line of `text` after `before`. */
static void question_add_lines(struct str *out, const char *before, struct sv text)
{
	struct sv rest = sv_slice(text, 0, SHOWN_BYTES), line;
	size_t hidden = text.len - rest.len;

	for (size_t n = 0; n < SHOWN_LINES && sv_cut_line(&rest, &line); n++) {
		str_adds(out, before);
		display_exact(out, line);
		str_addc(out, '\n');
	}
	hidden += rest.len;
	if (hidden)
		str_addf(out, "%s(%zu more bytes not shown)\n", before, hidden);
}

static struct sv question_text_of(struct json input, const char *key)
{
	return json_str_or(json_get(input, key), SV_EMPTY);
}

/* Blanks push what follows out of sight: count a long run of them instead of showing it. */
static void question_add_without_blanks(struct str *out, struct sv line)
{
	size_t from = 0, at = 0;

	while (at < line.len) {
		size_t end = at;

		while (end < line.len && (line.ptr[end] == ' ' || line.ptr[end] == '\t'))
			end++;
		if (end - at > BLANKS) {
			display_exact(out, sv_slice(line, from, at));
			str_addf(out, " (%zu blanks) ", end - at);
			from = end;
		}
		at = max_of(end, at + 1);
	}
	display_exact(out, sv_skip(line, from));
}

static void question_add_empty(struct str *out, const char *before, size_t n, size_t most)
{
	if (n > most)
		str_addf(out, "%s(%zu empty line%s)\n", before, n, n == 1 ? "" : "s");
	for (size_t i = 0; n <= most && i < n; i++)
		str_addc(out, '\n');
}

/* Add all of `text`, however long: what is not shown is where somebody would hide something. A run
 * of more than `most` empty lines is counted instead of shown. */
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
	bool leaves = json_bool_or(json_get(input, "dangerouslyDisableSandbox"), false);

	str_addf(out, "Run this command%s?", leaves ? " outside the sandbox" : "");
	if (why.len) {
		str_adds(out, " (");
		display_line(out, why, LINE_CELLS);
		str_addc(out, ')');
	}
	str_addc(out, '\n');
	question_add_whole(out, "  ", question_text_of(input, "command"), 0);
}

/* "Write x?" */
static void question_add_verb(struct str *out, const char *verb, struct sv what)
{
	str_addf(out, "%s ", verb);
	display_name(out, what);
	str_adds(out, "?\n");
}

static void question_add_path(struct str *out, const char *verb, struct json input, struct sv cwd)
{
	question_add_verb(out, verb, display_path(question_text_of(input, "file_path"), cwd));
}

static void question_add_fetch(struct str *out, struct json input)
{
	question_add_verb(out, "Fetch", question_text_of(input, "url"));
	question_add_lines(out, "  to find out: ", question_text_of(input, "prompt"));
}

static void question_add_write(struct str *out, struct json input, struct sv cwd)
{
	question_add_path(out, "Write", input, cwd);
	question_add_lines(out, "  + ", question_text_of(input, "content"));
}

static void question_add_edit(struct str *out, struct json input, struct sv cwd)
{
	bool everywhere = json_bool_or(json_get(input, "replace_all"), false);

	question_add_path(out, everywhere ? "Edit every match in" : "Edit", input, cwd);
	question_add_lines(out, "  - ", question_text_of(input, "old_string"));
	question_add_lines(out, "  + ", question_text_of(input, "new_string"));
}

static void question_add_connect(struct str *out, struct json input)
{
	str_adds(out, "Let a sandboxed command connect to ");
	display_name(out, question_text_of(input, "host"));
	str_addf(out, ", port %lld?\n", (long long)json_int_or(json_get(input, "port"), 0));
}

static void question_add_other(struct str *out, struct sv tool, struct json input)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_PRETTY);
	jw_value(&w, input);
	jw_done(&w);
	question_add_verb(out, "Use", tool);
	question_add_lines(out, "  ", sv_of(&json));
}

static void question_add_plan(struct str *out, struct json input)
{
	str_adds(out, "Carry out this plan?\n");
	question_add_whole(out, "  ", question_text_of(input, "plan"), 1);
}

/* Whether `named` in `cwd` already says what `real` is. */
static bool question_says_all(struct sv named, struct sv real, struct sv cwd)
{
	struct sv below = display_path(real, cwd);

	return sv_eq(named, real) || (below.len < real.len && sv_eq(named, below));
}

/* Where a path leads, and why there is a question. */
static void question_add_reasons(struct str *out, const struct permission_question *q,
				 struct sv cwd)
{
	struct sv named = question_text_of(q->input_value, "file_path");

	if (named.len && q->path.len && !question_says_all(named, q->path, cwd)) {
		str_adds(out, "  This is really ");
		display_name(out, q->path);
		str_adds(out, ".\n");
	}
	if (q->reason.len) {
		str_adds(out, "  Reason: ");
		display_name(out, q->reason);
		str_addc(out, '\n');
	}
}

void question_add(struct str *out, const struct permission_question *q, struct sv cwd)
{
	struct json input = q->input_value;

	if (sv_is(q->tool, "Bash"))
		question_add_command(out, input);
	else if (sv_is(q->tool, "Write"))
		question_add_write(out, input, cwd);
	else if (sv_is(q->tool, "Edit"))
		question_add_edit(out, input, cwd);
	else if (sv_is(q->tool, "Read"))
		question_add_path(out, "Read", input, cwd);
	else if (sv_is(q->tool, "WebFetch"))
		question_add_fetch(out, input);
	else if (sv_is(q->tool, "SandboxNetworkAccess"))
		question_add_connect(out, input);
	else if (sv_is(q->tool, "ExitPlanMode"))
		question_add_plan(out, input);
	else
		question_add_other(out, q->tool, input);
	/* A plan is always asked about, and the question about a host says everything. */
	if (!sv_is(q->tool, "ExitPlanMode") && !sv_is(q->tool, "SandboxNetworkAccess"))
		question_add_reasons(out, q, cwd);
}

/* --- replies ---------------------------------------------------------------- */

const struct permission_change *question_offer(const struct permission_question *q)
{
	const struct permission_change *first = q->suggestions;

	if (q->nsuggestions && first->kind == PERMISSION_ADD_RULES)
		return first;
	if (q->nsuggestions && first->kind == PERMISSION_SET_MODE &&
	    sv_is(first->mode, "acceptEdits"))
		return first;
	return NULL;
}

static void question_add_rules(struct str *out, const struct permission_change *offer)
{
	str_adds(out, "2 Yes, and always allow in this project:");
	for (size_t i = 0; i < offer->nrules; i++) {
		defer(str_clear) struct str rule = STR_INIT;

		permission_rule_text(&rule, &offer->rules[i]);
		str_addc(out, ' ');
		display_name(out, sv_of(&rule));
	}
	str_addc(out, '\n');
}

/* The numbers stay the same without an offer, so that nobody says "always" out of habit. */
void question_add_choices(struct str *out, const struct permission_change *offer)
{
	str_adds(out, "1 Yes\n");
	if (offer && offer->kind == PERMISSION_SET_MODE)
		str_adds(out, "2 Yes, and stop asking about edits in this session\n");
	else if (offer)
		question_add_rules(out, offer);
	str_adds(out, "3 No\n4 No, and tell it why\n");
}

enum answer question_read_answer(struct sv line, bool has_offer)
{
	static const struct {
		const char *word;
		enum answer answer;
	} words[] = {
		{ "1", ANSWER_YES },    { "y", ANSWER_YES },        { "yes", ANSWER_YES },
		{ "2", ANSWER_ALWAYS }, { "3", ANSWER_NO },         { "n", ANSWER_NO },
		{ "no", ANSWER_NO },    { "4", ANSWER_NO_BECAUSE },
	};

	for (size_t i = 0; i < countof(words); i++)
		if (sv_eq_nocase(sv_trim(line), sv_cstr(words[i].word)) &&
		    (has_offer || words[i].answer != ANSWER_ALWAYS))
			return words[i].answer;
	return ANSWER_UNCLEAR;
}

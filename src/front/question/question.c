#include "front/question/question.h"

#include "front/display.h"
#include "front/question/question_internal.h"

/* Longer texts are shown by their beginning and their end. */
enum {
	SHOWN_LINES = 40,
	SHOWN_BYTES = 8192,
	HEAD_LINES = 28,
	HEAD_BYTES = 6000,
	TAIL_LINES = 12,
	TAIL_BYTES = 2000,
	LINE_CELLS = 200,
	BLANKS = 20,
};

static void question_add_all_lines(struct str *out, const char *before, struct sv text)
{
	struct sv line;

	while (sv_cut_line(&text, &line)) {
		str_adds(out, before);
		display_exact(out, line);
		str_addc(out, '\n');
	}
}

static bool question_fits(struct sv text)
{
	struct sv line;
	size_t n = 0;

	if (text.len > SHOWN_BYTES)
		return false;
	while (sv_cut_line(&text, &line))
		n++;
	return n <= SHOWN_LINES;
}

/* The length of the first lines that are shown. */
static size_t question_head(struct sv text)
{
	struct sv rest = text, line;

	for (size_t n = 0; n < HEAD_LINES && text.len - rest.len < HEAD_BYTES; n++)
		if (!sv_cut_line(&rest, &line))
			break;
	return min_of(text.len - rest.len, (size_t)HEAD_BYTES);
}

/* Where the last lines that are shown begin. */
static size_t question_tail(struct sv text)
{
	size_t at = text.len - (text.len > 0), lines = 0; /* the last byte may end a line */

	while (at > 0 && text.len - at < TAIL_BYTES) {
		if (text.ptr[at - 1] == '\n' && ++lines == TAIL_LINES)
			break;
		at--;
	}
	return at;
}

void question_add_lines(struct question_text *s, const char *before, struct sv text)
{
	size_t head = question_head(text), tail = question_tail(text);

	if (s->view->is_whole || question_fits(text) || head >= tail) {
		question_add_all_lines(s->out, before, text);
		return;
	}
	s->is_cut = true;
	question_add_all_lines(s->out, before, sv_slice(text, 0, head));
	str_addf(s->out, "%s(%zu bytes not shown here)\n", before, tail - head);
	question_add_all_lines(s->out, before, sv_skip(text, tail));
}

struct sv question_text_of(struct json input, const char *key)
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

static void question_add_command(struct question_text *s, const struct permission_question *q)
{
	struct json input = q->input_value;
	struct str *out = s->out;
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
	question_add_changes(s, q->changes_value);
}

void question_add_verb(struct str *out, const char *verb, struct sv what)
{
	str_addf(out, "%s ", verb);
	display_name(out, what);
	str_adds(out, "?\n");
}

static void question_add_fetch(struct question_text *s, struct json input)
{
	question_add_verb(s->out, "Fetch", question_text_of(input, "url"));
	question_add_lines(s, "  to find out: ", question_text_of(input, "prompt"));
}

static void question_add_connect(struct str *out, struct json input)
{
	str_adds(out, "Let a sandboxed command reach ");
	display_name(out, question_text_of(input, "host"));
	str_addf(out, ", port %lld?\n", (long long)json_int_or(json_get(input, "port"), 0));
}

/* A server wants to use the model: which of both, and all that it wants to ask. */
static void question_add_sampling(struct question_text *s, struct json input)
{
	str_adds(s->out, "Let MCP server ");
	display_name(s->out, question_text_of(input, "server"));
	str_adds(s->out, " use the model ");
	display_name(s->out, question_text_of(input, "model"));
	str_adds(s->out, " for up to ");
	str_add_count(s->out, json_int_or(json_get(input, "max_tokens"), 0));
	str_adds(s->out, " tokens?\n");
	if (question_text_of(input, "system").len) {
		str_adds(s->out, "It sets the system prompt\n");
		question_add_lines(s, "  ", question_text_of(input, "system"));
	}
	str_adds(s->out, "It asks\n");
	question_add_lines(s, "  ", question_text_of(input, "prompt"));
}

/* The first line of a text after two blanks, and those below it after four. */
static void question_add_member(struct question_text *s, struct sv text)
{
	struct sv line = SV_EMPTY;

	sv_cut_line(&text, &line);
	question_add_lines(s, "  ", line);
	question_add_lines(s, "    ", text);
}

/* Every member of the input on a line of its own; texts as they are, and all else as JSON. */
static void question_add_members(struct question_text *s, struct json input, const char *but)
{
	struct json_iter it = json_each(input);
	struct json value;
	struct sv name;

	while (json_next(&it, &name, &value)) {
		defer(str_clear) struct str text = STR_INIT;
		struct jw w;

		if (but && sv_is(name, but))
			continue;
		str_addf(&text, "%.*s: ", SV_ARG(name));
		if (json_is(value, JSON_STRING)) {
			str_add(&text, json_str_or(value, SV_EMPTY));
		} else {
			jw_init(&w, &text, JW_COMPACT);
			jw_value(&w, value);
			jw_done(&w);
		}
		question_add_member(s, sv_of(&text));
	}
}

/* Grep and Glob: where, and then everything else that the call says. */
static void question_add_search(struct question_text *s, struct json input)
{
	struct sv path = question_text_of(input, "path");

	if (path.len)
		question_add_verb(s->out, "Search", display_path(path, s->view->cwd));
	else
		str_adds(s->out, "Search the working directory?\n");
	question_add_members(s, input, "path");
}

/* A tool of an MCP server is named as people name it: mcp__SERVER__TOOL is a word of the wire. */
static void question_add_tool(struct str *out, struct sv tool)
{
	struct sv rest = sv_skip(tool, 5);
	size_t mark = sv_starts(tool, SV("mcp__")) ? sv_find(rest, SV("__")) : SIZE_MAX;

	if (mark == SIZE_MAX) {
		question_add_verb(out, "Use", tool);
		return;
	}
	str_adds(out, "Use ");
	display_name(out, sv_skip(rest, mark + 2));
	str_adds(out, " of the MCP server ");
	display_name(out, sv_slice(rest, 0, mark));
	str_adds(out, "?\n");
}

static void question_add_other(struct question_text *s, struct sv tool, struct json input)
{
	question_add_tool(s->out, tool);
	question_add_members(s, input, NULL);
}

static void question_add_plan(struct str *out, struct json input)
{
	struct sv plan = question_text_of(input, "plan");
	struct json_iter it = json_each(json_get(input, "allowedPrompts"));
	struct json prompt;

	if (!plan.len) {
		str_adds(out, "Leave plan mode? There is no plan.\n");
		return;
	}
	str_adds(out, "Carry out this plan?\n");
	question_add_whole(out, "  ", plan, 1);
	while (json_next(&it, NULL, &prompt)) {
		str_adds(out, "It needs commands to ");
		display_line(out, question_text_of(prompt, "prompt"), LINE_CELLS);
		str_adds(out, ".\n");
	}
}

/* Whether `named` in `cwd` already says what `real` is. */
static bool question_names_all(struct sv named, struct sv real, struct sv cwd)
{
	struct sv below = display_path(real, cwd);

	return sv_eq(named, real) || (below.len < real.len && sv_eq(named, below));
}

/* Where a path leads, and why there is a question. */
static void question_add_reasons(struct str *out, const struct permission_question *q,
				 struct sv cwd)
{
	struct sv named = json_str_or(json_get(q->input_value, "file_path"),
				      question_text_of(q->input_value, "notebook_path"));

	if (named.len && q->path.len && !question_names_all(named, q->path, cwd)) {
		str_adds(out, "  This is really ");
		display_name(out, q->path);
		str_adds(out, ".\n");
	}
	if (q->loss.len) {
		str_adds(out, "  Hard to undo: ");
		display_name(out, q->loss);
		str_adds(out, ".\n");
	}
	if (q->reason.len && (!q->loss.len || sv_find(q->reason, q->loss) == SIZE_MAX)) {
		str_adds(out, "  Reason: ");
		display_name(out, q->reason);
		str_addc(out, '\n');
	}
}

bool question_is_about_host(const struct permission_question *q)
{
	return sv_is(q->tool, "SandboxNetworkAccess");
}

bool question_add(struct str *out, const struct permission_question *q,
		  const struct question_view *view)
{
	struct question_text s = { .out = out, .view = view };
	struct json input = q->input_value;

	if (sv_is(q->tool, "Bash"))
		question_add_command(&s, q);
	else if (question_is_about_change(q))
		question_add_change(&s, q);
	else if (sv_is(q->tool, "Read"))
		question_add_verb(out, "Read",
				  display_path(question_text_of(input, "file_path"), view->cwd));
	else if (sv_is(q->tool, "Grep") || sv_is(q->tool, "Glob"))
		question_add_search(&s, input);
	else if (sv_is(q->tool, "WebFetch"))
		question_add_fetch(&s, input);
	else if (question_is_about_host(q))
		question_add_connect(out, input);
	else if (sv_is(q->tool, "McpSampling"))
		question_add_sampling(&s, input);
	else if (sv_is(q->tool, "ExitPlanMode"))
		question_add_plan(out, input);
	else if (sv_is(q->tool, "SwitchModel"))
		question_add_verb(out, "Switch the model to", question_text_of(input, "to_model"));
	else if (sv_is(q->tool, "EnterPlanMode"))
		str_adds(out, "Plan first, before anything is changed?\n");
	else
		question_add_other(&s, q->tool, input);
	if (q->agent.len) {
		str_adds(out, "  Asked by the agent ");
		display_line(out, q->agent, LINE_CELLS);
		str_addc(out, '\n');
	}
	/* Plans are always asked about, and the question about a host says everything. */
	if (!sv_is(q->tool, "ExitPlanMode") && !sv_is(q->tool, "EnterPlanMode") &&
	    !question_is_about_host(q))
		question_add_reasons(out, q, view->cwd);
	return !s.is_cut;
}

/* --- replies ---------------------------------------------------------------- */

bool question_is_about_plan(const struct permission_question *q)
{
	return sv_is(q->tool, "ExitPlanMode");
}

struct sv question_plan(const struct permission_question *q)
{
	return question_is_about_plan(q) ? question_text_of(q->input_value, "plan") : SV_EMPTY;
}

/* In the order and the words of Claude Code. Without the first one the others have lower numbers,
 * as there. */
static void question_add_plan_choices(struct str *out, const struct question_choices *c)
{
	bool bypasses = c->offer && sv_is(c->offer->mode, "bypassPermissions");
	int n = 1;

	if (c->offers_clear) {
		str_addf(out, "%d Yes, clear context", n++);
		if (c->knows_context)
			str_addf(out, " (%lld%% used)", (long long)c->context_used);
		str_addf(out, " and %s\n", bypasses ? "bypass permissions" : "auto-accept edits");
	}
	str_addf(out, "%d Yes, %s\n", n++,
		 bypasses ? "and bypass permissions" : "auto-accept edits");
	str_addf(out, "%d Yes, manually approve edits\n", n++);
	str_addf(out, "%d No, keep planning\n", n);
}

static enum answer question_read_plan_answer(struct sv word, bool offers_clear)
{
	static const enum answer answers[] = { ANSWER_PLAN_ANEW, ANSWER_ALWAYS, ANSWER_PLAN_ASK,
					       ANSWER_NO_BECAUSE };
	int64_t number;

	if (!sv_to_int(word, &number) || number < 1 || number > 3 + offers_clear)
		return ANSWER_UNCLEAR;
	return answers[number - offers_clear];
}

const struct permission_change *question_offer(const struct permission_question *q)
{
	const struct permission_change *first = q->suggestions;

	if (question_plan(q).len && q->nsuggestions)
		return first;

	if (q->nsuggestions && first->kind == PERMISSION_ADD_RULES)
		return first;
	if (q->nsuggestions && first->kind == PERMISSION_SET_MODE &&
	    sv_is(first->mode, "acceptEdits"))
		return first;
	return NULL;
}

/* Which file, or how long, the change is kept. */
static const char *question_place(enum permission_destination destination)
{
	static const char *const places[PERMISSION_DESTINATIONS] = {
		[PERMISSION_TO_SESSION] = "for this session",
		[PERMISSION_TO_COMMAND_LINE] = "for this session",
		[PERMISSION_TO_LOCAL] = "in .claude/settings.local.json",
		[PERMISSION_TO_PROJECT] = "in .claude/settings.json",
		[PERMISSION_TO_USER] = "in your settings.json",
	};

	return places[destination];
}

static void question_add_rules(struct str *out, const char *choice,
			       const struct permission_change *offer)
{
	str_addf(out, "%s, and don't ask again:", choice);
	for (size_t i = 0; i < offer->nrules; i++) {
		defer(str_clear) struct str rule = STR_INIT;

		permission_rule_text(&rule, &offer->rules[i]);
		str_addc(out, ' ');
		display_name(out, sv_of(&rule));
	}
	str_addf(out, " (%s)\n", question_place(offer->destination));
}

/* The numbers stay the same without an offer, so that nobody says "always" out of habit. */
void question_add_choices(struct str *out, const struct question_choices *c)
{
	if (c->is_plan) {
		question_add_plan_choices(out, c);
		return;
	}
	str_adds(out, "1 Yes\n");
	if (c->is_leave) {
		str_adds(out, "2 No\n");
		return;
	}
	if (c->offer && c->offer->kind == PERMISSION_SET_MODE)
		str_adds(out, "2 Yes, and stop asking about edits in this session\n");
	else if (c->offer)
		question_add_rules(out, "2 Yes", c->offer);
	str_adds(out, c->may_deny_always ? "3 No\n" : "3 No, with a message\n");
	if (c->may_deny_always && c->offer)
		question_add_rules(out, "4 No", c->offer);
	if (c->may_show_all)
		str_adds(out, "5 Show all of it\n");
}

enum answer question_read_answer(struct sv line, const struct question_choices *c)
{
	const struct {
		const char *word;
		enum answer answer;
		bool is_offered;
	} words[] = {
		{ "y", ANSWER_YES, true },
		{ "yes", ANSWER_YES, true },
		{ "n", ANSWER_NO, true },
		{ "no", ANSWER_NO, true },
		{ "1", ANSWER_YES, !c->is_plan },
		{ "2", c->is_leave ? ANSWER_NO : ANSWER_ALWAYS,
		  !c->is_plan && (c->offer || c->is_leave) },
		{ "3", c->may_deny_always ? ANSWER_NO : ANSWER_NO_BECAUSE,
		  !c->is_plan && !c->is_leave },
		{ "4", ANSWER_NEVER, c->may_deny_always },
		{ "5", ANSWER_SHOW_ALL, c->may_show_all },
	};

	for (size_t i = 0; i < countof(words); i++)
		if (words[i].is_offered && sv_eq_nocase(sv_trim(line), sv_cstr(words[i].word)))
			return words[i].answer;
	return c->is_plan ? question_read_plan_answer(sv_trim(line), c->offers_clear)
			  : ANSWER_UNCLEAR;
}

#include "front/question.h"

#include "base/limits.h"
#include "base/mem.h"
#include "front/display.h"
#include "sys/fs.h"
#include "text/diff/diff.h"

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
	CONTEXT = 3,
};

/* What is being shown. */
struct show {
	struct str *out;
	const struct question_view *view;
	bool is_cut;
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

/* Add every line of `text` after `before`; or only the first and the last ones. */
static void question_add_lines(struct show *s, const char *before, struct sv text)
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

static void question_add_fetch(struct show *s, struct json input)
{
	question_add_verb(s->out, "Fetch", question_text_of(input, "url"));
	question_add_lines(s, "  to find out: ", question_text_of(input, "prompt"));
}

/* Add the lines of a diff, with their numbers in the old or the new text. */
static void question_add_hunks(struct show *s, const struct diff *diff)
{
	defer(str_clear) struct str text = STR_INIT;

	for (size_t h = 0; h < diff->hunks.n; h++) {
		const struct diff_hunk *hunk = &diff->hunks.at[h];
		size_t old_line = hunk->old_start, new_line = hunk->new_start;

		str_adds(&text, h ? "   ...\n" : "");
		for (size_t i = hunk->first; i < hunk->first + hunk->n; i++) {
			const struct diff_line *line = &diff->lines.at[i];

			str_addf(&text, "%6zu %c %.*s%s\n", line->kind == '-' ? old_line : new_line,
				 line->kind, SV_ARG(line->text),
				 line->no_newline ? " (no line end)" : "");
			old_line += line->kind != '+';
			new_line += line->kind != '-';
		}
	}
	question_add_lines(s, "", sv_of(&text));
}

/* Add what changes in the file. False when there is no such diff. */
static bool question_add_diff(struct show *s, struct sv after)
{
	struct diff diff = DIFF_INIT;
	struct err ignored = ERR_INIT;

	if (!s->view->has_before || !diff_texts(&diff, s->view->before, after, CONTEXT, &ignored))
		return false;
	question_add_hunks(s, &diff);
	diff_clear(&diff);
	return true;
}

static void question_add_write(struct show *s, struct json input)
{
	struct sv content = question_text_of(input, "content");

	question_add_path(s->out, s->view->has_before ? "Overwrite" : "Write", input, s->view->cwd);
	if (!question_add_diff(s, content))
		question_add_lines(s, "  + ", content);
}

/* Append the file as it would be. False when it does not contain the old text. */
static bool question_edit(struct str *out, struct sv text, struct sv old_text, struct sv new_text,
			  bool everywhere)
{
	size_t at = old_text.len ? sv_find(text, old_text) : SIZE_MAX;

	if (at == SIZE_MAX)
		return false;
	while (at != SIZE_MAX) {
		str_add(out, sv_slice(text, 0, at));
		str_add(out, new_text);
		text = sv_skip(text, at + old_text.len);
		at = everywhere ? sv_find(text, old_text) : SIZE_MAX;
	}
	str_add(out, text);
	return true;
}

static void question_add_edit(struct show *s, struct json input)
{
	bool everywhere = json_bool_or(json_get(input, "replace_all"), false);
	struct sv old_text = question_text_of(input, "old_string");
	struct sv new_text = question_text_of(input, "new_string");
	defer(str_clear) struct str after = STR_INIT;

	question_add_path(s->out, everywhere ? "Edit every match in" : "Edit", input, s->view->cwd);
	if (s->view->has_before &&
	    question_edit(&after, s->view->before, old_text, new_text, everywhere) &&
	    question_add_diff(s, sv_of(&after)))
		return;
	question_add_lines(s, "  - ", old_text);
	question_add_lines(s, "  + ", new_text);
}

static void question_add_connect(struct str *out, struct json input)
{
	str_adds(out, "Let a sandboxed command reach ");
	display_name(out, question_text_of(input, "host"));
	str_addf(out, ", port %lld?\n", (long long)json_int_or(json_get(input, "port"), 0));
}

/* A server wants to use the model: which of both, and all that it wants to ask. */
static void question_add_sampling(struct show *s, struct json input)
{
	str_adds(s->out, "Let MCP server ");
	display_name(s->out, question_text_of(input, "server"));
	str_adds(s->out, " use the model ");
	display_name(s->out, question_text_of(input, "model"));
	str_addf(s->out, " for up to %lld tokens?\n",
		 (long long)json_int_or(json_get(input, "max_tokens"), 0));
	if (question_text_of(input, "system").len) {
		str_adds(s->out, "It sets the system prompt\n");
		question_add_lines(s, "  ", question_text_of(input, "system"));
	}
	str_adds(s->out, "It asks\n");
	question_add_lines(s, "  ", question_text_of(input, "prompt"));
}

/* Grep and Glob: where, and then everything else that the call says. */
static void question_add_search(struct show *s, struct json input)
{
	struct sv path = question_text_of(input, "path"), name;
	struct json_iter it = json_each(input);
	struct json value;

	if (path.len)
		question_add_verb(s->out, "Search", display_path(path, s->view->cwd));
	else
		str_adds(s->out, "Search the working directory?\n");
	while (json_next(&it, &name, &value)) {
		defer(str_clear) struct str text = STR_INIT;
		struct jw w;

		if (sv_is(name, "path"))
			continue;
		str_addf(&text, "%.*s: ", SV_ARG(name));
		if (json_is(value, JSON_STRING)) {
			str_add(&text, json_str_or(value, SV_EMPTY));
		} else {
			jw_init(&w, &text, JW_COMPACT);
			jw_value(&w, value);
			jw_done(&w);
		}
		question_add_lines(s, "  ", sv_of(&text));
	}
}

static void question_add_other(struct show *s, struct sv tool, struct json input)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_PRETTY);
	jw_value(&w, input);
	jw_done(&w);
	question_add_verb(s->out, "Use", tool);
	question_add_lines(s, "  ", sv_of(&json));
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

bool question_changes_file(const struct permission_question *q)
{
	return sv_is(q->tool, "Edit") || sv_is(q->tool, "Write");
}

bool question_read_before(struct str *out, const struct permission_question *q)
{
	defer(mem_freep) char *path = sv_dup(q->path);
	struct fs_info info;
	struct err ignored = ERR_INIT;

	return question_changes_file(q) && fs_info(&info, path, true, &ignored) &&
	       info.kind == FS_FILE && fs_read(out, path, LIMIT_DIFF_INPUT, &ignored);
}

bool question_add(struct str *out, const struct permission_question *q,
		  const struct question_view *view)
{
	struct show s = { .out = out, .view = view };
	struct json input = q->input_value;

	if (sv_is(q->tool, "Bash"))
		question_add_command(out, input);
	else if (sv_is(q->tool, "Write"))
		question_add_write(&s, input);
	else if (sv_is(q->tool, "Edit"))
		question_add_edit(&s, input);
	else if (sv_is(q->tool, "Read"))
		question_add_path(out, "Read", input, view->cwd);
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

/* awl why: explains what would be decided about a tool use, and which rules would allow it. The
 * decision is the session's own (awl_why). */
#include <awl.h>
#include <errno.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/output.h"
#include "text/invisible.h"
#include "text/json/json_write.h"
#include "text/shell_words.h"

typedef VEC(const char *) why_rules; /* NULL-terminated */

/* --- many questions, as JSON lines -------------------------------------------------- */

/* A question of one line; its strings are those of the line's document. */
struct why_line {
	struct awl_why_question question;
	struct str tool, input;
	why_rules allow, ask, deny;
};

static void why_line_clear(struct why_line *l)
{
	str_clear(&l->tool);
	str_clear(&l->input);
	vec_clear(&l->allow);
	vec_clear(&l->ask);
	vec_clear(&l->deny);
}

/* Take a list of rules. A rule with a NUL character would be another rule. */
static bool why_take_list(why_rules *out, struct json line, const char *key, struct err *err)
{
	struct json list = json_get(line, key);
	struct json_iter it = json_each(list);
	struct json item;

	if (json_exists(list) && !json_is(list, JSON_NULL) && !json_is(list, JSON_ARRAY))
		return err_set(err, ERR_INVALID, "\"%s\" is not a list of rules", key);
	while (json_next(&it, NULL, &item)) {
		struct sv rule;

		if (!json_str(item, &rule) || sv_find_char(rule, '\0') != SIZE_MAX)
			return err_set(err, ERR_INVALID,
				       "\"%s\" contains something that is not a rule", key);
		vec_push(out, rule.ptr);
	}
	vec_push(out, NULL);
	return true;
}

/* Take a string, which JSON ends with a NUL. Without one `*out` stays. */
static bool why_take_text(const char **out, struct json line, const char *key, struct err *err)
{
	struct json value = json_get(line, key);
	struct sv text = json_str_or(value, SV_EMPTY);

	if (!json_exists(value) || json_is(value, JSON_NULL))
		return true;
	if (!json_is(value, JSON_STRING) || sv_find_char(text, '\0') != SIZE_MAX)
		return err_set(err, ERR_INVALID, "\"%s\" is not a string without NUL characters",
			       key);
	*out = text.ptr;
	return true;
}

static void why_write_input(struct str *out, struct json input)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	if (json_exists(input))
		jw_value(&w, input);
	else
		jw_null(&w);
	jw_done(&w);
}

static bool why_read_line(struct why_line *l, struct json line, struct err *err)
{
	struct awl_why_question *q = &l->question;
	struct sv tool;

	*q = (struct awl_why_question)AWL_WHY_QUESTION_INIT;
	q->skip_details = true;
	if (!json_need_str(line, "tool", &tool, err) || !why_take_text(&q->cwd, line, "cwd", err) ||
	    !why_take_text(&q->permission_mode, line, "mode", err) ||
	    !why_take_list(&l->allow, line, "allow", err) ||
	    !why_take_list(&l->ask, line, "ask", err) ||
	    !why_take_list(&l->deny, line, "deny", err))
		return false;
	str_add(&l->tool, tool);
	why_write_input(&l->input, json_get(line, "input"));
	q->tool = str_c(&l->tool);
	q->input = str_c(&l->input);
	q->allow = l->allow.at;
	q->ask = l->ask.at;
	q->deny = l->deny.at;
	return true;
}

static bool why_answer_line(struct awl_project *project, struct json line,
			    const struct awl_why_answer **why, struct err *err)
{
	defer(why_line_clear) struct why_line l = { .tool = STR_INIT };

	if (!why_read_line(&l, line, err))
		return false;
	return awl_why(project, &l.question, why) == AWL_OK ||
	       err_set(err, ERR_INVALID, "%s", awl_last_error());
}

/* Answer one line. What cannot be decided is not allowed. */
static void why_write_line(struct str *out, struct awl_project *project, struct sv text)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, 0, &err);
	struct json line = json_root(doc);
	const struct awl_why_answer *why;
	bool ok = doc && why_answer_line(project, line, &why, &err);
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	if (json_exists(json_get(line, "id")))
		jw_put_value(&w, "id", json_get(line, "id"));
	jw_put_str(&w, "decision", sv_cstr(awl_decision_name(ok ? why->decision : AWL_ASK)));
	if (ok) {
		jw_put_str(&w, "reason", sv_cstr(why->reason));
		jw_put_str(&w, "reasonType", sv_cstr(why->reason_type));
	} else {
		jw_put_strf(&w, "reason", "Cannot decide: %s", err.text);
		jw_put_bool(&w, "error", true);
	}
	jw_end(&w);
	jw_done(&w);
	str_addc(out, '\n');
}

static enum exit_code why_answer_lines(struct awl_project *project, struct str *in, bool is_end)
{
	defer(str_clear) struct str out = STR_INIT;
	size_t end =
		is_end ? in->len : sv_rfind_char(sv_of(in), '\n') + 1; /* of the last whole line */
	struct sv rest = sv_slice(sv_of(in), 0, end), line;

	while (sv_cut(&rest, '\n', &line))
		if (sv_trim(line).len)
			why_write_line(&out, project, line);
	str_consume(in, end);
	return out.len ? output(sv_of(&out)) : EXIT_OK;
}

static enum exit_code why_run_batch(struct awl_project *project)
{
	defer(str_clear) struct str in = STR_INIT;
	char buffer[65536];
	ssize_t n;

	while ((n = read(STDIN_FILENO, buffer, sizeof(buffer))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return failure("cannot read standard input: %s", strerror(errno));
		if (!str_add_capped(&in, sv_from(buffer, (size_t)n), LIMIT_JSON_DOC))
			return failure("an input line is too long");
		if (why_answer_lines(project, &in, false) != EXIT_OK)
			return EXIT_FAILED;
	}
	return why_answer_lines(project, &in, true);
}

/* --- one question -------------------------------------------------------------------- */

static void why_write_json(struct str *out, const struct awl_why_answer *why)
{
	struct jw w;

	jw_init(&w, out, JW_PRETTY);
	jw_object(&w);
	jw_put_str(&w, "decision", sv_cstr(awl_decision_name(why->decision)));
	jw_put_str(&w, "reason", sv_cstr(why->reason));
	jw_put_str(&w, "reasonType", sv_cstr(why->reason_type));
	jw_put_str(&w, "mode", sv_cstr(why->permission_mode));
	if (why->decision == AWL_ASK)
		jw_put_str(&w, "asks", why->asks_model ? SV("model") : SV("user"));
	jw_put_array(&w, "parts");
	for (size_t i = 0; i < why->nparts; i++) {
		const struct awl_why_part *part = awl_why_part_at(why, i);

		jw_object(&w);
		jw_put_str(&w, "text", sv_cstr(part->text));
		jw_put_uint(&w, "depth", part->depth);
		jw_put_str(&w, "decision", sv_cstr(awl_decision_name(part->decision)));
		jw_put_str(&w, "reason", sv_cstr(part->reason));
		jw_end(&w);
	}
	jw_end(&w);
	jw_put_array(&w, "suggestions");
	for (size_t i = 0; i < why->nrules; i++)
		jw_str(&w, sv_cstr(awl_why_rule_at(why, i)));
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	str_addc(out, '\n');
}

/* Append text on one line, without anything that a terminal would obey. */
static void why_add_shown(struct str *out, struct sv text)
{
	for (size_t at; (at = sv_find_char(text, '\n')) != SIZE_MAX; text = sv_skip(text, at + 1)) {
		invisible_escape(out, sv_slice(text, 0, at), invisible_misleads);
		str_adds(out, "\\n");
	}
	invisible_escape(out, text, invisible_misleads);
}

static void why_write_remedy(struct str *out, const struct awl_why_answer *why, const char *tool)
{
	for (size_t i = 0; i < why->nrules; i++) {
		defer(str_clear) struct str rule = STR_INIT;

		shell_words_quote(&rule, sv_cstr(awl_why_rule_at(why, i)));
		str_addf(out, "%s awl config allow ", i ? "        and" : "To allow it:");
		why_add_shown(out, sv_of(&rule));
		str_addc(out, '\n');
	}
	if (why->nrules || why->decision == AWL_ALLOW)
		return;
	if (why->decision == AWL_DENY)
		str_addf(out, "No allow rule can change this%s.\n",
			 sv_is(sv_cstr(why->reason_type), "rule") ? ": deny rules take precedence"
								  : "");
	else if (why->has_unusable_settings)
		str_adds(out, "Allow rules have no effect while a settings file is invalid; 'awl "
			      "config check' says which one.\n");
	else if (why->needs_bare_rule)
		str_addf(out, "Only the rule %s, which allows every call, would allow this.\n",
			 tool);
	else
		str_addf(out, "No rule can allow this%s.\n",
			 why->asks_model ? "" : "; awl asks each time");
}

/* Whether a screen shows the part as it is. */
static bool why_is_plain(const struct awl_why_part *part)
{
	defer(str_clear) struct str shown = STR_INIT;

	why_add_shown(&shown, sv_cstr(part->text));
	return sv_is(sv_of(&shown), part->text);
}

/* The verdict first. A single part would only repeat it, unless it hides something. */
static void why_write_text(struct str *out, const struct awl_why_answer *why, const char *tool)
{
	bool repeats = why->nparts == 1 && why_is_plain(awl_why_part_at(why, 0));

	str_addf(out, "%s: %s\n", awl_decision_name(why->decision), why->reason);
	for (size_t i = 0; i < why->nparts && !repeats; i++) {
		const struct awl_why_part *part = awl_why_part_at(why, i);
		int indent = (int)(2 * part->depth);

		str_addf(out, "  %-6s%*s", awl_decision_name(part->decision), indent, "");
		why_add_shown(out, sv_cstr(part->text));
		str_addf(out, "\n        %*s%s\n", indent, "", part->reason);
	}
	if (why->asks_model)
		str_adds(out, "In auto mode a model decides first; awl asks you only if the model "
			      "is unsure.\n");
	why_write_remedy(out, why, tool);
}

static enum exit_code why_exit_code(const struct awl_why_answer *why)
{
	switch (why->decision) {
	case AWL_ALLOW: return EXIT_OK;
	case AWL_ASK: return EXIT_ASKS;
	case AWL_DENY: break;
	}
	return EXIT_DENIES;
}

/* Tools whose input may be written as the one thing that decides: the command, the path, the
 * address. */
static const struct plain {
	const char *tool, *key;
	const char *others[2]; /* required by the schema, whatever they say */
} plains[] = {
	{ "Bash", "command", { NULL } },
	{ "Edit", "file_path", { "old_string", "new_string" } },
	{ "Glob", "pattern", { NULL } },
	{ "Grep", "pattern", { NULL } },
	{ "NotebookEdit", "notebook_path", { "new_source", NULL } },
	{ "Read", "file_path", { NULL } },
	{ "WebFetch", "url", { "prompt", NULL } },
	{ "WebSearch", "query", { NULL } },
	{ "Write", "file_path", { "content", NULL } },
};

static void why_write_plain(struct str *json, const struct plain *plain, const char *text)
{
	struct jw w;

	jw_init(&w, json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, plain->key, sv_cstr(text));
	for (size_t i = 0; i < countof(plain->others) && plain->others[i]; i++)
		jw_put_str(&w, plain->others[i], SV("x"));
	jw_end(&w);
	jw_done(&w);
}

/* Append the input as JSON. */
static void why_read_input(struct str *out, const char *tool, const char *text)
{
	for (size_t i = 0; text[0] != '{' && i < countof(plains); i++) {
		if (!sv_is(sv_cstr(tool), plains[i].tool))
			continue;
		why_write_plain(out, &plains[i], text);
		return;
	}
	str_adds(out, text);
}

/* Return all values of a flag as a NULL-terminated list. */
static const char *const *why_flag_rules(why_rules *out, const struct args *args, const char *flag)
{
	const char *value;

	for (size_t at = 0; (value = args_next(args, flag, &at));)
		vec_push(out, value);
	vec_push(out, NULL);
	return out->at;
}

static enum exit_code why_run_one(struct awl_project *project, const struct args *args)
{
	defer(why_line_clear) struct why_line l = { .question = AWL_WHY_QUESTION_INIT };
	defer(str_clear) struct str page = STR_INIT;
	const struct awl_why_answer *why;

	if (args->words.n != 2)
		return usage_error(
			"name a tool and its input, for example: awl why Bash 'npm test', "
			"awl why Read src/x, or awl why mcp__files__get '{\"name\":\"x\"}'");
	why_read_input(&l.input, args->words.at[0], args->words.at[1]);
	l.question.tool = args->words.at[0];
	l.question.input = str_c(&l.input);
	l.question.permission_mode = args_value(args, "mode");
	l.question.allow = why_flag_rules(&l.allow, args, "allow");
	l.question.ask = why_flag_rules(&l.ask, args, "ask");
	l.question.deny = why_flag_rules(&l.deny, args, "deny");
	if (awl_why(project, &l.question, &why) != AWL_OK)
		return failure("%s", awl_last_error());
	fputs(awl_project_notes(project), stderr);
	if (args_has(args, "json"))
		why_write_json(&page, why);
	else
		why_write_text(&page, why, l.question.tool);
	return output(sv_of(&page)) == EXIT_OK ? why_exit_code(why) : EXIT_FAILED;
}

enum exit_code why_run(const struct args *args)
{
	struct awl_project_options options = AWL_PROJECT_OPTIONS_INIT;
	struct awl_project *project;
	enum exit_code code;

	if (!args_has(args, "batch")) {
		options.settings = args_value(args, "settings");
		options.setting_sources = args_value(args, "setting-sources");
		options.project_config_root = args_value(args, "project-config-root");
	}
	if (awl_project_open(&project, &options) != AWL_OK)
		return failure("%s", awl_last_error());
	code = args_has(args, "batch") ? why_run_batch(project) : why_run_one(project, args);
	awl_project_close(project);
	return code;
}

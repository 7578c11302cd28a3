/* awl why: explain whether a tool call would be allowed, and which rules would allow it. The
 * decision is the one a session would make (core/why.h). */
#include <errno.h>

#include "base/limits.h"
#include "cli/output.h"
#include "cli/places.h"
#include "core/why.h"
#include "sys/fs.h"
#include "text/invisible.h"
#include "text/json/json_write.h"

struct asking {
	struct str cwd, config_dir;
	const char *home;
};

static bool why_look_around(struct asking *a, struct err *err)
{
	const char *home = getenv("HOME");

	a->home = home && *home == '/' ? home : NULL;
	find_config_dir(&a->config_dir);
	return fs_cwd(&a->cwd, err);
}

static struct why_question why_question_of(const struct asking *a)
{
	return (struct why_question){ .cwd = a->cwd.ptr,
				      .home = a->home,
				      .config_dir = a->config_dir.len ? a->config_dir.ptr : NULL };
}

static void asking_clear(struct asking *a)
{
	str_clear(&a->cwd);
	str_clear(&a->config_dir);
}

/* --- many, as JSON lines -------------------------------------------------- */

typedef typeof(((struct why_question *)NULL)->allow) text_list;

static bool why_take_list(text_list *out, struct json line, const char *key, struct err *err)
{
	struct json list = json_get(line, key);

	if (!json_exists(list) || json_is(list, JSON_NULL))
		return true;
	if (!json_is(list, JSON_ARRAY))
		return err_set(err, ERR_INVALID, "\"%s\" is not a list of rules", key);
	for (size_t i = 0; i < json_len(list); i++) {
		struct json item = json_at(list, i);

		if (!json_is(item, JSON_STRING))
			return err_set(err, ERR_INVALID,
				       "\"%s\" contains something that is not a rule", key);
		vec_push(out, json_str_or(item, SV_EMPTY));
	}
	return true;
}

/* JSON strings end with a NUL, so they can be used as C strings. If the key is missing,
 * `*out` is unchanged. */
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

static bool why_answer_line(const struct asking *a, struct json line, struct why_answer *answer,
			    struct err *err)
{
	defer(why_question_clear) struct why_question q = why_question_of(a);

	if (!json_need_str(line, "tool", &q.tool, err))
		return false;
	q.input = json_get(line, "input");
	return why_take_text(&q.cwd, line, "cwd", err) &&
	       why_take_text(&q.mode, line, "mode", err) &&
	       why_take_list(&q.allow, line, "allow", err) &&
	       why_take_list(&q.ask, line, "ask", err) &&
	       why_take_list(&q.deny, line, "deny", err) && why_ask(answer, &q, false, err);
}

/* Write the decision for one line of input; if there is none, it is "ask". */
static void why_write_line(struct str *out, const struct asking *a, struct sv text)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, 0, &err);
	defer(why_answer_clear) struct why_answer answer = WHY_ANSWER_INIT;
	struct json line = json_root(doc);
	struct jw w;
	bool ok = doc && why_answer_line(a, line, &answer, &err);

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	if (json_exists(json_get(line, "id")))
		jw_put_value(&w, "id", json_get(line, "id"));
	jw_put_str(&w, "decision", sv_cstr(ok ? behavior_name(answer.verdict.behavior) : "ask"));
	if (ok) {
		jw_put_str(&w, "reason", sv_cstr(answer.verdict.text));
		jw_put_str(&w, "reasonType", sv_cstr(verdict_reason_name(answer.verdict.reason)));
	} else {
		jw_put_strf(&w, "reason", "Cannot decide: %s", err.text);
		jw_put_bool(&w, "error", true);
	}
	jw_end(&w);
	jw_done(&w);
	str_addc(out, '\n');
}

static enum exit_code why_answer_lines(const struct asking *a, struct str *in, bool is_end)
{
	defer(str_clear) struct str out = STR_INIT;
	size_t at;

	while ((at = sv_find_char(sv_of(in), '\n')) != SIZE_MAX || (is_end && in->len)) {
		struct sv line = sv_slice(sv_of(in), 0, at);

		if (sv_trim(line).len)
			why_write_line(&out, a, line);
		str_consume(in, min_of(at, in->len - 1) + 1);
	}
	return out.len ? output(sv_of(&out)) : EXIT_OK;
}

static enum exit_code why_run_batch(const struct asking *a)
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
		if (why_answer_lines(a, &in, false) != EXIT_OK)
			return EXIT_FAILED;
	}
	return why_answer_lines(a, &in, true);
}

/* --- one ------------------------------------------------------------------ */

enum { DEPTHS = 256 };

/* How deep a part is nested in other parts that are shown. Not everything that encloses a
 * command is a part itself. */
static size_t why_nesting(const struct why_answer *a, const struct perm_part *part)
{
	bool is_there[DEPTHS] = { false };
	size_t n = 0;

	for (size_t i = 0; i < a->report.parts.n; i++)
		is_there[min_of(a->report.parts.at[i].depth, (size_t)DEPTHS - 1)] = true;
	for (size_t i = 0; i < min_of(part->depth, (size_t)DEPTHS); i++)
		n += is_there[i];
	return n;
}

static void why_write_json(struct str *out, const struct why_answer *a)
{
	struct jw w;

	jw_init(&w, out, JW_PRETTY);
	jw_object(&w);
	jw_put_str(&w, "decision", sv_cstr(behavior_name(a->verdict.behavior)));
	jw_put_str(&w, "reason", sv_cstr(a->verdict.text));
	jw_put_str(&w, "reasonType", sv_cstr(verdict_reason_name(a->verdict.reason)));
	jw_put_str(&w, "mode", sv_cstr(perm_mode_name(a->mode)));
	if (a->verdict.behavior == BEHAVIOR_ASK)
		jw_put_str(&w, "asks", a->asks_model ? SV("model") : SV("user"));
	jw_put_array(&w, "parts");
	for (size_t i = 0; i < a->report.parts.n; i++) {
		const struct perm_part *part = &a->report.parts.at[i];

		jw_object(&w);
		jw_put_str(&w, "text", part->text);
		jw_put_uint(&w, "depth", why_nesting(a, part));
		jw_put_str(&w, "decision", sv_cstr(behavior_name(part->verdict.behavior)));
		jw_put_str(&w, "reason", sv_cstr(part->verdict.text));
		jw_end(&w);
	}
	jw_end(&w);
	jw_put_array(&w, "suggestions");
	for (size_t i = 0; i < a->nrules; i++)
		jw_str(&w, a->rules[i]);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	str_addc(out, '\n');
}

/* Append text on one line, with control characters escaped. */
static void why_write_shown(struct str *out, struct sv text)
{
	for (size_t at; (at = sv_find_char(text, '\n')) != SIZE_MAX; text = sv_skip(text, at + 1)) {
		unseen_spell(out, sv_slice(text, 0, at), unseen_misleads);
		str_adds(out, "\\n");
	}
	unseen_spell(out, text, unseen_misleads);
}

/* Append a word quoted for a shell. */
static void why_add_quoted(struct str *out, struct sv word)
{
	size_t quote;

	str_addc(out, '\'');
	for (; (quote = sv_find_char(word, '\'')) != SIZE_MAX; word = sv_skip(word, quote + 1))
		str_addf(out, "%.*s'\\''", SV_ARG(sv_slice(word, 0, quote)));
	str_addf(out, "%.*s'", SV_ARG(word));
}

static void why_write_remedy(struct str *out, const struct why_answer *a)
{
	for (size_t i = 0; i < a->nrules; i++) {
		defer(str_clear) struct str rule = STR_INIT;

		why_add_quoted(&rule, a->rules[i]);
		str_addf(out, "%s awl config allow ", i ? "        and" : "To allow it:");
		why_write_shown(out, sv_of(&rule));
		str_addc(out, '\n');
	}
	if (a->nrules || a->verdict.behavior == BEHAVIOR_ALLOW)
		return;
	if (a->verdict.behavior == BEHAVIOR_DENY)
		str_adds(out, "No allow rule can change this: deny rules take precedence.\n");
	else if (a->is_unsure)
		str_adds(out, "Allow rules have no effect while a settings file is invalid; 'awl "
			      "config check' says which one.\n");
	else
		str_addf(out, "No rule can allow this%s.\n",
			 a->asks_model ? "" : "; awl asks each time");
}

static void why_write_text(struct str *out, const struct why_answer *a)
{
	for (size_t i = 0; i < a->report.parts.n; i++) {
		const struct perm_part *part = &a->report.parts.at[i];
		int indent = (int)(2 * why_nesting(a, part));

		str_addf(out, "  %-6s%*s", behavior_name(part->verdict.behavior), indent, "");
		why_write_shown(out, part->text);
		str_addf(out, "\n        %*s%s\n", indent, "", part->verdict.text);
	}
	str_addf(out, "%s: %s\n", behavior_name(a->verdict.behavior), a->verdict.text);
	if (a->asks_model)
		str_adds(out, "In auto mode a model decides first; awl asks you only if the model "
			      "is unsure.\n");
	why_write_remedy(out, a);
}

/* Tools whose main argument may be given as plain text instead of JSON. */
static const struct plain {
	const char *tool, *key;
	const char *others[2]; /* other required members; their values do not matter */
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

static struct json_doc *why_read_input(const char *tool, const char *text, struct err *err)
{
	defer(str_clear) struct str json = STR_INIT;
	struct json_doc *doc;

	for (size_t i = 0; text[0] != '{' && i < countof(plains); i++) {
		if (!sv_is(sv_cstr(tool), plains[i].tool))
			continue;
		why_write_plain(&json, &plains[i], text);
		return json_parse(sv_of(&json), 0, err);
	}
	doc = json_parse(sv_cstr(text), 0, err);
	if (!doc)
		err_context(err, "the input of %s must be a JSON object", tool);
	return doc;
}

static void why_take_flags(text_list *out, const struct args *args, const char *flag)
{
	const char *value;

	for (size_t at = 0; (value = args_next(args, flag, &at));)
		vec_push(out, sv_cstr(value));
}

static enum exit_code why_run_one(const struct asking *a, const struct args *args)
{
	defer(why_question_clear) struct why_question q = why_question_of(a);
	defer(why_answer_clear) struct why_answer answer = WHY_ANSWER_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	defer(str_clear) struct str page = STR_INIT;
	struct err err = ERR_INIT;

	if (args->words.n != 2)
		return usage_error(
			"name a tool and its input, for example: awl why Bash 'npm test', "
			"awl why Read src/x, or awl why mcp__files__get '{\"name\":\"x\"}'");
	doc = why_read_input(args->words.at[0], args->words.at[1], &err);
	if (!doc)
		return failure("%s", err.text);
	q.tool = sv_cstr(args->words.at[0]);
	q.input = json_root(doc);
	q.mode = args_value(args, "mode");
	q.flag_settings = args_value(args, "settings");
	q.setting_sources = args_value(args, "setting-sources");
	why_take_flags(&q.allow, args, "allow");
	why_take_flags(&q.ask, args, "ask");
	why_take_flags(&q.deny, args, "deny");
	if (!why_ask(&answer, &q, true, &err))
		return failure("%s", err.text);
	if (answer.notes.len)
		fputs(answer.notes.ptr, stderr);
	(args_has(args, "json") ? why_write_json : why_write_text)(&page, &answer);
	return output(sv_of(&page));
}

enum exit_code why_run(const struct args *args)
{
	defer(asking_clear) struct asking a = { .cwd = STR_INIT, .config_dir = STR_INIT };
	struct err err = ERR_INIT;

	if (!why_look_around(&a, &err))
		return failure("%s", err.text);
	return args_has(args, "batch") ? why_run_batch(&a) : why_run_one(&a, args);
}

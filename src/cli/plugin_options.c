/* awl plugin: asks for the options of a plugin, or takes them from flags and standard input. */
#include "cli/plugin_options.h"

#include <termios.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/output.h"
#include "front/display.h"
#include "text/json/json_write.h"

static bool plugin_options_set(struct awl_project *project, const char *name, const char *key,
			       const char *value)
{
	if (awl_plugin_configure(project, name, key, value) == AWL_OK)
		return true;
	failure("%s", awl_last_error());
	return false;
}

/* --config KEY=VALUE, for as many as there are. */
static bool plugin_options_take_flags(struct awl_project *project, const struct args *args,
				      const char *name)
{
	const char *given;
	bool ok = true;

	for (size_t at = 0; ok && (given = args_next(args, "config", &at));) {
		defer(str_clear) struct str key = STR_INIT;
		size_t end = sv_find_char(sv_cstr(given), '=');

		if (end == SIZE_MAX)
			return !usage_error("--config needs KEY=VALUE, not '%s'", given);
		str_add(&key, sv_slice(sv_cstr(given), 0, end));
		ok = plugin_options_set(project, name, str_c(&key),
					given[end + 1] ? given + end + 1 : NULL);
	}
	return ok;
}

static void plugin_options_write_value(struct str *out, struct json value)
{
	struct jw w;

	if (json_is(value, JSON_STRING)) {
		str_add(out, json_str_or(value, SV_EMPTY));
		return;
	}
	jw_init(&w, out, JW_COMPACT);
	jw_value(&w, value);
	jw_done(&w);
}

static bool plugin_options_read_stdin(struct str *out)
{
	char buffer[4096];
	ssize_t n;

	while ((n = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0 && out->len < LIMIT_PLUGIN_FILE)
		str_add(out, (struct sv){ buffer, (size_t)n });
	return n == 0;
}

/* A JSON object on stdin: no value can be seen in the list of processes. */
static bool plugin_options_take_stdin(struct awl_project *project, const char *name)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;
	struct json_iter it;
	struct json value;
	struct sv key;

	if (!plugin_options_read_stdin(&text))
		return !failure("standard input cannot be read, or is too long");
	doc = json_parse(sv_of(&text), 0, &err);
	if (!doc)
		return !failure("standard input: %s", err.text);
	it = json_each(json_root(doc));
	if (!it.keyed)
		return !failure("standard input must be a JSON object of values by option");
	while (json_next(&it, &key, &value)) {
		defer(str_clear) struct str name_of_key = STR_INIT, shown = STR_INIT;

		str_add(&name_of_key, key);
		plugin_options_write_value(&shown, value);
		if (!plugin_options_set(project, name, str_c(&name_of_key), str_c(&shown)))
			return false;
	}
	return true;
}

/* --- asking ---------------------------------------------------------------------------------- */

/* Read the answer to a question, without showing it if it is a secret. False: standard input is at its end. */
static bool plugin_options_read_line(struct sv question, bool is_secret, struct str *line)
{
	struct termios before, quiet;
	bool is_hidden = is_secret && tcgetattr(STDIN_FILENO, &before) == 0;
	bool got = false;
	char c;

	if (is_hidden) { /* before the user can begin to type */
		quiet = before;
		quiet.c_lflag &= ~(tcflag_t)ECHO;
		(void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
	}
	(void)output(question);
	while (line->len < LIMIT_PLUGIN_OPTION && read(STDIN_FILENO, &c, 1) == 1) {
		got = true;
		if (c == '\n')
			break;
		str_addc(line, c);
	}
	if (is_hidden) {
		(void)tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
		(void)output(SV("\n"));
	}
	return got;
}

static void plugin_options_write_question(struct str *out, const struct awl_plugin_option *o)
{
	if (*o->description)
		str_addf(out, "%s\n", o->description);
	str_addf(out, "%s (%s%s%s)", o->title, o->type,
		 o->is_multiple ? ", separated by commas" : "", o->is_required ? "" : ", optional");
	if (o->value)
		str_addf(out, " [%s]", o->value);
	else if (o->is_set)
		str_adds(out, " [unchanged]");
	str_adds(out, ": ");
}

/* Ask until the value can be used; an empty line leaves it as it is. */
static bool plugin_options_ask_one(struct awl_project *project, const char *name,
				   const struct awl_plugin_option *o)
{
	defer(str_clear) struct str question = STR_INIT, shown = STR_INIT;

	plugin_options_write_question(&question, o);
	display_text(&shown, sv_of(&question));
	for (;;) {
		defer(str_clear) struct str line = STR_INIT;

		if (!plugin_options_read_line(sv_of(&shown), o->is_sensitive, &line))
			return false;
		if (!line.len || plugin_options_set(project, name, o->key, str_c(&line)))
			return true;
	}
}

/* What an option is, in memory of our own: that of the list ends with the next call. */
struct plugin_options_copy {
	struct arena arena;
	VEC(struct awl_plugin_option) all;
};

static const char *plugin_options_dup(struct plugin_options_copy *copy, const char *text)
{
	return text ? arena_dup(&copy->arena, sv_cstr(text)).ptr : NULL;
}

static bool plugin_options_get(struct awl_project *project, const char *name,
			       struct plugin_options_copy *copy)
{
	const struct awl_plugin_option *options;
	size_t n;

	if (awl_plugin_options(project, name, &options, &n) != AWL_OK)
		return !failure("%s", awl_last_error());
	for (size_t i = 0; i < n; i++) {
		struct awl_plugin_option o = options[i];

		o.key = plugin_options_dup(copy, o.key);
		o.title = plugin_options_dup(copy, o.title);
		o.description = plugin_options_dup(copy, o.description);
		o.value = plugin_options_dup(copy, o.value);
		vec_push(&copy->all, o);
	}
	return true;
}

static bool plugin_options_run(struct awl_project *project, const char *name, bool all)
{
	struct plugin_options_copy copy = { .all = VEC_INIT };
	bool ok = plugin_options_get(project, name, &copy), can_ask = isatty(STDIN_FILENO);

	for (size_t i = 0; ok && i < copy.all.n; i++) {
		const struct awl_plugin_option *o = &copy.all.at[i];
		bool lacks = !o->is_set && (o->is_sensitive || !o->value);

		if (can_ask && (all || lacks))
			ok = plugin_options_ask_one(project, name, o);
		else if (lacks && o->is_required)
			complain("%s has no value for %s: 'awl plugin configure %s --config "
				 "%s=VALUE' sets it",
				 name, o->key, name, o->key);
	}
	vec_clear(&copy.all);
	arena_clear(&copy.arena);
	return ok;
}

bool plugin_options_complete(struct awl_project *project, const struct args *args, const char *name)
{
	return plugin_options_take_flags(project, args, name) &&
	       plugin_options_run(project, name, false);
}

/* --- awl plugin configure -------------------------------------------------------------------- */

static enum exit_code plugin_options_list(struct awl_project *project, const char *name)
{
	struct plugin_options_copy copy = { .all = VEC_INIT };
	defer(str_clear) struct str page = STR_INIT, shown = STR_INIT;
	bool ok = plugin_options_get(project, name, &copy);

	for (size_t i = 0; ok && i < copy.all.n; i++) {
		const struct awl_plugin_option *o = &copy.all.at[i];

		str_addf(&page, "%s (%s%s): %s\n", o->key, o->type,
			 o->is_required ? ", required" : "",
			 o->value          ? o->value
			 : !o->is_set      ? "not set"
			 : o->is_sensitive ? "set"
					   : "");
	}
	if (ok && !copy.all.n)
		str_addf(&page, "%s has no options.\n", name);
	vec_clear(&copy.all);
	arena_clear(&copy.arena);
	display_text(&shown, sv_of(&page));
	return ok ? output(sv_of(&shown)) : EXIT_FAILED;
}

enum exit_code plugin_options_configure(struct awl_project *project, const struct args *args,
					const char *name)
{
	if (args_has(args, "values-stdin"))
		return plugin_options_take_stdin(project, name) ? plugin_options_list(project, name)
								: EXIT_FAILED;
	if (!plugin_options_take_flags(project, args, name))
		return EXIT_FAILED;
	if (!args_value(args, "config") && isatty(STDIN_FILENO) &&
	    !plugin_options_run(project, name, true))
		return EXIT_FAILED;
	return plugin_options_list(project, name);
}

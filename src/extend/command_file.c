#include "extend/command_file.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "extend/meta.h"
#include "text/front_matter_repair.h"
#include "text/json/json_write.h"

/* `argument-hint: [file]` is a list to YAML and a hint to its author. */
static struct sv command_file_hint(struct json meta, struct arena *arena)
{
	struct sv text = meta_line(meta, "argument-hint", ", ", LIMIT_COMMAND_LINE, arena);

	return json_is(json_get(meta, "argument-hint"), JSON_ARRAY)
		       ? arena_printf(arena, "[%.*s]", SV_ARG(text))
		       : text;
}

static bool command_file_flag(struct json meta, const char *key, bool fallback)
{
	bool flag = fallback;

	(void)meta_flag(json_get(meta, key), &flag);
	return flag;
}

/* The first line of the body that says something, without the marks of a heading. */
static struct sv command_file_first_line(struct sv body)
{
	struct sv line;

	while (sv_cut_line(&body, &line)) {
		line = sv_trim(line);
		while (sv_starts(line, SV("#")))
			line = sv_skip(line, 1);
		line = sv_trim(line);
		if (line.len && !sv_is(line, "---"))
			return line;
	}
	return SV_EMPTY;
}

static void command_file_describe(struct command_file *out, struct json meta, struct arena *arena)
{
	enum { FIRST_LINE = 100 };
	struct sv text = meta_line(meta, "description", " ", LIMIT_COMMAND_LINE, arena);
	struct sv first = command_file_first_line(out->body);

	if (!text.len && first.len > FIRST_LINE)
		text = arena_printf(arena, "%.*s...", SV_ARG(utf8_prefix(first, FIRST_LINE)));
	else if (!text.len)
		text = arena_dup(arena, first.len ? first : out->name);
	out->description = text;
}

/* The names of the arguments: a list, or words. */
static void command_file_name_arguments(struct command_file *out, struct json meta,
					struct arena *arena)
{
	struct sv rest = meta_line(meta, "arguments", " ", LIMIT_COMMAND_LINE, arena);
	struct sv *names = arena_calloc(arena, LIMIT_COMMAND_ARGUMENTS, sizeof(*names));

	while (rest.len && out->narguments < LIMIT_COMMAND_ARGUMENTS) {
		size_t n = 0;

		while (n < rest.len && ascii_is_word(rest.ptr[n]))
			n++;
		if (n)
			names[out->narguments++] = sv_slice(rest, 0, n);
		rest = sv_skip(rest, max_of(n, (size_t)1));
	}
	out->arguments = names;
}

static struct sv command_file_find_slip(struct json meta, const struct command_file *file,
					struct arena *arena)
{
	static const struct {
		char written[32], meant[32];
	} slips[] = {
		{ "user_invocable", "user-invocable" },
		{ "userInvocable", "user-invocable" },
		{ "user_invokable", "user-invocable" },
		{ "allowed_tools", "allowed-tools" },
		{ "argument_hint", "argument-hint" },
		{ "disallowed_tools", "disallowed-tools" },
		{ "when-to-use", "when_to_use" },
		{ "disable_model_invocation", "disable-model-invocation" },
	};

	for (size_t i = 0; i < countof(slips); i++)
		if (json_exists(json_get(meta, slips[i].written)))
			return arena_printf(arena, "%.*s: \"%s\" is ignored; did you mean \"%s\"?",
					    SV_ARG(file->path), slips[i].written, slips[i].meant);
	return SV_EMPTY;
}

/* Where it runs, for which files, and with which hooks. */
static void command_file_read_context(struct command_file *out, struct json meta,
				      struct arena *arena, struct sv *note)
{
	struct json hooks = json_get(meta, "hooks");
	defer(str_clear) struct str text = STR_INIT;
	struct jw w;

	out->is_fork = sv_is(meta_line(meta, "context", " ", LIMIT_COMMAND_LINE, arena), "fork");
	out->agent = meta_line(meta, "agent", " ", LIMIT_COMMAND_LINE, arena);
	out->is_background = command_file_flag(meta, "background", false);
	out->paths = meta_line(meta, "paths", ",", LIMIT_COMMAND_LINE, arena);
	if (json_is(hooks, JSON_OBJECT)) {
		jw_init(&w, &text, JW_COMPACT);
		jw_value(&w, hooks);
		jw_done(&w);
		out->hooks = arena_dup(arena, sv_of(&text));
	} else if (json_exists(hooks) && !json_is(hooks, JSON_NULL)) {
		*note = arena_printf(arena,
				     "%.*s: \"hooks\" must be an object with events, so it is "
				     "ignored",
				     SV_ARG(out->path));
	}
}

void command_file_read(struct command_file *out, struct sv text, struct arena *arena,
		       struct sv *note)
{
	struct front_matter front = { .body = text };
	struct err err = ERR_INIT;
	struct json meta;
	struct sv model;

	*note = SV_EMPTY;
	if (!front_matter_parse_kindly(&front, text, &err))
		*note = arena_printf(arena, "%.*s: its front matter is ignored: %s",
				     SV_ARG(out->path), err.text);
	meta = json_root(front.meta);
	out->body = front.body;
	command_file_describe(out, meta, arena);
	out->when_to_use = meta_line(meta, "when_to_use", " ", LIMIT_COMMAND_LINE, arena);
	out->argument_hint = command_file_hint(meta, arena);
	model = meta_line(meta, "model", " ", LIMIT_COMMAND_LINE, arena);
	out->model = sv_is(model, "inherit") ? SV_EMPTY : model;
	out->effort = meta_line(meta, "effort", " ", LIMIT_COMMAND_LINE, arena);
	out->allowed_tools = meta_line(meta, "allowed-tools", ", ", LIMIT_COMMAND_LINE, arena);
	out->denied_tools = meta_line(meta, "disallowed-tools", ", ", LIMIT_COMMAND_LINE, arena);
	command_file_name_arguments(out, meta, arena);
	out->is_hidden = !command_file_flag(meta, "user-invocable", true);
	out->is_user_only = command_file_flag(meta, "disable-model-invocation", false);
	command_file_read_context(out, meta, arena, note);
	if (!note->len)
		*note = command_file_find_slip(meta, out, arena);
	front_matter_clear(&front);
}

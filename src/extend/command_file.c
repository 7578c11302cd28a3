#include "extend/command_file.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "extend/file_notes.h"
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

/* --- what is wrong with it --------------------------------------------------------------------- */

enum command_field_type { FIELD_LINE, FIELD_LIST, FIELD_FLAG, FIELD_GUARD, FIELD_EVENTS };

static const struct command_field {
	char key[25];
	enum command_field_type type;
	const char *words; /* that are accepted; NULL: any */
} command_fields[] = {
	{ "description", FIELD_LIST, NULL },
	{ "when_to_use", FIELD_LIST, NULL },
	{ "argument-hint", FIELD_LIST, NULL },
	{ "arguments", FIELD_LIST, NULL },
	{ "allowed-tools", FIELD_LIST, NULL },
	{ "disallowed-tools", FIELD_LIST, NULL },
	{ "paths", FIELD_LIST, NULL },
	{ "model", FIELD_LINE, NULL },
	{ "agent", FIELD_LINE, NULL },
	{ "effort", FIELD_LINE, "low medium high xhigh max" },
	{ "context", FIELD_LINE, "fork inline" },
	{ "background", FIELD_FLAG, NULL },
	{ "user-invocable", FIELD_FLAG, NULL },
	{ "disable-model-invocation", FIELD_GUARD, NULL },
	{ "hooks", FIELD_EVENTS, NULL },
};

static const struct command_field *command_file_find_field(struct sv key)
{
	for (size_t i = 0; i < countof(command_fields); i++)
		if (sv_is(key, command_fields[i].key))
			return &command_fields[i];
	return NULL;
}

static bool command_file_is_word(const char *words, struct sv text)
{
	struct sv rest = sv_cstr(words), word;

	while (sv_cut(&rest, ' ', &word))
		if (sv_eq(word, text))
			return true;
	return false;
}

/* What the value must be; NULL if it is that. */
static const char *command_file_wants(const struct command_field *field, struct json value)
{
	bool is_list = json_is(value, JSON_ARRAY), is_object = json_is(value, JSON_OBJECT), flag;

	if (json_is(value, JSON_NULL))
		return NULL;
	switch (field->type) {
	case FIELD_LINE: return is_list || is_object ? "a text" : NULL;
	case FIELD_LIST: return is_object ? "a text or a list" : NULL;
	case FIELD_FLAG:
	case FIELD_GUARD: return meta_flag(value, &flag) ? NULL : "true or false";
	case FIELD_EVENTS: break;
	}
	return is_object ? NULL : "an object with events";
}

static void command_file_note_slip(const struct file_notes *notes, struct sv key)
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
		if (sv_is(key, slips[i].written))
			file_note_key(notes, key, "\"%s\" is ignored; did you mean \"%s\"?",
				      slips[i].written, slips[i].meant);
}

/* Name the fields that cannot be used, in the order of the file. */
static void command_file_check(struct json meta, const struct file_notes *notes)
{
	struct json_iter it = json_each(meta);
	struct json value;
	struct sv key;

	while (json_next(&it, &key, &value)) {
		const struct command_field *field = command_file_find_field(key);
		const char *wanted = field ? command_file_wants(field, value) : NULL;
		struct sv text = json_str_or(value, SV_EMPTY);

		if (!field)
			command_file_note_slip(notes, key);
		else if (wanted)
			file_note_key(notes, key, "\"%s\" must be %s%s", field->key, wanted,
				      field->type == FIELD_GUARD ? "; until then it is true"
								 : ", so it is ignored");
		else if (field->words && text.len && !command_file_is_word(field->words, text))
			file_note_key(notes, key, "\"%s\" must be one of: %s, so it is ignored",
				      field->key, field->words);
	}
}

/* --- reading it -------------------------------------------------------------------------------- */

/* The value of a field on one line; empty if it is missing or of the wrong type. */
static struct sv command_file_line(struct json meta, const char *key, const char *between,
				   struct arena *arena)
{
	const struct command_field *field = command_file_find_field(sv_cstr(key));
	struct json value = json_get(meta, key);
	struct sv text = command_file_wants(field, value)
				 ? SV_EMPTY
				 : meta_line(meta, key, between, LIMIT_COMMAND_LINE, arena);

	return field->words && !command_file_is_word(field->words, text) ? SV_EMPTY : text;
}

/* A guard that cannot be read is on. */
static bool command_file_flag(struct json meta, const char *key, bool fallback)
{
	const struct command_field *field = command_file_find_field(sv_cstr(key));
	struct json value = json_get(meta, key);
	bool flag = fallback;

	if (json_exists(value) && command_file_wants(field, value))
		return field->type == FIELD_GUARD || fallback;
	(void)meta_flag(value, &flag);
	return flag;
}

/* Where it runs, for which files, and with which hooks. */
static void command_file_read_context(struct command_file *out, struct json meta,
				      struct arena *arena)
{
	struct json hooks = json_get(meta, "hooks");
	defer(str_clear) struct str text = STR_INIT;
	struct jw w;

	out->is_fork = sv_is(command_file_line(meta, "context", " ", arena), "fork");
	out->agent = command_file_line(meta, "agent", " ", arena);
	out->is_background = command_file_flag(meta, "background", false);
	out->paths = command_file_line(meta, "paths", ",", arena);
	if (!json_is(hooks, JSON_OBJECT))
		return;
	jw_init(&w, &text, JW_COMPACT);
	jw_value(&w, hooks);
	jw_done(&w);
	out->hooks = arena_dup(arena, sv_of(&text));
}

static void command_file_take_meta(struct command_file *out, struct json meta, struct arena *arena)
{
	struct sv model = command_file_line(meta, "model", " ", arena);

	command_file_describe(out, meta, arena);
	out->when_to_use = command_file_line(meta, "when_to_use", " ", arena);
	out->argument_hint = command_file_hint(meta, arena);
	out->model = sv_is(model, "inherit") ? SV_EMPTY : model;
	out->effort = command_file_line(meta, "effort", " ", arena);
	out->allowed_tools = command_file_line(meta, "allowed-tools", ", ", arena);
	out->denied_tools = command_file_line(meta, "disallowed-tools", ", ", arena);
	command_file_name_arguments(out, meta, arena);
	out->is_hidden = !command_file_flag(meta, "user-invocable", true);
	out->is_user_only = command_file_flag(meta, "disable-model-invocation", false);
	command_file_read_context(out, meta, arena);
}

void command_file_read(struct command_file *out, struct sv text, struct arena *arena,
		       struct str *notes)
{
	const struct file_notes file_notes = { .out = notes, .path = out->path, .text = text };
	struct front_matter front = { .body = text };
	struct err err = ERR_INIT;

	if (!front_matter_parse_kindly(&front, text, &err))
		file_note_err(&file_notes, "its front matter is ignored", &err);
	out->body = front.body;
	command_file_take_meta(out, json_root(front.meta), arena);
	command_file_check(json_root(front.meta), &file_notes);
	front_matter_clear(&front);
}

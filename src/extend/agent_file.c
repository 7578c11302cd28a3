#include "extend/agent_file.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "extend/file_notes.h"
#include "extend/meta.h"
#include "perm/rule/rule_list.h"
#include "text/front_matter_repair.h"
#include "text/json/json_write.h"

const char *agent_source_name(enum agent_source source)
{
	static const char names[][9] = {
		[AGENT_BUILTIN] = "built-in", [AGENT_PLUGIN] = "plugin",
		[AGENT_USER] = "user",        [AGENT_PROJECT] = "project",
		[AGENT_FLAG] = "session",     [AGENT_MANAGED] = "managed",
	};

	return names[source];
}

/* Whether a name can be that of an agent: no control characters, no blanks around it, not too
 * long. */
static bool agent_name_valid(struct sv name)
{
	for (size_t i = 0; i < name.len; i++)
		if ((unsigned char)name.ptr[i] < ' ' || name.ptr[i] == 0x7f)
			return false;
	return name.len && name.len <= LIMIT_COMMAND_NAME && sv_eq(name, sv_trim(name));
}

/* --- the fields ------------------------------------------------------------------------------- */

enum agent_field_type { FIELD_TEXT, FIELD_NAMES, FIELD_FLAG, FIELD_COUNT, FIELD_WORD, FIELD_JSON };

struct agent_field {
	const char *key;
	enum agent_field_type type;
	size_t at; /* offset in struct agent_file */
	const char *
		words; /* that are accepted, if not all; of FIELD_WORD, the value is which, from 1 on */
};

#define FIELD(type, key, member)                                             \
	{                                                                    \
		key, FIELD_##type, offsetof(struct agent_file, member), NULL \
	}

static const struct agent_field fields[] = {
	FIELD(NAMES, "tools", tools),
	FIELD(NAMES, "disallowedTools", disallowed_tools),
	FIELD(NAMES, "skills", skills),
	FIELD(TEXT, "model", model),
	{ "permissionMode", FIELD_TEXT, offsetof(struct agent_file, permission_mode),
	  "default acceptEdits plan auto dontAsk bypassPermissions manual" },
	{ "effort", FIELD_TEXT, offsetof(struct agent_file, effort), "low medium high xhigh max" },
	FIELD(TEXT, "color", color),
	FIELD(TEXT, "initialPrompt", initial_prompt),
	FIELD(TEXT, "criticalSystemReminder_EXPERIMENTAL", reminder),
	FIELD(JSON, "mcpServers", mcp_servers),
	FIELD(JSON, "hooks", hooks),
	FIELD(COUNT, "maxTurns", max_turns),
	FIELD(FLAG, "background", is_background),
	FIELD(FLAG, "omitClaudeMd", omits_instructions),
	{ "memory", FIELD_WORD, offsetof(struct agent_file, memory), "user project local" },
	{ "isolation", FIELD_WORD, offsetof(struct agent_file, is_isolated), "worktree" },
};

/* The text between two characters, where it is. In front matter that had to be repaired, lists are texts. */
static struct sv agent_file_unwrap(struct sv text, char open, char close)
{
	bool is_wrapped = text.len >= 2 && text.ptr[0] == open && text.ptr[text.len - 1] == close;

	return is_wrapped ? sv_slice(text, 1, text.len - 1) : text;
}

static size_t agent_file_count_names(struct sv rest)
{
	size_t n = 0;

	for (struct sv item; n < LIMIT_AGENT_NAMES && perm_list_next(&rest, &item);)
		n++;
	return n;
}

/* Split a text with commas, which the names borrow. */
static void agent_file_split_names(struct agent_names *out, struct sv text, struct arena *arena)
{
	size_t n = agent_file_count_names(text);
	struct sv item, *names = arena_calloc(arena, n, sizeof(*names));

	for (size_t i = 0; i < n && perm_list_next(&text, &item); i++)
		names[i] = agent_file_unwrap(agent_file_unwrap(item, '"', '"'), '\'', '\'');
	*out = (struct agent_names){ .at = names, .n = n, .is_given = true };
}

/* Split a list of tools: a text with commas, or a list of texts. Null means none was given. */
static bool agent_file_take_names(struct agent_names *out, struct json value, struct arena *arena)
{
	defer(str_clear) struct str text = STR_INIT;

	if (json_is(value, JSON_NULL))
		return true;
	if (!json_is(value, JSON_STRING) && !json_is(value, JSON_ARRAY))
		return false;
	meta_add_value(&text, value, ",");
	agent_file_split_names(
		out, agent_file_unwrap(arena_dup(arena, sv_trim(sv_of(&text))), '[', ']'), arena);
	return true;
}

/* Which of the field's words this is, from 1 on; 0: none of them. */
static unsigned agent_file_find_word(const struct agent_field *field, struct sv text)
{
	struct sv rest = sv_cstr(field->words), word;

	for (unsigned n = 1; perm_list_next(&rest, &word); n++)
		if (sv_eq(text, word))
			return n;
	return 0;
}

static bool agent_file_take_word(void *at, const struct agent_field *field, struct json value)
{
	unsigned n = agent_file_find_word(field, json_str_or(value, SV_EMPTY));

	if (sv_is(sv_cstr(field->key), "memory"))
		*(enum agent_memory *)at = (enum agent_memory)n;
	else
		*(bool *)at = n;
	return n;
}

static struct sv agent_file_json(struct json value, struct arena *arena)
{
	defer(str_clear) struct str text = STR_INIT;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	jw_value(&w, value);
	jw_done(&w);
	return arena_dup(arena, sv_of(&text));
}

static bool agent_file_take_text(struct sv *out, const struct agent_field *field, struct json value,
				 struct arena *arena)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv trimmed;

	if (json_is(value, JSON_OBJECT) || json_is(value, JSON_ARRAY))
		return false;
	meta_add_value(&text, value, " ");
	trimmed = sv_trim(sv_of(&text));
	if (trimmed.len && field->words && !agent_file_find_word(field, trimmed))
		return false;
	*out = arena_dup(arena, trimmed);
	return true;
}

static bool agent_file_take_count(int64_t *out, struct json value)
{
	defer(str_clear) struct str text = STR_INIT;
	long long count;
	char *end;

	meta_add_value(&text, value, "");
	count = strtoll(str_c(&text), &end, 10);
	if (*end || count < 1 || count > 1000000)
		return false;
	*out = count;
	return true;
}

static bool agent_file_take(struct agent_file *out, const struct agent_field *field,
			    struct json value, struct arena *arena)
{
	void *at = (char *)out + field->at;

	switch (field->type) {
	case FIELD_NAMES: return agent_file_take_names(at, value, arena);
	case FIELD_TEXT: return agent_file_take_text(at, field, value, arena);
	case FIELD_FLAG: return meta_flag(value, at);
	case FIELD_COUNT: return agent_file_take_count(at, value);
	case FIELD_WORD: return agent_file_take_word(at, field, value);
	case FIELD_JSON: break;
	}
	if (!json_is(value, JSON_OBJECT) && !json_is(value, JSON_ARRAY))
		return false;
	*(struct sv *)at = agent_file_json(value, arena);
	return true;
}

static void agent_file_explain(struct str *out, const struct agent_field *field)
{
	static const char wants[][29] = {
		[FIELD_TEXT] = "a text",        [FIELD_NAMES] = "a list or a text with commas",
		[FIELD_FLAG] = "true or false", [FIELD_COUNT] = "a number above 0",
		[FIELD_WORD] = "one of: ",      [FIELD_JSON] = "an object or a list",
	};

	str_addf(out, "\"%s\" must be %s%s", field->key,
		 wants[field->words ? FIELD_WORD : field->type], field->words ? field->words : "");
}

/* --- a file ----------------------------------------------------------------------------------- */

/* People write the key of another kind of file. */
static void agent_file_note_slip(const struct file_notes *notes, struct sv key)
{
	static const struct {
		char written[24], meant[16];
	} slips[] = {
		{ "allowed-tools", "tools" },    { "allowed_tools", "tools" },
		{ "allowedTools", "tools" },     { "disallowed-tools", "disallowedTools" },
		{ "max_turns", "maxTurns" },     { "permission_mode", "permissionMode" },
		{ "mcp_servers", "mcpServers" }, { "mcp-servers", "mcpServers" },
	};

	for (size_t i = 0; i < countof(slips); i++)
		if (sv_is(key, slips[i].written))
			file_note_key(notes, key, "\"%s\" is ignored; did you mean \"%s\"?",
				      slips[i].written, slips[i].meant);
}

static const struct agent_field *agent_file_find_field(struct sv key)
{
	for (size_t i = 0; i < countof(fields); i++)
		if (sv_is(key, fields[i].key))
			return &fields[i];
	return NULL;
}

/* Take the fields in the order of the file, which is also that of the notes. */
static void agent_file_take_fields(struct agent_file *out, struct json meta, struct arena *arena,
				   const struct file_notes *notes)
{
	struct json_iter it = json_each(meta);
	struct json value;
	struct sv key;

	while (json_next(&it, &key, &value)) {
		const struct agent_field *field = agent_file_find_field(key);
		defer(str_clear) struct str why = STR_INIT;

		if (!field)
			agent_file_note_slip(notes, key);
		if (!field || agent_file_take(out, field, value, arena))
			continue;
		agent_file_explain(&why, field);
		file_note_key(notes, key, "%s, so it is ignored", str_c(&why));
	}
}

static bool agent_file_take_meta(struct agent_file *out, struct json meta, struct arena *arena,
				 const struct file_notes *notes)
{
	static const struct agent_field about = { .key = "description" };
	static const char skipped[] = "this agent is skipped";

	out->name = meta_line(meta, "name", " ", LIMIT_COMMAND_LINE, arena);
	(void)agent_file_take_text(&out->description, &about, json_get(meta, "description"), arena);
	if (!out->name.len || !out->description.len) {
		file_note(notes, 1, "%s: it has no \"%s\" in its front matter", skipped,
			  out->name.len ? "description" : "name");
		return false;
	}
	if (!agent_name_valid(out->name)) {
		file_note_key(notes, SV("name"), "%s: its name has more than %d bytes", skipped,
			      LIMIT_COMMAND_NAME);
		return false;
	}
	out->description = utf8_prefix(out->description, LIMIT_AGENT_DESCRIPTION);
	agent_file_take_fields(out, meta, arena, notes);
	return true;
}

bool agent_file_read(struct agent_file *out, struct sv text, struct arena *arena, struct str *notes)
{
	const struct file_notes file_notes = { .out = notes, .path = out->path, .text = text };
	struct front_matter front = { .body = text };
	struct err err = ERR_INIT;
	bool fine;

	if (!front_matter_parse_kindly(&front, text, &err)) {
		file_note_err(&file_notes, "this agent is skipped", &err);
		return false;
	}
	fine = front.meta && agent_file_take_meta(out, json_root(front.meta), arena, &file_notes);
	if (fine)
		out->prompt = arena_dup(arena, sv_trim(front.body));
	front_matter_clear(&front);
	return fine;
}

/* --- JSON --------------------------------------------------------------------------------------- */

bool agent_file_read_json(struct agent_file *out, struct sv name, struct json definition,
			  struct arena *arena, struct err *err)
{
	struct sv shown = utf8_prefix(name, LIMIT_COMMAND_NAME);
	struct sv about = json_str_or(json_get(definition, "description"), SV_EMPTY);

	if (!agent_name_valid(name))
		return err_set(err, ERR_INVALID, "agents: '%.*s' cannot be a name", SV_ARG(shown));
	if (!sv_trim(about).len || !json_is(json_get(definition, "prompt"), JSON_STRING))
		return err_set(err, ERR_INVALID,
			       "agents: %.*s needs a \"description\" and a \"prompt\"",
			       SV_ARG(shown));
	out->name = arena_dup(arena, name);
	out->description = arena_dup(arena, utf8_prefix(about, LIMIT_AGENT_DESCRIPTION));
	out->prompt = arena_dup(arena, json_str_or(json_get(definition, "prompt"), SV_EMPTY));
	for (size_t i = 0; i < countof(fields); i++) {
		struct json value = json_get(definition, fields[i].key);
		defer(str_clear) struct str why = STR_INIT;

		if (!json_exists(value) || json_is(value, JSON_NULL) ||
		    agent_file_take(out, &fields[i], value, arena))
			continue;
		agent_file_explain(&why, &fields[i]);
		return err_set(err, ERR_INVALID, "agents: %.*s: %s", SV_ARG(shown), str_c(&why));
	}
	return true;
}

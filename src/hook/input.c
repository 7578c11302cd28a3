#include "hook/input.h"

#include "base/utf8.h"
#include "text/json/json_write.h"

enum hook_member_type {
	MEMBER_TEXT,
	MEMBER_JSON,
	MEMBER_BOOL,
	MEMBER_MAYBE,
	MEMBER_INT,
	MEMBER_REAL
};

struct hook_member {
	char name[32];
	enum hook_member_type type;
	size_t at; /* offset in struct hook_input */
};

#define MEMBER(kind, word)                                                                    \
	{                                                                                     \
		.name = #word, .type = MEMBER_##kind, .at = offsetof(struct hook_input, word) \
	}

/* All members that events name in their tables. */
static const struct hook_member hook_members[] = {
	MEMBER(TEXT, tool_name),
	MEMBER(TEXT, tool_use_id),
	MEMBER(JSON, tool_input),
	MEMBER(JSON, mcp_server),
	MEMBER(JSON, tool_response),
	MEMBER(JSON, tool_calls),
	MEMBER(JSON, permission_suggestions),
	MEMBER(TEXT, error),
	MEMBER(BOOL, is_interrupt),
	MEMBER(INT, duration_ms),
	MEMBER(TEXT, prompt),
	MEMBER(TEXT, expansion_type),
	MEMBER(TEXT, command_name),
	MEMBER(TEXT, command_args),
	MEMBER(TEXT, command_source),
	MEMBER(TEXT, source),
	MEMBER(TEXT, reason),
	MEMBER(TEXT, trigger),
	MEMBER(TEXT, model),
	MEMBER(TEXT, session_title),
	MEMBER(INT, seconds_since_last_response),
	MEMBER(INT, context_tokens),
	MEMBER(MAYBE, prompt_cache_likely_expired),
	MEMBER(BOOL, stop_hook_active),
	MEMBER(TEXT, last_assistant_message),
	MEMBER(TEXT, error_details),
	MEMBER(TEXT, agent_transcript_path),
	MEMBER(JSON, background_tasks),
	MEMBER(JSON, session_crons),
	MEMBER(TEXT, message),
	MEMBER(TEXT, title),
	MEMBER(TEXT, notification_type),
	MEMBER(TEXT, custom_instructions),
	MEMBER(TEXT, compact_summary),
	MEMBER(TEXT, turn_id),
	MEMBER(TEXT, message_id),
	MEMBER(TEXT, delta),
	MEMBER(INT, index),
	MEMBER(BOOL, final),
	MEMBER(TEXT, from_model),
	MEMBER(TEXT, to_model),
	MEMBER(JSON, requested_model),
	MEMBER(BOOL, prompt_cache_warm),
	MEMBER(TEXT, cache_ttl),
	MEMBER(REAL, estimated_cache_write_usd),
	MEMBER(TEXT, pricing),
	MEMBER(TEXT, task_id),
	MEMBER(TEXT, task_subject),
	MEMBER(TEXT, task_description),
	MEMBER(TEXT, teammate_name),
	MEMBER(TEXT, team_name),
	MEMBER(TEXT, mcp_server_name),
	MEMBER(TEXT, mode),
	MEMBER(TEXT, url),
	MEMBER(TEXT, elicitation_id),
	MEMBER(TEXT, action),
	MEMBER(JSON, requested_schema),
	MEMBER(JSON, content),
	MEMBER(TEXT, file_path),
	MEMBER(TEXT, memory_type),
	MEMBER(TEXT, load_reason),
	MEMBER(TEXT, trigger_file_path),
	MEMBER(TEXT, parent_file_path),
	MEMBER(JSON, globs),
	MEMBER(TEXT, old_cwd),
	MEMBER(TEXT, new_cwd),
	{ "event", MEMBER_TEXT, offsetof(struct hook_input, change) },
	MEMBER(TEXT, directory),
	MEMBER(TEXT, name),
	MEMBER(TEXT, worktree_path),
	MEMBER(TEXT, agent_type),
};

static const struct hook_member *hook_member_find(struct sv name)
{
	for (size_t i = 0; i < countof(hook_members); i++)
		if (sv_is(name, hook_members[i].name))
			return &hook_members[i];
	BUG("a hook event names a member that is not in the table");
}

static const void *hook_member_of(const struct hook_input *input, const struct hook_member *member)
{
	return (const char *)input + member->at;
}

static bool hook_member_is_empty(const struct hook_member *member, const void *value)
{
	switch (member->type) {
	case MEMBER_TEXT:
	case MEMBER_JSON: return !((const struct sv *)value)->len;
	case MEMBER_INT: return !*(const int64_t *)value;
	case MEMBER_MAYBE: return *(const enum hook_maybe *)value == HOOK_UNKNOWN;
	case MEMBER_REAL: return *(const double *)value <= 0;
	case MEMBER_BOOL: break;
	}
	return false;
}

static void hook_member_write(struct jw *w, const struct hook_member *member, const void *value)
{
	const struct sv *text = value;

	jw_key(w, sv_cstr(member->name));
	switch (member->type) {
	case MEMBER_TEXT: jw_str(w, *text); break;
	case MEMBER_JSON: jw_raw(w, text->len ? *text : SV("null")); break;
	case MEMBER_BOOL: jw_bool(w, *(const bool *)value); break;
	case MEMBER_MAYBE: jw_bool(w, *(const enum hook_maybe *)value == HOOK_YES); break;
	case MEMBER_INT: jw_int(w, *(const int64_t *)value); break;
	case MEMBER_REAL: jw_real(w, *(const double *)value); break;
	}
}

static void hook_input_put_if(struct jw *w, const char *key, struct sv text)
{
	if (text.len)
		jw_put_str(w, key, text);
}

static void hook_input_write_common(struct jw *w, const struct hook_input *input)
{
	jw_put_str(w, "session_id", input->session_id);
	jw_put_str(w, "transcript_path", input->transcript_path);
	jw_put_str(w, "cwd", input->cwd);
	hook_input_put_if(w, "prompt_id", input->prompt_id);
	hook_input_put_if(w, "permission_mode", input->permission_mode);
	hook_input_put_if(w, "agent_id", input->agent_id);
	hook_input_put_if(w, "agent_type", input->agent_type);
	hook_input_put_if(w, "scratchpad_dir", input->scratchpad_dir);
	if (input->effort.len) {
		jw_put_object(w, "effort");
		jw_put_str(w, "level", input->effort);
		jw_end(w);
	}
	jw_put_str(w, "hook_event_name", sv_cstr(hook_event_info(input->event)->name));
}

void hook_input_write(struct str *out, const struct hook_input *input)
{
	struct sv rest = sv_cstr(hook_event_info(input->event)->members), word;
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	hook_input_write_common(&w, input);
	while (sv_cut(&rest, ' ', &word)) {
		bool optional = sv_ends(word, SV("?"));
		const struct hook_member *member;
		const void *value;

		if (!word.len)
			continue;
		member = hook_member_find(sv_slice(word, 0, word.len - optional));
		value = hook_member_of(input, member);
		if (!optional || !hook_member_is_empty(member, value))
			hook_member_write(&w, member, value);
	}
	jw_end(&w);
	jw_done(&w);
}

struct sv hook_input_match(const struct hook_input *input)
{
	const char *matched = hook_event_info(input->event)->matched;
	struct sv value;

	if (!*matched)
		return SV_EMPTY;
	value = *(const struct sv *)hook_member_of(input, hook_member_find(sv_cstr(matched)));
	/* Files are matched by their names. */
	return input->event == HOOK_FILE_CHANGED ? sv_basename(value) : value;
}

void hook_input_name(struct str *out, const struct hook_input *input)
{
	struct sv match = hook_input_match(input);

	str_adds(out, hook_event_info(input->event)->name);
	if (match.len)
		str_addf(out, ":%.*s", SV_ARG(match));
}

void hook_input_write_call(struct jw *w, const struct hook_input *call)
{
	jw_object(w);
	jw_put_str(w, "tool_name", call->tool_name);
	jw_put_raw(w, "tool_input", call->tool_input);
	jw_put_str(w, "tool_use_id", call->tool_use_id);
	jw_put_raw(w, "tool_response", call->tool_response);
	jw_end(w);
}

/* --- reading ------------------------------------------------------------------------------- */

static const struct hook_member hook_common_members[] = {
	MEMBER(TEXT, session_id), MEMBER(TEXT, prompt_id),       MEMBER(TEXT, transcript_path),
	MEMBER(TEXT, cwd),        MEMBER(TEXT, permission_mode), MEMBER(TEXT, agent_id),
	MEMBER(TEXT, agent_type),
};

/* The member with this name that the event has; NULL: none. */
static const struct hook_member *hook_input_member(enum hook_event event, struct sv name)
{
	struct sv rest = sv_cstr(hook_event_info(event)->members), word;

	for (size_t i = 0; i < countof(hook_common_members); i++)
		if (sv_is(name, hook_common_members[i].name))
			return &hook_common_members[i];
	while (sv_cut(&rest, ' ', &word))
		if (sv_eq(sv_slice(word, 0, word.len - sv_ends(word, SV("?"))), name) && name.len)
			return hook_member_find(name);
	return NULL;
}

static struct sv hook_input_keep_json(struct arena *arena, struct json value)
{
	defer(str_clear) struct str text = STR_INIT;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	jw_value(&w, value);
	jw_done(&w);
	return arena_dup(arena, sv_of(&text));
}

static bool hook_member_read(const struct hook_member *member, struct hook_input *out,
			     struct json value, struct arena *arena)
{
	void *at = (char *)out + member->at;
	bool flag;

	switch (member->type) {
	case MEMBER_TEXT:
		if (!json_is(value, JSON_STRING))
			return false;
		*(struct sv *)at = arena_dup(arena, json_str_or(value, SV_EMPTY));
		return true;
	case MEMBER_JSON: *(struct sv *)at = hook_input_keep_json(arena, value); return true;
	case MEMBER_BOOL: return json_bool(value, at);
	case MEMBER_MAYBE:
		if (!json_bool(value, &flag))
			return false;
		*(enum hook_maybe *)at = flag ? HOOK_YES : HOOK_NO;
		return true;
	case MEMBER_INT: return json_int(value, at);
	case MEMBER_REAL: return json_real(value, at);
	}
	return false;
}

bool hook_input_read(struct hook_input *out, struct json given, struct arena *arena,
		     struct err *err)
{
	const char *event = hook_event_info(out->event)->name;
	struct json_iter it = json_each(given);
	struct json value;
	struct sv name;

	if (!json_is(given, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "the input of %s must be a JSON object", event);
	while (json_next(&it, &name, &value)) {
		const struct hook_member *member = hook_input_member(out->event, name);

		if (sv_is(name, "hook_event_name"))
			continue;
		if (!member)
			return err_set(err, ERR_INVALID, "the input of %s has no member \"%.*s\"",
				       event, SV_ARG(utf8_prefix(name, 80)));
		if (!hook_member_read(member, out, value, arena))
			return err_set(err, ERR_INVALID, "\"%.*s\" has the wrong type",
				       SV_ARG(name));
	}
	return true;
}

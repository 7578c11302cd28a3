#include "hook/output.h"

#include "base/limits.h"
#include "hook/terminal.h"
#include "text/json/json_write.h"

enum hook_field_type {
	FIELD_TEXT,
	FIELD_BOOL,
	FIELD_OBJECT, /* kept as JSON */
	FIELD_JSON,
	FIELD_CONTEXT,
	FIELD_PATHS,
	FIELD_DECISION,   /* "permissionDecision" */
	FIELD_PERMISSION, /* "decision" of PermissionRequest */
	FIELD_REASON,     /* of the decision */
};

#define ON(event)  ((uint64_t)1 << HOOK_##event)
#define AT(member) offsetof(struct hook_answer, member)
#define ALL_CONTEXT                                                                               \
	(ON(PRE_TOOL_USE) | ON(POST_TOOL_USE) | ON(POST_TOOL_USE_FAILURE) | ON(POST_TOOL_BATCH) | \
	 ON(USER_PROMPT_SUBMIT) | ON(USER_PROMPT_EXPANSION) | ON(SESSION_START) | ON(SETUP) |     \
	 ON(STOP) | ON(SUBAGENT_STOP) | ON(SUBAGENT_START) | ON(NOTIFICATION) |                   \
	 ON(POST_MODEL_SWITCH))

/* The members of hookSpecificOutput, and the events that have them. */
static const struct hook_field {
	char name[32];
	enum hook_field_type type;
	size_t at;
	uint64_t events;
} hook_fields[] = {
	{ "additionalContext", FIELD_CONTEXT, 0, ALL_CONTEXT },
	{ "permissionDecision", FIELD_DECISION, 0, ON(PRE_TOOL_USE) | ON(PRE_MODEL_SWITCH) },
	{ "permissionDecisionReason", FIELD_REASON, 0, ON(PRE_TOOL_USE) | ON(PRE_MODEL_SWITCH) },
	{ "updatedInput", FIELD_OBJECT, AT(updated_input), ON(PRE_TOOL_USE) },
	{ "decision", FIELD_PERMISSION, 0, ON(PERMISSION_REQUEST) },
	{ "retry", FIELD_BOOL, AT(retries), ON(PERMISSION_DENIED) },
	{ "updatedToolOutput", FIELD_JSON, AT(updated_output), ON(POST_TOOL_USE) },
	{ "updatedMCPToolOutput", FIELD_JSON, AT(updated_mcp_output), ON(POST_TOOL_USE) },
	{ "classifierContext", FIELD_TEXT, AT(classifier_context), ON(POST_TOOL_USE) },
	{ "sessionTitle", FIELD_TEXT, AT(session_title),
	  ON(SESSION_START) | ON(USER_PROMPT_SUBMIT) },
	{ "initialUserMessage", FIELD_TEXT, AT(first_prompt), ON(SESSION_START) },
	{ "reloadSkills", FIELD_BOOL, AT(reloads_skills), ON(SESSION_START) },
	{ "suppressOriginalPrompt", FIELD_BOOL, AT(suppresses_prompt),
	  ON(USER_PROMPT_SUBMIT) | ON(USER_PROMPT_EXPANSION) },
	{ "watchPaths", FIELD_PATHS, 0, ON(SESSION_START) | ON(CWD_CHANGED) | ON(FILE_CHANGED) },
	{ "action", FIELD_TEXT, AT(action), ON(ELICITATION) | ON(ELICITATION_RESULT) },
	{ "content", FIELD_OBJECT, AT(content), ON(ELICITATION) | ON(ELICITATION_RESULT) },
	{ "worktreePath", FIELD_TEXT, AT(worktree_path), ON(WORKTREE_CREATE) },
	{ "displayContent", FIELD_TEXT, AT(display_content), ON(MESSAGE_DISPLAY) },
};

/* What is being read. */
struct hook_reading {
	struct hook_answer *answer;
	enum hook_event event;
	struct sv name;
	enum hook_decision decision; /* "permissionDecision" */
	struct sv reason;
	struct err *err;
};

static bool hook_output_fail(struct hook_reading *r, const char *name, const char *wanted)
{
	return err_set(r->err, ERR_INVALID, "\"%s\" must be %s", name, wanted);
}

static struct sv hook_output_keep_json(struct hook_answer *answer, struct json value)
{
	defer(str_clear) struct str text = STR_INIT;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	jw_value(&w, value);
	jw_done(&w);
	return arena_dup(&answer->arena, sv_of(&text));
}

/* --- values ----------------------------------------------------------------------------- */

static bool hook_output_text(struct hook_reading *r, const char *name, struct json value,
			     struct sv *out)
{
	struct sv text;

	if (!json_str(value, &text))
		return hook_output_fail(r, name, "a string");
	*out = arena_dup(&r->answer->arena, text);
	return true;
}

static bool hook_output_word(struct hook_reading *r, const char *name, struct json value,
			     enum hook_decision *out)
{
	static const struct {
		const char *word;
		enum hook_decision decision;
	} words[] = {
		{ "allow", HOOK_ALLOW },
		{ "deny", HOOK_DENY },
		{ "ask", HOOK_ASK },
		{ "defer", HOOK_DEFER },
	};
	struct sv word = json_str_or(value, SV_EMPTY);

	for (size_t i = 0; i < countof(words); i++)
		if (sv_is(word, words[i].word)) {
			*out = words[i].decision;
			return true;
		}
	return hook_output_fail(r, name, "\"allow\", \"deny\", \"ask\" or \"defer\"");
}

static bool hook_output_paths(struct hook_reading *r, struct json list)
{
	struct json_iter it = json_each(list);
	struct json item;

	if (!json_is(list, JSON_ARRAY))
		return hook_output_fail(r, "watchPaths", "a list of paths");
	while (json_next(&it, NULL, &item)) {
		struct sv path;

		if (!hook_output_text(r, "watchPaths[]", item, &path))
			return false;
		vec_push(&r->answer->watch_paths, path);
	}
	return true;
}

static bool hook_output_updates(struct hook_reading *r, struct json list)
{
	struct arena *arena = &r->answer->arena;
	struct json_iter it = json_each(list);
	struct permission_change change;
	struct json item;

	while (json_next(&it, NULL, &item)) {
		if (!permission_change_read(&change, item, arena, r->err))
			return err_context(r->err, "updatedPermissions");
		vec_push(&r->answer->permissions, *permission_changes_copy(arena, &change, 1));
	}
	return true;
}

/* An object without members is what a hook sends that wants no change. */
static bool hook_output_object(struct hook_reading *r, const char *name, struct json value,
			       struct sv *out)
{
	if (!json_is(value, JSON_OBJECT))
		return hook_output_fail(r, name, "an object");
	if (json_len(value))
		*out = hook_output_keep_json(r->answer, value);
	return true;
}

/* {"behavior": "allow", "updatedInput"?, "updatedPermissions"?}
 * {"behavior": "deny", "message"?, "interrupt"?} */
static bool hook_output_permission(struct hook_reading *r, struct json decision)
{
	struct json input = json_get(decision, "updatedInput");
	struct json updates = json_get(decision, "updatedPermissions");

	if (!hook_output_word(r, "decision.behavior", json_get(decision, "behavior"), &r->decision))
		return false;
	if (r->decision == HOOK_DENY) {
		r->answer->interrupts = json_bool_or(json_get(decision, "interrupt"), false);
		r->reason = arena_dup(&r->answer->arena,
				      json_str_or(json_get(decision, "message"), SV_EMPTY));
		return true;
	}
	if (r->decision != HOOK_ALLOW)
		return hook_output_fail(r, "decision.behavior", "\"allow\" or \"deny\"");
	if (json_exists(input) && !json_is(input, JSON_NULL) &&
	    !hook_output_object(r, "updatedInput", input, &r->answer->updated_input))
		return false;
	return json_is(updates, JSON_ARRAY) ? hook_output_updates(r, updates)
	       : !json_exists(updates) || json_is(updates, JSON_NULL)
		       ? true
		       : hook_output_fail(r, "updatedPermissions", "a list");
}

static bool hook_output_field(struct hook_reading *r, const struct hook_field *field,
			      struct json value)
{
	void *at = (char *)r->answer + field->at;
	struct sv text = SV_EMPTY;

	switch (field->type) {
	case FIELD_TEXT: return hook_output_text(r, field->name, value, at);
	case FIELD_REASON: return hook_output_text(r, field->name, value, &r->reason);
	case FIELD_BOOL:
		return json_bool(value, at) || hook_output_fail(r, field->name, "true or false");
	case FIELD_OBJECT: return hook_output_object(r, field->name, value, at);
	case FIELD_JSON: *(struct sv *)at = hook_output_keep_json(r->answer, value); return true;
	case FIELD_CONTEXT:
		if (!hook_output_text(r, field->name, value, &text))
			return false;
		if (text.len)
			hook_answer_add(r->answer, &r->answer->context, r->name, text);
		return true;
	case FIELD_PATHS: return hook_output_paths(r, value);
	case FIELD_DECISION: return hook_output_word(r, field->name, value, &r->decision);
	case FIELD_PERMISSION: return hook_output_permission(r, value);
	}
	return true;
}

/* --- the object -------------------------------------------------------------------------- */

static bool hook_output_specific(struct hook_reading *r, struct json specific)
{
	const char *own = hook_event_info(r->event)->name;
	struct sv given = json_str_or(json_get(specific, "hookEventName"), sv_cstr(own));

	if (!json_exists(specific) || json_is(specific, JSON_NULL))
		return true;
	if (!json_is(specific, JSON_OBJECT))
		return hook_output_fail(r, "hookSpecificOutput", "an object");
	if (!sv_is(given, own))
		return err_set(r->err, ERR_INVALID, "\"hookEventName\" must be \"%s\"", own);
	for (size_t i = 0; i < countof(hook_fields); i++) {
		struct json value = json_get(specific, hook_fields[i].name);

		if (json_exists(value) && !json_is(value, JSON_NULL) &&
		    hook_fields[i].events & (uint64_t)1 << r->event &&
		    !hook_output_field(r, &hook_fields[i], value))
			return false;
	}
	return true;
}

/* The older way to decide, for all events. */
static bool hook_output_decision(struct hook_reading *r, struct json object)
{
	struct json value = json_get(object, "decision");
	struct sv word = json_str_or(value, SV_EMPTY);
	struct sv reason = json_str_or(json_get(object, "reason"), SV_EMPTY);

	if (!json_exists(value) || json_is(value, JSON_NULL))
		return true;
	if (sv_is(word, "block")) {
		hook_answer_decide(r->answer, HOOK_DENY, reason);
		return true;
	}
	if (!sv_is(word, "approve"))
		return hook_output_fail(r, "decision", "\"block\" or \"approve\"");
	if (hook_event_info(r->event)->is_guard)
		hook_answer_decide(r->answer, HOOK_ALLOW, reason);
	return true;
}

static bool hook_output_flag(struct hook_reading *r, struct json object, const char *name,
			     bool *out)
{
	struct json value = json_get(object, name);

	return !json_exists(value) || json_is(value, JSON_NULL) || json_bool(value, out) ||
	       hook_output_fail(r, name, "true or false");
}

static bool hook_output_common(struct hook_reading *r, struct json object)
{
	struct hook_answer *answer = r->answer;
	defer(str_clear) struct str terminal = STR_INIT;
	struct sv message = json_str_or(json_get(object, "systemMessage"), SV_EMPTY);
	bool goes_on = true;

	if (!hook_output_flag(r, object, "continue", &goes_on) ||
	    !hook_output_flag(r, object, "suppressOutput", &answer->suppresses_output))
		return false;
	answer->stops = !goes_on;
	answer->stop_reason =
		arena_dup(&answer->arena, json_str_or(json_get(object, "stopReason"), SV_EMPTY));
	hook_terminal_filter(&terminal,
			     json_str_or(json_get(object, "terminalSequence"), SV_EMPTY));
	answer->terminal = arena_dup(&answer->arena, sv_of(&terminal));
	if (message.len)
		hook_answer_add(answer, &answer->messages, r->name, message);
	return hook_output_decision(r, object);
}

bool hook_output_is_json(struct sv text)
{
	return sv_starts(sv_trim(text), SV("{"));
}

bool hook_output_read(struct hook_answer *answer, enum hook_event event, struct sv name,
		      struct sv text, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_trim(text), 0, err);
	struct hook_reading r = { .answer = answer, .event = event, .name = name, .err = err };
	struct json object = json_root(doc);

	if (!doc)
		return false;
	if (!json_is(object, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "expected a JSON object");
	if (!hook_output_common(&r, object) ||
	    !hook_output_specific(&r, json_get(object, "hookSpecificOutput")))
		return false;
	if (r.decision != HOOK_NO_DECISION)
		hook_answer_decide(answer, r.decision, r.reason);
	return true;
}

bool hook_output_is_async(struct sv text, int64_t *ms)
{
	enum { SHORT = 4096, DEFAULT_MS = 15000 };
	struct sv trimmed = sv_trim(text);
	struct err invalid = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	int64_t given;

	if (trimmed.len > SHORT || !sv_starts(trimmed, SV("{")) || !sv_ends(trimmed, SV("}")))
		return false;
	doc = json_parse(trimmed, 0, &invalid);
	given = json_int_or(json_get(json_root(doc), "asyncTimeout"), 0);
	*ms = given > 0 ? min_of(given, (int64_t)LIMIT_HOOK_SECONDS * 1000) : DEFAULT_MS;
	return json_bool_or(json_get(json_root(doc), "async"), false);
}

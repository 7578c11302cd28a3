#include "proto/permission.h"

static const char *const change_names[PERMISSION_CHANGES] = {
	[PERMISSION_ADD_RULES] = "addRules",
	[PERMISSION_REPLACE_RULES] = "replaceRules",
	[PERMISSION_REMOVE_RULES] = "removeRules",
	[PERMISSION_ADD_DIRS] = "addDirectories",
	[PERMISSION_REMOVE_DIRS] = "removeDirectories",
	[PERMISSION_SET_MODE] = "setMode",
};

static const char *const destination_names[PERMISSION_DESTINATIONS] = {
	[PERMISSION_TO_SESSION] = "session",     [PERMISSION_TO_COMMAND_LINE] = "cliArg",
	[PERMISSION_TO_LOCAL] = "localSettings", [PERMISSION_TO_PROJECT] = "projectSettings",
	[PERMISSION_TO_USER] = "userSettings",
};

void permission_rule_text(struct str *out, const struct permission_rule *rule)
{
	str_add(out, rule->tool);
	if (rule->content.len)
		str_addf(out, "(%.*s)", SV_ARG(rule->content));
}

/* --- writing ------------------------------------------------------------------ */

static void permission_write_rules(struct jw *w, const struct permission_change *change)
{
	jw_put_array(w, "rules");
	for (size_t i = 0; i < change->nrules; i++) {
		jw_object(w);
		jw_put_str(w, "toolName", change->rules[i].tool);
		if (change->rules[i].content.len)
			jw_put_str(w, "ruleContent", change->rules[i].content);
		jw_end(w);
	}
	jw_end(w);
	jw_put_str(w, "behavior", sv_cstr(behavior_name(change->behavior)));
}

static void permission_write_dirs(struct jw *w, const struct permission_change *change)
{
	jw_put_array(w, "directories");
	for (size_t i = 0; i < change->ndirs; i++)
		jw_str(w, change->dirs[i]);
	jw_end(w);
}

static void permission_write_change(struct jw *w, const struct permission_change *change)
{
	jw_object(w);
	jw_put_str(w, "type", sv_cstr(change_names[change->kind]));
	switch (change->kind) {
	case PERMISSION_ADD_RULES:
	case PERMISSION_REPLACE_RULES:
	case PERMISSION_REMOVE_RULES: permission_write_rules(w, change); break;
	case PERMISSION_ADD_DIRS:
	case PERMISSION_REMOVE_DIRS: permission_write_dirs(w, change); break;
	case PERMISSION_SET_MODE: jw_put_str(w, "mode", change->mode); break;
	case PERMISSION_CHANGES: BUG("not a change of permissions");
	}
	jw_put_str(w, "destination", sv_cstr(destination_names[change->destination]));
	jw_end(w);
}

void permission_changes_write(struct jw *w, const struct permission_change *changes, size_t n)
{
	jw_array(w);
	for (size_t i = 0; i < n; i++)
		permission_write_change(w, &changes[i]);
	jw_end(w);
}

/* --- reading ------------------------------------------------------------------ */

/* Finds `name` among `n` names; `n` when it is not there. */
static size_t permission_find(const char *const *names, size_t n, struct sv name)
{
	size_t i = 0;

	while (i < n && !sv_is(name, names[i]))
		i++;
	return i;
}

static bool permission_read_behavior(struct permission_change *out, struct json json,
				     struct err *err)
{
	static const enum behavior all[] = { BEHAVIOR_ALLOW, BEHAVIOR_ASK, BEHAVIOR_DENY };
	struct sv name;

	if (!json_need_str(json, "behavior", &name, err))
		return false;
	for (size_t i = 0; i < countof(all); i++) {
		if (sv_is(name, behavior_name(all[i]))) {
			out->behavior = all[i];
			return true;
		}
	}
	return err_set(err, ERR_INVALID, "unknown behavior \"%.*s\"", SV_ARG(name));
}

static bool permission_read_rules(struct permission_change *out, struct json json,
				  struct arena *arena, struct err *err)
{
	struct json list = json_get(json, "rules"), item;
	struct json_iter it = json_each(list);
	struct permission_rule *rules = arena_calloc(arena, json_len(list) + 1, sizeof(*rules));

	for (; json_next(&it, NULL, &item); out->nrules++) {
		struct permission_rule *rule = &rules[out->nrules];

		if (!json_need_str(item, "toolName", &rule->tool, err))
			return false;
		rule->content = json_str_or(json_get(item, "ruleContent"), SV_EMPTY);
	}
	out->rules = rules;
	return permission_read_behavior(out, json, err);
}

static bool permission_read_dirs(struct permission_change *out, struct json json,
				 struct arena *arena, struct err *err)
{
	struct json list = json_get(json, "directories"), item;
	struct json_iter it = json_each(list);
	struct sv *dirs = arena_calloc(arena, json_len(list) + 1, sizeof(*dirs));

	for (; json_next(&it, NULL, &item); out->ndirs++)
		if (!json_str(item, &dirs[out->ndirs]))
			return err_set(err, ERR_INVALID, "a directory must be a string, not %s",
				       json_type_name(json_type(item)));
	out->dirs = dirs;
	return true;
}

bool permission_change_read(struct permission_change *out, struct json json, struct arena *arena,
			    struct err *err)
{
	struct permission_change change = { .kind = PERMISSION_CHANGES };
	struct sv type, to = json_str_or(json_get(json, "destination"), SV("session"));
	size_t destination = permission_find(destination_names, PERMISSION_DESTINATIONS, to);
	bool fine = false;

	if (!json_need_str(json, "type", &type, err))
		return false;
	if (destination == PERMISSION_DESTINATIONS)
		return err_set(err, ERR_INVALID, "unknown destination \"%.*s\"", SV_ARG(to));
	change.kind = (enum permission_change_kind)permission_find(change_names, PERMISSION_CHANGES,
								   type);
	change.destination = (enum permission_destination)destination;
	switch (change.kind) {
	case PERMISSION_ADD_RULES:
	case PERMISSION_REPLACE_RULES:
	case PERMISSION_REMOVE_RULES:
		fine = permission_read_rules(&change, json, arena, err);
		break;
	case PERMISSION_ADD_DIRS:
	case PERMISSION_REMOVE_DIRS: fine = permission_read_dirs(&change, json, arena, err); break;
	case PERMISSION_SET_MODE: fine = json_need_str(json, "mode", &change.mode, err); break;
	case PERMISSION_CHANGES:
		return err_set(err, ERR_INVALID, "unknown change \"%.*s\"", SV_ARG(type));
	}
	if (fine)
		*out = change;
	return fine;
}

struct permission_change *permission_changes_copy(struct arena *arena,
						  const struct permission_change *changes, size_t n)
{
	struct permission_change *copy = arena_calloc(arena, n + 1, sizeof(*copy));

	for (size_t i = 0; i < n; i++) {
		const struct permission_change *from = &changes[i];
		struct permission_rule *rules =
			arena_calloc(arena, from->nrules + 1, sizeof(*rules));
		struct sv *dirs = arena_calloc(arena, from->ndirs + 1, sizeof(*dirs));

		for (size_t k = 0; k < from->nrules; k++)
			rules[k] = (struct permission_rule){
				.tool = arena_dup(arena, from->rules[k].tool),
				.content = arena_dup(arena, from->rules[k].content),
			};
		for (size_t k = 0; k < from->ndirs; k++)
			dirs[k] = arena_dup(arena, from->dirs[k]);
		copy[i] = *from;
		copy[i].rules = rules;
		copy[i].dirs = dirs;
		copy[i].mode = arena_dup(arena, from->mode);
	}
	return copy;
}

/* --- answers ------------------------------------------------------------------- */

bool permission_answer_read(struct permission_answer *out, struct json body, struct err *err)
{
	struct json input = json_get(body, "updatedInput");
	bool is_old =
		!json_exists(json_get(body, "behavior")) && json_exists(json_get(body, "subtype"));
	struct sv behavior;

	if (!json_is(body, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "The answer must be an object, not %s.",
			       json_type_name(json_type(body)));
	if (!json_need_str(body, is_old ? "subtype" : "behavior", &behavior, err))
		return err_context(err, "The answer");
	if (!sv_is(behavior, "allow") && !sv_is(behavior, "deny"))
		return err_set(err, ERR_INVALID,
			       "The answer: \"behavior\" must be allow or deny, not %.*s.",
			       SV_ARG(sv_slice(behavior, 0, 40)));
	if (sv_is(behavior, "allow") && json_exists(input) && !json_is(input, JSON_NULL) &&
	    !json_is(input, JSON_OBJECT))
		return err_set(err, ERR_INVALID,
			       "The answer: \"updatedInput\" must be an object, not %s.",
			       json_type_name(json_type(input)));
	*out = (struct permission_answer){
		.allow = sv_is(behavior, "allow"),
		.interrupt = json_bool_or(json_get(body, "interrupt"), false),
		.message = json_str_or(
			json_get(body, sv_is(behavior, "allow") ? "acceptFeedback" : "message"),
			SV_EMPTY),
		.blocks = json_get(body, "contentBlocks"),
		.updated_input = json_len(input) ? input : (struct json){ NULL },
		.changes = json_get(body, "updatedPermissions"),
		.is_permanent =
			sv_is(json_str_or(json_get(body, "decisionClassification"), SV_EMPTY),
			      "user_permanent"),
		.id = json_str_or(json_get(body, "toolUseID"), SV_EMPTY),
	};
	return true;
}

/* Open the frame of a response, up to the body. */
static void permission_open_response(struct jw *w, struct str *out, struct sv request_id)
{
	jw_init(w, out, JW_COMPACT);
	jw_object(w);
	jw_put_str(w, "type", SV("control_response"));
	jw_put_object(w, "response");
	jw_put_str(w, "subtype", SV("success"));
	jw_put_str(w, "request_id", request_id);
	jw_key(w, SV("response"));
}

static void permission_close_response(struct jw *w)
{
	jw_end(w);
	jw_end(w);
	jw_done(w);
}

bool permission_write_answer(struct str *out, struct sv request_id, struct json answer,
			     struct err *err)
{
	struct sv behavior;
	struct jw w;

	if (!json_need_str(answer, "behavior", &behavior, err))
		return false;
	permission_open_response(&w, out, request_id);
	jw_value(&w, answer);
	permission_close_response(&w);
	return true;
}

static void permission_put_changes(struct jw *w, const struct permission_change *changes, size_t n)
{
	if (!n)
		return;
	jw_key(w, SV("updatedPermissions"));
	permission_changes_write(w, changes, n);
}

static void permission_put_images(struct jw *w, const struct input_image *images, size_t n)
{
	if (!n)
		return;
	jw_put_array(w, "contentBlocks");
	input_put_images(w, images, n);
	jw_end(w);
}

void permission_write_allow(struct str *out, struct sv request_id, const struct permission_yes *yes)
{
	struct jw w;

	permission_open_response(&w, out, request_id);
	jw_object(&w);
	jw_put_str(&w, "behavior", sv_cstr(behavior_name(BEHAVIOR_ALLOW)));
	if (yes->updated_input.len)
		jw_put_raw(&w, "updatedInput", yes->updated_input);
	permission_put_changes(&w, yes->changes, yes->nchanges);
	if (yes->remark.len)
		jw_put_str(&w, "acceptFeedback", yes->remark);
	permission_put_images(&w, yes->images, yes->nimages);
	jw_end(&w);
	permission_close_response(&w);
}

void permission_write_deny(struct str *out, struct sv request_id,
			   const struct permission_change *changes, size_t n)
{
	struct jw w;

	permission_open_response(&w, out, request_id);
	jw_object(&w);
	jw_put_str(&w, "behavior", sv_cstr(behavior_name(BEHAVIOR_DENY)));
	permission_put_changes(&w, changes, n);
	jw_end(&w);
	permission_close_response(&w);
}

void permission_write_refusal(struct str *out, struct sv request_id, const struct permission_no *no)
{
	struct jw w;

	permission_open_response(&w, out, request_id);
	jw_object(&w);
	jw_put_str(&w, "behavior", sv_cstr(behavior_name(BEHAVIOR_DENY)));
	if (no->message.len)
		jw_put_str(&w, "message", no->message);
	permission_put_images(&w, no->images, no->nimages);
	jw_end(&w);
	permission_close_response(&w);
}

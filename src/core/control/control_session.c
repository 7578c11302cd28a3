/* Control requests about the session as a whole: its title, what it has used, its settings, its
 * end. */
#include "base/limits.h"
#include "base/utf8.h"
#include "core/commands/commands_report.h"
#include "core/control/control.h"
#include "core/extend/session_styles.h"
#include "core/session/session_internal.h"
#include "core/session/session_plan.h"
#include "core/session/session_prompts.h"
#include "core/session/session_settings.h"
#include "core/session/session_status.h"
#include "model/catalogue/catalogue.h"
#include "text/json/json_write.h"

void control_rename_session(struct session *s, const struct control_request *request)
{
	struct sv title = sv_trim(request->rename_session.title);
	struct sv id = request->rename_session.session_id;
	struct err err = ERR_INIT;

	if (!title.len)
		err_set(&err, ERR_INVALID, "the title is empty");
	else if (id.len && !sv_is(id, s->conversation.id.text))
		err_set(&err, ERR_NOT_FOUND, "the session is %s by now, not %.*s",
			s->conversation.id.text, SV_ARG(id));
	else
		(void)!session_rename(s, title, &err);
	if (err.kind == ERR_NONE)
		control_reply(s, request->id, (struct control_reply){ .kind = REPLY_DONE });
	else
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
}

/* --- what was used ---------------------------------------------------------------------- */

void control_get_usage(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct control_reply reply = {
		.kind = REPLY_USAGE,
		.usage = { .cost_usd = costs_usd(&s->costs),
			   .api_ms = s->costs.api_ms,
			   .work = s->costs.work,
			   .last_turn = s->costs.last_turn,
			   .lines_added = s->costs.lines_added,
			   .lines_removed = s->costs.lines_removed,
			   .duration_ms = loop_now(s->engine->loop) - s->kind.opened_ms },
	};

	reply.usage.nmodels =
		costs_models(&reply.usage.models, &arena, &s->costs, session_service(s));
	control_reply(s, request->id, reply);
}

void control_get_session_cost(struct session *s, const struct control_request *request)
{
	defer(str_clear) struct str text = STR_INIT;

	session_write_usage(s, &text);
	control_reply(s, request->id,
		      (struct control_reply){ .kind = REPLY_TEXT, .text = sv_of(&text) });
}

void control_get_plan(struct session *s, const struct control_request *request)
{
	defer(str_clear) struct str text = STR_INIT;
	struct control_reply reply = { .kind = REPLY_PLAN };

	if (session_plan_read(s, &text))
		reply.plan = (struct reply_plan){ sv_of(&text), sv_of(&s->plan.path) };
	control_reply(s, request->id, reply);
}

void control_get_version(struct session *s, const struct control_request *request)
{
	control_reply(s, request->id,
		      (struct control_reply){ .kind = REPLY_VERSION, .text = SV(AWL_VERSION) });
}

void control_get_status(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct control_reply reply = { .kind = REPLY_STATUS };

	reply.status.n = session_status(s, &reply.status.at, &arena);
	control_reply(s, request->id, reply);
}

/* --- settings ---------------------------------------------------------------------------- */

/* Each file decides about hooks and rules as well, so a host may write to it one key that cannot do
 * harm. */
static const struct control_file_key {
	enum settings_source source;
	const char *key;
} control_file_keys[] = {
	[CONTROL_FILE_LOCAL] = { SETTINGS_LOCAL, "outputStyle" },
	[CONTROL_FILE_USER] = { SETTINGS_USER, "effortLevel" },
};

static bool control_session_check_settings(const struct session *s,
					   const struct control_request *request, struct err *err)
{
	const struct control_file_key *own = &control_file_keys[request->update_settings.file];
	struct json settings = request->update_settings.settings;
	struct sv source = utf8_prefix(request->update_settings.source, LIMIT_COMMAND_NAME);
	struct json_iter it = json_each(settings);
	struct json value;
	struct sv key;

	if (request->update_settings.file == CONTROL_FILE_UNKNOWN)
		return err_set(err, ERR_INVALID, "a host cannot write to the settings \"%.*s\"",
			       SV_ARG(source));
	if (!settings_is_chosen(s->settings, own->source))
		return err_set(err, ERR_ACCESS, "--setting-sources excludes %.*s", SV_ARG(source));
	if (!json_is(settings, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "\"settings\" must be an object, not %s",
			       json_type_name(json_type(settings)));
	while (json_next(&it, &key, &value)) {
		if (!sv_is(key, own->key))
			return err_set(err, ERR_ACCESS, "a host cannot write \"%.*s\" to this file",
				       SV_ARG(utf8_prefix(key, LIMIT_COMMAND_NAME)));
		if (!json_is(value, JSON_STRING))
			return err_set(err, ERR_INVALID, "\"%s\" must be a string, not %s",
				       own->key, json_type_name(json_type(value)));
	}
	return true;
}

static bool control_session_save_style(struct session *s, struct sv name, struct err *err)
{
	defer(str_clear) struct str why = STR_INIT;
	const struct style *style = session_styles_find(s, name, &why);

	if (!style)
		return err_set(err, ERR_NOT_FOUND, "%s", why.ptr);
	return session_styles_save(s, style->name, err);
}

/* Save the default of the model in use, for later sessions. */
static bool control_session_save_effort(struct session *s, struct sv name, struct err *err)
{
	defer(str_clear) struct str json = STR_INIT;
	enum model_effort level;
	struct jw w;

	if (!model_effort_read(&level, name, err))
		return false;
	if (level == MODEL_EFFORT_MAX)
		return true; /* for this session only */
	jw_init(&w, &json, JW_COMPACT);
	jw_str(&w, name);
	jw_done(&w);
	return session_settings_save(
		s, settings_set, SETTINGS_USER,
		JSON_STEPS(SV("modelSettings"), agent_next_model(s->agent), SV("effortLevel")),
		sv_of(&json), err);
}

static bool control_session_save_settings(struct session *s, const struct control_request *request,
					  struct err *err)
{
	struct json_iter it = json_each(request->update_settings.settings);
	struct json value;

	while (json_next(&it, NULL, &value)) {
		struct sv text = json_str_or(value, SV_EMPTY);

		if (!(request->update_settings.file == CONTROL_FILE_LOCAL
			      ? control_session_save_style(s, text, err)
			      : control_session_save_effort(s, text, err)))
			return false;
	}
	return true;
}

void control_update_settings(struct session *s, const struct control_request *request)
{
	struct err err = ERR_INIT;

	if (!control_session_check_settings(s, request, &err) ||
	    !control_session_save_settings(s, request, &err)) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return;
	}
	session_settings_renew(s);
	control_reply(s, request->id, (struct control_reply){ .kind = REPLY_OBJECT });
}

/* --- the end ------------------------------------------------------------------------------- */

void control_end_session(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	session_uuids dropped = VEC_INIT;

	control_reply(s, request->id, (struct control_reply){ .kind = REPLY_DONE });
	session_withdraw_prompts(s, SV_EMPTY, &dropped, &arena);
	vec_clear(&dropped);
	s->is_ending = true;
	session_interrupt(s);
	session_announce_end(s);
}

/* Nothing awl writes is held back for lack of readers. */
void control_set_subscribers(struct session *s, const struct control_request *request)
{
	control_reply(s, request->id, (struct control_reply){ .kind = REPLY_DONE });
}

void control_reload_styles(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct control_reply reply = { .kind = REPLY_STYLES };

	session_styles_follow(s);
	reply.styles = session_styles_reply(s, &arena);
	control_reply(s, request->id, reply);
}

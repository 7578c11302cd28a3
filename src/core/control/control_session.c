/* Control requests about the session as a whole: its title, what it has used, its settings, its
 * end. */
#include "core/commands/commands_report.h"
#include "core/control/control.h"
#include "core/extend/session_styles.h"
#include "core/policy/project.h"
#include "core/session/session_internal.h"
#include "core/session/session_plan.h"
#include "core/session/session_prompts.h"
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
			   .duration_ms = loop_now(s->engine->loop) - s->opened_ms },
	};

	reply.usage.nmodels =
		costs_models(&reply.usage.models, &arena, &s->costs, s->engine->table);
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

/* Hosts may keep the effort of a model for the user. What else they may write elsewhere are output
 * styles, which awl does not have yet. */
static bool control_session_check_settings(const struct control_request *request, struct err *err)
{
	struct json settings = request->update_settings.settings;
	struct sv source = request->update_settings.source;
	bool is_users = request->update_settings.file == CONTROL_FILE_USER;
	struct json_iter it = json_each(settings);
	struct json value;
	struct sv key;

	if (request->update_settings.file == CONTROL_FILE_UNKNOWN)
		return err_set(err, ERR_INVALID, "a host cannot write to the settings \"%.*s\"",
			       SV_ARG(sv_slice(source, 0, min_of(source.len, (size_t)80))));
	if (!json_is(settings, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "\"settings\" must be an object, not %s",
			       json_type_name(json_type(settings)));
	while (json_next(&it, &key, &value))
		if (!is_users || !sv_is(key, "effortLevel"))
			return err_set(err, ERR_ACCESS, "a host cannot write \"%.*s\" to this file",
				       SV_ARG(sv_slice(key, 0, min_of(key.len, (size_t)80))));
	return true;
}

static bool control_session_write_setting(struct session *s, struct sv key, struct json value,
					  struct err *err)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	defer(str_clear) struct str json = STR_INIT;
	struct sv model = agent_next_model(s->agent);
	enum model_effort level = MODEL_EFFORT_DEFAULT;
	struct jw w;

	if (!json_is(value, JSON_NULL) &&
	    !model_effort_read(&level, json_str_or(value, SV_EMPTY), err))
		return false;
	if (level == MODEL_EFFORT_MAX)
		return true; /* for this session only */
	if (!json_is(value, JSON_NULL)) {
		jw_init(&w, &json, JW_COMPACT);
		jw_value(&w, value);
		jw_done(&w);
	}
	project_inspect(&project, s->engine->config_dir, s->shared.root, &s->sources.vouched_for);
	project.files.watch = s->sources.watch;
	return project_change(&project, settings_set, SETTINGS_USER,
			      JSON_STEPS(SV("modelSettings"), model, key), sv_of(&json), err);
}

void control_update_settings(struct session *s, const struct control_request *request)
{
	bool is_local = request->update_settings.file == CONTROL_FILE_LOCAL;
	struct json_iter it = json_each(request->update_settings.settings);
	struct json value;
	struct sv key;
	struct err err = ERR_INIT;
	bool fine = control_session_check_settings(request, &err);

	while (fine && json_next(&it, &key, &value))
		fine = control_session_write_setting(s, key, value, &err);
	if (fine)
		control_reply(s, request->id, (struct control_reply){ .kind = REPLY_OBJECT });
	else
		control_refuse(s, request->id, is_local ? "unsupported_request" : NULL,
			       sv_cstr(err.text));
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

/* What a session can be told: prompts, interrupts, answers, and the control requests of
 * hosts. */
#include "base/log.h"
#include "core/context_report.h"
#include "core/perm_update.h"
#include "core/policy.h"
#include "core/session.h"
#include "model/catalogue/catalogue.h"
#include "perm/rule/rules_describe.h"
#include "proto/message.h"
#include "text/json/json_write.h"

/* Takes `blocks`. What is a command of ours waits as such: it is not for the model. */
static void session_ops_add_waiting(struct session *s, struct str *blocks, struct sv text,
				    struct sv uuid, bool silent)
{
	struct session_waiting *w = vec_add(&s->waiting);
	struct err err = ERR_INIT;

	w->blocks = *blocks;
	*blocks = (struct str)STR_INIT;
	w->silent = silent;
	if (uuid_valid(uuid))
		str_add(&w->uuid, uuid);
	else
		str_adds(&w->uuid, uuid_v4(loop_rng(s->engine->loop)).text);
	if (session_is_command(text))
		str_add(&w->command, text);
	else if (s->transcript && !transcript_enqueue(s->transcript, sv_of(&w->uuid), text,
						      loop_wall(s->engine->loop), &err))
		log_warn("a prompt that waits is not kept: %s", err.text); /* told when it begins */
	if (s->jobs)
		jobs_announce(s->jobs);
	session_pump(s);
}

/* A service refuses a message of white space, and all that comes after it. */
static struct sv session_ops_something(struct sv text)
{
	return sv_trim(text).len ? text : SV("(empty message)");
}

void session_prompt(struct session *s, struct sv text)
{
	defer(str_clear) struct str blocks = STR_INIT;

	block_text(&blocks, session_ops_something(text));
	session_ops_add_waiting(s, &blocks, text, SV_EMPTY, false);
}

/* A message that comes again is the same one. */
static bool session_ops_is_repeated(struct session *s, struct sv uuid)
{
	return uuid.len && map_put(&s->seen, uuid, s);
}

static void session_ops_take_prompt(struct session *s, const struct input *in)
{
	defer(str_clear) struct str blocks = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;

	if (session_ops_is_repeated(s, in->uuid))
		return;
	if (in->now) {
		s->agent.is_superseded = s->turn != NULL;
		session_interrupt(s);
	}
	content_text(&text, in->content);
	if (json_is(in->content, JSON_STRING) || !json_len(in->content))
		block_text(&blocks, session_ops_something(sv_of(&text)));
	else
		content_blocks(&blocks, in->content);
	session_ops_add_waiting(s, &blocks, sv_of(&text), in->uuid, in->silent);
}

void session_interrupt(struct session *s)
{
	s->is_interrupted_early = s->surroundings != NULL;
	op_cancel(s->surroundings);
	op_cancel(s->turn);
}

bool session_is_idle(const struct session *s)
{
	return !s->turn && !s->surroundings && !s->waiting.n;
}

static void session_ops_reply(struct session *s, const struct input *in, struct sv json)
{
	session_tell(s, &(struct event){ .kind = EVENT_REPLY,
					 .reply = { .request_id = in->request_id, .json = json } });
}

static void session_ops_refuse(struct session *s, const struct input *in, const char *code,
			       struct sv why)
{
	session_tell(s, &(struct event){ .kind = EVENT_REPLY,
					 .reply = { .request_id = in->request_id,
						    .error = why,
						    .code = sv_cstr(code) } });
}

bool session_set_mode(struct session *s, struct sv name, struct err *err)
{
	enum perm_mode mode;

	if (!perm_mode_read(&mode, name, err))
		return false;
	if (mode == PERM_BYPASS && !s->may_bypass)
		return err_set(err, ERR_ACCESS,
			       "this session was not started so that permissions may be bypassed");
	if (policy_disables(s->settings, mode))
		return err_set(err, ERR_ACCESS, "the settings disable mode %s",
			       perm_mode_name(mode));
	s->policy.mode = mode;
	return true;
}

void session_tell_mode(struct session *s)
{
	session_tell(s, &(struct event){ .kind = EVENT_STATUS,
					 .status = { .permission_mode = sv_cstr(
							     perm_mode_name(s->policy.mode)) } });
}

static void session_ops_set_mode(struct session *s, const struct input *in)
{
	defer(str_clear) struct str json = STR_INIT;
	struct err err = ERR_INIT;

	if (!session_set_mode(s, in->value, &err)) {
		session_ops_refuse(s, in,
				   err.kind == ERR_INVALID ? "invalid_mode"
				   : !s->may_bypass        ? "bypass_not_launched"
							   : NULL,
				   sv_cstr(err.text));
		return;
	}
	str_addf(&json, "{\"mode\":\"%s\"}", perm_mode_name(s->policy.mode));
	session_ops_reply(s, in, sv_of(&json));
	session_tell_mode(s);
}

static void session_ops_set_thinking(struct session *s, int64_t tokens)
{
	s->agent.thinking = tokens > 0   ? MODEL_THINK_BUDGET
			    : tokens < 0 ? MODEL_THINK_ADAPTIVE
					 : MODEL_THINK_OFF;
	s->agent.thinking_budget = max_of(tokens, (int64_t)0);
}

void session_answer(struct session *s, struct sv request_id, const struct answer_given *answer)
{
	if (asker_answer(&s->asker, request_id, answer) && !s->asker.first)
		session_tell_state(s, "running");
}

static void session_ops_take_updates(struct session *s, struct json updates)
{
	defer(str_clear) struct str notes = STR_INIT;

	perm_updates_apply(s, updates, &notes);
	if (notes.len)
		session_inform(s, "warning", sv_of(&notes));
}

static void session_ops_answer_question(struct session *s, const struct input *in)
{
	defer(str_clear) struct str json = STR_INIT;
	struct answer_given answer = { .allow = in->allow,
				       .interrupt = in->interrupt,
				       .message = in->message };
	defer(str_clear) struct str excuse = STR_INIT;
	struct jw w;

	if (in->fault.kind != ERR_NONE) {
		log_warn("no answer to a question of permission: %s", in->fault.text);
		str_addf(&excuse, "Not run: who is asked for permission could not answer. %s",
			 in->fault.text);
		answer.message = sv_of(&excuse);
	}
	if (in->allow && asker_is_open(&s->asker, in->request_id))
		session_ops_take_updates(s, in->updated_permissions);
	if (json_is(in->updated_input, JSON_OBJECT)) {
		jw_init(&w, &json, JW_COMPACT);
		jw_value(&w, in->updated_input);
		jw_done(&w);
		answer.new_input = sv_of(&json);
	}
	session_answer(s, in->request_id, &answer);
}

/* The host's own prompt comes as a list of texts; an empty one is one too. */
static void session_ops_take_prompts_of_host(struct session *s, struct json request)
{
	defer(str_clear) struct str custom = STR_INIT;
	struct json list = json_get(request, "systemPrompt");
	struct sv append = json_str_or(json_get(request, "appendSystemPrompt"), SV_EMPTY);
	struct json_iter it = json_each(list);
	struct json item;

	if (s->has_asked || (!json_exists(list) && !append.len))
		return;
	while (json_next(&it, NULL, &item)) {
		struct sv text = json_str_or(item, SV_EMPTY);

		if (sv_is(text, "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__"))
			continue;
		str_addf(&custom, "%s%.*s", custom.len ? "\n\n" : "", SV_ARG(text));
	}
	session_write_prompt(s, json_exists(list) ? str_c(&custom) : NULL, append.ptr);
}

static void session_ops_set_model(struct session *s, const struct input *in)
{
	defer(str_clear) struct str json = STR_INIT;
	struct err err = ERR_INIT;
	struct jw w;

	if (!session_choose_model(s, in->value, &err)) {
		session_ops_refuse(s, in, NULL, sv_cstr(err.text));
		return;
	}
	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "model", session_next_model(s));
	jw_end(&w);
	jw_done(&w);
	session_ops_reply(s, in, sv_of(&json));
}

static void session_ops_initialize(struct session *s, const struct input *in)
{
	defer(str_clear) struct str json = STR_INIT;
	size_t n;
	const struct sv *commands = session_commands(&n);
	struct jw w;

	session_ops_take_prompts_of_host(s, in->request);
	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_array(&w, "commands");
	for (size_t i = 0; i < n; i++) {
		jw_object(&w);
		jw_put_str(&w, "name", commands[i]);
		jw_put_str(&w, "description", session_command_help(commands[i]));
		jw_put_str(&w, "argumentHint", SV_EMPTY);
		jw_end(&w);
	}
	jw_end(&w);
	jw_put_raw(&w, "agents", SV("[]"));
	jw_key(&w, SV("models"));
	model_catalogue_write(&w, &s->engine->config, &s->rules);
	jw_put_str(&w, "output_style", SV("default"));
	jw_put_raw(&w, "available_output_styles", SV("[\"default\"]"));
	jw_put_object(&w, "account");
	model_account_write(&w, &s->engine->config);
	jw_end(&w);
	jw_put_str(&w, "current_permission_mode", sv_cstr(perm_mode_name(s->policy.mode)));
	jw_end(&w);
	jw_done(&w);
	session_ops_reply(s, in, sv_of(&json));
}

static void session_ops_list_models(struct session *s, const struct input *in)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_key(&w, SV("models"));
	model_catalogue_write(&w, &s->engine->config, &s->rules);
	jw_end(&w);
	jw_done(&w);
	session_ops_reply(s, in, sv_of(&json));
}

static void session_ops_say_context_usage(struct session *s, const struct input *in)
{
	struct model_info info = model_info(s->engine->table, session_next_model(s));
	defer(str_clear) struct str json = STR_INIT;

	context_report_write(&json,
			     &(struct context_facts){ .model = session_next_model(s),
						      .counted = s->agent.context_tokens,
						      .window = info.context,
						      .system = s->agent.system.len,
						      .tools = toolset_bytes(&s->agent.tools),
						      .messages = s->agent.history.bytes,
						      .instructions = s->instructions,
						      .told = s->instructions_told });
	session_ops_reply(s, in, sv_of(&json));
}

/* Whether there is one or not: what is wanted is that it does not run. */
static void session_ops_stop_task(struct session *s, const struct input *in)
{
	const struct job *job = s->jobs ? jobs_find(s->jobs, in->value) : NULL;
	defer(str_clear) struct str text = STR_INIT;

	if (job && job->state == JOB_RUNNING) {
		jobs_stop(s->jobs, job);
		str_addf(&text, "The command in the background %s was stopped by the user.",
			 job->id);
		session_inform(s, "notice", sv_of(&text));
		session_note(s, sv_of(&text));
	}
	session_ops_reply(s, in, SV("{}"));
}

/* --- settings ----------------------------------------------------------------- */

static void session_ops_say_settings(struct session *s, const struct input *in)
{
	const char *effort = model_effort_name(
		model_rules_effort(&s->rules, session_next_model(s), s->agent.asked_effort));
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	settings_write(&w, s->settings);
	jw_put_object(&w, "applied");
	jw_put_str(&w, "model", session_next_model(s));
	if (effort)
		jw_put_str(&w, "effort", sv_cstr(effort));
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	session_ops_reply(s, in, sv_of(&json));
}

static void session_ops_apply_settings(struct session *s, const struct input *in)
{
	struct json changes = json_get(in->request, "settings");
	struct json model = json_get(changes, "model");
	struct err err = ERR_INIT;

	if (!session_change_settings(s, changes, &err)) {
		session_ops_refuse(s, in, NULL, sv_cstr(err.text));
		return;
	}
	if (json_exists(model) && !session_choose_model(s, json_str_or(model, SV_EMPTY), &err))
		session_note_start(s, sv_cstr(err.text)); /* as of one in a file */
	session_ops_reply(s, in, SV_EMPTY);
	if (s->has_asked)
		session_tell_notes(s);
}

static void session_ops_list_rules(struct session *s, const struct input *in)
{
	defer(str_clear) struct str json = STR_INIT;

	perm_write_rules(&json, &s->policy, policy_is_managed(s->settings));
	session_ops_reply(s, in, sv_of(&json));
}

static void session_ops_carry_out(struct session *s, const struct input *in)
{
	defer(str_clear) struct str error = STR_INIT;

	switch (in->kind) {
	case INPUT_IGNORED:
	case INPUT_CANCEL: return;
	case INPUT_PROMPT: session_ops_take_prompt(s, in); return;
	case INPUT_ANSWER: session_ops_answer_question(s, in); return;
	case INPUT_INTERRUPT:
		session_interrupt(s);
		session_ops_reply(s, in, SV_EMPTY);
		return;
	case INPUT_SET_MODEL: session_ops_set_model(s, in); return;
	case INPUT_SET_MODE: session_ops_set_mode(s, in); return;
	case INPUT_SET_THINKING:
		session_ops_set_thinking(s, in->number);
		session_ops_reply(s, in, SV_EMPTY);
		return;
	case INPUT_GET_SETTINGS: session_ops_say_settings(s, in); return;
	case INPUT_APPLY_SETTINGS: session_ops_apply_settings(s, in); return;
	case INPUT_LIST_RULES: session_ops_list_rules(s, in); return;
	case INPUT_LIST_MODELS: session_ops_list_models(s, in); return;
	case INPUT_CONTEXT_USAGE: session_ops_say_context_usage(s, in); return;
	case INPUT_STOP_TASK: session_ops_stop_task(s, in); return;
	case INPUT_INITIALIZE: session_ops_initialize(s, in); return;
	case INPUT_UNKNOWN:
		str_addf(&error, "Unsupported control request subtype: %.*s", SV_ARG(in->subtype));
		session_ops_refuse(s, in, "unsupported_request", sv_of(&error));
		return;
	}
}

bool session_take(struct session *s, struct sv line, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(line, 0, err);
	struct input in;

	if (!doc || !input_read(&in, json_root(doc), err))
		return false;
	session_ops_carry_out(s, &in);
	return true;
}

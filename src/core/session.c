#include "core/session.h"

#include "core/surroundings.h"
#include "core/turn.h"
#include "proto/message.h"
#include "text/iso_time.h"
#include "text/json_write.h"

/* --- events out ----------------------------------------------------------------- */

static void emit(struct session *s, const struct event *event, struct sv uuid)
{
	defer(str_clear) struct str json = STR_INIT;
	struct uuid fresh;
	struct event stamped = *event;
	struct iso_time now = iso_time(loop_wall(s->engine->loop));

	if (s->is_closed)
		return;
	if (event->kind == EVENT_ASSISTANT || event->kind == EVENT_USER)
		stamped.message.timestamp = sv_cstr(now.text);
	if (!uuid.len) {
		fresh = uuid_v4(loop_rng(s->engine->loop));
		uuid = sv_cstr(fresh.text);
	}
	event_write(&json, &stamped, uuid, sv_cstr(s->id.text));
	s->on_event(s->arg, event, sv_of(&json));
}

void session_tell(struct session *s, const struct event *event)
{
	emit(s, event, SV_EMPTY);
}

void session_inform(struct session *s, const char *level, struct sv text)
{
	session_tell(s, &(struct event){ .kind = EVENT_INFORMATIONAL,
					 .info = { .text = text, .level = sv_cstr(level) } });
}

static void tell_state(struct session *s, const char *state)
{
	session_tell(s, &(struct event){ .kind = EVENT_STATE,
					 .state = { .state = sv_cstr(state), .host_only = true } });
}

static void on_agent_event(void *arg, const struct event *event, struct sv uuid)
{
	emit(arg, event, uuid);
}

/* --- the transcript --------------------------------------------------------------- */

static bool complain_once(struct session *s, const struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!s->is_kept_badly) {
		s->is_kept_badly = true;
		str_addf(&text, "This session is not being saved: %s", err->text);
		session_inform(s, "warning", sv_of(&text));
	}
	return false;
}

static bool on_record(void *arg, const struct transcript_record *record)
{
	struct session *s = arg;
	struct transcript_record full = *record;
	struct err err = ERR_INIT;

	if (!s->transcript)
		return true;
	full.git_branch = sv_of(&s->branch);
	full.permission_mode = sv_cstr(perm_mode_name(s->policy.mode));
	if (!transcript_add(s->transcript, &full, &err))
		return complain_once(s, &err);
	s->is_kept_badly = false;
	return true;
}

static void on_rewind(void *arg, struct sv uuid)
{
	struct session *s = arg;

	if (s->transcript)
		transcript_rewind(s->transcript, uuid);
}

static void note_state(struct session *s)
{
	defer(str_clear) struct str note = STR_INIT;
	struct err err = ERR_INIT;

	if (!s->transcript || s->is_kept_badly)
		return;
	costs_note(&note, &s->costs, sv_cstr(s->id.text));
	if (!transcript_note(s->transcript, sv_of(&note), &err) ||
	    !transcript_sync(s->transcript, &err))
		complain_once(s, &err);
}

static void on_used(void *arg, struct sv model, const struct usage *usage, int64_t api_ms)
{
	struct session *s = arg;

	costs_add(&s->costs, s->engine->table, model, usage, api_ms);
}

/* --- prompts in ------------------------------------------------------------------ */

static void waiting_clear(struct session_waiting *w)
{
	str_clear(&w->blocks);
	str_clear(&w->uuid);
}

/* Says what waits into the history; how many messages. */
static size_t hear_waiting(void *arg)
{
	struct session *s = arg;
	size_t n = s->waiting.n;

	for (size_t i = 0; i < n; i++) {
		struct session_waiting *w = &s->waiting.at[i];

		(void)!agent_hear(&s->agent, &(struct said){ .block = sv_of(&w->blocks),
							     .uuid = sv_of(&w->uuid),
							     .quiet = true,
							     .durable = i + 1 == n });
		waiting_clear(w);
	}
	s->waiting.n = 0;
	return n;
}

static void hear_meta(struct session *s, struct sv text)
{
	defer(str_clear) struct str block = STR_INIT;

	if (!text.len)
		return;
	block_text(&block, text);
	(void)!agent_hear(&s->agent,
			  &(struct said){ .block = sv_of(&block), .is_meta = true, .quiet = true });
}

/* Instruction files that have not been told yet. */
static void hear_instructions(struct session *s)
{
	defer(str_clear) struct str text = STR_INIT;
	size_t n = s->instructions ? instructions_count(s->instructions) : 0;

	if (n > s->instructions_told)
		instructions_write(&text, s->instructions, s->instructions_told);
	s->instructions_told = n;
	hear_meta(s, sv_of(&text));
}

/* Those of a folder that is touched for the first time. They wait until the results
 * are in: nothing may stand between a call and its result. */
static void on_touched(void *arg, struct sv path)
{
	struct session *s = arg;

	if (s->instructions)
		(void)instructions_touch(s->instructions, path);
}

static size_t take_waiting(void *arg)
{
	hear_instructions(arg);
	return hear_waiting(arg);
}

/* --- a turn ------------------------------------------------------------------------- */

static void tell_init(struct session *s)
{
	VEC(struct sv) tools = VEC_INIT;
	struct event event = { .kind = EVENT_INIT };

	for (size_t i = 0; i < s->agent.tools.entries.n; i++)
		vec_push(&tools, sv_cstr(s->agent.tools.entries.at[i].tool->name));
	event.init = (struct event_init){
		.cwd = sv_of(&s->agent.room.cwd),
		.model = sv_of(&s->agent.model),
		.permission_mode = sv_cstr(perm_mode_name(s->policy.mode)),
		.api_key_source = sv_cstr(
			s->engine->config.auth_origin ? s->engine->config.auth_origin : "none"),
		.version = SV(AWL_VERSION),
		.tools = tools.at,
		.ntools = tools.n,
		.dirs = s->policy.dirs.n > 1 ? &s->policy.dirs.at[1] : NULL,
		.ndirs = s->policy.dirs.n > 1 ? s->policy.dirs.n - 1 : 0,
	};
	event.init.commands = session_commands(&event.init.ncommands);
	session_tell(s, &event);
	vec_clear(&tools);
}

static void vanish(struct session *s);

static void on_turn(struct op *op, void *owner, __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->turn = NULL;
	note_state(s);
	session_tell_result(s, turn_outcome(op));
	if (s->is_closed) {
		vanish(s);
		return;
	}
	if (!s->waiting.n)
		tell_state(s, "idle");
	session_pump(s);
}

/* What was noticed before anybody listened. */
static void tell_notes(struct session *s)
{
	struct sv rest = sv_of(&s->notes), line;

	while (sv_cut_line(&rest, &line))
		session_inform(s, "notice", line);
	str_truncate(&s->notes, 0);
}

/* Instruction files that were left out, in whole or in part, since the last turn. */
static void tell_left_out(struct session *s)
{
	struct sv notes = s->instructions ? instructions_notes(s->instructions) : SV_EMPTY, line;
	struct sv fresh = sv_skip(notes, s->left_out_told);

	while (sv_cut_line(&fresh, &line))
		session_inform(s, "notice", line);
	s->left_out_told = notes.len;
}

static bool only_silent(const struct session *s)
{
	for (size_t i = 0; i < s->waiting.n; i++) {
		if (!s->waiting.at[i].silent)
			return false;
	}
	return true;
}

static void begin_turn(struct session *s)
{
	bool silent = only_silent(s);

	tell_init(s);
	tell_notes(s);
	tell_left_out(s);
	hear_instructions(s);
	hear_waiting(s);
	if (silent) {
		session_tell_local_result(s, "", SV_EMPTY);
		tell_state(s, "idle");
		return;
	}
	s->turn = turn_start(&s->agent, THEN(on_turn, s));
}

static void on_surroundings(struct op *op, void *owner, const struct err *why)
{
	struct session *s = owner;

	s->surroundings = NULL;
	if (s->is_closed) {
		vanish(s);
		return;
	}
	s->knows_surroundings = true;
	if (!why) {
		str_add(&s->branch, surroundings_branch(op));
		hear_meta(s, surroundings_text(op));
	}
	begin_turn(s);
	if (s->is_interrupted_early)
		op_cancel(s->turn);
	s->is_interrupted_early = false;
}

static void look_around(struct session *s)
{
	struct model_info info = model_info(s->engine->table, sv_of(&s->agent.model));
	struct surroundings_opts opts = {
		.cwd = str_c(&s->agent.room.cwd),
		.dirs = s->policy.dirs.at,
		.ndirs = s->policy.dirs.n,
		.model_id = sv_of(&s->agent.model),
		.model_name = info.name,
		.wall_ms = loop_wall(s->engine->loop),
		.env = s->engine->child_env.at,
		.git = true,
	};

	s->surroundings = surroundings_start(s->engine->loop, &opts, THEN(on_surroundings, s));
}

void session_pump(struct session *s)
{
	if (s->is_closed || s->turn || s->surroundings || !s->waiting.n)
		return;
	tell_state(s, "running");
	if (s->knows_surroundings)
		begin_turn(s);
	else
		look_around(s);
}

/* --- ops ----------------------------------------------------------------------------- */

static void add_waiting(struct session *s, struct str *blocks, struct sv uuid, bool silent)
{
	struct session_waiting *w = vec_add(&s->waiting);

	w->blocks = *blocks;
	*blocks = (struct str)STR_INIT;
	w->silent = silent;
	str_add(&w->uuid, uuid);
	session_pump(s);
}

/* A service refuses a message of white space, and all that comes after it. */
static struct sv something(struct sv text)
{
	return sv_trim(text).len ? text : SV("(empty message)");
}

void session_prompt(struct session *s, struct sv text)
{
	defer(str_clear) struct str blocks = STR_INIT;

	if (!s->turn && !s->surroundings && session_command(s, text))
		return;
	block_text(&blocks, something(text));
	add_waiting(s, &blocks, SV_EMPTY, false);
}

static void take_prompt(struct session *s, const struct input *in)
{
	defer(str_clear) struct str blocks = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;

	if (in->now)
		session_interrupt(s);
	content_text(&text, in->content);
	if (!s->turn && !s->surroundings && session_command(s, sv_of(&text)))
		return;
	if (json_is(in->content, JSON_STRING) || !json_len(in->content))
		block_text(&blocks, something(sv_of(&text)));
	else
		content_blocks(&blocks, in->content);
	add_waiting(s, &blocks, in->uuid, in->silent);
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

static void reply(struct session *s, struct sv request_id, struct sv json, const char *error)
{
	session_tell(s, &(struct event){ .kind = EVENT_REPLY,
					 .reply = { .request_id = request_id,
						    .json = json,
						    .error = sv_cstr(error) } });
}

static void set_mode(struct session *s, const struct input *in)
{
	struct err err = ERR_INIT;

	if (!perm_mode_read(&s->policy.mode, in->value, &err)) {
		reply(s, in->request_id, SV_EMPTY, err.text);
		return;
	}
	reply(s, in->request_id, SV_EMPTY, NULL);
	session_tell(s, &(struct event){ .kind = EVENT_STATUS,
					 .status = { .permission_mode = sv_cstr(
							     perm_mode_name(s->policy.mode)) } });
}

static void set_thinking(struct session *s, int64_t tokens)
{
	s->agent.thinking = tokens > 0   ? MODEL_THINK_BUDGET
			    : tokens < 0 ? MODEL_THINK_ADAPTIVE
					 : MODEL_THINK_OFF;
	s->agent.thinking_budget = max_of(tokens, (int64_t)0);
}

void session_answer(struct session *s, struct sv request_id, const struct answer_given *answer)
{
	if (asker_answer(&s->asker, request_id, answer) && !s->asker.first)
		tell_state(s, "running");
}

static void answer_question(struct session *s, const struct input *in)
{
	defer(str_clear) struct str json = STR_INIT;
	struct answer_given answer = { .allow = in->allow,
				       .interrupt = in->interrupt,
				       .message = in->message };
	struct jw w;

	if (json_is(in->updated_input, JSON_OBJECT)) {
		jw_init(&w, &json, JW_COMPACT);
		jw_value(&w, in->updated_input);
		jw_done(&w);
		answer.new_input = sv_of(&json);
	}
	session_answer(s, in->request_id, &answer);
}

static void carry_out(struct session *s, const struct input *in)
{
	defer(str_clear) struct str error = STR_INIT;

	switch (in->kind) {
	case INPUT_IGNORED:
	case INPUT_CANCEL: return;
	case INPUT_PROMPT: take_prompt(s, in); return;
	case INPUT_ANSWER: answer_question(s, in); return;
	case INPUT_INTERRUPT:
		session_interrupt(s);
		reply(s, in->request_id, SV_EMPTY, NULL);
		return;
	case INPUT_SET_MODEL:
		agent_set_model(&s->agent,
				engine_model(s->engine, in->value.len ? in->value.ptr : NULL));
		reply(s, in->request_id, SV_EMPTY, NULL);
		return;
	case INPUT_SET_MODE: set_mode(s, in); return;
	case INPUT_SET_THINKING:
		set_thinking(s, in->number);
		reply(s, in->request_id, SV_EMPTY, NULL);
		return;
	case INPUT_INITIALIZE:
		reply(s, in->request_id, SV("{\"commands\":[],\"models\":[],\"agents\":[]}"), NULL);
		return;
	case INPUT_UNKNOWN:
		str_addf(&error, "Unsupported control request subtype: %.*s", SV_ARG(in->subtype));
		reply(s, in->request_id, SV_EMPTY, error.ptr);
		return;
	}
}

bool session_take(struct session *s, struct sv line, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(line, 0, err);
	struct input in;

	if (!doc || !input_read(&in, json_root(doc), err))
		return false;
	carry_out(s, &in);
	return true;
}

/* --- questions ------------------------------------------------------------------------ */

static void show_question(void *arg, const struct event_ask *ask)
{
	struct session *s = arg;

	tell_state(s, "requires_action");
	session_tell(s, &(struct event){ .kind = EVENT_ASK, .ask = *ask });
}

static void withdraw_question(void *arg, struct sv request_id)
{
	struct session *s = arg;

	session_tell(s, &(struct event){ .kind = EVENT_ASK_CANCEL,
					 .ask = { .request_id = request_id } });
	if (!s->asker.first)
		tell_state(s, "running");
}

/* --- its life ---------------------------------------------------------------------------- */

static void session_free(struct session *s)
{
	for (size_t i = 0; i < s->waiting.n; i++)
		waiting_clear(&s->waiting.at[i]);
	vec_clear(&s->waiting);
	agent_clear(&s->agent);
	transcript_free(s->transcript);
	instructions_free(s->instructions);
	perm_policy_clear(&s->policy);
	costs_clear(&s->costs);
	str_clear(&s->branch);
	str_clear(&s->notes);
	free((char *)s->agent.room.root);
	free(s->results_dir);
	free(s->path);
	free(s);
}

struct session *session_new(struct engine *engine, const struct awl_session_options *options,
			    session_event_fn *on_event, void *arg, struct err *err)
{
	struct session *s = xnew(struct session);

	s->engine = engine;
	s->on_event = on_event;
	s->arg = arg;
	s->policy = (struct perm_policy)PERM_POLICY_INIT;
	s->costs = (struct costs)COSTS_INIT;
	agent_init(&s->agent, engine->loop);
	asker_init(&s->asker, engine->loop);
	s->asker.show = show_question;
	s->asker.withdraw = withdraw_question;
	s->asker.arg = s;
	s->agent.listener = (struct agent_listener){
		.arg = s,
		.event = on_agent_event,
		.record = on_record,
		.rewind = on_rewind,
		.used = on_used,
		.take_waiting = take_waiting,
		.touched = on_touched,
	};
	if (!session_configure(s, options, err)) {
		session_free(s);
		return NULL;
	}
	s->next = engine->sessions;
	engine->sessions = s;
	return s;
}

static void vanish(struct session *s)
{
	struct session **at = &s->engine->sessions;
	void (*on_gone)(void *arg) = s->on_gone;
	void *arg = s->arg;

	if (s->turn || s->surroundings)
		return;
	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	session_free(s);
	if (on_gone)
		on_gone(arg);
}

void session_close(struct session *s, void (*on_gone)(void *arg))
{
	s->is_closed = true;
	s->on_gone = on_gone;
	op_cancel(s->turn);
	op_cancel(s->surroundings);
	vanish(s);
}

void session_reset(struct session *s)
{
	history_clear(&s->agent.history);
	costs_clear(&s->costs);
	str_truncate(&s->agent.room.todos, 0);
	s->agent.repeats = (struct repeats){ .n = 0 };
	s->agent.context_tokens = 0;
	s->agent.context_bytes = 0;
	s->agent.last_record = (struct uuid){ .text = "" };
	s->knows_surroundings = false;
	s->instructions_told = 0;
	str_truncate(&s->branch, 0);
	s->id = uuid_v4(loop_rng(s->engine->loop));
	if (s->path)
		session_place(s);
	session_open_transcript(s);
}

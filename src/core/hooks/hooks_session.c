/* Hooks of the session itself: SessionStart, SessionEnd and Notification. */
#include "core/commands/session_commands.h"
#include "core/hooks/hooks.h"
#include "core/hooks/session_hooks.h"
#include "core/session/session_host.h"
#include "core/session/session_prompts.h"
#include "sys/fs.h"
#include "sys/timer.h"
#include "text/shell_words.h"
#include "tool/shell/shell_env.h"

/* --- SessionStart ----------------------------------------------------------------------------- */

static void hooks_session_apply_start(struct session *s, const struct hook_answer *answer,
				      __attribute__((unused)) void *point)
{
	hooks_take_title(s, answer->session_title);
	hook_answer_context(answer, &s->handlers->context);
	hooks_watch_paths(s, answer);
	if (answer->reloads_skills)
		session_command_files(s, true); /* which tells the host */
	if (sv_trim(answer->first_prompt).len)
		session_prompt_first(s, answer->first_prompt);
}

static struct hook_input hooks_session_start_input(struct session *s)
{
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_SESSION_START);

	in.model = agent_model(s->agent);
	in.session_title = sv_of(&s->conversation.title);
	return in;
}

/* What sending the resumed conversation again will cost. */
static void hooks_session_describe_resumed(const struct session *s, struct hook_input *in)
{
	struct model_info info = model_info(s->engine->table, in->model);
	int64_t age_ms = loop_wall(s->engine->loop) - s->conversation.answered_ms;

	in->context_tokens = agent_context_tokens(s->agent);
	in->estimated_cache_write_usd = hooks_estimate_usd(s, &info, in->context_tokens);
	if (!s->conversation.answered_ms || age_ms < 0)
		return;
	in->seconds_since_last_response = (age_ms + 999) / 1000; /* 0 is unknown */
	in->prompt_cache_likely_expired = age_ms > hooks_cache_ms(s) ? HOOK_YES : HOOK_NO;
}

static void hooks_session_start(struct session *s)
{
	struct hook_input in = hooks_session_start_input(s);

	in.source = sv_cstr(s->handlers->source);
	if (sv_is(in.source, "resume") || sv_is(in.source, "fork"))
		hooks_session_describe_resumed(s, &in);
	s->handlers->barrier = session_hooks_start(s, &in, hooks_session_apply_start, NULL,
						   THEN(session_hooks_on_barrier, s));
}

struct op *hooks_restart(struct session *s, const char *source, struct then then)
{
	struct hook_input in = hooks_session_start_input(s);

	in.source = sv_cstr(source);
	return session_hooks_start(s, &in, hooks_session_apply_start, NULL, then);
}

/* What had to run first is over. */
static void hooks_session_on_ready(struct op *op, void *owner, const struct err *why)
{
	struct session *s = owner;

	s->handlers->barrier = NULL;
	if (!session_is_closed(s))
		hooks_session_start(s);
	if (!s->handlers->barrier)
		session_hooks_on_barrier(op, owner, why);
}

/* Whether a hook may want to write variables for commands. */
static bool hooks_session_needs_env_file(const struct session *s)
{
	for (int i = 0; i < HOOK_EVENTS; i++)
		if (hook_event_info((enum hook_event)i)->gets_env_file &&
		    hooks_has(s->handlers->engine, (enum hook_event)i))
			return true;
	return false;
}

/* The file begins by reading the user's own. */
static bool hooks_session_write_env_file(const char *dir, const char *path, const char *own,
					 struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	if (own && own[0] == '/') {
		str_adds(&text, ". ");
		shell_words_quote(&text, sv_cstr(own));
		str_addc(&text, '\n');
	}
	return fs_mkdirs(dir, 0700, err) &&
	       fs_write(path, sv_of(&text), (struct fs_write){ .mode = 0600 }, err);
}

/* Make the file in which hooks leave variables for the commands of this session. */
static void hooks_session_make_env_file(struct session *s)
{
	struct session_hooks *h = s->handlers;
	defer(str_clear) struct str dir = STR_INIT, path = STR_INIT;
	struct err err = ERR_INIT;

	if (h->env_dir || !s->engine->config_dir || !hooks_session_needs_env_file(s))
		return;
	str_addf(&dir, "%s/session-env/%s", s->engine->config_dir, s->conversation.id.text);
	str_addf(&path, "%s/hooks.sh", dir.ptr);
	if (!hooks_session_write_env_file(dir.ptr, path.ptr,
					  shell_env_get(&s->shared, "CLAUDE_ENV_FILE"), &err)) {
		err_context(&err, "Hooks cannot set variables for commands");
		session_add_notice(s, sv_cstr(err.text));
		return;
	}
	h->env_dir = str_detach(&dir);
	h->env_file = str_detach(&path);
	hooks_set_env_file(h->engine, h->env_file);
	s->shared.hook_env_file = h->env_file;
}

void hooks_start_session(struct session *s, const char *source, const char *setup)
{
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_SETUP);

	s->handlers->source = source;
	hooks_session_make_env_file(s);
	hooks_check_cwd(s);
	hooks_watch_matched(s);
	in.trigger = sv_cstr(setup);
	if (setup)
		s->handlers->barrier = session_hooks_start(s, &in, hooks_session_apply_start, NULL,
							   THEN(hooks_session_on_ready, s));
	if (!s->handlers->barrier)
		hooks_session_start(s);
}

/* --- SessionEnd ------------------------------------------------------------------------------- */

static struct hook_input hooks_session_end_input(const struct session *s, const char *reason)
{
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_SESSION_END);

	in.reason = sv_cstr(reason);
	return in;
}

static void hooks_session_on_ended(__attribute__((unused)) struct op *op, void *owner,
				   __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->handlers->ending = NULL;
	session_settle(s);
}

void hooks_skip_session(struct session *s)
{
	s->handlers->has_ended = true;
}

bool hooks_end_session(struct session *s)
{
	struct hook_input in = hooks_session_end_input(
		s, session_is_at_terminal(s) ? "prompt_input_exit" : "other");

	if (s->handlers->has_ended)
		return true;
	s->handlers->has_ended = true;
	s->handlers->ending =
		session_hooks_start(s, &in, NULL, NULL, THEN(hooks_session_on_ended, s));
	return !s->handlers->ending;
}

void hooks_clear_session(struct session *s)
{
	struct hook_input in = hooks_session_end_input(s, "clear");

	s->handlers->barrier =
		session_hooks_start(s, &in, NULL, NULL, THEN(hooks_session_on_ready, s));
	hooks_guest_remove(s, HOOK_FROM_SKILL, SV_EMPTY);
}

/* --- Notification ----------------------------------------------------------------------------- */

/* Run the hooks for what the user should look at. */
static void hooks_notify(struct session *s, const char *type, struct sv message)
{
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_NOTIFICATION);

	in.notification_type = sv_cstr(type);
	in.message = message;
	session_hooks_fire(s, &in, NULL);
}

/* How long a session may rest before the user is reminded of it. */
enum { IDLE_MS = 60 * 1000 };

static void hooks_session_on_idle(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct session *s = owner;
	struct session_hooks *h = s->handlers;
	int64_t left = h->rests_since_ms + IDLE_MS - loop_now(s->engine->loop);

	h->idle = NULL;
	if (session_is_closed(s))
		session_settle(s);
	if (why || session_is_closed(s) || !session_is_idle(s))
		return;
	if (left > 0)
		h->idle = timer_start(s->engine->loop, left, THEN(hooks_session_on_idle, s));
	else
		hooks_notify(s, "idle_prompt", SV("awl is waiting for your input"));
}

/* Whether a hook wants to remind the user. A timer for nobody would be a wake-up for nothing. */
static bool hooks_session_reminds(const struct session *s)
{
	hook_list list = VEC_INIT;
	bool reminds;

	if (!s->kind.has_user || !hooks_has(s->handlers->engine, HOOK_NOTIFICATION))
		return false;
	hook_set_select(hooks_set(s->handlers->engine), HOOK_NOTIFICATION, SV("idle_prompt"),
			&list);
	reminds = list.n;
	vec_clear(&list);
	return reminds;
}

void hooks_rest(struct session *s)
{
	struct session_hooks *h = s->handlers;

	h->rests_since_ms = loop_now(s->engine->loop);
	if (!h->idle && hooks_session_reminds(s))
		h->idle = timer_start(s->engine->loop, IDLE_MS, THEN(hooks_session_on_idle, s));
}

void hooks_notify_question(struct session *s, const struct host_request *request)
{
	defer(str_clear) struct str text = STR_INIT;

	if (request->kind != HOST_CAN_USE_TOOL)
		return;
	str_addf(&text, "awl needs your permission to use %.*s", SV_ARG(request->permission.tool));
	hooks_notify(s, "permission_prompt", sv_of(&text));
}

#include "proto/background.h"

static const char job_state_names[JOB_STATES][8] = { "working", "blocked", "idle",
						     "done",    "failed",  "stopped" };
static const char background_kind_names[BACKGROUND_KINDS][8] = {
	"hello",  "start",  "list", "watch", "send",  "stop",
	"remove", "attach", "jobs", "done",  "error",
};

const char *job_state_name(enum job_state state)
{
	return job_state_names[state];
}

const char *job_state_title(enum job_state state)
{
	static const char titles[JOB_STATES][12] = { "working",  "needs input", "idle",
						     "finished", "failed",      "stopped" };

	return titles[state];
}

/* --- writing -------------------------------------------------------------------------- */

static void background_put(struct jw *w, const char *key, struct sv text)
{
	if (text.len)
		jw_put_str(w, key, text);
}

static void background_put_list(struct jw *w, const char *key, const struct sv *at, size_t n)
{
	if (!n)
		return;
	jw_put_array(w, key);
	for (size_t i = 0; i < n; i++)
		jw_str(w, at[i]);
	jw_end(w);
}

void job_info_write(struct jw *w, const struct job_info *info)
{
	jw_object(w);
	background_put(w, "id", info->id);
	background_put(w, "session", info->session);
	background_put(w, "name", info->name);
	background_put(w, "model", info->model);
	background_put(w, "mode", info->mode);
	background_put(w, "cwd", info->cwd);
	background_put(w, "prompt", info->prompt);
	background_put(w, "text", info->text);
	background_put(w, "waiting", info->waiting);
	background_put(w, "question", info->question);
	background_put(w, "error", info->error);
	jw_put_str(w, "state", sv_cstr(job_state_name(info->state)));
	jw_put_int(w, "started", info->started_ms);
	jw_put_int(w, "updated", info->updated_ms);
	if (info->pid)
		jw_put_int(w, "pid", info->pid);
	jw_put_real(w, "cost", info->cost_usd);
	background_put_list(w, "flags", info->flags, info->nflags);
	jw_end(w);
}

struct job_info job_info_copy(struct arena *arena, const struct job_info *from)
{
	struct job_info copy = *from;
	struct sv *texts[] = { &copy.id,      &copy.session,  &copy.name,   &copy.model,
			       &copy.mode,    &copy.cwd,      &copy.prompt, &copy.text,
			       &copy.waiting, &copy.question, &copy.error };
	struct sv *flags = arena_calloc(arena, from->nflags + 1, sizeof(*flags));

	for (size_t i = 0; i < countof(texts); i++)
		*texts[i] = arena_dup(arena, *texts[i]);
	for (size_t i = 0; i < from->nflags; i++)
		flags[i] = arena_dup(arena, from->flags[i]);
	copy.flags = flags;
	return copy;
}

/* Programs that wait for the end of a task look for "done". Whether the session can still be prompted at once is said by
 * the status of its process. */
static const char *job_public_state(enum job_state state)
{
	return job_state_name(state == JOB_IDLE ? JOB_DONE : state);
}

static const char *job_process_status(enum job_state state)
{
	return state == JOB_WORKING ? "busy" : state == JOB_BLOCKED ? "waiting" : "idle";
}

void job_info_write_public(struct jw *w, const struct job_info *info)
{
	jw_object(w);
	jw_put_str(w, "kind", SV("background"));
	jw_put_str(w, "id", info->id);
	background_put(w, "sessionId", info->session);
	background_put(w, "name", info->name);
	background_put(w, "prompt", info->prompt);
	jw_put_str(w, "cwd", info->cwd);
	jw_put_str(w, "state", sv_cstr(job_public_state(info->state)));
	background_put(w, "waitingFor", info->waiting);
	background_put(w, "lastText", info->text);
	background_put(w, "error", info->error);
	jw_put_int(w, "startedAt", info->started_ms);
	jw_put_int(w, "updatedAt", info->updated_ms);
	if (info->pid) {
		jw_put_int(w, "pid", info->pid);
		jw_put_str(w, "status", sv_cstr(job_process_status(info->state)));
	}
	jw_put_real(w, "costUsd", info->cost_usd);
	jw_end(w);
}

void background_message_write(struct str *out, const struct background_message *message)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", sv_cstr(background_kind_names[message->kind]));
	if (message->kind == BACKGROUND_HELLO) {
		jw_put_int(&w, "protocol", message->protocol);
		jw_put_int(&w, "pid", message->pid);
	}
	background_put(&w, "version", message->version);
	background_put(&w, "id", message->id);
	background_put(&w, "text", message->text);
	if (message->kind == BACKGROUND_START) {
		jw_key(&w, SV("job"));
		job_info_write(&w, &message->job);
	}
	background_put_list(&w, "env", message->env, message->nenv);
	background_put_list(&w, "once", message->once, message->nonce);
	if (message->kind == BACKGROUND_JOBS) {
		jw_put_array(&w, "jobs");
		for (size_t i = 0; i < message->njobs; i++)
			job_info_write(&w, &message->jobs[i]);
		jw_end(&w);
	}
	jw_end(&w);
	jw_done(&w);
	str_addc(out, '\n');
}

/* --- reading --------------------------------------------------------------------------- */

static struct sv background_text(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

static const struct sv *background_list(struct json array, size_t *n, struct arena *arena)
{
	struct sv *at = arena_calloc(arena, json_len(array) + 1, sizeof(*at));
	struct json_iter it = json_each(array);
	struct json item;

	*n = 0;
	while (json_is(array, JSON_ARRAY) && json_next(&it, NULL, &item))
		if (json_str(item, &at[*n]))
			(*n)++;
	return at;
}

static enum job_state job_info_read_state(struct sv name)
{
	for (size_t i = 0; i < JOB_STATES; i++)
		if (sv_is(name, job_state_names[i]))
			return (enum job_state)i;
	return JOB_FAILED;
}

bool job_info_read(struct job_info *out, struct json value, struct arena *arena)
{
	if (!json_is(value, JSON_OBJECT))
		return false;
	*out = (struct job_info){
		.id = background_text(value, "id"),
		.session = background_text(value, "session"),
		.name = background_text(value, "name"),
		.model = background_text(value, "model"),
		.mode = background_text(value, "mode"),
		.cwd = background_text(value, "cwd"),
		.prompt = background_text(value, "prompt"),
		.text = background_text(value, "text"),
		.waiting = background_text(value, "waiting"),
		.question = background_text(value, "question"),
		.error = background_text(value, "error"),
		.state = job_info_read_state(background_text(value, "state")),
		.started_ms = json_int_or(json_get(value, "started"), 0),
		.updated_ms = json_int_or(json_get(value, "updated"), 0),
		.pid = json_int_or(json_get(value, "pid"), 0),
		.cost_usd = json_real_or(json_get(value, "cost"), 0),
	};
	out->flags = background_list(json_get(value, "flags"), &out->nflags, arena);
	return true;
}

static void background_read_jobs(struct background_message *out, struct json array,
				 struct arena *arena)
{
	struct job_info *jobs = arena_calloc(arena, json_len(array) + 1, sizeof(*jobs));
	struct json_iter it = json_each(array);
	struct json item;

	while (json_is(array, JSON_ARRAY) && json_next(&it, NULL, &item))
		if (job_info_read(&jobs[out->njobs], item, arena))
			out->njobs++;
	out->jobs = jobs;
}

static enum background_kind background_kind_of(struct sv name)
{
	for (size_t i = 0; i < BACKGROUND_KINDS; i++)
		if (sv_is(name, background_kind_names[i]))
			return (enum background_kind)i;
	return BACKGROUND_UNKNOWN;
}

bool background_message_read(struct background_message *out, struct sv line, struct json_pool *pool,
			     struct arena *arena, struct err *err)
{
	struct json root;

	if (!json_parse_in(pool, line, 0, &root, err))
		return false;
	if (!json_is(root, JSON_OBJECT))
		return err_set(err, ERR_PROTOCOL, "a message must be an object, not a %s",
			       json_type_name(json_type(root)));
	*out = (struct background_message){
		.kind = background_kind_of(background_text(root, "type")),
		.protocol = json_int_or(json_get(root, "protocol"), 0),
		.pid = json_int_or(json_get(root, "pid"), 0),
		.version = background_text(root, "version"),
		.id = background_text(root, "id"),
		.text = background_text(root, "text"),
	};
	if (!job_info_read(&out->job, json_get(root, "job"), arena))
		out->job = (struct job_info){ .state = JOB_WORKING };
	out->env = background_list(json_get(root, "env"), &out->nenv, arena);
	out->once = background_list(json_get(root, "once"), &out->nonce, arena);
	background_read_jobs(out, json_get(root, "jobs"), arena);
	return true;
}

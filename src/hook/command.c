/* Runs a hook that is a command: the input on stdin, the answer on stdout. */
#include "base/limits.h"
#include "hook/env_file.h"
#include "hook/job.h"
#include "sandbox/sandbox.h"
#include "sys/child.h"
#include "text/shell_words.h"

typedef VEC(const char *) command_words;

struct command {
	bool is_started; /* there is a child */
	bool tried_bash;
	struct hook_env_file env_file;
	struct sandbox *sandbox; /* from sandbox_begin() to sandbox_end(); otherwise NULL */
	struct confinement confinement;
	struct sandbox_policy policy; /* of the confinement, if it may write the file */
};

enum { COMMAND_GRACE_MS = 1000 };

static bool command_is_variable(const char *entry, const char *name)
{
	size_t n = strlen(name);

	return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

/* --- its environment ------------------------------------------------------------------------ */

static void command_set(struct hook_job *job, command_words *env, const char *name,
			const char *value)
{
	vec_push(env, arena_printf(&job->arena, "%s=%s", name, value).ptr);
}

static const char *const *command_base_env(const struct hook_job *job)
{
	const struct hook_services *services = &hooks_opts(job->hooks)->services;
	const char *const *env = services->env ? services->env(services->arg) : NULL;

	return env ? env : (const char *const *)environ;
}

static void command_open_env_file(struct hook_job *job)
{
	const char *path = hooks_opts(job->hooks)->env_file;
	struct command *own = job->own;
	struct err err = ERR_INIT;

	if (path && hook_event_info(job->payload->event)->gets_env_file &&
	    !hook_env_file_open(&own->env_file, path, own->sandbox != NULL, &job->arena, &err))
		log_warn("no CLAUDE_ENV_FILE for hooks: %s", err.text);
}

static void command_make_env(struct hook_job *job, command_words *env)
{
	static const char *const ours[] = { "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE",
					    "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA" };
	const struct hooks_opts *opts = hooks_opts(job->hooks);
	const struct command *own = job->own;
	const char *const *base = command_base_env(job);

	for (; *base; base++) {
		bool is_ours = false;

		for (size_t i = 0; i < countof(ours); i++)
			is_ours |= command_is_variable(*base, ours[i]);
		is_ours |= sv_starts(sv_cstr(*base), SV("CLAUDE_PLUGIN_OPTION_"));
		if (!is_ours)
			vec_push(env, *base);
	}
	if (opts->project_dir)
		command_set(job, env, "CLAUDE_PROJECT_DIR", opts->project_dir);
	if (own->env_file.path)
		command_set(job, env, "CLAUDE_ENV_FILE", own->env_file.path);
	if (job->handler->plugin_root)
		command_set(job, env, "CLAUDE_PLUGIN_ROOT", job->handler->plugin_root);
	if (job->handler->plugin_data)
		command_set(job, env, "CLAUDE_PLUGIN_DATA", job->handler->plugin_data);
	for (size_t i = 0; job->handler->plugin_env && job->handler->plugin_env[i]; i++)
		vec_push(env, job->handler->plugin_env[i]);
	vec_push(env, NULL);
}

/* --- its words ------------------------------------------------------------------------------- */

/* The same for an option of the plugin. */
static const char *command_option(const struct hook_handler *h, struct sv text, size_t *length)
{
	for (size_t i = 0; h->plugin_env && h->plugin_env[i]; i++) {
		struct sv variable = sv_cstr(h->plugin_env[i]);
		size_t name = sv_find_char(variable, '=');

		if (!sv_starts(sv_skip(text, 2), sv_slice(variable, 0, name)) ||
		    !sv_starts(sv_skip(text, 2 + name), SV("}")))
			continue;
		*length = name + 3;
		return h->plugin_env[i] + name + 1;
	}
	return NULL;
}

/* The value of a variable that we have for the handler; NULL: `text` does not begin with "${" and its name. */
static const char *command_variable(const struct hook_job *job, struct sv text, size_t *length)
{
	const struct {
		struct sv name;
		const char *value;
	} variables[] = {
		{ SV("${CLAUDE_PROJECT_DIR}"), hooks_opts(job->hooks)->project_dir },
		{ SV("${CLAUDE_PLUGIN_ROOT}"), job->handler->plugin_root },
		{ SV("${CLAUDE_PLUGIN_DATA}"), job->handler->plugin_data },
	};

	for (size_t i = 0; i < countof(variables); i++)
		if (sv_starts(text, variables[i].name)) {
			*length = variables[i].name.len;
			return variables[i].value ? variables[i].value : "";
		}
	return command_option(job->handler, text, length);
}

/* Without a shell nobody else replaces ${CLAUDE_PROJECT_DIR}. */
static const char *command_expand(struct hook_job *job, struct sv word)
{
	defer(str_clear) struct str out = STR_INIT;
	size_t at, length;

	for (; (at = sv_find(word, SV("${CLAUDE_"))) != SIZE_MAX; word = sv_skip(word, length)) {
		const char *value;

		str_add(&out, sv_slice(word, 0, at));
		word = sv_skip(word, at);
		value = command_variable(job, word, &length);
		if (!value)
			length = 1;
		str_adds(&out, value ? value : "$");
	}
	str_add(&out, word);
	return arena_dup(&job->arena, sv_of(&out)).ptr;
}

static bool command_add_prefix(struct hook_job *job, command_words *argv)
{
	const struct hook_services *services = &hooks_opts(job->hooks)->services;
	const char *const *words;

	if (!services->prefix)
		return true;
	words = services->prefix(services->arg, &job->arena, &job->failure);
	for (; words && *words; words++)
		vec_push(argv, *words);
	return words;
}

/* Fails with the job's `failure` set. */
static bool command_make_argv(struct hook_job *job, command_words *argv)
{
	const struct hook_handler *h = job->handler;
	struct command *own = job->own;

	if (!h->argv && !command_add_prefix(job, argv))
		return false;
	if (argv->n) { /* as for the Bash tool, that program gets the command as its argument */
		vec_push(argv, h->text.ptr);
		vec_push(argv, NULL);
		return true;
	}

	if (h->argv) {
		vec_push(argv, command_expand(job, h->text));
		for (size_t i = 0; h->argv[i]; i++)
			vec_push(argv, command_expand(job, sv_cstr(h->argv[i])));
	} else if (sv_is(h->shell, "powershell")) {
		vec_push(argv, "pwsh");
		vec_push(argv, "-NoProfile");
		vec_push(argv, "-Command");
		vec_push(argv, h->text.ptr);
	} else {
		vec_push(argv, own->tried_bash ? "sh" : "bash");
		vec_push(argv, "-c");
		vec_push(argv, h->text.ptr);
	}
	vec_push(argv, NULL);
	return true;
}

/* --- init and free ----------------------------------------------------------------------------- */

static void command_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	hook_job_take(owner, from == CHILD_ERR, bytes);
}

/* Allow this one command to write the file as well. */
static void command_allow_env_file(struct hook_job *job, struct command *own)
{
	const char **paths;
	size_t n = 0;

	own->policy = *(const struct sandbox_policy *)own->confinement.data;
	own->confinement.data = &own->policy;
	while (own->policy.write && own->policy.write[n])
		n++;
	paths = arena_calloc(&job->arena, n + 2, sizeof(*paths));
	for (size_t i = 0; i < n; i++)
		paths[i] = own->policy.write[i];
	paths[n] = own->env_file.dir;
	own->policy.write = paths;
}

static void command_enter_sandbox(struct hook_job *job)
{
	const struct hook_services *services = &hooks_opts(job->hooks)->services;
	struct command *own = job->own;

	own->sandbox =
		services->sandbox ? services->sandbox(services->arg, job->payload->event) : NULL;
	if (own->sandbox)
		own->confinement = sandbox_begin(own->sandbox);
}

static struct op *command_start(struct hook_job *job, struct then then)
{
	defer(str_clear) struct str input = STR_INIT;
	command_words argv = VEC_INIT, env = VEC_INIT;
	struct command *own = job->own;
	struct op *child;

	if (!own)
		job->own = own = arena_new(&job->arena, struct command);
	own->is_started = command_make_argv(job, &argv);
	if (!own->is_started) {
		vec_clear(&argv);
		return NULL;
	}
	command_enter_sandbox(job);
	command_open_env_file(job);
	if (own->env_file.dir)
		command_allow_env_file(job, own);
	command_make_env(job, &env);
	str_add(&input, sv_of(&job->payload->json));
	str_addc(&input, '\n');
	child = child_start(hooks_loop(job->hooks),
			    &(struct child_opts){
				    .argv = argv.at,
				    .env = env.at,
				    .cwd = job->payload->cwd.len ? str_c(&job->payload->cwd) : NULL,
				    .confinement = own->sandbox ? &own->confinement : NULL,
				    .input = sv_of(&input),
				    .grace_ms = COMMAND_GRACE_MS,
				    .on_data = command_on_data },
			    then);
	vec_clear(&argv);
	vec_clear(&env);
	return child;
}

static void command_leave(struct command *own)
{
	defer(str_clear) struct str report = STR_INIT;

	hook_env_file_close(&own->env_file);
	if (own->sandbox)
		sandbox_end(move(own->sandbox), &report);
}

/* Where there is no bash, sh runs the command. */
static bool command_end(struct hook_job *job, const struct op *op)
{
	struct child_result result;
	struct command *own = job->own;
	bool is_again = job->failure.kind == ERR_NOT_FOUND && !job->handler->argv &&
			!job->handler->shell.len && !own->tried_bash;

	if (!own->is_started)
		return false;
	command_leave(own);
	own->tried_bash = true;
	if (job->failure.kind != ERR_NONE)
		return is_again;
	result = child_result(op);
	job->has_code = true;
	job->code = result.code;
	if (result.signal)
		err_set(&job->failure, ERR_IO, "it was killed by signal %d", result.signal);
	return false;
}

const struct hook_kind hook_kind_command = { .start = command_start, .end = command_end };

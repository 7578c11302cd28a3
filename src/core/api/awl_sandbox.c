/* awl.h: the sandbox of a project, for running commands in it and for describing it. It is the
 * same sandbox that a session in the project has. */
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/api/awl_project.h"
#include "core/policy/sandbox_load.h"
#include "model/config.h"
#include "sys/child.h"
#include "sys/fs.h"

struct awl_sandbox {
	struct awl_sandbox_options options; /* borrowed: only for awl_sandbox_open() */
	const struct awl_project *project;
	struct loop *loop;
	struct str temp, notes, text;
	struct str left; /* what the last command left behind */
	struct sandbox *sandbox;
	struct op *child;
	struct wake *wake; /* from open to close, so that other threads can rely on it */
	struct task woken;
	atomic_uint_fast64_t signals; /* to handle, a bit each */
	int signal;                   /* that ended the command; 0: none */
	int status;
	struct err failure; /* of the command: it could not be started */
};

/* --- the configuration -------------------------------------------------------------------- */

/* Add paths; relative ones begin in the project. */
static void awl_sandbox_add_paths(const struct awl_sandbox *s, struct sandbox_config *config,
				  const char *const *paths, sandbox_entries *out)
{
	for (; paths && *paths; paths++) {
		struct sv path = **paths == '/' ? arena_dup(&config->arena, sv_cstr(*paths))
						: arena_printf(&config->arena, "%s/%s",
							       str_c(&s->project->dir), *paths);

		vec_push(out, ((struct sandbox_entry){ .text = path.ptr }));
	}
}

static void awl_sandbox_add_hosts(struct sandbox_config *config, const char *const *hosts,
				  sandbox_entries *out)
{
	for (; hosts && *hosts; hosts++)
		vec_push(out, ((struct sandbox_entry){
				      .text = arena_dup(&config->arena, sv_cstr(*hosts)).ptr }));
}

/* Keep the keys of models from the command, as a session does. */
static void awl_sandbox_unset_keys(const struct awl_sandbox *s, struct sandbox_config *config)
{
	if (child_env_get(awl_project_env(s->project), "AWL_KEEP_KEY_IN_CHILDREN"))
		return;
	for (const char *const *name = model_key_variables; *name; name++)
		vec_push(&config->unset, ((struct sandbox_entry){ .text = *name }));
}

/* Add what the caller wants to what the settings say. */
static void awl_sandbox_adjust(void *arg, struct sandbox_config *config)
{
	const struct awl_sandbox *s = arg;
	const struct awl_sandbox_options *o = &s->options;

	awl_sandbox_add_paths(s, config, o->write, &config->allow_write);
	awl_sandbox_add_paths(s, config, o->deny_write, &config->deny_write);
	awl_sandbox_add_paths(s, config, o->deny_read, &config->deny_read);
	awl_sandbox_add_paths(s, config, o->allow_read, &config->allow_read);
	awl_sandbox_add_hosts(config, o->allow_hosts, &config->hosts);
	awl_sandbox_add_hosts(config, o->deny_hosts, &config->denied_hosts);
	awl_sandbox_unset_keys(s, config);
	config->all_unix_sockets = config->all_unix_sockets || o->allow_unix_sockets;
	config->nested = config->nested || o->allow_nested;
	if (o->bwrap && !config->bwrap)
		config->bwrap = arena_dup(&config->arena, sv_cstr(o->bwrap)).ptr;
}

static bool awl_sandbox_read_engine(const char *name, enum sandbox_engine *out, struct err *err)
{
	for (enum sandbox_engine e = SANDBOX_AUTO; name && e < SANDBOX_ENGINES; e++) {
		if (sv_is(sv_cstr(name), sandbox_engine_name(e))) {
			*out = e;
			return true;
		}
	}
	return !name || err_set(err, ERR_INVALID,
				"the engine of a sandbox must be 'auto', 'bwrap', 'namespaces' or "
				"'landlock', not '%s'",
				name);
}

static bool awl_sandbox_make_temp(struct awl_sandbox *s, struct err *err)
{
	defer(str_clear) struct str temp = STR_INIT;

	return fs_temp_dir_in(&temp, child_env_get(awl_project_env(s->project), "TMPDIR"), err) &&
	       fs_realpath(&s->temp, str_c(&temp), err);
}

static bool awl_sandbox_make(struct awl_sandbox *s, struct awl_project *p, struct err *err)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	defer(settings_freep) struct settings *settings = NULL;
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	struct policy_opts rules = { .home = p->home,
				     .cwd = str_c(&p->dir),
				     .env = awl_project_env(p) };
	struct sandbox_opts opts = { .policy = &policy,
				     .config_dir = awl_project_config_dir(p),
				     .adjust = awl_sandbox_adjust,
				     .arg = s };

	awl_project_look(p, &project);
	settings = settings_load(&project.files, &s->notes, err);
	rules.settings = settings;
	if (!settings || !awl_sandbox_make_temp(s, err) ||
	    !policy_load(&policy, &rules, &s->notes, err))
		return false;
	opts.temp_dir = sv_of(&s->temp);
	s->sandbox = sandbox_load(settings, awl_project_env(p), opts);
	sandbox_probe(s->sandbox);
	str_add(&s->notes, sv_of(&s->sandbox->config.notes));
	return true;
}

static bool awl_sandbox_set_limits(struct awl_sandbox *s, struct err *err)
{
	struct sandbox_policy *policy = &s->sandbox->config.policy;
	const struct awl_sandbox_options *o = &s->options;

	if (o->max_processes && o->max_processes < sandbox_least_processes())
		return err_set(err, ERR_UNSUPPORTED,
			       "for root, Linux cannot limit the number of processes to fewer "
			       "than %" PRIu64,
			       sandbox_least_processes());
	if (o->max_processes)
		policy->max_processes = o->max_processes;
	if (o->max_memory)
		policy->max_memory = o->max_memory;
	if (o->max_files)
		policy->max_files = o->max_files;
	return true;
}

/* Open the network, without questions: the caller can name hosts. */
static bool awl_sandbox_open_network(struct awl_sandbox *s, struct err *err)
{
	const struct sandbox_config *config = &s->sandbox->config;
	const struct sandbox_proxy_opts proxy = { .strict = true,
						  .env = awl_project_env(s->project) };

	if (s->options.allow_network)
		s->sandbox->config.policy.net = SANDBOX_NET_FULL;
	else if (config->hosts.n || config->http_port || config->socks_port)
		return sandbox_open_proxy(s->sandbox, s->loop, proxy, err);
	return true;
}

/* --- running
 * ----------------------------------------------------------------------------------- */

/* Pass an interrupt on, as a terminal does; any other signal ends the command. */
static void awl_sandbox_take_signals(struct task *task)
{
	struct awl_sandbox *s = container_of(task, struct awl_sandbox, woken);
	uint64_t signals = atomic_exchange(&s->signals, 0);

	if (signals & UINT64_C(1) << SIGINT && s->child)
		child_signal(s->child, SIGINT);
	signals &= ~(UINT64_C(1) << SIGINT);
	if (signals && s->child && !s->signal) {
		s->signal = __builtin_ctzll(signals);
		op_cancel(s->child);
	}
}

void awl_sandbox_signal(struct awl_sandbox *s, int signo)
{
	if (signo <= 0 || signo >= 64)
		return;
	atomic_fetch_or(&s->signals, UINT64_C(1) << signo);
	wake_send(s->wake);
}

static void awl_sandbox_on_child(struct op *op, void *owner, const struct err *why)
{
	struct awl_sandbox *s = owner;

	s->child = NULL;
	if (s->signal)
		s->status = 128 + s->signal;
	else if (why)
		s->failure = *why;
	else
		s->status = child_result(op).code;
	sandbox_proxy_freep(&s->sandbox->proxy);
	loop_stop(s->loop);
}

enum awl_result awl_sandbox_run(struct awl_sandbox *s, const char *const *argv, int *status)
{
	const struct confinement confinement = sandbox_begin(s->sandbox);
	const struct child_opts opts = { .argv = argv,
					 .env = awl_project_env(s->project),
					 .confinement = &confinement,
					 .inherit = true };

	s->failure = (struct err)ERR_INIT;
	s->signal = 0;
	atomic_store(&s->signals, 0);
	s->child = child_start(s->loop, &opts, THEN(awl_sandbox_on_child, s));
	while (s->child)
		loop_run(s->loop);
	str_truncate(&s->left, 0);
	sandbox_end(s->sandbox, &s->left);
	if (s->failure.kind != ERR_NONE)
		return awl_fail(&s->failure);
	*status = s->status;
	return AWL_OK;
}

const char *awl_sandbox_left(struct awl_sandbox *s)
{
	return s->left.len ? str_c(&s->left) : NULL;
}

/* --- opening and closing ---------------------------------------------------------------------- */

static bool awl_sandbox_prepare(struct awl_sandbox *s, struct awl_project *p, struct err *err)
{
	enum sandbox_engine engine = SANDBOX_AUTO;

	if (!awl_sandbox_read_engine(s->options.engine, &engine, err) ||
	    !awl_sandbox_make(s, p, err))
		return false;
	if (s->options.engine)
		s->sandbox->config.policy.engine = engine;
	if (!awl_sandbox_set_limits(s, err) || !awl_sandbox_open_network(s, err))
		return false;
	sandbox_config_scan(&s->sandbox->config);
	s->options = (struct awl_sandbox_options)AWL_SANDBOX_OPTIONS_INIT;
	return true;
}

enum awl_result awl_sandbox_open(struct awl_sandbox **out, struct awl_project *project,
				 const struct awl_sandbox_options *options)
{
	struct awl_sandbox_options o = AWL_SANDBOX_OPTIONS_INIT;
	struct awl_sandbox *s;
	struct err err = ERR_INIT;

	*out = NULL;
	awl_project_begin(project);
	if (!awl_copy_struct(&o, sizeof(o), options, "AWL_SANDBOX_OPTIONS_INIT", &err))
		return awl_fail(&err);
	s = xnew(struct awl_sandbox);
	s->options = o;
	s->project = project;
	s->loop = loop_new();
	s->woken.run = awl_sandbox_take_signals;
	s->wake = wake_new(s->loop, &s->woken);
	if (!awl_sandbox_prepare(s, project, &err)) {
		(void)!awl_sandbox_close(s);
		return awl_fail(&err);
	}
	*out = s;
	return AWL_OK;
}

enum awl_result awl_sandbox_close(struct awl_sandbox *s)
{
	struct err err = ERR_INIT;
	bool ok;

	if (!s)
		return AWL_OK;
	sandbox_free(s->sandbox);
	wake_free(s->wake);
	loop_run(s->loop); /* until everything that was closed has ended */
	ok = !s->temp.len || fs_remove_tree(str_c(&s->temp), &err);
	loop_free(s->loop);
	str_clear(&s->temp);
	str_clear(&s->notes);
	str_clear(&s->text);
	str_clear(&s->left);
	free(s);
	return awl_end(ok, &err);
}

/* --- the description
 * --------------------------------------------------------------------------- */

enum awl_result awl_sandbox_describe(struct awl_sandbox *s, const char **text)
{
	struct err err = ERR_INIT;
	bool ok;

	str_truncate(&s->text, 0);
	ok = sandbox_describe(&s->text, s->sandbox, str_c(&s->project->dir), sv_of(&s->notes),
			      &err);
	*text = str_c(&s->text);
	return awl_end(ok, &err);
}

/* --- the helper
 * -------------------------------------------------------------------------------- */

int awl_helper_main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "sandbox-inside") == 0)
		return sandbox_helper_main(argv + 2);
	return -1;
}

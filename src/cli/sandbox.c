/* `awl sandbox`: runs a command in the sandbox that a session in this directory would have, or
 * reports what that sandbox enforces on this machine. */
#include <awl.h>
#include <signal.h>

#include "cli/output.h"
#include "text/invisible.h"

typedef VEC(const char *) sandbox_words; /* NULL-terminated */

/* The lists of the command line. */
struct sandbox_flags {
	struct awl_sandbox_options options;
	sandbox_words write, deny_write, deny_read, allow_read, allow_hosts, deny_hosts;
};

static void sandbox_flags_clear(struct sandbox_flags *f)
{
	vec_clear(&f->write);
	vec_clear(&f->deny_write);
	vec_clear(&f->deny_read);
	vec_clear(&f->allow_read);
	vec_clear(&f->allow_hosts);
	vec_clear(&f->deny_hosts);
}

static const char *const *sandbox_list(sandbox_words *out, const struct args *args,
				       const char *flag)
{
	const char *value;

	for (size_t at = 0; (value = args_next(args, flag, &at));)
		vec_push(out, value);
	vec_push(out, NULL);
	return out->at;
}

static bool sandbox_read_count(const struct args *args, const char *flag, uint64_t *out)
{
	const char *value = args_value(args, flag);
	int64_t n;

	if (!value)
		return true;
	if (!sv_to_int(sv_cstr(value), &n) || n < 1)
		return false;
	*out = (uint64_t)n;
	return true;
}

static bool sandbox_is_engine(const char *name)
{
	static const char *const names[] = { "auto", "bwrap", "namespaces", "landlock" };

	for (size_t i = 0; name && i < countof(names); i++)
		if (sv_is(sv_cstr(name), names[i]))
			return true;
	return !name;
}

static bool sandbox_read_flags(struct sandbox_flags *f, const struct args *args, struct err *err)
{
	struct awl_sandbox_options *o = &f->options;

	o->write = sandbox_list(&f->write, args, "write");
	o->deny_write = sandbox_list(&f->deny_write, args, "deny-write");
	o->deny_read = sandbox_list(&f->deny_read, args, "deny-read");
	o->allow_read = sandbox_list(&f->allow_read, args, "allow-read");
	o->allow_hosts = sandbox_list(&f->allow_hosts, args, "allow-host");
	o->deny_hosts = sandbox_list(&f->deny_hosts, args, "deny-host");
	o->allow_network = args_has(args, "full-network");
	o->allow_unix_sockets = args_has(args, "unix-sockets");
	o->allow_nested = args_has(args, "nested");
	o->bwrap = args_value(args, "bwrap");
	o->engine = args_value(args, "engine");
	if (!sandbox_is_engine(o->engine))
		return err_set(err, ERR_INVALID,
			       "--engine must be 'auto', 'bwrap', 'namespaces' or 'landlock'");
	return (sandbox_read_count(args, "max-processes", &o->max_processes) &&
		sandbox_read_count(args, "max-memory", &o->max_memory) &&
		sandbox_read_count(args, "max-files", &o->max_files)) ||
	       err_set(err, ERR_INVALID,
		       "--max-processes, --max-memory and --max-files must be whole numbers "
		       "greater than 0");
}

/* --- running --------------------------------------------------------------------------------- */

static struct awl_sandbox *volatile sandbox_running; /* for the signal handler */

static void sandbox_on_signal(int signo)
{
	awl_sandbox_signal(sandbox_running, signo);
}

/* The exit codes of shells and wrappers for a command that did not start. */
enum { CANNOT_SET_UP = 125, CANNOT_RUN = 126, NOT_FOUND = 127 };

static int sandbox_exit_code(enum awl_result result)
{
	if (result == AWL_ERR_NOT_FOUND)
		return NOT_FOUND;
	return result == AWL_ERR_DENIED ? CANNOT_RUN : CANNOT_SET_UP;
}

/* Run the command; signals that would end us go to it instead. */
static int sandbox_run_command(struct awl_sandbox *sandbox, const struct args *args)
{
	static const int forwarded[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = sandbox_on_signal, .sa_flags = SA_RESTART };
	struct sigaction before[countof(forwarded)];
	sandbox_words argv = VEC_INIT;
	enum awl_result result;
	int status = EXIT_FAILED;

	for (size_t i = 0; i < args->words.n; i++)
		vec_push(&argv, args->words.at[i]);
	vec_push(&argv, NULL);
	sandbox_running = sandbox;
	for (size_t i = 0; i < countof(forwarded); i++)
		sigaction(forwarded[i], &action, &before[i]);
	result = awl_sandbox_run(sandbox, argv.at, &status);
	for (size_t i = 0; i < countof(forwarded); i++)
		sigaction(forwarded[i], &before[i], NULL);
	vec_clear(&argv);
	if (awl_sandbox_left(sandbox))
		failure("%s", awl_sandbox_left(sandbox));
	if (result == AWL_OK)
		return status;
	failure("%s", awl_last_error());
	return sandbox_exit_code(result);
}

static int sandbox_report(struct awl_sandbox *sandbox)
{
	defer(str_clear) struct str shown = STR_INIT;
	const char *text;
	enum awl_result result = awl_sandbox_describe(sandbox, &text);
	enum exit_code written;

	invisible_escape(&shown, sv_cstr(text), invisible_misleads); /* names of directories */
	written = output(sv_of(&shown));
	return result == AWL_OK ? written : EXIT_FAILED;
}

static int sandbox_run_in(struct awl_project *project, const struct sandbox_flags *flags,
			  const struct args *args)
{
	struct awl_sandbox *sandbox;
	int code;

	if (awl_sandbox_open(&sandbox, project, &flags->options) != AWL_OK) {
		failure("%s", awl_last_error());
		return args->words.n ? CANNOT_SET_UP : EXIT_FAILED;
	}
	if (!args->words.n || args_has(args, "report"))
		code = sandbox_report(sandbox);
	else
		code = sandbox_run_command(sandbox, args);
	if (awl_sandbox_close(sandbox) != AWL_OK)
		failure("%s", awl_last_error());
	return code;
}

enum exit_code sandbox_run(const struct args *args)
{
	defer(sandbox_flags_clear) struct sandbox_flags flags = {
		.options = AWL_SANDBOX_OPTIONS_INIT
	};
	struct awl_project *project;
	struct err err = ERR_INIT;
	int code;

	if (!sandbox_read_flags(&flags, args, &err))
		return usage_error("%s", err.text);
	if (awl_project_open(&project, NULL) != AWL_OK)
		return failure("%s", awl_last_error());
	code = sandbox_run_in(project, &flags, args);
	awl_project_close(project);
	return (enum exit_code)code;
}

/* `awl sandbox`: run any command in the sandbox that commands of the model would run in, or
 * show what this machine can enforce. */
#include <signal.h>

#include "cli/output.h"
#include "cli/places.h"
#include "core/policy.h"
#include "core/project.h"
#include "core/sandbox_load.h"
#include "sys/child.h"
#include "sys/fs.h"
#include "sys/signal.h"

static const int forwarded[] = { SIGINT, SIGTERM, SIGHUP };

/* The running command. */
struct run {
	const struct args *args;
	struct loop *loop;
	struct str cwd, temp, notes;
	struct cage *cage;
	struct op *child;
	struct op *signals[countof(forwarded)];
	int signal; /* the signal that ended it; 0: none */
	int code;
};

static void run_clear(struct run *r)
{
	struct err ignored;

	cage_free(r->cage);
	if (r->temp.len && !fs_remove_tree(str_c(&r->temp), &ignored))
		failure("%s", ignored.text);
	str_clear(&r->cwd);
	str_clear(&r->temp);
	str_clear(&r->notes);
	if (r->loop)
		loop_free(r->loop);
}

/* --- the plan ------------------------------------------------------------------------------ */

static void sandbox_add_paths(const struct run *r, struct sandbox_plan *plan, const char *flag,
			      sandbox_entries *out)
{
	const char *value;

	for (size_t at = 0; (value = args_next(r->args, flag, &at));) {
		struct sv path = sv_cstr(value);

		if (path.ptr[0] != '/')
			path = arena_printf(&plan->arena, "%s/%s", str_c(&r->cwd), value);
		vec_push(out, ((struct sandbox_entry){ .text = path.ptr }));
	}
}

static void sandbox_add_hosts(const struct run *r, const char *flag, sandbox_entries *out)
{
	const char *value;

	for (size_t at = 0; (value = args_next(r->args, flag, &at));)
		vec_push(out, ((struct sandbox_entry){ .text = value }));
}

/* Add the flags to the plan. They come from the user, so they may extend the settings. */
static void sandbox_take_flags(void *arg, struct sandbox_plan *plan)
{
	const struct run *r = arg;
	const char *bwrap = args_value(r->args, "bwrap");

	sandbox_add_paths(r, plan, "write", &plan->allow_write);
	sandbox_add_paths(r, plan, "deny-write", &plan->deny_write);
	sandbox_add_paths(r, plan, "deny-read", &plan->deny_read);
	sandbox_add_paths(r, plan, "allow-read", &plan->allow_read);
	sandbox_add_hosts(r, "allow-host", &plan->hosts);
	sandbox_add_hosts(r, "deny-host", &plan->denied_hosts);
	plan->all_unix_sockets = plan->all_unix_sockets || args_has(r->args, "unix-sockets");
	plan->nested = plan->nested || args_has(r->args, "nested");
	if (bwrap && !plan->bwrap)
		plan->bwrap = bwrap;
}

static bool sandbox_read_engine(const char *name, enum sandbox_engine *out)
{
	for (enum sandbox_engine e = SANDBOX_AUTO; name && e < SANDBOX_ENGINES; e++) {
		if (sv_is(sv_cstr(name), sandbox_engine_name(e))) {
			*out = e;
			return true;
		}
	}
	return !name;
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

static bool sandbox_make_temp(struct run *r, struct err *err)
{
	defer(str_clear) struct str temp = STR_INIT;

	return fs_temp_dir(&temp, err) && fs_realpath(&r->temp, str_c(&temp), err);
}

/* Build the sandbox that a session in this directory would use. */
static bool sandbox_make_cage(struct run *r, struct err *err)
{
	defer(str_clear) struct str config_dir = STR_INIT;
	defer(project_clear) struct project project = PROJECT_INIT;
	defer(settings_freep) struct settings *settings = NULL;
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	struct cage_opts opts = { .policy = &policy, .adjust = sandbox_take_flags, .arg = r };

	if (find_config_dir(&config_dir))
		opts.config_dir = str_c(&config_dir);
	if (!fs_cwd(&r->cwd, err) || !sandbox_make_temp(r, err))
		return false;
	project_look(&project, opts.config_dir, str_c(&r->cwd), NULL);
	settings = settings_load(&project.files, &r->notes, err);
	if (!settings || !policy_load(&policy,
				      &(struct policy_opts){ .settings = settings,
							     .home = getenv("HOME"),
							     .cwd = str_c(&r->cwd) },
				      &r->notes, err))
		return false;
	opts.temp_dir = sv_of(&r->temp);
	r->cage = sandbox_load(settings, opts);
	cage_probe(r->cage);
	str_add(&r->notes, sv_of(&r->cage->plan.notes));
	return true;
}

static bool sandbox_read_limits(const struct run *r, struct sandbox *sandbox, struct err *err)
{
	if (!sandbox_read_engine(args_value(r->args, "engine"), &sandbox->engine))
		return err_set(err, ERR_INVALID,
			       "--engine must be 'auto', 'bwrap', 'namespaces' or 'landlock'");
	return (sandbox_read_count(r->args, "max-processes", &sandbox->max_processes) &&
		sandbox_read_count(r->args, "max-memory", &sandbox->max_memory) &&
		sandbox_read_count(r->args, "max-files", &sandbox->max_files)) ||
	       err_set(err, ERR_INVALID,
		       "--max-processes, --max-memory and --max-files must be whole numbers "
		       "greater than 0");
}

/* Open the network, without questions: the user can name hosts on the command line. */
static bool sandbox_open_network(struct run *r, struct err *err)
{
	const struct sandbox_plan *plan = &r->cage->plan;

	if (args_has(r->args, "full-network"))
		r->cage->plan.sandbox.net = SANDBOX_NET_FULL;
	else if (plan->hosts.n || plan->http_port || plan->socks_port)
		return cage_open_gate(r->cage, r->loop, (struct gate_opts){ .strict = true }, err);
	return true;
}

/* --- running --------------------------------------------------------------------------------- */

static void sandbox_on_signal(void *owner, int signo)
{
	struct run *r = owner;

	if (signo == SIGINT && r->child) {
		child_signal(r->child, signo);
		return;
	}
	r->signal = signo;
	op_cancel(r->child);
}

static void sandbox_on_signal_done(struct op *op, void *owner,
				   __attribute__((unused)) const struct err *why)
{
	struct run *r = owner;

	for (size_t i = 0; i < countof(forwarded); i++)
		if (r->signals[i] == op)
			r->signals[i] = NULL;
}

static void sandbox_on_child(struct op *op, void *owner, const struct err *why)
{
	struct run *r = owner;

	r->child = NULL;
	if (r->signal)
		r->code = 128 + r->signal;
	else
		r->code = why ? (int)failure("%s", why->text) : child_result(op).code;
	for (size_t i = 0; i < countof(forwarded); i++)
		op_cancel(r->signals[i]);
	gate_freep(&r->cage->gate);
}

static void run_command(struct run *r, const char *const *argv)
{
	const struct confinement sandbox = { .type = &sandbox_confinement,
					     .data = &r->cage->plan.sandbox };

	for (size_t i = 0; i < countof(forwarded); i++)
		r->signals[i] = signal_start(r->loop, forwarded[i], sandbox_on_signal,
					     THEN(sandbox_on_signal_done, r));
	r->child = child_start(
		r->loop,
		&(struct child_opts){ .argv = argv, .confinement = &sandbox, .inherit = true },
		THEN(sandbox_on_child, r));
	loop_run(r->loop);
}

/* --- the report ------------------------------------------------------------------------------- */

static void sandbox_add_gaps(struct str *page, unsigned gaps)
{
	for (int i = 0; i < SANDBOX_GAPS; i++)
		if (gaps & 1U << i)
			str_addf(page, "  gap: %s\n",
				 sandbox_gap_text((enum sandbox_gap)(1U << i)));
}

static void sandbox_add_notes(struct str *page, struct sv notes)
{
	struct sv line;

	while (sv_cut_line(&notes, &line))
		str_addf(page, "  note: %.*s\n", SV_ARG(line));
}

static enum exit_code sandbox_report(struct run *r)
{
	defer(str_clear) struct str page = STR_INIT;
	const struct sandbox *sandbox = &r->cage->plan.sandbox;
	enum sandbox_engine engine;
	unsigned gaps;
	struct err err = ERR_INIT;

	sandbox_host_describe(&page, &r->cage->host);
	if (!sandbox_choose(sandbox, &engine, &gaps, &err)) {
		str_addf(&page, "not available: %s\n", err.text);
		(void)!output(sv_of(&page));
		return EXIT_FAILED;
	}
	str_addf(&page, "back end for commands in %s: %s\n", str_c(&r->cwd),
		 sandbox_engine_name(engine));
	sandbox_add_gaps(&page, gaps);
	sandbox_add_notes(&page, sv_of(&r->notes));
	if (r->cage->plan.is_short)
		str_adds(&page, "  gap: there are too many files to protect them all\n");
	str_adds(&page, "plan:\n");
	sandbox_describe(&page, sandbox);
	return output(sv_of(&page));
}

enum exit_code sandbox_run(const struct args *args)
{
	defer(run_clear) struct run r = { .args = args, .loop = loop_new() };
	sandbox_list argv = VEC_INIT;
	struct err err = ERR_INIT;

	if (!sandbox_make_cage(&r, &err))
		return failure("%s", err.text);
	if (!sandbox_read_limits(&r, &r.cage->plan.sandbox, &err))
		return usage_error("%s", err.text);
	if (!sandbox_open_network(&r, &err))
		return failure("%s", err.text);
	sandbox_plan_look(&r.cage->plan);
	if (!args->words.n || args_has(args, "report"))
		return sandbox_report(&r);
	for (size_t i = 0; i < args->words.n; i++)
		vec_push(&argv, args->words.at[i]);
	vec_push(&argv, NULL);
	run_command(&r, argv.at);
	vec_clear(&argv);
	return (enum exit_code)r.code;
}

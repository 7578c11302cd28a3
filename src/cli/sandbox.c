/* `awl sandbox`: anything at all in the sandbox that commands of the model run in, and what
 * this machine can make of one. */
#include "tool/sandbox_plan.h"

#include <signal.h>

#include "cli/output.h"
#include "net/gate.h"
#include "sys/child.h"
#include "sys/fs.h"
#include "sys/signal.h"

static const int forwarded[] = { SIGINT, SIGTERM, SIGHUP };

/* The command under way. */
struct cage {
	struct loop *loop;
	struct sandbox_host host;
	struct sandbox_plan plan;
	sandbox_list hosts, denied_hosts;
	struct gate *gate; /* NULL: no network, or all of it */
	struct str project, home, temp, self;
	struct op *child;
	struct op *signals[countof(forwarded)];
	int signal; /* that ended it; 0: none */
	int code;
};

static void cage_clear(struct cage *c)
{
	struct err ignored;

	gate_freep(&c->gate);
	if (c->temp.len && !fs_remove_tree(str_c(&c->temp), &ignored))
		failure("%s", ignored.text);
	sandbox_plan_clear(&c->plan);
	sandbox_host_clear(&c->host);
	vec_clear(&c->hosts);
	vec_clear(&c->denied_hosts);
	str_clear(&c->project);
	str_clear(&c->home);
	str_clear(&c->temp);
	str_clear(&c->self);
	if (c->loop)
		loop_free(c->loop);
}

/* --- the plan ------------------------------------------------------------------------------ */

static void add_paths(struct cage *c, const struct args *args, const char *flag,
		      sandbox_entries *out)
{
	const char *value;

	for (size_t at = 0; (value = args_next(args, flag, &at));) {
		struct sv path = sv_cstr(value);

		if (path.ptr[0] != '/')
			path = arena_printf(&c->plan.arena, "%s/%s", str_c(&c->project), value);
		vec_push(out, ((struct sandbox_entry){ .text = path.ptr }));
	}
}

static bool read_engine(const char *name, enum sandbox_engine *out)
{
	for (enum sandbox_engine e = SANDBOX_AUTO; name && e < SANDBOX_ENGINES; e++) {
		if (sv_is(sv_cstr(name), sandbox_engine_name(e))) {
			*out = e;
			return true;
		}
	}
	return !name;
}

static bool read_count(const struct args *args, const char *flag, uint64_t *out)
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

static void find_home(struct str *out)
{
	const char *home = getenv("HOME");
	struct err ignored;

	if (home && home[0] == '/')
		(void)!fs_realpath(out, home, &ignored);
}

static bool find_place(struct cage *c, struct err *err)
{
	defer(str_clear) struct str temp = STR_INIT;

	find_home(&c->home);
	(void)!fs_realpath(&c->self, "/proc/self/exe", err);
	return fs_cwd(&c->project, err) && fs_temp_dir(&temp, err) &&
	       fs_realpath(&c->temp, str_c(&temp), err);
}

static enum exit_code make_plan(struct cage *c, const struct args *args)
{
	defer(str_clear) struct str config = STR_INIT;
	struct sandbox *sandbox = &c->plan.sandbox;
	struct sandbox_site site;
	struct err err = ERR_INIT;

	if (!find_place(c, &err))
		return failure("%s", err.text);
	if (c->home.len)
		fs_join(&config, sv_of(&c->home), SV(".claude"));
	site = (struct sandbox_site){ .project = sv_of(&c->project),
				      .home = sv_of(&c->home),
				      .config_dir = sv_of(&config),
				      .temp_dir = sv_of(&c->temp) };
	sandbox_plan_init(&c->plan, &site);
	add_paths(c, args, "write", &c->plan.allow_write);
	add_paths(c, args, "deny-write", &c->plan.deny_write);
	add_paths(c, args, "deny-read", &c->plan.deny_read);
	add_paths(c, args, "allow-read", &c->plan.allow_read);
	c->plan.all_unix_sockets = args_has(args, "unix-sockets");
	c->plan.nested = args_has(args, "nested");
	sandbox_plan_finish(&c->plan, &c->host);
	sandbox->helper = c->self.len ? str_c(&c->self) : NULL;
	if (!read_engine(args_value(args, "engine"), &sandbox->engine))
		return usage_error("the engine is auto, bwrap, namespaces or landlock");
	if (!read_count(args, "max-processes", &sandbox->max_processes) ||
	    !read_count(args, "max-memory", &sandbox->max_memory))
		return usage_error("a limit must be a number above 0");
	return EXIT_OK;
}

static void add_hosts(const struct args *args, const char *flag, sandbox_list *out)
{
	const char *value;

	for (size_t at = 0; (value = args_next(args, flag, &at));)
		vec_push(out, value);
	vec_push(out, NULL);
}

/* Nobody is asked: who runs a command this way can name its hosts. */
static bool open_network(struct cage *c, const struct args *args, struct err *err)
{
	struct sandbox *sandbox = &c->plan.sandbox;

	if (args_has(args, "full-network")) {
		sandbox->net = SANDBOX_NET_FULL;
		return true;
	}
	add_hosts(args, "allow-host", &c->hosts);
	add_hosts(args, "deny-host", &c->denied_hosts);
	if (c->hosts.n == 1)
		return true;
	c->gate = gate_new(c->loop,
			   &(struct gate_opts){ .allow = c->hosts.at, .deny = c->denied_hosts.at },
			   err);
	sandbox->net = SANDBOX_NET_PROXY;
	sandbox->on_listener = gate_serve;
	sandbox->on_listener_end = gate_leave;
	sandbox->listener_arg = c->gate;
	return c->gate != NULL;
}

/* --- running --------------------------------------------------------------------------------- */

static void on_signal(void *owner, int signo)
{
	struct cage *c = owner;

	if (signo == SIGINT && c->child) {
		child_signal(c->child, signo);
		return;
	}
	c->signal = signo;
	op_cancel(c->child);
}

static void on_signal_done(struct op *op, void *owner,
			   __attribute__((unused)) const struct err *why)
{
	struct cage *c = owner;

	for (size_t i = 0; i < countof(forwarded); i++)
		if (c->signals[i] == op)
			c->signals[i] = NULL;
}

static void on_child(struct op *op, void *owner, const struct err *why)
{
	struct cage *c = owner;

	c->child = NULL;
	if (c->signal)
		c->code = 128 + c->signal;
	else
		c->code = why ? (int)failure("%s", why->text) : child_result(op).code;
	for (size_t i = 0; i < countof(forwarded); i++)
		op_cancel(c->signals[i]);
	gate_freep(&c->gate);
}

static void run_command(struct cage *c, const char *const *argv)
{
	for (size_t i = 0; i < countof(forwarded); i++)
		c->signals[i] =
			signal_start(c->loop, forwarded[i], on_signal, THEN(on_signal_done, c));
	c->child = child_start(
		c->loop,
		&(struct child_opts){ .argv = argv, .sandbox = &c->plan.sandbox, .inherit = true },
		THEN(on_child, c));
	loop_run(c->loop);
}

/* --- the report ------------------------------------------------------------------------------- */

static enum exit_code report(struct cage *c)
{
	defer(str_clear) struct str page = STR_INIT;
	enum sandbox_engine engine;
	unsigned gaps;
	struct err err = ERR_INIT;

	sandbox_host_describe(&page, &c->host);
	if (!sandbox_choose(&c->plan.sandbox, &engine, &gaps, &err)) {
		str_addf(&page, "not available: %s\n", err.text);
		(void)!output(sv_of(&page));
		return EXIT_FAILED;
	}
	str_addf(&page, "this plan is held by: %s\n", sandbox_engine_name(engine));
	for (int i = 0; i < SANDBOX_GAPS; i++)
		if (gaps & 1U << i)
			str_addf(&page, "  not held: %s\n",
				 sandbox_gap_text((enum sandbox_gap)(1U << i)));
	sandbox_describe(&page, &c->plan.sandbox);
	return output(sv_of(&page));
}

enum exit_code sandbox_run(const struct args *args)
{
	defer(cage_clear) struct cage c = { .loop = NULL };
	sandbox_list argv = VEC_INIT;
	struct err err = ERR_INIT;

	if (!args->words.n && !args_has(args, "report"))
		return usage_error("which command? 'awl sandbox -- COMMAND ...'");
	sandbox_host_probe(&c.host, args_value(args, "bwrap"));
	c.loop = loop_new();
	if (make_plan(&c, args) != EXIT_OK)
		return EXIT_FAILED;
	if (!open_network(&c, args, &err))
		return failure("%s", err.text);
	if (args_has(args, "report"))
		return report(&c);
	for (size_t i = 0; i < args->words.n; i++)
		vec_push(&argv, args->words.at[i]);
	vec_push(&argv, NULL);
	run_command(&c, argv.at);
	vec_clear(&argv);
	return (enum exit_code)c.code;
}

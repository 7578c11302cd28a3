/* The Bash tool in a sandbox, on the real machine; skipped where there can be none. */
#include "tool/tool_rig.h"

#include <unistd.h>

#include "sandbox/sandbox.h"
#include "tool/shell/background.h"
#include "tool/shell/shell.h"

struct sandboxed {
	struct tool_rig r;
	struct str outside; /* another directory */
	struct sandbox sandbox;
	struct str real, temp;
};

static void sandboxed_clear(struct sandboxed *h)
{
	temp_dir_remove(&h->outside);
	temp_dir_remove(&h->temp);
	sandbox_config_clear(&h->sandbox.config);
	sandbox_traces_clear(&h->sandbox.traces);
	sandbox_support_clear(&h->sandbox.support);
	str_clear(&h->real);
	tool_rig_clear(&h->r);
}

static bool sandboxed_make(struct sandboxed *h)
{
	static const char *const env[] = { "PATH=/usr/local/bin:/usr/bin:/bin", NULL };
	struct err err;
	enum sandbox_engine engine;
	unsigned gaps;

	*h = (struct sandboxed){ .real = STR_INIT };
	tool_rig_init(&h->r);
	h->r.session.env = env;
	CHECK_OK(fs_temp_dir(&h->outside, &err) && fs_temp_dir(&h->temp, &err) &&
			 fs_realpath(&h->real, str_c(&h->r.dir), &err),
		 err);
	sandbox_config_init(
		&h->sandbox.config,
		&(struct sandbox_dirs){ .project = sv_of(&h->real), .temp_dir = sv_of(&h->temp) });
	h->sandbox.config.enabled = true;
	sandbox_support_probe(&h->sandbox.support, NULL, NULL);
	sandbox_config_finish(&h->sandbox.config, &h->sandbox.support);
	h->r.session.sandbox = &h->sandbox;
	return sandbox_choose_engine(&h->sandbox.config.policy, &engine, &gaps, &err) && !gaps;
}

#define SANDBOXED(name)                               \
	defer(sandboxed_clear) struct sandboxed name; \
	if (!sandboxed_make(&name))                   \
	skip()

static void bash(struct sandboxed *h, const char *more, const char *fmt, const char *path)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input, "{%s'command':'", more);
	str_adds(&input, fmt);
	str_adds(&input, path);
	str_adds(&input, "'}");
	tool_rig_call(&h->r, &tool_bash, str_c(&input));
}

TEST(a_command_in_a_sandbox_writes_in_the_project_and_nowhere_else)
{
	SANDBOXED(h);
	PATH_IN(out, h.outside, "f");

	bash(&h, "", "echo hi >f && mkdir sub && cd sub; echo no >", out);
	tool_rig_check_text(&h.r, true, "Read-only file system");
	tool_rig_check(&h.r, "f", SV("hi\n"));
	CHECK(!fs_exists(out));
	/* It has changed its directory all the same. */
	CHECK(sv_ends(sv_of(&h.r.ctx.cwd), SV("/sub")));
	CHECK_INT(entries_in(str_c(&h.temp)), 0);
}

/* bubblewrap runs this program as the helper. */
__attribute__((constructor)) static void be_helper(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "sandbox-inside") == 0)
		_exit(sandbox_helper_main(argv + 2));
}

static bool sandboxed_use(struct sandboxed *h, enum sandbox_engine engine, const char *helper)
{
	struct sandbox_policy *policy = &h->sandbox.config.policy;
	enum sandbox_engine chosen;
	struct err err;
	unsigned gaps;

	policy->engine = engine;
	policy->helper = helper;
	return sandbox_choose_engine(policy, &chosen, &gaps, &err);
}

TEST(the_directory_is_followed_with_every_engine)
{
	SANDBOXED(h);
	PATH_IN(sub, h.real, "sub");
	defer(str_clear) struct str self = STR_INIT;
	struct err err;

	CHECK_OK(fs_realpath(&self, "/proc/self/exe", &err), err);
	CHECK_OK(fs_mkdirs(sub, 0700, &err), err);
	for (enum sandbox_engine e = SANDBOX_BWRAP; e < SANDBOX_ENGINES; e++) {
		str_set(&h.r.ctx.cwd, sv_of(&h.real));
		if (!sandboxed_use(&h, e, str_c(&self)))
			continue;
		bash(&h, "", "pwd() { touch pwned; }; cd sub; echo $#; kill -9 $$", "");
		tool_rig_check_text(&h.r, true, "\n0");
		tool_rig_check_text(&h.r, true,
				    e == SANDBOX_LANDLOCK ? "killed by SIGKILL" : "128 + SIGKILL");
		CHECK(sv_ends(sv_of(&h.r.ctx.cwd), SV("/sub")));
		bash(&h, "",
		     "touch made; ls /proc/$PPID/fd /proc/$PPID/environ; cat /proc/$PPID/environ",
		     "");
		tool_rig_check_text(&h.r, true, "ermission denied");
	}
}

TEST(a_command_runs_outside_the_sandbox_only_where_that_is_allowed)
{
	SANDBOXED(h);
	PATH_IN(out, h.outside, "f");

	h.sandbox.config.allow_unsandboxed = false;
	bash(&h, "'dangerouslyDisableSandbox':true,", "echo no >", out);
	tool_rig_check_text(&h.r, true, "Read-only");
	CHECK(!fs_exists(out));
	h.sandbox.config.allow_unsandboxed = true;
	bash(&h, "'dangerouslyDisableSandbox':true,", "echo yes >", out);
	tool_rig_check_text(&h.r, false, "");
	CHECK_FILE(out, "yes\n");
}

static bool note_sandboxed(struct tool_rig *r, const struct perm_request *perm_request)
{
	(void)r;
	return perm_request->is_sandboxed;
}

TEST(the_request_says_whether_a_command_is_sandboxed)
{
	SANDBOXED(h);

	h.r.decide = note_sandboxed;
	bash(&h, "", "true", "");
	tool_rig_check_text(&h.r, false, "");
	bash(&h, "'dangerouslyDisableSandbox':true,", "true", "");
	tool_rig_check_text(&h.r, true, "denied");
	vec_push(&h.sandbox.config.excluded, ((struct sandbox_entry){ .text = "make:*" }));
	bash(&h, "", "make x", "");
	tool_rig_check_text(&h.r, true, "denied");
	h.sandbox.config.auto_allow = false;
	bash(&h, "", "true", "");
	tool_rig_check_text(&h.r, true, "denied");
}

TEST(a_command_that_was_allowed_for_the_sandbox_does_not_run_without)
{
	SANDBOXED(h);
	struct outcome outcome = { .done = 0 };

	h.sandbox.config.auto_allow =
		false; /* somebody has changed the settings since the decision */
	shell_start(h.r.loop,
		    &(struct shell_opts){ .command = SV("touch made"),
					  .ctx = &h.r.ctx,
					  .cwd = str_c(&h.r.dir),
					  .must_be_sandboxed = true },
		    THEN(outcome_done, &outcome));
	RUN_UNTIL(h.r.loop, outcome.done);
	CHECK_ERR(outcome.why, ERR_STALE, "allowed because it would run in a sandbox");
	CHECK_INT(entries_in(str_c(&h.r.dir)), 0);
	CHECK_INT(h.sandbox.users, 0);
}

/* Allows a sandboxed command; then somebody changes the settings. */
static bool allow_and_change(struct tool_rig *r, const struct perm_request *perm_request)
{
	container_of(r, struct sandboxed, r)->sandbox.config.auto_allow = false;
	return perm_request->is_sandboxed;
}

TEST(a_background_command_that_was_allowed_for_the_sandbox_does_not_run_without)
{
	SANDBOXED(h);
	struct background *background =
		background_new(h.r.loop, &(struct background_opts){ .dir = str_c(&h.outside) });
	PATH_IN(made, h.real, "made");

	h.r.session.background = background;
	h.r.decide = allow_and_change;
	bash(&h, "'run_in_background':true,", "touch made", "");
	tool_rig_check_text(&h.r, false, "in the background as bash_1");
	RUN_UNTIL(h.r.loop, background_is_quiet(background));
	CHECK_INT(background_at(background, 0)->state, BACKGROUND_FAILED);
	CHECK_ERR(background_at(background, 0)->err, ERR_STALE, "the sandbox has changed since");
	CHECK(!fs_exists(made));
	background_free(background);
}

TEST(a_sandbox_counts_the_commands_that_run_in_it)
{
	SANDBOXED(h);

	bash(&h, "", "true", "");
	CHECK_INT(h.sandbox.users, 0);
}

/* Everything about sandboxes except attempts to escape: those are in tests/e2e/test_sandbox.py. */
#include "sandbox/policy.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "sandbox/engines/job.h"
#include "sandbox/engines/mounts.h"
#include "sandbox/engines/placeholder.h"
#include "sys/child/child_probe.h"
#include "sys/temp_dir.h"

#define CONFINED(policy) \
	(&(struct confinement){ .type = &sandbox_confinement_type, .data = &(policy) })
#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* A project in a temporary directory, by its real path. */
struct site {
	struct str made, dir;
	struct sandbox_support support;
};

static void site_clear(struct site *s)
{
	temp_dir_remove(&s->made);
	str_clear(&s->dir);
	sandbox_support_clear(&s->support);
}

static void site_make(struct site *s)
{
	struct err err;

	*s = (struct site){ .made = STR_INIT };
	CHECK_OK(fs_temp_dir(&s->made, &err), err);
	CHECK_OK(fs_realpath(&s->dir, str_c(&s->made), &err), err);
}

#define SITE(name)                                                 \
	defer(site_clear) struct site name = { .made = STR_INIT }; \
	site_make(&name)
#define AT(variable, site, name) defer(mem_freep) char *variable = path_in(&(site).dir, name)

static void make(const struct site *s, const char *name)
{
	defer(mem_freep) char *path = path_in(&s->dir, name);
	struct err err;

	if (sv_ends(sv_cstr(name), SV("/")))
		CHECK_OK(fs_mkdirs(path, 0755, &err), err);
	else
		write_file(path, "", 0644);
}

/* --- the mounts of a policy --------------------------------------------------------------------- */

/* Expects mounts like "rw a, ro a/b", with paths relative to the site. */
static void check_mounts(const struct site *s, const struct sandbox_policy *policy,
			 const char *expected)
{
	static const char *const kinds[] = { [MOUNT_RW] = "rw",
					     [MOUNT_RO] = "ro",
					     [MOUNT_HIDE_DIR] = "hide",
					     [MOUNT_HIDE_FILE] = "hide-file",
					     [MOUNT_LINK] = "link" };
	defer(sandbox_mounts_clear) struct sandbox_mounts mounts = SANDBOX_MOUNTS_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err;

	CHECK_OK(sandbox_mounts_make(&mounts, policy, &err), err);
	for (size_t i = 0; i < mounts.list.n; i++) {
		const struct sandbox_mount *m = &mounts.list.at[i];

		str_addf(&text, "%s%s%s %s%s", i ? ", " : "", m->missing ? "new " : "",
			 kinds[m->kind], m->path + s->dir.len, m->is_dir ? "/" : "");
	}
	CHECK_STR(str_c(&text), expected);
}

TEST(sandbox_mounts_change_where_the_rules_do)
{
	SITE(s);
	AT(in, s, "in");
	AT(fixed, s, "in/a/b/fixed");
	AT(secret, s, "in/secret");
	AT(shown, s, "in/secret/shown");
	AT(outside, s, "outside");
	AT(key, s, "outside/key");

	make(&s, "in/a/b/");
	make(&s, "in/a/b/fixed");
	make(&s, "in/secret/shown/");
	make(&s, "outside/");
	make(&s, "outside/key");
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(in) }, "rw /in/");
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(in), .deny_write = LIST(fixed) },
		     "rw /in/, rw /in/a/, rw /in/a/b/, ro /in/a/b/fixed");
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(in), .deny_write = LIST(in) }, "");
	check_mounts(&s,
		     &(struct sandbox_policy){ .write = LIST(in, fixed), .deny_write = LIST(in) },
		     "");
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(in), .deny_write = LIST(outside) },
		     "rw /in/");
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(in), .deny_read = LIST(secret) },
		     "rw /in/, hide /in/secret/");
	check_mounts(&s,
		     &(struct sandbox_policy){ .write = LIST(in),
					       .deny_read = LIST(secret, key),
					       .allow_read = LIST(shown) },
		     "rw /in/, hide /in/secret/, rw /in/secret/shown/, hide-file /outside/key");
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(in), .deny_read = LIST(fixed) },
		     "rw /in/, rw /in/a/, rw /in/a/b/, hide-file /in/a/b/fixed");
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(in), .temp_dir = secret },
		     "rw /in/, rw /in/secret/");
	check_mounts(
		&s,
		&(struct sandbox_policy){ .deny_read = LIST(secret), .allow_read = LIST(secret) },
		"hide /in/secret/");
	check_mounts(&s, &(struct sandbox_policy){ .any_file = true, .deny_read = LIST(secret) },
		     "");
	check_mounts(
		&s, &(struct sandbox_policy){ .deny_read = LIST(str_c(&s.dir)), .write = LIST(in) },
		"hide /, rw /in/");
}

TEST(sandbox_mounts_protect_the_first_missing_part_of_a_missing_path)
{
	SITE(s);
	AT(in, s, "in");
	AT(deep, s, "in/a/b/c");
	AT(dir, s, "in/dir/");
	AT(file, s, "in/file");
	AT(below_file, s, "in/plain/x");
	AT(elsewhere, s, "else/x");

	make(&s, "in/");
	make(&s, "in/plain");
	check_mounts(
		&s,
		&(struct sandbox_policy){ .write = LIST(in), .deny_write = LIST(deep, dir, file) },
		"rw /in/, new ro /in/a/, new ro /in/dir/, new ro /in/file");
	check_mounts(&s,
		     &(struct sandbox_policy){ .write = LIST(in),
					       .deny_write_existing = LIST(deep, dir, file) },
		     "rw /in/");
	check_mounts(&s,
		     &(struct sandbox_policy){ .write = LIST(in),
					       .deny_write = LIST(elsewhere),
					       .deny_write_existing = LIST(below_file),
					       .deny_read = LIST(deep, below_file) },
		     "rw /in/");
	check_mounts(&s,
		     &(struct sandbox_policy){ .write = LIST(in), .deny_write = LIST(below_file) },
		     "rw /in/, ro /in/plain"); /* a directory could take its place */
	make(&s, "in/a/");
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(in), .deny_write = LIST(deep) },
		     "rw /in/, rw /in/a/, new ro /in/a/b/");
}

TEST(sandbox_mounts_follow_links_and_protect_them)
{
	SITE(s);
	AT(in, s, "in");
	AT(by_link, s, "in/link/settings");
	AT(link, s, "in/link");
	AT(loop, s, "in/loop");
	AT(alias, s, "alias");
	struct err err;
	defer(sandbox_mounts_clear) struct sandbox_mounts mounts = SANDBOX_MOUNTS_INIT;

	make(&s, "in/real/");
	make(&s, "in/real/settings");
	CHECK_INT(symlink("real", link), 0);
	CHECK_INT(symlink("loop", loop), 0);
	CHECK_INT(symlink("in", alias), 0);
	check_mounts(&s,
		     &(struct sandbox_policy){ .write = LIST(alias), .deny_write = LIST(by_link) },
		     "rw /in/, link /in/link, rw /in/real/, ro /in/real/settings");
	check_mounts(&s, &(struct sandbox_policy){ .deny_write = LIST(by_link) }, "");
	CHECK(!sandbox_mounts_make(
		&mounts, &(struct sandbox_policy){ .write = LIST(in), .deny_write = LIST(loop) },
		&err));
	CHECK_ERR(err, ERR_INVALID, "loop");
}

TEST(sandbox_mounts_allow_nothing_through_links_that_a_command_can_make)
{
	SITE(s);
	AT(in, s, "in");
	AT(link, s, "in/link");
	AT(below, s, "in/link/below");
	AT(alias, s, "alias");
	AT(out, s, "out");
	struct sandbox_support support = { .namespaces = true, .own_proc = true, .seccomp = true };
	struct sandbox_policy policy = { .support = &support, .write = LIST(in, below) };
	enum sandbox_engine engine;
	unsigned gaps;
	struct err err;

	make(&s, "in/");
	make(&s, "out/below/");
	CHECK_INT(symlink("../out", link), 0);
	CHECK_INT(symlink("in/link", alias), 0);
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(in, link) }, "rw /in/");
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(below, in) }, "rw /in/");
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(in, alias) }, "rw /in/");
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(in), .temp_dir = link },
		     "rw /in/");
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(link) }, "rw /out/");
	check_mounts(&s,
		     &(struct sandbox_policy){
			     .write = LIST(in), .deny_read = LIST(out), .allow_read = LIST(below) },
		     "rw /in/, hide /out/");
	CHECK_OK(sandbox_choose_engine(&policy, &engine, &gaps, &err), err);
	CHECK(gaps & SANDBOX_GAP_DOUBT);
}

TEST(sandbox_mounts_protect_links_to_unreadable_paths)
{
	SITE(s);
	AT(in, s, "in");
	AT(link, s, "in/link");

	make(&s, "in/");
	make(&s, "out/");
	CHECK_INT(symlink("../out", link), 0);
	check_mounts(&s, &(struct sandbox_policy){ .write = LIST(in), .deny_read = LIST(link) },
		     "rw /in/, link /in/link, hide /out/");
}

TEST(sandbox_mounts_have_a_limit)
{
	SITE(s);
	defer(sandbox_mounts_clear) struct sandbox_mounts mounts = SANDBOX_MOUNTS_INIT;
	defer(mem_freep) const char **paths = xcalloc(2000, sizeof(char *));
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct err err;

	for (size_t i = 0; i < 1999; i++)
		paths[i] = arena_printf(&arena, "%s/%zu", str_c(&s.dir), i).ptr;
	CHECK(!sandbox_mounts_make(
		&mounts,
		&(struct sandbox_policy){ .write = LIST(str_c(&s.dir)), .deny_write = paths },
		&err));
	CHECK_ERR(err, ERR_TOO_BIG, "sandbox");
	CHECK(!sandbox_mounts_make(&mounts, &(struct sandbox_policy){ .write = LIST("relative") },
				   &err));
	CHECK_ERR(err, ERR_INVALID, "absolute");
}

/* --- placeholders -------------------------------------------------------------------------------------- */

TEST(placeholders_are_removed_by_their_last_user)
{
	SITE(s);
	AT(dir, s, "dir");
	AT(file, s, "settings.json");
	placeholder_list first = VEC_INIT, second = VEC_INIT;
	struct err err;
	bool exists = false;

	CHECK_OK(placeholder_add(&first, dir, true, &exists, &err), err);
	CHECK(exists);
	CHECK_OK(placeholder_add(&first, file, false, &exists, &err), err);
	CHECK_FILE(file, "{}\n");
	CHECK_OK(placeholder_add(&second, dir, true, &exists, &err), err);
	placeholders_clear(&first);
	CHECK(fs_exists(dir));
	CHECK(!fs_exists(file));
	placeholders_clear(&second);
	CHECK(!fs_exists(dir));
}

/* Adds and removes it again and again. Returns how often it was not there. */
static int placeholder_take_turns(const char *path, bool is_dir)
{
	int missed = 0;

	for (int i = 0; i < 500; i++) {
		placeholder_list placeholders = VEC_INIT;
		struct err err;
		bool exists = false;

		missed += !placeholder_add(&placeholders, path, is_dir, &exists, &err) || !exists ||
			  !fs_exists(path);
		placeholders_clear(&placeholders);
	}
	return missed;
}

TEST(placeholders_are_there_although_others_come_and_go)
{
	SITE(s);
	AT(dir, s, ".dir");
	AT(file, s, "file.json");
	pid_t others[3];
	int status;

	for (size_t i = 0; i < countof(others); i++) {
		others[i] = fork();
		if (others[i] == 0)
			_exit(placeholder_take_turns(dir, true) +
				      placeholder_take_turns(file, false) >
			      0);
	}
	CHECK_INT(placeholder_take_turns(dir, true), 0);
	CHECK_INT(placeholder_take_turns(file, false), 0);
	for (size_t i = 0; i < countof(others); i++) {
		CHECK(waitpid(others[i], &status, 0) == others[i]);
		CHECK_INT(status, 0);
	}
	CHECK(!fs_exists(dir) && !fs_exists(file));
}

TEST(a_placeholder_that_was_removed_meanwhile_is_still_one)
{
	SITE(s);
	AT(dir, s, ".dir");
	placeholder_list placeholders = VEC_INIT;
	struct stat info;
	struct err err;
	bool exists;

	CHECK_OK(placeholder_add(&placeholders, dir, true, &exists, &err), err);
	CHECK_INT(lstat(dir, &info), 0);
	placeholders_clear(&placeholders);
	CHECK(placeholder_is(dir, &info));
}

TEST(placeholders_leave_the_users_files_alone)
{
	SITE(s);
	AT(dir, s, "dir");
	AT(file, s, "file.json");
	AT(inner, s, "dir/inner");
	placeholder_list placeholders = VEC_INIT;
	struct err err;
	bool exists;

	write_file(file, "mine", 0600);
	CHECK_OK(placeholder_add(&placeholders, file, false, &exists, &err), err);
	CHECK(exists);
	CHECK_OK(placeholder_add(&placeholders, dir, true, &exists, &err), err);
	write_file(inner, "mine", 0600); /* a process outside can write there */
	placeholders_clear(&placeholders);
	CHECK_FILE(file, "mine");
	CHECK_FILE(inner, "mine");

	/* A file that replaced it. */
	CHECK_INT(unlink(file), 0);
	CHECK_OK(placeholder_add(&placeholders, file, false, &exists, &err), err);
	CHECK_INT(unlink(file), 0);
	write_file(file, "{}\n", 0600);
	placeholders_clear(&placeholders);
	CHECK_FILE(file, "{}\n");
}

TEST(placeholders_follow_no_link)
{
	SITE(s);
	AT(link, s, "link");
	AT(file, s, "link/file");
	AT(real, s, "real/file");
	placeholder_list placeholders = VEC_INIT;
	struct err err;
	bool exists;

	make(&s, "real/");
	CHECK_INT(symlink("real", link), 0);
	CHECK(!placeholder_add(&placeholders, file, false, &exists, &err));
	CHECK(!fs_exists(real));
}

TEST(placeholders_have_harmless_content)
{
	SITE(s);
	AT(json, s, "x.json");
	AT(common, s, "commondir");
	AT(other, s, "other");
	placeholder_list placeholders = VEC_INIT;
	struct err err;
	bool exists;

	CHECK_OK(placeholder_add(&placeholders, json, false, &exists, &err), err);
	CHECK_OK(placeholder_add(&placeholders, common, false, &exists, &err), err);
	CHECK_OK(placeholder_add(&placeholders, other, false, &exists, &err), err);
	CHECK_FILE(json, "{}\n");
	CHECK_FILE(common, ".\n");
	CHECK_FILE(other, "");
	placeholders_clear(&placeholders);
	CHECK(!fs_exists(common));
}

TEST(placeholders_left_by_a_crash_are_adopted)
{
	SITE(s);
	AT(dir, s, "dir");
	placeholder_list crashed = VEC_INIT, next = VEC_INIT;
	struct err err;
	bool exists;

	CHECK_OK(placeholder_add(&crashed, dir, true, &exists, &err), err);
	close(crashed.at[0].fd); /* as the kernel does */
	close(crashed.at[0].dir);
	free(crashed.at[0].name);
	vec_clear(&crashed);
	CHECK(fs_exists(dir));
	CHECK_OK(placeholder_add(&next, dir, true, &exists, &err), err);
	placeholders_clear(&next);
	CHECK(!fs_exists(dir));
}

TEST(placeholder_with_an_exclusive_lock_is_refused)
{
	SITE(s);
	AT(dir, s, "dir");
	placeholder_list placeholders = VEC_INIT, more = VEC_INIT;
	struct err err;
	bool exists;
	int fd;

	CHECK_OK(placeholder_add(&placeholders, dir, true, &exists, &err), err);
	CHECK_INT(flock(placeholders.at[0].fd, LOCK_UN), 0);
	fd = open(dir, O_RDONLY | O_CLOEXEC);
	CHECK_INT(flock(fd, LOCK_EX), 0);
	CHECK(!placeholder_add(&more, dir, true, &exists, &err));
	CHECK_ERR(err, ERR_BUSY, "another process");
	close(fd);
	placeholders_clear(&placeholders);
}

/* --- bubblewrap ---------------------------------------------------------------------------------- */

TEST(bubblewrap_itself_loads_no_libraries_from_the_environment)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	sandbox_env argv = VEC_INIT, env = VEC_INIT;

	vec_push(&env, "A=1");
	vec_push(&env, "LD_PRELOAD=./evil.so=x");
	vec_push(&env, "GCONV_PATH=.");
	vec_push(&env, "LDX=2");
	vec_push(&env, NULL);
	bubblewrap_env(&argv, &env, &arena);
	CHECK_INT(env.n, 3);
	CHECK_STR(env.at[0], "A=1");
	CHECK_STR(env.at[1], "LDX=2");
	CHECK(!env.at[2]);
	CHECK_INT(argv.n, 6); /* they are set for the command */
	CHECK_STR(argv.at[0], "--setenv");
	CHECK_STR(argv.at[1], "LD_PRELOAD");
	CHECK_STR(argv.at[2], "./evil.so=x");
	CHECK_STR(argv.at[4], "GCONV_PATH");
	vec_clear(&argv);
	vec_clear(&env);
}

/* --- children -------------------------------------------------------------------------------------- */

static const enum sandbox_engine engines[] = { SANDBOX_BWRAP, SANDBOX_NAMESPACES,
					       SANDBOX_LANDLOCK };

static bool is_there(const struct sandbox_support *support, enum sandbox_engine engine)
{
	if (engine == SANDBOX_BWRAP)
		return support->bwrap != NULL;
	return engine == SANDBOX_NAMESPACES ? support->namespaces : support->landlock > 0;
}

/* A test of engines that none of them runs is skipped, not passed. */
static void need_engine(const struct sandbox_support *support)
{
	if (!support->bwrap && !support->namespaces)
		skip();
}

TEST(sandbox_child_runs_reads_and_writes_as_any_other)
{
	SITE(s);
	LOOP(loop);
	AT(in, s, "in");

	make(&s, "in/");
	sandbox_support_probe(&s.support, NULL, NULL);
	need_engine(&s.support);
	for (size_t i = 0; i < countof(engines); i++) {
		struct sandbox_policy policy = { .support = &s.support,
						 .engine = engines[i],
						 .write = LIST(in),
						 .temp_dir = in,
						 .unset = LIST("SECRET") };
		PROBE(p);
		PROBE(lost);

		if (!is_there(&s.support, engines[i]))
			continue;
		PROBE_RUN(&p, loop,
			  SHELL("read x; echo \"$x $SECRET$KEPT\" >f && mkdir d && mv f d/g && "
				"cat d/g && rm -r d && test \"$TMPDIR\" = \"$PWD\"; exit 7"),
			  .env = LIST("PATH=/usr/bin:/bin", "SECRET=s", "KEPT=k", "TMPDIR=/x"),
			  .cwd = in, .input = SV("hi\n"), .confinement = CONFINED(policy));
		CHECK_INT(p.why.kind, ERR_NONE);
		CHECK_SV(sv_of(&p.out), "hi k\n");
		CHECK_SV(sv_of(&p.err), "");
		CHECK_INT(p.result.code, 7);
		PROBE_RUN(&lost, loop, .argv = ARGV("no-such-program"), .cwd = in,
			  .env = LIST("PATH=/usr/bin:/bin"), .confinement = CONFINED(policy));
		CHECK_ERR(lost.why, ERR_NOT_FOUND, "cannot start no-such-program");
	}
}

TEST(sandbox_child_on_a_terminal_that_is_cancelled_leaves_nothing)
{
	SITE(s);
	LOOP(loop);
	AT(in, s, "in");
	AT(missing, s, "in/.claude/");
	int before;

	make(&s, "in/");
	sandbox_support_probe(&s.support, NULL, NULL);
	need_engine(&s.support);
	before = open_descriptors();
	for (size_t i = 0; i < 2; i++) {
		struct sandbox_policy policy = { .support = &s.support,
						 .engine = engines[i],
						 .write = LIST(in),
						 .deny_write = LIST(missing) };
		PROBE(p);

		if (!is_there(&s.support, engines[i]))
			continue;
		probe_start(&p, loop,
			    (struct child_opts){ SHELL("test -t 0 && echo on; sleep 1000"),
						 .cwd = in, .confinement = CONFINED(policy),
						 .pty = true, .rows = 10, .cols = 10 });
		RUN_UNTIL(loop, p.out.len || p.done);
		CHECK(sv_starts(sv_of(&p.out), SV("on")));
		CHECK(fs_exists(missing));
		op_cancel(p.op);
		RUN_UNTIL(loop, p.done);
		CHECK_ERR(p.why, ERR_CANCELLED, "");
		CHECK(is_gone(p.pid));
		CHECK(!fs_exists(missing));
	}
	/* The guard keeps two. */
	CHECK(open_descriptors() <= before + 2);
}

TEST(sandbox_that_is_impossible_fails_the_child)
{
	SITE(s);
	LOOP(loop);
	struct sandbox_support bare = { .seccomp = true };
	struct sandbox_policy policy = { .support = &bare };
	enum sandbox_engine engine;
	unsigned gaps;
	struct err err = ERR_INIT;
	PROBE(p);

	CHECK(!sandbox_choose_engine(&policy, &engine, &gaps, &err));
	CHECK_ERR(err, ERR_UNSUPPORTED, "no sandbox is possible here");
	PROBE_RUN(&p, loop, SHELL("true"), .confinement = CONFINED(policy));
	CHECK_ERR(p.why, ERR_UNSUPPORTED,
		  "cannot start sh: cannot set up the sandbox: no sandbox is");
	policy.engine = SANDBOX_LANDLOCK;
	CHECK(!sandbox_choose_engine(&policy, &engine, &gaps, &err));
	CHECK_ERR(err, ERR_UNSUPPORTED,
		  "the sandbox engine landlock is not available: the kernel has no Landlock");
}

TEST(sandbox_chooses_the_engine_with_the_fewest_gaps)
{
	SITE(s);
	AT(in, s, "in");
	AT(fixed, s, "in/fixed");
	AT(link, s, "in/link");
	struct sandbox_support support = { .bwrap = "/usr/bin/bwrap",
					   .namespaces = true,
					   .own_proc = true,
					   .counts_pids = true,
					   .landlock = 7,
					   .seccomp = true };
	struct sandbox_policy policy = { .support = &support,
					 .write = LIST(in),
					 .deny_write = LIST(fixed),
					 .helper = "/bin/true" };
	enum sandbox_engine engine;
	unsigned gaps;
	struct err err;

	make(&s, "in/");
	make(&s, "in/fixed");
	CHECK_INT(symlink("fixed", link), 0);
	CHECK_OK(sandbox_choose_engine(&policy, &engine, &gaps, &err), err);
	CHECK_INT(engine, SANDBOX_BWRAP);
	CHECK_INT(gaps, 0);
	policy.net = SANDBOX_NET_PROXY;
	CHECK_OK(sandbox_choose_engine(&policy, &engine, &gaps, &err), err);
	CHECK_INT(engine, SANDBOX_BWRAP);
	policy.helper = NULL;
	CHECK_OK(sandbox_choose_engine(&policy, &engine, &gaps, &err), err);
	CHECK_INT(engine, SANDBOX_NAMESPACES);
	policy.net = SANDBOX_NET_NONE;
	support.namespaces = false;
	CHECK_OK(sandbox_choose_engine(&policy, &engine, &gaps, &err), err);
	CHECK_INT(engine, SANDBOX_BWRAP);
	CHECK(gaps & SANDBOX_GAP_LINKS); /* nothing checks whether a link was replaced */
	support.namespaces = true;
	policy.helper = "/bin/true";
	policy.deny_write = LIST(link);
	CHECK_OK(sandbox_choose_engine(&policy, &engine, &gaps, &err), err);
	CHECK_INT(engine, SANDBOX_NAMESPACES);
	policy.write = LIST("/");
	CHECK_OK(sandbox_choose_engine(&policy, &engine, &gaps, &err), err);
	CHECK_INT(engine, SANDBOX_NAMESPACES); /* commands could replace bubblewrap */
	policy.write = LIST(in);
	policy.deny_write = LIST(fixed);
	policy.helper = fixed;
	CHECK_OK(sandbox_choose_engine(&policy, &engine, &gaps, &err), err);
	CHECK_INT(engine, SANDBOX_NAMESPACES); /* commands could replace the helper */
	policy.helper = "/bin/true";
	policy.deny_write = LIST(link);
	policy.write = LIST(in);
	support.namespaces = false;
	CHECK_OK(sandbox_choose_engine(&policy, &engine, &gaps, &err), err);
	CHECK_INT(engine, SANDBOX_BWRAP);
	CHECK_INT(gaps, SANDBOX_GAP_LINKS);
	support.bwrap = NULL;
	CHECK_OK(sandbox_choose_engine(&policy, &engine, &gaps, &err), err);
	CHECK_INT(engine, SANDBOX_LANDLOCK);
	CHECK_INT(gaps, SANDBOX_GAP_PROTECTED | SANDBOX_GAP_PROC | SANDBOX_GAP_DAEMONS |
				SANDBOX_GAP_MODES);
	for (int i = 0; i < SANDBOX_GAPS; i++)
		CHECK(sandbox_gap_text((enum sandbox_gap)(1U << i))[0]);
}

TEST(bubblewrap_is_searched_in_the_path_that_was_given)
{
	struct sandbox_support support;

	sandbox_support_probe(&support, NULL, "/nonexistent");
	CHECK(!support.bwrap);
	sandbox_support_clear(&support);
}

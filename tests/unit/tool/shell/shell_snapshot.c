#include "tool/shell/shell_snapshot.h"

#include "tool/errand.h"

#include "base/limits.h"

/* A home with a .bashrc, a project beside it, and commands that run there. */
struct house {
	struct errand e;
	struct str home, path_env, home_env;
	const char *env[4];
};

static void house_init(struct house *h)
{
	*h = (struct house){ .env = { NULL } };
	errand_init(&h->e);
	fs_join(&h->home, sv_of(&h->e.dir), SV("home"));
	str_addf(&h->path_env, "PATH=%s", getenv("PATH"));
	str_addf(&h->home_env, "HOME=%s", str_c(&h->home));
	h->env[0] = str_c(&h->path_env);
	h->env[1] = str_c(&h->home_env);
	h->e.session.env = h->env;
	put_file(&h->e, "project/file", "");
	put_file(&h->e, "home/file", "");
	str_adds(&h->e.ctx.cwd, "/project");
}

static void house_clear(struct house *h)
{
	shell_snapshot_free(h->e.session.snapshot);
	str_clear(&h->home);
	str_clear(&h->path_env);
	str_clear(&h->home_env);
	errand_clear(&h->e);
}

#define HOUSE(name)                           \
	defer(house_clear) struct house name; \
	house_init(&name)

/* Moves in: what is in the .bashrc is there for the commands that follow. */
static void move_in(struct house *h, const char *rc)
{
	put_file(&h->e, "home/.bashrc", rc);
	h->e.session.snapshot =
		shell_snapshot_new(h->e.loop, str_c(&h->home), str_c(&h->e.ctx.cwd), h->env);
	CHECK(h->e.session.snapshot != NULL);
}

static void bash(struct house *h, const char *command)
{
	defer(str_clear) struct str input = STR_INIT;
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "command", sv_cstr(command));
	jw_end(&w);
	jw_done(&w);
	errand_run(&h->e, &tool_bash, str_c(&input));
}

/* As Debian's begins, and many others. */
#define GUARD "case $- in *i*) ;; *) return;; esac\n"

TEST(aliases_and_functions_of_the_user_are_known_to_commands)
{
	HOUSE(h);

	move_in(&h, GUARD "alias hi='echo hello'\nalias -- -='echo minus'\n"
			  "shout() { echo \"$@\" | tr a-z A-Z; }\n"
			  "shopt -s extglob\nodd() { case $1 in !(x)) ;; esac; echo odd; }\n"
			  "alias shout='shout really'\n");
	bash(&h, "hi there; - sign; shout 'it'\\''s'; odd 12; exit 3");
	CHECK_SV(errand_text(&h.e), "Exit code 3\nhello there\nminus sign\nREALLY IT'S\nodd");
	bash(&h, "hi again; shopt extglob; env | grep awl_; mkdir sub; cd sub");
	CHECK_HAS(&h.e, "hello again\nextglob        \toff");
	CHECK(sv_ends(sv_of(&h.e.ctx.cwd), SV("/project/sub")));
}

TEST(the_file_is_read_once_and_where_the_user_lives)
{
	HOUSE(h);

	move_in(&h, "pwd >>~/reads\nalias hi='echo hello'\n");
	for (int i = 0; i < 3; i++)
		bash(&h, "hi");
	bash(&h, "wc -l <../home/reads; [ \"$(cat ../home/reads)\" -ef ../home ] && echo home");
	CHECK_SV(errand_text(&h.e), "1\nhome");
}

TEST(variables_and_what_it_prints_are_not_taken)
{
	HOUSE(h);

	move_in(&h, "echo welcome; echo welcome >&2; export COLOUR=red PATH=/nonexistent\n"
		    "_helper() { :; }; __kept() { echo kept; }\n"
		    "command_not_found_handle() { echo install it; }\nalias hi=echo\n");
	bash(&h, "echo ${COLOUR-none}; ls -d .; _helper; __kept");
	CHECK_HAS(&h.e, "none\n.\n");
	CHECK_HAS(&h.e, "_helper: command not found\nkept");
}

TEST(a_file_with_nothing_in_it_costs_nothing_afterwards)
{
	HOUSE(h);

	move_in(&h, "export A=b\n");
	bash(&h, "true");
	CHECK(shell_snapshot_is_known(h.e.session.snapshot));
	CHECK(!shell_snapshot_variable(h.e.session.snapshot));
}

TEST(whatever_the_file_does_the_command_runs)
{
	static const char *const files[] = {
		"exit 1\n",
		"exec true\n",
		"exec >&- 2>&-\n",
		"kill -9 $$\n",
		"if\n",
		"set -e; false\n",
		"set -o posix; alias hi=echo\n",
		"alias printf='echo gone' builtin='echo gone' declare=true alias=true\n",
		"exec 0</dev/zero; cat >/dev/null &\n",
		"head -c 1000000 /dev/zero | tr '\\0' x\n",
		"eval \"big() { echo $(head -c 200000 /dev/zero | tr '\\0' x); }\"\n",
		"trap 'echo trapped' EXIT DEBUG\n",
		"PROMPT_COMMAND='echo prompt'; PS1='> '\n",
	};

	for (size_t i = 0; i < countof(files); i++) {
		HOUSE(h);

		move_in(&h, files[i]);
		bash(&h, "echo fine");
		CHECK_SV(errand_text(&h.e), "fine");
		CHECK(shell_snapshot_is_known(h.e.session.snapshot));
	}
}

TEST(a_file_in_the_project_or_that_others_may_write_is_not_read)
{
	HOUSE(h);
	PATH_IN(rc, h.e.dir, "home/.bashrc");
	struct err err;

	CHECK(!shell_snapshot_new(h.e.loop, str_c(&h.home), NULL, h.env)); /* there is none */
	put_file(&h.e, "home/.bashrc", "touch ran\n");
	CHECK(!shell_snapshot_new(h.e.loop, str_c(&h.home), str_c(&h.home), h.env));
	CHECK(!shell_snapshot_new(h.e.loop, str_c(&h.home), str_c(&h.e.dir), h.env));
	CHECK(!shell_snapshot_new(h.e.loop, NULL, NULL, h.env));
	CHECK(!shell_snapshot_new(h.e.loop, "home", NULL, h.env));
	CHECK_INT(chmod(rc, 0666), 0);
	CHECK(!shell_snapshot_new(h.e.loop, str_c(&h.home), str_c(&h.e.ctx.cwd), h.env));
	CHECK_OK(fs_remove(rc, &err), err);
	put_file(&h.e, "project/rc", "touch ran\n"); /* kept in the project, and linked to */
	CHECK_OK(fs_symlink("../project/rc", rc, &err), err);
	CHECK(!shell_snapshot_new(h.e.loop, str_c(&h.home), str_c(&h.e.ctx.cwd), h.env));
}

TEST(a_command_cancelled_meanwhile_ends_the_shell_and_the_next_one_asks_again)
{
	HOUSE(h);
	PATH_IN(slow, h.e.dir, "home/slow");
	struct err err;

	put_file(&h.e, "home/slow", "");
	move_in(&h, "alias hi='echo hello'; [ ! -e ~/slow ] || sleep 1000\n");
	errand_begin(&h.e, &tool_bash, "{\"command\":\"touch ran\"}");
	op_cancel(h.e.op);
	errand_end(&h.e);
	CHECK_INT(h.e.why.kind, ERR_CANCELLED);
	CHECK(!shell_snapshot_is_known(h.e.session.snapshot));
	CHECK_OK(fs_remove(slow, &err), err);
	bash(&h, "hi; ls");
	CHECK_SV(errand_text(&h.e), "hello\nfile");
}

static void on_waited(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	int *codes = owner;

	*codes = why ? (int)why->kind : -1;
}

TEST(several_may_wait_and_one_may_leave)
{
	HOUSE(h);
	int first = 0, second = 0, third = 0;
	struct op *leaving;

	move_in(&h, "alias hi='echo hello'\n");
	shell_snapshot_wait(h.e.session.snapshot, THEN(on_waited, &first));
	leaving = shell_snapshot_wait(h.e.session.snapshot, THEN(on_waited, &second));
	shell_snapshot_wait(h.e.session.snapshot, THEN(on_waited, &third));
	op_cancel(leaving);
	op_cancel(leaving);
	loop_run(h.e.loop);
	CHECK_INT(first, -1);
	CHECK_INT(second, ERR_CANCELLED);
	CHECK_INT(third, -1);
	CHECK(strstr(shell_snapshot_variable(h.e.session.snapshot), "alias hi='echo hello'"));
}

TEST(other_shells_get_nothing_of_it)
{
	HOUSE(h);
	PATH_IN(bin, h.e.dir, "bin");
	PATH_IN(sh, h.e.dir, "bin/sh");
	defer(str_clear) struct str path = STR_INIT;
	struct err err;

	move_in(&h, "alias hi='echo hello'\nodd() { [[ x ]]; }\n");
	bash(&h, "hi");
	CHECK_OK(fs_mkdirs(bin, 0700, &err) && fs_symlink("/bin/sh", sh, &err), err);
	str_addf(&path, "PATH=%s", bin);
	h.env[0] = str_c(&path);
	bash(&h, "echo $0 ${awl_rc-none}");
	CHECK_SV(errand_text(&h.e), "sh none");
}

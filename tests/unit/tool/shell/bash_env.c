/* What the user's variables say of how commands are run, and what commands see of ours. */
#include "tool/errand.h"

#include "base/limits.h"
#include "tool/shell/shell_env.h"

enum { VARIABLES = 24 };

/* An errand in an environment of its own: the PATH, and what is set here. */
struct setting {
	struct errand e;
	struct str text[VARIABLES];
	const char *env[VARIABLES + 1];
	size_t n;
};

static void set(struct setting *s, const char *name, const char *value)
{
	CHECK(s->n < VARIABLES);
	str_addf(&s->text[s->n], "%s=%s", name, value);
	s->env[s->n] = str_c(&s->text[s->n]);
	s->n++;
}

static void setting_init(struct setting *s)
{
	*s = (struct setting){ .n = 0 };
	errand_init(&s->e);
	set(s, "PATH", getenv("PATH"));
	s->e.session.env = s->env;
}

static void setting_clear(struct setting *s)
{
	errand_clear(&s->e);
	for (size_t i = 0; i < s->n; i++)
		str_clear(&s->text[i]);
}

#define SETTING(name)                             \
	defer(setting_clear) struct setting name; \
	setting_init(&name)

static void bash(struct setting *s, const char *command)
{
	defer(str_clear) struct str input = STR_INIT;
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "command", sv_cstr(command));
	jw_end(&w);
	jw_done(&w);
	errand_run(&s->e, &tool_bash, str_c(&input));
}

/* A program in the rig's directory; returns its path, which the caller frees. */
static char *program(struct setting *s, const char *name, const char *text)
{
	PATH_IN(path, s->e.dir, name);

	put_file(&s->e, name, text);
	CHECK_INT(chmod(path, 0700), 0);
	return xstrdup(path);
}

TEST(commands_know_who_runs_them_and_nothing_of_start_up_files_or_telemetry)
{
	SETTING(s);

	set(&s, "BASH_ENV", "/nonexistent/start");
	set(&s, "ENV", "/nonexistent/start");
	set(&s, "OTEL_EXPORTER_OTLP_HEADERS", "key=secret");
	set(&s, "CLAUDE_CODE_SESSION_ID", "of another one");
	set(&s, "awl_rc", "echo planted");
	s.e.session.id = "the-session";
	s.e.ctx.effort = "high";
	bash(&s,
	     "printenv AI_AGENT CLAUDECODE CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_SESSION_ID "
	     "CLAUDE_EFFORT; [ \"$CLAUDE_PROJECT_DIR\" = \"$PWD\" ] && echo same; "
	     "kill -0 \"$CLAUDE_PID\" && echo alive; ! env | grep -E '^(BASH_ENV|ENV|OTEL|awl_)'");
	CHECK_SV(errand_text(&s.e), "awl\n1\n1\nthe-session\nhigh\nsame\nalive");
}

/* Whether a command only reads is decided by its text. */
TEST(variables_that_give_a_command_another_meaning_are_kept_from_it)
{
	static const char *const names[] = {
		"BASHOPTS",   "BASH_COMPAT", "BASH_XTRACEFD",   "CDPATH",
		"EXECIGNORE", "GLOBIGNORE",  "GREP_OPTIONS",    "GIT_EXTERNAL_DIFF",
		"LESSOPEN",   "LESSCLOSE",   "POSIXLY_CORRECT", "PROMPT_COMMAND",
		"PS4",        "SHELLOPTS",   "TAR_OPTIONS",     "RIPGREP_CONFIG_PATH",
	};
	SETTING(s);

	for (size_t i = 0; i < countof(names); i++)
		set(&s, names[i], "extglob");
	set(&s, "GIT_AUTHOR_NAME", "me");
	bash(&s, "env | grep -c extglob; echo \"$GIT_AUTHOR_NAME\"");
	CHECK_SV(errand_text(&s.e), "0\nme");
}

TEST(a_path_that_leads_wherever_a_command_runs_is_none)
{
	SETTING(s);

	free(program(&s, "ls", "#!/bin/sh\necho planted\n"));
	set(&s, "PATH", ".::sub/bin:/usr/bin:/bin:");
	s.env[0] = "A=1";
	bash(&s, "echo \"$PATH\"; ls -d .");
	CHECK_SV(errand_text(&s.e), "/usr/bin:/bin\n.");
}

TEST(what_is_not_known_is_not_said)
{
	SETTING(s);

	s.e.session.root = s.e.session.project = NULL;
	bash(&s, "env | grep -E '^CLAUDE_(EFFORT|PROJECT_DIR|CODE_SESSION_ID)='; echo $?");
	CHECK_SV(errand_text(&s.e), "1");
}

TEST(a_shell_of_the_users_choice_is_one_that_we_know_and_definite)
{
	static const struct {
		const char *value, *expected;
	} cases[] = {
		{ "/bin/bash", "/bin/bash" },   { "bash", "bash" },
		{ "/usr/bin/python3", "bash" }, { "./bash", "bash" },
		{ "sub/bash", "bash" },         { "/nonexistent/bash", "bash" },
		{ "zsh; touch pwned", "bash" }, { "", "bash" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		SETTING(s);
		PATH_IN(pwned, s.e.dir, "pwned");
		free(program(&s, "bash", "#!/bin/sh\ntouch pwned\n"));

		set(&s, "CLAUDE_CODE_SHELL", cases[i].value);
		bash(&s, "echo $0");
		CHECK_SV_EQ(errand_text(&s.e), sv_cstr(cases[i].expected));
		CHECK(!fs_exists(pwned));
	}
}

/* It gets the whole command as one word. */
TEST(a_prefix_is_given_the_command_as_its_last_argument)
{
	SETTING(s);
	defer(mem_freep) char *logger =
		program(&s, "with blank/logger", "#!/bin/bash\necho \"$# $1\"\neval \"$2\"\n");
	defer(str_clear) struct str prefix = STR_INIT;

	str_addf(&prefix, "%s --flag", logger);
	set(&s, "CLAUDE_CODE_SHELL_PREFIX", str_c(&prefix));
	bash(&s, "mkdir sub; cd sub\nprintf '%s' 'it'\\''s \"$(echo fine)\" '; exit 7");
	CHECK_SV(errand_text(&s.e), "Exit code 7\n2 --flag\nit's \"$(echo fine)\"");
	CHECK(sv_ends(sv_of(&s.e.ctx.cwd), SV("/sub")));
}

TEST(a_prefix_is_never_read_by_a_shell)
{
	SETTING(s);
	PATH_IN(pwned, s.e.dir, "pwned");

	set(&s, "CLAUDE_CODE_SHELL_PREFIX", "/bin/echo -n $(touch pwned) ; touch pwned");
	bash(&s, "touch pwned");
	CHECK_HAS(&s.e, "$(touch pwned) ; touch pwned set -- ");
	CHECK(!fs_exists(pwned));
}

TEST(a_prefix_that_cannot_be_used_fails_the_command)
{
	static const struct {
		const char *prefix;
		enum err_kind kind;
		const char *part;
	} cases[] = {
		{ "./logger", ERR_INVALID, "absolute path" },
		{ "sub/logger -c", ERR_INVALID, "absolute path" },
		{ "/nonexistent/logger", ERR_NOT_FOUND, "/nonexistent/logger" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		SETTING(s);
		PATH_IN(ran, s.e.dir, "ran");
		free(program(&s, "logger", "#!/bin/sh\ntouch ran\n"));

		set(&s, "CLAUDE_CODE_SHELL_PREFIX", cases[i].prefix);
		bash(&s, "touch ran");
		CHECK_ERR(s.e.why, cases[i].kind, cases[i].part);
		CHECK(!fs_exists(ran));
	}
}

TEST(the_users_file_is_read_before_every_command)
{
	SETTING(s);
	PATH_IN(file, s.e.dir, "a '$(touch pwned)' file");
	PATH_IN(pwned, s.e.dir, "pwned");

	put_file(&s.e, "a '$(touch pwned)' file",
		 "export FROM_FILE=yes; set -- a b; helper() { echo helped; }\n");
	set(&s, "CLAUDE_ENV_FILE", file);
	bash(&s, "echo $FROM_FILE $#; helper; exit 4");
	CHECK_SV(errand_text(&s.e), "Exit code 4\nyes 0\nhelped");
	CHECK(!fs_exists(pwned));
}

TEST(a_file_that_is_missing_or_relative_is_left_alone)
{
	static const char *const files[] = { "/nonexistent/file", "here", "./here" };

	for (size_t i = 0; i < countof(files); i++) {
		SETTING(s);

		put_file(&s.e, "here", "echo planted\n");
		set(&s, "CLAUDE_ENV_FILE", files[i]);
		bash(&s, "echo fine");
		CHECK_SV(errand_text(&s.e), "fine");
	}
}

TEST(the_user_sets_how_much_of_the_output_is_shown)
{
	static const struct {
		const char *value;
		size_t at_least, at_most;
	} cases[] = {
		{ "5000", 3500, 5000 },
		{ "1", 500, 2000 },
		{ "150000", 145000, 150000 },
		{ "99999999999999999", 145000, 150000 },
		{ "-5", 28000, 30000 },
		{ "many", 28000, 30000 },
		{ "99999999999999999999999", 28000, 30000 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		SETTING(s);

		s.e.session.results_dir = NULL; /* else there is only a preview */
		set(&s, "BASH_MAX_OUTPUT_LENGTH", cases[i].value);
		bash(&s, "seq 1 100000");
		CHECK(errand_text(&s.e).len >= cases[i].at_least);
		CHECK(errand_text(&s.e).len <= cases[i].at_most);
		CHECK(sv_starts(errand_text(&s.e), SV("1\n2\n3\n")));
		CHECK(sv_ends(errand_text(&s.e), SV("\n99999\n100000")));
	}
}

TEST(the_user_may_want_every_command_to_start_where_the_session_did)
{
	SETTING(s);

	set(&s, "CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR", "1");
	bash(&s, "mkdir sub; cd sub; echo there");
	CHECK_HAS(&s.e, "there\n[The working directory was reset to ");
	CHECK_SV_EQ(sv_of(&s.e.ctx.cwd), sv_of(&s.e.dir));
	bash(&s, "touch x");
	CHECK_SV(errand_text(&s.e), "(No output)");
}

TEST(a_switch_is_off_when_it_says_so)
{
	static const struct {
		const char *value;
		bool on;
	} cases[] = {
		{ "1", true }, { "true", true }, { "0", false }, { "false", false }, { "", false }
	};

	for (size_t i = 0; i < countof(cases); i++) {
		SETTING(s);

		set(&s, "SWITCH", cases[i].value);
		CHECK_INT(shell_env_is_on(&s.e.session, "SWITCH"), cases[i].on);
		CHECK(!shell_env_is_on(&s.e.session, "SWITC"));
	}
}

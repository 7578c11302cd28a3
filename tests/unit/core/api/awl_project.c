/* The public interface: settings, trust and permissions of a directory, without an engine. */
#include <awl_agents.h>
#include <pthread.h>
#include <signal.h>

#include "core/host.h"

/* A directory with its own home, and the project that it is. */
struct place {
	struct str dir;
	char *home, *work;
	struct str variable;
	const char *environment[2];
	struct awl_project *project;
};

static void place_open(struct place *p)
{
	struct awl_project_options options = AWL_PROJECT_OPTIONS_INIT;

	options.cwd = p->work;
	options.environment = p->environment;
	CHECK_RESULT(awl_project_open(&p->project, &options), AWL_OK);
}

static void place_init(struct place *p)
{
	struct err err = ERR_INIT;

	*p = (struct place){ .project = NULL };
	CHECK_OK(fs_temp_dir(&p->dir, &err), err);
	p->home = path_in(&p->dir, "home");
	p->work = path_in(&p->dir, "work");
	CHECK_OK(fs_mkdirs(p->home, 0700, &err) && fs_mkdirs(p->work, 0700, &err), err);
	str_addf(&p->variable, "HOME=%s", p->home);
	p->environment[0] = str_c(&p->variable);
	place_open(p);
}

static void place_clear(struct place *p)
{
	awl_project_close(p->project);
	str_clear(&p->variable);
	free(p->home);
	free(p->work);
	temp_dir_remove(&p->dir);
}

#define PLACE(name)                           \
	defer(place_clear) struct place name; \
	place_init(&name)

static void place_write(const struct place *p, const char *name, const char *text)
{
	defer(str_clear) struct str path = STR_INIT, dir = STR_INIT;
	struct err err = ERR_INIT;

	str_addf(&dir, "%s/.claude", p->work);
	str_addf(&path, "%s/%s", str_c(&dir), name);
	if (!fs_exists(str_c(&dir)))
		CHECK_OK(fs_mkdirs(str_c(&dir), 0700, &err), err);
	CHECK_OK(fs_write(str_c(&path), sv_cstr(text), (struct fs_write){ .mode = 0600 }, &err),
		 err);
}

/* --- projects ----------------------------------------------------------------------------- */

static void place_write_agent(const struct place *p, const char *name, const char *text)
{
	defer(str_clear) struct str path = STR_INIT, dir = STR_INIT;
	struct err err = ERR_INIT;

	str_addf(&dir, "%s/.claude/agents", p->work);
	str_addf(&path, "%s/%s", str_c(&dir), name);
	CHECK_OK(fs_mkdirs(str_c(&dir), 0700, &err) &&
			 fs_write(str_c(&path), sv_cstr(text), (struct fs_write){ .mode = 0600 },
				  &err),
		 err);
}

TEST(a_project_needs_a_directory_that_exists)
{
	struct awl_project_options options = { .cwd = "/" }; /* its size is not set */
	struct awl_project *project;

	CHECK_RESULT(awl_project_open(&project, &options), AWL_ERR_INVALID);
	options = (struct awl_project_options)AWL_PROJECT_OPTIONS_INIT;
	options.cwd = "/does/not/exist";
	CHECK_RESULT(awl_project_open(&project, &options), AWL_ERR_NOT_FOUND);
	CHECK(!project);
	awl_project_close(NULL);
	CHECK_RESULT(awl_project_open(&project, NULL), AWL_OK);
	CHECK(*awl_project_dir(project) == '/');
	CHECK_STR(awl_project_notes(project), "");
	awl_project_close(project);
}

/* --- settings ----------------------------------------------------------------------------- */

TEST(a_setting_can_be_set_read_and_removed)
{
	PLACE(p);
	const char *json;

	CHECK_RESULT(awl_config_get(p.project, "model", &json), AWL_ERR_NOT_FOUND);
	CHECK_STR(awl_last_error(), "model is not set");
	CHECK_RESULT(awl_config_set(p.project, AWL_SCOPE_DEFAULT, "model", "opus"), AWL_OK);
	CHECK_RESULT(awl_config_get(p.project, "model", &json), AWL_OK);
	CHECK_STR(json, "\"opus\"");
	CHECK_RESULT(awl_config_unset(p.project, AWL_SCOPE_USER, "model"), AWL_OK);
	CHECK_RESULT(awl_config_get(p.project, "model", &json), AWL_ERR_NOT_FOUND);
	CHECK_RESULT(awl_config_get(p.project, "cleanupPeriodDays", &json), AWL_OK);
	CHECK_STR(json, "30"); /* the default */
}

TEST(mistakes_in_settings_have_codes_and_change_nothing)
{
	PLACE(p);
	const char *path = awl_config_path(p.project, AWL_SCOPE_USER, NULL);

	CHECK(strstr(path, "/home/.claude/settings.json"));
	CHECK_RESULT(awl_config_set(p.project, AWL_SCOPE_USER, "modle", "opus"), AWL_ERR_NOT_FOUND);
	CHECK(strstr(awl_last_error(), "did you mean 'model'?"));
	CHECK_RESULT(awl_config_set(p.project, AWL_SCOPE_USER, "cleanupPeriodDays", "soon"),
		     AWL_ERR_INVALID);
	CHECK_RESULT(awl_config_add(p.project, AWL_SCOPE_USER, "model", "opus"), AWL_ERR_INVALID);
	CHECK_RESULT(awl_config_add(p.project, AWL_SCOPE_USER, "permissions.allow", "npm test"),
		     AWL_ERR_INVALID);
	CHECK(strstr(awl_last_error(), "Bash(npm test)"));
	CHECK(!fs_exists(awl_config_path(p.project, AWL_SCOPE_USER, NULL)));
	CHECK(awl_config_is_key("permissions.allow") && !awl_config_is_key("modle"));
	CHECK(strstr(awl_config_docs(p.project), "cleanupPeriodDays"));
}

TEST(a_list_gets_and_loses_an_element)
{
	PLACE(p);
	const struct awl_config_entry *entries;
	const char *json;
	size_t n;

	CHECK_RESULT(awl_config_add(p.project, AWL_SCOPE_USER, "permissions.deny", "Bsh(rm:*)"),
		     AWL_ERR_NOT_FOUND);
	CHECK(strstr(awl_last_error(), "did you mean Bash?"));
	CHECK_RESULT(awl_config_add(p.project, AWL_SCOPE_USER, "permissions.deny", "Bash(rm:*)"),
		     AWL_OK);
	CHECK_RESULT(awl_config_add(p.project, AWL_SCOPE_USER, "permissions.deny", "Read(x)"),
		     AWL_OK);
	CHECK_STR(awl_project_notes(p.project), "");
	CHECK_RESULT(awl_config_remove(p.project, AWL_SCOPE_USER, "permissions.deny", "Bash(rm:*)"),
		     AWL_OK);
	CHECK_RESULT(awl_config_list(p.project, &entries, &n), AWL_OK);
	CHECK_INT(n, 1);
	CHECK_STR(entries[0].key, "permissions.deny[0]");
	CHECK_STR(entries[0].json, "\"Read(x)\"");
	CHECK(strstr(entries[0].where, "/home/.claude/settings.json:"));
	CHECK(entries[0].applies != AWL_HAS_NO_EFFECT);
	CHECK_RESULT(awl_config_json(p.project, &json), AWL_OK);
	CHECK(strstr(json, "\"effective\"") && strstr(json, "\"Read(x)\""));
}

TEST(files_are_checked)
{
	PLACE(p);

	CHECK_RESULT(awl_config_check(p.project), AWL_OK);
	place_write(&p, "settings.json", "{\"cleanupPeriodDays\": \"soon\"}");
	CHECK_RESULT(awl_config_check(p.project), AWL_ERR_INVALID);
	CHECK(strstr(awl_project_notes(p.project), "settings.json:1:"));
}

TEST(without_a_home_there_is_no_file_of_the_user)
{
	static const char *const nothing[] = { NULL };
	struct awl_project_options options = AWL_PROJECT_OPTIONS_INIT;
	struct awl_project *project;
	PLACE(p);

	options.environment = nothing;
	options.cwd = p.work;
	CHECK_RESULT(awl_project_open(&project, &options), AWL_OK);
	CHECK(!awl_config_path(project, AWL_SCOPE_USER, NULL));
	CHECK(!awl_config_path(project, AWL_SCOPE_GLOBAL, NULL));
	CHECK(awl_config_path(project, AWL_SCOPE_LOCAL, NULL));
	CHECK(awl_config_set(project, AWL_SCOPE_USER, "model", "opus") != AWL_OK);
	CHECK(awl_trust_forget(project) != AWL_OK);
	CHECK(strstr(awl_last_error(), "nowhere to record trust"));
	awl_project_close(project);
}

/* --- trust -------------------------------------------------------------------------------- */

TEST(trust_is_looked_at_given_and_lost_by_a_change)
{
	PLACE(p);
	enum awl_trust state;
	const char *json;

	CHECK_RESULT(awl_trust_give(p.project), AWL_ERR_INVALID); /* nobody has looked */
	CHECK_RESULT(awl_trust_look(p.project, &state), AWL_OK);
	CHECK_INT(state, AWL_TRUST_NOT_NEEDED);
	CHECK(!awl_trust_file_at(p.project, 0));
	place_write(&p, "settings.json", "{\"permissions\":{\"allow\":[\"Bash(make)\"]}}");
	CHECK_RESULT(awl_config_get(p.project, "permissions.allow", &json), AWL_ERR_NOT_FOUND);
	CHECK(strstr(awl_project_notes(p.project), "ignored until you trust this project"));
	CHECK_RESULT(awl_trust_look(p.project, &state), AWL_OK);
	CHECK_INT(state, AWL_TRUST_NEVER_GIVEN);
	CHECK(strstr(awl_trust_file_at(p.project, 0)->path, "/.claude/settings.json"));
	CHECK(strstr(awl_trust_file_at(p.project, 0)->text, "Bash(make)"));
	CHECK(!awl_trust_file_at(p.project, 1));
	CHECK(strstr(awl_trust_pending(p.project), "permissions.allow"));
	CHECK_RESULT(awl_trust_give(p.project), AWL_OK);
	CHECK_RESULT(awl_config_get(p.project, "permissions.allow", &json), AWL_OK);
	CHECK_STR(json, "[\"Bash(make)\"]");
	place_write(&p, "settings.json", "{\"permissions\":{\"allow\":[\"Bash(rm)\"]}}");
	CHECK_RESULT(awl_trust_look(p.project, &state), AWL_OK);
	CHECK_INT(state, AWL_TRUST_OUTDATED);
	CHECK_RESULT(awl_trust_forget(p.project), AWL_OK);
	CHECK_RESULT(awl_trust_look(p.project, &state), AWL_OK);
	CHECK_INT(state, AWL_TRUST_NEVER_GIVEN);
}

/* --- permissions --------------------------------------------------------------------------- */

static const struct awl_why_answer *ask(struct place *p, const char *command, const char *mode,
					const char *const *deny)
{
	struct awl_why_question question = AWL_WHY_QUESTION_INIT;
	defer(str_clear) struct str input = STR_INIT;
	const struct awl_why_answer *why = NULL;

	str_addf(&input, "{\"command\":\"%s\"}", command);
	question.tool = "Bash";
	question.input = str_c(&input);
	question.permission_mode = mode;
	question.deny = deny;
	CHECK_RESULT(awl_why(p->project, &question, &why), AWL_OK);
	return why;
}

TEST(a_tool_use_is_explained)
{
	static const char *const no_curl[] = { "Bash(curl:*)", NULL };
	const struct awl_why_answer *why;
	PLACE(p);

	why = ask(&p, "ls", NULL, NULL);
	CHECK_STR(awl_decision_name(why->decision), "allow");
	CHECK_STR(why->permission_mode, "default");
	why = ask(&p, "ls && make x", NULL, NULL);
	CHECK_INT(why->decision, AWL_ASK);
	CHECK_INT(why->nparts, 2);
	CHECK_STR(awl_why_part_at(why, 0)->text, "ls");
	CHECK_INT(awl_why_part_at(why, 0)->decision, AWL_ALLOW);
	CHECK_INT(awl_why_part_at(why, 1)->decision, AWL_ASK);
	CHECK(*awl_why_part_at(why, 1)->reason && !awl_why_part_at(why, 2));
	CHECK_INT(why->nrules, 1);
	CHECK_STR(awl_why_rule_at(why, 0), "Bash(make x)");
	CHECK(!awl_why_rule_at(why, 1));
	why = ask(&p, "make x", "auto", NULL);
	CHECK(why->asks_model);
	why = ask(&p, "curl x", NULL, no_curl);
	CHECK_INT(why->decision, AWL_DENY);
	CHECK_STR(why->reason_type, "rule");
	CHECK(strstr(why->reason, "Bash(curl:*)"));
}

TEST(a_question_that_makes_no_sense_is_refused)
{
	static const char *const wrong[] = { "Bash(", NULL };
	struct awl_why_question question = AWL_WHY_QUESTION_INIT;
	const struct awl_why_answer *why = NULL;
	PLACE(p);

	question.tool = "Bash";
	question.input = "{";
	CHECK_RESULT(awl_why(p.project, &question, &why), AWL_ERR_PARSE);
	question.input = "{}";
	CHECK_RESULT(awl_why(p.project, &question, &why), AWL_ERR_INVALID);
	question.input = "{\"command\":\"ls\"}";
	question.allow = wrong;
	CHECK_RESULT(awl_why(p.project, &question, &why), AWL_ERR_INVALID);
	question.allow = NULL;
	question.permission_mode = "yolo";
	CHECK_RESULT(awl_why(p.project, &question, &why), AWL_ERR_INVALID);
	CHECK(!why);
}

/* --- the sandbox ------------------------------------------------------------------------------ */

static const char *const sandbox_write[] = { "made", NULL };

/* Runs a shell command in the sandbox; its exit status, or -1 where there can be no sandbox. */
static int run_in_sandbox(struct place *p, const char *command, int signo, const char *left)
{
	const char *argv[] = { "/bin/sh", "-c", command, NULL };
	struct awl_sandbox_options options = AWL_SANDBOX_OPTIONS_INIT;
	struct awl_sandbox *sandbox;
	enum awl_result result;
	const char *text;
	int status = -1;

	options.write = sandbox_write;
	CHECK_RESULT(awl_sandbox_open(&sandbox, p->project, &options), AWL_OK);
	result = awl_sandbox_describe(sandbox, &text);
	CHECK(strstr(text, result == AWL_OK ? "policy:" : "not available"));
	awl_sandbox_signal(sandbox, signo); /* nothing runs yet */
	if (result == AWL_OK) {
		CHECK_RESULT(awl_sandbox_run(sandbox, argv, &status), AWL_OK);
		text = awl_sandbox_left(sandbox);
		CHECK(left ? text && strstr(text, left) : !text);
	}
	CHECK_RESULT(awl_sandbox_close(sandbox), AWL_OK);
	return status;
}

TEST(a_command_runs_in_the_sandbox_of_the_project)
{
	PLACE(p);
	defer(str_clear) struct str command = STR_INIT;
	struct err err = ERR_INIT;
	PATH_IN(inside, p.dir, "work/made/x");
	PATH_IN(outside, p.dir, "home/x");
	PATH_IN(made, p.dir, "work/made");
	int status;

	CHECK_OK(fs_mkdirs(made, 0700, &err), err);
	str_addf(&command, "echo in >'%s'; echo out 2>&- >'%s'; exit 7", inside, outside);
	status = run_in_sandbox(&p, str_c(&command), SIGTERM, NULL);
	if (status < 0)
		skip();
	CHECK_INT(status, 7);
	CHECK(fs_exists(inside));
	CHECK(!fs_exists(outside));
}

TEST(what_a_command_leaves_in_the_sandbox_is_reported)
{
	PLACE(p);
	defer(str_clear) struct str command = STR_INIT;
	struct err err = ERR_INIT;
	PATH_IN(made, p.dir, "work/made");

	CHECK_OK(fs_mkdirs(made, 0700, &err), err);
	str_addf(&command, "mkdir -p '%s/x/.git'", made);
	if (run_in_sandbox(&p, str_c(&command), SIGTERM, "/made/x/.git. Git, editors") < 0)
		skip();
}

static void *send_signal(void *arg)
{
	poll(NULL, 0, 100);
	awl_sandbox_signal(arg, SIGTERM);
	return NULL;
}

TEST(another_thread_may_end_a_command_in_the_sandbox)
{
	static const char *const argv[] = { "/bin/sleep", "60", NULL };
	PLACE(p);
	struct awl_sandbox *sandbox;
	const char *text;
	pthread_t thread;
	int status = -1;

	CHECK_RESULT(awl_sandbox_open(&sandbox, p.project, NULL), AWL_OK);
	if (awl_sandbox_describe(sandbox, &text) == AWL_OK) {
		CHECK(pthread_create(&thread, NULL, send_signal, sandbox) == 0);
		CHECK_RESULT(awl_sandbox_run(sandbox, argv, &status), AWL_OK);
		pthread_join(thread, NULL);
		CHECK_INT(status, 128 + SIGTERM);
	}
	CHECK_RESULT(awl_sandbox_close(sandbox), AWL_OK);
}

TEST(a_sandbox_with_an_unknown_engine_is_refused)
{
	PLACE(p);
	struct awl_sandbox_options options = AWL_SANDBOX_OPTIONS_INIT;
	struct awl_sandbox *sandbox;

	options.engine = "magic";
	CHECK_RESULT(awl_sandbox_open(&sandbox, p.project, &options), AWL_ERR_INVALID);
	CHECK(!sandbox && strstr(awl_last_error(), "magic"));
	CHECK_RESULT(awl_sandbox_close(NULL), AWL_OK);
}

TEST(only_a_helper_is_one)
{
	char *argv[] = { (char *)"awl", (char *)"sandbox", (char *)"x", NULL };

	CHECK_INT(awl_helper_main(3, argv), -1);
	CHECK_INT(awl_helper_main(1, argv), -1);
}

TEST(definitions_of_agents_are_listed_and_bad_ones_are_named_with_their_lines)
{
	PLACE(p);
	const char *json;

	place_write(&p, "agents.md", "not in the folder");
	CHECK_RESULT(awl_agents_describe(p.project, &json), AWL_OK);
	CHECK(strstr(json, "{\"name\":\"Explore\"") && strstr(json, "\"source\":\"built-in\""));
	place_write_agent(
		&p, "good.md",
		"---\nname: good\ndescription: Good\ntools: Read, Grep\nmemory: local\n---\n");
	place_write_agent(&p, "odd.md",
			  "---\nname: odd\ndescription: Odd\ncolor: blue\n\nmaxTurns: many\n---\n");
	place_write_agent(&p, "twice.md", "---\nname: good\ndescription: Again\n---\n");
	place_write_agent(&p, "none.md", "---\nname: none\n---\n");
	CHECK_RESULT(awl_agents_describe(p.project, &json), AWL_OK);
	CHECK(strstr(
		json,
		"\"name\":\"good\",\"description\":\"Good\",\"source\":\"project\",\"file\":"));
	CHECK(strstr(json,
		     "\"memory\":\"local\",\"tools\":[\"Read\",\"Grep\"],\"background\":false}"));
	CHECK(strstr(json, "\"name\":\"odd\"") && !strstr(json, "\"name\":\"none\""));
	CHECK(strstr(awl_project_notes(p.project),
		     "odd.md:6: \"maxTurns\" must be a number above 0"));
	CHECK(strstr(awl_project_notes(p.project), "twice.md: this agent is skipped: "));
	CHECK(strstr(awl_project_notes(p.project), "none.md:1: this agent is skipped: it has no"));
}

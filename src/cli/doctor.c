/* awl doctor: shows what is configured, without secrets, and tries it: the model answers a short
 * prompt, a command runs in the sandbox, the programs that tools need are started. */
#include <awl.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/output.h"
#include "front/display.h"
#include "text/secret_mask.h"

extern char **environ;

struct doctor {
	struct str page;
	struct str problems; /* names of checks, separated by commas */
	size_t nproblems;
};

static void doctor_add(struct doctor *d, const char *check, const char *fmt, ...) printf_like(3, 4);
static void doctor_add(struct doctor *d, const char *check, const char *fmt, ...)
{
	va_list args;

	str_addf(&d->page, "%s: ", check);
	va_start(args, fmt);
	str_vaddf(&d->page, fmt, args);
	va_end(args);
	str_addc(&d->page, '\n');
}

/* Count a check that has failed; its line says how. */
static void doctor_count_problem(struct doctor *d, const char *check)
{
	str_addf(&d->problems, "%s%s", d->nproblems ? ", " : "", check);
	d->nproblems++;
}

/* --- the model ------------------------------------------------------------------------------- */

/* Wait for the result of a prompt. It lives as long as the session. */
static const struct awl_event *doctor_ask(struct awl *awl, struct awl_session *session,
					  const char *prompt)
{
	const struct awl_event *event;

	awl_prompt(session, prompt);
	awl_run(awl);
	while ((event = awl_next_event(session)))
		if (awl_event_kind(event) == AWL_EVENT_RESULT)
			return event;
	return NULL;
}

static void doctor_report_answer(struct doctor *d, struct awl_session *session,
				 const struct awl_event *result)
{
	if (result && !awl_event_is_error(result)) {
		doctor_add(d, "answer", "%s answered in %.1f s ($%.4f)", awl_session_model(session),
			   (double)awl_event_duration_ms(result) / 1000,
			   awl_event_cost_usd(result));
		return;
	}
	doctor_add(d, "answer", "none: %s", result ? awl_event_text(result) : "no result");
	doctor_count_problem(d, "answer");
}

/* A prompt of a few words proves the endpoint, the key and the model. */
static void doctor_try_model(struct doctor *d, struct awl *awl)
{
	struct awl_session_options options = AWL_SESSION_OPTIONS_INIT;
	struct awl_session *session;

	options.tools = "";
	options.skip_instructions = true;
	options.skip_transcript = true;
	options.system_prompt = "This is a test of the connection.";
	options.max_turns = 1;
	options.max_seconds = 60;
	if (awl_session_open(&session, awl, &options, NULL, NULL) != AWL_OK) {
		doctor_add(d, "answer", "none: %s", awl_last_error());
		doctor_count_problem(d, "answer");
		return;
	}
	doctor_report_answer(d, session, doctor_ask(awl, session, "Answer with the word OK."));
	awl_session_close(session);
}

/* What is missing can be seen without a prompt. "none, ..." says why none is needed. */
static void doctor_check_missing(struct doctor *d)
{
	static const char *const names[] = { "credential", "project" };

	for (size_t i = 0; i < countof(names); i++) {
		defer(str_clear) struct str line = STR_INIT;

		str_addf(&line, "\n%s: none:", names[i]);
		if (sv_find(sv_of(&d->page), sv_of(&line)) != SIZE_MAX)
			doctor_count_problem(d, names[i]);
	}
}

static void doctor_check_model(struct doctor *d, struct awl *awl, bool is_offline)
{
	if (awl_is_demo(awl)) {
		doctor_add(d, "answer",
			   "none: no model is configured; set ANTHROPIC_API_KEY, or "
			   "OPENAI_BASE_URL for another server");
		doctor_count_problem(d, "answer");
	} else if (is_offline) {
		doctor_add(d, "answer", "not tried");
		doctor_check_missing(d);
	} else {
		doctor_try_model(d, awl);
	}
}

/* --- this machine ----------------------------------------------------------------------------- */

/* Whether a program can be started. */
static bool doctor_starts(const char *program)
{
	char *argv[] = { (char *)program, (char *)"--version", NULL };
	posix_spawn_file_actions_t quiet;
	bool started;
	pid_t pid;

	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	started = posix_spawnp(&pid, program, &quiet, NULL, argv, environ) == 0;
	posix_spawn_file_actions_destroy(&quiet);
	return started && waitpid(pid, NULL, 0) == pid;
}

/* awl works without them, though worse. */
static void doctor_check_programs(struct doctor *d)
{
	static const struct {
		const char *name, *missing;
	} programs[] = {
		{ "git", "the model is not told about branches and commits" },
		{ "rg", "searching is slower without ripgrep" },
		{ "pdftotext", "PDF files are not read as text (install poppler-utils)" },
	};

	for (size_t i = 0; i < countof(programs); i++) {
		bool starts = doctor_starts(programs[i].name);

		doctor_add(d, programs[i].name, "%s%s",
			   starts ? "starts" : "missing: ", starts ? "" : programs[i].missing);
	}
}

static bool doctor_runs_in_sandbox(struct awl_project *project, int *status)
{
	static const char *const argv[] = { "true", NULL };
	struct awl_sandbox *sandbox;
	bool ran;

	if (awl_sandbox_open(&sandbox, project, NULL) != AWL_OK)
		return false;
	ran = awl_sandbox_run(sandbox, argv, status) == AWL_OK;
	return awl_sandbox_close(sandbox) == AWL_OK && ran;
}

/* Without the setting sandbox.enabled nobody needs it. */
static void doctor_check_sandbox(struct doctor *d, struct awl_project *project)
{
	const char *enabled = "false";
	int status = 0;

	if (doctor_runs_in_sandbox(project, &status) && status == 0) {
		doctor_add(d, "sandbox", "a command runs in it");
		return;
	}
	doctor_add(d, "sandbox", "no command runs in it: %s",
		   status ? "it ended with a failure" : awl_last_error());
	if (awl_config_get(project, "sandbox.enabled", &enabled) == AWL_OK &&
	    sv_is(sv_cstr(enabled), "true"))
		doctor_count_problem(d, "sandbox");
}

/* --- the project -------------------------------------------------------------------------------- */

static void doctor_add_files(struct doctor *d, struct awl_project *project)
{
	static const enum awl_scope scopes[] = { AWL_SCOPE_GLOBAL, AWL_SCOPE_USER,
						 AWL_SCOPE_PROJECT, AWL_SCOPE_LOCAL };

	for (size_t i = 0; i < countof(scopes); i++) {
		const char *path = awl_config_path(project, scopes[i], NULL);

		if (path && access(path, F_OK) == 0)
			doctor_add(d, "settings file", "%s", path);
	}
}

static void doctor_check_settings(struct doctor *d, struct awl_project *project)
{
	bool is_fine = awl_config_check(project) == AWL_OK;

	doctor_add(d, "settings", "%s", is_fine ? "no mistakes" : "mistakes");
	secret_mask(&d->page, sv_cstr(awl_project_notes(project)));
	if (!is_fine)
		doctor_count_problem(d, "settings");
	doctor_add_files(d, project);
}

static void doctor_check_trust(struct doctor *d, struct awl_project *project)
{
	static const char *const states[] = {
		[AWL_TRUST_NOT_NEEDED] = "nothing here needs trust",
		[AWL_TRUST_GIVEN] = "trusted",
		[AWL_TRUST_NEVER_GIVEN] = "not trusted; 'awl trust' shows its files",
		[AWL_TRUST_OUTDATED] =
			"it changed since it was trusted; 'awl trust' shows its files",
	};
	enum awl_trust state;

	if (awl_trust_look(project, &state) == AWL_OK) {
		doctor_add(d, "trust", "%s", states[state]);
		return;
	}
	doctor_add(d, "trust", "%s", awl_last_error());
	doctor_count_problem(d, "trust");
}

/* A session without a prompt costs nothing. */
static void doctor_check_instructions(struct doctor *d, struct awl *awl)
{
	struct awl_session_options options = AWL_SESSION_OPTIONS_INIT;
	const struct awl_event *result;
	struct awl_session *session;

	options.skip_transcript = true;
	if (awl_session_open(&session, awl, &options, NULL, NULL) != AWL_OK) {
		doctor_add(d, "session", "%s", awl_last_error());
		doctor_count_problem(d, "session");
		return;
	}
	result = doctor_ask(awl, session, "/memory");
	doctor_add(d, "instructions", "%s", result ? awl_event_text(result) : "none");
	awl_session_close(session);
}

/* --- the whole ------------------------------------------------------------------------------------ */

static void doctor_check_project(struct doctor *d, struct awl *awl)
{
	struct awl_project *project;

	if (awl_project_open(&project, NULL) != AWL_OK) {
		doctor_add(d, "settings", "%s", awl_last_error());
		doctor_count_problem(d, "settings");
		return;
	}
	doctor_check_sandbox(d, project);
	doctor_check_settings(d, project);
	doctor_check_trust(d, project);
	doctor_check_instructions(d, awl);
	awl_project_close(project);
}

static enum exit_code doctor_finish(struct doctor *d)
{
	defer(str_clear) struct str shown = STR_INIT;

	if (d->nproblems)
		str_addf(&d->page, "%zu problem%s: %s\n", d->nproblems, d->nproblems > 1 ? "s" : "",
			 d->problems.ptr);
	else
		str_adds(&d->page, "No problems found.\n");
	display_text(&shown, sv_of(&d->page));
	if (output(sv_of(&shown)) != EXIT_OK || d->nproblems)
		return EXIT_FAILED;
	return EXIT_OK;
}

enum exit_code doctor_run(const struct args *args)
{
	struct doctor d = { .page = STR_INIT };
	enum exit_code code;
	struct awl *awl;

	setenv("CLAUDE_CODE_MAX_RETRIES", "0", 0); /* a person waits for the report */
	if (awl_open(&awl, NULL) != AWL_OK)
		return failure("%s", awl_last_error());
	str_addf(&d.page, "awl %s\n%s", awl_version(), awl_describe(awl));
	doctor_check_model(&d, awl, args_has(args, "offline"));
	doctor_check_programs(&d);
	doctor_check_project(&d, awl);
	awl_close(awl);
	code = doctor_finish(&d);
	str_clear(&d.page);
	str_clear(&d.problems);
	return code;
}

/* awl doctor: shows what is configured, without secrets, and tries it: the model answers a short
 * prompt, a command runs in the sandbox, and a session checks the rest with its command /doctor. */
#include <awl_mcp.h>
#include <stdlib.h>

#include "cli/output.h"
#include "front/display.h"

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
	options.only_mcp_configs = true; /* servers have a check of their own */
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

/* --- the sandbox ----------------------------------------------------------------------------------- */

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

/* Show what the machine could do. A sandbox that is on is one of the checks of the session. */
static void doctor_check_sandbox(struct doctor *d)
{
	struct awl_project *project;
	const char *enabled = "false";
	int status = 0;

	if (awl_project_open(&project, NULL) != AWL_OK)
		return; /* the session says why */
	if (awl_config_get(project, "sandbox.enabled", &enabled) == AWL_OK &&
	    sv_is(sv_cstr(enabled), "true"))
		status = -1;
	else if (doctor_runs_in_sandbox(project, &status) && status == 0)
		doctor_add(d, "sandbox", "a command runs in it");
	else
		doctor_add(d, "sandbox", "no command runs in it: %s",
			   status ? "it ended with a failure" : awl_last_error());
	awl_project_close(project);
}

/* --- MCP servers --------------------------------------------------------------------------------- */

static void doctor_report_server(struct doctor *d, const struct awl_mcp_server *server)
{
	const char *needs = "needs a login: awl mcp login";

	if (server->why)
		doctor_add(d, "MCP server", "%s: not started: %s", server->name, server->why);
	else if (server->health == AWL_MCP_UNTRIED)
		doctor_add(d, "MCP server", "%s: not tried", server->name);
	else if (server->health == AWL_MCP_CONNECTED)
		doctor_add(d, "MCP server", "%s: connected", server->name);
	else if (server->health == AWL_MCP_NEEDS_LOGIN)
		doctor_add(d, "MCP server", "%s: %s %s", server->name, needs, server->name);
	else
		doctor_add(d, "MCP server", "%s: %s", server->name, server->problem);
	if (server->health == AWL_MCP_FAILED || server->health == AWL_MCP_NEEDS_LOGIN)
		doctor_count_problem(d, "MCP server");
}

/* Connect to the servers of this directory that a session would start. */
static void doctor_check_servers(struct doctor *d, bool is_offline)
{
	const struct awl_mcp_server *servers;
	struct awl_project *project;
	enum awl_result result;
	size_t n;

	if (awl_project_open(&project, NULL) != AWL_OK)
		return; /* the session says why */
	result = is_offline ? awl_mcp_list(project, &servers, &n)
			    : awl_mcp_check(project, NULL, &servers, &n);
	if (result != AWL_OK) {
		doctor_add(d, "MCP servers", "%s", awl_last_error());
		doctor_count_problem(d, "MCP servers");
		n = 0;
	}
	for (size_t i = 0; i < n; i++)
		doctor_report_server(d, &servers[i]);
	awl_project_close(project);
}

/* --- the session --------------------------------------------------------------------------------- */

/* Take over what the session reports. Its last line counts the problems and names them. */
static void doctor_take_report(struct doctor *d, const struct awl_event *result)
{
	struct sv report = sv_cstr(awl_event_text(result));
	size_t last = sv_rfind_char(report, '\n') + 1;
	struct sv names = sv_skip(report, last), name;

	str_add(&d->page, sv_slice(report, 0, last));
	if (!awl_event_is_error(result))
		return;
	names = sv_skip(names, sv_find_char(names, ':') + 1);
	while (sv_cut(&names, ',', &name)) {
		defer(mem_freep) char *check = sv_dup(sv_trim(name));

		doctor_count_problem(d, check);
	}
}

/* A session that only runs a command of its own costs nothing. */
static void doctor_check_session(struct doctor *d, struct awl *awl)
{
	struct awl_session_options options = AWL_SESSION_OPTIONS_INIT;
	const struct awl_event *result;
	struct awl_session *session;

	options.skip_transcript = true;
	options.only_mcp_configs = true;
	if (awl_session_open(&session, awl, &options, NULL, NULL) != AWL_OK) {
		doctor_add(d, "session", "%s", awl_last_error());
		doctor_count_problem(d, "session");
		return;
	}
	result = doctor_ask(awl, session, "/doctor");
	if (result)
		doctor_take_report(d, result);
	awl_session_close(session);
}

/* --- the whole ------------------------------------------------------------------------------------ */

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
	doctor_check_sandbox(&d);
	doctor_check_servers(&d, args_has(args, "offline"));
	doctor_check_session(&d, awl);
	awl_close(awl);
	code = doctor_finish(&d);
	str_clear(&d.page);
	str_clear(&d.problems);
	return code;
}

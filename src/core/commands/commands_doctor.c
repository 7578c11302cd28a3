/* /doctor: what can be checked without a model. The programs that tools need are started, a command
 * runs in the sandbox if that is on, and the files of the user and the project are looked at. 'awl
 * doctor' shows the same and tries the model, too. */
#include <awl.h>

#include "base/secret_mask.h"
#include "core/commands/commands.h"
#include "core/commands/session_commands.h"
#include "core/extend/session_styles.h"
#include "core/session/session_status.h"
#include "core/subagents/subagents.h"
#include "sandbox/sandbox.h"
#include "sys/child.h"
#include "sys/fs.h"

enum { DOCTOR_DEADLINE_MS = 5000 };

/* awl works without the first three, though worse. */
static const struct doctor_program {
	const char *name, *argument, *missing;
} doctor_programs[] = {
	{ "git", "--version", "the model is not told about branches and commits" },
	{ "rg", "--version", "searching is slower without ripgrep" },
	{ "pdftotext", "-v", "PDF files are not read as text (install poppler-utils)" },
	{ "true", NULL, NULL }, /* in the sandbox */
};
enum { DOCTOR_SANDBOX = countof(doctor_programs) - 1 };

struct doctor_try {
	struct commands_doctor *doctor;
	struct op *child; /* NULL: it has ended, or was not started */
	struct err err;   /* why it could not be started */
	int code;
};

struct commands_doctor {
	struct op op;
	struct session *s;
	struct sandbox *sandbox;        /* that the last try runs in; NULL: it is off */
	struct confinement confinement; /* by it */
	struct doctor_try tries[countof(doctor_programs)];
	size_t live;
	struct str problems; /* names of checks, separated by commas */
	size_t nproblems;
	struct str *out;
};

static void doctor_add(struct commands_doctor *d, const char *check, const char *fmt, ...)
	printf_like(3, 4);
static void doctor_add(struct commands_doctor *d, const char *check, const char *fmt, ...)
{
	va_list args;

	str_addf(d->out, "%s: ", check);
	va_start(args, fmt);
	str_vaddf(d->out, fmt, args);
	va_end(args);
	str_addc(d->out, '\n');
}

/* Count a check that has failed; its line says how. */
static void doctor_count_problem(struct commands_doctor *d, const char *check)
{
	str_addf(&d->problems, "%s%s", d->nproblems ? ", " : "", check);
	d->nproblems++;
}

/* --- this machine ---------------------------------------------------------------------------- */

static void doctor_report_programs(struct commands_doctor *d)
{
	for (size_t i = 0; i < DOCTOR_SANDBOX; i++) {
		bool starts = d->tries[i].err.kind == ERR_NONE;

		doctor_add(d, doctor_programs[i].name, "%s%s", starts ? "starts" : "missing: ",
			   starts ? "" : doctor_programs[i].missing);
	}
}

static void doctor_report_sandbox(struct commands_doctor *d)
{
	const struct doctor_try *try = &d->tries[DOCTOR_SANDBOX];

	if (!d->sandbox)
		return; /* nobody needs it */
	if (try->err.kind == ERR_NONE && try->code == 0) {
		doctor_add(d, "sandbox", "a command runs in it");
		return;
	}
	doctor_add(d, "sandbox", "no command runs in it: %s",
		   try->err.kind == ERR_NONE ? "it ended with a failure" : try->err.text);
	doctor_count_problem(d, "sandbox");
}

/* --- the project ------------------------------------------------------------------------------ */

static void doctor_report_settings(struct commands_doctor *d, struct awl_project *project)
{
	static const enum awl_scope scopes[] = { AWL_SCOPE_GLOBAL, AWL_SCOPE_USER,
						 AWL_SCOPE_PROJECT, AWL_SCOPE_LOCAL };
	bool is_fine = awl_config_check(project) == AWL_OK;

	doctor_add(d, "settings", "%s", is_fine ? "no mistakes" : "mistakes");
	secret_mask(d->out, sv_cstr(awl_project_notes(project)));
	if (!is_fine)
		doctor_count_problem(d, "settings");
	for (size_t i = 0; i < countof(scopes); i++) {
		const char *path = awl_config_path(project, scopes[i], NULL);

		if (path && fs_exists(path))
			doctor_add(d, "settings file", "%s", path);
	}
}

/* Name what is wrong with agents, commands, skills and output styles. */
static void doctor_report_files(struct commands_doctor *d)
{
	struct sv notes[] = { sv_of(&session_agent_list(d->s, true)->notes),
			      sv_of(&session_command_files(d->s, true)->notes),
			      sv_of(&session_styles_read(d->s)->notes) };
	bool is_fine = true;

	for (size_t i = 0; i < countof(notes); i++)
		is_fine = is_fine && !notes[i].len;
	doctor_add(d, "agents, skills and styles", "%s", is_fine ? "no mistakes" : "mistakes");
	for (size_t i = 0; i < countof(notes); i++)
		str_add(d->out, notes[i]);
	if (!is_fine)
		doctor_count_problem(d, "agents, skills and styles");
}

static void doctor_report_project(struct commands_doctor *d)
{
	struct awl_project *project;

	if (!commands_open_project(d->s, &project)) {
		doctor_add(d, "settings", "%s", awl_last_error());
		doctor_count_problem(d, "settings");
		return;
	}
	doctor_report_settings(d, project);
	awl_project_close(project);
	doctor_report_files(d);
	doctor_add(d, "trust", "%s", session_trust(d->s));
	str_adds(d->out, "instructions: ");
	instructions_list(d->out, d->s->instructions, d->s->sent.instructions);
	str_addc(d->out, '\n');
}

/* --- the whole -------------------------------------------------------------------------------- */

/* A report of problems is a failure, so that scripts notice. */
static void doctor_settle(struct commands_doctor *d)
{
	if (d->live)
		return;
	if (!d->op.cancelled) {
		doctor_report_programs(d);
		doctor_report_sandbox(d);
		doctor_report_project(d);
		if (d->nproblems)
			str_addf(d->out, "%zu problem%s: %s", d->nproblems,
				 d->nproblems > 1 ? "s" : "", d->problems.ptr);
		else
			str_adds(d->out, "No problems found.");
		d->s->commands.is_refused = d->nproblems > 0;
	}
	op_finish(&d->op, NULL);
}

static void doctor_on_child(struct op *op, void *owner, const struct err *why)
{
	struct doctor_try *try = owner;
	struct commands_doctor *d = try->doctor;
	defer(str_clear) struct str ignored = STR_INIT;

	try->child = NULL;
	if (why)
		try->err = *why;
	else
		try->code = child_result(op).code;
	if (try == &d->tries[DOCTOR_SANDBOX])
		sandbox_end(d->sandbox, &ignored);
	d->live--;
	doctor_settle(d);
}

static void doctor_try(struct commands_doctor *d, size_t i)
{
	const struct doctor_program *program = &doctor_programs[i];
	const char *const argv[] = { program->name, program->argument, NULL };
	struct doctor_try *try = &d->tries[i];
	struct child_opts opts = { .argv = argv,
				   .env = d->s->shared.env,
				   .cwd = d->s->shared.root,
				   .deadline_ms = DOCTOR_DEADLINE_MS };

	*try = (struct doctor_try){ .doctor = d, .err = ERR_INIT };
	if (i == DOCTOR_SANDBOX && !d->sandbox)
		return;
	if (i == DOCTOR_SANDBOX) {
		d->confinement = sandbox_begin(d->sandbox);
		opts.confinement = &d->confinement;
	}
	d->live++;
	try->child = child_start(d->s->engine->loop, &opts, THEN(doctor_on_child, try));
}

static void doctor_cancel(struct op *op)
{
	struct commands_doctor *d = container_of(op, struct commands_doctor, op);

	for (size_t i = 0; i < countof(doctor_programs); i++)
		op_cancel(d->tries[i].child);
}

static void doctor_free(struct op *op)
{
	struct commands_doctor *d = container_of(op, struct commands_doctor, op);

	str_clear(&d->problems);
	free(d);
}

static const struct op_type doctor_type = { .name = "doctor",
					    .cancel = doctor_cancel,
					    .free = doctor_free };

struct op *commands_doctor(struct session *s, __attribute__((unused)) struct sv rest,
			   struct then then)
{
	struct commands_doctor *d = xnew(struct commands_doctor);

	op_init(&d->op, &doctor_type, s->engine->loop, then);
	d->s = s;
	d->sandbox = s->shared.sandbox;
	d->out = &s->commands.answer;
	d->live = 1; /* until all have begun */
	for (size_t i = 0; i < countof(doctor_programs); i++)
		doctor_try(d, i);
	d->live--;
	doctor_settle(d);
	return &d->op;
}

/* awl --bg and awl agents: sessions that run in the background, below a supervisor that outlives the terminal. */
#include <awl_agents.h>
#include <awl_sessions.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/options.h"
#include "cli/output.h"
#include "front/background/dashboard.h"
#include "front/background/job_answer.h"
#include "front/background/link.h"
#include "front/background/roster.h"
#include "front/background/supervisor.h"
#include "front/chat.h"
#include "front/display.h"
#include "front/tui/tui.h"
#include "sys/fs.h"
#include "text/duration.h"
#include "text/json/json_write.h"

enum { AGENTS_MOST_LOST = 3, AGENTS_TITLE_CELLS = 60, AGENTS_CWD_CELLS = 40 };

struct agents {
	const struct args *args;
	struct awl *awl;
	struct str program;
	struct link link;
	struct arena arena; /* of the session that the words name */
	size_t at;          /* the word that names it */
	const struct chat_handover *handover;
};

static void agents_clear(struct agents *a)
{
	link_close(&a->link);
	awl_close(a->awl);
	str_clear(&a->program);
	arena_clear(&a->arena);
}

static bool agents_open(struct agents *a, struct err *err)
{
	a->link = (struct link)LINK_INIT;
	if (!fs_realpath(&a->program, "/proc/self/exe", err))
		return false;
	if (awl_open(&a->awl, NULL) != AWL_OK)
		return err_set(err, ERR_INVALID, "%s", awl_last_error());
	return awl_config_dir(a->awl) ||
	       err_set(err, ERR_NOT_FOUND, "background sessions need a home directory; set HOME");
}

static bool agents_connect(struct agents *a, struct err *err)
{
	const struct link_opts opts = { .config_dir = awl_config_dir(a->awl),
					.program = str_c(&a->program),
					.version = awl_version() };

	return link_open(&a->link, &opts, err);
}

/* --- the list ------------------------------------------------------------------------------- */

static int64_t agents_now(void)
{
	struct timeval now;

	gettimeofday(&now, NULL);
	return (int64_t)now.tv_sec * 1000 + now.tv_usec / 1000;
}

static void agents_add_row(struct str *out, const struct job_info *job, int64_t now_ms)
{
	defer(str_clear) struct str age = STR_INIT, title = STR_INIT, cwd = STR_INIT;
	struct sv what = job->name.len     ? job->name
			 : job->prompt.len ? job->prompt
					   : SV("(no prompt)");

	duration_write_ago(&age, max_of(now_ms - job->updated_ms, (int64_t)0));
	display_line(&title, what, AGENTS_TITLE_CELLS);
	display_line(&cwd, job->cwd, AGENTS_CWD_CELLS);
	str_addf(out, "%.*s  %-11s  %-14s  $%-7.2f  %s  %s\n", SV_ARG(job->id),
		 job_state_title(job->state), str_c(&age), job->cost_usd, str_c(&title),
		 str_c(&cwd));
	if (job->waiting.len || job->error.len) {
		str_adds(out, "          ");
		display_line(out, job->waiting.len ? job->waiting : job->error,
			     AGENTS_TITLE_CELLS + AGENTS_CWD_CELLS);
		str_addc(out, '\n');
	}
}

static bool agents_list_jobs(struct agents *a, struct background_message *reply, struct err *err)
{
	const struct background_message request = { .kind = BACKGROUND_LIST };

	return agents_connect(a, err) && link_call(&a->link, &request, reply, err);
}

/* Listing nothing starts no supervisor. */
static bool agents_were_used(const struct agents *a)
{
	defer(str_clear) struct str path = STR_INIT;

	roster_path(&path, awl_config_dir(a->awl), NULL);
	return fs_exists(str_c(&path));
}

/* The directory whose sessions the user wants to see; empty: all. */
static bool agents_read_dir(const struct agents *a, struct str *out, struct err *err)
{
	const char *dir = args_value(a->args, "cwd");

	return !dir || fs_realpath(out, dir, err) || err_context(err, "--cwd");
}

/* Those at terminals, to which other sessions on this machine can write. */
static void agents_add_interactive(struct agents *a, struct jw *w, struct sv dir)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err ignored = ERR_INIT;
	struct json_iter it;
	struct json session;
	const char *json;

	if (awl_sessions_live(a->awl, &json) != AWL_OK)
		return;
	doc = json_parse(sv_cstr(json), 0, &ignored);
	it = json_each(json_root(doc));
	while (json_next(&it, NULL, &session))
		if (!dir.len || sv_eq(json_str_or(json_get(session, "cwd"), SV_EMPTY), dir))
			jw_value(w, session);
}

static void agents_add_json(struct agents *a, struct str *out,
			    const struct background_message *reply, struct sv dir)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_array(&w);
	agents_add_interactive(a, &w, dir);
	for (size_t i = 0; i < reply->njobs; i++)
		if (!dir.len || sv_eq(reply->jobs[i].cwd, dir))
			job_info_write_public(&w, &reply->jobs[i]);
	jw_end(&w);
	jw_done(&w);
	str_addc(out, '\n');
}

static void agents_add_rows(struct str *out, const struct background_message *reply, struct sv dir)
{
	for (size_t i = 0; i < reply->njobs; i++)
		if (!dir.len || sv_eq(reply->jobs[i].cwd, dir))
			agents_add_row(out, &reply->jobs[i], agents_now());
	if (!out->len)
		str_addf(out, "There are no background sessions%s; awl --bg \"...\" starts one.\n",
			 dir.len ? " of this directory" : "");
}

static enum exit_code agents_list(struct agents *a)
{
	defer(str_clear) struct str page = STR_INIT, dir = STR_INIT;
	struct background_message reply;
	struct err err = ERR_INIT;

	if (!agents_read_dir(a, &dir, &err))
		return failure("%s", err.text);
	if (!agents_were_used(a))
		reply.njobs = 0;
	else if (!agents_list_jobs(a, &reply, &err))
		return failure("%s", err.text);
	if (args_has(a->args, "json"))
		agents_add_json(a, &page, &reply, sv_of(&dir));
	else
		agents_add_rows(&page, &reply, sv_of(&dir));
	return output(sv_of(&page));
}

/* --- definitions ------------------------------------------------------------------------------ */

static void agents_add_definition(struct str *out, struct json definition)
{
	struct sv model = json_str_or(json_get(definition, "model"), SV_EMPTY);
	struct sv description = json_str_or(json_get(definition, "description"), SV_EMPTY);

	str_adds(out, "  ");
	str_add(out, json_str_or(json_get(definition, "name"), SV_EMPTY));
	if (model.len)
		str_addf(out, " (%.*s)", SV_ARG(model));
	str_adds(out, ": ");
	display_line(out, description, AGENTS_TITLE_CELLS + AGENTS_CWD_CELLS);
	str_addc(out, '\n');
}

/* Grouped by source; the strongest comes first. */
static void agents_add_definitions(struct str *out, struct json all)
{
	static const struct {
		char source[10], title[32];
	} groups[] = { { "managed", "From the administrator" },
		       { "project", "From the project" },
		       { "user", "Your own" },
		       { "plugin", "From plugins" },
		       { "built-in", "Built in" } };
	struct json definition;

	for (size_t i = 0; i < countof(groups); i++) {
		struct json_iter it = json_each(all);
		bool has_title = false;

		while (json_next(&it, NULL, &definition)) {
			if (!sv_is(json_str_or(json_get(definition, "source"), SV_EMPTY),
				   groups[i].source))
				continue;
			if (!has_title)
				str_addf(out, "%s%s:\n", out->len ? "\n" : "", groups[i].title);
			has_title = true;
			agents_add_definition(out, definition);
		}
	}
}

static enum exit_code agents_definitions(struct agents *a)
{
	struct awl_project_options options = AWL_PROJECT_OPTIONS_INIT;
	defer(str_clear) struct str page = STR_INIT, shown = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct awl_project *project = NULL;
	enum exit_code code = EXIT_FAILED;
	struct err err = ERR_INIT;
	const char *json;

	options.config_dir = awl_config_dir(a->awl);
	if (awl_project_open(&project, &options) != AWL_OK ||
	    awl_agents_describe(project, &json) != AWL_OK) {
		code = failure("%s", awl_last_error());
	} else if (args_has(a->args, "json")) {
		str_addf(&page, "%s\n", json);
		code = output(sv_of(&page));
	} else if ((doc = json_parse(sv_cstr(json), 0, &err))) {
		fputs(awl_project_notes(project), stderr);
		agents_add_definitions(&page, json_root(doc));
		display_text(&shown, sv_of(&page));
		code = output(sv_of(&shown));
	}
	awl_project_close(project);
	return code;
}

/* --- one of them -------------------------------------------------------------------------------- */

static bool agents_need_id(const struct agents *a, struct sv *id, struct err *err)
{
	if (a->args->words.n <= a->at)
		return err_set(err, ERR_INVALID, "which session? 'awl agents list' has their ids");
	*id = sv_cstr(a->args->words.at[a->at]);
	return true;
}

static enum exit_code agents_send(struct agents *a, enum background_kind kind, const char *done)
{
	struct background_message request = { .kind = kind }, reply;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	if (!agents_need_id(a, &request.id, &err) || !agents_connect(a, &err) ||
	    !link_call(&a->link, &request, &reply, &err))
		return failure("%s", err.text);
	str_addf(&text, "%s %.*s.\n", done, SV_ARG(reply.id));
	return output(sv_of(&text));
}

static enum exit_code agents_stop(struct agents *a)
{
	return agents_send(a, BACKGROUND_STOP, "Stopped");
}

static enum exit_code agents_remove(struct agents *a)
{
	return agents_send(a, BACKGROUND_REMOVE, "Removed");
}

/* The session that the words name. */
static bool agents_find_named(struct agents *a, struct sv id, struct job_info *out, struct err *err)
{
	struct background_message reply;
	size_t n = 0;

	if (!agents_list_jobs(a, &reply, err))
		return false;
	for (size_t i = 0; i < reply.njobs; i++) {
		const struct job_info *job = &reply.jobs[i];
		bool is_it = sv_eq(job->id, id) || sv_eq(job->name, id);

		if (!is_it && !sv_starts(job->id, id) && !sv_starts(job->session, id))
			continue;
		*out = job_info_copy(&a->arena, job);
		n = is_it ? 1 : n + 1;
		if (is_it)
			break;
	}
	return n == 1 || err_set(err, n ? ERR_INVALID : ERR_NOT_FOUND,
				 n ? "several background sessions begin with %.*s"
				   : "there is no background session %.*s",
				 SV_ARG(id));
}

static bool agents_find(struct agents *a, struct job_info *out, struct err *err)
{
	struct sv id;

	return agents_need_id(a, &id, err) && agents_find_named(a, id, out, err);
}

static enum exit_code agents_logs(struct agents *a)
{
	struct awl_session_list *list = NULL;
	struct err err = ERR_INIT;
	enum exit_code code;
	struct job_info job;
	const char *text;
	size_t length;

	if (!agents_find(a, &job, &err))
		return failure("%s", err.text);
	if (!job.prompt.len)
		return output(SV("The session has no messages yet.\n"));
	if (awl_sessions_find(&list, a->awl, NULL, job.session.ptr) != AWL_OK)
		return failure("%s", awl_last_error());
	if (awl_sessions_export(a->awl, awl_session_list_at(list, 0)->path, AWL_EXPORT_MARKDOWN,
				&text, &length) != AWL_OK) {
		code = failure("%s", awl_last_error());
	} else {
		defer(str_clear) struct str page = STR_INIT;

		display_text(&page, sv_from(text, length));
		code = output(sv_of(&page));
	}
	awl_session_list_free(list);
	return code;
}

/* --- starting --------------------------------------------------------------------------------------- */

struct agents_words {
	VEC(struct sv) env, flags, once;
	struct arena arena;
	const struct chat_handover *handover; /* NULL: not from a terminal */
};

static void agents_words_clear(struct agents_words *words)
{
	vec_clear(&words->env);
	vec_clear(&words->flags);
	vec_clear(&words->once);
	arena_clear(&words->arena);
}

static void agents_words_read_env(struct agents_words *words)
{
	for (size_t i = 0; environ[i]; i++)
		vec_push(&words->env, sv_cstr(environ[i]));
}

/* Flags that choose the conversation matter once; the others matter whenever the session gets a process. */
static bool agents_is_once(struct sv name)
{
	static const char once[][18] = { "continue",     "resume", "resume-session-at",
					 "fork-session", "name",   "session-id" };

	return sv_is_among(name, once);
}

/* Whether the session handed over by the terminal replaces this flag. */
static bool agents_words_is_replaced(const struct agents_words *words, struct sv name)
{
	return words->handover && (agents_is_once(name) || sv_is(name, "permission-mode") ||
				   sv_is(name, "dangerously-skip-permissions"));
}

static void agents_words_add_handover(struct agents_words *words)
{
	const struct chat_handover *from = words->handover;

	if (!from)
		return;
	vec_push(&words->once, arena_printf(&words->arena, "--resume=%s", str_c(&from->session)));
	if (from->mode.len)
		vec_push(&words->flags,
			 arena_printf(&words->arena, "--permission-mode=%s", str_c(&from->mode)));
}

static bool agents_words_read_flags(struct agents_words *words, const struct args *args,
				    struct err *err)
{
	for (size_t i = 0; i < args->flags.n; i++) {
		const struct arg *arg = &args->flags.at[i];
		struct sv name = sv_cstr(arg->flag->name), word;

		if (sv_is(name, "bg") || agents_words_is_replaced(words, name))
			continue;
		if (arg->flag->group == FLAG_PRINTING || sv_is(name, "no-session-persistence") ||
		    sv_is(name, "demo"))
			return err_set(err, ERR_INVALID, "--%s cannot be used with --bg",
				       arg->flag->name);
		word = arg->value
			       ? arena_printf(&words->arena, "--%s=%s", arg->flag->name, arg->value)
			       : arena_printf(&words->arena, "--%s", arg->flag->name);
		if (!agents_is_once(name))
			vec_push(&words->flags, word);
		else if (!sv_is(name, "name"))
			vec_push(&words->once, word);
	}
	agents_words_add_handover(words);
	return true;
}

static bool agents_start(struct agents *a, struct background_message *request,
			 struct background_message *reply, struct err *err)
{
	defer(agents_words_clear) struct agents_words words = { .arena = ARENA_INIT,
								.handover = a->handover };

	agents_words_read_env(&words);
	if (!request->job.id.len && !agents_words_read_flags(&words, a->args, err))
		return false;
	request->kind = BACKGROUND_START;
	request->env = words.env.at;
	request->nenv = words.env.n;
	request->once = words.once.at;
	request->nonce = words.once.n;
	request->job.flags = words.flags.at;
	request->job.nflags = words.flags.n;
	return link_call(&a->link, request, reply, err);
}

/* Set the id and the subject of a continued conversation. */
static void agents_describe(struct agents *a, const char *session, struct job_info *job)
{
	struct awl_session_list *list = NULL;
	const struct awl_session_info *info;

	if (!session || args_has(a->args, "fork-session") ||
	    awl_sessions_find(&list, a->awl, job->cwd.ptr, session) != AWL_OK)
		return;
	info = awl_session_list_at(list, 0);
	job->session = arena_dup(&a->arena, sv_cstr(info->id));
	job->prompt = arena_dup(&a->arena, sv_cstr(info->title[0] ? info->title : info->prompt));
	awl_session_list_free(list);
}

static enum exit_code agents_begin(struct agents *a, const char *session, struct sv prompt)
{
	struct background_message request = { .text = prompt }, reply;
	defer(str_clear) struct str cwd = STR_INIT, text = STR_INIT;
	struct err err = ERR_INIT;

	if (!fs_cwd(&cwd, &err) || !agents_open(a, &err))
		return failure("%s", err.text);
	request.job.cwd = sv_of(&cwd);
	request.job.name = sv_cstr(args_value(a->args, "name"));
	agents_describe(a, session, &request.job);
	if (!agents_connect(a, &err) || !agents_start(a, &request, &reply, &err))
		return failure("%s", err.text);
	str_addf(&text,
		 "Started background session %.*s.\n"
		 "  awl agents             all background sessions\n"
		 "  awl attach %.*s    this one\n",
		 SV_ARG(reply.id), SV_ARG(reply.id));
	return output(sv_of(&text));
}

enum exit_code background_run(const struct args *args)
{
	defer(agents_clear) struct agents a = { .args = args,
						.link = LINK_INIT,
						.arena = ARENA_INIT };
	defer(str_clear) struct str prompt = STR_INIT;

	for (size_t i = 0; i < args->words.n; i++)
		str_addf(&prompt, "%s%s", i ? " " : "", args->words.at[i]);
	return agents_begin(&a, args_value(args, "resume"), sv_of(&prompt));
}

enum exit_code background_continue(const struct args *args, const struct chat_handover *handover)
{
	defer(agents_clear) struct agents a = {
		.args = args, .link = LINK_INIT, .arena = ARENA_INIT, .handover = handover
	};

	return agents_begin(&a, str_c(&handover->session), sv_of(&handover->prompt));
}

/* Gives a session a process if it has none, and sends it a prompt, which may be empty. */
static bool agents_wake(struct agents *a, const struct job_info *job, struct sv prompt,
			struct err *err)
{
	struct background_message request = { .text = prompt, .job = { .id = job->id } }, reply;

	return agents_start(a, &request, &reply, err);
}

static enum exit_code agents_reply(struct agents *a)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct job_info job;

	for (size_t i = a->at + 1; i < a->args->words.n; i++)
		str_addf(&text, "%s%s", i > a->at + 1 ? " " : "", a->args->words.at[i]);
	if (!sv_trim(sv_of(&text)).len)
		return usage_error("give a session and a text: awl agents reply <session> <text>");
	if (!agents_find(a, &job, &err) || !agents_wake(a, &job, sv_of(&text), &err))
		return failure("%s", err.text);
	return EXIT_OK;
}

static enum exit_code agents_respawn(struct agents *a)
{
	struct background_message request = { .kind = BACKGROUND_STOP }, reply;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct job_info job;

	if (!agents_find(a, &job, &err))
		return failure("%s", err.text);
	request.id = job.id;
	if (!link_call(&a->link, &request, &reply, &err) || !agents_wake(a, &job, SV_EMPTY, &err))
		return failure("%s", err.text);
	str_addf(&text, "Started %.*s again.\n", SV_ARG(job.id));
	return output(sv_of(&text));
}

/* --- in the terminal ---------------------------------------------------------------------------------- */

/* The connection becomes that of the session. */
static bool agents_take_over(struct agents *a, const struct job_info *job,
			     struct remote_session_start *start, struct err *err)
{
	struct background_message request = { .kind = BACKGROUND_ATTACH, .id = job->id }, reply;

	if (!agents_wake(a, job, SV_EMPTY, err) || !link_call(&a->link, &request, &reply, err))
		return false;
	*start = (struct remote_session_start){
		.read = arena_dup(&a->arena, sv_skip(sv_of(&a->link.in), a->link.used)),
		.session = job->session,
		.model = job->model,
		.mode = job->mode,
		.cwd = job->cwd,
		.is_busy = job->state == JOB_WORKING || job->state == JOB_BLOCKED,
		.cost_usd = job->cost_usd,
	};
	start->fd = link_detach(&a->link);
	return true;
}

static int agents_show(struct agents *a, const struct job_info *job, struct err *err)
{
	struct awl_session_options session = AWL_SESSION_OPTIONS_INIT;
	struct remote_session_start start = { .fd = -1 };
	struct chat_opts opts = { .awl = a->awl, .session = &session, .remote = &start };

	if (!job->cwd.ptr || chdir(job->cwd.ptr) < 0)
		return err_sys(err, errno, "cannot enter %.*s", SV_ARG(job->cwd)), -1;
	if (!agents_take_over(a, job, &start, err))
		return -1;
	session.cwd = job->cwd.ptr;
	session.resume = job->prompt.len ? job->session.ptr : NULL;
	return front_tui(&opts);
}

static enum exit_code agents_attach(struct agents *a)
{
	struct err err = ERR_INIT;
	struct job_info job = { 0 };
	int status;

	if (!tui_can_draw())
		return failure(
			"attaching to a session needs a terminal; 'awl agents logs' and 'awl "
			"agents reply' do not");
	if (!agents_find(a, &job, &err))
		return failure("%s", err.text);
	status = agents_show(a, &job, &err);
	return status < 0 ? failure("%s", err.text) : (enum exit_code)status;
}

static enum exit_code agents_supervise(struct agents *a)
{
	return (enum exit_code)front_supervise(awl_config_dir(a->awl), str_c(&a->program),
					       awl_version());
}

/* --- answers, and the screen ------------------------------------------------------------------------- */

static bool agents_read_answer(enum answer *out, struct sv word)
{
	static const struct {
		char word[8];
		enum answer answer;
	} answers[] = { { "yes", ANSWER_YES }, { "always", ANSWER_ALWAYS }, { "no", ANSWER_NO } };

	for (size_t i = 0; i < countof(answers); i++)
		if (sv_is(word, answers[i].word)) {
			*out = answers[i].answer;
			return true;
		}
	return false;
}

static enum exit_code agents_answer(struct agents *a)
{
	struct background_message request = { .kind = BACKGROUND_SEND }, reply;
	defer(str_clear) struct str line = STR_INIT, why = STR_INIT;
	struct err err = ERR_INIT;
	enum answer answer;
	struct job_info job;

	if (a->args->words.n < 3 || !agents_read_answer(&answer, sv_cstr(a->args->words.at[2])))
		return usage_error("awl agents answer <session> yes, always or no");
	for (size_t i = 3; i < a->args->words.n; i++)
		str_addf(&why, "%s%s", i > 3 ? " " : "", a->args->words.at[i]);
	if (!agents_find(a, &job, &err) ||
	    !job_answer_write(&line, &job, answer, sv_of(&why), &err))
		return failure("%s", err.text);
	request.id = job.id;
	request.text = sv_of(&line);
	if (!link_call(&a->link, &request, &reply, &err))
		return failure("%s", err.text);
	return EXIT_OK;
}

/* The theme that the user has configured. */
static void agents_read_theme(struct agents *a, struct str *out)
{
	struct awl_project_options options = AWL_PROJECT_OPTIONS_INIT;
	struct awl_project *project = NULL;
	struct err ignored = ERR_INIT;
	const char *json;

	options.config_dir = awl_config_dir(a->awl);
	if (awl_project_open(&project, &options) == AWL_OK &&
	    awl_config_get(project, "theme", &json) == AWL_OK) {
		struct json_doc *doc = json_parse(sv_cstr(json), 0, &ignored);

		str_set(out, json_str_or(json_root(doc), SV_EMPTY));
		json_doc_free(doc);
	}
	awl_project_close(project);
}

/* The screen, again after each session that the user has looked at. */
static int agents_watch(struct agents *a, struct dashboard_opts *opts, struct err *err)
{
	struct dashboard_end end = { .is_lost = false };
	struct job_info job = { 0 };
	int status = 0, nlost = 0;

	for (;;) {
		if (!agents_connect(a, err)) {
			status = -1;
			break;
		}
		opts->link = &a->link;
		status = front_dashboard(opts, &end);
		opts->notice =
			end.is_lost ? "The supervisor was ended, and its sessions with it." : NULL;
		if (end.is_lost && ++nlost < AGENTS_MOST_LOST)
			continue;
		if (!end.wants_attach)
			break;
		if (!agents_find_named(a, sv_of(&end.selected), &job, err) ||
		    agents_show(a, &job, err) < 0)
			opts->notice = err->text;
	}
	str_clear(&end.selected);
	return status;
}

static enum exit_code agents_dashboard(struct agents *a)
{
	defer(agents_words_clear) struct agents_words words = { .arena = ARENA_INIT };
	defer(str_clear) struct str theme = STR_INIT;
	struct dashboard_opts opts = { .notice = NULL };
	struct err err = ERR_INIT;
	int status;

	agents_words_read_env(&words);
	agents_read_theme(a, &theme);
	opts.theme = str_c(&theme);
	opts.env = words.env.at;
	opts.nenv = words.env.n;
	status = agents_watch(a, &opts, &err);
	return status < 0 ? failure("%s", err.text) : (enum exit_code)status;
}

/* --- which ------------------------------------------------------------------------------------------- */

const struct action agents_actions[] = {
	{ .name = "list", .summary = "List the background sessions; the default in a pipe" },
	{ .name = "definitions",
	  .summary =
		  "List the agents that sessions here can start, and files that cannot be used" },
	{ .name = "attach",
	  .words = "<session>",
	  .summary = "Show a session in this terminal; it continues when you leave" },
	{ .name = "logs", .words = "<session>", .summary = "Print the conversation of a session" },
	{ .name = "reply", .words = "<session> <text>", .summary = "Send a session a prompt" },
	{ .name = "answer",
	  .words = "<session> <yes|always|no> [message]",
	  .summary = "Answer the permission question of a session" },
	{ .name = "stop",
	  .words = "<session>",
	  .summary = "End the process of a session; it stays listed" },
	{ .name = "respawn",
	  .words = "<session>",
	  .summary = "End the process of a session and start another for the same conversation" },
	{ .name = "rm",
	  .words = "<session>",
	  .summary = "End a session and remove it from the list; 'awl --resume' still finds it" },
	{ .name = "supervise",
	  .summary = "Run the supervisor, which awl starts by itself when it is needed" },
	{ .name = "" },
};

static enum exit_code (*const agents_runs[])(struct agents *a) = {
	agents_list,   agents_definitions, agents_attach,  agents_logs,   agents_reply,
	agents_answer, agents_stop,        agents_respawn, agents_remove, agents_supervise,
};

static enum exit_code agents_act(const struct args *args, const char *action, size_t at)
{
	defer(agents_clear) struct agents a = {
		.args = args, .link = LINK_INIT, .arena = ARENA_INIT, .at = at
	};
	struct err err = ERR_INIT;

	for (size_t i = 0; agents_actions[i].name[0]; i++) {
		if (!sv_is(sv_cstr(action), agents_actions[i].name))
			continue;
		if (!agents_open(&a, &err))
			return failure("%s", err.text);
		return agents_runs[i](&a);
	}
	return usage_error("'awl agents %s' does not exist; see 'awl help agents'", action);
}

enum exit_code agents_run(const struct args *args)
{
	defer(agents_clear) struct agents a = { .args = args,
						.link = LINK_INIT,
						.arena = ARENA_INIT };
	struct err err = ERR_INIT;

	if (args->words.n || args_has(args, "json") || args_has(args, "cwd") ||
	    args_has(args, "all") || !tui_can_draw())
		return agents_act(args, args->words.n ? args->words.at[0] : "list", 1);
	return agents_open(&a, &err) ? agents_dashboard(&a) : failure("%s", err.text);
}

/* `awl attach` is `awl agents attach`, and so on. */
enum exit_code agents_run_short(const struct args *args)
{
	return agents_act(args, args->command->name, 0);
}

/* awl without -p: parse the options and run the interactive front end. */
#include <stdlib.h>
#include <unistd.h>

#include "cli/demo.h"
#include "cli/options.h"
#include "cli/output.h"
#include "front/plain/plain.h"
#include "front/tui/tui.h"

static bool interactive_check_flags(const struct args *args, struct err *err)
{
	static const char for_print[][25] = {
		"output-format",        "input-format",           "include-partial-messages",
		"replay-user-messages", "permission-prompt-tool", "permission-prompts",
		"json-schema",          "fail-on-denied",
	};

	for (size_t i = 0; i < countof(for_print); i++)
		if (args_has(args, for_print[i]))
			return err_set(err, ERR_INVALID, "--%s needs -p", for_print[i]);
	if (!isatty(STDIN_FILENO))
		return err_set(err, ERR_INVALID,
			       "standard input is not a terminal; use awl -p \"...\" for a "
			       "one-shot answer");
	return true;
}

/* The demo cannot continue a conversation with a model. */
static int interactive_answer(const struct chat_opts *opts, bool is_plain)
{
	if (opts->is_script && (opts->session->resume || opts->session->continue_newest))
		return failure("%s", options_no_model);
	if (!is_plain && tui_can_draw())
		return front_tui(opts);
	if (opts->chooses_session)
		return failure("%s", options_no_session);
	return front_plain(opts);
}

/* What the user chose who had no model: the next engine has it. */
static void interactive_grant(struct options *o, struct chat_opts *opts,
			      struct chat_request *request, struct str *notice)
{
	if (request->kind == CHAT_TOUR) {
		o->engine.demo = true;
		opts->prompt = NULL;
		return;
	}
	setenv("OPENAI_BASE_URL", str_c(&request->url), 1);
	setenv("OPENAI_MODEL", str_c(&request->model), 1);
	str_addf(notice,
		 "To use this server from now on: export OPENAI_BASE_URL=%s OPENAI_MODEL=%s",
		 str_c(&request->url), str_c(&request->model));
	opts->notice = str_c(notice);
}

/* The demo without a prompt is the tour. */
static void interactive_prepare_tour(struct options *o, struct chat_opts *opts)
{
	if (!o->engine.settings)
		o->engine.settings = demo_settings;
	if (!opts->prompt)
		opts->prompt = demo_tour_prompt;
}

/* One engine. `request` gets what to do next if no model is configured. */
static enum exit_code interactive_once(struct chat_opts *opts, struct options *o, bool is_plain,
				       struct chat_request *request)
{
	bool keeps = o->session.skip_transcript;
	enum exit_code code;

	if (o->engine.demo)
		interactive_prepare_tour(o, opts);
	o->needs_no_model = !o->engine.demo;
	opts->awl = options_open(o);
	if (!opts->awl)
		return EXIT_FAILED;
	opts->is_script = awl_is_demo(opts->awl);
	opts->request =
		opts->is_script && !o->engine.demo && !opts->leaves_at_once ? request : NULL;
	o->session.skip_transcript |= opts->is_script;
	code = options_close(o, opts->awl, interactive_answer(opts, is_plain));
	o->session.skip_transcript = keeps;
	return code;
}

static enum exit_code interactive_talk(struct chat_opts *opts, struct options *o, bool is_plain)
{
	struct awl_project_options project = AWL_PROJECT_OPTIONS_INIT;
	struct chat_request request = { .kind = CHAT_LEAVE };
	defer(str_clear) struct str notice = STR_INIT;
	enum exit_code code;

	project.cwd = o->session.project_config_root;
	project.settings = o->engine.settings;
	project.setting_sources = o->engine.setting_sources;
	opts->project = o->is_bare ? NULL : &project;
	opts->session = &o->session;
	opts->chooses_session = o->chooses_session;
	opts->leaves_at_once = sv_is(sv_cstr(getenv("CLAUDE_CODE_EXIT_AFTER_FIRST_RENDER")), "1");
	code = interactive_once(opts, o, is_plain, &request);
	if (request.kind != CHAT_LEAVE) {
		interactive_grant(o, opts, &request, &notice);
		code = interactive_once(opts, o, is_plain, &request);
	}
	str_clear(&request.url);
	str_clear(&request.model);
	opts->project = NULL;
	opts->request = NULL;
	opts->notice = NULL;
	return code;
}

static void interactive_clear_handover(struct chat_handover *handover)
{
	str_clear(&handover->session);
	str_clear(&handover->mode);
	str_clear(&handover->prompt);
}

enum exit_code interactive_run(const struct args *args)
{
	defer(options_clear) struct options o = OPTIONS_INIT;
	defer(str_clear) struct str prompt = STR_INIT;
	struct chat_handover handover = { .is_wanted = false };
	struct chat_opts opts = { .prompt = NULL };
	struct err err = ERR_INIT;
	enum exit_code code;

	if (!interactive_check_flags(args, &err) || !options_read(&o, args, "cli", &err))
		return usage_error("%s", err.text);
	for (size_t i = 0; i < args->words.n; i++)
		str_addf(&prompt, "%s%s", i ? " " : "", args->words.at[i]);
	if (prompt.len)
		opts.prompt = prompt.ptr;
	opts.handover = &handover;
	code = interactive_talk(&opts, &o, args_has(args, "plain"));
	if (handover.is_wanted)
		code = background_continue(args, &handover);
	interactive_clear_handover(&handover);
	return code;
}

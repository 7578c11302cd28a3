/* awl without -p: parse the options and run the interactive front end. */
#include <stdlib.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/output.h"
#include "front/plain/plain.h"
#include "front/tui/tui.h"

static bool interactive_check_flags(const struct args *args, struct err *err)
{
	static const char *const for_print[] = {
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

static enum exit_code interactive_talk(struct chat_opts *opts, struct options *o, bool is_plain)
{
	struct awl_project_options project = AWL_PROJECT_OPTIONS_INIT;

	project.settings = o->engine.settings;
	project.setting_sources = o->engine.setting_sources;
	opts->project = o->is_bare ? NULL : &project;
	opts->session = &o->session;
	opts->chooses_session = o->chooses_session;
	opts->awl = options_open(o);
	if (!opts->awl)
		return EXIT_FAILED;
	opts->is_script = awl_is_demo(opts->awl);
	opts->leaves_at_once = sv_is(sv_cstr(getenv("CLAUDE_CODE_EXIT_AFTER_FIRST_RENDER")), "1");
	return options_close(o, opts->awl, interactive_answer(opts, is_plain));
}

enum exit_code interactive_run(const struct args *args)
{
	defer(options_clear) struct options o = OPTIONS_INIT;
	defer(str_clear) struct str prompt = STR_INIT;
	struct chat_opts opts = { .prompt = NULL };
	struct err err = ERR_INIT;

	if (!interactive_check_flags(args, &err) || !options_read(&o, args, "cli", &err))
		return usage_error("%s", err.text);
	for (size_t i = 0; i < args->words.n; i++)
		str_addf(&prompt, "%s%s", i ? " " : "", args->words.at[i]);
	if (prompt.len)
		opts.prompt = prompt.ptr;
	return interactive_talk(&opts, &o, args_has(args, "plain"));
}

/* awl -p: parse the options and run the front end for scripts. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/options.h"
#include "cli/output.h"
#include "front/display.h"
#include "front/print/print.h"
#include "front/print/unopened.h"

/* How long to wait for standard input if there is a prompt on the command line. Many scripts
 * and job runners leave a standard input open that nobody will ever write to. */
enum { STDIN_PATIENCE_MS = 3000 };

/* --- the prompt ------------------------------------------------------------------- */

static bool print_stdin_has_come(struct sv words)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	if (!words.len || poll(&in, 1, STDIN_PATIENCE_MS) != 0)
		return true;
	complain("nothing on standard input after 3 s; continuing without it (use '< /dev/null' to "
		 "skip the wait)");
	return false;
}

static bool print_read_stdin(struct str *prompt, struct err *err)
{
	char buffer[64 * 1024];
	size_t words = prompt->len;
	ssize_t n;

	while ((n = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0) {
		if (words && prompt->len == words)
			str_addc(prompt, '\n');
		if (memchr(buffer, '\0', (size_t)n))
			return err_set(err, ERR_INVALID,
				       "standard input is not text: it contains a NUL byte");
		if (!str_add_capped(prompt, sv_from(buffer, (size_t)n), LIMIT_PROMPT))
			return err_set(err, ERR_TOO_BIG, "standard input is larger than %zu MiB",
				       LIMIT_PROMPT / MIB);
	}
	if (n < 0 && !(words && errno == EBADF)) /* a closed stdin adds nothing */
		return err_sys(err, errno, "cannot read standard input");
	return true;
}

/* The prompt is the arguments followed by standard input. */
static bool print_read_prompt(struct str *prompt, const struct args *args, struct err *err)
{
	for (size_t i = 0; i < args->words.n; i++)
		str_addf(prompt, "%s%s", i ? " " : "", args->words.at[i]);
	if (!isatty(STDIN_FILENO) && print_stdin_has_come(sv_of(prompt)) &&
	    !print_read_stdin(prompt, err))
		return false;
	if (!sv_trim(sv_of(prompt)).len)
		return err_set(err, ERR_INVALID,
			       "no prompt; use awl -p \"...\", or send text to standard input");
	return true;
}

/* --- the formats -------------------------------------------------------------------- */

static bool print_flag_is(const struct args *args, const char *flag, const char *value)
{
	return sv_is(sv_cstr(args_value(args, flag)), value);
}

bool print_is_meant(const struct args *args)
{
	return args_has(args, "print") || args_has(args, "init-only") ||
	       print_flag_is(args, "input-format", "stream-json") ||
	       print_flag_is(args, "output-format", "stream-json");
}

static bool print_read_output_format(enum print_format *out, const struct args *args,
				     struct err *err)
{
	const char *name = args_value(args, "output-format");

	if (!name || sv_is(sv_cstr(name), "text"))
		*out = PRINT_TEXT;
	else if (sv_is(sv_cstr(name), "json"))
		*out = PRINT_JSON;
	else if (sv_is(sv_cstr(name), "stream-json"))
		*out = PRINT_STREAM;
	else
		return err_set(err, ERR_INVALID,
			       "--output-format must be 'text', 'json' or 'stream-json', not '%s'",
			       name);
	return true;
}

static bool print_check_formats(enum print_format format, bool reads_stream,
				const struct args *args, struct err *err)
{
	static const char *const for_streams[] = { "include-partial-messages",
						   "replay-user-messages", "session-mirror" };

	if (reads_stream && format != PRINT_STREAM)
		return err_set(err, ERR_INVALID,
			       "--input-format stream-json needs --output-format stream-json");
	if (reads_stream && args->words.n)
		return err_set(err, ERR_INVALID,
			       "with --input-format stream-json, prompts come on standard input, "
			       "not as arguments: '%s'",
			       args->words.at[0]);
	if (!reads_stream && args_has(args, "await-initialize"))
		return err_set(err, ERR_INVALID,
			       "--await-initialize needs --input-format stream-json");
	if (format == PRINT_STREAM && !reads_stream && !args_has(args, "verbose"))
		return err_set(err, ERR_INVALID, "--output-format stream-json needs --verbose");
	for (size_t i = 0; i < countof(for_streams); i++)
		if (args_has(args, for_streams[i]) && format != PRINT_STREAM)
			return err_set(err, ERR_INVALID, "--%s needs --output-format stream-json",
				       for_streams[i]);
	return true;
}

/* Read who answers questions: nobody, the tool of an MCP server, or the host that writes to standard input. */
static bool print_read_asker(struct options *o, bool reads_stream, const struct args *args,
			     struct err *err)
{
	const char *tool = args_value(args, "permission-prompt-tool");
	bool by_host;

	if (!options_choice(&by_host, args, "permission-prompts", "none", "host", err))
		return false;
	if (tool && !sv_is(sv_cstr(tool), "stdio")) {
		o->session.permission_tool = tool;
		tool = NULL;
	}
	if ((tool || by_host) && !reads_stream)
		return err_set(err, ERR_INVALID,
			       "questions can be answered only with --input-format stream-json");
	o->session.send_questions = by_host || (tool && !args_has(args, "permission-prompts"));
	return true;
}

static bool print_read_suggestions(bool *out, const struct args *args, struct err *err)
{
	const char *value = args_value(args, "prompt-suggestions");
	bool is_off = false;

	if (value && value[0] &&
	    !options_choice(&is_off, args, "prompt-suggestions", "true", "false", err))
		return false;
	*out = args_has(args, "prompt-suggestions") && !is_off;
	return true;
}

static bool print_read_formats(struct print_opts *opts, bool *reads_stream, struct options *o,
			       const struct args *args, struct err *err)
{
	if (!options_choice(reads_stream, args, "input-format", "text", "stream-json", err) ||
	    !print_read_output_format(&opts->format, args, err) ||
	    !print_check_formats(opts->format, *reads_stream, args, err) ||
	    !print_read_asker(o, *reads_stream, args, err))
		return false;
	o->session.send_hook_events = args_has(args, "include-hook-events");
	if (!print_read_suggestions(&o->session.suggest_prompts, args, err))
		return false;
	o->session.send_partial_messages = args_has(args, "include-partial-messages");
	o->session.mirror_transcript = args_has(args, "session-mirror");
	o->session.ask_in_parallel = *reads_stream;
	o->session.answer_tasks = *reads_stream;
	opts->awaits_initialize = args_has(args, "await-initialize");
	opts->replays_prompts = args_has(args, "replay-user-messages");
	opts->writes_states = getenv("CLAUDE_CODE_SDK_READS_SESSION_STATE") != NULL;
	opts->talks = isatty(STDERR_FILENO) || args_has(args, "verbose");
	opts->is_for_a_terminal = isatty(STDOUT_FILENO);
	opts->fails_on_denied = args_has(args, "fail-on-denied");
	return true;
}

/* --- the run ------------------------------------------------------------------------- */

/* A script whose key is missing has to fail: the demo answers only if it is asked for. */
static int print_answer(const struct print_opts *opts, const struct options *o)
{
	if (awl_is_demo(opts->awl) && !o->engine.demo && !opts->only_opens)
		return print_refuse_to_start(opts->format, NULL, options_no_model);
	return front_print(opts);
}

static enum exit_code print_with(struct print_opts *opts, struct options *o)
{
	opts->session = &o->session;
	opts->awl = options_open(o);
	if (!opts->awl)
		return EXIT_FAILED;
	return options_close(o, opts->awl, print_answer(opts, o));
}

enum exit_code print_run(const struct args *args)
{
	defer(options_clear) struct options o = OPTIONS_INIT;
	defer(str_clear) struct str prompt = STR_INIT;
	struct print_opts opts = { .format = PRINT_TEXT };
	struct err err = ERR_INIT;
	bool reads_stream;

	opts.only_opens = o.needs_no_model = args_has(args, "init-only");
	if (!options_read(&o, args, "sdk-cli", &err) ||
	    !print_read_formats(&opts, &reads_stream, &o, args, &err) ||
	    (!reads_stream && !opts.only_opens && !print_read_prompt(&prompt, args, &err)))
		return usage_error("%s", err.text);
	if (!reads_stream && !opts.only_opens)
		opts.prompt = prompt.ptr;
	return print_with(&opts, &o);
}

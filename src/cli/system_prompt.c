/* awl --dump-system-prompt: prints what a session started with the same flags would send. */
#include "cli/options.h"
#include "cli/output.h"

static enum exit_code system_prompt_print(struct awl *awl, struct options *o)
{
	defer(str_clear) struct str text = STR_INIT;
	struct awl_session *session;

	o->session.skip_transcript = true;
	if (awl_session_open(&session, awl, &o->session, NULL, NULL) != AWL_OK)
		return failure("%s", awl_last_error());
	str_addf(&text, "%s\n", awl_session_system_prompt(session));
	awl_session_close(session);
	return output(sv_of(&text));
}

enum exit_code system_prompt_run(const struct args *args)
{
	defer(options_clear) struct options o = OPTIONS_INIT;
	struct err err = ERR_INIT;
	struct awl *awl;

	if (!options_read(&o, args, "cli", &err))
		return usage_error("%s", err.text);
	awl = options_open(&o);
	return awl ? options_close(&o, awl, system_prompt_print(awl, &o)) : EXIT_FAILED;
}

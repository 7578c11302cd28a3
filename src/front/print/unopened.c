#include "front/print/unopened.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/uuid.h"
#include "front/display.h"
#include "proto/event.h"

static void unopened_write_result(struct sv session_id, const char *word, const char *why)
{
	defer(str_clear) struct str line = STR_INIT;
	struct event event = { .kind = EVENT_RESULT,
			       .result = { .is_error = true,
					   .outcome = RESULT_ERROR,
					   .error = sv_cstr(why),
					   .startup_failure = sv_cstr(word),
					   .ttft_ms = -1,
					   .cost_known = true,
					   .usage = { .known = true } } };
	struct uuid uuid, fresh;
	struct rng rng;

	rng_seed_os(&rng);
	uuid = uuid_v4(&rng);
	fresh = uuid_v4(&rng);
	event_write(&line, &event, sv_cstr(uuid.text),
		    uuid_valid(session_id) ? session_id : sv_cstr(fresh.text));
	printf("%s\n", line.ptr);
}

/* Whether the session would open without its resume option. */
static bool unopened_only_resume_fails(const struct print_opts *opts)
{
	struct awl_session_options fresh = *opts->session;
	struct awl_session *session;
	enum awl_result result;

	if (!fresh.resume && !fresh.continue_newest)
		return false;
	fresh.resume = fresh.resume_at = fresh.resume_drops_turn = fresh.session_id = NULL;
	fresh.continue_newest = false;
	fresh.skip_transcript = true;
	result = awl_session_open(&session, opts->awl, &fresh, NULL, NULL);
	awl_session_close(session);
	return result == AWL_OK;
}

int print_unopened(const struct print_opts *opts, const struct err *why)
{
	if (opts->format != PRINT_TEXT && unopened_only_resume_fails(opts))
		unopened_write_result(sv_cstr(opts->session->resume), NULL, why->text);
	else
		complain("%s", why->text);
	return EXIT_FAILURE;
}

int print_refuse_to_start(enum print_format format, const char *word, const char *why)
{
	if (format != PRINT_TEXT)
		unopened_write_result(SV_EMPTY, word, why);
	complain("%s", why);
	return EXIT_FAILURE;
}

#include "model/retry.h"

#include "test.h"

static struct rng seeded(void)
{
	struct rng rng;

	rng_seed(&rng, 1);
	return rng;
}

/* Somebody waits, nothing is special. */
static const struct retry_rules usual = {
	.max_retries = 10, .foreground = true, .renewable = true, .may_go_whole = true
};

static struct model_error failed(enum model_failure failure)
{
	return (struct model_error){ .failure = failure, .retry_after_ms = -1 };
}

static struct model_error network(enum err_kind kind)
{
	struct model_error error = failed(MODEL_FAILED_NETWORK);

	error.err.kind = kind;
	return error;
}

static struct retry_plan first(const struct retry_rules *rules, struct model_error error,
			       bool streamed)
{
	struct retry_state state = { .attempts = 0 };
	struct rng rng = seeded();

	return retry_decide(&state, rules, &error, streamed, &rng);
}

TEST(backoff_doubles_from_half_a_second_to_its_cap_with_up_to_a_quarter_more)
{
	static const int64_t least[] = { 500, 1000, 2000, 4000, 8000, 16000, 32000, 32000, 32000 };
	struct rng rng = seeded();

	for (int attempt = 1; attempt <= (int)countof(least); attempt++) {
		for (int i = 0; i < 200; i++) {
			int64_t wait = retry_backoff(attempt, RETRY_CAP_MS, &rng);

			CHECK(wait >= least[attempt - 1]);
			CHECK(wait <= least[attempt - 1] * 5 / 4);
		}
	}
	CHECK(retry_backoff(1000000, RETRY_UNATTENDED_CAP_MS, &rng) <= 300000 * 5 / 4);
}

TEST(backoff_differs_between_two_clients)
{
	struct rng a = seeded(), b;

	rng_seed(&b, 2);
	CHECK(retry_backoff(7, RETRY_CAP_MS, &a) != retry_backoff(7, RETRY_CAP_MS, &b));
}

TEST(what_trying_again_cannot_mend_is_given_up_at_once)
{
	static const enum model_failure hopeless[] = {
		MODEL_FAILED_BILLING, MODEL_FAILED_PROMPT_TOO_LONG, MODEL_FAILED_REFUSED,
		MODEL_FAILED_MEDIA,   MODEL_FAILED_NOT_FOUND,       MODEL_FAILED_INVALID,
		MODEL_FAILED_REPLAY,  MODEL_FAILED_CANCELLED,
	};

	for (size_t i = 0; i < countof(hopeless); i++)
		CHECK_INT(first(&usual, failed(hopeless[i]), false).action, RETRY_GIVE_UP);
	CHECK_INT(first(&usual, network(ERR_TLS), false).action, RETRY_GIVE_UP);
	CHECK_INT(first(&usual, network(ERR_INVALID), false).action, RETRY_GIVE_UP);
}

TEST(what_passes_by_itself_is_waited_for)
{
	static const enum err_kind passing[] = {
		ERR_DNS,   ERR_REFUSED,         ERR_RESET,
		ERR_PROXY, ERR_TIMEOUT_CONNECT, ERR_TIMEOUT_FIRST_BYTE
	};

	CHECK_INT(first(&usual, failed(MODEL_FAILED_RATE_LIMIT), false).action, RETRY_WAIT);
	CHECK_INT(first(&usual, failed(MODEL_FAILED_SERVER), false).action, RETRY_WAIT);
	CHECK_INT(first(&usual, failed(MODEL_FAILED_OVERLOADED), false).action, RETRY_WAIT);
	for (size_t i = 0; i < countof(passing); i++)
		CHECK_INT(first(&usual, network(passing[i]), false).action, RETRY_WAIT);
}

TEST(a_server_that_says_how_long_is_believed)
{
	struct model_error error = failed(MODEL_FAILED_RATE_LIMIT);

	error.retry_after_ms = 47000;
	CHECK_INT(first(&usual, error, false).wait_ms, 47000);
	error.retry_after_ms = 0;
	CHECK_INT(first(&usual, error, false).wait_ms, 0);
}

TEST(a_wait_of_hours_is_not_sat_through_unless_unattended)
{
	struct model_error error = failed(MODEL_FAILED_RATE_LIMIT);
	struct retry_rules rules = usual;

	error.retry_after_ms = RETRY_LONGEST_MS + 1;
	CHECK_INT(first(&usual, error, false).action, RETRY_GIVE_UP);
	rules.unattended = true;
	CHECK_INT(first(&rules, error, false).wait_ms, RETRY_LONGEST_MS + 1);
}

TEST(a_server_that_says_not_to_try_again_is_obeyed)
{
	struct model_error error = failed(MODEL_FAILED_SERVER);

	error.should_retry = -1;
	CHECK_INT(first(&usual, error, false).action, RETRY_GIVE_UP);
}

TEST(fast_mode_is_given_up_on_like_any_other)
{
	struct model_error error = failed(MODEL_FAILED_RATE_LIMIT);
	struct retry_state state = { .fast = true };
	struct rng rng = seeded();

	error.retry_after_ms = 0;
	for (int i = 0; i < usual.max_retries; i++)
		CHECK_INT(retry_decide(&state, &usual, &error, false, &rng).action, RETRY_WAIT);
	CHECK_INT(retry_decide(&state, &usual, &error, false, &rng).action, RETRY_GIVE_UP);
}

TEST(retries_end_after_the_configured_number)
{
	struct model_error error = failed(MODEL_FAILED_SERVER);
	struct retry_state state = { .attempts = 0 };
	struct rng rng = seeded();

	for (int i = 0; i < usual.max_retries; i++)
		CHECK_INT(retry_decide(&state, &usual, &error, false, &rng).action, RETRY_WAIT);
	CHECK_INT(retry_decide(&state, &usual, &error, false, &rng).action, RETRY_GIVE_UP);
}

TEST(an_overload_is_not_retried_for_an_answer_nobody_waits_for)
{
	struct retry_rules background = usual;

	background.foreground = false;
	CHECK_INT(first(&background, failed(MODEL_FAILED_OVERLOADED), false).action, RETRY_GIVE_UP);
	CHECK_INT(first(&background, failed(MODEL_FAILED_SERVER), false).action, RETRY_WAIT);
}

TEST(three_overloads_in_a_row_bring_the_fallback_model_once)
{
	struct model_error overload = failed(MODEL_FAILED_OVERLOADED);
	struct model_error other = failed(MODEL_FAILED_SERVER);
	struct retry_rules rules = usual;
	struct retry_state state = { .attempts = 0 };
	struct rng rng = seeded();

	rules.has_fallback = true;
	CHECK_INT(retry_decide(&state, &rules, &overload, false, &rng).action, RETRY_WAIT);
	CHECK_INT(retry_decide(&state, &rules, &overload, false, &rng).action, RETRY_WAIT);
	CHECK_INT(retry_decide(&state, &rules, &other, false, &rng).action, RETRY_WAIT);
	CHECK_INT(retry_decide(&state, &rules, &overload, false, &rng).action, RETRY_WAIT);
	CHECK_INT(retry_decide(&state, &rules, &overload, false, &rng).action, RETRY_WAIT);
	CHECK_INT(retry_decide(&state, &rules, &overload, false, &rng).action, RETRY_FALL_BACK);
	for (int i = 0; i < 4; i++)
		CHECK_INT(retry_decide(&state, &rules, &overload, false, &rng).action, RETRY_WAIT);
}

TEST(a_refused_credential_is_renewed_once_if_it_can_be)
{
	struct model_error error = failed(MODEL_FAILED_AUTH);
	struct retry_state state = { .attempts = 0 };
	struct retry_rules given = usual;
	struct rng rng = seeded();

	CHECK_INT(retry_decide(&state, &usual, &error, false, &rng).action, RETRY_RENEW);
	CHECK_INT(retry_decide(&state, &usual, &error, false, &rng).action, RETRY_GIVE_UP);
	given.renewable = false;
	CHECK_INT(first(&given, error, false).action, RETRY_GIVE_UP);
}

TEST(fast_mode_survives_a_short_wait_and_is_left_for_a_long_one)
{
	struct model_error error = failed(MODEL_FAILED_RATE_LIMIT);
	struct retry_state state = { .fast = true };
	struct rng rng = seeded();
	struct retry_plan plan;

	error.retry_after_ms = RETRY_FAST_SHORT_MS - 1;
	plan = retry_decide(&state, &usual, &error, false, &rng);
	CHECK_INT(plan.action, RETRY_WAIT);
	CHECK_INT(plan.wait_ms, RETRY_FAST_SHORT_MS - 1);

	error.retry_after_ms = RETRY_FAST_SHORT_MS;
	plan = retry_decide(&state, &usual, &error, false, &rng);
	CHECK_INT(plan.action, RETRY_SLOW_DOWN);
	CHECK_INT(plan.wait_ms, RETRY_FAST_COOLDOWN_MS);

	/* From then on like any other request. */
	plan = retry_decide(&state, &usual, &error, false, &rng);
	CHECK_INT(plan.action, RETRY_WAIT);
	CHECK_INT(plan.wait_ms, RETRY_FAST_SHORT_MS);
}

TEST(a_fast_mode_cooldown_lasts_as_long_as_the_server_says_but_ten_minutes_at_least)
{
	struct model_error error = failed(MODEL_FAILED_OVERLOADED);
	struct retry_state state = { .fast = true };
	struct rng rng = seeded();

	error.retry_after_ms = 3600 * 1000;
	CHECK_INT(retry_decide(&state, &usual, &error, false, &rng).wait_ms, 3600 * 1000);
	state = (struct retry_state){ .fast = true };
	error.retry_after_ms = -1;
	CHECK_INT(retry_decide(&state, &usual, &error, false, &rng).wait_ms,
		  RETRY_FAST_COOLDOWN_MS);
}

TEST(unattended_runs_wait_out_crowds_for_ever_but_not_other_failures)
{
	struct model_error crowd = failed(MODEL_FAILED_OVERLOADED);
	struct model_error server = failed(MODEL_FAILED_SERVER);
	struct retry_rules rules = usual;
	struct retry_state state = { .attempts = 0 };
	struct rng rng = seeded();

	rules.unattended = true;
	for (int i = 0; i < 1000; i++) {
		struct retry_plan plan = retry_decide(&state, &rules, &crowd, false, &rng);

		CHECK_INT(plan.action, RETRY_WAIT);
		CHECK(plan.wait_ms <= RETRY_UNATTENDED_CAP_MS * 5 / 4);
	}
	CHECK_INT(retry_decide(&state, &rules, &server, false, &rng).action, RETRY_GIVE_UP);
}

TEST(a_stream_that_broke_is_asked_for_whole_once_unless_that_is_switched_off)
{
	struct model_error cut = network(ERR_RESET);
	struct retry_state state = { .attempts = 0 };
	struct retry_rules rules = usual;
	struct rng rng = seeded();

	CHECK_INT(retry_decide(&state, &usual, &cut, true, &rng).action, RETRY_WHOLE);
	CHECK_INT(retry_decide(&state, &usual, &cut, true, &rng).action, RETRY_WAIT);
	rules.may_go_whole = false;
	CHECK_INT(first(&rules, cut, true).action, RETRY_WAIT);
	CHECK_INT(first(&rules, failed(MODEL_FAILED_PROTOCOL), false).action, RETRY_GIVE_UP);
}

TEST(an_output_limit_is_renamed_once_if_the_server_says_so)
{
	struct model_error error = failed(MODEL_FAILED_INVALID);
	struct retry_state state = { .attempts = 0 };
	struct rng rng = seeded();

	CHECK_INT(retry_decide(&state, &usual, &error, false, &rng).action, RETRY_GIVE_UP);
	error.wants_other_limit = true;
	CHECK_INT(retry_decide(&state, &usual, &error, false, &rng).action, RETRY_RENAME);
	CHECK_INT(retry_decide(&state, &usual, &error, false, &rng).action, RETRY_GIVE_UP);
}

TEST(an_answer_that_would_not_fit_is_asked_for_shorter_while_that_is_worth_it)
{
	struct model_error error = failed(MODEL_FAILED_OUTPUT_LIMIT);
	struct retry_plan plan;

	error.tokens = 188059;
	error.limit = 200000;
	plan = first(&usual, error, false);
	CHECK_INT(plan.action, RETRY_SHRINK);
	CHECK(plan.output > 0 && error.tokens + plan.output <= error.limit);
	error.tokens = error.limit - RETRY_MIN_OUTPUT + 1;
	CHECK_INT(first(&usual, error, false).action, RETRY_GIVE_UP);
	error.limit = 0;
	CHECK_INT(first(&usual, error, false).action, RETRY_GIVE_UP);
}

TEST(a_service_that_does_not_grant_fast_mode_is_asked_at_standard_speed_from_then_on)
{
	struct model_error error = failed(MODEL_FAILED_INVALID);
	struct retry_state state = { .fast = true };
	struct rng rng = seeded();
	struct retry_plan plan;

	error.refuses_fast = true;
	plan = retry_decide(&state, &usual, &error, false, &rng);
	CHECK_INT(plan.action, RETRY_SLOW_DOWN);
	CHECK_INT(plan.wait_ms, -1);
	state.fast = false;
	CHECK_INT(retry_decide(&state, &usual, &error, false, &rng).action, RETRY_GIVE_UP);
}

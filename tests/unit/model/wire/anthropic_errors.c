#include "event_log.h"

static struct model_error classify(int status, const struct http_header *headers, size_t n,
				   const char *body)
{
	struct http_head head = { .status = status, .headers = headers, .nheaders = n };
	struct model_error error;

	memset(&error, 0xa5, sizeof(error)); /* all of it is to be filled */
	anthropic_classify(&error, &head, sv_cstr(body));
	CHECK_INT(error.status, status);
	CHECK(error.err.kind != ERR_NONE && error.err.text[0]);
	return error;
}

static struct model_error classify_api(int status, const char *type, const char *message)
{
	defer(str_clear) struct str body = STR_INIT;

	str_addf(&body, "{\"type\":\"error\",\"error\":{\"type\":\"%s\",\"message\":\"%s\"}}", type,
		 message);
	return classify(status, NULL, 0, body.ptr);
}

TEST(errors_are_classed_by_what_the_service_says)
{
	static const struct {
		int status;
		const char *type, *message;
		enum model_failure failure;
	} cases[] = {
		{ 400, "invalid_request_error", "messages: at least one", MODEL_FAILED_INVALID },
		{ 400, "invalid_request_error",
		  "Your credit balance is too low to access the Anthropic API.",
		  MODEL_FAILED_BILLING },
		{ 400, "invalid_request_error", "You have reached your specified API usage limits.",
		  MODEL_FAILED_BILLING },
		{ 400, "invalid_request_error", "Output blocked by content filtering policy",
		  MODEL_FAILED_REFUSED },
		{ 400, "invalid_request_error",
		  "messages.3.content.1.image.source.base64: image exceeds 5 MB maximum",
		  MODEL_FAILED_MEDIA },
		{ 400, "invalid_request_error", "Could not process image", MODEL_FAILED_MEDIA },
		{ 400, "invalid_request_error", "A maximum of 100 PDF pages may be provided.",
		  MODEL_FAILED_MEDIA },
		{ 400, "invalid_request_error", "The PDF specified was not valid.",
		  MODEL_FAILED_MEDIA },
		{ 401, "authentication_error", "invalid x-api-key", MODEL_FAILED_AUTH },
		{ 401, "authentication_error", "OAuth token has expired.", MODEL_FAILED_AUTH },
		{ 403, "permission_error", "OAuth token has been revoked", MODEL_FAILED_AUTH },
		{ 402, "billing_error", "pay", MODEL_FAILED_BILLING },
		{ 404, "not_found_error", "model: claude-nope", MODEL_FAILED_NOT_FOUND },
		{ 409, "conflict", "lock", MODEL_FAILED_SERVER },
		{ 413, "request_too_large", "Request exceeds the maximum size",
		  MODEL_FAILED_PROMPT_TOO_LONG },
		{ 422, "x", "unprocessable", MODEL_FAILED_INVALID },
		{ 429, "rate_limit_error", "slow down, prompt is too long",
		  MODEL_FAILED_RATE_LIMIT },
		{ 500, "api_error", "Internal server error", MODEL_FAILED_SERVER },
		{ 504, "timeout_error", "timed out", MODEL_FAILED_SERVER },
		{ 529, "overloaded_error", "Overloaded", MODEL_FAILED_OVERLOADED },
		{ 500, "overloaded_error", "Overloaded", MODEL_FAILED_OVERLOADED },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct model_error error =
			classify_api(cases[i].status, cases[i].type, cases[i].message);

		CHECK_INT(error.failure, cases[i].failure);
		CHECK(strstr(error.err.text, cases[i].message));
		CHECK_INT(error.retry_after_ms, -1);
	}
}

TEST(the_numbers_of_a_prompt_that_is_too_long_are_read)
{
	struct model_error error = classify_api(
		400, "invalid_request_error", "prompt is too long: 214000 tokens > 200000 maximum");

	CHECK_INT(error.failure, MODEL_FAILED_PROMPT_TOO_LONG);
	CHECK_INT(error.tokens, 214000);
	CHECK_INT(error.limit, 200000);
	error = classify_api(400, "invalid_request_error",
			     "messages.12: input length and `max_tokens` exceed context limit: "
			     "188059 + 20000 > 200000, decrease input length or `max_tokens`");
	CHECK_INT(error.failure, MODEL_FAILED_OUTPUT_LIMIT);
	CHECK_INT(error.tokens, 188059);
	CHECK_INT(error.limit, 200000);
	error = classify_api(400, "invalid_request_error",
			     "max_tokens: 100000 > 64000, which is the maximum allowed number of "
			     "output tokens for claude-sonnet-4-5");
	CHECK_INT(error.failure, MODEL_FAILED_OUTPUT_LIMIT);
	CHECK_INT(error.tokens, 0);
	CHECK_INT(error.limit, 64000);
	error = classify_api(400, "invalid_request_error", "Prompt is too long");
	CHECK_INT(error.failure, MODEL_FAILED_PROMPT_TOO_LONG);
	CHECK_INT(error.tokens, 0);
	CHECK_INT(error.limit, 0);
	error = classify_api(400, "invalid_request_error",
			     "prompt is too long: 99999999999999999999999 tokens > 200000 maximum");
	CHECK_INT(error.tokens, 0);
}

TEST(answers_that_are_not_the_services_own_are_classed_by_status)
{
	static const struct {
		int status;
		const char *body;
		enum model_failure failure;
		enum err_kind kind;
		const char *part;
	} cases[] = {
		{ 502, "<html>\n<body>Bad\tGateway</body>", MODEL_FAILED_SERVER, ERR_IO,
		  "<html> <body>Bad Gateway</body>" },
		{ 404, "<html>", MODEL_FAILED_INVALID, ERR_INVALID, "is the base URL right?" },
		{ 503, "", MODEL_FAILED_SERVER, ERR_IO, "status 503 with an empty body" },
		{ 408, "", MODEL_FAILED_NETWORK, ERR_TIMEOUT, "408" },
		{ 407, "", MODEL_FAILED_NETWORK, ERR_PROXY, "407" },
		{ 302, "moved", MODEL_FAILED_PROTOCOL, ERR_PROTOCOL, "redirects" },
		{ 429, "{\"error\":\"slow\"}", MODEL_FAILED_RATE_LIMIT, ERR_BUSY, "slow" },
		{ 500, "upstream: {\"type\":\"overloaded_error\"", MODEL_FAILED_OVERLOADED,
		  ERR_BUSY, "upstream" },
		{ 403, "\x1b[31mno\x01\xff", MODEL_FAILED_AUTH, ERR_ACCESS, "[31mno" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct model_error error = classify(cases[i].status, NULL, 0, cases[i].body);

		CHECK_INT(error.failure, cases[i].failure);
		CHECK_ERR(error.err, cases[i].kind, cases[i].part);
		CHECK(!strchr(error.err.text, '\x1b'));
	}
}

#define HEADER(header, text)                                    \
	{                                                       \
		.name = SV_INIT(header), .value = SV_INIT(text) \
	}

TEST(a_wait_is_read_from_whichever_header_says_it)
{
	static const struct {
		int status;
		struct http_header headers[3];
		int64_t ms;
	} cases[] = {
		{ 429, { HEADER("Retry-After", "12") }, 12000 },
		{ 529, { HEADER("retry-after", " 0 ") }, 0 },
		{ 529, { HEADER("retry-after", "1.25") }, 1250 },
		{ 503, { HEADER("retry-after-ms", "250"), HEADER("retry-after", "9") }, 250 },
		{ 503, { HEADER("retry-after", "soon") }, -1 },
		{ 503, { HEADER("retry-after", "-5") }, -1 },
		{ 503, { HEADER("retry-after", "99999999999999999999") }, -1 },
		{ 503,
		  { HEADER("retry-after", "Wed, 21 Oct 2026 07:28:30 GMT"),
		    HEADER("date", "Wed, 21 Oct 2026 07:28:00 GMT") },
		  30000 },
		{ 503,
		  { HEADER("retry-after", "Wed, 21 Oct 2026 07:28:30 GMT"),
		    HEADER("date", "Wed, 21 Oct 2026 08:00:00 GMT") },
		  0 },
		{ 503, { HEADER("retry-after", "Wed, 21 Oct 2026 07:28:30 GMT") }, -1 },
		{ 429,
		  { HEADER("anthropic-ratelimit-unified-reset", "1709164860"),
		    HEADER("date", "Thu, 29 Feb 2024 00:00:00 GMT") },
		  60000 },
		{ 529,
		  { HEADER("anthropic-ratelimit-unified-reset", "1709164860"),
		    HEADER("date", "Thu, 29 Feb 2024 00:00:00 GMT") },
		  -1 },
		{ 429,
		  { HEADER("retry-after", "7"),
		    HEADER("anthropic-ratelimit-unified-reset", "1709164860"),
		    HEADER("date", "Thu, 29 Feb 2024 00:00:00 GMT") },
		  7000 },
		{ 429, { HEADER("anthropic-ratelimit-unified-reset", "1709164860") }, -1 },
		{ 429, { HEADER("x", "y") }, -1 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct model_error error = classify(cases[i].status, cases[i].headers, 3, "");

		CHECK_INT(error.retry_after_ms, cases[i].ms);
	}
}

#define UNIFIED(name, text) HEADER("anthropic-ratelimit-unified-" name, text)

TEST(the_use_of_a_subscription_is_read_from_the_headers)
{
	static const struct {
		struct http_header headers[5];
		const char *json; /* NULL: nothing is said */
	} cases[] = {
		{ { HEADER("x", "y") }, NULL },
		{ { UNIFIED("status", "fine") }, NULL },
		{ { UNIFIED("status", "allowed"), UNIFIED("5h-utilization", "0.2") },
		  "{\"status\":\"allowed\",\"isUsingOverage\":false}" },
		{ { UNIFIED("status", "allowed"), UNIFIED("reset", "1783325400"),
		    UNIFIED("representative-claim", "seven_day"),
		    UNIFIED("overage-status", "rejected"),
		    UNIFIED("overage-disabled-reason", "something_new") },
		  "{\"status\":\"allowed\",\"resetsAt\":1783325400,\"rateLimitType\":\"seven_day\","
		  "\"overageStatus\":\"rejected\",\"overageDisabledReason\":\"unknown\","
		  "\"isUsingOverage\":false}" },
		{ { UNIFIED("status", "allowed"), UNIFIED("5h-surpassed-threshold", "0.9"),
		    UNIFIED("5h-utilization", "0.91"), UNIFIED("5h-reset", "1783325400"),
		    UNIFIED("reset", "1") },
		  "{\"status\":\"allowed_warning\",\"resetsAt\":1783325400,"
		  "\"rateLimitType\":\"five_hour\",\"utilization\":0.91,"
		  "\"isUsingOverage\":false,\"surpassedThreshold\":0.9}" },
		{ { UNIFIED("status", "rejected"), UNIFIED("overage-status", "allowed"),
		    UNIFIED("reset", "-5"), UNIFIED("representative-claim", "<script>"),
		    UNIFIED("7d-surpassed-threshold", "1e999") },
		  "{\"status\":\"rejected\",\"overageStatus\":\"allowed\",\"isUsingOverage\":"
		  "true}" },
		{ { UNIFIED("status", "allowed"), UNIFIED("7d-surpassed-threshold", "true"),
		    UNIFIED("7d-utilization", "-1") },
		  "{\"status\":\"allowed_warning\",\"rateLimitType\":\"seven_day\","
		  "\"isUsingOverage\":false}" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		const struct http_head head = { .headers = cases[i].headers, .nheaders = 5 };
		struct rate_limit limit = RATE_LIMIT_INIT;
		defer(str_clear) struct str json = STR_INIT;
		struct jw w;

		CHECK(wire_rate_limit(&limit, &head) == (cases[i].json != NULL));
		if (!cases[i].json)
			continue;
		jw_init(&w, &json, JW_COMPACT);
		jw_object(&w);
		rate_limit_write(&w, &limit);
		jw_end(&w);
		jw_done(&w);
		CHECK_STR(str_c(&json), cases[i].json);
	}
}

TEST(the_request_id_and_the_advice_to_retry_are_kept)
{
	static const struct http_header headers[] = { HEADER("Request-Id", "req_011"),
						      HEADER("x-should-retry", "false") };
	static const struct http_header bad[] = { HEADER("request-id", "a b"),
						  HEADER("x-should-retry", "true") };
	struct model_error error = classify(400, headers, 2, "{}");

	CHECK_STR(error.request_id, "req_011");
	CHECK_INT(error.should_retry, -1);
	error = classify(400, bad, 2, "{}");
	CHECK_STR(error.request_id, "");
	CHECK_INT(error.should_retry, 1);
	error = classify(
		400, NULL, 0,
		"{\"type\":\"error\",\"error\":{\"type\":\"x\"},\"request_id\":\"req_2\"}");
	CHECK_STR(error.request_id, "req_2");
	CHECK_INT(error.should_retry, 0);
}

TEST(every_failure_has_a_name)
{
	for (int i = 0; i < MODEL_FAILURES; i++)
		CHECK(model_failure_name((enum model_failure)i)[0]);
	CHECK_STR(model_failure_name(MODEL_FAILED_RATE_LIMIT), "rate_limit");
	CHECK_STR(model_failure_name(MODEL_FAILED_OVERLOADED), "overloaded");
}

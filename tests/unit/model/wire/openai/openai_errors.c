#include "model/wire/openai.h"

static struct model_error classify(int status, const struct http_header *headers, size_t nheaders,
				   const char *body)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct http_head head = { .status = status, .headers = headers, .nheaders = nheaders };
	struct model_error error;

	memset(&error, 0xee, sizeof(error));
	provider_openai_chat.classify(&error, &head, js(&arena, body));
	CHECK_INT(error.status, status);
	return error;
}

static const struct {
	int status;
	const char *body;
	enum model_failure failure;
	const char *part;
} answers[] = {
	{ 401,
	  "{'error':{'message':'Incorrect API key provided: sk-x.','type':"
	  "'invalid_request_error','param':null,'code':'invalid_api_key'}}",
	  MODEL_FAILED_AUTH, "Incorrect API key provided: sk-x. (invalid_api_key)" },
	{ 429,
	  "{'error':{'message':'You exceeded your current quota','type':"
	  "'insufficient_quota','code':'insufficient_quota'}}",
	  MODEL_FAILED_BILLING, "quota" },
	{ 429,
	  "{'error':{'message':'Rate limit reached','type':'tokens','code':"
	  "'rate_limit_exceeded'}}",
	  MODEL_FAILED_RATE_LIMIT, "Rate limit reached" },
	{ 404,
	  "{'error':{'message':'The model `x` does not exist','type':"
	  "'invalid_request_error','code':'model_not_found'}}",
	  MODEL_FAILED_NOT_FOUND, "does not exist" },
	{ 404,
	  "{'error':{'message':'model \\'x\\' not found, try pulling it first','type':"
	  "'api_error'}}",
	  MODEL_FAILED_NOT_FOUND, "try pulling it first" },
	{ 404, "{'detail':'Not Found'}", MODEL_FAILED_INVALID, "Not Found" },
	{ 404, "{'object':'error','message':'The model `x` does not exist.','code':404}",
	  MODEL_FAILED_NOT_FOUND, "does not exist" },
	{ 402, "{'error':{'message':'Insufficient Balance','type':'unknown_error'}}",
	  MODEL_FAILED_BILLING, "Insufficient Balance" },
	{ 503, "{'error':{'code':503,'message':'Loading model','type':'unavailable_error'}}",
	  MODEL_FAILED_SERVER, "Loading model" },
	{ 503, "{'error':{'message':'The engine is currently overloaded','type':''}}",
	  MODEL_FAILED_OVERLOADED, "overloaded" },
	{ 400, "{'error':'registry.ollama.ai/library/gemma:latest does not support tools'}",
	  MODEL_FAILED_INVALID, "does not support tools" },
	{ 400, "{'error':{'message':'image input is not supported','code':500}}",
	  MODEL_FAILED_MEDIA, "image" },
	{ 400, "{'error':{'message':'bad','code':'image_parse_error'}}", MODEL_FAILED_MEDIA,
	  "bad" },
	{ 400, "{'error':{'message':'no','code':'content_policy_violation'}}", MODEL_FAILED_REFUSED,
	  "no" },
	{ 422, "{'detail':[{'loc':['body'],'msg':'field required'}]}", MODEL_FAILED_INVALID,
	  "field required" },
	{ 422, "{'object':'error','message':{'detail':[{'msg':'extra inputs'}]}}",
	  MODEL_FAILED_INVALID, "extra inputs" },
	{ 400, "[{'error':{'code':400,'message':'bad value'}}]", MODEL_FAILED_INVALID,
	  "bad value" },
	{ 500, "{'error':{'message':'boom'}}", MODEL_FAILED_SERVER, "boom" },
	{ 529, "{}", MODEL_FAILED_OVERLOADED, "529" },
	{ 413, "", MODEL_FAILED_PROMPT_TOO_LONG, "413" },
	{ 502, "<html>\n<b>Bad\tGateway</b>", MODEL_FAILED_SERVER, "<html> <b>Bad Gateway</b>" },
	{ 404, "404 page not found", MODEL_FAILED_INVALID, "is the base URL right?" },
	{ 302, "", MODEL_FAILED_PROTOCOL, "redirects" },
	{ 408, "", MODEL_FAILED_NETWORK, "408" },
	{ 407, "", MODEL_FAILED_NETWORK, "407" },
	{ 400, "{'error':{'message':'\x1b[31mred'}}", MODEL_FAILED_INVALID, "status 400" },
};

TEST(errors_are_classed_by_code_words_and_status)
{
	for (size_t i = 0; i < countof(answers); i++) {
		struct model_error error = classify(answers[i].status, NULL, 0, answers[i].body);

		if (error.failure != answers[i].failure)
			print_error("row %zu is %s\n", i, model_failure_name(error.failure));
		CHECK_INT(error.failure, answers[i].failure);
		CHECK_ERR(error.err, error.err.kind, answers[i].part);
		CHECK_INT(error.retry_after_ms, -1);
		CHECK(!strchr(error.err.text, '\x1b'));
	}
}

#define MESSAGE(text) "{'error':{'message':'" text "'}}"

static const struct {
	const char *body;
	enum model_failure failure;
	int64_t tokens, limit;
} overflows[] = {
	{ "{'error':{'message':'This model\xe2\x80\x99s maximum context length is 8192 "
	  "tokens. However, your messages resulted in 9000 tokens. Please reduce the "
	  "length "
	  "of the messages.','code':'context_length_exceeded'}}",
	  MODEL_FAILED_PROMPT_TOO_LONG, 9000, 8192 },
	{ MESSAGE("This model`s maximum context length is 4097 tokens, however you "
		  "requested 4130 tokens (130 in your prompt; 4000 for the completion)."),
	  MODEL_FAILED_OUTPUT_LIMIT, 130, 4097 },
	{ MESSAGE("This model`s maximum context length is 16384 tokens. However, you "
		  "requested 122946 tokens (112946 in the messages, 10000 in the "
		  "completion)."),
	  MODEL_FAILED_PROMPT_TOO_LONG, 112946, 16384 },
	{ MESSAGE("`max_tokens` or `max_completion_tokens` is too large: 9000. This "
		  "model`s maximum context length is 8192 tokens and your request has 12 "
		  "input tokens (9000 > 8192 - 12)."),
	  MODEL_FAILED_OUTPUT_LIMIT, 12, 8192 },
	{ MESSAGE("max_tokens is too large: 100000. This model supports at most 16384 "
		  "completion tokens, whereas you provided 100000."),
	  MODEL_FAILED_OUTPUT_LIMIT, 0, 16384 },
	{ MESSAGE("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"),
	  MODEL_FAILED_OUTPUT_LIMIT, 0, 8192 },
	{ "{'error':{'code':400,'message':'the request exceeds the available context size, "
	  "try increasing it','type':'exceed_context_size_error','n_prompt_tokens':1407,"
	  "'n_ctx':256}}",
	  MODEL_FAILED_PROMPT_TOO_LONG, 1407, 256 },
	{ MESSAGE("request (9000 tokens) exceeds the available context size (8192 tokens), "
		  "try increasing it"),
	  MODEL_FAILED_PROMPT_TOO_LONG, 9000, 8192 },
	{ MESSAGE("Requested tokens (2285) exceed context window of 2048"),
	  MODEL_FAILED_PROMPT_TOO_LONG, 2285, 2048 },
	{ "{'error':'Trying to keep the first 9000 tokens when context the overflows. "
	  "However, the model is loaded with context length of only 4096 tokens'}",
	  MODEL_FAILED_PROMPT_TOO_LONG, 9000, 4096 },
	{ MESSAGE("Input tokens exceed the configured limit of 272000 tokens. Your "
		  "messages resulted in 300000 tokens."),
	  MODEL_FAILED_PROMPT_TOO_LONG, 300000, 272000 },
	{ MESSAGE("Your input exceeds the context window of this model."),
	  MODEL_FAILED_PROMPT_TOO_LONG, 0, 0 },
	{ MESSAGE("maximum context length is 99999999999999999999 tokens"),
	  MODEL_FAILED_PROMPT_TOO_LONG, 0, 0 },
	{ "{'error':{'message':'x','type':'exceed_context_size_error','n_prompt_tokens':-1,"
	  "'n_ctx':-5}}",
	  MODEL_FAILED_PROMPT_TOO_LONG, 0, 0 },
};

TEST(the_numbers_of_a_prompt_that_is_too_long_are_read)
{
	for (size_t i = 0; i < countof(overflows); i++) {
		defer(str_clear) struct str body = STR_INIT;
		struct model_error error;

		str_adds(&body, overflows[i].body);
		for (size_t k = 0; k < body.len; k++) /* servers quote with ' */
			body.ptr[k] = body.ptr[k] == '\'' ? '"' : body.ptr[k];
		for (size_t k = 0; k < body.len; k++)
			body.ptr[k] = body.ptr[k] == '`' ? '\'' : body.ptr[k];
		provider_openai_chat.classify(&error, &(struct http_head){ .status = 400 },
					      sv_of(&body));
		CHECK_INT(error.failure, overflows[i].failure);
		CHECK_INT(error.tokens, overflows[i].tokens);
		CHECK_INT(error.limit, overflows[i].limit);
	}
}

#define HEADER(header, text)                                    \
	{                                                       \
		.name = SV_INIT(header), .value = SV_INIT(text) \
	}

TEST(a_wait_is_read_from_whichever_header_says_it)
{
	static const struct {
		struct http_header headers[4];
		int64_t ms;
	} cases[] = {
		{ { HEADER("retry-after", "12"), HEADER("x-ratelimit-reset-requests", "1s") },
		  12000 },
		{ { HEADER("retry-after-ms", "250") }, 250 },
		{ { HEADER("x-ratelimit-reset-requests", "20ms") }, 20 },
		{ { HEADER("x-ratelimit-reset-tokens", "6m0s") }, 360000 },
		{ { HEADER("x-ratelimit-reset-tokens", "1h2m3.5s") }, 3723500 },
		{ { HEADER("x-ratelimit-reset-requests", "1s"),
		    HEADER("x-ratelimit-reset-tokens", "6s") },
		  1000 },
		{ { HEADER("x-ratelimit-reset-requests", "1s"),
		    HEADER("x-ratelimit-reset-tokens", "6s"),
		    HEADER("x-ratelimit-remaining-tokens", "0") },
		  6000 },
		{ { HEADER("x-ratelimit-reset-requests", "soon") }, -1 },
		{ { HEADER("x-ratelimit-reset-requests", "5") }, -1 },
		{ { HEADER("x-ratelimit-reset-requests", "99999999999s") }, -1 },
		{ { HEADER("x", "y") }, -1 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct model_error error = classify(429, cases[i].headers, 4, "");

		CHECK_INT(error.retry_after_ms, cases[i].ms);
		error = classify(500, cases[i].headers, 4, "");
		CHECK(error.retry_after_ms == (i < 2 ? cases[i].ms : -1));
	}
}

TEST(the_request_id_and_the_advice_to_retry_are_kept)
{
	static const struct http_header headers[] = { HEADER("X-Request-Id", "req_1"),
						      HEADER("x-should-retry", "false") };
	static const struct http_header bad[] = { HEADER("x-request-id", "a b") };
	struct model_error error = classify(400, headers, 2, "{}");

	CHECK_STR(error.request_id, "req_1");
	CHECK_INT(error.should_retry, -1);
	error = classify(400, bad, 1, "{}");
	CHECK_STR(error.request_id, "");
	CHECK_INT(error.should_retry, 0);
}

/* Classifies errors of OpenAI-compatible servers: by their code, else by words in the message, because
 * local servers have few codes, else by the status. */
#include "base/limits.h"
#include "model/wire/openai/openai_common.h"

enum { MESSAGE_SIZE = 160 };

struct rule {
	const char *sign;
	enum model_failure failure;
};

static const struct rule code_rules[] = {
	{ "context_length_exceeded", MODEL_FAILED_PROMPT_TOO_LONG },
	{ "exceed_context_size_error", MODEL_FAILED_PROMPT_TOO_LONG },
	{ "string_above_max_length", MODEL_FAILED_PROMPT_TOO_LONG },
	{ "insufficient_quota", MODEL_FAILED_BILLING },
	{ "billing_not_active", MODEL_FAILED_BILLING },
	{ "billing_hard_limit_reached", MODEL_FAILED_BILLING },
	{ "invalid_api_key", MODEL_FAILED_AUTH },
	{ "authentication_error", MODEL_FAILED_AUTH },
	{ "permission_error", MODEL_FAILED_AUTH },
	{ "model_not_found", MODEL_FAILED_NOT_FOUND },
	{ "rate_limit_exceeded", MODEL_FAILED_RATE_LIMIT },
	{ "rate_limit_error", MODEL_FAILED_RATE_LIMIT },
	{ "server_overloaded", MODEL_FAILED_OVERLOADED },
	{ "overloaded_error", MODEL_FAILED_OVERLOADED },
	{ "unavailable_error", MODEL_FAILED_SERVER }, /* llama.cpp, while it loads a model */
	{ "content_policy_violation", MODEL_FAILED_REFUSED },
	{ "content_filter", MODEL_FAILED_REFUSED },
	{ "invalid_image", MODEL_FAILED_MEDIA },
	{ "invalid_base64_image", MODEL_FAILED_MEDIA },
	{ "invalid_image_format", MODEL_FAILED_MEDIA },
	{ "image_parse_error", MODEL_FAILED_MEDIA },
	{ "image_too_large", MODEL_FAILED_MEDIA },
	{ "unsupported_image_media_type", MODEL_FAILED_MEDIA },
};

/* In the message, in any case of letters; the first that fits counts. */
static const struct rule message_rules[] = {
	{ "max_tokens is too large", MODEL_FAILED_OUTPUT_LIMIT },
	{ "max_completion_tokens' is too large", MODEL_FAILED_OUTPUT_LIMIT },
	{ "range of max_tokens", MODEL_FAILED_OUTPUT_LIMIT },
	{ "maximum context length", MODEL_FAILED_PROMPT_TOO_LONG },
	{ "context window", MODEL_FAILED_PROMPT_TOO_LONG },
	{ "context length", MODEL_FAILED_PROMPT_TOO_LONG },
	{ "context size", MODEL_FAILED_PROMPT_TOO_LONG },
	{ "input tokens exceed", MODEL_FAILED_PROMPT_TOO_LONG },
	{ "prompt is too long", MODEL_FAILED_PROMPT_TOO_LONG },
	{ "try pulling it first", MODEL_FAILED_NOT_FOUND },
	{ "insufficient balance", MODEL_FAILED_BILLING },
	{ "exceeded your current quota", MODEL_FAILED_BILLING },
	{ "overloaded", MODEL_FAILED_OVERLOADED },
	{ "loading model", MODEL_FAILED_SERVER },
	{ "image input is not supported", MODEL_FAILED_MEDIA },
	{ "support image", MODEL_FAILED_MEDIA },
	{ "process image", MODEL_FAILED_MEDIA },
	{ "multimodal", MODEL_FAILED_MEDIA },
};

/* A 404 means a missing model only if the message mentions one. */
static enum model_failure openai_error_by_status(int status, struct sv message)
{
	if (status < 400)
		return MODEL_FAILED_SERVER;
	if (status == 404 && sv_find_nocase(message, SV("model")) != SIZE_MAX)
		return MODEL_FAILED_NOT_FOUND;
	return wire_failure_of(status);
}

/* An error of its own: code or type may be a number, or not be there. */
struct report {
	struct sv message, code, type;
	int64_t number; /* the code as one */
};

static bool openai_error_by_code(struct sv code, enum model_failure *out)
{
	for (size_t i = 0; i < countof(code_rules); i++) {
		if (sv_is(code, code_rules[i].sign)) {
			*out = code_rules[i].failure;
			return true;
		}
	}
	return false;
}

static enum model_failure openai_error_judge(const struct report *r, int status)
{
	bool vague = status < 400 || status == 400 || status == 404 || status == 422 ||
		     status == 429 || status >= 500;
	enum model_failure failure;

	if (openai_error_by_code(r->code, &failure) || openai_error_by_code(r->type, &failure))
		return failure;
	for (size_t i = 0; vague && i < countof(message_rules); i++)
		if (sv_find_nocase(r->message, sv_cstr(message_rules[i].sign)) != SIZE_MAX)
			return message_rules[i].failure;
	if (status < 400 && r->number >= 400 && r->number < 600)
		status = (int)r->number;
	if (status < 400 && sv_is(r->type, "invalid_request_error"))
		return MODEL_FAILED_INVALID;
	return openai_error_by_status(status, r->message);
}

/* The numbers of a prompt that is too long. */

/* The first number after `words`; 0: there is none. */
static int64_t openai_error_number_after(struct sv message, const char *words)
{
	size_t at = sv_find_nocase(message, sv_cstr(words)), from, to;
	int64_t n;

	if (at == SIZE_MAX)
		return 0;
	from = at + strlen(words);
	while (from < message.len && strchr(" (:", message.ptr[from]))
		from++;
	for (to = from; to < message.len && message.ptr[to] >= '0' && message.ptr[to] <= '9';)
		to++;
	return sv_to_int(sv_slice(message, from, to), &n) ? n : 0;
}

static int64_t openai_error_first_after(struct sv message, const char *const *words)
{
	int64_t n = 0;

	for (; *words && n == 0; words++)
		n = openai_error_number_after(message, *words);
	return n;
}

/* "maximum context length is 8192 tokens. However, your messages resulted in 9000"
 * "... 8192 tokens. However, you requested 9000 tokens (1000 in the messages, ..."
 * "... 8192 tokens and your request has 12 input tokens (9000 > 8192 - 12)"
 * "request (9000 tokens) exceeds the available context size (8192 tokens)"
 * "max_tokens is too large: 100000. This model supports at most 16384 completion ..."
 * "the valid range of max_tokens is [1, 8192]" */
static void openai_error_read_numbers(struct model_error *out, struct sv message, struct json error)
{
	static const char *const limits[] = { "context length is",   "context length of only",
					      "configured limit of", "available context size",
					      "context window of",   "supports at most",
					      "max_tokens is [1,",   NULL };
	static const char *const prompts[] = { "resulted in",
					       "your request has",
					       "tokens (",
					       "you requested",
					       "request (",
					       "requested tokens (",
					       "prompt contains at least",
					       "the first",
					       NULL };

	out->limit =
		json_int_or(json_get(error, "n_ctx"), openai_error_first_after(message, limits));
	out->tokens = json_int_or(json_get(error, "n_prompt_tokens"),
				  openai_error_first_after(message, prompts));
	if (out->tokens < 0 || out->limit < 0)
		out->tokens = out->limit = 0;
}

/* Whether the prompt fits the window, but not together with the requested output. */
static bool is_output_too_long(const struct model_error *out, struct sv message)
{
	return out->failure == MODEL_FAILED_PROMPT_TOO_LONG && out->tokens > 0 &&
	       out->tokens <= out->limit && sv_find_nocase(message, SV("completion")) != SIZE_MAX;
}

/* The report. */

struct json openai_error_of(struct json root)
{
	struct json first = json_is(root, JSON_ARRAY) ? json_at(root, 0) : root;
	struct json error = json_get(first, "error");

	if (json_is(error, JSON_OBJECT) || json_is(error, JSON_STRING))
		return error;
	if (json_is(json_get(first, "object"), JSON_STRING) &&
	    sv_is(json_str_or(json_get(first, "object"), SV_EMPTY), "error"))
		return first;
	return json_get(first, "detail");
}

/* {"message": ..}, "..", [{"msg": ..}] or {"message": {"detail": [{"msg": ..}]}} */
static struct sv openai_error_message_of(struct json error)
{
	struct json message = json_get(error, "message");
	struct json list = json_is(message, JSON_OBJECT) ? json_get(message, "detail") : error;
	struct sv text;

	if (json_str(message, &text) || json_str(error, &text))
		return text;
	return json_str_or(json_get(json_at(list, 0), "msg"), SV_EMPTY);
}

static struct report openai_error_read_report(struct json error)
{
	struct report r = { .message = openai_error_message_of(error) };
	struct json code = json_get(error, "code");

	r.message = sv_slice(r.message, 0, 4 * KIB);
	r.code = json_str_or(code, SV_EMPTY);
	r.number = json_int_or(code, 0);
	r.type = json_str_or(json_get(error, "type"), SV_EMPTY);
	return r;
}

static void openai_error_describe(struct str *out, const struct report *r)
{
	struct sv name = r->code.len ? r->code : r->type;

	wire_printable(out, r->message.len ? r->message : SV("an error without a message"),
		       MESSAGE_SIZE);
	if (name.len == 0)
		return;
	str_adds(out, " (");
	wire_printable(out, name, 40);
	str_addc(out, ')');
}

bool openai_fail(struct model_error *out, int status, struct json error)
{
	struct report r = openai_error_read_report(error);
	enum model_failure failure = openai_error_judge(&r, status);
	defer(str_clear) struct str text = STR_INIT;
	struct model_error numbers = { .failure = failure };

	openai_error_describe(&text, &r);
	if (failure == MODEL_FAILED_PROMPT_TOO_LONG || failure == MODEL_FAILED_OUTPUT_LIMIT)
		openai_error_read_numbers(&numbers, r.message, error);
	if (is_output_too_long(&numbers, r.message))
		failure = MODEL_FAILED_OUTPUT_LIMIT;
	model_fail(out, failure, status, "%s", str_c(&text));
	out->wants_other_limit = failure == MODEL_FAILED_INVALID &&
				 sv_find_nocase(r.message, SV("max_completion_tokens")) != SIZE_MAX;
	out->tokens = numbers.tokens;
	out->limit = numbers.limit;
	return false;
}

bool openai_fail_err(struct model_error *out, const struct err *why)
{
	model_fail(out, MODEL_FAILED_PROTOCOL, 200, "%s", why->text);
	if (why->kind == ERR_TOO_BIG)
		out->err.kind = why->kind;
	return false;
}

bool openai_fail_excerpt(struct model_error *out, const char *what, struct sv bytes)
{
	defer(str_clear) struct str excerpt = STR_INIT;

	wire_excerpt(&excerpt, bytes);
	return model_fail(out, MODEL_FAILED_PROTOCOL, 200, "%s: %s", what, str_c(&excerpt));
}

/* Responses with an error status. */

/* "1s", "6m0s", "20ms", "1h2m3.5s" in milliseconds; -1: it is none. */
static int64_t openai_error_read_duration(struct sv s)
{
	static const struct {
		const char *name;
		int64_t ms;
	} units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 } };
	int64_t sum = 0;

	if (s.len == 0 || s.len > 20)
		return -1;
	while (s.len > 0) {
		size_t n = 0, unit = 0;
		double value = 0, scale = 1;

		for (bool point = false; n < s.len && strchr("0123456789.", s.ptr[n]); n++) {
			if (s.ptr[n] != '.')
				value = value * 10 + (s.ptr[n] - '0');
			scale = point ? scale / 10 : scale;
			point |= s.ptr[n] == '.';
		}
		s = sv_skip(s, n);
		while (unit < countof(units) && !sv_starts(s, sv_cstr(units[unit].name)))
			unit++;
		if (n == 0 || unit == countof(units) || value * scale > 1e6)
			return -1;
		sum += (int64_t)(value * scale * (double)units[unit].ms + 0.5);
		s = sv_skip(s, strlen(units[unit].name));
	}
	return sum;
}

/* The limit that is used up decides; if neither is, the one that resets first. */
static int64_t openai_error_read_reset(const struct http_head *head)
{
	int64_t requests =
		openai_error_read_duration(http_header(head, "x-ratelimit-reset-requests"));
	int64_t tokens = openai_error_read_duration(http_header(head, "x-ratelimit-reset-tokens"));
	bool no_requests = sv_is(http_header(head, "x-ratelimit-remaining-requests"), "0");
	bool no_tokens = sv_is(http_header(head, "x-ratelimit-remaining-tokens"), "0");

	if (no_requests || no_tokens)
		return max_of(no_requests ? requests : -1, no_tokens ? tokens : -1);
	if (requests < 0 || tokens < 0)
		return max_of(requests, tokens);
	return min_of(requests, tokens);
}

void openai_classify(struct model_error *out, const struct http_head *head, struct sv body)
{
	struct err why;
	defer(json_doc_freep) struct json_doc *doc = json_parse(body, 0, &why);
	struct json error = openai_error_of(json_root(doc));

	if (openai_error_message_of(error).len > 0 || json_is(json_get(error, "code"), JSON_STRING))
		openai_fail(out, head->status, error);
	else
		wire_fail_foreign(out, openai_error_by_status(head->status, SV_EMPTY), head->status,
				  body);
	wire_fail_advice(out, head, http_header(head, "x-request-id"));
	if (out->retry_after_ms < 0 && head->status == 429)
		out->retry_after_ms = openai_error_read_reset(head);
}

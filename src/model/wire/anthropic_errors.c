/* Classifies errors of the Messages API: by the service's own error type, because an error inside a
 * stream has no status; by the status, if a proxy responds in its own format; and an invalid request
 * by its text. */
#include "base/limits.h"
#include "model/wire/wire.h"

enum { MESSAGE_SIZE = 160 };

struct rule {
	const char *sign; /* in the message, in any case */
	enum model_failure failure;
};

/* The first that fits counts. */
static const struct rule message_rules[] = {
	{ "prompt is too long", MODEL_FAILED_PROMPT_TOO_LONG },
	{ "input is too long", MODEL_FAILED_PROMPT_TOO_LONG },
	{ "exceed context limit", MODEL_FAILED_OUTPUT_LIMIT },
	{ "maximum allowed number of output tokens", MODEL_FAILED_OUTPUT_LIMIT },
	{ "credit balance", MODEL_FAILED_BILLING },
	{ "usage limits", MODEL_FAILED_BILLING },
	{ "content filtering policy", MODEL_FAILED_REFUSED },
	{ "image exceeds", MODEL_FAILED_MEDIA },
	{ "image dimensions", MODEL_FAILED_MEDIA },
	{ "process image", MODEL_FAILED_MEDIA },
	{ "image does not match", MODEL_FAILED_MEDIA },
	{ "image was specified", MODEL_FAILED_MEDIA },
	{ "image.source", MODEL_FAILED_MEDIA },
	{ "document.source", MODEL_FAILED_MEDIA },
	{ "pdf", MODEL_FAILED_MEDIA },
};

static const struct rule type_rules[] = {
	{ "authentication_error", MODEL_FAILED_AUTH },
	{ "permission_error", MODEL_FAILED_AUTH },
	{ "billing_error", MODEL_FAILED_BILLING },
	{ "not_found_error", MODEL_FAILED_NOT_FOUND },
	{ "request_too_large", MODEL_FAILED_PROMPT_TOO_LONG },
	{ "rate_limit_error", MODEL_FAILED_RATE_LIMIT },
	{ "timeout_error", MODEL_FAILED_SERVER },
	{ "api_error", MODEL_FAILED_SERVER },
	{ "overloaded_error", MODEL_FAILED_OVERLOADED },
};

static enum model_failure anthropic_error_by(int status, struct sv type, struct sv message)
{
	for (size_t i = 0; i < countof(type_rules); i++)
		if (sv_is(type, type_rules[i].sign))
			return type_rules[i].failure;
	if (status < 400 || status == 400 || status == 422) {
		for (size_t i = 0; i < countof(message_rules); i++)
			if (sv_find_nocase(message, sv_cstr(message_rules[i].sign)) != SIZE_MAX)
				return message_rules[i].failure;
	}
	if (sv_is(type, "invalid_request_error"))
		return MODEL_FAILED_INVALID;
	return status >= 400 ? wire_failure_of(status) : MODEL_FAILED_SERVER;
}

/* The next number in `*text`, which is moved past it; 0 when there is none. */
static int64_t anthropic_error_next_number(struct sv *text)
{
	size_t from = 0, to;
	int64_t n = 0;

	while (from < text->len && (text->ptr[from] < '0' || text->ptr[from] > '9'))
		from++;
	for (to = from; to < text->len && text->ptr[to] >= '0' && text->ptr[to] <= '9';)
		to++;
	if (!sv_to_int(sv_slice(*text, from, to), &n))
		n = 0;
	*text = sv_skip(*text, to);
	return n;
}

/* "prompt is too long: 214000 tokens > 200000 maximum"
 * "input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000"
 * "max_tokens: 100000 > 64000, which is the maximum allowed number of output ..." */
static void anthropic_error_read_numbers(struct model_error *out, struct sv message)
{
	bool is_sum = sv_find_char(message, '+') != SIZE_MAX;
	int64_t first = anthropic_error_next_number(&message),
		second = anthropic_error_next_number(&message);

	out->limit = is_sum ? anthropic_error_next_number(&message) : second;
	if (is_sum || out->failure == MODEL_FAILED_PROMPT_TOO_LONG)
		out->tokens = first;
}

/* Numbers are looked for behind the words that announce them. */
static struct sv anthropic_error_after_words(struct sv message)
{
	static const char *const words[] = { "too long", "limit:", "max_tokens:" };

	for (size_t i = 0; i < countof(words); i++) {
		size_t at = sv_find(message, sv_cstr(words[i]));

		if (at != SIZE_MAX)
			return sv_skip(message, at);
	}
	return message;
}

bool anthropic_fail(struct model_error *out, int status, struct json error)
{
	struct sv type = json_str_or(json_get(error, "type"), SV("error"));
	struct sv message = sv_slice(json_str_or(json_get(error, "message"), SV_EMPTY), 0, 4 * KIB);
	enum model_failure failure = anthropic_error_by(status, type, message);
	defer(str_clear) struct str text = STR_INIT;

	wire_printable(&text, message.len ? message : type, MESSAGE_SIZE);
	if (message.len) {
		str_adds(&text, " (");
		wire_printable(&text, type, 40);
		str_addc(&text, ')');
	}
	model_fail(out, failure, status, "%s", str_c(&text));
	out->refuses_fast = status == 400 &&
			    sv_find_nocase(message, SV("fast mode is not enabled")) != SIZE_MAX;
	if (failure == MODEL_FAILED_PROMPT_TOO_LONG || failure == MODEL_FAILED_OUTPUT_LIMIT)
		anthropic_error_read_numbers(out, anthropic_error_after_words(message));
	return false;
}

static void anthropic_error_fail_foreign(struct model_error *out, int status, struct sv body)
{
	bool is_overloaded = sv_find_nocase(body, SV("overloaded_error")) != SIZE_MAX;

	wire_fail_foreign(out, is_overloaded ? MODEL_FAILED_OVERLOADED : wire_failure_of(status),
			  status, body);
}

static void anthropic_error_read_head(struct model_error *out, const struct http_head *head,
				      struct sv body_id)
{
	struct sv id = http_header(head, "request-id");

	wire_fail_advice(out, head, id.len ? id : body_id);
}

void anthropic_classify(struct model_error *out, const struct http_head *head, struct sv body)
{
	struct err why;
	defer(json_doc_freep) struct json_doc *doc = json_parse(body, 0, &why);
	struct json root = json_root(doc), error = json_get(root, "error");

	if (json_is(error, JSON_OBJECT))
		anthropic_fail(out, head->status, error);
	else
		anthropic_error_fail_foreign(out, head->status, body);
	anthropic_error_read_head(out, head, json_str_or(json_get(root, "request_id"), SV_EMPTY));
}

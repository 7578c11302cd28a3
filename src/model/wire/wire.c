#include "model/wire/wire.h"

#include "base/utf8.h"

bool request_has_id(const struct model_request *request, struct sv id)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_str(&w, id);
	for (size_t i = 0; i < request->nmessages; i++)
		if (sv_find(request->messages[i], sv_of(&json)) != SIZE_MAX)
			return true;
	return false;
}

struct sv request_wire_id(const struct model_request *request)
{
	return request->wire.len ? request->wire : model_wire_id(request->model, NULL);
}

void wire_clear(struct wire *wire)
{
	vec_clear(&wire->headers);
	vec_clear(&wire->body);
	arena_clear(&wire->arena);
	wire->url = NULL;
}

static struct http_header *wire_search_header(const struct wire *wire, struct sv name)
{
	for (size_t i = 0; i < wire->headers.n; i++)
		if (sv_eq_nocase(wire->headers.at[i].name, name))
			return &wire->headers.at[i];
	return NULL;
}

const struct http_header *wire_find_header(const struct wire *wire, const char *name)
{
	return wire_search_header(wire, sv_cstr(name));
}

static void wire_put_header(struct wire *wire, struct sv name, struct sv value)
{
	struct http_header *header = wire_search_header(wire, name);

	if (!header) {
		header = vec_add(&wire->headers);
		header->name = arena_dup(&wire->arena, name);
	}
	header->value = arena_dup(&wire->arena, value);
}

void wire_header(struct wire *wire, const char *name, struct sv value)
{
	wire_put_header(wire, sv_cstr(name), value);
}

bool wire_custom_headers(struct wire *wire, const struct model_config *config, struct err *err)
{
	struct sv rest = sv_cstr(config->custom_headers), line;

	for (int n = 1; sv_cut_line(&rest, &line); n++) {
		size_t colon = sv_find_char(line, ':');
		struct sv name = sv_trim(sv_slice(line, 0, colon));

		if (sv_trim(line).len == 0)
			continue;
		if (colon == SIZE_MAX || name.len == 0)
			return err_set(err, ERR_INVALID,
				       "line %d of the custom headers does not have the form "
				       "\"Name: value\"",
				       n);
		wire_put_header(wire, name, sv_trim(sv_skip(line, colon + 1)));
	}
	return true;
}

void wire_body(struct wire *wire, struct sv bytes)
{
	if (bytes.len)
		vec_push(&wire->body, bytes);
}

/* How each failure is called on the wire to our own users, and what kind of
 * error it is to our own code. */
static const struct {
	char name[24];
	enum err_kind kind;
} failures[MODEL_FAILURES] = {
	[MODEL_FAILED_AUTH] = { "authentication_failed", ERR_ACCESS },
	[MODEL_FAILED_BILLING] = { "billing_error", ERR_ACCESS },
	[MODEL_FAILED_RATE_LIMIT] = { "rate_limit", ERR_BUSY },
	[MODEL_FAILED_OVERLOADED] = { "overloaded", ERR_BUSY },
	[MODEL_FAILED_PROMPT_TOO_LONG] = { "prompt_too_long", ERR_TOO_BIG },
	[MODEL_FAILED_OUTPUT_LIMIT] = { "max_output_tokens", ERR_TOO_BIG },
	[MODEL_FAILED_REFUSED] = { "refused", ERR_ACCESS },
	[MODEL_FAILED_MEDIA] = { "image_error", ERR_INVALID },
	[MODEL_FAILED_NOT_FOUND] = { "model_not_found", ERR_NOT_FOUND },
	[MODEL_FAILED_INVALID] = { "invalid_request", ERR_INVALID },
	[MODEL_FAILED_SERVER] = { "server_error", ERR_IO },
	[MODEL_FAILED_NETWORK] = { "network_error", ERR_RESET },
	[MODEL_FAILED_PROTOCOL] = { "protocol_error", ERR_PROTOCOL },
	[MODEL_FAILED_REPLAY] = { "replay_mismatch", ERR_STALE },
	[MODEL_FAILED_CANCELLED] = { "cancelled", ERR_CANCELLED },
};

const char *model_failure_name(enum model_failure failure)
{
	BUG_ON(failure >= MODEL_FAILURES);
	return failures[failure].name;
}

bool model_fail(struct model_error *out, enum model_failure failure, int status, const char *fmt,
		...)
{
	defer(str_clear) struct str text = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&text, fmt, args);
	va_end(args);
	*out = (struct model_error){ .failure = failure, .status = status, .retry_after_ms = -1 };
	return err_set(&out->err, failures[failure].kind, "%s", str_c(&text));
}

void wire_printable(struct str *out, struct sv text, size_t max)
{
	struct sv rest = sv_trim(text);
	size_t end = out->len + max;
	bool blank = false;

	while (rest.len > 0 && out->len < end) {
		uint32_t rune;
		int n = utf8_decode(rest, &rune);
		size_t step = (size_t)(n < 0 ? -n : n);
		bool space = n == 1 && strchr(" \t\r\n", (int)rune) && rune;

		if (space && !blank)
			str_addc(out, ' ');
		else if (!space && (n < 0 || rune < 0x20 || (rune >= 0x7f && rune < 0xa0)))
			str_add(out, UTF8_REPLACEMENT);
		else if (!space)
			str_add(out, sv_slice(rest, 0, step));
		blank = space;
		rest = sv_skip(rest, step);
	}
	if (rest.len > 0)
		str_adds(out, "...");
}

void wire_format_note(struct str *out, const char *fmt, va_list args)
{
	defer(str_clear) struct str text = STR_INIT;

	str_vaddf(&text, fmt, args);
	wire_printable(out, sv_of(&text), 400);
}

void wire_excerpt(struct str *out, struct sv body)
{
	wire_printable(out, body, 80);
}

void wire_fail_foreign(struct model_error *out, enum model_failure failure, int status,
		       struct sv body)
{
	defer(str_clear) struct str excerpt = STR_INIT;

	wire_excerpt(&excerpt, body);
	model_fail(out, status < 400 ? MODEL_FAILED_PROTOCOL : failure, status, "status %d%s%s%s%s",
		   status, excerpt.len ? " with: " : " with an empty body", str_c(&excerpt),
		   status == 404 ? "; is the base URL right?" : "",
		   status < 400 ? "; awl does not follow redirects" : "");
	if (status == 407)
		out->err.kind = ERR_PROXY;
	if (status == 408)
		out->err.kind = ERR_TIMEOUT;
}

/* People copy it into reports, so it must be as harmless as it looks. */
static void wire_set_request_id(struct model_error *out, struct sv id)
{
	for (size_t i = 0; i < id.len; i++)
		if (id.ptr[i] <= ' ' || id.ptr[i] >= 0x7f)
			return;
	if (id.len < sizeof(out->request_id))
		memcpy(out->request_id, id.ptr, id.len);
}

void wire_fail_advice(struct model_error *out, const struct http_head *head, struct sv request_id)
{
	struct sv retry = http_header(head, "x-should-retry");

	wire_set_request_id(out, request_id);
	out->retry_after_ms = wire_retry_after(head);
	out->should_retry = sv_is(retry, "true") - sv_is(retry, "false");
}

enum model_failure wire_failure_of(int status)
{
	switch (status) {
	case 401:
	case 403: return MODEL_FAILED_AUTH;
	case 402: return MODEL_FAILED_BILLING;
	case 407:
	case 408: return MODEL_FAILED_NETWORK;
	case 409: return MODEL_FAILED_SERVER; /* a lock on their side: goes away */
	case 413: return MODEL_FAILED_PROMPT_TOO_LONG;
	case 429: return MODEL_FAILED_RATE_LIMIT;
	case 529: return MODEL_FAILED_OVERLOADED;
	default: break;
	}
	return status >= 500 ? MODEL_FAILED_SERVER : MODEL_FAILED_INVALID;
}

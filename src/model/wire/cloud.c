#include "model/wire/cloud.h"

#include "base/ascii.h"

bool cloud_check_name(struct sv value, const char *also, const char *what, struct err *err)
{
	for (size_t i = 0; i < value.len; i++) {
		char c = value.ptr[i];

		if (!ascii_is_alnum(c) && !(c && strchr(also, c)))
			return err_set(err, ERR_INVALID,
				       "%s \"%.*s\" has an invalid character at byte %zu", what,
				       (int)min_of(value.len, (size_t)60), value.ptr, i);
	}
	return value.len > 0 || err_set(err, ERR_INVALID, "%s is empty", what);
}

struct sv cloud_base(const char *base_url)
{
	struct sv base = sv_cstr(base_url);

	while (sv_ends(base, SV("/")))
		base.len--;
	return base;
}

bool cloud_headers(struct wire *out, const struct model_config *config, struct err *err)
{
	wire_header(out, "content-type", SV("application/json"));
	wire_header(out, "user-agent",
		    config->user_agent ? sv_cstr(config->user_agent) : SV("awl/" AWL_VERSION));
	return wire_custom_headers(out, config, err);
}

void cloud_betas(struct wire *out, const struct model_config *config,
		 const struct model_table *table, const struct model_request *request)
{
	const struct http_header *own = wire_find_header(out, "anthropic-beta");
	defer(str_clear) struct str betas = STR_INIT;

	anthropic_betas(&betas, config, table, request);
	if (betas.len == 0)
		return;
	if (own)
		str_addf(&betas, ",%.*s", SV_ARG(own->value));
	wire_header(out, "anthropic-beta", sv_of(&betas));
}

bool cloud_bearer(struct wire *wire, struct sv secret, const char *whose, struct err *err)
{
	defer(str_clear) struct str value = STR_INIT;

	if (secret.len == 0)
		return err_set(err, ERR_ACCESS, "no token for %s", whose);
	str_addf(&value, "Bearer %.*s", SV_ARG(secret));
	wire_header(wire, "authorization", sv_of(&value));
	return true;
}

/* What a status alone means: these hosts use 503 for an overload. */
static enum model_failure cloud_failure_of_status(int status)
{
	if (status == 404)
		return MODEL_FAILED_NOT_FOUND;
	if (status == 503)
		return MODEL_FAILED_OVERLOADED;
	return status >= 400 ? wire_failure_of(status) : MODEL_FAILED_SERVER;
}

static enum model_failure cloud_failure_of(const struct cloud_errors *errors, int status,
					   struct sv name)
{
	for (size_t i = 0; i < errors->n; i++)
		if (sv_eq_nocase(name, sv_cstr(errors->at[i].name)))
			return errors->at[i].failure;
	return cloud_failure_of_status(status);
}

/* Whether the message is one that the model's own host would have sent: those have
 * a class of their own and numbers that matter. */
static bool cloud_read_invalid(struct model_error *out, int status, struct sv message)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("invalid_request_error"));
	jw_put_str(&w, "message", message);
	jw_end(&w);
	jw_done(&w);
	doc = json_parse(sv_of(&text), 0, &err);
	anthropic_fail(out, status, json_root(doc));
	return out->failure != MODEL_FAILED_INVALID;
}

/* People copy it into reports, so it must be as harmless as it looks. */
static bool cloud_is_graphic(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] <= ' ' || text.ptr[i] >= 0x7f)
			return false;
	return true;
}

static void cloud_put_request_id(struct model_error *out, const struct http_head *head)
{
	static const char *const names[] = { "request-id", "x-amzn-requestid", "apim-request-id",
					     "x-request-id" };
	struct sv id = SV_EMPTY;

	for (size_t i = 0; i < countof(names) && id.len == 0; i++)
		id = http_header(head, names[i]);
	if (id.len < sizeof(out->request_id) && cloud_is_graphic(id))
		memcpy(out->request_id, id.ptr, id.len);
}

bool cloud_fail(struct model_error *out, const struct cloud_errors *errors,
		const struct http_head *head, struct sv name, struct sv message)
{
	int status = head ? head->status : 0;
	enum model_failure failure = cloud_failure_of(errors, status, name);
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "%s", errors->host);
	if (status)
		str_addf(&text, " %d", status);
	if (name.len > 0) {
		str_addc(&text, ' ');
		wire_printable(&text, name, 60);
	}
	if (message.len > 0) {
		str_adds(&text, ": ");
		wire_printable(&text, message, 160);
	}
	if (failure != MODEL_FAILED_INVALID || !cloud_read_invalid(out, status, message))
		model_fail(out, failure, status, "%s", str_c(&text));
	if (head) {
		cloud_put_request_id(out, head);
		out->retry_after_ms = wire_retry_after(head);
	}
	return false;
}

#include "base/limits.h"
#include "base/utf8.h"
#include "net/http.h"
#include "text/invisible.h"
#include "text/json/json_write.h"
#include "text/percent.h"
#include "text/url.h"
#include "tool/builtins.h"
#include "tool/web/search_command.h"
#include "tool/web/web.h"

/* Searches with the program or the search engine that the user configured, or else with the provider's
 * own search. One op; then the result is written. */
struct search {
	struct op op;
	struct tool_call *call;
	struct op *step;
	struct sv query;
	struct str tool;     /* JSON of the provider's tool */
	struct str response; /* the raw response of the search */
	bool by_provider;
	int code; /* HTTP status; 0: no HTTP request */
	int64_t began;
	struct jw data;
	size_t n_results; /* results written */
};

enum { DEADLINE_MS = 30000, MAX_USES = 8 };

/* --- domains ---------------------------------------------------------------------- */

/* "https://Example.com/x" means example.com. */
static struct sv web_search_domain_of(struct json domain)
{
	struct sv text = sv_trim(json_str_or(domain, SV_EMPTY));
	struct url url = url_split(text);

	if (!url.host.len)
		text = sv_slice(text, 0, sv_find_char(text, '/'));
	else
		text = url.host;
	return sv_starts(text, SV("*.")) ? sv_skip(text, 2) : text;
}

static bool web_search_is_listed(struct json domains, struct sv host)
{
	struct json_iter it = json_each(domains);
	struct json domain;

	while (json_next(&it, NULL, &domain))
		if (url_host_is_in(host, web_search_domain_of(domain)))
			return true;
	return false;
}

/* The provider and the engine may or may not filter by domain; this filter always applies. */
static bool web_search_is_wanted(const struct search *s, struct sv text)
{
	struct json allowed = json_get(s->call->input, "allowed_domains");
	struct json blocked = json_get(s->call->input, "blocked_domains");
	struct url url = url_split(text);

	return url_is_web(&url) &&
	       (!json_len(allowed) || web_search_is_listed(allowed, url.host)) &&
	       !web_search_is_listed(blocked, url.host);
}

/* --- results ---------------------------------------------------------------------- */

/* Appends foreign text on one line. */
static void web_search_add_line(struct str *out, struct sv text, size_t max)
{
	defer(str_clear) struct str seen = STR_INIT;
	struct sv cut = utf8_prefix(text, max);
	bool blank = false;

	invisible_drop(&seen, cut);
	for (size_t i = 0; i < seen.len; i++) {
		if (seen.ptr[i] == ' ' || (seen.ptr[i] >= '\t' && seen.ptr[i] <= '\r')) {
			blank = true;
			continue;
		}
		if (blank && i)
			str_addc(out, ' ');
		blank = false;
		str_addc(out, seen.ptr[i]);
	}
	if (cut.len < text.len)
		str_adds(out, "...");
}

static void web_search_report_result(struct search *s, struct sv title, struct sv url,
				     struct sv snippet)
{
	struct str *out = &s->call->result.text;

	if (!web_search_is_wanted(s, url))
		return;
	str_addf(out, "%zu. ", ++s->n_results);
	web_search_add_line(out, title.len ? title : url, LIMIT_WEB_SNIPPET);
	str_adds(out, "\n   ");
	web_search_add_line(out, url, LIMIT_URL);
	str_addc(out, '\n');
	if (sv_trim(snippet).len) {
		str_adds(out, "   ");
		web_search_add_line(out, snippet, LIMIT_WEB_SNIPPET);
		str_addc(out, '\n');
	}
	jw_object(&s->data);
	jw_put_str(&s->data, "title", title);
	jw_put_str(&s->data, "url", url);
	if (snippet.len)
		jw_put_str(&s->data, "snippet", utf8_prefix(snippet, LIMIT_WEB_SNIPPET));
	jw_end(&s->data);
}

static void web_search_begin_set(struct search *s, struct sv id)
{
	jw_object(&s->data);
	jw_put_str(&s->data, "tool_use_id", id);
	jw_put_array(&s->data, "content");
}

static void web_search_end_set(struct search *s)
{
	jw_end(&s->data);
	jw_end(&s->data);
}

/* --- search by the provider --------------------------------------------------------------- */

static void web_search_report_set(struct search *s, struct json block)
{
	struct json content = json_get(block, "content"), item;
	struct json_iter it = json_each(content);
	struct sv code;

	web_search_begin_set(s, json_str_or(json_get(block, "tool_use_id"), SV_EMPTY));
	if (json_is(content, JSON_ARRAY))
		while (json_next(&it, NULL, &item))
			web_search_report_result(s, json_str_or(json_get(item, "title"), SV_EMPTY),
						 json_str_or(json_get(item, "url"), SV_EMPTY),
						 SV_EMPTY);
	else if (json_str(json_get(content, "error_code"), &code))
		str_addf(&s->call->result.text, "(A search failed: %.*s.)\n",
			 SV_ARG(utf8_prefix(code, LIMIT_WEB_SNIPPET)));
	web_search_end_set(s);
}

/* Joins pieces of text, because citations split a sentence into several. */
static void web_search_report_text(struct search *s, struct str *text)
{
	if (!text->len)
		return;
	str_add(&s->call->result.text, sv_of(text));
	str_addc(&s->call->result.text, '\n');
	jw_str(&s->data, sv_of(text));
	str_truncate(text, 0);
}

static void web_search_report_blocks(struct search *s, struct json blocks)
{
	defer(str_clear) struct str text = STR_INIT;
	struct json_iter it = json_each(blocks);
	struct json block;

	while (json_next(&it, NULL, &block)) {
		struct sv type = json_str_or(json_get(block, "type"), SV_EMPTY);

		if (sv_is(type, "text"))
			invisible_drop(&text, json_str_or(json_get(block, "text"), SV_EMPTY));
		if (sv_is(type, "web_search_tool_result")) {
			web_search_report_text(s, &text);
			web_search_report_set(s, block);
		}
	}
	web_search_report_text(s, &text);
}

static void web_search_add_domains(struct jw *w, const struct search *s, const char *key)
{
	struct json_iter it = json_each(json_get(s->call->input, key));
	struct json domain;

	if (!json_len(json_get(s->call->input, key)))
		return;
	jw_put_array(w, key);
	while (json_next(&it, NULL, &domain))
		jw_str(w, web_search_domain_of(domain));
	jw_end(w);
}

static void web_search_add_tool(const struct search *s, struct str *out)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("web_search_20250305"));
	jw_put_str(&w, "name", SV("web_search"));
	jw_put_int(&w, "max_uses", MAX_USES);
	web_search_add_domains(&w, s, "allowed_domains");
	web_search_add_domains(&w, s, "blocked_domains");
	jw_end(&w);
	jw_done(&w);
}

/* --- search by the user's engine ------------------------------------------------------------ */

static void web_search_report_engine(struct search *s, struct json response)
{
	struct json_iter it = json_each(json_get(response, "results"));
	struct json item;

	web_search_begin_set(s, s->call->id);
	while (s->n_results < LIMIT_WEB_RESULTS && json_next(&it, NULL, &item))
		web_search_report_result(s, json_str_or(json_get(item, "title"), SV_EMPTY),
					 json_str_or(json_get(item, "url"), SV_EMPTY),
					 json_str_or(json_get(item, "content"), SV_EMPTY));
	web_search_end_set(s);
}

static void web_search_add_engine_url(const struct search *s, struct str *out)
{
	struct sv base = sv_of(&s->call->ctx->session->web->search_url);

	str_add(out, base);
	str_addc(out, sv_find_char(base, '?') == SIZE_MAX ? '?' : '&');
	str_adds(out, "q=");
	percent_encode(out, s->query, "");
	str_adds(out, "&format=json");
}

static void web_search_on_head(void *owner, const struct http_head *head)
{
	struct search *s = owner;

	s->code = head->status;
}

static void web_search_on_body(void *owner, struct sv bytes)
{
	struct search *s = owner;

	str_add(&s->response, bytes);
}

/* --- the end ---------------------------------------------------------------------- */

static void web_search_report_found(struct search *s, struct json response)
{
	jw_init(&s->data, &s->call->result.data, JW_COMPACT);
	jw_object(&s->data);
	jw_put_str(&s->data, "query", s->query);
	jw_put_array(&s->data, "results");
	if (s->by_provider)
		web_search_report_blocks(s, response);
	else
		web_search_report_engine(s, response);
	jw_end(&s->data);
	jw_put_real(&s->data, "durationSeconds", (double)(loop_now(s->op.loop) - s->began) / 1000);
	jw_end(&s->data);
	jw_done(&s->data);
}

static bool web_search_report(struct search *s, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;

	if (s->code && s->code / 100 != 2)
		return err_set(err, ERR_PROTOCOL, "the search engine returned %d %s%s", s->code,
			       web_status_name(s->code),
			       s->code == 403 ? "; is its format json enabled?" : "");
	doc = json_parse(sv_of(&s->response), 0, err);
	if (!doc)
		return err_context(err, "the response is not JSON");
	if (!s->by_provider && !json_is(json_get(json_root(doc), "results"), JSON_ARRAY))
		return err_set(err, ERR_PROTOCOL, "the response has no list of \"results\"");
	web_search_report_found(s, json_root(doc));
	if (!s->call->result.text.len)
		str_adds(&s->call->result.text, "No results found.\n");
	return true;
}

static void web_search_on_response(__attribute__((unused)) struct op *op, void *owner,
				   const struct err *why)
{
	struct search *s = owner;
	struct err err;

	s->step = NULL;
	if (s->op.cancelled)
		;
	else if (why)
		tool_fail(&s->call->result, "The search failed: %s.", why->text);
	else if (!web_search_report(s, &err))
		tool_fail(&s->call->result, "The search failed: %s.", err.text);
	op_finish(&s->op, NULL);
}

static void search_cancel(struct op *op)
{
	op_cancel(container_of(op, struct search, op)->step);
}

static void search_free(struct op *op)
{
	struct search *s = container_of(op, struct search, op);

	str_clear(&s->tool);
	str_clear(&s->response);
	free(s);
}

static const struct op_type search_type = { .name = "WebSearch",
					    .cancel = search_cancel,
					    .free = search_free };

static void web_search_ask_engine(struct search *s)
{
	defer(str_clear) struct str url = STR_INIT;

	web_search_add_engine_url(s, &url);
	s->step = http_start(s->call->ctx->session->http,
			     &(struct http_request){ .url = str_c(&url),
						     .total_ms = DEADLINE_MS,
						     .max_body = LIMIT_WEB_SEARCH,
						     .on_head = web_search_on_head,
						     .on_body = web_search_on_body },
			     THEN(web_search_on_response, s));
}

static struct op *search_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;
	const struct web *web = call->ctx->session->web;
	struct search *s = xnew(struct search);

	op_init(&s->op, &search_type, call->ctx->loop, then);
	s->call = call;
	s->began = loop_now(s->op.loop);
	s->query = json_str_or(json_get(call->input, "query"), SV_EMPTY);
	if (web && web->search_command.len) {
		s->step = search_command_start(call, sv_of(&web->search_command), &s->response,
					       THEN(web_search_on_response, s));
	} else if (call->ctx->session->http && web && web->search_url.len) {
		web_search_ask_engine(s);
	} else if (services && services->search) {
		s->by_provider = true;
		web_search_add_tool(s, &s->tool);
		s->step = services->search(services->arg, s->query, sv_of(&s->tool), &s->response,
					   THEN(web_search_on_response, s));
	} else {
		tool_fail(&call->result,
			  "Web search is not available: this provider has none. The user can set "
			  "AWL_SEARCH_URL to the search page of a SearXNG instance, such as "
			  "http://localhost:8888/search, or AWL_SEARCH_COMMAND to a search "
			  "program. Use WebFetch to read pages whose URL you know.");
		op_finish(&s->op, NULL);
	}
	return &s->op;
}

static bool search_check(const struct tool_call *call, struct err *err)
{
	size_t allowed = json_len(json_get(call->input, "allowed_domains"));
	size_t blocked = json_len(json_get(call->input, "blocked_domains"));
	struct sv query = json_str_or(json_get(call->input, "query"), SV_EMPTY);

	if (sv_trim(query).len < 2)
		return err_set(err, ERR_INVALID, "The query is empty.");
	if (query.len > LIMIT_URL / 4)
		return err_set(err, ERR_INVALID, "The query is longer than %d bytes.",
			       LIMIT_URL / 4);
	if (allowed && blocked)
		return err_set(err, ERR_INVALID,
			       "Give allowed_domains or blocked_domains, not both.");
	if (max_of(allowed, blocked) > LIMIT_WEB_DOMAINS)
		return err_set(err, ERR_INVALID, "At most %d domains can be given.",
			       LIMIT_WEB_DOMAINS);
	return true;
}

static void search_perm_request(__attribute__((unused)) const struct tool_call *call,
				__attribute__((unused)) struct arena *arena,
				struct perm_request *out)
{
	out->access = ACCESS_NET;
}

#define DOMAINS "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"

const struct tool tool_web_search = {
	.name = "WebSearch",
	.deferred = true,
	.page = tool_web_search_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"query\":{\"type\":\"string\"},"
			  "\"allowed_domains\":" DOMAINS ",\"blocked_domains\":" DOMAINS "},"
			  "\"required\":[\"query\"],\"additionalProperties\":false}"),
	.is_read_only = tool_always,
	.is_concurrent = tool_always,
	.check = search_check,
	.perm_request = search_perm_request,
	.start = search_start,
};

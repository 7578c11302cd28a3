/* Servers, and requests whose answers are logged as events or as a body. */
#include "flow.h"
#include "machine/servers.h"
#include "net/event_stream.h"

/* --- http: what a server answers ------------------------------------------ */

struct rule {
	struct sim_http_rule rule;
	VEC(struct sim_http_step) steps;
	VEC(char *) texts; /* what the steps point to */
};

static void rule_clear(struct rule *r)
{
	for (size_t i = 0; i < r->texts.n; i++)
		free(r->texts.at[i]);
	vec_clear(&r->texts);
	vec_clear(&r->steps);
}

static void add_step(struct rule *r, enum sim_http_act act, int64_t n, struct str *text)
{
	struct sim_http_step step = { .act = act, .n = n, .text = sv_of(text) };

	vec_push(&r->texts, str_detach(text));
	step.text.ptr = *vec_last(&r->texts);
	vec_push(&r->steps, step);
}

/* head 200 content-type: text/event-stream; x: y */
static bool add_head(struct rule *r, struct sv args, struct err *err)
{
	struct str lines = STR_INIT;
	struct sv header;
	int64_t status;

	if (!parse_count(&status, take_word(&args), err))
		return false;
	while (sv_cut(&args, ';', &header))
		str_addf(&lines, "%.*s\n", SV_ARG(sv_trim(header)));
	add_step(r, SIM_HTTP_HEAD, status, &lines);
	return true;
}

static bool add_body(struct rule *r, struct sv args, struct err *err)
{
	struct str text = STR_INIT;
	bool ok = text_decode(&text, args, err);

	add_step(r, SIM_HTTP_BODY, 0, &text);
	return ok;
}

/* event NAME DATA: the usual form of a server-sent event */
static bool add_event(struct rule *r, struct sv args, struct err *err)
{
	struct sv name = take_word(&args);
	struct str text = STR_INIT;
	bool ok;

	str_addf(&text, "event: %.*s\ndata: ", SV_ARG(name));
	ok = text_decode(&text, sv_trim(args), err);
	str_adds(&text, "\n\n");
	add_step(r, SIM_HTTP_BODY, 0, &text);
	return ok;
}

static bool add_failure(struct rule *r, struct sv args, struct err *err)
{
	struct str none = STR_INIT;
	enum err_kind kind;

	if (!parse_err_kind(&kind, args, err))
		return false;
	add_step(r, SIM_HTTP_FAIL, (int64_t)kind, &none);
	return true;
}

static bool read_rule_line(struct rule *r, const struct line *line, struct err *err)
{
	struct str none = STR_INIT;
	int64_t n;

	if (sv_is(line->name, "head"))
		return add_head(r, line->args, err);
	if (sv_is(line->name, "body"))
		return add_body(r, line->args, err);
	if (sv_is(line->name, "event"))
		return add_event(r, line->args, err);
	if (sv_is(line->name, "fail"))
		return add_failure(r, line->args, err);
	if (sv_is(line->name, "connect"))
		return parse_ms(&r->rule.connect_ms, line->args, err);
	if (sv_is(line->name, "wait")) {
		if (!parse_ms(&n, line->args, err))
			return false;
		add_step(r, SIM_HTTP_WAIT, n, &none);
	} else if (sv_is(line->name, "stall")) {
		add_step(r, SIM_HTTP_STALL, 0, &none);
	} else if (sv_is(line->name, "reset")) {
		add_step(r, SIM_HTTP_RESET, 0, &none);
	} else {
		return err_set(err, ERR_INVALID, "line %d: a server cannot \"%.*s\"", line->number,
			       SV_ARG(line->name));
	}
	return true;
}

/* http [METHOD] URL [always] */
static bool do_http(struct flow *f, const struct line *line, struct err *err)
{
	defer(mem_freep) char *method = NULL;
	defer(mem_freep) char *url = NULL;
	defer(rule_clear) struct rule r = { .rule = { .uses = 1 } };
	struct sv rest = line->args, word = take_word(&rest);

	if (sv_find(word, SV("://")) == SIZE_MAX) {
		method = sv_dup(word);
		word = take_word(&rest);
	}
	url = sv_dup(word);
	if (sv_is(take_word(&rest), "always"))
		r.rule.uses = 0;
	for (size_t i = 0; i < line->nblock; i++)
		if (!read_rule_line(&r, &line->block[i], err))
			return false;
	r.rule.method = method;
	r.rule.url = url;
	r.rule.steps = r.steps.at;
	r.rule.n = r.steps.n;
	sim_http(f->world, &r.rule);
	return true;
}

/* --- get, post, events: requests ----------------------------------------------- */

struct exchange {
	struct flow_leaf leaf;
	struct str body; /* of the request */
	struct sv pieces[2];
	struct str answer; /* when it is no event stream */
};

static void log_bytes(struct exchange *x, const char *what, struct sv bytes)
{
	defer(str_clear) struct str text = STR_INIT;

	text_quote(&text, bytes);
	flow_log(x->leaf.flow, sv_cstr(x->leaf.label), "%s %s", what, str_c(&text));
}

static void on_head(void *owner, const struct http_head *head)
{
	struct exchange *x = owner;

	flow_log(x->leaf.flow, sv_cstr(x->leaf.label), "head %d", head->status);
}

static void on_body(void *owner, struct sv bytes)
{
	struct exchange *x = owner;

	str_add(&x->answer, bytes);
}

static void on_response(struct op *op, void *owner, const struct err *why)
{
	struct exchange *x = owner;

	if (x->answer.len)
		log_bytes(x, "body", sv_of(&x->answer));
	flow_leaf_done(op, owner, why);
}

static void on_event(void *owner, const struct sse_event *event)
{
	defer(str_clear) struct str what = STR_INIT;

	str_addf(&what, "event %.*s", SV_ARG(event->type));
	log_bytes(owner, str_c(&what), event->data);
}

static void on_events(struct op *op, void *owner, const struct err *why)
{
	const struct events_refusal *refusal = events_refusal(op);

	if (refusal)
		log_bytes(owner, "refused", refusal->body);
	flow_leaf_done(op, owner, why);
}

static void exchange_clear(struct flow_leaf *leaf)
{
	struct exchange *x = container_of(leaf, struct exchange, leaf);

	str_clear(&x->body);
	str_clear(&x->answer);
}

static bool read_header(struct http_header *out, struct sv args, struct err *err)
{
	struct sv name;

	if (!sv_cut(&args, ':', &name))
		return err_set(err, ERR_INVALID, "a header is \"name: value\"");
	*out = (struct http_header){ .name = sv_trim(name), .value = sv_trim(args) };
	return true;
}

enum { MAX_HEADERS = 16 };

struct request {
	struct http_request http;
	struct http_header headers[MAX_HEADERS];
};

static bool read_option(struct request *r, const struct line *line, struct err *err)
{
	int64_t n;

	if (sv_is(line->name, "header")) {
		if (r->http.nheaders == MAX_HEADERS)
			return err_set(err, ERR_INVALID, "too many headers");
		return read_header(&r->headers[r->http.nheaders++], line->args, err);
	}
	if (sv_is(line->name, "connect"))
		return parse_ms(&r->http.connect_ms, line->args, err);
	if (sv_is(line->name, "first-byte"))
		return parse_ms(&r->http.first_byte_ms, line->args, err);
	if (sv_is(line->name, "idle"))
		return parse_ms(&r->http.idle_ms, line->args, err);
	if (sv_is(line->name, "total"))
		return parse_ms(&r->http.total_ms, line->args, err);
	if (!sv_is(line->name, "max-body") && !sv_is(line->name, "redirects"))
		return err_set(err, ERR_INVALID, "line %d: no option is called \"%.*s\"",
			       line->number, SV_ARG(line->name));
	if (!parse_count(&n, line->args, err))
		return false;
	if (sv_is(line->name, "max-body"))
		r->http.max_body = (size_t)n;
	else
		r->http.max_redirects = (int)n;
	return true;
}

static bool read_request(struct request *r, struct str *body, const struct line *line,
			 struct err *err)
{
	struct sv rest = line->args;

	take_word(&rest); /* the URL */
	for (size_t i = 0; i < line->nblock; i++)
		if (!read_option(r, &line->block[i], err))
			return false;
	return text_decode(body, sv_trim(rest), err);
}

/* The body in two pieces, as a prompt has a prefix that stays and a rest that
 * grows. */
static void cut_body(struct exchange *x, struct request *r)
{
	x->pieces[0] = sv_slice(sv_of(&x->body), 0, x->body.len / 2);
	x->pieces[1] = sv_skip(sv_of(&x->body), x->body.len / 2);
	r->http.body = x->pieces;
	r->http.nbody = x->body.len ? countof(x->pieces) : 0;
	r->http.headers = r->headers;
}

/* Without a client there is no request, and the op fails as one would. */
static void begin(struct exchange *x, const struct request *r, bool events)
{
	struct flow *f = x->leaf.flow;
	struct err err;

	if (!f->http)
		f->http = http_new(f->loop, &(struct http_config){ .proxy = NULL }, &err);
	if (!f->http)
		op_finish(&x->leaf.op, &err);
	else if (events)
		x->leaf.inner = events_start(f->http, &r->http, on_event, THEN(on_events, x));
	else
		x->leaf.inner = http_start(f->http, &r->http, THEN(on_response, x));
}

/* get URL | post URL BODY | events URL [BODY] */
static struct op *start_exchange(struct flow *f, const struct line *line, struct then then,
				 struct err *err)
{
	struct sv rest = line->args;
	defer(mem_freep) char *url = sv_dup(take_word(&rest));
	defer(str_clear) struct str body = STR_INIT;
	struct request r = { .http = { .url = url, .on_head = on_head, .on_body = on_body } };
	bool events = sv_is(line->name, "events");
	struct exchange *x;

	if (!read_request(&r, &body, line, err))
		return NULL;
	x = xnew(struct exchange);
	flow_leaf_init(&x->leaf, f, line, then);
	x->leaf.pause = events ? NULL : http_pause;
	x->leaf.clear = exchange_clear;
	x->body = body;
	body = (struct str)STR_INIT;
	cut_body(x, &r);
	begin(x, &r, events);
	return &x->leaf.op;
}

/* requests: what the servers have received so far */
static bool do_requests(struct flow *f, const struct line *line,
			__attribute__((unused)) struct err *err)
{
	const struct sim_http_request *seen;

	for (size_t i = 0; (seen = sim_http_received(f->world, i)); i++) {
		defer(str_clear) struct str text = STR_INIT;

		text_quote(&text, sv_of(&seen->headers));
		str_addc(&text, ' ');
		text_quote(&text, sv_of(&seen->body));
		flow_log(f, line->label, "%s %s %s", seen->method, seen->url, str_c(&text));
	}
	return true;
}

/* preconnects: the URLs that a connection was opened to ahead of a request */
static bool do_preconnects(struct flow *f, const struct line *line,
			   __attribute__((unused)) struct err *err)
{
	struct sv rest = sim_http_preconnects(f->world), url;
	bool any = false;

	for (; sv_cut_line(&rest, &url); any = true)
		flow_log(f, line->label, "%.*s", SV_ARG(url));
	if (!any)
		flow_log(f, line->label, "none");
	return true;
}

/* What follows `word` in a text, up to the end of its line or member. */
static struct sv excerpt(struct sv text, struct sv word)
{
	size_t at = sv_find(text, word), end;

	if (at == SIZE_MAX)
		return SV_EMPTY;
	for (end = at; end < text.len && text.ptr[end] != '\n' && text.ptr[end] != ','; end++)
		;
	return sv_slice(text, at, end);
}

/* sent WORD: where the requests so far have it, in a header or the body */
static bool do_sent(struct flow *f, const struct line *line,
		    __attribute__((unused)) struct err *err)
{
	const struct sim_http_request *seen;

	for (size_t i = 0; (seen = sim_http_received(f->world, i)); i++) {
		struct sv found = excerpt(sv_of(&seen->headers), line->args);

		if (!found.len)
			found = excerpt(sv_of(&seen->body), line->args);
		flow_log(f, line->label, "%zu %.*s", i + 1, SV_ARG(found));
	}
	return true;
}

const struct flow_directive flow_http_directives[] = {
	{ "http", .run = do_http },          { "get", .start = start_exchange },
	{ "post", .start = start_exchange }, { "events", .start = start_exchange },
	{ "requests", .run = do_requests },  { "preconnects", .run = do_preconnects },
	{ "sent", .run = do_sent },          { NULL },
};

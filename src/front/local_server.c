#include "front/local_server.h"

#include "base/mem.h"
#include "net/http.h"
#include "text/json/json.h"

enum {
	SERVERS = 3,
	OLLAMA_PORT = 11434,
	DEADLINE_MS = 1000,
	MODEL_BYTES = 200,
	REPLY_BYTES = 256 * 1024,
};

static const struct {
	const char *name;
	unsigned port;
} local_servers[SERVERS] = {
	{ "Ollama", OLLAMA_PORT },
	{ "llama.cpp", 8080 },
	{ "LM Studio", 1234 },
};

struct local_ask {
	struct local_search *search;
	const char *name;
	unsigned port;
	struct str url, body;
	int status;
};

struct local_search {
	struct loop *loop;
	struct http *http; /* NULL: libcurl is being loaded */
	struct op *ops[SERVERS + 1];
	struct local_ask asks[SERVERS];
	size_t live; /* ops in flight */
	bool is_stopped, is_over;
	local_server_fn *found;
	void *owner;
	struct task end;
};

/* --- pure parts ------------------------------------------------------------------------ */

unsigned local_server_ollama_port(struct sv host)
{
	static const char *const here[] = { "127.0.0.1", "localhost", "0.0.0.0", "[::1]" };
	size_t colon;
	int64_t port;

	host = sv_trim(host);
	if (sv_starts(host, SV("http://")))
		host = sv_skip(host, strlen("http://"));
	colon = sv_rfind_char(host, ':');
	if (colon == SIZE_MAX || !sv_to_int(sv_skip(host, colon + 1), &port) || port < 1 ||
	    port > UINT16_MAX)
		return OLLAMA_PORT;
	for (size_t i = 0; i < countof(here); i++)
		if (!colon || sv_is(sv_slice(host, 0, colon), here[i]))
			return (unsigned)port;
	return OLLAMA_PORT;
}

bool local_server_read_model(struct str *out, struct sv reply)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(reply, 0, &err);
	struct json first = json_at(json_get(json_root(doc), "data"), 0);
	struct sv id = json_str_or(json_get(first, "id"), SV_EMPTY);

	if (!id.len || id.len > MODEL_BYTES)
		return false;
	for (size_t i = 0; i < id.len; i++)
		if ((unsigned char)id.ptr[i] <= ' ' || id.ptr[i] == 0x7f)
			return false;
	str_add(out, id);
	return true;
}

/* --- the search ------------------------------------------------------------------------- */

static void local_search_end(struct task *task)
{
	struct local_search *s = container_of(task, struct local_search, end);

	if (s->http)
		http_free(s->http);
	s->http = NULL;
	s->is_over = true;
	if (!s->is_stopped)
		return;
	for (size_t i = 0; i < SERVERS; i++) {
		str_clear(&s->asks[i].url);
		str_clear(&s->asks[i].body);
	}
	free(s);
}

/* One op is done; the last one ends the search. */
static void local_search_settle(struct local_search *s, const struct op *op)
{
	for (size_t i = 0; i < countof(s->ops); i++)
		if (s->ops[i] == op)
			s->ops[i] = NULL;
	if (--s->live == 0)
		loop_post(s->loop, &s->end);
}

static void local_ask_on_head(void *owner, const struct http_head *head)
{
	struct local_ask *ask = owner;

	ask->status = head->status;
}

static void local_ask_on_body(void *owner, struct sv bytes)
{
	struct local_ask *ask = owner;

	str_add(&ask->body, bytes);
}

static void local_ask_done(struct op *op, void *owner, const struct err *why)
{
	struct local_ask *ask = owner;
	struct local_search *s = ask->search;
	defer(str_clear) struct str model = STR_INIT;

	if (!why && ask->status == 200 && !s->is_stopped &&
	    local_server_read_model(&model, sv_of(&ask->body)))
		s->found(s->owner, &(struct local_server){ .name = ask->name,
							   .url = sv_of(&ask->url),
							   .model = sv_of(&model),
							   .port = ask->port });
	local_search_settle(s, op);
}

static void local_search_ask(struct local_search *s, size_t i)
{
	struct local_ask *ask = &s->asks[i];
	defer(str_clear) struct str url = STR_INIT;

	str_addf(&ask->url, "http://127.0.0.1:%u/v1", ask->port);
	str_addf(&url, "%s/models", str_c(&ask->url));
	s->live++;
	s->ops[i] = http_start(s->http,
			       &(struct http_request){ .url = str_c(&url),
						       .connect_ms = DEADLINE_MS,
						       .total_ms = DEADLINE_MS,
						       .max_body = REPLY_BYTES,
						       .on_head = local_ask_on_head,
						       .on_body = local_ask_on_body },
			       THEN(local_ask_done, ask));
}

static void local_search_loaded(struct op *op, void *owner, const struct err *why)
{
	struct local_search *s = owner;
	struct err err = ERR_INIT;

	if (!why && !s->is_stopped)
		s->http = http_new(s->loop, &(struct http_config){ .proxy = "" }, &err);
	for (size_t i = 0; s->http && i < SERVERS; i++)
		local_search_ask(s, i);
	local_search_settle(s, op);
}

struct local_search *local_search_start(struct loop *loop, const char *ollama,
					local_server_fn *found, void *owner)
{
	struct local_search *s = xnew(struct local_search);

	s->loop = loop;
	s->found = found;
	s->owner = owner;
	s->end.run = local_search_end;
	for (size_t i = 0; i < SERVERS; i++)
		s->asks[i] = (struct local_ask){ .search = s,
						 .name = local_servers[i].name,
						 .port = local_servers[i].port };
	s->asks[0].port = local_server_ollama_port(sv_cstr(ollama));
	s->live = 1;
	s->ops[SERVERS] = http_preload(loop, THEN(local_search_loaded, s));
	return s;
}

void local_search_stop(struct local_search *s)
{
	if (!s || s->is_stopped)
		return;
	s->is_stopped = true;
	for (size_t i = 0; i < countof(s->ops); i++)
		op_cancel(s->ops[i]);
	if (s->is_over)
		loop_post(s->loop, &s->end);
}

/* Makes requests as told by its arguments and prints what came of them as JSON,
 * for test_net.py:
 *
 *   http_client [--together] [--preconnect | --connecting] [--cancel-ms N] [--pause-ms N] [--method M]
 *               [--data TEXT] [--header NAME VALUE] [--proxy P] [--no-proxy P]
 *               [--proxy-helper COMMAND]
 *               [--ca FILE] [--extra-ca FILE] [--cert FILE] [--key FILE]
 *               [--key-password TEXT] [--connect-ms N] [--redirects N] URL...
 */
#include <stdio.h>

#include "base/vec.h"
#include "model/auth/proxy_helper.h"
#include "sys/timer.h"
#include "text/json/json_write.h"

struct client;

struct fetch {
	struct client *client;
	struct op *op;
	int status, version;
	struct str headers, body;
	struct err why;
};

struct client {
	struct loop *loop;
	struct http *http;
	struct http_config config;
	const char *proxy_command;
	struct proxy_helper proxy_helper;
	struct http_request request;
	struct http_header header;
	struct sv data;
	int64_t cancel_ms;
	int64_t pause_ms; /* after each piece of a body */
	bool together;
	bool preconnect; /* before the first request */
	bool connecting; /* and begin that at once */
	bool loaded_before;
	const char *const *urls;
	size_t n, at;
	struct fetch *fetches;
};

static bool is_curl_loaded(void)
{
	char line[4096];
	bool found = false;
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && !found && fgets(line, sizeof(line), maps))
		found = strstr(line, "libcurl") != NULL;
	if (maps)
		fclose(maps);
	return found;
}

static void on_head(void *owner, const struct http_head *head)
{
	struct fetch *f = owner;

	f->status = head->status;
	f->version = head->version;
	for (size_t i = 0; i < head->nheaders; i++)
		str_addf(&f->headers, "%.*s: %.*s\n", SV_ARG(head->headers[i].name),
			 SV_ARG(head->headers[i].value));
}

static void go_on(__attribute__((unused)) struct op *op, void *owner,
		  __attribute__((unused)) const struct err *why)
{
	struct fetch *f = owner;

	if (f->op)
		http_pause(f->op, false);
}

static void on_body(void *owner, struct sv bytes)
{
	struct fetch *f = owner;
	int64_t ms = f->client->pause_ms;

	str_add(&f->body, bytes);
	if (!ms)
		return;
	http_pause(f->op, true);
	timer_start(f->client->loop, ms, THEN(go_on, f));
}

static void start_next(struct client *c);

static void on_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct fetch *f = owner;

	f->op = NULL;
	if (why)
		f->why = *why;
	if (!f->client->together)
		start_next(f->client);
}

static void start_next(struct client *c)
{
	struct fetch *f = &c->fetches[c->at];

	if (c->at == c->n)
		return;
	f->client = c;
	c->request.url = c->urls[c->at++];
	c->request.on_head = on_head;
	c->request.on_body = on_body;
	f->op = http_start(c->http, &c->request, THEN(on_done, f));
}

static void cancel_all(__attribute__((unused)) struct op *op, void *owner,
		       __attribute__((unused)) const struct err *why)
{
	struct client *c = owner;

	for (size_t i = 0; i < c->n; i++)
		op_cancel(c->fetches[i].op);
}

static int64_t number(const char *text)
{
	int64_t n = 0;

	return sv_to_int(sv_cstr(text), &n) ? n : 0;
}

/* One option and its values; how many arguments it took, 0 when it is none. */
static int read_option(struct client *c, char **argv)
{
	const struct {
		const char *name, **value;
	} texts[] = {
		{ "--proxy", &c->config.proxy },
		{ "--no-proxy", &c->config.no_proxy },
		{ "--proxy-helper", &c->proxy_command },
		{ "--ca", &c->config.ca_file },
		{ "--extra-ca", &c->config.extra_ca },
		{ "--cert", &c->config.client_cert },
		{ "--key", &c->config.client_key },
		{ "--key-password", &c->config.client_key_password },
		{ "--method", &c->request.method },
		{ "--data", &c->data.ptr },
	};
	struct sv name = sv_cstr(argv[0]);

	for (size_t i = 0; i < countof(texts); i++)
		if (sv_is(name, texts[i].name)) {
			*texts[i].value = argv[1];
			return 2;
		}
	if (sv_is(name, "--header")) {
		c->header = (struct http_header){ sv_cstr(argv[1]), sv_cstr(argv[2]) };
		c->request.nheaders = 1;
		return 3;
	}
	if (sv_is(name, "--cancel-ms"))
		c->cancel_ms = number(argv[1]);
	else if (sv_is(name, "--pause-ms"))
		c->pause_ms = number(argv[1]);
	else if (sv_is(name, "--connect-ms"))
		c->request.connect_ms = number(argv[1]);
	else if (sv_is(name, "--redirects"))
		c->request.max_redirects = (int)number(argv[1]);
	else if (sv_is(name, "--together"))
		return c->together = true;
	else if (sv_is(name, "--preconnect"))
		return c->preconnect = true;
	else if (sv_is(name, "--connecting"))
		return c->preconnect = c->connecting = true;
	else
		return 0;
	return 2;
}

static void write_fetch(struct jw *w, const struct fetch *f)
{
	jw_object(w);
	jw_put_str(w, "error", sv_cstr(err_kind_name(f->why.kind)));
	jw_put_str(w, "text", sv_cstr(f->why.text));
	jw_put_int(w, "status", f->status);
	jw_put_int(w, "version", f->version);
	jw_put_str(w, "headers", sv_of(&f->headers));
	jw_put_uint(w, "bytes", f->body.len);
	jw_put_str(w, "body", sv_slice(sv_of(&f->body), 0, 4096));
	jw_end(w);
}

static void report(struct client *c)
{
	defer(str_clear) struct str out = STR_INIT;
	struct jw w;

	jw_init(&w, &out, JW_COMPACT);
	jw_object(&w);
	jw_put_bool(&w, "loaded_before", c->loaded_before);
	jw_put_bool(&w, "loaded_after", is_curl_loaded());
	jw_put_array(&w, "responses");
	for (size_t i = 0; i < c->n; i++) {
		write_fetch(&w, &c->fetches[i]);
		str_clear(&c->fetches[i].headers);
		str_clear(&c->fetches[i].body);
	}
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	puts(str_c(&out));
}

static void run(struct client *c)
{
	c->request.headers = &c->header;
	c->data = sv_cstr(c->data.ptr);
	c->request.body = &c->data;
	c->request.nbody = c->data.len > 0;
	if (c->preconnect)
		http_preconnect(c->http, c->urls[0]);
	if (c->preconnect && !c->connecting)
		loop_run(c->loop);
	do
		start_next(c);
	while (c->together && c->at < c->n);
	if (c->cancel_ms)
		timer_start(c->loop, c->cancel_ms, THEN(cancel_all, c));
	loop_run(c->loop);
}

int main(int argc, char **argv)
{
	struct client c = { .loop = loop_new(), .loaded_before = is_curl_loaded() };
	struct err err = ERR_INIT;
	int used;

	for (argv++, argc--; argc > 0 && (used = read_option(&c, argv)) > 0; argv += used)
		argc -= used;
	c.urls = (const char *const *)argv;
	c.n = (size_t)max_of(argc, 0);
	c.fetches = xcalloc(c.n + 1, sizeof(*c.fetches));
	c.config.proxy_auth = proxy_helper_init(&c.proxy_helper, c.loop, c.proxy_command, NULL);
	c.http = http_new(c.loop, &c.config, &err);
	if (c.http) {
		run(&c);
		http_free(c.http);
		report(&c);
	} else {
		fprintf(stderr, "%s\n", err.text);
	}
	loop_free(c.loop);
	free(c.fetches);
	return c.http ? 0 : 1;
}

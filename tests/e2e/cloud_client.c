/* Asks a cloud's model to say hello, as the environment configures it, once and
 * without retries, and prints what came of it as one JSON object, for
 * test_clouds.py:
 *
 *   cloud_client [--whole] MODEL
 */
#include <stdio.h>

#include "model/attempt.h"
#include "model/auth/credentials.h"
#include "text/json/json_write.h"

struct client {
	struct loop *loop;
	struct http *http;
	struct transport *transport;
	struct model_config config;
	struct model_table *table;
	struct credentials *credentials;
	struct model_request request;
	struct op *op;
	struct str text;
	struct usage usage;
	struct model_error error;
	bool failed;
};

static const char *environment(__attribute__((unused)) void *arg, const char *name)
{
	return getenv(name);
}

static void fail(struct client *c, const struct err *why)
{
	c->failed = true;
	c->error = (struct model_error){ .failure = MODEL_FAILED_AUTH, .err = *why };
	loop_stop(c->loop);
}

static void on_event(void *owner, const struct model_event *event)
{
	struct client *c = owner;

	if (event->kind == MODEL_TEXT)
		str_add(&c->text, event->text);
	if (event->kind == MODEL_STOP)
		c->usage = event->usage;
}

static void on_attempt(struct op *op, void *owner, const struct err *why)
{
	struct client *c = owner;

	c->op = NULL;
	if (why) {
		c->failed = true;
		c->error = *attempt_error(op);
	}
	loop_stop(c->loop);
}

static void on_credential(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct client *c = owner;
	struct attempt_opts opts = {
		.provider = provider_of(c->config.provider),
		.config = &c->config,
		.table = c->table,
		.request = &c->request,
		.credential = credentials_get(c->credentials),
		.transport = c->transport,
	};

	c->op = NULL;
	if (why)
		fail(c, why);
	else
		c->op = attempt_start(c->loop, &opts, on_event, THEN(on_attempt, c));
}

static void run(struct client *c)
{
	struct err err = ERR_INIT;

	c->loop = loop_new();
	if (!model_config_read(&c->config, environment, NULL, &err)) {
		fail(c, &err);
		return;
	}
	c->http = http_new(c->loop, &(struct http_config){ .no_proxy = "*" }, &err);
	if (!c->http) {
		fail(c, &err);
		return;
	}
	c->transport = transport_http(c->http);
	c->table = model_table_new();
	c->credentials = credentials_new(c->loop, c->http, &c->config);
	c->op = credentials_start(c->credentials, &(struct credentials_want){ .refused = 0 },
				  THEN(on_credential, c));
	while (c->op)
		loop_run(c->loop);
}

static void report(const struct client *c)
{
	defer(str_clear) struct str out = STR_INIT;
	struct jw w;

	jw_init(&w, &out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "text", sv_of(&c->text));
	jw_put_int(&w, "output", c->usage.output);
	if (c->failed) {
		jw_put_str(&w, "failure", sv_cstr(model_failure_name(c->error.failure)));
		jw_put_str(&w, "why", sv_cstr(c->error.err.text));
		jw_put_int(&w, "status", c->error.status);
	}
	jw_end(&w);
	jw_done(&w);
	puts(str_c(&out));
}

static void client_clear(struct client *c)
{
	credentials_free(c->credentials);
	transport_free(c->transport);
	model_table_free(c->table);
	http_free(c->http);
	model_config_clear(&c->config);
	loop_free(c->loop);
	str_clear(&c->text);
}

int main(int argc, char **argv)
{
	static const struct sv message =
		SV_INIT("{\"role\":\"user\",\"content\":\"say h\xc3\xa9llo\"}");
	struct client c = { .config = MODEL_CONFIG_INIT };
	bool whole = argc > 1 && strcmp(argv[1], "--whole") == 0;

	if (argc < 2)
		return 2;
	c.request = (struct model_request){ .model = sv_cstr(argv[argc - 1]),
					    .messages = &message,
					    .nmessages = 1,
					    .max_tokens = 100,
					    .whole = whole };
	run(&c);
	report(&c);
	client_clear(&c);
	return 0;
}

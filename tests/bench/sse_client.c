/* Reads an event stream and parses every event as JSON: `sse_client URL`. Prints
 * how many there were. What script/bench compares with Node and curl. */
#include <stdio.h>

#include "net/event_stream.h"
#include "text/json/json.h"

struct reader {
	struct loop *loop;
	struct json_pool pool;
	size_t events;
	bool failed;
};

static void on_event(void *owner, const struct sse_event *event)
{
	struct reader *r = owner;
	struct err err = ERR_INIT;
	struct json root;

	if (!json_parse_in(&r->pool, event->data, 0, &root, &err))
		r->failed = true;
	r->events += json_exists(json_get(root, "type"));
}

static void on_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct reader *r = owner;

	if (why) {
		fprintf(stderr, "%s\n", why->text);
		r->failed = true;
	}
	loop_stop(r->loop);
}

int main(int argc, char **argv)
{
	struct http_request request = { .url = argc > 1 ? argv[1] : "" };
	struct http_config config = { .user_agent = "awl-bench" };
	struct reader r = { .loop = loop_new(), .pool = JSON_POOL_INIT };
	struct err err = ERR_INIT;
	struct http *http = http_new(r.loop, &config, &err);

	if (!http) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	events_start(http, &request, on_event, THEN(on_done, &r));
	loop_run(r.loop);
	printf("%zu\n", r.events);
	json_pool_clear(&r.pool);
	http_free(http);
	loop_free(r.loop);
	return r.failed;
}

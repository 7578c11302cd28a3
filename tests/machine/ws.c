/* On the simulated machine servers answer a request for a WebSocket as any other: by a refusal. */
#include "net/ws.h"

struct op *ws_start(struct http *http, const struct ws_request *request, struct then then)
{
	const struct http_request upgrade = { .url = request->url,
					      .headers = request->headers,
					      .nheaders = request->nheaders,
					      .connect_ms = request->connect_ms,
					      .on_head = request->on_head,
					      .on_body = request->on_body };

	return http_start(http, &upgrade, then);
}

bool ws_send(__attribute__((unused)) struct op *ws, __attribute__((unused)) struct sv text,
	     struct err *err)
{
	return err_set(err, ERR_RESET, "the connection is closed");
}

void ws_watch(__attribute__((unused)) struct op *ws, __attribute__((unused)) bool is_awaited)
{
}

#include "model/script/script_transport.h"

#include "base/log.h"
#include "base/mem.h"
#include "model/script/player.h"
#include "model/script/request_view.h"
#include "model/script/script_respond.h"

struct script_transport {
	struct transport base;
	struct loop *loop;
	struct script *script;
};

static struct op *script_transport_start(struct transport *transport,
					 const struct http_request *request, struct then then)
{
	struct script_transport *t = container_of(transport, struct script_transport, base);
	defer(str_clear) struct str body = STR_INIT, complaint = STR_INIT;
	defer(play_clear) struct play play = PLAY_INIT;
	struct server_request view;

	request_view(&view, &body, request);
	script_respond(t->script, &view, &play, &complaint);
	if (complaint.len)
		log_warn("%s", str_c(&complaint));
	return player_start(t->loop, &play, request, then);
}

static void script_transport_pause_reading(__attribute__((unused)) struct transport *transport,
					   struct op *op, bool paused)
{
	player_pause(op, paused);
}

static void script_transport_free(struct transport *transport)
{
	struct script_transport *t = container_of(transport, struct script_transport, base);

	script_free(t->script);
	free(t);
}

struct transport *transport_script(struct loop *loop, struct script *script)
{
	struct script_transport *t = xnew(struct script_transport);

	t->base = (struct transport){ .start = script_transport_start,
				      .pause = script_transport_pause_reading,
				      .free = script_transport_free };
	t->loop = loop;
	t->script = script;
	return &t->base;
}

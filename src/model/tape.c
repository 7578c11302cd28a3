/* A client's exchanges written down, or answered from what was written. */
#include "base/log.h"
#include "model/client.h"
#include "model/credentials.h"
#include "model/demo.h"
#include "model/record.h"
#include "model/replay.h"
#include "model/script_transport.h"

/* Putting a transport in the place of another; NULL on failure. */
static bool use(struct model_client *client, struct transport *transport)
{
	client->transport = transport;
	return transport != NULL;
}

static void on_record_error(void *owner, const struct err *why)
{
	struct model_client *client = owner;

	log_error("recording stopped: %s", why->text);
	client->record_error = *why;
}

const struct err *model_client_record_error(const struct model_client *client)
{
	return client->record_error.kind == ERR_NONE ? NULL : &client->record_error;
}

bool model_client_record(struct model_client *client, const char *path, struct err *err)
{
	struct record_opts opts = { .path = path,
				    .secrets = &client->secrets,
				    .on_error = on_record_error,
				    .owner = client };

	return use(client, transport_record(client->loop, move(client->transport), &opts, err));
}

bool model_client_replay(struct model_client *client, const char *path, bool timed, struct err *err)
{
	struct replay_opts opts = { .path = path, .secrets = &client->secrets, .timed = timed };

	transport_free(move(client->transport));
	credentials_drop(client->credentials);
	return use(client, transport_replay(client->loop, &opts, err));
}

bool model_client_demo(struct model_client *client, struct err *err)
{
	struct script *script = script_parse(sv_from(demo_script, demo_script_size), "demo", err);

	transport_free(move(client->transport));
	credentials_drop(client->credentials);
	return use(client, script ? transport_script(client->loop, script) : NULL);
}

/* Records the exchanges of a client, or replays recorded ones. */
#include "base/log.h"
#include "model/auth/credentials.h"
#include "model/client.h"
#include "model/script/demo.h"
#include "model/script/record.h"
#include "model/script/replay.h"
#include "model/script/script_transport.h"

/* Replaces the transport; NULL on failure. What the model table knows goes into requests, so a
 * recording must not learn from the host either: its replay cannot. */
static bool tape_use(struct model_client *client, struct transport *transport)
{
	client->transport = transport;
	client->listings_left = 0;
	return transport != NULL;
}

static void tape_on_record_error(void *owner, const struct err *why)
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
				    .on_error = tape_on_record_error,
				    .owner = client };

	client->recorder = transport_record(client->loop, move(client->transport), &opts, err);
	return tape_use(client, client->recorder);
}

bool model_client_replay(struct model_client *client, const char *path, bool timed, struct err *err)
{
	struct replay_opts opts = { .path = path, .secrets = &client->secrets, .timed = timed };

	transport_free(move(client->transport));
	credentials_drop(client->credentials);
	client->replay = transport_replay(client->loop, &opts, err);
	return tape_use(client, client->replay);
}

bool model_client_demo(struct model_client *client, struct err *err)
{
	struct script *script = script_parse(sv_from(demo_script, demo_script_size), "demo", err);

	transport_free(move(client->transport));
	credentials_drop(client->credentials);
	return tape_use(client, script ? transport_script(client->loop, script) : NULL);
}

void model_client_record_note(struct model_client *client, const char *name, struct sv text)
{
	if (client->recorder)
		record_note(client->recorder, name, text);
}

struct sv model_client_replay_note(struct model_client *client, const char *name)
{
	return client->replay ? replay_note(client->replay, name) : SV_EMPTY;
}

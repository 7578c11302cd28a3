/* tape.h - recording and replaying in a simulated world, for tests. */
#ifndef AWL_TESTS_UNIT_MODEL_SCRIPT_TAPE_H
#define AWL_TESTS_UNIT_MODEL_SCRIPT_TAPE_H

#include "model/script/record.h"
#include "model/script/replay.h"
#include "model/wire/listener.h"

static const struct redact no_secrets = REDACT_INIT;

static inline void listener_record(struct listener *l, const struct redact *secrets)
{
	struct record_opts opts = { .path = "/tape", .secrets = secrets };
	struct err err = ERR_INIT;

	l->transport = transport_record(sim_loop(l->world), l->transport, &opts, &err);
	CHECK_OK(l->transport != NULL, err);
}

/* From now on the recording answers, and the log begins anew. */
static inline void listener_replay(struct listener *l, struct replay_opts opts)
{
	struct err err = ERR_INIT;

	transport_free(l->transport);
	str_truncate(&l->log, 0);
	opts.path = "/tape";
	opts.secrets = opts.secrets ? opts.secrets : &no_secrets;
	l->transport = transport_replay(sim_loop(l->world), &opts, &err);
	CHECK_OK(l->transport != NULL, err);
}

#endif

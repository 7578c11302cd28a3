/* service.h - the model service as this command line and environment name it,
 * for every command that talks to one. */
#ifndef AWL_CLI_SERVICE_H
#define AWL_CLI_SERVICE_H

#include "cli/command.h"
#include "model/model.h"

struct service {
	struct loop *loop;
	struct http *http;
	struct model_config config;
	struct model_table *table;
	struct model_client *client;
	bool is_demo; /* nothing is configured: the built-in script answers */
};

/* Minds --record, --replay and --replay-speed. Fails with a text to show. What is
 * opened must not be moved. */
must_use bool service_open(struct service *s, const struct args *args, struct err *err);
void service_close(struct service *s);

/* The id behind `name`, or without one behind what is configured. */
struct sv service_model(const struct service *s, const char *name);

/* What a person should know about an answer from the built-in script. */
extern const char service_demo_notice[];

#endif

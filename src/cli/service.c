#include "cli/service.h"

#include <stdlib.h>

#include "base/log.h"

const char service_demo_notice[] =
	"no key or endpoint is configured, so this is the built-in replay and no model; set "
	"ANTHROPIC_API_KEY, or OPENAI_BASE_URL for a local server";

static const char *environment(__attribute__((unused)) void *arg, const char *name)
{
	return getenv(name);
}

static void log_choice(const struct model_config *config)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest, line;

	model_config_explain(&text, config);
	rest = sv_of(&text);
	while (sv_cut_line(&rest, &line))
		log_info("%.*s", SV_ARG(line));
}

/* A replay needs no network, a recording may be one of a replay. */
static bool choose_transport(struct service *s, const struct args *args, struct err *err)
{
	const char *replay = args_value(args, "replay");
	const char *record = args_value(args, "record");
	const char *speed = args_value(args, "replay-speed");
	bool timed = speed && sv_is(sv_cstr(speed), "recorded");

	s->is_demo = !replay && s->config.provider == MODEL_REPLAY;
	if (replay && !model_client_replay(s->client, replay, timed, err))
		return false;
	if (s->is_demo && !model_client_demo(s->client, err))
		return false;
	return !record || model_client_record(s->client, record, err);
}

/* The parts borrow from each other, so they are built where they will stay. */
static bool open_parts(struct service *s, const struct args *args, struct err *err)
{
	struct http_config http = { .user_agent = "awl/" AWL_VERSION };
	bool offline;

	if (!model_config_read(&s->config, environment, NULL, err))
		return false;
	log_choice(&s->config);
	s->loop = loop_new();
	s->table = model_table_new();
	offline = s->config.provider == MODEL_REPLAY || args_has(args, "replay");
	if (!offline && !(s->http = http_new(s->loop, &http, err)))
		return false;
	s->client = model_client_new(s->loop, s->http, &s->config, s->table);
	return choose_transport(s, args, err);
}

bool service_open(struct service *s, const struct args *args, struct err *err)
{
	*s = (struct service){ .config = MODEL_CONFIG_INIT };
	if (open_parts(s, args, err))
		return true;
	service_close(s);
	return false;
}

void service_close(struct service *s)
{
	model_client_free(s->client);
	model_table_free(s->table);
	http_free(s->http);
	loop_free(s->loop);
	model_config_clear(&s->config);
}

struct sv service_model(const struct service *s, const char *name)
{
	if (!name)
		name = s->config.model ? s->config.model : "default";
	return model_resolve(s->table, sv_cstr(name));
}

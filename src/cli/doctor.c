/* awl doctor: what is configured and what works, without a secret in it. */
#include <stdlib.h>

#include "cli/output.h"
#include "model/model.h"

static const char *environment(__attribute__((unused)) void *arg, const char *name)
{
	return getenv(name);
}

static void check_network(struct str *out)
{
	struct err err = ERR_INIT;
	struct loop *loop = loop_new();
	struct http *http = http_new(loop, &(struct http_config){ .user_agent = "awl" }, &err);

	str_addf(out, "network: %s\n", http ? "libcurl is there" : err.text);
	http_free(http);
	loop_free(loop);
}

static void describe_model(struct str *out, const struct model_config *config)
{
	struct model_table *table = model_table_new();
	struct sv id = model_resolve(table, sv_cstr(config->model ? config->model : "default"));
	struct model_info info = model_info(table, id);

	str_addf(out, "model in use: %.*s, window %lld tokens, answers up to %lld%s\n", SV_ARG(id),
		 (long long)info.context, (long long)info.max_output,
		 info.known ? "" : " (not in the table: cautious guesses, cost unknown)");
	model_table_free(table);
}

enum exit_code doctor_run(__attribute__((unused)) const struct args *args)
{
	defer(model_config_clear) struct model_config config = MODEL_CONFIG_INIT;
	defer(str_clear) struct str page = STR_INIT;
	struct err err = ERR_INIT;

	str_adds(&page, "awl " AWL_VERSION "\n");
	if (!model_config_read(&config, environment, NULL, &err))
		return failure("%s", err.text);
	model_config_explain(&page, &config);
	describe_model(&page, &config);
	check_network(&page);
	return output(sv_of(&page));
}

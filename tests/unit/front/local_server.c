#include "front/local_server.h"

#include "test.h"

TEST(ollama_is_looked_for_only_on_this_machine)
{
	static const struct {
		const char *host;
		unsigned port;
	} cases[] = {
		{ NULL, 11434 },
		{ "", 11434 },
		{ "127.0.0.1", 11434 },
		{ "127.0.0.1:8099", 8099 },
		{ "http://localhost:8099", 8099 },
		{ "0.0.0.0:8099", 8099 },
		{ ":8099", 8099 },
		{ "[::1]:8099", 8099 },
		{ "example.com:8099", 11434 },
		{ "127.0.0.1:0", 11434 },
		{ "127.0.0.1:99999", 11434 },
		{ "127.0.0.1:x", 11434 },
	};

	for (size_t i = 0; i < countof(cases); i++)
		CHECK_INT(local_server_ollama_port(sv_cstr(cases[i].host)), cases[i].port);
}

TEST(the_model_of_a_server_is_the_first_that_can_be_named)
{
	static const struct {
		const char *reply, *model;
	} cases[] = {
		{ "{\"data\":[{\"id\":\"qwen3\"},{\"id\":\"other\"}]}", "qwen3" },
		{ "{\"data\":[]}", "" },
		{ "{\"data\":[{\"id\":\"a b\"}]}", "" },
		{ "{\"data\":[{\"id\":\"\\u001b[2J\"}]}", "" },
		{ "<html>", "" },
		{ "", "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str model = STR_INIT;

		CHECK_INT(local_server_read_model(&model, sv_cstr(cases[i].reply)),
			  *cases[i].model != '\0');
		CHECK_STR(str_c(&model), cases[i].model);
	}
}

#include "extend/plugins/options.h"

#include "test.h"
#include "text/bash/option_variable.h"

struct options_case {
	struct arena arena;
	struct json_doc *docs[3];
	plugin_options options;
	struct str notes;
};

static void options_clear(struct options_case *c)
{
	for (size_t i = 0; i < countof(c->docs); i++)
		json_doc_free(c->docs[i]);
	vec_clear(&c->options);
	str_clear(&c->notes);
	arena_clear(&c->arena);
}

static void options_read(struct options_case *c, const char *declared, const char *given,
			 const char *secrets)
{
	const char *const texts[] = { declared, given, secrets };
	struct err err = ERR_INIT;

	for (size_t i = 0; i < countof(texts); i++)
		c->docs[i] = json_parse(sv_cstr(texts[i]), 0, &err);
	plugin_options_read(&c->options, json_root(c->docs[0]),
			    (struct plugin_given){ json_root(c->docs[1]), json_root(c->docs[2]) },
			    &c->arena, "x.json", &c->notes);
}

TEST(plugin_options_take_secrets_only_from_where_secrets_are)
{
	defer(options_clear) struct options_case c = { .options = VEC_INIT };

	options_read(&c,
		     "{\"a\":{\"type\":\"string\",\"sensitive\":true},\"b\":{\"type\":\"number\","
		     "\"default\":5},\"c\":{\"type\":\"string\",\"multiple\":true}}",
		     "{\"a\":\"public\",\"c\":[\"x\",2]}", "{\"a\":\"secret\",\"c\":\"no\"}");
	CHECK_INT(c.options.n, 3);
	CHECK_SV(c.options.at[0].value, "secret");
	CHECK_SV(c.options.at[1].value, "5");
	CHECK(!c.options.at[1].is_given);
	CHECK_SV(c.options.at[2].value, "x,2");
}

TEST(plugin_options_that_make_no_sense_are_skipped_with_a_note)
{
	defer(options_clear) struct options_case c = { .options = VEC_INIT };

	options_read(&c,
		     "{\"a b\":{\"type\":\"string\"},\"b\":{\"type\":\"command\"},\"c\":7,\"d\":{},"
		     "\"e\":{\"type\":\"string\",\"default\":{}}}",
		     "{\"d\":\"nul\\u0000byte\"}", "[]");
	CHECK_INT(c.options.n, 2);
	CHECK(!c.options.at[0].value.ptr);
	CHECK(!c.options.at[1].value.ptr);
	CHECK(sv_find(sv_of(&c.notes), SV("x.json: userConfig.b needs")) != SIZE_MAX);
}

TEST(option_variable_puts_no_value_into_a_command)
{
	static const char *const cases[][2] = {
		{ "a ${user_config.api-key}b", "a ${CLAUDE_PLUGIN_OPTION_API_KEY}b" },
		{ "${user_config.x", "${user_config.x" },
		{ "$user_config.x ${HOME}", "$user_config.x ${HOME}" },
		{ "${user_config.a;b}", "${CLAUDE_PLUGIN_OPTION_A_B}" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		option_variable_rewrite(&out, sv_cstr(cases[i][0]));
		CHECK(sv_is(sv_of(&out), cases[i][1]));
	}
}

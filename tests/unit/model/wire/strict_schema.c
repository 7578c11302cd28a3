#include "model/wire/strict_schema.h"

#include "model/wire/openai.h"

TEST(only_schemas_that_a_provider_can_enforce_are_strict)
{
	static const struct {
		const char *schema;
		bool fits;
	} cases[] = {
		{ "{'type':'object','properties':{'a':{'type':'string'}},'required':['a'],"
		  "'additionalProperties':false}",
		  true },
		{ "{'type':'object','properties':{'a':{'type':'string'},'b':{'type':'boolean',"
		  "'default':false}},'required':['a'],'additionalProperties':false}",
		  false },
		{ "{'type':'object','properties':{'a':{'type':'array','items':{'type':'object',"
		  "'properties':{'b':{'type':'integer','enum':[1],'description':'x'}},'required':['"
		  "b'],"
		  "'additionalProperties':false}}},'required':['a'],'additionalProperties':false}",
		  true },
		{ "{'type':'object','properties':{'a':{'type':'array','items':{'type':'object',"
		  "'properties':{'b':{'type':'integer'}},'required':['b']}}},'required':['a'],"
		  "'additionalProperties':false}",
		  false },
		{ "{'type':'object','properties':{'a':{'type':'string'}},'required':['a']}",
		  false },
		{ "{'type':'object','properties':{'a':{'type':'string','pattern':'x'}},'required':["
		  "'a'],"
		  "'additionalProperties':false}",
		  false },
		{ "{'type':'object','properties':{'a':{'type':['string','null']}},'required':['a'],"
		  "'additionalProperties':false}",
		  false },
		{ "{'type':'object','properties':{'a':{}},'required':['a'],'additionalProperties':"
		  "false}",
		  false },
		{ "{'type':'object','properties':{},'additionalProperties':false}", false },
		{ "{'type':'object'}", false },
		{ "true", false },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		struct err err = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc =
			json_parse(js(&arena, cases[i].schema), 0, &err);

		CHECK_OK(doc != NULL, err);
		CHECK_INT(strict_schema_fits(json_root(doc)), cases[i].fits);
	}
}

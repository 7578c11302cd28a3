#include "core/agent/structured.h"

#include "../../sys/run.h"
#include "base/mem.h"
#include "core/toolset/toolset.h"

#define SCHEMA "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}"

static void structured_freep(struct structured **s)
{
	structured_free(*s);
}

static struct structured *make(const char *schema)
{
	struct err err = ERR_INIT;
	struct structured *s = structured_new(sv_cstr(schema), &err);

	CHECK_OK(s != NULL, err);
	return s;
}

/* Calls it, as the engine does, with an input that fits. */
static void hand_in(struct structured *s, const char *input)
{
	struct err err = ERR_INIT;
	defer(loop_freep) struct loop *loop = loop_new();
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(input), 0, &err);
	struct tool_context ctx = { .loop = loop };
	struct tool_call call = { .tool = &s->tool, .ctx = &ctx, .input = json_root(doc) };
	struct outcome outcome = { .done = 0 };

	s->tool.start(&call, THEN(outcome_done, &outcome));
	RUN_UNTIL(loop, outcome.done);
	CHECK_OK(outcome.why.kind == ERR_NONE, outcome.why);
	CHECK(!call.result.is_error);
	CHECK_STR(str_c(&call.result.text), "Structured output provided successfully");
	tool_result_clear(&call.result);
}

TEST(the_answer_is_what_was_handed_in_last)
{
	defer(structured_freep) struct structured *s = make(SCHEMA);

	CHECK_INT(s->value.len, 0);
	hand_in(s, "{ \"n\" : 1 }");
	CHECK_STR(str_c(&s->value), "{\"n\":1}");
	hand_in(s, "{\"n\":2,\"more\":[1.5,\"\xc3\xa9\"]}");
	CHECK_STR(str_c(&s->value), "{\"n\":2,\"more\":[1.5,\"\xc3\xa9\"]}");
}

TEST(a_new_turn_begins_without_an_answer)
{
	defer(structured_freep) struct structured *s = make(SCHEMA);

	hand_in(s, "{}");
	s->failures = 3;
	structured_reset(s);
	CHECK_INT(s->value.len, 0);
	CHECK_INT(s->failures, 0);
	structured_reset(NULL); /* of free text there is nothing to forget */
}

TEST(the_tool_is_described_by_the_schema_asked_for_and_touches_nothing)
{
	defer(structured_freep) struct structured *s = make("\n " SCHEMA " \n");
	defer(str_clear) struct str json = STR_INIT;
	struct arena arena = ARENA_INIT;
	struct perm_request perm_request = { .access = ACCESS_OTHER };

	tool_describe(&json, &s->tool);
	CHECK(sv_starts(sv_of(&json), SV("{\"name\":\"StructuredOutput\",")));
	CHECK(sv_ends(sv_of(&json), SV(",\"input_schema\":" SCHEMA "}")));
	CHECK(s->tool.is_read_only(json_root(NULL)));
	s->tool.perm_request(&(struct tool_call){ .tool = &s->tool }, &arena, &perm_request);
	CHECK_INT(perm_request.access, ACCESS_NONE);
	arena_clear(&arena);
}

TEST(a_schema_that_is_none_is_refused_with_the_reason)
{
	static const struct {
		const char *schema, *error;
	} cases[] = {
		{ "", "the JSON schema of the answer: " },
		{ "{\"type\":", "the JSON schema of the answer: line 1, column 9" },
		{ "[]", "must be a JSON object, not" },
		{ "{\"type\":\"string\"}", "\"type\" must be \"object\"" },
		{ "{\"type\":\"object\",\"properties\":5}", "properties" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct err err = ERR_INIT;

		CHECK(!structured_new(sv_cstr(cases[i].schema), &err));
		CHECK(strstr(err.text, "the JSON schema of the answer: "));
		if (!strstr(err.text, cases[i].error))
			fail_msg("%s: %s", cases[i].schema, err.text);
	}
}

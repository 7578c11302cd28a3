#include "proto/permission.h"

#include "test.h"

static struct json_doc *doc_of(const char *text)
{
	struct err err = ERR_INIT;
	struct json_doc *doc = json_parse(sv_cstr(text), 0, &err);

	CHECK_OK(doc != NULL, err);
	return doc;
}

/* Every kind and every destination, as the wire has them. */
static const char *const changes[] = {
	"{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"Bash\",\"ruleContent\":\"npm test:*\"},"
	"{\"toolName\":\"Read\"}],\"behavior\":\"allow\",\"destination\":\"localSettings\"}",
	"{\"type\":\"replaceRules\",\"rules\":[],\"behavior\":\"deny\","
	"\"destination\":\"userSettings\"}",
	"{\"type\":\"removeRules\",\"rules\":[{\"toolName\":\"Edit\"}],\"behavior\":\"ask\","
	"\"destination\":\"projectSettings\"}",
	"{\"type\":\"addDirectories\",\"directories\":[\"/a\",\"b \\\"c\\\"\"],"
	"\"destination\":\"session\"}",
	"{\"type\":\"removeDirectories\",\"directories\":[],\"destination\":\"cliArg\"}",
	"{\"type\":\"setMode\",\"mode\":\"plan\",\"destination\":\"session\"}",
};

static void check_written(const char *expected, const struct permission_change *change)
{
	defer(str_clear) struct str out = STR_INIT, list = STR_INIT;
	struct jw w;

	str_addf(&list, "[%s]", expected);
	jw_init(&w, &out, JW_COMPACT);
	permission_changes_write(&w, change, 1);
	jw_done(&w);
	CHECK_STR(str_c(&out), str_c(&list));
}

TEST(a_change_of_permissions_is_read_as_it_was_written)
{
	for (size_t i = 0; i < countof(changes); i++) {
		defer(json_doc_freep) struct json_doc *doc = doc_of(changes[i]);
		defer(arena_clear) struct arena arena = ARENA_INIT;
		struct permission_change change;
		struct err err = ERR_INIT;

		CHECK_OK(permission_change_read(&change, json_root(doc), &arena, &err), err);
		CHECK_INT(change.kind, i);
		check_written(changes[i], &change);
	}
	CHECK_INT(countof(changes), PERMISSION_CHANGES);
}

TEST(a_copy_of_changes_does_not_need_the_original)
{
	defer(arena_clear) struct arena kept = ARENA_INIT;
	struct permission_change *copy;

	for (size_t i = 0; i < countof(changes); i++) {
		struct arena arena = ARENA_INIT;
		struct json_doc *doc = doc_of(changes[i]);
		struct permission_change change;
		struct err err = ERR_INIT;

		CHECK_OK(permission_change_read(&change, json_root(doc), &arena, &err), err);
		copy = permission_changes_copy(&kept, &change, 1);
		json_doc_free(doc);
		arena_clear(&arena);
		check_written(changes[i], copy);
	}
}

TEST(a_change_without_destination_is_for_the_session)
{
	defer(json_doc_freep) struct json_doc *doc =
		doc_of("{\"type\":\"setMode\",\"mode\":\"plan\"}");
	struct arena arena = ARENA_INIT;
	struct permission_change change;
	struct err err = ERR_INIT;

	CHECK_OK(permission_change_read(&change, json_root(doc), &arena, &err), err);
	CHECK_INT(change.destination, PERMISSION_TO_SESSION);
}

TEST(a_malformed_change_is_refused_and_the_output_is_untouched)
{
	static const struct {
		const char *json, *error;
	} cases[] = {
		{ "7", "\"type\"" },
		{ "{}", "\"type\" is missing" },
		{ "{\"type\":\"dance\"}", "unknown change \"dance\"" },
		{ "{\"type\":\"setMode\"}", "\"mode\" is missing" },
		{ "{\"type\":\"setMode\",\"mode\":\"plan\",\"destination\":\"moon\"}",
		  "unknown destination \"moon\"" },
		{ "{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"Bash\"}]}",
		  "\"behavior\" is missing" },
		{ "{\"type\":\"addRules\",\"behavior\":\"maybe\"}", "unknown behavior \"maybe\"" },
		{ "{\"type\":\"addRules\",\"rules\":[{}],\"behavior\":\"allow\"}",
		  "\"toolName\" is missing" },
		{ "{\"type\":\"addDirectories\",\"directories\":[7]}",
		  "a directory must be a string, not number" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(json_doc_freep) struct json_doc *doc = doc_of(cases[i].json);
		defer(arena_clear) struct arena arena = ARENA_INIT;
		struct permission_change change = { .kind = PERMISSION_SET_MODE, .mode = SV("x") };
		struct err err = ERR_INIT;

		CHECK(!permission_change_read(&change, json_root(doc), &arena, &err));
		CHECK_ERR(err, ERR_INVALID, cases[i].error);
		CHECK_SV(change.mode, "x");
	}
}

TEST(an_answer_that_allows_carries_new_input_and_changes)
{
	const struct permission_change mode = { .kind = PERMISSION_SET_MODE, .mode = SV("plan") };
	const struct input_image image = { .media_type = SV("image/png"), .data = SV("AAAA") };
	defer(str_clear) struct str out = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct permission_answer answer;
	struct err err = ERR_INIT;

	permission_write_allow(&out, SV("r1"),
			       &(struct permission_yes){ .updated_input = SV("{\"a\":1}"),
							 .changes = &mode,
							 .nchanges = 1,
							 .remark = SV("with tabs"),
							 .images = &image,
							 .nimages = 1 });
	doc = doc_of(out.ptr);
	CHECK_SV(json_str_or(json_path(json_root(doc), "response.request_id"), SV_EMPTY), "r1");
	CHECK_OK(permission_answer_read(&answer, json_path(json_root(doc), "response.response"),
					&err),
		 err);
	CHECK(answer.allow && !answer.interrupt);
	CHECK_INT(json_int_or(json_get(answer.updated_input, "a"), 0), 1);
	CHECK_INT(json_len(answer.changes), 1);
	CHECK_SV(answer.message, "with tabs");
	CHECK_SV(json_str_or(json_path(json_at(answer.blocks, 0), "source.data"), SV_EMPTY),
		 "AAAA");
	str_truncate(&out, 0);
	permission_write_allow(&out, SV("r2"), &(struct permission_yes){ .nchanges = 0 });
	CHECK_STR(str_c(&out), "{\"type\":\"control_response\",\"response\":{\"subtype\":"
			       "\"success\",\"request_id\":\"r2\",\"response\":{\"behavior\":"
			       "\"allow\"}}}");
}

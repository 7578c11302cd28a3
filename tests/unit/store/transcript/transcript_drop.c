/* Which records a cut may drop when the host names the turn that it is to drop. */
#include "records.h"

#define KEPT                        USER("u1", "null", "\"one\"") ANSWER("a1", P("u1"), "m1", TEXT("first"))
#define TURN                        USER("u2", P("a1"), "\"two\"") ANSWER("a2", P("u2"), "m2", TEXT("second"))
#define META(id, parent, more)      USER_MORE(id, parent, "\"note\"", ",\"isMeta\":true" more)
#define SYSTEM(id, parent, subtype) LINE("system", id, parent, "\"subtype\":\"" subtype "\"")
#define ATTACHMENT(id, parent, type) \
	LINE("attachment", id, parent, "\"attachment\":{\"type\":\"" type "\"}")
#define COMPACTED(id, old, trigger)                                          \
	LINE("system", id, "null",                                           \
	     "\"subtype\":\"compact_boundary\",\"logicalParentUuid\":\"" old \
	     "\",\"compactMetadata\":{\"trigger\":\"" trigger "\"}")         \
	USER_MORE("s" id, P(id), "\"in short\"", ",\"isCompactSummary\":true")

static const struct {
	const char *what, *text;
	const char *why; /* NULL: nothing else is dropped */
} cases[] = {
	{ "nothing", KEPT, NULL },
	{ "the turn", KEPT TURN, NULL },
	{ "its calls and their results",
	  KEPT TURN ANSWER("a3", P("a2"), "m2", CALL("c1")) RESULT_LINE("r1", P("a3"), "c1", "x"),
	  NULL },
	{ "what awl adds to a turn",
	  KEPT SYSTEM("y1", P("a1"), "turn_duration") META("n1", P("y1"), "")
		  USER("u2", P("n1"), "\"two\"") META("n2", P("u2"), "")
			  ATTACHMENT("x1", P("n2"), "structured_output")
				  ANSWER("a2", P("x1"), "m2", TEXT("second")),
	  NULL },
	{ "the ends of interrupted calls of the turn before",
	  KEPT USER("r1", P("a1"), "[" FAILED("c1") "]")
		  USER("i1", P("r1"), "[" TEXT("[Request interrupted by user for tool use]") "]")
			  USER("u2", P("i1"), "\"two\""),
	  NULL },
	{ "an automatic summary", KEPT TURN COMPACTED("b1", "a2", "auto"), NULL },
	{ "a summary that was asked for", KEPT TURN COMPACTED("b1", "a2", "manual"),
	  "b1: a summary" },
	{ "a prompt that joined the turn", KEPT TURN USER("u3", P("a2"), "\"three\""),
	  "u3: another message of the user" },
	{ "a prompt that joined it as an attachment",
	  KEPT TURN ATTACHMENT("x1", P("a2"), "queued_command")
		  ANSWER("a3", P("x1"), "m3", TEXT("x")),
	  "x1: a prompt that was queued" },
	{ "a notification",
	  KEPT TURN META("n1", P("a2"), ",\"origin\":{\"kind\":\"task-notification\"}"),
	  "n1: a notification" },
	{ "a message without a turn of its own",
	  KEPT USER("u9", P("a1"), "\"<bash-input>ls</bash-input>\"")
		  USER("u2", P("u9"), "\"two\""),
	  "u9: another message of the user" },
	{ "the rest of the response before", KEPT ANSWER("a9", P("a1"), "m1", TEXT("rest")),
	  "a9: a response of an earlier turn" },
	{ "a result of the turn before", KEPT RESULT_LINE("r1", P("a1"), "c1", "x"),
	  "r1: the result of an earlier call" },
	{ "the output of the turn before",
	  KEPT ATTACHMENT("x1", P("a1"), "structured_output") USER("u2", P("x1"), "\"two\""),
	  "x1: the output of an earlier turn" },
	{ "a conversation without that record", USER("u7", "null", "\"one\""), "no record a1" },
};

TEST(a_cut_drops_nothing_but_the_turn_that_the_host_names)
{
	for (size_t i = 0; i < countof(cases); i++) {
		TEMP_DIR(dir);
		defer(mem_freep) char *path = script_in(&dir, sv_cstr(cases[i].text));
		struct err err = ERR_INIT;
		bool fine = transcript_check_drop(path, SV("a1"), SV("u2"), &err);

		if (fine != !cases[i].why ||
		    (!fine && sv_find(sv_cstr(err.text), sv_cstr(cases[i].why)) == SIZE_MAX))
			fail_msg("%s: %s", cases[i].what, fine ? "dropped" : err.text);
	}
}

TEST(a_record_of_an_abandoned_branch_is_not_where_a_cut_can_be)
{
	TEMP_DIR(dir);
	defer(mem_freep) char *path =
		script_in(&dir, SV(KEPT TURN USER("u3", P("u1"), "\"instead\"")));
	struct err err = ERR_INIT;

	CHECK(!transcript_check_drop(path, SV("a2"), SV("u3"), &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "the conversation has no record a2");
}

TEST(a_transcript_that_cannot_be_read_allows_no_cut)
{
	struct err err = ERR_INIT;

	CHECK(!transcript_check_drop("/nowhere/x.jsonl", SV("a1"), SV("u2"), &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "/nowhere/x.jsonl");
}

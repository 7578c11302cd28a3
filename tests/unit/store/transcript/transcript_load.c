/* Which records of a file are the conversation, and what damage does to it. */
#include "base/limits.h"
#include "records.h"

#define TWO_TURNS                                  \
	USER("u1", "null", "\"one\"")              \
	ANSWER("a1", P("u1"), "m1", TEXT("first")) \
	USER("u2", P("a1"), "\"two\"")             \
	ANSWER("a2", P("u2"), "m2", TEXT("second"))
#define TWO_TURNS_SHOWN "U \"one\"\nA [" TEXT("first") "]\nU \"two\"\nA [" TEXT("second") "]\n"

TEST(a_conversation_is_loaded_as_it_was_said)
{
	LOADED(l, SV(TWO_TURNS));

	CHECK_MESSAGES(l, TWO_TURNS_SHOWN);
	CHECK_STR(l.last.text, "a2");
	CHECK_STR(l.messages.at[0].uuid.text, "u1");
	CHECK_STR(l.session_id.text, SESSION);
	CHECK_STR(str_c(&l.cwd), "/w");
	CHECK_STR(str_c(&l.model), "claude-x");
	CHECK_INT(l.cut, TRANSCRIPT_WHOLE);
	CHECK_INT(l.bad_lines, 0);
	CHECK_INT(l.dropped, 0);
	CHECK_STR(str_c(&l.notes), "");
}

#define USED(id, parent, tokens)                                                \
	MESSAGE_LINE("assistant", id, parent,                                   \
		     "\"id\":\"m1\",\"role\":\"assistant\",\"content\":[" TEXT( \
			     "a") "],"                                          \
				  "\"usage\":{\"input_tokens\":" tokens "}",    \
		     "")

TEST(what_the_last_response_used_is_known_while_it_is_of_this_conversation)
{
	LOADED(l,
	       SV(USER("u1", "null", "\"q\"") USED("a1", P("u1"), "1") USER("u2", P("a1"), "\"r\"")
			  USED("a2", P("u2"), "2") USER("u3", P("a2"), "\"s\"")));
	LOADED(shorter, SV(USER("u1", "null", "\"q\"") USED("a1", P("u1"), "1") BOUNDARY("b1", "a1")
				   SUMMARY("u2", P("b1"))));

	CHECK_STR(str_c(&l.usage), "{\"input_tokens\":2}");
	CHECK_INT(l.answered_ms, 1794733690730);
	CHECK_STR(str_c(&shorter.usage), "");
	CHECK_INT(shorter.answered_ms, 0);
}

TEST(the_latest_prompt_is_known_also_when_a_summary_has_carried_it_over)
{
	LOADED(l, SV(TWO_TURNS));
	LOADED(carried, SV(USER("u1", "null",
				"\"one\"") "{\"type\":\"user\",\"uuid\":\"u2\",\"parentUuid\":"
					   "\"u1\",\"isMeta\":true,"
					   "\"message\":{\"role\":\"user\",\"content\":[{\"type\":"
					   "\"text\",\"text\":"
					   "\"The latest request of the user, word for word:\"},"
					   "{\"type\":\"text\",\"text\":\"three\"}]}}\n"));

	CHECK_STR(str_c(&l.prompt), "{\"type\":\"text\",\"text\":\"two\"}");
	CHECK_STR(str_c(&carried.prompt), "{\"type\":\"text\",\"text\":\"three\"}");
}

TEST(an_empty_file_is_an_empty_conversation)
{
	static const struct sv files[] = { SV_INIT(""), SV_INIT("\n"), SV_INIT("\n\r\n \n") };

	for (size_t i = 0; i < countof(files); i++) {
		LOADED(l, files[i]);
		CHECK_INT(l.messages.n, 0);
		CHECK_INT(l.bad_lines, 0);
		CHECK_STR(l.last.text, "");
		CHECK_STR(l.session_id.text, SESSION); /* from the name of the file */
	}
}

TEST(a_file_that_cannot_be_read_fails_with_its_path)
{
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	struct err err;

	CHECK(!transcript_load(&l, "/nowhere/x.jsonl", SV_EMPTY, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "/nowhere/x.jsonl");
	CHECK(!transcript_load(&l, "/", SV_EMPTY, &err));
	CHECK_ERR(err, ERR_INVALID, "is a directory");
}

/* --- which records ----------------------------------------------------------------- */

struct chain_case {
	const char *what, *text, *shown;
};

static const struct chain_case chains[] = {
	{ "lines that are no messages are passed over",
	  "{\"type\":\"queue-operation\",\"operation\":\"enqueue\"}\n" USER("u1", "null", "\"q\"")
		  LINE("attachment", "x1", P("u1"), "\"attachment\":{\"type\":\"todo\"}") LINE(
			  "progress", "x2", P("x1"),
			  "\"data\":{\"uuid\":\"u1\"}") ANSWER("a1", P("x2"), "m1", TEXT("a"))
			  LINE("system", "x3", P("a1"),
			       "\"subtype\":\"turn_duration\"") "{\"type\":\"from-the-future\","
								"\"uuid\":\"zz\"}\n",
	  "U \"q\"\nA [" TEXT("a") "]\n" },
	{ "an abandoned branch is not part of it",
	  USER("u1", "null", "\"q\"") ANSWER("a1", P("u1"), "m1", TEXT("a"))
		  USER("u2", P("a1"), "\"wrong way\"") ANSWER("a2", P("u2"), "m2", TEXT("b")) USER(
			  "u3", P("a1"), "\"right way\"") ANSWER("a3", P("u3"), "m3", TEXT("c")),
	  "U \"q\"\nA [" TEXT("a") "]\nU \"right way\"\nA [" TEXT("c") "]\n" },
	{ "a side chain is not part of it",
	  USER("u1", "null", "\"q\"") "{\"parentUuid\":\"u1\",\"isSidechain\":true,\"type\":"
				      "\"assistant\",\"message\":"
				      "{\"content\":[" TEXT("other") "]},\"uuid\":\"u9\"}\n" ANSWER(
					      "a1", P("u1"), "m1",
					      TEXT("a")) "{\"isSidechain\" : "
							 "true,\"parentUuid\":\"a1\",\"type\":"
							 "\"user\",\"uuid\":\"u8\"}\n",
	  "U \"q\"\nA [" TEXT("a") "]\n" },
	{ "what was before a compact boundary is gone, the summary is there",
	  USER("u1", "null", "\"old\"") ANSWER("a1", P("u1"), "m1", TEXT("old"))
		  BOUNDARY("b1", "a1") USER_MORE("u2", P("b1"), "\"in short\"",
						 ",\"isCompactSummary\":true,"
						 "\"isVisibleInTranscriptOnly\":true")
			  ANSWER("a2", P("u2"), "m2", TEXT("new")),
	  "U \"in short\"\nA [" TEXT("new") "]\n" },
	{ "what only the screen shows is not sent, what the harness says is",
	  USER("u1", "null", "\"q\"") USER_MORE("u2", P("u1"), "\"reminder\"", ",\"isMeta\":true")
		  ANSWER_MORE("e1", P("u2"), "m0", TEXT("API Error"), ",\"isApiErrorMessage\":true")
			  MESSAGE_LINE("assistant", "e2", P("e1"),
				       "\"model\":\"<synthetic>\",\"content\":[" TEXT("No") "]",
				       "") USER_MORE("v1", P("e2"), "\"shown\"",
						     ",\"isVisibleInTranscriptOnly\":true")
				  USER_MORE("v2", P("v1"), "\"shown\"", ",\"isVirtual\":true")
					  ANSWER("a1", P("v2"), "m1", TEXT("a")),
	  "U [" TEXT("q") "," TEXT("reminder") "]\nA [" TEXT("a") "]\n" },
	{ "of two records with one id the first counts",
	  USER("u1", "null", "\"q\"") ANSWER("a1", P("u1"), "m1", TEXT("real"))
		  ANSWER("a1", P("u1"), "m1", TEXT("stub")) USER("u2", P("a1"), "\"r\"")
			  ANSWER("a2", P("u2"), "m2", TEXT("b")) USER("u2", P("u9"), "\"stub\"")
				  ANSWER("a3", P("a2"), "m3", TEXT("c")),
	  "U \"q\"\nA [" TEXT("real") "]\nU \"r\"\nA [" TEXT("b") "," TEXT("c") "]\n" },
	{ "a cycle ends", USER("u1", P("a1"), "\"q\"") ANSWER("a1", P("u1"), "m1", TEXT("a")),
	  "U \"q\"\nA [" TEXT("a") "]\n" },
	{ "a record that is its own parent is the first",
	  USER("u1", P("u1"), "\"q\"") ANSWER("a1", P("u1"), "m1", TEXT("a")),
	  "U \"q\"\nA [" TEXT("a") "]\n" },
	{ "a missing parent begins the conversation",
	  USER("u1", "null", "\"lost\"") ANSWER("a1", P("gone"), "m1", TEXT("a"))
		  USER("u2", P("a1"), "\"q\""),
	  STAND_IN "A [" TEXT("a") "]\nU \"q\"\n" },
	{ "ids inside of messages mean nothing",
	  USER("u1", "null", "\"\\\"uuid\\\":\\\"a1\\\"\"") ANSWER(
		  "a1", P("u1"), "m1",
		  "{\"type\":\"text\",\"text\":\"a\",\"uuid\":\"u1\",\"parentUuid\":\"zz\"}"),
	  "U \"\\\"uuid\\\":\\\"a1\\\"\"\nA [{\"type\":\"text\",\"text\":\"a\",\"uuid\":\"u1\","
	  "\"parentUuid\":\"zz\"}]\n" },
	{ "bytes stay as they are",
	  USER("u1", "null", "\"\\u0041\\/ \xe2\x80\xa8 \\ud83d\\ude00\"") ANSWER(
		  "a1", P("u1"), "m1", "{ \"text\" : \"1\" , \"n\":1.50e0,\"type\":\"text\"}"),
	  "U \"\\u0041\\/ \xe2\x80\xa8 \\ud83d\\ude00\"\n"
	  "A [{ \"text\" : \"1\" , \"n\":1.50e0,\"type\":\"text\"}]\n" },
};

TEST(the_chain_is_what_leads_from_the_last_record_to_the_first)
{
	for (size_t i = 0; i < countof(chains); i++) {
		LOADED(l, sv_cstr(chains[i].text));
		check_messages(&l, chains[i].what, chains[i].shown);
		CHECK_INT(l.bad_lines, 0);
	}
}

TEST(a_missing_parent_is_said)
{
	LOADED(l, SV(ANSWER("a1", P("gone"), "m1", TEXT("a"))));

	CHECK(strstr(str_c(&l.notes), "record gone was not found"));
}

/* --- messages that a compaction keeps -------------------------------------------------- */

#define OLD                                      \
	USER("u1", "null", "\"old\"")            \
	ANSWER("a1", P("u1"), "m1", TEXT("old")) \
	USER("u2", P("a1"), "\"kept\"")          \
	ANSWER("a2", P("u2"), "m2", CALL("t1"))  \
	RESULT_LINE("r2", P("a2"), "t1", "1")    \
	ANSWER("a3", P("r2"), "m3", TEXT("kept too"))
#define KEPT                                                                         \
	"U [" TEXT("in short") "," TEXT("kept") "]\nA [" CALL("t1") "]\nU [" RESULT( \
		"t1", "1") "]\nA [" TEXT("kept too") "]\n"
#define KEPT_SHOWN KEPT "U \"more\"\nA [" TEXT("new") "]\n"

static const struct chain_case kept[] = {
	{ "they follow the summary",
	  OLD BOUNDARY_KEEPS("b1", "a3", "s1", "u2", "a3") SUMMARY("s1", P("b1"))
		  USER("u3", P("s1"), "\"more\"") ANSWER("a4", P("u3"), "m4", TEXT("new")),
	  KEPT_SHOWN },
	{ "they are listed",
	  OLD BOUNDARY_LISTS("b1", "a3", "s1", "[\"u2\",\"a2\",\"r2\",\"a3\"]")
		  SUMMARY("s1", P("b1")) USER("u3", P("s1"), "\"more\"")
			  ANSWER("a4", P("u3"), "m4", TEXT("new")),
	  KEPT_SHOWN },
	{ "one of the list is not there",
	  OLD BOUNDARY_LISTS("b1", "a3", "s1", "[\"gone\",\"u2\",\"a2\",\"r2\",\"a3\"]")
		  SUMMARY("s1", P("b1")) USER("u3", P("s1"), "\"more\"")
			  ANSWER("a4", P("u3"), "m4", TEXT("new")),
	  KEPT_SHOWN },
	{ "the next message names the last of them",
	  OLD BOUNDARY_KEEPS("b1", "a3", "s1", "u2", "a3") SUMMARY("s1", P("b1"))
		  USER("u3", P("a3"), "\"more\"") ANSWER("a4", P("u3"), "m4", TEXT("new")),
	  KEPT_SHOWN },
	{ "they come before the summary",
	  OLD BOUNDARY_KEEPS("b1", "a3", "b1", "u2", "a3") SUMMARY("s1", P("b1"))
		  ANSWER("a4", P("s1"), "m4", TEXT("new")),
	  "U \"kept\"\nA [" CALL("t1") "]\nU [" RESULT("t1", "1") "]\nA [" TEXT(
		  "kept too") "]\nU \"in short\"\nA [" TEXT("new") "]\n" },
	{ "nothing but the compaction has happened since",
	  OLD BOUNDARY_KEEPS("b1", "a3", "s1", "u2", "a3") SUMMARY("s1", P("b1")), KEPT },
	{ "the chain does not lead from the last to the first of them",
	  OLD BOUNDARY_KEEPS("b1", "a3", "s1", "gone", "a3") SUMMARY("s1", P("b1"))
		  ANSWER("a4", P("s1"), "m4", TEXT("new")),
	  "U \"in short\"\nA [" TEXT("new") "]\n" },
	{ "the last of them is not there",
	  OLD BOUNDARY_KEEPS("b1", "a3", "s1", "u2", "gone") SUMMARY("s1", P("b1"))
		  ANSWER("a4", P("s1"), "m4", TEXT("new")),
	  "U \"in short\"\nA [" TEXT("new") "]\n" },
	{ "a later compaction keeps none",
	  OLD BOUNDARY_KEEPS("b1", "a3", "s1", "u2", "a3") SUMMARY("s1", P("b1"))
		  ANSWER("a4", P("s1"), "m4", TEXT("new")) BOUNDARY("b2", "a4")
			  USER("u4", P("b2"), "\"shorter\"") ANSWER("a5", P("u4"), "m5", TEXT("a")),
	  "U \"shorter\"\nA [" TEXT("a") "]\n" },
	{ "a later compaction keeps some of those that an earlier one has kept",
	  OLD BOUNDARY_KEEPS("b1", "a3", "s1", "u2", "a3") SUMMARY("s1", P("b1")) USER(
		  "u3", P("s1"), "\"more\"") ANSWER("a4", P("u3"), "m4", TEXT("new"))
		  BOUNDARY_LISTS("b2", "a4", "s2", "[\"a3\",\"u3\",\"a4\"]") SUMMARY("s2", P("b2")),
	  "U \"in short\"\nA [" TEXT("kept too") "]\nU \"more\"\nA [" TEXT("new") "]\n" },
	{ "they were recorded anew",
	  OLD BOUNDARY_LISTS("b1", "a3", "s1", "[\"u3\",\"a4\"]") SUMMARY("s1", P("b1"))
		  USER("u3", P("s1"), "\"kept\"") ANSWER("a4", P("u3"), "m1", TEXT("anew")),
	  "U [" TEXT("in short") "," TEXT("kept") "]\nA [" TEXT("anew") "]\n" },
	{ "a chain of them was recorded anew",
	  OLD BOUNDARY_KEEPS("b1", "a3", "s1", "u3", "a4") SUMMARY("s1", P("b1"))
		  USER("u3", P("s1"), "\"kept\"") ANSWER("a4", P("u3"), "m1", TEXT("anew"))
			  USER("u4", P("a4"), "\"more\""),
	  "U [" TEXT("in short") "," TEXT("kept") "]\nA [" TEXT("anew") "]\nU \"more\"\n" },
	{ "what names them is damaged",
	  OLD LINE("system", "b1", "null",
		   "\"subtype\":\"compact_boundary\",\"compactMetadata\":{\"preservedSegment\":[1],"
		   "\"preservedMessages\":{\"uuids\":7}}") SUMMARY("s1", P("b1"))
		  ANSWER("a4", P("s1"), "m4", TEXT("new")),
	  "U \"in short\"\nA [" TEXT("new") "]\n" },
};

TEST(messages_that_a_compaction_has_kept_are_loaded_with_its_summary)
{
	for (size_t i = 0; i < countof(kept); i++) {
		LOADED(l, sv_cstr(kept[i].text));
		check_messages(&l, kept[i].what, kept[i].shown);
		CHECK_INT(l.bad_lines, 0);
	}
}

/* --- calls that ran in parallel ------------------------------------------------------ */

#define ASKED USER("u1", "null", "\"q\"")
#define BOTH                                                                                 \
	"U \"q\"\nA [" CALL("t1") "," CALL("t2") "]\nU [" RESULT("t1", "1") "," RESULT("t2", \
										       "2") "]\n"

static const struct chain_case forks[] = {
	{ "each result hangs from its call",
	  ASKED ANSWER("a1", P("u1"), "m1", CALL("t1")) ANSWER("a2", P("a1"), "m1", CALL("t2"))
		  RESULT_LINE("r1", P("a1"), "t1", "1") RESULT_LINE("r2", P("a2"), "t2", "2")
			  ANSWER("a3", P("r2"), "m2", TEXT("done")),
	  BOTH "A [" TEXT("done") "]\n" },
	{ "a result came before the next call was written",
	  ASKED ANSWER("a1", P("u1"), "m1", CALL("t1")) RESULT_LINE("r1", P("a1"), "t1", "1")
		  ANSWER("a2", P("a1"), "m1", CALL("t2")) RESULT_LINE("r2", P("a2"), "t2", "2")
			  ANSWER("a3", P("r2"), "m2", TEXT("done")),
	  BOTH "A [" TEXT("done") "]\n" },
	{ "the calls hang from the same record",
	  ASKED ANSWER("a1", P("u1"), "m1", CALL("t1")) ANSWER("a2", P("u1"), "m1", CALL("t2"))
		  RESULT_LINE("r1", P("a1"), "t1", "1") RESULT_LINE("r2", P("a2"), "t2", "2")
			  ANSWER("a3", P("r2"), "m2", TEXT("done")),
	  BOTH "A [" TEXT("done") "]\n" },
	{ "the chain goes by way of the first call",
	  ASKED ANSWER("a1", P("u1"), "m1", CALL("t1")) ANSWER("a2", P("u1"), "m1", CALL("t2"))
		  RESULT_LINE("r2", P("a2"), "t2", "2") RESULT_LINE("r1", P("a1"), "t1", "1")
			  ANSWER("a3", P("r1"), "m2", TEXT("done")),
	  BOTH "A [" TEXT("done") "]\n" },
	{ "a stray is there twice",
	  ASKED ANSWER("a1", P("u1"), "m1", CALL("t1")) ANSWER("a2", P("u1"), "m1", CALL("t2"))
		  ANSWER("a2", P("u1"), "m1", CALL("t2")) RESULT_LINE("r2", P("a2"), "t2", "2")
			  RESULT_LINE("r2", P("a2"), "t2", "no")
				  RESULT_LINE("r1", P("a1"), "t1", "1")
					  ANSWER("a3", P("r1"), "m2", TEXT("done")),
	  BOTH "A [" TEXT("done") "]\n" },
	{ "words beside a result that hangs apart are not taken along",
	  ASKED ANSWER("a1", P("u1"), "m1", CALL("t1")) ANSWER("a2", P("a1"), "m1", CALL("t2"))
		  USER("r1", P("a1"), "[" TEXT("aside") "," RESULT("t1", "1") "]") RESULT_LINE(
			  "r2", P("a2"), "t2", "2") ANSWER("a3", P("r2"), "m2", TEXT("done")),
	  BOTH "A [" TEXT("done") "]\n" },
	{ "a sibling and its result both hang apart, and text came first",
	  ASKED ANSWER("a0", P("u1"), "m1", TEXT("look")) ANSWER("a1", P("a0"), "m1", CALL("t1"))
		  ANSWER("a2", P("a0"), "m1", CALL("t2")) RESULT_LINE("r1", P("a1"), "t1", "1")
			  RESULT_LINE("r2", P("a2"), "t2", "2") USER("u2", P("r1"), "\"and\""),
	  "U \"q\"\nA [" TEXT("look") "," CALL("t1") "," CALL("t2") "]\nU [" RESULT(
		  "t1", "1") "," RESULT("t2", "2") "," TEXT("and") "]\n" },
};

TEST(no_call_of_an_answer_is_lost_however_its_records_hang_together)
{
	for (size_t i = 0; i < countof(forks); i++) {
		LOADED(l, sv_cstr(forks[i].text));
		check_messages(&l, forks[i].what, forks[i].shown);
		CHECK_INT(l.bad_lines, 0);
	}
}

/* --- ending elsewhere ---------------------------------------------------------------- */

TEST(a_conversation_can_be_taken_up_at_an_earlier_record)
{
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;

	load_text(&l, SV(TWO_TURNS), "a1");
	CHECK_MESSAGES(l, "U \"one\"\nA [" TEXT("first") "]\n");
	CHECK_STR(l.last.text, "a1");
}

TEST(a_record_to_end_with_that_is_not_there_fails)
{
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	TEMP_DIR(dir);
	defer(mem_freep) char *path = script_in(&dir, SV(TWO_TURNS));
	struct err err;

	CHECK(!transcript_load(&l, path, SV("nope"), &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "nope");
}

/* --- damage -------------------------------------------------------------------------- */

static const struct {
	const char *what;
	struct sv line;
} damages[] = {
	{ "no JSON", SV_INIT("what is this\n") },
	{ "half a line", SV_INIT("{\"parentUuid\":\"u1\",\"type\":\"user\",\"mess\n") },
	{ "two half lines", SV_INIT("{\"parentUuid\":\"u1\",\"type\":\"us{\"parentUuid\":\"a1\","
				    "\"type\":\"user\",\"uuid\":\"z\"}\n") },
	{ "two half lines in a message",
	  SV_INIT("{\"type\":\"user\",\"message\":{\"content\":\"he{\"type\":\"user\","
		  "\"message\":{\"content\":\"x\"},\"uuid\":\"z\"}\n") },
	{ "NUL bytes", SV_INIT("\0\0\0\0\0\0\0\0\n") },
	{ "NUL bytes between members", SV_INIT("{\"type\":\"user\",\0\0\"uuid\":\"z\"}\n") },
	{ "an array", SV_INIT("[1,2]\n") },
	{ "a number", SV_INIT("17\n") },
	{ "more than one object", SV_INIT("{\"type\":\"x\"}{\"type\":\"x\"}\n") },
	{ "bytes that are no text", SV_INIT("\xff\xfe\x80{}\n") },
};

TEST(damaged_lines_are_skipped_and_counted)
{
	struct sv all = SV(TWO_TURNS);

	for (size_t i = 0; i < countof(damages); i++) {
		for (size_t at = 0; at <= all.len; at++) {
			defer(str_clear) struct str text = STR_INIT;

			if (at && all.ptr[at - 1] != '\n')
				continue;
			str_add(&text, sv_slice(all, 0, at));
			str_add(&text, damages[i].line);
			str_add(&text, sv_skip(all, at));
			LOADED(l, sv_of(&text));
			CHECK_MESSAGES(l, TWO_TURNS_SHOWN);
			CHECK_INT(l.bad_lines, 1);
			CHECK_STR(str_c(&l.notes), "1 damaged line was skipped.\n");
		}
	}
}

/* --- a damaged record between others --- */

/* What a record of the middle may have become. */
static const char *const torn_records[] = {
	"what is this\n",
	"{\"parentUuid\":\"a1\",\"type\":\"user\",\"uuid\":\"u2\",\"mess\n",
	/* fields of the wrong type */
	"{\"type\":\"user\",\"parentUuid\":\"a1\",\"uuid\":7,\"message\":{\"content\":\"x\"}}\n",
	"{\"type\":\"user\",\"parentUuid\":\"a1\",\"uuid\":[\"u2\"],\"message\":{\"content\":\"x\"}"
	"}\n",
	"{\"type\":\"user\",\"parentUuid\":\"a1\",\"uuid\":\"u2\",\"message\":\"x\"}\n",
	"{\"type\":\"user\",\"parentUuid\":\"a1\",\"uuid\":\"u2\",\"message\":{\"content\":{}}}\n",
	"{\"type\":[1],\"parentUuid\":\"a1\",\"uuid\":\"u2\",\"message\":{\"content\":17}}\n",
	"{\"type\":\"user\",\"parentUuid\":{\"a\":1},\"uuid\":\"u2\",\"message\":{\"content\":"
	"false}}\n",
	"{\"type\":\"user\",\"parentUuid\":17,\"uuid\":\"u2\",\"message\":{\"content\":[[]]}}\n",
	/* half a surrogate pair */
	"{\"type\":\"user\",\"parentUuid\":\"a1\",\"uuid\":\"\\udc00\",\"message\":{\"content\":"
	"\"x\"}}\n",
};

TEST(a_damaged_record_costs_nothing_of_what_came_before_it)
{
	for (size_t i = 0; i < countof(torn_records); i++) {
		defer(str_clear) struct str text = STR_INIT;

		str_adds(&text,
			 USER("u1", "null", "\"one\"") ANSWER("a1", P("u1"), "m1", TEXT("first")));
		str_adds(&text, torn_records[i]);
		str_adds(&text, ANSWER("a2", P("u2"), "m2", TEXT("second")));
		LOADED(l, sv_of(&text));
		check_messages(&l, torn_records[i],
			       "U \"one\"\nA [" TEXT("first") "," TEXT("second") "]\n");
		CHECK_STR(l.last.text, "a2");
		CHECK(sv_find(sv_of(&l.notes), SV("missing")) == SIZE_MAX);
	}
}

TEST(many_damaged_records_cost_only_themselves)
{
	defer(str_clear) struct str text = STR_INIT, shown = STR_INIT;

	for (int n = 0; n < 50; n++) {
		char parent[16] = "null";

		if (n)
			snprintf(parent, sizeof(parent), "\"a%d\"", n - 1);
		str_addf(&text, USER("u%d", "%s", "\"%d\""), parent, n, n);
		if (n % 3)
			str_addf(&text, ANSWER("a%d", P("u%d"), "m%d", TEXT("%d")), n, n, n, n);
		else
			str_addf(&text, "torn %d\n", n);
	}
	LOADED(l, sv_of(&text));
	CHECK_INT(l.bad_lines, 17);
	show_messages(&shown, &l);
	for (int n = 0; n < 50; n++) {
		defer(str_clear) struct str prompt = STR_INIT, answer = STR_INIT;

		str_addf(&prompt, "\"%d\"", n);
		str_addf(&answer, TEXT("%d"), n);
		CHECK(sv_find(sv_of(&shown), sv_of(&prompt)) != SIZE_MAX);
		CHECK(n % 3 == 0 || sv_find(sv_of(&shown), sv_of(&answer)) != SIZE_MAX);
	}
}

TEST(a_record_beside_the_damage_is_not_taken_for_its_parent)
{
	LOADED(l,
	       SV(USER("u1", "null", "\"one\"") ANSWER("a1", P("u1"), "m1", TEXT("first")) USER(
		       "u9", P("a1"), "\"abandoned\"") "damaged\n" USER("u2", P("a1"), "\"two\"")));

	CHECK_MESSAGES(l, "U \"one\"\nA [" TEXT("first") "]\nU \"two\"\n");
}

TEST(a_message_that_is_damaged_inside_does_not_break_the_chain)
{
	static const char *const contents[] = { "[{\"type\":\"text\",\"text\":\"\x01\"}]",
						"\"\xff\"", "[tru]", "[1 2]", "\"\\x\"" };

	for (size_t i = 0; i < countof(contents); i++) {
		defer(str_clear) struct str text = STR_INIT;

		str_adds(&text,
			 USER("u1", "null", "\"one\"") ANSWER("a1", P("u1"), "m1", TEXT("b")));
		str_addf(&text,
			 "{\"type\":\"user\",\"parentUuid\":\"a1\",\"uuid\":\"u2\",\"message\":"
			 "{\"content\":%s}}\n",
			 contents[i]);
		str_adds(&text, ANSWER("a2", P("u2"), "m2", TEXT("c")));
		LOADED(l, sv_of(&text));
		CHECK_MESSAGES(l, "U \"one\"\nA [" TEXT("b") "," TEXT("c") "]\n");
		CHECK_INT(l.bad_lines, 1);
	}
}

TEST(windows_line_ends_and_a_byte_order_mark_are_no_damage)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest = SV(TWO_TURNS), line;

	str_adds(&text, "\xef\xbb\xbf");
	while (sv_cut_line(&rest, &line))
		str_addf(&text, "%.*s\r\n\r\n", SV_ARG(line));
	LOADED(l, sv_of(&text));
	CHECK_MESSAGES(l, TWO_TURNS_SHOWN);
	CHECK_INT(l.bad_lines, 0);
}

/* With everything a file can be cut in: text, parallel calls, results, notes. */
#define LONG_STORY                                                                                \
	TWO_TURNS USER("u3", P("a2"), "[" TEXT("three") "]") ANSWER("a3", P("u3"), "m3", THOUGHT) \
		ANSWER("a4", P("a3"), "m3", CALL("t1")) ANSWER("a5", P("a4"), "m3", CALL("t2"))   \
			RESULT_LINE("r1", P("a4"), "t1", "1") RESULT_LINE("r2", P("a5"), "t2",    \
									  "2")                    \
				ANSWER("a6", P("r2"), "m4",                                       \
				       TEXT("end")) "{\"type\":\"custom-title\",\"customTitle\":" \
						    "\"t\",\"sessionId\":\"" SESSION "\"}\n"

TEST(cut_off_anywhere_a_file_loses_its_last_record_at_most)
{
	static const char *const ids[] = { "",   "u1", "a1", "u2", "a2", "u3", "a3",
					   "a4", "a5", "r1", "r2", "a6", "a6" };
	struct sv all = SV(LONG_STORY);

	for (size_t k = 0; k <= all.len; k++) {
		size_t whole = 0; /* lines with all their bytes, but perhaps the last */

		for (size_t i = 0; i < all.len; i++)
			whole += all.ptr[i] == '\n' && i <= k;
		LOADED(l, sv_slice(all, 0, k));
		CHECK_STR(l.last.text, ids[whole]);
		CHECK_INT(l.bad_lines,
			  k > 0 && k < all.len && all.ptr[k - 1] != '\n' && all.ptr[k] != '\n');
	}
}

TEST(a_line_over_the_limit_is_skipped)
{
	defer(str_clear) struct str text = STR_INIT;

	str_adds(&text, USER("u1", "null", "\"q\"") "{\"type\":\"progress\",\"x\":\"");
	str_reserve(&text, LIMIT_TRANSCRIPT_LINE + 4096);
	memset(text.ptr + text.len, 'x', LIMIT_TRANSCRIPT_LINE);
	text.len += LIMIT_TRANSCRIPT_LINE;
	str_adds(&text, "\"}\n" ANSWER("a1", P("u1"), "m1", TEXT("a")));
	LOADED(l, sv_of(&text));
	CHECK_MESSAGES(l, "U \"q\"\nA [" TEXT("a") "]\n");
	CHECK_INT(l.bad_lines, 1);
}

/* --- too much ------------------------------------------------------------------------ */

/* Turns of about 64 KiB each: a prompt, a call, its result, and a last word. */
static void add_turn(struct str *text, int n, const char *parent, const char *filler)
{
	str_addf(text, USER("u%d", "%s", "\"%d\""), parent, n, n);
	str_addf(text, ANSWER("c%d", P("u%d"), "m%d", CALL("t%d")), n, n, n, n);
	str_addf(text, USER("r%d", P("c%d"), "[" RESULT("t%d", "%s") "]"), n, n, filler, n);
	str_addf(text, ANSWER("a%d", P("r%d"), "n%d", TEXT("%d")), n, n, n, n);
}

TEST(of_a_conversation_that_is_too_long_the_newest_turns_are_kept)
{
	defer(str_clear) struct str text = STR_INIT, filler = STR_INIT;
	char parent[32] = "null";
	struct sv first;

	str_reserve(&filler, 64 * KIB);
	while (filler.len < 64 * KIB)
		str_adds(&filler, "x");
	for (int n = 0; n < 200; n++) {
		add_turn(&text, n, parent, str_c(&filler));
		snprintf(parent, sizeof(parent), "\"a%d\"", n);
	}
	LOADED(l, sv_of(&text));
	first = sv_of(&l.messages.at[0].json);
	CHECK(l.messages.n > 4 * 120 && l.messages.n < 4 * 128);
	CHECK_INT(l.messages.n % 4, 0);
	CHECK(sv_starts(first, SV("{\"role\":\"user\",\"content\":\"")));
	CHECK_STR(l.last.text, "a199");
	CHECK(l.dropped > 0);
	CHECK(strstr(str_c(&l.notes), "awl loads only the newest 8 MiB of a conversation"));
}

TEST(of_a_turn_that_is_too_long_the_end_is_kept)
{
	defer(str_clear) struct str text = STR_INIT, filler = STR_INIT;

	while (filler.len < 64 * KIB)
		str_adds(&filler, "x");
	str_adds(&text, USER("r0", "null", "\"q\""));
	for (int n = 1; n < 200; n++) {
		str_addf(&text, ANSWER("c%d", P("r%d"), "m%d", CALL("t%d")), n - 1, n, n, n);
		str_addf(&text, USER("r%d", P("c%d"), "[" RESULT("t%d", "%s") "]"), n, n,
			 str_c(&filler), n);
	}
	LOADED(l, sv_of(&text));
	CHECK(l.messages.n > 2 * 120 && l.messages.n < 2 * 130);
	CHECK(sv_find(sv_of(&l.messages.at[0].json), SV("no longer available")) != SIZE_MAX);
	CHECK_INT(l.cut, TRANSCRIPT_CUT_REPLY);
}

/* A result of 12 MB, a prompt of 12 MB, and one that is the last record. */
TEST(a_message_that_is_too_long_alone_costs_only_itself)
{
	defer(str_clear) struct str filler = STR_INIT, result = STR_INIT, last = STR_INIT;

	while (filler.len < 12 * MIB)
		str_adds(&filler, "0123456789abcdef");
	str_adds(&result, TWO_TURNS ANSWER("a3", P("a2"), "m3", CALL("t1")));
	str_addf(&result, USER("r1", P("a3"), "[" RESULT("t1", "%s") "]"), str_c(&filler));
	str_adds(&result, ANSWER("a4", P("r1"), "m4", TEXT("third")));
	str_adds(&last, TWO_TURNS);
	str_addf(&last, USER("u3", P("a2"), "\"%s\""), str_c(&filler));
	{
		LOADED(l, sv_of(&result));
		CHECK_MESSAGES(
			l,
			"U \"one\"\nA [" TEXT("first") "]\nU \"two\"\nA [" TEXT("second") "," CALL(
				"t1") "]\nU [" FAILED("t1") "]\nA [" TEXT("third") "]\n");
		CHECK_STR(str_c(&l.notes), "1 message was skipped: larger than 8 MiB.\n"
					   "1 tool call had no result and counts as failed.\n");
	}
	LOADED(l, sv_of(&last));
	CHECK_MESSAGES(l, TWO_TURNS_SHOWN);
	CHECK_STR(l.last.text, "u3");
}

/* --- what lines say besides ------------------------------------------------------------ */

#define TITLE(text) "{\"type\":\"custom-title\",\"customTitle\":\"" text "\",\"sessionId\":\"x\"}\n"
#define COST(n)     "{\"type\":\"cost-state\",\"total\":" n "}"
#define TODOS(text) "{\"type\":\"todos\",\"todos\":[{\"content\":\"" text "\"}]}\n"
#define TODO_CALL(text)                                                          \
	"{\"type\":\"tool_use\",\"id\":\"t9\",\"name\":\"TodoWrite\",\"input\":" \
	"{\"todos\":[{\"content\":\"" text "\"}]}}"

TEST(the_newest_notes_count)
{
	LOADED(l,
	       SV(TITLE("old") COST("1") "\n" TWO_TURNS TITLE("n\\u00e9w \\\"x\\\"") COST(
		       "2.50") "\r\n"
			       "{\"type\":\"permission-mode\",\"permissionMode\":\"plan\"}\n"
			       "{\"type\":\"summary\",\"summary\":\"s\",\"leafUuid\":\"a2\"}\n"));

	CHECK_STR(str_c(&l.title), "n\xc3\xa9w \"x\"");
	CHECK_STR(str_c(&l.cost_state), COST("2.50"));
	CHECK_STR(str_c(&l.permission_mode), "plan");
}

TEST(a_summary_is_a_title_for_want_of_a_better_one)
{
	LOADED(l, SV("{\"type\":\"summary\",\"summary\":\"s\",\"leafUuid\":\"a2\"}\n" TWO_TURNS));

	CHECK_STR(str_c(&l.title), "s");
}

TEST(todos_are_those_of_the_newest_call_or_note)
{
	static const struct {
		const char *text, *todos;
	} cases[] = {
		{ TWO_TURNS, "" },
		{ TWO_TURNS TODOS("note"), "[{\"content\":\"note\"}]" },
		{ TWO_TURNS ANSWER("a3", P("a2"), "m3", TODO_CALL("call")),
		  "[{\"content\":\"call\"}]" },
		{ TWO_TURNS ANSWER("a3", P("a2"), "m3", TODO_CALL("call")) TODOS("note"),
		  "[{\"content\":\"note\"}]" },
		{ TWO_TURNS TODOS("note") ANSWER("a3", P("a2"), "m3", TODO_CALL("call")),
		  "[{\"content\":\"call\"}]" },
		{ TWO_TURNS ANSWER("a3", P("a2"), "m3", TODO_CALL("call"))
			  USER("u9", P("a2"), "\"another way\""),
		  "" },
		{ TWO_TURNS "{\"type\":\"todos\",\"todos\":{}}\n", "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		LOADED(l, sv_cstr(cases[i].text));
		CHECK_STR(str_c(&l.todos), cases[i].todos);
	}
}

/* A chain that ends soon, in a file that goes back far. */
static void add_ballast(struct str *text, size_t bytes)
{
	size_t end = text->len + bytes;

	while (text->len < end)
		str_adds(text, "{\"type\":\"progress\",\"uuid\":\"p\",\"data\":\"0123456789\"}\n");
}

TEST(notes_are_looked_for_at_both_ends_of_the_file)
{
	defer(str_clear) struct str text = STR_INIT;

	str_adds(&text, TITLE("early"));
	add_ballast(&text, 2 * MIB);
	str_adds(&text, COST("1") "\n");
	add_ballast(&text, 512 * KIB);
	str_adds(&text, TWO_TURNS);
	LOADED(l, sv_of(&text));
	CHECK_STR(str_c(&l.title), "early");
	CHECK_STR(str_c(&l.cost_state), COST("1"));
	CHECK_MESSAGES(l, TWO_TURNS_SHOWN);
}

/* What is made of records that no model would accept as they are. */
#include "records.h"

struct mend_case {
	const char *what, *text, *shown;
	enum transcript_cut cut;
	const char *note;
};

#define Q USER("u1", "null", "\"q\"")

static const struct mend_case cases[] = {
	{ "nothing to mend", Q ANSWER("a1", P("u1"), "m1", TEXT("a")),
	  "U \"q\"\nA [" TEXT("a") "]\n", TRANSCRIPT_WHOLE, "" },
	{ "an answer is always a list of blocks",
	  Q MESSAGE_LINE("assistant", "a1", P("u1"), "\"content\":\"a\"", ""),
	  "U \"q\"\nA [" TEXT("a") "]\n", TRANSCRIPT_WHOLE, "" },
	{ "a prompt without an answer", Q, "U \"q\"\n", TRANSCRIPT_CUT_PROMPT, "" },
	{ "a prompt that failed",
	  Q ANSWER_MORE("a1", P("u1"), "m1", TEXT("API Error"), ",\"isApiErrorMessage\":true"),
	  "U \"q\"\n", TRANSCRIPT_CUT_PROMPT, "" },
	{ "an answer that stops while thinking", Q ANSWER("a1", P("u1"), "m1", THOUGHT),
	  "U \"q\"\n", TRANSCRIPT_CUT_REPLY, "1 empty message was skipped.\n" },
	{ "results that the model never saw",
	  Q ANSWER("a1", P("u1"), "m1", CALL("t1")) RESULT_LINE("r1", P("a1"), "t1", "1"),
	  "U \"q\"\nA [" CALL("t1") "]\nU [" RESULT("t1", "1") "]\n", TRANSCRIPT_CUT_REPLY, "" },
	{ "a message to the user is an end",
	  Q ANSWER("a1", P("u1"), "m1",
		   "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Brief\",\"input\":{}}")
		  RESULT_LINE("r1", P("a1"), "t1", "1"),
	  "U \"q\"\nA [{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Brief\",\"input\":{}}]\n"
	  "U [" RESULT("t1", "1") "]\n",
	  TRANSCRIPT_WHOLE, "" },
	{ "a call without a result",
	  Q ANSWER("a1", P("u1"), "m1", TEXT("a")) ANSWER("a2", P("a1"), "m1", CALL("t1")),
	  "U \"q\"\nA [" TEXT("a") "," CALL("t1") "]\nU [" FAILED("t1") "]\n", TRANSCRIPT_CUT_TOOLS,
	  "1 tool call had no result and counts as failed.\n" },
	{ "one of two calls without a result",
	  Q ANSWER("a1", P("u1"), "m1", CALL("t1")) ANSWER("a2", P("a1"), "m1", CALL("t2"))
		  RESULT_LINE("r2", P("a2"), "t2", "2"),
	  "U \"q\"\nA [" CALL("t1") "," CALL("t2") "]\nU [" FAILED("t1") "," RESULT("t2",
										    "2") "]\n",
	  TRANSCRIPT_CUT_TOOLS, "1 tool call had no result and counts as failed.\n" },
	{ "a call without a result, and words",
	  Q ANSWER("a1", P("u1"), "m1", CALL("t1")) USER("u2", P("a1"), "\"go on\""),
	  "U \"q\"\nA [" CALL("t1") "]\nU [" FAILED("t1") "," TEXT("go on") "]\n",
	  TRANSCRIPT_CUT_PROMPT, "1 tool call had no result and counts as failed.\n" },
	{ "the user had stopped it",
	  Q ANSWER("a1", P("u1"), "m1", CALL("t1"))
		  USER("u2", P("a1"), "[" TEXT("[Request interrupted by user for tool use]") "]"),
	  "U \"q\"\nA [" CALL("t1") "]\nU [" FAILED("t1") "," TEXT(
		  "[Request interrupted by user for tool use]") "]\n",
	  TRANSCRIPT_WHOLE, "1 tool call had no result and counts as failed.\n" },
	{ "the user had stopped the prompt",
	  Q USER("u2", P("u1"), "\"[Request interrupted by user]\""),
	  "U [" TEXT("q") "," TEXT("[Request interrupted by user]") "]\n", TRANSCRIPT_WHOLE, "" },
	{ "a command of the terminal asks for nothing",
	  Q ANSWER("a1", P("u1"), "m1", TEXT("a"))
		  USER("u2", P("a1"), "\"<local-command-stdout>x</local-command-stdout>\""),
	  "U \"q\"\nA [" TEXT("a") "]\nU \"<local-command-stdout>x</local-command-stdout>\"\n",
	  TRANSCRIPT_WHOLE, "" },
	{ "the harness asks for nothing",
	  Q ANSWER("a1", P("u1"), "m1", TEXT("a"))
		  USER_MORE("u2", P("a1"), "\"reminder\"", ",\"isMeta\":true"),
	  "U \"q\"\nA [" TEXT("a") "]\nU \"reminder\"\n", TRANSCRIPT_WHOLE, "" },
	{ "a result without a call",
	  Q RESULT_LINE("r1", P("u1"), "t1", "1") ANSWER("a1", P("r1"), "m1", TEXT("a")),
	  "U \"q\"\nA [" TEXT("a") "]\n", TRANSCRIPT_WHOLE,
	  "1 tool result without a call was skipped.\n" },
	{ "nothing but a result without a call", RESULT_LINE("r1", "null", "t1", "1"), "",
	  TRANSCRIPT_WHOLE,
	  "1 tool result without a call was skipped.\n1 empty message was skipped.\n" },
	{ "two results for one call",
	  Q ANSWER("a1", P("u1"), "m1", CALL("t1")) RESULT_LINE("r1", P("a1"), "t1", "1")
		  RESULT_LINE("r2", P("r1"), "t1", "2") ANSWER("a2", P("r2"), "m2", TEXT("a")),
	  "U \"q\"\nA [" CALL("t1") "]\nU [" RESULT("t1", "1") "]\nA [" TEXT("a") "]\n",
	  TRANSCRIPT_WHOLE, "" },
	{ "two calls with one id",
	  Q ANSWER("a1", P("u1"), "m1", CALL("t1") "," CALL("t1"))
		  RESULT_LINE("r1", P("a1"), "t1", "1"),
	  "U \"q\"\nA [" CALL("t1") "]\nU [" RESULT("t1", "1") "]\n", TRANSCRIPT_CUT_REPLY,
	  "1 part of a message could not be used.\n" },
	{ "results come first, strings become blocks",
	  Q ANSWER("a1", P("u1"), "m1", CALL("t1")) USER("u2", P("a1"), "\"wait\"")
		  RESULT_LINE("r1", P("u2"), "t1", "1") USER("u3", P("r1"), "\"more\""),
	  "U \"q\"\nA [" CALL("t1") "]\nU [" RESULT("t1",
						    "1") "," TEXT("wait") "," TEXT("more") "]\n",
	  TRANSCRIPT_CUT_PROMPT, "" },
	{ "a result that comes a message late goes where it belongs",
	  Q ANSWER("a1", P("u1"), "m1", CALL("t1")) USER("u2", P("a1"), "\"wait\"")
		  ANSWER("a2", P("u2"), "m2", TEXT("a")) RESULT_LINE("r1", P("a2"), "t1", "1"),
	  "U \"q\"\nA [" CALL("t1") "]\nU [" RESULT("t1",
						    "1") "," TEXT("wait") "]\nA [" TEXT("a") "]\n",
	  TRANSCRIPT_WHOLE, "1 empty message was skipped.\n" },
	{ "two answers of which the first has a call",
	  Q ANSWER("a1", P("u1"), "m1", CALL("t1")) ANSWER("a2", P("a1"), "m2", TEXT("a")),
	  "U \"q\"\nA [" CALL("t1") "]\nU [" FAILED("t1") "]\nA [" TEXT("a") "]\n",
	  TRANSCRIPT_WHOLE, "1 tool call had no result and counts as failed.\n" },
	{ "two answers are one message",
	  Q ANSWER("a1", P("u1"), "m1", TEXT("a")) ANSWER("a2", P("a1"), "m2", TEXT("b")),
	  "U \"q\"\nA [" TEXT("a") "," TEXT("b") "]\n", TRANSCRIPT_WHOLE, "" },
	{ "an answer is all of its blocks",
	  Q ANSWER("a1", P("u1"), "m1", THOUGHT) ANSWER("a2", P("a1"), "m1", TEXT("a")),
	  "U \"q\"\nA [" THOUGHT "," TEXT("a") "]\n", TRANSCRIPT_WHOLE, "" },
	{ "an answer of nothing but thoughts in between",
	  Q ANSWER("a1", P("u1"), "m1", THOUGHT) USER("u2", P("a1"), "\"r\"")
		  ANSWER("a2", P("u2"), "m2", TEXT("a")),
	  "U [" TEXT("q") "," TEXT("r") "]\nA [" TEXT("a") "]\n", TRANSCRIPT_WHOLE,
	  "1 empty message was skipped.\n" },
	{ "blank texts",
	  Q USER("u2", P("u1"), "\" \\n\"") USER("u3", P("u2"), "[" TEXT("") "," TEXT("r") "]")
		  ANSWER("a1", P("u3"), "m1", TEXT(" \\t")) ANSWER("a2", P("a1"), "m1", TEXT("a")),
	  "U [" TEXT("q") "," TEXT("r") "]\nA [" TEXT("a") "]\n", TRANSCRIPT_WHOLE, "" },
	{ "an answer that is blank", Q ANSWER("a1", P("u1"), "m1", TEXT("")), "U \"q\"\n",
	  TRANSCRIPT_CUT_REPLY, "1 empty message was skipped.\n" },
	{ "the conversation begins with an answer", ANSWER("a1", "null", "m1", TEXT("a")),
	  STAND_IN "A [" TEXT("a") "]\n", TRANSCRIPT_WHOLE, "" },
	{ "blocks that are none",
	  USER("u1", "null", "[1,null,{},{\"type\":7},{\"type\":\"text\"}," TEXT("q") "]")
		  ANSWER("a1", P("u1"), "m1", RESULT("t1", "x") "," TEXT("a")),
	  "U [" TEXT("q") "]\nA [" TEXT("a") "]\n", TRANSCRIPT_WHOLE,
	  "6 parts of messages could not be used.\n" },
	{ "calls that cannot be meant",
	  Q ANSWER("a1", P("u1"), "m1",
		   "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Read\",\"input\":\"x\"}," TEXT(
			   "a")) USER("u2", P("a1"), "[" CALL("t2") "," THOUGHT "," TEXT("r") "]"),
	  "U \"q\"\nA [" TEXT("a") "]\nU [" TEXT("r") "]\n", TRANSCRIPT_CUT_PROMPT,
	  "3 parts of messages could not be used.\n" },
	{ "a content that is no content", Q USER("u2", P("u1"), "{\"type\":\"text\"}"), "U \"q\"\n",
	  TRANSCRIPT_CUT_PROMPT, "1 part of a message could not be used.\n" },
	{ "blocks of a kind that is not known",
	  USER("u1", "null", "[{\"type\":\"image\",\"source\":{}}]")
		  ANSWER("a1", P("u1"), "m1", "{\"type\":\"server_tool_use\",\"id\":\"s1\"}"),
	  "U [{\"type\":\"image\",\"source\":{}}]\nA "
	  "[{\"type\":\"server_tool_use\",\"id\":\"s1\"}]\n",
	  TRANSCRIPT_WHOLE, "" },
	{ "the members of a block that count are the last of their name",
	  Q ANSWER("a1", P("u1"), "m1",
		   "{\"type\":\"text\",\"text\":\"x\",\"\\u0074ype\":\"tool_use\",\"id\":\"t1\","
		   "\"name\":\"N\",\"input\":{}}"),
	  "U \"q\"\nA [{\"type\":\"text\",\"text\":\"x\",\"\\u0074ype\":\"tool_use\",\"id\":\"t1\","
	  "\"name\":\"N\",\"input\":{}}]\nU [" FAILED("t1") "]\n",
	  TRANSCRIPT_CUT_TOOLS, "1 tool call had no result and counts as failed.\n" },
};

TEST(whatever_the_records_a_model_accepts_the_messages)
{
	for (size_t i = 0; i < countof(cases); i++) {
		LOADED(l, sv_cstr(cases[i].text));
		check_messages(&l, cases[i].what, cases[i].shown);
		CHECK_STR(str_c(&l.notes), cases[i].note);
		CHECK_INT(l.cut, cases[i].cut);
		CHECK_INT(l.bad_lines, 0);
	}
}

TEST(a_message_has_the_id_of_its_last_record)
{
	LOADED(l, SV(USER("u1", "null", "\"q\"") USER("u2", P("u1"), "\"r\"") ANSWER(
			  "a1", P("u2"), "m1", TEXT("a")) ANSWER("a2", P("a1"), "m1", CALL("t1"))));

	CHECK_STR(l.messages.at[0].uuid.text, "u2");
	CHECK_STR(l.messages.at[1].uuid.text, "a2");
	CHECK_STR(l.messages.at[2].uuid.text, "a2"); /* made up */
	CHECK_STR(l.last.text, "a2");
}

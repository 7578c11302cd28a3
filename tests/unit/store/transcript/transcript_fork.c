#include "base/limits.h"
#include "records.h"

#define OTHER "11111111-2222-4333-8444-555555555555"

/* Every member that says so, and nothing else, belongs to the other session. */
static void replace_session(struct str *out, const char *text)
{
	const char *mine = "\"sessionId\":\"" SESSION "\"", *hit;

	for (; (hit = strstr(text, mine)); text = hit + strlen(mine)) {
		str_add(out, sv_from(text, (size_t)(hit - text)));
		str_adds(out, "\"sessionId\":\"" OTHER "\"");
	}
	str_adds(out, text);
}

static void check_fork(const char *text, const char *kept)
{
	defer(str_clear) struct str forked = STR_INIT, expected = STR_INIT;
	TEMP_DIR(dir);
	defer(mem_freep) char *from = script_in(&dir, sv_cstr(text));
	PATH_IN(to, dir, OTHER ".jsonl");
	struct fs_info info;
	struct err err;

	replace_session(&expected, kept);
	CHECK_OK(transcript_fork(from, to, OTHER, &err), err);
	CHECK_OK(fs_read(&forked, to, MIB, &err), err);
	CHECK_STR(str_c(&forked), str_c(&expected));
	CHECK_OK(fs_info(&info, to, true, &err), err);
	CHECK_INT(info.mode, 0600);
	str_truncate(&forked, 0);
	CHECK_OK(fs_read(&forked, from, MIB, &err), err);
	CHECK_STR(str_c(&forked), text);
}

#define ONE USER("u1", "null", "\"\\u0041 \\\"sessionId\\\":\\\"" SESSION "\\\" 1.50\"")

TEST(a_fork_is_the_chain_with_another_session)
{
	check_fork(ONE ANSWER("a1", P("u1"), "m1", TEXT("a")),
		   ONE ANSWER("a1", P("u1"), "m1", TEXT("a")));
	check_fork("", "");
}

TEST(a_fork_leaves_out_what_is_beside_the_chain)
{
	check_fork("{\"type\":\"custom-title\",\"customTitle\":\"t\"}\n" ONE
		   "damaged\n" USER("u2", P("u1"), "\"abandoned\"")
			   LINE("attachment", "x1", P("u1"), "\"attachment\":{}")
				   ANSWER("a1", P("x1"), "m1",
					  TEXT("a")) "{\"isSidechain\":true,\"uuid\":\"s\"}\n",
		   ONE LINE("attachment", "x1", P("u1"), "\"attachment\":{}")
			   ANSWER("a1", P("x1"), "m1", TEXT("a")));
}

TEST(a_fork_carries_damage_on_rather_than_break_the_chain)
{
	check_fork(ONE RESULT_LINE("r1", P("u1"), "t1", "\xff") USER("u2", P("r1"), "\"r\""),
		   ONE RESULT_LINE("r1", P("u1"), "t1", "\xff") USER("u2", P("r1"), "\"r\""));
}

TEST(a_fork_closes_the_gap_that_a_damaged_record_leaves)
{
	check_fork(ONE "torn\n" USER("u3", P("u2"), "\"s\""), ONE USER("u3", P("u1"), "\"s\""));
	check_fork(ONE USER("u3", "17", "\"s\""), ONE USER("u3", P("u1"), "\"s\""));
}

#define PARALLEL                                                                            \
	ONE ANSWER("a1", P("u1"), "m1", CALL("t1")) ANSWER("a2", P("u1"), "m1", CALL("t2")) \
		RESULT_LINE("r2", P("a2"), "t2", "2") RESULT_LINE("r1", P("a1"), "t1", "1") \
			ANSWER("a3", P("r1"), "m2", TEXT("done"))

TEST(a_fork_has_all_parallel_calls)
{
	check_fork(PARALLEL, PARALLEL);
}

TEST(a_fork_goes_back_beyond_compaction)
{
	check_fork(ONE BOUNDARY("b1", "u1") USER("u2", P("b1"), "\"in short\""),
		   ONE BOUNDARY("b1", "u1") USER("u2", P("b1"), "\"in short\""));
}

TEST(a_fork_of_much_is_whole)
{
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	defer(str_clear) struct str text = STR_INIT, forked = STR_INIT, expected = STR_INIT;
	TEMP_DIR(dir);
	PATH_IN(to, dir, OTHER ".jsonl");
	defer(mem_freep) char *from = NULL;
	struct err err;

	str_adds(&text, USER("r0", "null", "\"q\""));
	for (int n = 1; n < 2000; n++)
		str_addf(&text, USER("r%d", P("r%d"), "\"%0*d\""), n - 1, n % 700 + 1, n, n);
	from = script_in(&dir, sv_of(&text));
	replace_session(&expected, str_c(&text));
	CHECK_OK(transcript_fork(from, to, OTHER, &err), err);
	CHECK_OK(fs_read(&forked, to, 16 * MIB, &err), err);
	CHECK(sv_eq(sv_of(&forked), sv_of(&expected)));
	CHECK_OK(transcript_load(&l, to, SV_EMPTY, &err), err);
	CHECK_STR(l.session_id.text, OTHER);
	CHECK_STR(l.last.text, "r1999");
}

TEST(a_fork_does_not_replace_a_file)
{
	TEMP_DIR(dir);
	defer(mem_freep) char *from = script_in(&dir, SV(ONE));
	PATH_IN(to, dir, "there.jsonl");
	PATH_IN(nowhere, dir, "no/where.jsonl");
	struct err err;

	write_file(to, "precious", 0600);
	CHECK(!transcript_fork(from, to, OTHER, &err));
	CHECK_ERR(err, ERR_EXISTS, to);
	CHECK_FILE(to, "precious");
	CHECK(!transcript_fork("/no/such.jsonl", nowhere, OTHER, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "/no/such.jsonl");
	CHECK(!fs_exists(nowhere));
	CHECK_OK(transcript_fork(from, nowhere, OTHER, &err), err);
	CHECK(fs_exists(nowhere));
}

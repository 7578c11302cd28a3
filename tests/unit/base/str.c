#include "base/limits.h"
#include "base/mem.h"
#include "test.h"

/* A view of nothing at no address, as in zeroed structs. */
static const struct sv nowhere;

TEST(a_text_is_among_words_only_if_it_is_all_of_one)
{
	static const char words[][6] = { "a", "bcd", "efghij" }; /* the last one fills its place */

	CHECK(sv_is_among(SV("a"), words));
	CHECK(sv_is_among(SV("efghij"), words));
	CHECK(!sv_is_among(SV("bc"), words));
	CHECK(!sv_is_among(SV("bcde"), words));
	CHECK(!sv_is_among(SV_EMPTY, words));
}

TEST(zeroed_views_are_empty_views)
{
	defer(str_clear) struct str s = STR_INIT;
	defer(mem_freep) char *copy = sv_dup(nowhere);
	struct sv rest = nowhere, head;

	CHECK(sv_eq(nowhere, SV_EMPTY));
	CHECK(sv_is(nowhere, ""));
	CHECK(sv_eq_nocase(nowhere, SV_EMPTY));
	CHECK_INT(sv_cmp(nowhere, nowhere), 0);
	CHECK(sv_starts(SV("a"), nowhere) && sv_starts(nowhere, SV_EMPTY));
	CHECK(sv_ends(SV("a"), nowhere) && sv_ends(nowhere, SV_EMPTY));
	CHECK_SV(sv_slice(nowhere, 0, 5), "");
	CHECK_SV(sv_trim(nowhere), "");
	CHECK(sv_find(nowhere, SV("a")) == SIZE_MAX);
	CHECK(sv_find_char(nowhere, 'a') == SIZE_MAX);
	CHECK(sv_rfind_char(nowhere, 'a') == SIZE_MAX);
	CHECK(!sv_cut_line(&rest, &head));
	CHECK_STR(copy, "");
	str_add(&s, nowhere);
	str_splice(&s, 0, 0, nowhere);
	CHECK_SV(sv_of(&s), "");
}

TEST(an_owned_view_can_be_disowned_whatever_it_holds)
{
	struct sv empty = sv_own(SV_EMPTY), text = sv_own(SV("text")), never = SV_EMPTY;

	CHECK_SV(empty, "");
	CHECK_SV(text, "text");
	sv_disown(&empty);
	sv_disown(&text);
	sv_disown(&text);
	sv_disown(&never);
	CHECK_SV(text, "");
}

TEST(views_of_null_c_strings_are_empty)
{
	CHECK_SV(sv_cstr(NULL), "");
	CHECK(sv_is(SV_EMPTY, NULL));
}

TEST(equality_compares_every_byte_even_after_a_nul)
{
	CHECK(sv_eq(SV("a\0b"), SV("a\0b")));
	CHECK(!sv_eq(SV("a\0b"), SV("a\0c")));
	CHECK(!sv_eq(SV("a"), SV("ab")));
	CHECK(!sv_is(SV("a\0"), "a"));
	CHECK(sv_eq_nocase(SV("Content-TYPE\0z"), SV("content-type\0Z")));
	CHECK(!sv_eq_nocase(SV("a\0b"), SV("a\0c")));
}

TEST(case_folds_ascii_letters_and_nothing_else)
{
	for (int a = 0; a < 256; a++) {
		for (int b = 0; b < 256; b++) {
			char x = (char)a, y = (char)b;
			bool letters = ((a | 32) >= 'a' && (a | 32) <= 'z') && (a | 32) == (b | 32);

			CHECK(sv_eq_nocase(sv_from(&x, 1), sv_from(&y, 1)) == (a == b || letters));
		}
	}
}

TEST(order_is_by_unsigned_bytes_and_a_prefix_comes_first)
{
	static const struct sv ordered[] = {
		SV_INIT(""),   SV_INIT("\0"), SV_INIT("A"),    SV_INIT("Aa"),
		SV_INIT("Ab"), SV_INIT("a"),  SV_INIT("\x80"), SV_INIT("\xff"),
	};

	for (size_t i = 0; i < countof(ordered); i++) {
		for (size_t j = 0; j < countof(ordered); j++) {
			int order = sv_cmp(ordered[i], ordered[j]);

			CHECK((order < 0) == (i < j));
			CHECK((order > 0) == (i > j));
		}
	}
}

TEST(starts_and_ends_compare_whole_affixes)
{
	CHECK(sv_starts(SV("abc"), SV("ab")) && sv_ends(SV("abc"), SV("bc")));
	CHECK(sv_starts(SV("abc"), SV("abc")) && sv_ends(SV("abc"), SV("abc")));
	CHECK(!sv_starts(SV("abc"), SV("abcd")) && !sv_ends(SV("abc"), SV("zabc")));
	CHECK(!sv_starts(SV("abc"), SV("b")) && !sv_ends(SV("abc"), SV("b")));
}

TEST(slices_are_clamped_to_the_view)
{
	static const struct {
		size_t from, to;
		const char *expected;
	} cases[] = {
		{ 0, 3, "abc" }, { 1, 2, "b" },          { 0, 99, "abc" },
		{ 3, 3, "" },    { 5, 9, "" },           { 2, 1, "" },
		{ 2, 0, "" },    { 0, SIZE_MAX, "abc" }, { SIZE_MAX, 1, "" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		CHECK(sv_is(sv_slice(SV("abc"), cases[i].from, cases[i].to), cases[i].expected));
	CHECK_SV(sv_skip(SV("abc"), 2), "c");
	CHECK_SV(sv_skip(SV("abc"), 7), "");
}

TEST(finding_reports_the_first_or_last_match_or_none)
{
	CHECK_INT(sv_find(SV("abcabc"), SV("bc")), 1);
	CHECK_INT(sv_find(SV("abc"), SV("")), 0);
	CHECK_INT(sv_find(SV("a\0b"), SV("\0b")), 1);
	CHECK(sv_find(SV("abc"), SV("abcd")) == SIZE_MAX);
	CHECK(sv_find(SV(""), SV("a")) == SIZE_MAX);
	CHECK_INT(sv_find_char(SV("abcabc"), 'c'), 2);
	CHECK_INT(sv_rfind_char(SV("abcabc"), 'b'), 4);
	CHECK(sv_find_char(SV("abc"), '\0') == SIZE_MAX);
	CHECK(sv_rfind_char(SV("abc"), 'z') == SIZE_MAX);
}

TEST(trim_drops_white_space_at_both_ends)
{
	CHECK_SV(sv_trim(SV(" \t\r\n\v\fa b\n ")), "a b");
	CHECK_SV(sv_trim(SV(" \n ")), "");
	CHECK_SV(sv_trim(SV("\xc2\xa0x")), "\xc2\xa0x"); /* only ASCII's */
}

static void check_cut(const char *text, const char *expected)
{
	defer(str_clear) struct str parts = STR_INIT;
	struct sv rest = sv_cstr(text), part;

	while (sv_cut(&rest, ',', &part))
		str_addf(&parts, "<%.*s>", SV_ARG(part));
	CHECK_STR(str_c(&parts), expected);
}

TEST(cutting_visits_every_part_including_empty_ones)
{
	check_cut("a,b", "<a><b>");
	check_cut("a", "<a>");
	check_cut("", "<>");
	check_cut(",", "<><>");
	check_cut("a,,b,", "<a><><b><>");
}

TEST(cutting_once_leaves_the_part_after_the_separator)
{
	struct sv rest = SV("key=a=b"), key;

	CHECK(sv_cut(&rest, '=', &key));
	CHECK_SV(key, "key");
	CHECK_SV(rest, "a=b");
	rest = SV("key");
	CHECK(sv_cut(&rest, '=', &key));
	CHECK_SV(key, "key");
	CHECK_SV(rest, "");
}

static void check_lines(const char *text, const char *expected)
{
	defer(str_clear) struct str lines = STR_INIT;
	struct sv rest = sv_cstr(text), line;

	while (sv_cut_line(&rest, &line))
		str_addf(&lines, "<%.*s>", SV_ARG(line));
	CHECK_STR(str_c(&lines), expected);
}

TEST(lines_end_at_newlines_of_either_kind)
{
	check_lines("", "");
	check_lines("\n", "<>");
	check_lines("a", "<a>");
	check_lines("a\nb\r\nc\n", "<a><b><c>");
	check_lines("a\n\n\r\nb", "<a><><><b>");
	check_lines("a\rb\r\r\n", "<a\rb\r>"); /* a lone CR is text */
	check_lines("a\r", "<a\r>");           /* as is one that no LF has followed */
}

TEST(numbers_are_read_exactly_or_not_at_all)
{
	static const struct {
		const char *text;
		bool ok;
		int64_t value;
	} cases[] = {
		{ "0", true, 0 },
		{ "-0", true, 0 },
		{ "007", true, 7 },
		{ "9223372036854775807", true, INT64_MAX },
		{ "-9223372036854775808", true, INT64_MIN },
		{ "9223372036854775808", false, 0 },
		{ "-9223372036854775809", false, 0 },
		{ "99999999999999999999", false, 0 },
		{ "", false, 0 },
		{ "-", false, 0 },
		{ "--1", false, 0 },
		{ "+1", false, 0 },
		{ " 1", false, 0 },
		{ "1 ", false, 0 },
		{ "1e3", false, 0 },
		{ "0x10", false, 0 },
		{ "1-", false, 0 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		int64_t value = 42;

		CHECK(sv_to_int(sv_cstr(cases[i].text), &value) == cases[i].ok);
		CHECK(value == (cases[i].ok ? cases[i].value : 42));
	}
	CHECK(!sv_to_int(SV("1\0"), &(int64_t){ 0 }));
}

TEST(unused_string_is_empty)
{
	struct str s = STR_INIT;
	char *text;

	CHECK_STR(str_c(&s), "");
	CHECK_SV(sv_of(&s), "");
	str_truncate(&s, 0);
	str_consume(&s, 3);
	CHECK_SV(sv_of(&s), "");
	text = str_detach(&s);
	CHECK_STR(text, "");
	free(text);
	str_clear(&s);
	str_clear(&s);
}

TEST(appending_keeps_every_byte_and_the_terminator)
{
	defer(str_clear) struct str s = STR_INIT;

	for (int i = 0; i < 5000; i++) {
		str_addc(&s, (char)i);
		CHECK(s.len == (size_t)i + 1 && s.ptr[s.len] == '\0' && s.cap > s.len);
	}
	for (int i = 0; i < 5000; i++)
		CHECK(s.ptr[i] == (char)i);
	str_truncate(&s, 3);
	str_adds(&s, "x");
	str_adds(&s, NULL);
	CHECK_SV(sv_of(&s), "\0\1\2x");
}

TEST(formatting_appends_texts_of_any_length)
{
	defer(str_clear) struct str s = STR_INIT;

	str_addf(&s, "%s", "");
	CHECK_STR(s.ptr, "");
	str_addf(&s, "%d-%s", 7, "x");
	CHECK_STR(s.ptr, "7-x");
	str_addf(&s, "%0*d", 1000, 1);
	CHECK_INT(s.len, 1003);
	CHECK_INT(strlen(s.ptr), 1003);
	CHECK(s.ptr[1002] == '1');
}

TEST(counts_are_short_and_never_say_1000k)
{
	static const struct {
		int64_t n;
		const char *text;
	} cases[] = { { 0, "0" },
		      { 999, "999" },
		      { 1000, "1k" },
		      { 1049, "1k" },
		      { 1050, "1.1k" },
		      { 18441, "18.4k" },
		      { 200000, "200k" },
		      { 999949, "999.9k" },
		      { 999950, "1M" },
		      { 1000000, "1M" },
		      { 3449999, "3.4M" },
		      { -5, "-5" },
		      { INT64_MAX, "9223372036854.8M" } };

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str s = STR_INIT;

		str_add_count(&s, cases[i].n);
		CHECK_STR(str_c(&s), cases[i].text);
	}
}

TEST(capped_appends_take_all_or_nothing)
{
	defer(str_clear) struct str s = STR_INIT;

	CHECK(str_add_capped(&s, SV("abc"), 5));
	CHECK(!str_add_capped(&s, SV("def"), 5));
	CHECK_SV(sv_of(&s), "abc");
	CHECK(str_add_capped(&s, SV("de"), 5));
	CHECK(!str_add_capped(&s, SV("f"), 5));
	CHECK(!str_add_capped(&s, SV("f"), 0)); /* already past the cap */
	CHECK(str_add_capped(&s, SV(""), 5));
	CHECK_SV(sv_of(&s), "abcde");
}

TEST(splicing_replaces_any_range_by_any_length)
{
	static const struct sv old = SV_INIT("0123456789");

	for (size_t from = 0; from <= old.len; from++) {
		for (size_t to = from; to <= old.len + 2; to++) {
			for (size_t n = 0; n <= 40; n += 5) {
				defer(str_clear) struct str s = STR_INIT;
				defer(str_clear) struct str expected = STR_INIT;
				struct sv text = sv_slice(
					SV("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqr"), 0, n);

				str_add(&s, old);
				str_splice(&s, from, to, text);
				str_add(&expected, sv_slice(old, 0, from));
				str_add(&expected, text);
				str_add(&expected, sv_skip(old, to));
				CHECK_SV_EQ(sv_of(&s), sv_of(&expected));
				CHECK(s.ptr[s.len] == '\0');
			}
		}
	}
}

TEST(consuming_drops_bytes_at_the_front)
{
	defer(str_clear) struct str s = STR_INIT;

	str_adds(&s, "abcdef");
	str_consume(&s, 2);
	CHECK_STR(s.ptr, "cdef");
	str_consume(&s, 0);
	CHECK_STR(s.ptr, "cdef");
	str_consume(&s, 99);
	CHECK_STR(s.ptr, "");
}

TEST(detaching_hands_over_the_text)
{
	struct str s = STR_INIT;
	char *text;

	str_adds(&s, "mine");
	text = str_detach(&s);
	CHECK_STR(text, "mine");
	CHECK(s.ptr == NULL && s.len == 0);
	free(text);
}

TEST(basename_is_what_follows_the_last_slash)
{
	CHECK(sv_is(sv_basename(SV("/a/b.c")), "b.c"));
	CHECK(sv_is(sv_basename(SV("b.c")), "b.c"));
	CHECK(sv_is(sv_basename(SV("/a/")), ""));
	CHECK(sv_is(sv_basename(SV_EMPTY), ""));
}

TEST(set_replaces_the_whole_content)
{
	defer(str_clear) struct str s = STR_INIT;

	str_adds(&s, "old and long");
	str_set(&s, SV("new"));
	CHECK(sv_is(sv_of(&s), "new"));
	str_set(&s, SV_EMPTY);
	CHECK(s.len == 0);
}

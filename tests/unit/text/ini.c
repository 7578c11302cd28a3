#include "text/ini.h"

#include "test.h"

/* All entries as "section|key|value;", then the error if there is one. */
static void check_read(struct sv text, const char *expected)
{
	defer(str_clear) struct str lines = STR_INIT;
	struct ini_reader reader = ini_read(text);
	struct ini_entry e;

	while (ini_next(&reader, &e))
		str_addf(&lines, "%.*s|%.*s|%.*s;", SV_ARG(e.section), SV_ARG(e.key),
			 SV_ARG(e.value));
	if (reader.err.kind != ERR_NONE)
		str_addf(&lines, "%s: %s", err_kind_name(reader.err.kind), reader.err.text);
	CHECK_STR(str_c(&lines), expected);
	CHECK(!ini_next(&reader, &e));
}

TEST(ini_reads_sections_keys_and_values)
{
	check_read(SV(""), "");
	check_read(SV("a=1"), "|a|1;");
	check_read(SV("[s]\na = 1\n\n[ t ]\r\nb=\tx y \r\n"), "s|a|1;t|b|x y;");
	check_read(SV("[profile dev]\nregion=eu-west-1"), "profile dev|region|eu-west-1;");
	check_read(SV("\xef\xbb\xbf[s]\na="), "s|a|;");
	check_read(SV("a = b = c"), "|a|b = c;");
	check_read(SV("[s] # named so\na=1"), "s|a|1;");
}

TEST(ini_skips_comments_but_not_inside_words)
{
	check_read(SV("# a=1\n; b=2\n  # c=3\nd=4"), "|d|4;");
	check_read(SV("a=1 # one\nb=2 ; two\nc=x#y;z\nd= # none"), "|a|1;|b|2;|c|x#y;z;|d|;");
}

TEST(ini_skips_nested_settings)
{
	check_read(SV("[s]\ns3 =\n  max = 3\n\tmin = 1\nregion = r"), "s|s3|;s|region|r;");
	check_read(SV("[s]\n  a = 1\n  b = 2\n [t]\n  c = 3"), "s|a|1;s|b|2;t|c|3;");
}

TEST(ini_names_the_malformed_line_without_quoting_it)
{
	check_read(SV("a=1\n[s\nb=2"), "|a|1;parse: line 2: missing ']' after the section name");
	check_read(SV("\nAKIA-secret\n"), "parse: line 2: expected [section] or key = value");
	check_read(SV("[s] t"), "parse: line 1: unexpected text after the ']' of a section");
	check_read(SV(" = x"), "parse: line 1: missing key before '='");
}

TEST(ini_get_finds_the_last_value_or_keeps_the_output)
{
	struct sv text = SV("k=0\n[a]\nk=1\n[b]\nk=2\n[a]\nK=3\n");
	struct sv value = SV("none");
	struct err err = ERR_INIT;

	CHECK_OK(ini_get(text, SV("a"), SV("k"), &value, &err), err);
	CHECK_SV(value, "3");
	CHECK_OK(ini_get(text, SV("c"), SV("k"), &value, &err), err);
	CHECK_SV(value, "3");
	CHECK_OK(ini_get(text, SV(""), SV("k"), &value, &err), err);
	CHECK_SV(value, "0");
	CHECK(!ini_get(SV("k=9\nx"), SV(""), SV("k"), &value, &err));
	CHECK_ERR(err, ERR_PARSE, "line 2");
	CHECK_SV(value, "0");
}

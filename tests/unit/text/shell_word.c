#include "text/shell_word.h"

#include "test.h"

TEST(the_word_is_read_as_the_shell_would)
{
	static const struct {
		const char *line;
		size_t from;
		const char *text;
		char quote;
	} cases[] = {
		{ "", 0, "", 0 },
		{ "cat src/ma", 4, "src/ma", 0 },
		{ "cat ", 4, "", 0 },
		{ "ls|wc", 3, "wc", 0 },
		{ "make CC=./c", 8, "./c", 0 },
		{ "cat my\\ fi", 4, "my fi", 0 },
		{ "cat \"my fi", 4, "my fi", '"' },
		{ "cat 'a\\b", 4, "a\\b", '\'' },
		{ "cat 'a b'/c", 4, "a b/c", 0 },
		{ "sort <in", 6, "in", 0 },
		{ "cat a\\", 4, "a\\", 0 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct shell_word word;

		shell_word_read(&word, sv_cstr(cases[i].line));
		CHECK_INT(word.from, cases[i].from);
		CHECK(sv_is(sv_of(&word.text), cases[i].text));
		CHECK_INT(word.quote, cases[i].quote);
		shell_word_clear(&word);
	}
}

TEST(what_is_written_is_one_word_again)
{
	static const struct {
		char quote;
		const char *path, *written;
	} cases[] = {
		{ 0, "src/main.c", "src/main.c " },
		{ 0, "my file", "my\\ file " },
		{ 0, "a$b'c", "a\\$b\\'c " },
		{ '"', "my file", "\"my file\" " },
		{ '"', "a$b\"c", "\"a\\$b\\\"c\" " },
		{ '"', "my dir/", "\"my dir/" },
		{ '\'', "a'b c", "'a'\\''b c' " },
		{ 0, "~/gr\xc3\xbc\xc3\x9f", "~/gr\xc3\xbc\xc3\x9f " },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		const struct shell_word word = { .quote = cases[i].quote };
		defer(str_clear) struct str out = STR_INIT;

		shell_word_write(&word, sv_cstr(cases[i].path), true, &out);
		CHECK(sv_is(sv_of(&out), cases[i].written));
	}
}

TEST(the_beginning_of_a_path_can_go_on)
{
	const struct shell_word word = { .quote = '"' };
	defer(str_clear) struct str out = STR_INIT;

	shell_word_write(&word, SV("my fi"), false, &out);
	CHECK_SV(sv_of(&out), "\"my fi");
}

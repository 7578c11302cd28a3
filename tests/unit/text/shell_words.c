#include "text/shell_words.h"

#include "test.h"

/* The words of `text`, each in brackets. */
static void check_words(const char *text, const char *expected)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str got = STR_INIT;
	const char *const *argv = NULL;
	struct err err = ERR_INIT;

	CHECK_OK(shell_words_split(&argv, &arena, sv_cstr(text), &err), err);
	for (; *argv; argv++)
		str_addf(&got, "[%s]", *argv);
	CHECK_STR(str_c(&got), expected);
}

TEST(a_quoted_word_is_one_word_again)
{
	static const char *const words[] = { "", "a", "it's", "'", "a b\\$(c)\n\"d\"" };

	for (size_t i = 0; i < countof(words); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		defer(str_clear) struct str quoted = STR_INIT;
		const char *const *argv;
		struct err err = ERR_INIT;

		shell_words_quote(&quoted, sv_cstr(words[i]));
		CHECK_OK(shell_words_split(&argv, &arena, sv_of(&quoted), &err), err);
		CHECK_STR(argv[0], words[i]);
		CHECK(!argv[1]);
	}
}

TEST(command_is_split_into_words_like_in_a_shell)
{
	check_words("vend", "[vend]");
	check_words(" \tvend  --account 1\n", "[vend][--account][1]");
	check_words("\"/opt/my tools/vend\" 'a b'", "[/opt/my tools/vend][a b]");
	check_words("a\\ b c\\\"d \\\\", "[a b][c\"d][\\]");
	check_words("--x=\"a b\"'c d'e", "[--x=a bc de]");
	check_words("\"\" ''", "[][]");
	check_words("'a\\b' \"a\\b\" \"a\\\"b\\\\\"", "[a\\b][a\\b][a\"b\\]");
}

TEST(shell_expansions_stay_literal)
{
	check_words("vend $HOME ~ * `id` $(id) \"$x\"", "[vend][$HOME][~][*][`id`][$(id)][$x]");
	check_words("vend; rm -rf / | cat > x & # no",
		    "[vend;][rm][-rf][/][|][cat][>][x][&][#][no]");
}

TEST(invalid_command_is_refused_without_quoting_it)
{
	static const struct {
		struct sv text;
		enum err_kind kind;
		const char *why;
	} rows[] = {
		{ SV_INIT(""), ERR_INVALID, "the command is empty" },
		{ SV_INIT(" \t "), ERR_INVALID, "the command is empty" },
		{ SV_INIT("hush 'hush"), ERR_PARSE, "byte 5 is not closed" },
		{ SV_INIT("hush \"hush\\\""), ERR_PARSE, "byte 5 is not closed" },
		{ SV_INIT("hush \\"), ERR_PARSE, "backslash" },
		{ SV_INIT("hush\0hush"), ERR_INVALID, "NUL" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		const char *const *argv = NULL;
		struct err err = ERR_INIT;

		CHECK(!shell_words_split(&argv, &arena, rows[i].text, &err));
		CHECK_ERR(err, rows[i].kind, rows[i].why);
		CHECK(!strstr(err.text, "hush"));
		CHECK(argv == NULL);
	}
}

#include "term/markdown/highlight.h"

#include "test.h"

/* Each style is a colour whose index is a letter. */
static const struct highlight_look look = {
#define LETTER(c)                                        \
	{                                                \
		.fg = {.kind = COLOR_INDEX, .index = c } \
	}
	.comment = LETTER('c'),
	.string = LETTER('s'),
	.number = LETTER('n'),
	.keyword = LETTER('k'),
	.type = LETTER('t'),
	.function = LETTER('f'),
	.constant = LETTER('C'),
	.key = LETTER('y'),
	.added = LETTER('+'),
	.removed = LETTER('-'),
	.hunk = LETTER('@'),
};

/* The letter of each byte's style; '.' for plain text. */
static void add_letters(void *arg, struct sv text, const struct style *style)
{
	for (size_t i = 0; i < text.len; i++)
		str_addc(arg, style->fg.kind == COLOR_DEFAULT ? '.' : (char)style->fg.index);
}

static const struct {
	const char *language, *code, *letters;
} cases[] = {
	{ "c", "int x = 42; // hi", "ttt.....nn..ccccc" },
	{ "c", "/* a\nb */ return f(1);", "cccc\ncccc.kkkkkk.f.n.." },
	{ "c", "#include <x.h>", "ffffffffffffff" },
	{ "c", "char *s = \"a\\\"b\";", "tttt......ssssss." },
	{ "py", "def f(x): # c", "kkk.f.....ccc" },
	{ "python", "s = '''a\nb''' + 'c'", "....ssss\nssss...sss" },
	{ "python", "@cache", "ffffff" },
	{ "rust", "fn f<'a>(x: &'a str) -> Vec<u8> { 'x' }",
	  "kk...CC......CC.ttt.....ttt.tt....sss.." },
	{ "sh", "echo \"$A\" ${B} # c", "kkkk.ssss.CCCC.ccc" },
	{ "sh", "a#b --flag", ".........." },
	{ "json", "{\"a\": [1, true, \"b\"]}", ".yyy...n..CCCC..sss.." },
	{ "yaml", "key: value # c", "yyy........ccc" },
	{ "toml", "[a]\nx = 1", "kkk\ny...n" },
	{ "sql", "SELECT a FROM t", "kkkkkk...kkkk.." },
	{ "html", "<a href=\"x\">t</a>", "kk.yyyy.sssk.kkkk" },
	{ "diff", "@@ -1 +1 @@\n+a\n-b\n c", "@@@@@@@@@@@\n++\n--\n.." },
	{ "Makefile", "all: x\n\t$(CC) y", "ffffff\n........" },
	{ "go", "s := `a\nb` + nil", ".....ss\nss...CCC" },
	{ "none-such", "int x", "....." },
};

TEST(code_is_coloured_by_what_it_is)
{
	for (size_t i = 0; i < countof(cases); i++) {
		struct sv rest = sv_cstr(cases[i].code), line;
		defer(str_clear) struct str out = STR_INIT;
		struct highlight highlight;

		highlight_init(&highlight, highlight_find(sv_cstr(cases[i].language)));
		while (sv_cut_line(&rest, &line)) {
			if (out.len)
				str_addc(&out, '\n');
			highlight_line(&highlight, line, &look, add_letters, &out);
		}
		CHECK_SV_EQ(sv_of(&out), sv_cstr(cases[i].letters));
	}
}

TEST(language_is_found_by_name_and_by_file)
{
	static const char *const known[] = {
		"c",          "C",  "src/x.c", "tsx", "a.test.tsx", "Dockerfile",
		"x/Makefile", "py", "c++",     "c#",  "golang",
	};

	for (size_t i = 0; i < countof(known); i++)
		CHECK(highlight_find(sv_cstr(known[i])));
	CHECK(!highlight_find(SV("")));
	CHECK(!highlight_find(SV("nonsense")));
}

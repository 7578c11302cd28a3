#include "term/editor/vim.h"

#include "base/rng.h"
#include "base/utf8.h"
#include "test.h"

struct bench {
	struct editor *editor;
	struct vim *vim;
};

static void bench_clear(struct bench *b)
{
	vim_free(b->vim);
	editor_free(b->editor);
}

#define BENCH(name)                                                        \
	defer(bench_clear) struct bench name = { .editor = editor_new() }; \
	name.vim = vim_new(name.editor)

static void draw(struct bench *b)
{
	defer(page_clear) struct page page = { .cells = 0 };
	struct screen_cursor cursor;

	editor_draw(b->editor, &(struct editor_look){ .columns = 40, .max_rows = 20 }, &page,
		    &cursor);
}

/* As a front end does: what vim has no use for is typed. */
static enum vim_result press(struct bench *b, const struct key *key)
{
	enum vim_result result;

	draw(b);
	result = vim_key(b->vim, key);
	if (result == VIM_UNUSED && key->code == KEY_TEXT && !key->mods)
		editor_insert(b->editor, key->text);
	return result;
}

/* Types characters; \x1b is Escape, \x12 is Ctrl-R. */
static enum vim_result type(struct bench *b, const char *keys)
{
	struct sv rest = sv_cstr(keys);
	enum vim_result result = VIM_TAKEN;

	while (rest.len) {
		int cells;
		size_t n = utf8_cluster(rest, &cells);
		struct key key = { .code = KEY_TEXT, .text = sv_slice(rest, 0, n) };

		if (*rest.ptr == '\x1b')
			key = (struct key){ .code = KEY_ESCAPE };
		else if (*rest.ptr == '\x12')
			key = (struct key){ .code = KEY_TEXT, .mods = KEY_CTRL, .text = SV("r") };
		result = press(b, &key);
		rest = sv_skip(rest, n);
	}
	return result;
}

/* The text, with | for the cursor. */
static void check_state(struct bench *b, const char *keys, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;

	str_add(&out, sv_slice(editor_text(b->editor), 0, editor_cursor(b->editor)));
	str_addc(&out, '|');
	str_add(&out, sv_skip(editor_text(b->editor), editor_cursor(b->editor)));
	if (!sv_is(sv_of(&out), expected))
		fail_msg("%s: expected \"%s\", not \"%s\"", keys, expected, str_c(&out));
}

static const struct {
	const char *before, *keys, *after; /* in normal mode; | is the cursor */
} cases[] = {
	/* Motions. */
	{ "on|e two", "h", "o|ne two" },
	{ "|one two", "hh", "|one two" },
	{ "one tw|o", "l", "one tw|o" },
	{ "|one two", "3l", "one| two" },
	{ "|one two", "w", "one |two" },
	{ "|one-two", "w", "one|-two" },
	{ "|one-two three", "W", "one-two |three" },
	{ "|one two three", "2w", "one two |three" },
	{ "|one two", "ww", "one tw|o" },
	{ "one\n\n|two", "b", "one\n|\ntwo" },
	{ "|one\n\ntwo", "w", "one\n|\ntwo" },
	{ "|one two", "e", "on|e two" },
	{ "on|e two", "e", "one tw|o" },
	{ "one tw|o", "e", "one tw|o" },
	{ "one-two |three", "B", "|one-two three" },
	{ "one-two |three", "b", "one-|two three" },
	{ "one-|two three", "E", "one-tw|o three" },
	{ "  one t|wo", "0", "|  one two" },
	{ "  one t|wo", "^", "  |one two" },
	{ "|one\ntwo", "$", "on|e\ntwo" },
	{ "|one\ntwo", "2$", "one\ntw|o" },
	{ "|one\n two", "G", "one\n |two" },
	{ "one\n t|wo", "gg", "|one\n two" },
	{ "|1\n2\n3", "2G", "1\n|2\n3" },
	{ "one\ntw|o", "k", "on|e\ntwo" },
	{ "on|e\ntwo", "j", "one\ntw|o" },
	{ "thr|ee\n\nlonger", "jj", "three\n\nlon|ger" },
	{ "|a.b.c", "f.", "a|.b.c" },
	{ "|a.b.c", "2f.", "a.b|.c" },
	{ "|a.b.c", "t.", "|a.b.c" },
	{ "|a.b.c", "t.;", "a.|b.c" },
	{ "a.b.|c", "F.", "a.b|.c" },
	{ "a.b.|c", "F.;", "a|.b.c" },
	{ "a.b.|c", "F.;,", "a.b|.c" },
	{ "a.bb.|c", "T.h;", "a.|bb.c" },
	{ "|a.b", "fx", "|a.b" },
	{ "|añb", "fñ", "a|ñb" },
	{ "|a\n.", "f.", "|a\n." },
	/* Operators. */
	{ "|one two", "dw", "|two" },
	{ "one |two", "dw", "one| " },
	{ "one |two\nthree", "dw", "one| \nthree" },
	{ "|one two three", "d2w", "|three" },
	{ "|one two three", "2dw", "|three" },
	{ "|a b c d e f g", "2d3w", "|g" },
	{ "one |two", "db", "|two" },
	{ "|one two", "de", "| two" },
	{ "one t|wo", "d0", "|wo" },
	{ "one| two", "d$", "on|e" },
	{ "one| two", "D", "on|e" },
	{ "|a.b.c", "dt.", "|.b.c" },
	{ "|a.b.c", "df.", "|b.c" },
	{ "a.b.|c", "dF.", "a.b|c" },
	{ "1\n|2\n3", "dd", "1\n|3" },
	{ "1\n2\n|3", "dd", "1\n|2" },
	{ "|1", "dd", "|" },
	{ "|1\n2\n3", "2dd", "|3" },
	{ "|1\n2\n3", "dj", "|3" },
	{ "1\n|2\n3", "dk", "|3" },
	{ "1\n|2\n3", "dG", "|1" },
	{ "1\n|2\n3", "dgg", "|3" },
	{ "|1", "dj", "|1" },
	{ "|one", "dx", "|one" },
	{ "|one two", "cwx\x1b", "|x two" },
	{ "|one two", "ccx\x1b", "|x" },
	{ "1\n|2\n3", "ccx\x1b", "1\n|x\n3" },
	{ "one| two", "Cx\x1b", "one|x" },
	{ "|one", "sx\x1b", "|xne" },
	{ "|one", "2sx\x1b", "|xe" },
	{ "o|ne", "Sx\x1b", "|x" },
	{ "|", "Cx\x1b", "|x" },
	{ "|one", ">>", "  |one" },
	{ "    o|ne", "<<", "  |one" },
	{ "\to|ne", "<<", "|one" },
	{ "|1\n\n3", "3>>", "  |1\n\n  3" },
	{ "|1\n2\n3", ">j", "  |1\n  2\n3" },
	/* Objects. */
	{ "one t|wo three", "diw", "one | three" },
	{ "one t|wo three", "daw", "one |three" },
	{ "one t|wo", "daw", "on|e" },
	{ "one| two", "diw", "one|two" },
	{ "a one-t|wo b", "diW", "a | b" },
	{ "a one-t|wo b", "daW", "a |b" },
	{ "|one two three", "d2aw", "|three" },
	{ "say \"h|i there\" now", "di\"", "say \"|\" now" },
	{ "say \"h|i there\" now", "da\"", "say |now" },
	{ "|say \"hi\" now", "ci\"x\x1b", "say \"|x\" now" },
	{ "'a|\\'b' c", "di'", "'|' c" },
	{ "f(a, (|b), c)", "di(", "f(a, (|), c)" },
	{ "f(a|, (b), c)", "da(", "|f" },
	{ "f(a, (|b), c)", "d2i(", "f(|)" },
	{ "f|(a)", "di)", "f(|)" },
	{ "x[1|2]", "dib", "x[1|2]" },
	{ "x[1|2]", "di[", "x[|]" },
	{ "{\n  |a\n}", "diB", "{\n|}" },
	{ "{ |a }", "diB", "{|}" },
	{ "<|a>", "da<", "|" },
	/* The register. */
	{ "|one two", "dwP", "one| two" },
	{ "|one two", "ywP", "one| one two" },
	{ "a|b", "xp", "a|b" },
	{ "|ab", "xp", "b|a" },
	{ "|1\n2", "yyp", "1\n|1\n2" },
	{ "|1\n2", "yyjp", "1\n2\n|1" },
	{ "|1\n2", "Y2P", "|1\n1\n1\n2" },
	{ "|1\n2", "ddp", "2\n|1" },
	{ "|ab", "x3p", "baa|a" },
	{ "one |two", "yiw0P", "tw|oone two" },
	/* Commands. */
	{ "|one", "x", "|ne" },
	{ "|one", "9x", "|" },
	{ "on|e", "X", "o|e" },
	{ "|one", "~", "O|ne" },
	{ "|one", "3~", "ON|E" },
	{ "|one", "rx", "|xne" },
	{ "|one", "3rx", "xx|x" },
	{ "|one", "4rx", "|one" },
	{ "|one", "ré", "|éne" },
	{ "|one\n  two", "J", "one| two" },
	{ "|1\n2\n3", "3J", "1 2| 3" },
	{ "|one", "J", "|one" },
	{ "|one", "ix\x1b", "|xone" },
	{ "|one", "ax\x1b", "o|xne" },
	{ "|one", "Ax\x1b", "one|x" },
	{ "  on|e", "Ix\x1b", "  |xone" },
	{ "|one", "ox\x1b", "one\n|x" },
	{ "|one", "Ox\x1b", "|x\none" },
	{ "|one", "3ix\x1b", "xx|xone" },
	/* Undo. */
	{ "|one two", "dwu", "|one two" },
	{ "|one two", "dwu\x12", "|two" },
	{ "|one two", "cwa b c\x1bu", "|one two" },
	{ "|1\n2\n3", "3>>u", "|1\n2\n3" },
	{ "|abc", "xxx3u", "|abc" },
	/* Again. */
	{ "|a b c d", "dw.", "|c d" },
	{ "|a b c d", "dw2.", "|d" },
	{ "|one two", "cwx\x1bw.", "x |x" },
	{ "|1\n2", "Ax\x1bj.", "1x\n2|x" },
	{ "|1\n2", "ox\x1b.", "1\nx\n|x\n2" },
	{ "|abc", "rxl.", "x|xc" },
	{ "say \"a\" |\"b\"", "di\"", "say \"a\" \"|\"" },
	{ "|abcdef", "vld.", "|ef" },
	{ "|1\n2\n3", "Vd.", "|3" },
	/* Visual mode. */
	{ "|one two", "ved", "| two" },
	{ "|one two", "vey$p", "one twoon|e" },
	{ "|one two", "vecx\x1b", "|x two" },
	{ "|one two", "vesx\x1b", "|x two" },
	{ "|one two", "veU", "|ONE two" },
	{ "|ONE two", "veu", "|one two" },
	{ "|oNe", "ve~", "|OnE" },
	{ "|one", "verx", "|xxx" },
	{ "|1\n2\n3", "Vjd", "|3" },
	{ "|1\n2\n3", "Vj>", "  |1\n  2\n3" },
	{ "|1\n2\n3", "VjJ", "1| 2\n3" },
	{ "one t|wo three", "viwd", "one | three" },
	{ "a (b |c) d", "vi(d", "a (|) d" },
	{ "a|bcd", "vlohd", "|d" },
	{ "|one two", "yiwwviwp", "one on|e" },
	{ "|1\n2", "yyjVp", "1\n|1" },
	{ "|1\na b", "yyjvp", "1\n\n|1\n b" },
	{ "|one\ntwo", "yiwjVp", "one\n|one" },
	{ "|one", "vvx", "|ne" },
	{ "|one", "v\x1bx", "|ne" },
	/* Keys that mean nothing drop what was begun. */
	{ "|one two", "dzw", "one |two" },
	{ "|one two", "2\x1bx", "|ne two" },
	{ "|one two", "gzx", "|ne two" },
	{ "|one", "zx", "|ne" },
};

TEST(vim_commands_do_what_they_do_in_vim)
{
	for (size_t i = 0; i < countof(cases); i++) {
		struct sv before = sv_cstr(cases[i].before);
		size_t cursor = sv_find_char(before, '|');
		BENCH(b);

		editor_insert(b.editor, sv_slice(before, 0, cursor));
		editor_insert(b.editor, sv_skip(before, cursor + 1));
		editor_move(b.editor, cursor);
		type(&b, "\x1b");
		editor_move(b.editor, cursor);
		type(&b, cases[i].keys);
		check_state(&b, cases[i].keys, cases[i].after);
	}
}

TEST(vim_begins_in_insert_mode_and_returns_to_it)
{
	BENCH(b);

	CHECK_INT(vim_mode(b.vim), VIM_INSERT);
	type(&b, "hello");
	check_state(&b, "hello", "hello|");
	type(&b, "\x1b");
	CHECK_INT(vim_mode(b.vim), VIM_NORMAL);
	check_state(&b, "Escape", "hell|o");
	type(&b, "a");
	CHECK_INT(vim_mode(b.vim), VIM_INSERT);
	type(&b, "\x1bv");
	CHECK_INT(vim_mode(b.vim), VIM_VISUAL);
	type(&b, "V");
	CHECK_INT(vim_mode(b.vim), VIM_VISUAL_LINE);
	vim_reset(b.vim);
	CHECK_INT(vim_mode(b.vim), VIM_INSERT);
}

TEST(vim_leaves_the_keys_it_does_not_know_to_the_caller)
{
	const struct key enter = { .code = KEY_ENTER },
			 ctrl = { .code = KEY_TEXT, .mods = KEY_CTRL, .text = SV("o") };
	const struct key escape = { .code = KEY_ESCAPE };
	BENCH(b);

	CHECK_INT(press(&b, &enter), VIM_UNUSED);
	type(&b, "one\x1b");
	CHECK_INT(press(&b, &enter), VIM_UNUSED);
	CHECK_INT(press(&b, &ctrl), VIM_UNUSED);
	CHECK_INT(press(&b, &escape), VIM_UNUSED);
	type(&b, "d");
	CHECK_INT(press(&b, &escape), VIM_TAKEN);
	CHECK_INT(type(&b, "/"), VIM_SEARCH);
	CHECK_INT(type(&b, "k"), VIM_OLDER);
	CHECK_INT(type(&b, "j"), VIM_NEWER);
}

TEST(vim_can_use_arrow_keys)
{
	const struct key left = { .code = KEY_LEFT }, del = { .code = KEY_DELETE },
			 end = { .code = KEY_END };
	BENCH(b);

	type(&b, "one\x1b");
	press(&b, &left);
	check_state(&b, "Left", "o|ne");
	press(&b, &del);
	check_state(&b, "Delete", "o|e");
	type(&b, "0d");
	press(&b, &end);
	check_state(&b, "d End", "|");
}

TEST(vim_escape_can_be_two_letters)
{
	BENCH(b);

	vim_remap_escape(b.vim, SV("jj"));
	type(&b, "ajbj");
	CHECK_INT(vim_mode(b.vim), VIM_INSERT);
	type(&b, "j");
	CHECK_INT(vim_mode(b.vim), VIM_NORMAL);
	check_state(&b, "jj", "aj|b");
}

TEST(vim_shows_what_is_selected_and_what_is_pending)
{
	defer(str_clear) struct str keys = STR_INIT;
	size_t from, to;
	BENCH(b);

	type(&b, "one two\x1b");
	CHECK(!vim_selection(b.vim, &from, &to));
	type(&b, "vb");
	CHECK(vim_selection(b.vim, &from, &to));
	CHECK_INT(from, 4);
	CHECK_INT(to, 7);
	type(&b, "\x1b"
		 "2d");
	vim_pending(b.vim, &keys);
	CHECK_SV(sv_of(&keys), "2d");
}

TEST(vim_typing_from_insert_to_escape_is_one_step_of_undo)
{
	BENCH(b);

	type(&b, "one\x1b"
		 "A two three\x1bu");
	check_state(&b, "u", "on|e");
}

TEST(vim_survives_a_new_text_in_the_middle_of_an_insertion)
{
	BENCH(b);

	type(&b, "one\x1bix");
	vim_reset(b.vim);
	editor_reset(b.editor);
	type(&b, "two\x1bx.");
	check_state(&b, "x.", "|t");
}

/* Whatever is typed, positions stay on boundaries of characters and the buffer stays valid. */
TEST(vim_survives_random_keys)
{
	static const char *const keys[] = {
		"d",         "c",    "y",    ">",    "<",    "w", "b", "e", "W", "B", "E",
		"j",         "k",    "h",    "l",    "0",    "^", "$", "g", "G", "f", "F",
		"t",         "T",    ";",    ",",    "i",    "a", "I", "A", "o", "O", "v",
		"V",         "x",    "X",    "D",    "C",    "s", "S", "Y", "p", "P", "J",
		"r",         "~",    "u",    ".",    "\"",   "(", "{", "1", "3", " ", "é",
		"e\xcc\x81", "\x1b", "\x1b", "\x1b", "\x12", "/", "U"
	};
	struct rng rng;

	rng_seed(&rng, 42);
	for (int round = 0; round < 300; round++) {
		BENCH(b);

		editor_insert(
			b.editor,
			SV("one (two) \"thr\xc3\xa9"
			   "e\"\n\n  fo\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbbur-five\n"));
		editor_insert_folded(b.editor, SV("[Pasted]"), SV("a\nb"));
		for (int i = 0; i < 60; i++) {
			struct sv text;
			size_t at = 0;
			int cells;

			type(&b, keys[rng_below(&rng, countof(keys))]);
			text = editor_text(b.editor);
			CHECK(text.len < 1 << 20);
			while (at < editor_cursor(b.editor))
				at += utf8_cluster(sv_skip(text, at), &cells);
			CHECK_INT(at, editor_cursor(b.editor));
		}
	}
}

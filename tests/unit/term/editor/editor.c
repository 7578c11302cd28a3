#include "term/editor/editor.h"

#include "base/rng.h"
#include "base/utf8.h"
#include "test.h"

static const struct {
	const char *name;
	enum editor_action action;
} actions[] = {
	{ "left", EDIT_LEFT },
	{ "right", EDIT_RIGHT },
	{ "up", EDIT_UP },
	{ "down", EDIT_DOWN },
	{ "word-left", EDIT_WORD_LEFT },
	{ "word-right", EDIT_WORD_RIGHT },
	{ "home", EDIT_LINE_START },
	{ "end", EDIT_LINE_END },
	{ "start", EDIT_START },
	{ "finish", EDIT_END },
	{ "newline", EDIT_NEWLINE },
	{ "backspace", EDIT_BACKSPACE },
	{ "delete", EDIT_DELETE },
	{ "kill-word-left", EDIT_KILL_WORD_LEFT },
	{ "kill-word-right", EDIT_KILL_WORD_RIGHT },
	{ "kill-blank-left", EDIT_KILL_BLANK_LEFT },
	{ "kill-start", EDIT_KILL_TO_START },
	{ "kill-end", EDIT_KILL_TO_END },
	{ "yank", EDIT_YANK },
	{ "yank-pop", EDIT_YANK_POP },
	{ "transpose", EDIT_TRANSPOSE },
	{ "upper", EDIT_UPPER_WORD },
	{ "lower", EDIT_LOWER_WORD },
	{ "capital", EDIT_CAPITAL_WORD },
	{ "undo", EDIT_UNDO },
	{ "redo", EDIT_REDO },
};

/* Performs words such as "left" and "'typed text'". */
static void perform(struct editor *editor, const char *script)
{
	struct sv rest = sv_cstr(script), word;

	while (rest.len) {
		size_t i = 0;

		if (*rest.ptr == '\'') {
			size_t end = sv_find_char(sv_skip(rest, 1), '\'') + 1;

			for (size_t k = 1, n; k < end; k += n) {
				int cells;

				n = utf8_cluster(sv_slice(rest, k, end), &cells);
				editor_insert(editor, sv_slice(rest, k, k + n));
			}
			rest = sv_skip(rest, end + 1);
			rest = sv_skip(rest, sv_starts(rest, SV(" ")) ? 1 : 0);
			continue;
		}
		sv_cut(&rest, ' ', &word);
		while (i < countof(actions) && !sv_is(word, actions[i].name))
			i++;
		CHECK(i < countof(actions));
		editor_do(editor, actions[i].action);
	}
}

/* The text, with | for the cursor. */
static struct sv state(const struct editor *editor, struct str *out)
{
	str_truncate(out, 0);
	str_add(out, sv_slice(editor_text(editor), 0, editor_cursor(editor)));
	str_addc(out, '|');
	str_add(out, sv_skip(editor_text(editor), editor_cursor(editor)));
	return sv_of(out);
}

static const struct {
	const char *script, *expected;
} cases[] = {
	{ "'hello' left left 'X'", "helX|lo" },
	{ "'hello' home 'X'", "X|hello" },
	{ "'ab' newline 'cd' home", "ab\n|cd" },
	{ "'ab' newline 'cd' start", "|ab\ncd" },
	{ "'ab' newline 'cd' start end", "ab|\ncd" },
	/* User-perceived characters are whole. */
	{ "'e\xcc\x81\xe4\xbd\xa0' left left right 'x'", "e\xcc\x81x|\xe4\xbd\xa0" },
	{ "'ae\xcc\x81' backspace", "a|" },
	{ "'\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9' backspace", "|" },
	{ "'ab' left delete", "a|" },
	/* Words. */
	{ "'one two-three' word-left", "one two-|three" },
	{ "'one two-three' word-left word-left", "one |two-three" },
	{ "'one two' start word-right", "one| two" },
	{ "'one two  ' kill-word-left", "one |" },
	{ "'git log --oneline' kill-blank-left", "git log |" },
	{ "'one two' start kill-word-right", "| two" },
	/* Kills and yanks. */
	{ "'one two' kill-start yank", "one two|" },
	{ "'one two' start kill-end yank yank", "one twoone two|" },
	{ "'a b c' kill-blank-left kill-blank-left yank", "a b c|" },
	{ "'a b' kill-blank-left 'x' kill-blank-left yank yank-pop", "a b|" },
	{ "'a' yank-pop", "a|" },
	{ "'a' newline 'b' start end kill-end", "a|b" },
	{ "yank", "|" },
	/* Small changes. */
	{ "'teh' transpose", "the|" },
	{ "'ab' left transpose", "ba|" },
	{ "'a' transpose", "a|" },
	{ "'hello world' start upper", "HELLO| world" },
	{ "'hello world' start capital capital", "Hello World|" },
	{ "'HELLO' start lower", "hello|" },
	/* Undo. */
	{ "'one two' undo", "one |" },
	{ "'one two' undo undo", "|" },
	{ "'one two' undo undo redo redo", "one two|" },
	{ "'one' undo 'x' redo", "x|" },
	{ "'one' kill-start 'two' undo undo", "one|" },
	{ "'one' left 'x' undo", "on|e" },
	{ "undo redo", "|" },
};

TEST(editing_does_what_its_keys_say)
{
	for (size_t i = 0; i < countof(cases); i++) {
		defer(editor_freep) struct editor *editor = editor_new();
		defer(str_clear) struct str out = STR_INIT;

		perform(editor, cases[i].script);
		CHECK_SV_EQ(state(editor, &out), sv_cstr(cases[i].expected));
	}
}

TEST(only_text_gets_into_the_buffer)
{
	defer(editor_freep) struct editor *editor = editor_new();

	editor_insert(editor, SV("a\x1b[2Jb\r\nc\rd\te\xff\xc2\x9b\xf4\x80\x80\x80"));
	CHECK_SV(editor_text(editor), "a[2Jb\nc\nd\te\xef\xbf\xbd\xef\xbf\xbd");
}

/* --- folded pieces ----------------------------------------------------------------- */

TEST(folded_piece_is_one_character_that_means_its_content)
{
	defer(editor_freep) struct editor *editor = editor_new();
	defer(str_clear) struct str meant = STR_INIT;

	perform(editor, "'see '");
	editor_insert_folded(editor, SV("[Pasted text #1 +2 lines]"), SV("x\ny\nz"));
	perform(editor, "' ok' left left left");
	CHECK(editor_do(editor, EDIT_BACKSPACE));
	editor_expand(editor, &meant);
	CHECK_SV(sv_of(&meant), "see  ok");
	CHECK(editor_do(editor, EDIT_UNDO));
	str_truncate(&meant, 0);
	editor_expand(editor, &meant);
	CHECK_SV(sv_of(&meant), "see x\ny\nz ok");
}

TEST(killed_piece_can_be_yanked)
{
	defer(editor_freep) struct editor *editor = editor_new();
	defer(str_clear) struct str meant = STR_INIT;

	editor_insert_folded(editor, SV("[1]"), SV("content"));
	perform(editor, "kill-start yank");
	editor_expand(editor, &meant);
	CHECK_SV(sv_of(&meant), "content");
}

/* --- rows -------------------------------------------------------------------------- */

static struct screen_cursor draw(struct editor *editor, size_t columns, size_t max_rows,
				 struct str *out)
{
	struct editor_look look = {
		.columns = columns,
		.max_rows = max_rows,
		.prefix = SV("> "),
		.next_prefix = SV("  "),
		.placeholder = SV("Ask"),
		.suggestion = SV("..."),
	};
	struct screen_cursor cursor = { .row = SIZE_MAX };
	struct page page = { .link = 0 };

	editor_draw(editor, &look, &page, &cursor);
	str_truncate(out, 0);
	for (size_t i = 0; i < page.rows.n; i++) {
		str_add(out, page_row_text(&page, i));
		str_addc(out, '\n');
	}
	page_clear(&page);
	return cursor;
}

TEST(lines_are_folded_at_blanks)
{
	defer(editor_freep) struct editor *editor = editor_new();
	defer(str_clear) struct str out = STR_INIT;
	struct screen_cursor cursor;

	perform(editor, "'one two three' left");
	cursor = draw(editor, 11, 9, &out);
	CHECK_SV(sv_of(&out), "> one two \n  three\n");
	CHECK_INT(cursor.row, 1);
	CHECK_INT(cursor.cell, 6);
	draw(editor, 6, 9, &out);
	CHECK_SV(sv_of(&out), "> one \n  two \n  thr\n  ee\n");
}

TEST(hints_are_shown_where_they_belong)
{
	defer(editor_freep) struct editor *editor = editor_new();
	defer(str_clear) struct str out = STR_INIT;

	draw(editor, 20, 9, &out);
	CHECK_SV(sv_of(&out), "> Ask\n");
	perform(editor, "'a'");
	draw(editor, 20, 9, &out);
	CHECK_SV(sv_of(&out), "> a...\n");
	perform(editor, "left");
	draw(editor, 20, 9, &out);
	CHECK_SV(sv_of(&out), "> a\n");
}

TEST(long_text_scrolls_with_the_cursor)
{
	defer(editor_freep) struct editor *editor = editor_new();
	defer(str_clear) struct str out = STR_INIT;

	editor_insert(editor, SV("1\n2\n3\n4\n5"));
	draw(editor, 20, 3, &out);
	CHECK_SV(sv_of(&out), "\xe2\x86\x91 3\n  4\n  5...\n");
	perform(editor, "up up up");
	draw(editor, 20, 3, &out);
	CHECK_SV(sv_of(&out), "\xe2\x86\x91 2\n  3\n\xe2\x86\x93 4\n");
	perform(editor, "up");
	draw(editor, 20, 3, &out);
	CHECK_SV(sv_of(&out), "> 1\n  2\n\xe2\x86\x93 3\n");
}

TEST(up_and_down_keep_their_column)
{
	defer(editor_freep) struct editor *editor = editor_new();
	defer(str_clear) struct str out = STR_INIT;

	editor_insert(editor, SV("long line\nx\nanother one"));
	draw(editor, 40, 9, &out);
	perform(editor, "left left left");
	CHECK_SV(state(editor, &out), "long line\nx\nanother |one");
	perform(editor, "up");
	CHECK_SV(state(editor, &out), "long line\nx|\nanother one");
	perform(editor, "up");
	CHECK_SV(state(editor, &out), "long lin|e\nx\nanother one");
	CHECK(!editor_do(editor, EDIT_UP));
	perform(editor, "down down");
	CHECK_SV(state(editor, &out), "long line\nx\nanother |one");
	CHECK(!editor_do(editor, EDIT_DOWN));
}

TEST(label_is_shown_for_a_folded_piece)
{
	defer(editor_freep) struct editor *editor = editor_new();
	defer(str_clear) struct str out = STR_INIT;
	struct screen_cursor cursor;

	editor_insert_folded(editor, SV("[Pasted]"), SV("x"));
	cursor = draw(editor, 30, 9, &out);
	CHECK_SV(sv_of(&out), "> [Pasted]...\n");
	CHECK_INT(cursor.cell, 10);
}

/* --- anything ---------------------------------------------------------------------- */

TEST(any_sequence_of_actions_can_be_undone)
{
	static const char *const texts[] = { "a",        " ",  "\n", "word", "\xe4\xbd\xa0",
					     "\xcc\x81", "\t", "-" };

	for (uint64_t seed = 1; seed <= 200; seed++) {
		defer(editor_freep) struct editor *editor = editor_new();
		defer(str_clear) struct str out = STR_INIT, last = STR_INIT;
		struct rng rng;

		rng_seed(&rng, seed);
		for (size_t i = 0; i < 100; i++) {
			if (rng_below(&rng, 2))
				editor_insert(editor,
					      sv_cstr(texts[rng_below(&rng, countof(texts))]));
			else
				editor_do(editor,
					  actions[rng_below(&rng, countof(actions))].action);
			if (rng_below(&rng, 10) == 0)
				editor_insert_folded(editor, SV("[x]"), SV("y"));
			CHECK(editor_cursor(editor) <= editor_text(editor).len);
			CHECK(utf8_valid(editor_text(editor), NULL));
			draw(editor, 4 + rng_below(&rng, 20), 1 + rng_below(&rng, 5), &out);
		}
		while (editor_do(editor, EDIT_REDO))
			;
		str_add(&last, editor_text(editor));
		while (editor_do(editor, EDIT_UNDO))
			;
		CHECK_SV(editor_text(editor), "");
		while (editor_do(editor, EDIT_REDO))
			;
		CHECK_SV_EQ(editor_text(editor), sv_of(&last));
	}
}

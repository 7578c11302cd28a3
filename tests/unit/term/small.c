/* The small modules of src/term. */
#include "term/chord.h"
#include "term/editor/line_history.h"
#include "term/fuzzy.h"
#include "term/style.h"
#include "term/tty.h"
#include "term/wrap.h"
#include "test.h"

/* --- colours and styles ------------------------------------------------------------ */

TEST(colours_are_read_in_every_notation)
{
	static const struct {
		const char *text;
		struct color color;
	} cases[] = {
		{ "#ff8000", { .kind = COLOR_RGB, .r = 255, .g = 128 } },
		{ "#f80", { .kind = COLOR_RGB, .r = 255, .g = 136 } },
		{ "rgb(1, 2,3)", { .kind = COLOR_RGB, .r = 1, .g = 2, .b = 3 } },
		{ "ansi256(17)", { .kind = COLOR_INDEX, .index = 17 } },
		{ "ansi:red", { .kind = COLOR_INDEX, .index = 1 } },
		{ "ansi:whiteBright", { .kind = COLOR_INDEX, .index = 15 } },
	};
	static const char *const wrong[] = { "",          "#",        "#12",
					     "#ggg",      "rgb(1,2)", "rgb(1,2,256)",
					     "ansi:pink", "red" };
	struct color color;

	for (size_t i = 0; i < countof(cases); i++) {
		CHECK(color_parse(sv_cstr(cases[i].text), &color));
		CHECK(color_eq(color, cases[i].color));
	}
	for (size_t i = 0; i < countof(wrong); i++)
		CHECK(!color_parse(sv_cstr(wrong[i]), &color));
}

TEST(styles_are_switched_by_what_differs)
{
	struct style plain = { .attrs = 0 }, bold = { .attrs = STYLE_BOLD };
	struct style dim = { .attrs = STYLE_DIM }, both = { .attrs = STYLE_BOLD | STYLE_ITALIC };
	struct style orange = { .fg = { .kind = COLOR_RGB, .r = 255, .g = 135 } };
	const struct {
		struct style from, to;
		enum color_depth depth;
		const char *bytes;
	} cases[] = {
		{ plain, plain, DEPTH_RGB, "" },
		{ plain, bold, DEPTH_RGB, "\x1b[1m" },
		{ bold, plain, DEPTH_RGB, "\x1b[m" },
		{ bold, dim, DEPTH_RGB, "\x1b[0;2m" },
		{ bold, both, DEPTH_RGB, "\x1b[3m" },
		{ both, bold, DEPTH_RGB, "\x1b[23m" },
		{ plain, orange, DEPTH_RGB, "\x1b[38;2;255;135;0m" },
		{ plain, orange, DEPTH_256, "\x1b[38;5;208m" },
		{ plain, orange, DEPTH_16, "\x1b[33m" },
		{ plain, orange, DEPTH_NONE, "" },
		{ orange, plain, DEPTH_RGB, "\x1b[m" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		style_switch(&out, cases[i].from, cases[i].to, cases[i].depth);
		CHECK_SV_EQ(sv_of(&out), sv_cstr(cases[i].bytes));
	}
}

/* --- folding ------------------------------------------------------------------------ */

static void check_wrap(const char *text, size_t cells, enum wrap_mode mode, const char *expected)
{
	struct wrap_prefix first = { .text = SV("* ") }, rest = { .text = SV("  ") };
	defer(page_clear) struct page page = { .link = 0 };
	defer(str_clear) struct str out = STR_INIT;
	static const struct style plain;
	struct wrap wrap;

	wrap_init(&wrap, &page, cells, mode, first, rest);
	wrap_add(&wrap, sv_cstr(text), plain);
	wrap_end(&wrap);
	for (size_t i = 0; i < page.rows.n; i++) {
		str_add(&out, page_row_text(&page, i));
		str_addc(&out, '|');
	}
	CHECK_SV_EQ(sv_of(&out), sv_cstr(expected));
}

TEST(text_is_folded_behind_its_prefix)
{
	check_wrap("one two three", 9, WRAP_WORDS, "* one two|  three|");
	check_wrap("one  two", 6, WRAP_WORDS, "* one|  two|");
	check_wrap("abcdefgh", 6, WRAP_WORDS, "* abcd|  efgh|");
	check_wrap("a\n\nb", 6, WRAP_WORDS, "* a|  |  b|");
	check_wrap("  indented", 20, WRAP_WORDS, "*   indented|");
	check_wrap("a  b c", 5, WRAP_CLUSTERS, "* a  |  b c|");
	check_wrap("a\tb", 20, WRAP_CLUSTERS, "* a       b|");
	check_wrap("\xe4\xbd\xa0\xe4\xbd\xa0", 5, WRAP_CLUSTERS, "* \xe4\xbd\xa0|  \xe4\xbd\xa0|");
	check_wrap("abc", 1, WRAP_WORDS, "* a|  b|  c|");
	check_wrap("", 9, WRAP_WORDS, "");
}

/* --- bindings ----------------------------------------------------------------------- */

static struct key text_key(const char *text, unsigned mods)
{
	return (struct key){ .code = KEY_TEXT, .mods = mods, .text = sv_cstr(text) };
}

TEST(sequence_of_keys_means_its_action)
{
	const unsigned contexts[] = { 2, 1 };
	struct chords *chords = chords_new();
	struct key x = text_key("x", KEY_CTRL), k = text_key("k", KEY_CTRL), a = text_key("a", 0);
	struct err err = ERR_INIT;
	unsigned action = 0;

	CHECK_OK(chords_bind(chords, 1, SV("ctrl+x ctrl+k"), 7, &err), err);
	CHECK_OK(chords_bind(chords, 1, SV("a"), 8, &err), err);
	CHECK_OK(chords_bind(chords, 2, SV("a"), 9, &err), err);
	CHECK_INT(chords_key(chords, contexts, 2, &x, &action), CHORD_PARTIAL);
	CHECK_INT(chords_key(chords, contexts, 2, &k, &action), CHORD_ACTION);
	CHECK_INT(action, 7);
	CHECK_INT(chords_key(chords, contexts, 2, &x, &action), CHORD_PARTIAL);
	CHECK_INT(chords_key(chords, contexts, 2, &a, &action), CHORD_NONE);
	CHECK_INT(chords_key(chords, contexts, 2, &a, &action), CHORD_ACTION);
	CHECK_INT(action, 9);
	CHECK_OK(chords_bind(chords, 2, SV("a"), 0, &err), err);
	CHECK_INT(chords_key(chords, contexts, 2, &a, &action), CHORD_ACTION);
	CHECK_INT(action, 8);
	chords_free(chords);
}

TEST(names_of_keys_are_read_and_written)
{
	static const struct {
		const char *written, *shown;
	} cases[] = {
		{ "ctrl+shift+x", "ctrl+shift+x" },
		{ "Ctrl+X", "ctrl+shift+x" },
		{ "meta+p", "alt+p" },
		{ "cmd+enter", "cmd+enter" },
		{ "K", "K" },
		{ "shift+k", "K" },
		{ "shift+tab", "shift+tab" },
		{ "F12", "f12" },
		{ "space", "space" },
		{ "ctrl++", "ctrl++" },
		{ "+", "+" },
	};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < countof(cases); i++) {
		struct chords *chords = chords_new();
		defer(str_clear) struct str out = STR_INIT;

		CHECK_OK(chords_bind(chords, 1, sv_cstr(cases[i].written), 1, &err), err);
		chords_describe(chords, &out, 1, 1);
		CHECK_SV_EQ(sv_of(&out), sv_cstr(cases[i].shown));
		chords_free(chords);
	}
}

TEST(sequence_that_cannot_be_read_is_an_error)
{
	static const char *const wrong[] = { "",        " ",   "ctrl+",    "ctrl+nope",
					     "hyper+x", "f99", "a b c d e" };
	struct chords *chords = chords_new();

	for (size_t i = 0; i < countof(wrong); i++) {
		struct err err = ERR_INIT;

		CHECK(!chords_bind(chords, 1, sv_cstr(wrong[i]), 1, &err));
		CHECK_ERR(err, ERR_INVALID, "key");
	}
	chords_free(chords);
}

/* --- names -------------------------------------------------------------------------- */

TEST(letters_find_the_name_that_is_meant)
{
	static const struct {
		const char *query, *better, *worse;
	} cases[] = {
		{ "main", "src/main.c", "src/domain.c" },
		{ "tc", "term/chord.c", "architecture.md" },
		{ "read", "README.md", "src/spreadsheet.c" },
		{ "ab", "ab", "a/b" },
		{ "fb", "fooBar.c", "foobar.c" },
		{ "x", "x.c", "a/long/path/to/some/box.c" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		CHECK(fuzzy_score(sv_cstr(cases[i].better), sv_cstr(cases[i].query)) >
		      fuzzy_score(sv_cstr(cases[i].worse), sv_cstr(cases[i].query)));
	CHECK(fuzzy_score(SV("abc"), SV("cb")) < 0);
	CHECK(fuzzy_score(SV("abc"), SV("abcd")) < 0);
	CHECK_INT(fuzzy_score(SV("abc"), SV("")), 0);
}

/* --- history ------------------------------------------------------------------------ */

TEST(history_gives_back_the_draft)
{
	struct line_history *history = line_history_new(2);
	struct sv text = SV_EMPTY;

	CHECK(!line_history_older(history, SV("draft"), SV_EMPTY, &text));
	line_history_add(history, SV("one"));
	line_history_add(history, SV("two"));
	line_history_add(history, SV("two"));
	line_history_add(history, SV("three"));
	CHECK_INT(line_history_count(history), 2);
	CHECK(line_history_older(history, SV("draft"), SV_EMPTY, &text));
	CHECK_SV(text, "three");
	CHECK(line_history_older(history, SV("ignored"), SV_EMPTY, &text));
	CHECK_SV(text, "two");
	CHECK(!line_history_older(history, SV(""), SV_EMPTY, &text));
	CHECK(line_history_newer(history, &text));
	CHECK(line_history_newer(history, &text));
	CHECK_SV(text, "draft");
	CHECK(!line_history_newer(history, &text));
	CHECK_INT(line_history_search(history, SV_EMPTY, SV("TW"), 0), 1);
	CHECK(line_history_search(history, SV_EMPTY, SV("one"), 0) == SIZE_MAX);
	line_history_free(history);
}

TEST(history_walks_over_what_begins_as_wanted)
{
	static const char *const entries[] = { "!ls", "what is this?", "!make", "thanks" };
	struct line_history *history = line_history_new(9);
	struct sv text = SV_EMPTY;

	for (size_t i = 0; i < countof(entries); i++)
		line_history_add(history, sv_cstr(entries[i]));
	CHECK(line_history_older(history, SV("!"), SV("!"), &text));
	CHECK_SV(text, "!make");
	CHECK(line_history_older(history, text, SV_EMPTY, &text));
	CHECK_SV(text, "!ls");
	CHECK(!line_history_older(history, text, SV("!"), &text));
	CHECK(line_history_newer(history, &text));
	CHECK_SV(text, "!make");
	CHECK(line_history_newer(history, &text));
	CHECK_SV(text, "!");
	CHECK(!line_history_newer(history, &text));
	CHECK_INT(line_history_search(history, SV("!"), SV("s"), 0), 3);
	line_history_free(history);
}

/* --- terminals ---------------------------------------------------------------------- */

TEST(terminal_is_judged_by_its_environment)
{
	struct tty_info info;

	tty_guess(&info, &(struct tty_env){ .term = "xterm-256color" });
	CHECK_INT(info.caps.depth, DEPTH_256);
	CHECK(info.caps.reflow == REFLOW_TRACKS && info.caps.has_links && info.may_query);
	tty_guess(&info, &(struct tty_env){ .term = "xterm-256color", .colorterm = "truecolor" });
	CHECK_INT(info.caps.depth, DEPTH_RGB);
	tty_guess(&info, &(struct tty_env){ .term = "xterm", .no_color = "1" });
	CHECK_INT(info.caps.depth, DEPTH_NONE);
	tty_guess(&info, &(struct tty_env){ .term = "linux", .colorfgbg = "15;0" });
	CHECK(info.caps.reflow == REFLOW_NONE && !info.caps.has_links && !info.may_query);
	CHECK_INT(info.background, TTY_BACKGROUND_DARK);
	tty_guess(&info, &(struct tty_env){ .term = "xterm", .xterm_version = "XTerm(379)" });
	CHECK(info.caps.reflow == REFLOW_NONE);
	CHECK(!tty_can_draw(&(struct tty_env){ .term = "dumb" }));
	CHECK(!tty_can_draw(&(struct tty_env){ .term = NULL }));
	CHECK(tty_can_draw(&(struct tty_env){ .term = "vt100" }));
}

TEST(reply_of_the_terminal_corrects_the_guess)
{
	struct tty_info info;
	struct key_event event = { .kind = KEY_EVENT_REPLY };

	tty_guess(&info, &(struct tty_env){ .term = "xterm-256color" });
	event.reply.what = KEY_REPLY_MODE;
	event.reply.number = 2026;
	event.reply.state = 2;
	CHECK(tty_on_reply(&info, &event));
	CHECK(info.caps.is_synchronized);
	CHECK(!tty_on_reply(&info, &event));
	event.reply.what = KEY_REPLY_BACKGROUND;
	memset(event.reply.color, 250, 3);
	CHECK(tty_on_reply(&info, &event));
	CHECK_INT(info.background, TTY_BACKGROUND_LIGHT);
	event.reply.what = KEY_REPLY_VERSION;
	event.reply.text = SV("XTerm(390)");
	CHECK(tty_on_reply(&info, &event));
	CHECK(info.caps.reflow == REFLOW_NONE);
}

#include "front/tui/view/view.h"

#include "front/tui/view/lookups.h"
#include "test.h"

/* The rows of a page, joined by line ends. */
static void rows_of(struct str *out, const struct page *page)
{
	for (size_t i = 0; i < page->rows.n; i++) {
		str_add(out, page_row_text(page, i));
		str_addc(out, '\n');
	}
}

static struct view view_of(size_t columns)
{
	return (struct view){ .theme = theme_find(SV("ansi"), TTY_BACKGROUND_UNKNOWN),
			      .columns = columns,
			      .cwd = SV("/w") };
}

static void call_rows_in(struct str *out, struct view view, const char *tool, const char *input,
			 enum view_state state, const char *text, const char *data)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *in = json_parse(sv_cstr(input), 0, &err);
	defer(json_doc_freep) struct json_doc *result = json_parse(sv_cstr(data), 0, &err);
	struct page page = { .cells = 0 };

	view_call(&page, &view,
		  &(struct view_call){ .tool = sv_cstr(tool),
				       .input = json_root(in),
				       .state = state,
				       .text = sv_cstr(text),
				       .data = json_root(result) });
	rows_of(out, &page);
	page_clear(&page);
}

static void call_rows(struct str *out, size_t columns, const char *tool, const char *input,
		      enum view_state state, const char *text, const char *data)
{
	call_rows_in(out, view_of(columns), tool, input, state, text, data);
}

TEST(the_first_line_of_output_keeps_its_indentation)
{
	defer(str_clear) struct str rows = STR_INIT;

	call_rows(&rows, 40, "Bash", "{\"command\":\"wc *\"}", VIEW_DONE,
		  "\n  \n   1 a\n  20 b\n\n", "{}");
	CHECK_SV(sv_of(&rows), "● Bash wc *\n     1 a\n    20 b\n");
}

TEST(where_nothing_is_folded_commands_and_output_are_complete)
{
	defer(str_clear) struct str rows = STR_INIT;
	struct view view = view_of(14);

	view.is_verbose = true;
	call_rows_in(&rows, view, "Bash", "{\"command\":\"cat <<E\\n  x\\nE\"}", VIEW_DONE,
		     "0123456789abcdef\n\nend", "{}");
	CHECK_SV(sv_of(&rows), "● Bash cat <<E\n      x\n    E\n  0123456789ab\n  cdef\n\n  end\n");
}

TEST(calls_are_shown_in_a_form_that_suits_the_tool)
{
	static const struct {
		const char *tool, *input;
		enum view_state state;
		const char *text, *data, *rows;
	} cases[] = {
		{ "Read", "{\"file_path\":\"/w/a.c\"}", VIEW_DONE, "1\tx\n2\ty\n", "{}",
		  "● Read a.c · 2 lines\n" },
		{ "Bash", "{\"command\":\"make\"}", VIEW_FAILED, "Exit code 2\nno rule\n", "{}",
		  "● Bash make\n  Exit code 2\n  no rule\n" },
		{ "Bash", "{\"command\":\"ls\"}", VIEW_DECLINED, "no", "{}",
		  "● Bash ls · declined\n" },
		{ "Write", "{\"file_path\":\"a\",\"content\":\"x\\n\\ty\\n\"}", VIEW_DONE, "ok",
		  "{}", "● Write a\n     1 + x\n     2 +     y\n" },
		{ "Edit", "{\"file_path\":\"a\"}", VIEW_DONE, "ok",
		  "{\"structuredPatch\":[{\"oldStart\":4,\"newStart\":4,\"lines\":[\" "
		  "a\",\"-b\",\"+c\","
		  "\"+d\"]},{\"oldStart\":9,\"newStart\":10,\"lines\":[\"-e\","
		  "\"\\\\ No newline at end of file\"]}]}",
		  "● Edit a · +2 −2\n     4   a\n     5 - b\n     5 + c\n     6 + d\n       …\n    "
		  " 9 - e\n"
		  "         (no line end)\n" },
		{ "apply_patch", "{\"path\":\"p\"}", VIEW_DONE, "ok",
		  "{\"files\":[{\"type\":\"update\",\"filePath\":\"/w/a\",\"structuredPatch\":[{"
		  "\"oldStart\":1,\"newStart\":1,\"lines\":[\"-x\",\"+y\"]}]},{\"type\":"
		  "\"delete\",\"filePath\":\"/w/b\",\"structuredPatch\":[]}]}",
		  "● apply_patch p\n  a · +1 −1\n     1 - x\n     1 + y\n  b · deleted\n" },
		{ "TodoWrite",
		  "{\"todos\":[{\"content\":\"one\",\"status\":\"completed\"},{\"content\":\"two\","
		  "\"status\":\"in_progress\"},{\"content\":\"three\",\"status\":\"pending\"}]}",
		  VIEW_DONE, "ok", "{}", "● TodoWrite\n  ✔ one\n  ▸ two\n  ☐ three\n" },
		{ "Grep", "{\"pattern\":\"x\"}", VIEW_DONE, "1\n2\n3\n4\n5\n6\n7\n", "{}",
		  "● Grep x · 7 lines\n" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str rows = STR_INIT;

		call_rows(&rows, 80, cases[i].tool, cases[i].input, cases[i].state, cases[i].text,
			  cases[i].data);
		CHECK_STR(str_c(&rows), cases[i].rows);
	}
}

TEST(output_is_cut_at_the_width_and_loses_its_colours)
{
	defer(str_clear) struct str rows = STR_INIT;

	call_rows(&rows, 12, "Bash", "{\"command\":\"x\"}", VIEW_DONE,
		  "\x1b[31mred\x1b[0m\n10%\r100%\n\x1b]8;;http://x\x1b\\link\x1b]8;;\a\n"
		  "0123456789abcdef\na\tb",
		  "{}");
	CHECK_STR(str_c(&rows), "● Bash x\n  red\n  100%\n  link\n  012345678…\n  a   b\n");
}

TEST(a_prompt_fills_its_rows)
{
	defer(str_clear) struct str rows = STR_INIT;
	struct page page = { .cells = 0 };
	struct view view = view_of(10);

	view_prompt(&page, &view, SV("fix the \x1b bug\n"));
	rows_of(&rows, &page);
	CHECK_STR(str_c(&rows), "❯ fix the \n  \xef\xbf\xbd bug   \n");
	page_clear(&page);
}

/* The text of all spans that have this style, each in brackets. */
static void spans_of(struct str *out, const struct page *page, struct style style)
{
	for (size_t i = 0; i < page->spans.n; i++)
		if (style_eq(page->spans.at[i].style, style))
			str_addf(out, "[%.*s]", SV_ARG(page_span_text(page, i)));
}

/* A paste must not push the conversation out of the scrollback. */
TEST(a_long_prompt_shows_its_beginning_and_its_end)
{
	static const char *const hidden[] = { "line 21 ", "line 70 " };
	struct view view = view_of(40);
	struct page page = { .cells = 0 };
	defer(str_clear) struct str text = STR_INIT, rows = STR_INIT;

	for (int i = 1; i <= 80; i++)
		str_addf(&text, "line %d\n", i);
	view_prompt(&page, &view, sv_of(&text));
	rows_of(&rows, &page);
	CHECK(page.rows.n == 31);
	CHECK(sv_starts(sv_of(&rows), SV("❯ line 1 ")));
	CHECK(sv_find(sv_of(&rows), SV("  line 20 ")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&rows), SV("  … 50 more lines")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&rows), SV("  line 71 ")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&rows), SV("  line 80 ")) != SIZE_MAX);
	page_clear(&page);
	view.is_verbose = true;
	view_prompt(&page, &view, sv_of(&text));
	CHECK(page.rows.n == 80);
	page_clear(&page);
	for (size_t i = 0; i < countof(hidden); i++)
		CHECK(sv_find(sv_of(&rows), sv_cstr(hidden[i])) == SIZE_MAX);
}

TEST(a_prompt_of_one_long_line_is_folded_too)
{
	struct view view = view_of(40);
	struct page page = { .cells = 0 };
	defer(str_clear) struct str text = STR_INIT;

	while (text.len < 100000)
		str_adds(&text, "日本語");
	view_prompt(&page, &view, sv_of(&text));
	CHECK(page.rows.n > 20 && page.rows.n < 500);
	for (size_t i = 0; i < page.rows.n; i++)
		CHECK(sv_find(page_row_text(&page, i), SV("\xef\xbf\xbd")) == SIZE_MAX);
	page_clear(&page);
}

TEST(words_that_differ_are_marked_in_a_patch)
{
	static const char json[] =
		"{\"structuredPatch\":[{\"oldStart\":1,\"newStart\":1,\"lines\":[\" a\","
		"\"-\\tsay old word\",\"+\\tsay new "
		"word\"]}],\"awlWordDiff\":[{\"hunk\":0,\"oldLine\":1,"
		"\"newLine\":2,\"old\":[[5,8]],\"new\":[[5,8]]}]}";
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(json), 0, &err);
	defer(str_clear) struct str rows = STR_INIT, added = STR_INIT, removed = STR_INIT;
	struct page page = { .cells = 0 };
	struct view view = view_of(80);

	view_patch(&page, &view, json_root(doc), SV("a.c"), 10);
	rows_of(&rows, &page);
	CHECK_STR(str_c(&rows),
		  "     1   a\n     2 -     say old word\n     2 +     say new word\n");
	spans_of(&added, &page, view.theme->added_mark);
	spans_of(&removed, &page, view.theme->removed_mark);
	CHECK_STR(str_c(&added), "[new]");
	CHECK_STR(str_c(&removed), "[old]");
	page_clear(&page);
}

TEST(changed_lines_stand_on_a_ground_of_one_width)
{
	static const char json[] =
		"{\"structuredPatch\":[{\"oldStart\":1,\"newStart\":1,\"lines\":[\" int a;\","
		"\"-\\tif (b)\",\"+\\treturn 12;\"]}]}";
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(json), 0, &err);
	defer(str_clear) struct str rows = STR_INIT, keywords = STR_INIT;
	struct page page = { .cells = 0 };
	struct view view = view_of(80);

	view.theme = theme_find(SV("dark"), TTY_BACKGROUND_DARK);
	view_patch(&page, &view, json_root(doc), SV("/w/a.c"), 10);
	rows_of(&rows, &page);
	CHECK_STR(str_c(&rows), "     1   int a;\n"
				"     2 -     if (b)     \n"
				"     2 +     return 12; \n");
	spans_of(&keywords, &page,
		 (struct style){ .fg = view.theme->code.keyword.fg, .bg = view.theme->added.bg });
	CHECK_STR(str_c(&keywords), "[return]");
	page_clear(&page);
}

TEST(long_lines_of_code_are_folded_only_where_the_page_is_cut)
{
	static const char code[] = "```\n0123456789abcdefghij\n```\n";

	for (int folds = 0; folds < 2; folds++) {
		struct markdown_look look;
		struct page page = { .cells = 0 };
		struct view view = view_of(15);

		memset(&look, 0xff, sizeof(look)); /* nothing of it may stay */
		view.folds_code = folds;
		view_markdown_look(&view, &look);
		markdown_paint(&page, sv_cstr(code), &look);
		CHECK_INT(page.rows.n, folds ? 2 : 1);
		page_clear(&page);
	}
}

static void add_lookup(struct lookups *lookups, const struct view *view, const char *tool)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *in =
		json_parse(SV("{\"file_path\":\"/w/a\",\"pattern\":\"x\"}"), 0, &err);

	lookups_add(lookups, view,
		    &(struct view_call){ .tool = sv_cstr(tool),
					 .input = json_root(in),
					 .state = VIEW_DONE,
					 .text = SV("1\n") });
}

TEST(a_run_of_lookups_is_folded_when_it_is_long)
{
	struct lookups lookups = { .n = { 0 } };
	struct view view = view_of(80);
	struct page page = { .cells = 0 };
	defer(str_clear) struct str rows = STR_INIT;

	view.key = SV("ctrl+o");
	add_lookup(&lookups, &view, "Read");
	add_lookup(&lookups, &view, "Grep");
	add_lookup(&lookups, &view, "Read");
	lookups_draw(&lookups, &page, &view);
	rows_of(&rows, &page);
	CHECK_SV(sv_of(&rows), "● Read a · 1 line\n● Grep a · 1 line\n● Read a · 1 line\n");
	add_lookup(&lookups, &view, "Glob");
	CHECK_INT(lookups_count(&lookups), 4);
	page_reset(&page);
	str_truncate(&rows, 0);
	lookups_draw(&lookups, &page, &view);
	rows_of(&rows, &page);
	CHECK_SV(sv_of(&rows),
		 "● Read 2 files, searched 1 time, listed files 1 time · ctrl+o to see all\n");
	lookups_clear(&lookups);
	page_clear(&page);
}

TEST(items_that_do_not_fit_are_left_out_whole)
{
	static const struct {
		size_t columns;
		const char *row;
	} cases[] = {
		{ 40, "enter to send · esc for no · more" },
		{ 33, "enter to send · esc for no · more" },
		{ 32, "enter to send · esc for no" },
		{ 13, "enter to send" },
		{ 8, "enter t…" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct page page = { .cells = 0 };

		view_add_items(&page, SV("enter to send · esc for no · more"),
			       (struct style){ .attrs = 0 }, cases[i].columns);
		page_end_row(&page);
		CHECK(sv_is(page_row_text(&page, 0), cases[i].row));
		page_clear(&page);
	}
}

TEST(a_patch_has_colours)
{
	static const char text[] =
		"a | 2 +-\n- not yet\ndiff --git a/a b/a\n--- a/a\n@@ -1 +1 @@\n-b\n+c\n d\n";
	struct view view = view_of(40);
	const struct style *wanted[] = { &view.theme->text,    &view.theme->text,
					 &view.theme->dim,     &view.theme->dim,
					 &view.theme->accent,  &view.theme->error,
					 &view.theme->success, &view.theme->text };
	struct page page = { .cells = 0 };

	view_lines(&page, &view, sv_cstr(text));
	CHECK_INT(page.rows.n, countof(wanted));
	for (size_t i = 0; i < countof(wanted); i++)
		CHECK(style_eq(page.spans.at[page.rows.at[i].span_end - 1].style, *wanted[i]));
	page_clear(&page);
}

TEST(a_theme_of_the_users_own_changes_colours_of_its_base)
{
	defer(str_clear) struct str problems = STR_INIT;
	struct theme theme;

	theme_read(
		&theme,
		SV("{\"base\":\"light\",\"overrides\":{\"claude\":\"#ff8800\",\"diffAdded\":"
		   "\"ansi256(22)\",\"subtle\":\"#123\",\"colour\":\"#fff\",\"error\":\"red\"}}"),
		TTY_BACKGROUND_DARK, &problems);
	CHECK(theme.accent.fg.kind == COLOR_RGB && theme.accent.fg.g == 0x88);
	CHECK_INT(theme.added.bg.index, 22);
	CHECK(style_eq(theme.error, theme_find(SV("light"), TTY_BACKGROUND_DARK)->error));
	CHECK_SV(sv_of(&problems), "there is no colour \"colour\"\n"
				   "error: a colour is \"#rrggbb\", \"#rgb\", \"rgb(r,g,b)\", "
				   "\"ansi256(n)\" or \"ansi:name\"\n");
	str_truncate(&problems, 0);
	theme_read(&theme, SV("{"), TTY_BACKGROUND_LIGHT, &problems);
	CHECK(style_eq(theme.error, theme_find(SV_EMPTY, TTY_BACKGROUND_LIGHT)->error));
	CHECK(problems.len > 0);
	CHECK(theme_is_slug(SV("my-theme_2")));
	CHECK(!theme_is_slug(SV("../x")) && !theme_is_slug(SV_EMPTY));
}

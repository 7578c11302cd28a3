#include "tool/read/read_kinds.h"
#include "base/limits.h"
#include "base/mem.h"
#include "tool/tool_rig.h"

static void read_with(struct tool_rig *r, const char *name, const char *rest)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input, "{'file_path':'%s'%s}", name, rest);
	tool_rig_call(r, &tool_read, str_c(&input));
}

static void check_text(const struct tool_rig *r, const char *text)
{
	CHECK_SV_EQ(sv_of(&r->call.result.text), sv_cstr(text));
}

static struct json_doc *blocks_of(const struct tool_rig *r)
{
	struct err err;
	struct json_doc *doc = json_parse(sv_of(&r->call.result.blocks), 0, &err);

	CHECK_OK(doc != NULL, err);
	return doc;
}

static struct sv block_text(const struct json_doc *doc, const char *path)
{
	return json_str_or(json_path(json_root(doc), path), SV_EMPTY);
}

/* --- images ----------------------------------------------------------------------- */

#define GIF "GIF89a\x02\x01\x03\0"

TEST(read_gives_an_image_as_a_block)
{
	TOOL_RIG(r);

	r.ctx.has_vision = true;
	tool_rig_put(&r, "picture", SV(GIF));
	read_with(&r, "picture", "");
	CHECK(!r.call.result.is_error);
	{
		defer(json_doc_freep) struct json_doc *doc = blocks_of(&r);

		CHECK_SV(block_text(doc, "[0].type"), "image");
		CHECK_SV(block_text(doc, "[0].source.type"), "base64");
		CHECK_SV(block_text(doc, "[0].source.media_type"), "image/gif");
		CHECK_SV(block_text(doc, "[0].source.data"), "R0lGODlhAgEDAA==");
	}
	tool_rig_data(&r, "type", "\"image\"");
	tool_rig_data(&r, "file.base64", "\"R0lGODlhAgEDAA==\"");
	tool_rig_data(&r, "file.type", "\"image/gif\"");
	tool_rig_data(&r, "file.originalSize", "10");
	tool_rig_data(&r, "file.dimensions.originalWidth", "258");
	tool_rig_data(&r, "file.dimensions.originalHeight", "3");
}

TEST(read_refuses_an_image_that_the_model_cannot_take)
{
	TOOL_RIG(r);
	defer(str_clear) struct str big = STR_INIT;

	tool_rig_put(&r, "picture", SV(GIF));
	read_with(&r, "picture", "");
	tool_rig_check_text(&r, true, "this model takes only text");
	r.ctx.has_vision = true;
	str_add(&big, SV(GIF));
	while (big.len < LIMIT_IMAGE)
		str_addc(&big, '\0');
	tool_rig_put(&r, "picture", sv_of(&big));
	read_with(&r, "picture", "");
	CHECK(!r.call.result.is_error);
	str_addc(&big, '\0');
	tool_rig_put(&r, "picture", sv_of(&big));
	read_with(&r, "picture", "");
	tool_rig_check_text(&r, true, "Make a smaller copy");
	CHECK_INT(r.call.result.blocks.len, 0);
	tool_rig_put(&r, "picture", SV("GIF89a\x41\x1f\x03\0"));
	read_with(&r, "picture", "");
	tool_rig_check_text(&r, true, "8001 x 3 pixels");
}

/* A service refuses a broken image, and the conversation with it, again and again. */
TEST(read_never_gives_a_broken_image_to_the_model)
{
	static const struct sv broken[] = { SV_INIT("\x89PNG\r\n\x1a\n"),
					    SV_INIT("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\0\0\0"
						    "\0\0"),
					    SV_INIT("\xff\xd8\xff\xd9"),
					    SV_INIT("GIF89a\0\0\0\0") };
	TOOL_RIG(r);

	r.ctx.has_vision = true;
	for (size_t i = 0; i < countof(broken); i++) {
		tool_rig_put(&r, "picture", broken[i]);
		read_with(&r, "picture", "");
		tool_rig_check_text(&r, true, "is damaged");
		CHECK_INT(r.call.result.blocks.len, 0);
	}
}

TEST(read_shows_a_text_that_begins_like_an_image_as_text)
{
	TOOL_RIG(r);

	r.ctx.has_vision = true;
	tool_rig_put(&r, "formats.txt", SV("GIF89a is the name of a format.\n"));
	read_with(&r, "formats.txt", "");
	CHECK_INT(r.call.result.blocks.len, 0);
	tool_rig_check_text(&r, false, "GIF89a is the name of a format.");
}

/* --- notebooks -------------------------------------------------------------------- */

#define CELLS                                                                               \
	"{\"id\":\"a\",\"cell_type\":\"markdown\",\"source\":[\"# T\\n\",\"text\"]},"       \
	"{\"id\":\"b\",\"cell_type\":\"code\",\"execution_count\":2,\"source\":\"f()\\n\"," \
	"\"outputs\":[{\"output_type\":\"stream\",\"text\":[\"1\\n\",\"2\\n\"]},"           \
	"{\"output_type\":\"display_data\",\"data\":{\"text/plain\":\"<Figure>\","          \
	"\"image/png\":\"iVBO\"}},"                                                         \
	"{\"output_type\":\"error\",\"ename\":\"E\",\"evalue\":\"no\","                     \
	"\"traceback\":[\"\\u001b[31mred\\u001b[0m\"]}]},"                                  \
	"{\"cell_type\":\"code\",\"source\":[],\"outputs\":[]}"
#define BOOK  "{\"nbformat\":4,\"nbformat_minor\":5,\"cells\":[" CELLS "]}"
#define FIRST "<cell id=\"a\" type=\"markdown\">\n# T\ntext\n</cell>"
#define SECOND                                                                     \
	"<cell id=\"b\" type=\"code\">\nf()\n</cell>\n<output>\n1\n2\n</output>\n" \
	"<output>\n<Figure>\n[image/png]\n</output>\n<output>\nE: no\nred\n</output>"
#define THIRD "<cell id=\"cell-2\" type=\"code\">\n\n</cell>"

TEST(read_shows_a_notebook_by_its_cells)
{
	TOOL_RIG(r);

	tool_rig_put(&r, "n.ipynb", SV(BOOK));
	read_with(&r, "n.ipynb", "");
	check_text(&r, FIRST "\n" SECOND "\n" THIRD);
	tool_rig_data(&r, "type", "\"notebook\"");
	tool_rig_data(&r, "file.cells[0]",
		      "{\"cellType\":\"markdown\",\"source\":\"# T\\ntext\",\"cell_id\":\"a\"}");
	tool_rig_data(&r, "file.cells[1].execution_count", "2");
	tool_rig_data(&r, "file.cells[1].outputs[0]",
		      "{\"output_type\":\"stream\",\"text\":\"1\\n2\\n\"}");
	read_with(&r, "n.ipynb", ",'offset':2,'limit':1");
	check_text(&r, SECOND "\n\n[Cells 2-2 of 3. To continue: offset=3]");
	read_with(&r, "n.ipynb", ",'offset':4");
	check_text(&r, "The notebook has 3 cells; none is at offset 4.");
}

TEST(read_bounds_a_notebook_in_outputs_and_in_all)
{
	TOOL_RIG(r);
	defer(str_clear) struct str book = STR_INIT;

	str_adds(&book, "{\"cells\":[");
	for (int i = 0; i < 30; i++)
		str_addf(
			&book,
			"%s{\"cell_type\":\"code\",\"source\":\"%d\",\"outputs\":[{\"output_type\":"
			"\"stream\",\"text\":\"%020000d\"}]}",
			i ? "," : "", i, 7);
	str_adds(&book, "]}");
	tool_rig_put(&r, "n.ipynb", sv_of(&book));
	read_with(&r, "n.ipynb", "");
	tool_rig_check_text(&r, false, "[9760 more bytes of output]");
	tool_rig_check_text(&r, false, "[Cells 1-9 of 30. To continue: offset=10]");
	CHECK(r.call.result.text.len < LIMIT_READ_RESULT + 100);
}

TEST(read_shows_what_is_no_notebook_as_text)
{
	TOOL_RIG(r);

	tool_rig_put(&r, "n.ipynb", SV("{\"cells\":"));
	read_with(&r, "n.ipynb", "");
	check_text(&r, "     1\t{\"cells\":");
	tool_rig_put(&r, "n.json", SV(BOOK));
	read_with(&r, "n.json", "");
	tool_rig_check_text(&r, false, "     1\t{\"nbformat\"");
}

/* --- PDF -------------------------------------------------------------------------- */

/* Puts a pdftotext into the directory of the rig that runs `script`; NULL: there is none. */
static void put_program(struct tool_rig *r, const char *script, const char *env[2],
			struct str *path)
{
	PATH_IN(program, r->dir, "bin/pdftotext");
	PATH_IN(dir, r->dir, "bin");
	defer(str_clear) struct str text = STR_INIT;
	struct err err;

	CHECK_OK(fs_mkdirs(dir, 0700, &err), err);
	str_addf(&text, "#!/bin/sh\n%s\n", script ? script : "");
	CHECK_OK(!script ||
			 fs_write(program, sv_of(&text), (struct fs_write){ .mode = 0700 }, &err),
		 err);
	str_addf(path, "PATH=%s", dir);
	env[0] = str_c(path);
	env[1] = NULL;
	r->session.env = env;
	r->session.root = NULL; /* the program is none of the project's */
}

#define PDF_RIG(name, script)                                       \
	TOOL_RIG(name);                                             \
	const char *env_of_##name[2];                               \
	defer(str_clear) struct str path_of_##name = STR_INIT;      \
	put_program(&name, script, env_of_##name, &path_of_##name); \
	tool_rig_put(&name, "f.PDF", SV("%PDF-1.7\n"))

TEST(read_shows_the_pages_of_a_pdf)
{
	/* It gets the file itself, not its name, which could lead elsewhere by then. */
	PDF_RIG(r, "read -r first; printf 'one\\n\\f%s ' \"$first\"; echo \"$*\"; printf '\\f'");

	read_with(&r, "f.PDF", "");
	check_text(&r, "[Page 1]\none\n\n[Page 2]\n%PDF-1.7 -layout -enc UTF-8 -f 1 -l 21 - -");
	tool_rig_data(&r, "type", "\"text\"");
	read_with(&r, "f.PDF", ",'pages':'7'");
	check_text(&r, "[Page 7]\none\n\n[Pages 7-7. To continue: pages=\"8-\"]");
	read_with(&r, "f.PDF", ",'pages':'30-'");
	tool_rig_check_text(&r, false, "-f 30 -l 50");
	read_with(&r, "f.PDF", ",'pages':'7-8'");
	CHECK(sv_ends(sv_of(&r.call.result.text), SV("-f 7 -l 9 - -")));
}

TEST(read_bounds_the_text_of_a_pdf)
{
	PDF_RIG(r, "while :; do printf '%090000d\\f' 7; done");

	read_with(&r, "f.PDF", "");
	tool_rig_check_text(&r, false, "[Pages 1-1. To continue: pages=\"2-\"]");
	CHECK(r.call.result.text.len < LIMIT_READ_RESULT);
}

struct pages_case {
	const char *pages;
	bool good;
};

TEST(read_takes_pages_that_can_be_meant)
{
	static const struct pages_case cases[] = {
		{ "1", true },
		{ "1-5", true },
		{ " 2 - 3 ", true },
		{ "5-", true },
		{ "1-20", true },
		{ "1-21", false },
		{ "0", false },
		{ "-3", false },
		{ "3-1", false },
		{ "x", false },
		{ "1,2", false },
		{ "1-2-3", false },
		{ "99999999999", false },
	};
	PDF_RIG(r, "echo x");

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str rest = STR_INIT;

		str_addf(&rest, ",'pages':'%s'", cases[i].pages);
		read_with(&r, "f.PDF", str_c(&rest));
		tool_rig_check_text(&r, !cases[i].good, cases[i].good ? "[Page " : "pages");
	}
}

TEST(read_gives_a_pdf_as_it_is_where_its_text_cannot_be_had)
{
	static const char *const scripts[] = { NULL, "printf ' \\n\\f'" };

	for (size_t i = 0; i < countof(scripts); i++) {
		PDF_RIG(r, scripts[i]);

		read_with(&r, "f.PDF", "");
		tool_rig_check_text(&r, true,
				    i ? "If they are scanned" : "pdftotext is not installed");
		r.ctx.reads_pdf = true;
		read_with(&r, "f.PDF", "");
		CHECK(!r.call.result.is_error);
		{
			defer(json_doc_freep) struct json_doc *doc = blocks_of(&r);

			CHECK_SV(block_text(doc, "[0].type"), "document");
			CHECK_SV(block_text(doc, "[0].source.media_type"), "application/pdf");
			CHECK_SV(block_text(doc, "[0].source.data"), "JVBERi0xLjcK");
		}
		tool_rig_data(&r, "type", "\"pdf\"");
		tool_rig_data(&r, "file.originalSize", "9");
		/* Pages cannot be picked then, and that is said. */
		read_with(&r, "f.PDF", ",'pages':'3-4'");
		CHECK(!r.call.result.is_error);
		{
			defer(json_doc_freep) struct json_doc *doc = blocks_of(&r);
			struct sv note = block_text(doc, "[0].text");

			CHECK(sv_starts(
				note, SV("This is the whole file, not only pages 3-4, because ")));
			CHECK(sv_find(note, i ? SV("these pages have no text")
					      : SV("pdftotext is not installed")) != SIZE_MAX);
			CHECK_SV(block_text(doc, "[1].type"), "document");
		}
	}
}

TEST(read_says_what_is_wrong_with_a_pdf)
{
	PDF_RIG(r, "echo 'Incorrect password' >&2; exit 1");
	PATH_IN(big, r.dir, "big.pdf");

	read_with(&r, "f.PDF", "");
	tool_rig_check_text(&r, true, "/f.PDF cannot be read: Incorrect password");
	tool_rig_put(&r, "text.pdf", SV("hello"));
	read_with(&r, "text.pdf", "");
	tool_rig_check_text(&r, true, "is not a PDF");
	tool_rig_put(&r, "empty.pdf", SV(""));
	read_with(&r, "empty.pdf", "");
	tool_rig_check_text(&r, true, "is not a PDF");
	read_with(&r, "absent.pdf", "");
	tool_rig_check_text(&r, true, "File does not exist");
	read_with(&r, "bin/.pdf", "");
	tool_rig_check_text(&r, true, "File does not exist");
	CHECK_INT(mkfifo(big, 0600), 0);
	read_with(&r, "big.pdf", "");
	tool_rig_check_text(&r, true, "is a device, pipe or socket");
}

/* --- what was shown before -------------------------------------------------------- */

static void put_lines(struct tool_rig *r, int n)
{
	defer(str_clear) struct str text = STR_INIT;

	for (int i = 0; i < n; i++)
		str_addf(&text, "a line with the number %d\n", i);
	tool_rig_put(r, "f", sv_of(&text));
}

static void check_shown(struct tool_rig *r, const char *rest, bool shown)
{
	read_with(r, "f", rest);
	tool_rig_check_text(r, false, shown ? "a line with the number" : "has not changed since");
	tool_rig_data(r, "type", shown ? "\"text\"" : "\"file_unchanged\"");
}

TEST(read_shows_the_same_part_of_the_same_file_once)
{
	TOOL_RIG(r);
	PATH_IN(path, r.dir, "f");
	struct timespec times[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };

	put_lines(&r, 100);
	check_shown(&r, "", true);
	check_shown(&r, "", false);
	CHECK_INT(utimensat(AT_FDCWD, path, times, 0), 0);
	check_shown(&r, "", false);
	check_shown(&r, ",'offset':2", true);
	check_shown(&r, ",'offset':2", false);
	check_shown(&r, ",'offset':2,'limit':50", true);
	check_shown(&r, "", true);
	put_lines(&r, 101);
	check_shown(&r, "", true);
	check_shown(&r, "", false);
	tool_rig_call(&r, &tool_edit,
		      "{'file_path':'f','old_string':'number 7\\n','new_string':'7'}");
	check_shown(&r, "", true);
	read_state_forget_views(r.ctx.files);
	check_shown(&r, "", true);
	tool_rig_call(&r, &tool_edit,
		      "{'file_path':'f','old_string':'number 8\\n','new_string':'8'}");
	CHECK(!r.call.result.is_error);
}

TEST(read_shows_little_again_and_again)
{
	TOOL_RIG(r);

	put_lines(&r, 3);
	check_shown(&r, "", true);
	check_shown(&r, "", true);
}

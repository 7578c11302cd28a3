#include "tool/errand.h"

#include "base/limits.h"

/* What is listed, below the first line, which is the path. */
static void check_ls(struct errand *e, const char *input, const char *expected)
{
	struct sv first, rest;

	errand_run(e, &tool_ls, input);
	CHECK_INT(e->why.kind, ERR_NONE);
	CHECK(!e->call.result.is_error);
	rest = errand_text(e);
	CHECK(sv_cut_line(&rest, &first) && sv_starts(first, sv_of(&e->dir)));
	CHECK(sv_ends(first, SV("/")));
	CHECK_SV_EQ(rest, sv_cstr(expected));
}

static void put_tree(const struct errand *e)
{
	put_file(e, "b.c", "");
	put_file(e, "a/x/y/z.c", "");
	put_file(e, "a/x/w.c", "");
	put_file(e, ".env", "");
	put_file(e, ".git/config", "");
	put_file(e, ".gitignore", "build\n");
	put_file(e, "build/out", "");
}

TEST(a_directory_is_listed_as_a_tree)
{
	static const struct {
		const char *input, *listed;
	} cases[] = {
		{ "{}",
		  "  .env\n  .gitignore\n  a/\n    x/\n      w.c\n      y/\n        z.c\n  b.c" },
		{ "{\"path\":\"a/x\"}", "  w.c\n  y/\n    z.c" },
		{ "{\"path\":\"build\"}", "  out" },
		{ "{\"ignore\":[\"*.c\",\".*\"]}", "  a/\n    x/\n      y/" },
		{ "{\"ignore\":[\"/a/x\",\".{env,gitignore}\"]}", "  a/\n  b.c" },
		{ "{\"path\":\"a\",\"ignore\":[\"x\"]}", "  (empty)" },
	};
	ERRAND(e);

	put_tree(&e);
	for (size_t i = 0; i < countof(cases); i++)
		check_ls(&e, cases[i].input, cases[i].listed);
}

TEST(links_are_marked_and_not_followed)
{
	ERRAND(e);
	PATH_IN(loop, e.dir, "loop");
	struct err err;

	put_file(&e, "f", "");
	CHECK_OK(fs_symlink(".", loop, &err), err);
	check_ls(&e, "{}", "  f\n  loop@");
}

TEST(names_that_would_break_a_line_do_not)
{
	ERRAND(e);

	put_file(&e, "a\nb", "");
	put_file(&e, "c\xff", "");
	check_ls(&e, "{}", "  a\\x0ab\n  c\xef\xbf\xbd");
}

static void put_many(const struct errand *e, const char *dir, int n)
{
	for (int i = 0; i < n; i++) {
		defer(str_clear) struct str name = STR_INIT;

		str_addf(&name, "%s/f%04d", dir, i);
		put_file(e, str_c(&name), "");
	}
}

TEST(levels_that_do_not_fit_are_left_out_whole)
{
	ERRAND(e);

	put_many(&e, "a/deep", LIMIT_LS_SHOWN);
	put_file(&e, "z", "");
	check_ls(&e, "{}",
		 "  a/\n    deep/ ...\n  z\n(Directories marked ... did not fit: list them "
		 "separately.)");
	check_ls(&e, "{\"ignore\":[\"f0*\",\"f1*\"]}", "  a/\n    deep/\n  z");
}

TEST(of_too_many_names_the_first_are_listed)
{
	ERRAND(e);
	struct sv rest, line;
	size_t n = 0;

	put_many(&e, "a", LIMIT_LS_SHOWN + 1);
	errand_run(&e, &tool_ls, "{\"path\":\"a\"}");
	for (rest = errand_text(&e); sv_cut_line(&rest, &line);)
		n += sv_starts(line, SV("  f"));
	CHECK_INT(n, LIMIT_LS_SHOWN);
	CHECK_HAS(&e, "  f0999\n(Only the first 1000 names: ");
}

TEST(what_cannot_be_listed_is_told_with_a_way_on)
{
	static const struct {
		const char *input, *part;
	} cases[] = {
		{ "{\"path\":\"none\"}", "The working directory is " },
		{ "{\"path\":\"f\"}", "is not a directory. To see a file use Read." },
		{ "{\"path\":\"/dev/null\"}", "is not a directory" },
		{ "{\"ignore\":[\"a\",\"[\"]}", "`ignore`: the '[' at byte 0" },
	};
	ERRAND(e);

	put_file(&e, "f", "");
	for (size_t i = 0; i < countof(cases); i++) {
		errand_run(&e, &tool_ls, cases[i].input);
		CHECK_INT(e.why.kind, ERR_NONE);
		CHECK(e.call.result.is_error);
		CHECK_HAS(&e, cases[i].part);
	}
}

TEST(a_listing_requests_to_read_and_is_offered_only_when_named)
{
	ERRAND(e);
	struct arena arena = ARENA_INIT;
	struct perm_request perm_request = { .access = ACCESS_NONE };
	defer(json_doc_freep) struct json_doc *input = NULL;
	struct err err;

	input = json_parse(SV("{\"path\":\"/etc/../usr\"}"), 0, &err);
	e.call = (struct tool_call){ .tool = &tool_ls, .ctx = &e.ctx, .input = json_root(input) };
	tool_ls.perm_request(&e.call, &arena, &perm_request);
	CHECK_INT(perm_request.access, ACCESS_READ);
	CHECK_SV(perm_request.path, "/usr");
	CHECK(tool_ls.hidden && tool_ls.is_read_only(e.call.input));
	arena_clear(&arena);
}

TEST(a_listing_can_be_cancelled)
{
	ERRAND(e);

	errand_begin(&e, &tool_ls, "{\"path\":\"/\"}");
	op_cancel(e.op);
	errand_end(&e);
	CHECK_INT(e.why.kind, ERR_CANCELLED);
}

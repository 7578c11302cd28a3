#include "tool/tool.h"

#include "base/limits.h"
#include "tool_rig.h"

static const char *const aliases[] = { "Second", "View", NULL };
static const struct tool first = { .name = "First",
				   .aliases = aliases,
				   .page = "Says \"hi\".\n",
				   .schema = SV_INIT("{\"type\":\"object\"}") };
static const struct tool second = { .name = "Second", .page = "" };
static const struct tool *const tools[] = { &first, &second };

TEST(a_tool_is_found_by_its_name_before_any_alias)
{
	CHECK(tool_find(tools, 2, SV("First")) == &first);
	CHECK(tool_find(tools, 2, SV("View")) == &first);
	CHECK(tool_find(tools, 2, SV("Second")) == &second);
	CHECK(tool_find(tools, 2, SV("first")) == NULL);
	CHECK(tool_find(tools, 2, SV("")) == NULL);
	CHECK(tool_find(tools, 0, SV("First")) == NULL);
}

TEST(a_tool_is_described_in_the_words_of_the_request)
{
	defer(str_clear) struct str out = STR_INIT;

	tool_describe(&out, &first);
	CHECK_SV(sv_of(&out), "{\"name\":\"First\",\"description\":\"Says \\\"hi\\\".\","
			      "\"input_schema\":{\"type\":\"object\"}}");
}

/* A request begins with them, so their order is part of what a cache keeps, and
 * their length part of what every turn costs. */
TEST(the_built_in_tools_are_sorted_and_described_in_few_bytes)
{
	defer(str_clear) struct str all = STR_INIT;
	size_t n;
	const struct tool *const *builtins = tool_builtins(&n);

	for (size_t i = 0; i < n; i++) {
		CHECK(!i || strcmp(builtins[i - 1]->name, builtins[i]->name) < 0);
		CHECK(builtins[i]->start && builtins[i]->page[0] && builtins[i]->schema.len);
		if (!builtins[i]->hidden && !builtins[i]->deferred)
			tool_describe(&all, builtins[i]);
	}
	CHECK(tool_find(builtins, n, SV("Read")) != NULL);
	CHECK(all.len <= 13700); /* with the system prompt under 16 KiB */
}

TEST(a_failure_takes_the_place_of_whatever_was_the_result)
{
	struct tool_result result = { .stops_siblings = true };

	str_adds(&result.text, "partial");
	str_adds(&result.data, "{}");
	CHECK(!tool_fail(&result, "%s: not a %d", str_c(&result.text), 3));
	CHECK_STR(str_c(&result.text), "partial: not a 3");
	CHECK(result.is_error && !result.stops_siblings);
	CHECK_INT(result.data.len, 0);
	tool_result_clear(&result);
	CHECK(!result.is_error && result.text.ptr == NULL);
}

struct path_case {
	const char *given, *meant;
};

TEST(a_path_is_normal_absolute_and_knows_the_home)
{
	static const struct path_case cases[] = {
		{ "/a/b", "/a/b" },
		{ "/a//b/./c/", "/a/b/c" },
		{ "/a/../b", "/b" },
		{ "/../../b", "/b" },
		{ "/", "/" },
		{ "", "/project/dir" },
		{ ".", "/project/dir" },
		{ "x", "/project/dir/x" },
		{ "../x", "/project/x" },
		{ "../../../x", "/x" },
		{ "~", "/home/me" },
		{ "~/x", "/home/me/x" },
		{ "~/../x", "/home/x" },
		{ "~you/x", "/project/dir/~you/x" },
		{ "a~", "/project/dir/a~" },
		{ "...", "/project/dir/..." },
	};
	static const char *const env[] = { "HOMES=/no", "HOME=/home//me", NULL };
	struct arena arena = ARENA_INIT;
	struct tool_session session = { .env = env };
	struct tool_context ctx = { .session = &session };

	str_adds(&ctx.cwd, "/project/dir");
	for (size_t i = 0; i < countof(cases); i++)
		CHECK_STR(tool_path(&ctx, sv_cstr(cases[i].given), &arena).ptr, cases[i].meant);
	CHECK_STR(tool_path(&ctx, SV("/a\0/../../etc"), &arena).ptr, "/a");
	session.env = NULL;
	CHECK_STR(tool_path(&ctx, SV("~/x"), &arena).ptr, "/project/dir/~/x");
	arena_clear(&arena);
	str_clear(&ctx.cwd);
}

/* `meant` is relative to the directory of the rig, too. */
static void check_real(struct tool_rig *r, const char *given, const char *meant)
{
	struct arena arena = ARENA_INIT;
	struct err err;
	defer(str_clear) struct str real = STR_INIT;

	CHECK_OK(fs_realpath(&real, str_c(&r->dir), &err), err);
	if (*meant)
		fs_join(&real, SV_EMPTY, sv_cstr(meant));
	CHECK_STR(tool_real_path(&r->ctx, sv_cstr(given), &arena).ptr, str_c(&real));
	arena_clear(&arena);
}

TEST(a_real_path_follows_every_link_also_to_what_is_not_there_yet)
{
	static const char *const links[][2] = {
		{ "dir/file", "to-file" },     { "dir", "to-dir" },
		{ "nowhere/new", "dangling" }, { "to-dir/../dir/./file", "long-way" },
		{ "loop-b", "loop-a" },        { "loop-a", "loop-b" },
		{ "to-dir", "second" },
	};
	static const struct path_case cases[] = {
		{ "dir/file", "dir/file" },
		{ "to-file", "dir/file" },
		{ "to-dir/file", "dir/file" },
		{ "to-dir/new/newer", "dir/new/newer" },
		{ "second/file", "dir/file" },
		{ "dangling", "nowhere/new" },
		{ "dangling/below", "nowhere/new/below" },
		{ "long-way", "dir/file" },
		{ "dir/../to-file", "dir/file" },
		{ "", "" },
		{ "absent/a/b", "absent/a/b" },
		{ "dir/file/below", "dir/file/below" },
	};
	TOOL_RIG(r);
	PATH_IN(dir, r.dir, "dir");
	PATH_IN(absolute, r.dir, "absolute");
	struct err err;

	CHECK_OK(fs_mkdirs(dir, 0755, &err), err);
	tool_rig_put(&r, "dir/file", SV("x"));
	for (size_t i = 0; i < countof(links); i++) {
		PATH_IN(path, r.dir, links[i][1]);

		CHECK_OK(fs_symlink(links[i][0], path, &err), err);
	}
	CHECK_OK(fs_symlink(dir, absolute, &err), err);
	for (size_t i = 0; i < countof(cases); i++)
		check_real(&r, cases[i].given, cases[i].meant);
	check_real(&r, "absolute/file", "dir/file");
	check_real(&r, absolute, "dir");
}

/* By its own name the system cannot look at it, though by the link it can. */
TEST(a_path_that_leads_further_than_a_name_can_be_long_is_taken_for_none_inside)
{
	defer(str_clear) struct str deep = STR_INIT;
	struct arena arena = ARENA_INIT;
	TOOL_RIG(r);
	PATH_IN(way, r.dir, "way");
	PATH_IN(out, r.dir, "way/to-the-outside-under-a-name-of-some-length");
	PATH_IN(back, r.dir, "back");
	struct err err;

	str_add(&deep, sv_of(&r.dir));
	while (deep.len < LIMIT_PATH - 20)
		str_adds(&deep, "/0123456");
	CHECK_OK(fs_mkdirs(str_c(&deep), 0755, &err), err);
	CHECK_OK(fs_symlink(str_c(&deep), way, &err), err);
	CHECK_OK(fs_symlink("/etc", out, &err), err);
	CHECK_OK(fs_symlink("way/to-the-outside-under-a-name-of-some-length/../../../../../passwd",
			    back, &err),
		 err);
	CHECK_SV_EQ(tool_real_path(&r.ctx, SV("way"), &arena), sv_of(&deep));
	CHECK_SV(tool_real_path(&r.ctx, SV("way/to-the-outside-under-a-name-of-some-length/passwd"),
				&arena),
		 "/");
	CHECK_SV(tool_real_path(&r.ctx, SV("back"), &arena), "/");
	arena_clear(&arena);
}

TEST(a_loop_of_links_and_a_path_of_any_length_have_an_end)
{
	TOOL_RIG(r);
	PATH_IN(a, r.dir, "a");
	defer(str_clear) struct str longest = STR_INIT;
	struct arena arena = ARENA_INIT;
	struct err err;

	CHECK_OK(fs_symlink("a/a", a, &err), err);
	CHECK(tool_real_path(&r.ctx, SV("a"), &arena).len > 0);
	for (int i = 0; i < 500000; i++)
		str_adds(&longest, "a/");
	CHECK(tool_real_path(&r.ctx, sv_of(&longest), &arena).len > 900000);
	arena_clear(&arena);
}

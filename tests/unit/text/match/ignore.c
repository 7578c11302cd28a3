#include "text/match/ignore.h"

#include "base/limits.h"
#include "base/rng.h"
#include "program.h"
#include "test.h"

static void add(struct ignore *ig, const char *base, struct sv text)
{
	struct err err = ERR_INIT;

	CHECK_OK(ignore_add(ig, sv_cstr(base), text, &err), err);
}

struct ignore_case {
	struct sv text;        /* of a root .gitignore */
	const char *hidden[6]; /* a slash at the end: a directory */
	const char *not_hidden[6];
};

static bool hides(const struct ignore *ig, const char *path)
{
	struct sv p = sv_cstr(path);
	bool is_dir = sv_ends(p, SV("/"));

	return ignore_hides(ig, sv_slice(p, 0, p.len - is_dir), is_dir);
}

static void check_cases(const struct ignore_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		defer(ignore_clear) struct ignore ig = IGNORE_INIT;
		const struct ignore_case *c = &cases[i];

		add(&ig, "", c->text);
		for (size_t k = 0; k < countof(c->hidden) && c->hidden[k]; k++)
			if (!hides(&ig, c->hidden[k]))
				fail_msg("\"%s\" should hide %s", c->text.ptr, c->hidden[k]);
		for (size_t k = 0; k < countof(c->not_hidden) && c->not_hidden[k]; k++)
			if (hides(&ig, c->not_hidden[k]))
				fail_msg("\"%s\" should not hide %s", c->text.ptr,
					 c->not_hidden[k]);
	}
}

TEST(pattern_without_a_slash_matches_at_any_depth)
{
	static const struct ignore_case cases[] = {
		{ SV_INIT("foo\n"), { "foo", "a/foo", "a/foo/", "foo/x" }, { "fo", "a/foox" } },
		{ SV_INIT("*.o"), { "a.o", "x/.o", "x.o/y" }, { "a.c", "o" } },
		{ SV_INIT("foo/\n"), { "foo/", "a/foo/", "foo/x" }, { "foo", "a/foo" } },
		{ SV_INIT("**\n"), { "a", "a/b" }, { NULL } },
	};

	check_cases(cases, countof(cases));
}

TEST(pattern_with_a_slash_is_anchored)
{
	static const struct ignore_case cases[] = {
		{ SV_INIT("/foo\n"), { "foo", "foo/a" }, { "a/foo" } },
		{ SV_INIT("a/b\n"), { "a/b", "a/b/c" }, { "x/a/b", "a" } },
		{ SV_INIT("a/*\n"), { "a/x", "a/x/y" }, { "a/", "b/a/x" } },
		{ SV_INIT("**/a/b\n"), { "a/b", "x/a/b" }, { "a/x/b" } },
		{ SV_INIT("a/**\n"), { "a/x", "a/x/y" }, { "a/", "b" } },
		{ SV_INIT("a/**/b\n"), { "a/b", "a/x/y/b" }, { "b" } },
		{ SV_INIT("/*/\n"), { "a/", "a/b" }, { "a" } },
	};

	check_cases(cases, countof(cases));
}

TEST(the_last_matching_rule_wins_but_not_below_a_hidden_directory)
{
	static const struct ignore_case cases[] = {
		{ SV_INIT("*.o\n!keep.o\n"), { "a.o" }, { "keep.o", "x/keep.o" } },
		{ SV_INIT("!keep.o\n*.o\n"), { "a.o", "keep.o" }, { NULL } },
		{ SV_INIT("dir/\n!dir/keep\n"), { "dir/keep", "dir/x" }, { NULL } },
		{ SV_INIT("dir/*\n!dir/keep\n"), { "dir/x" }, { "dir/keep", "dir/" } },
		{ SV_INIT("/*\n!/a/\n/a/*\n!/a/b\n"), { "x", "a/c" }, { "a/", "a/b" } },
		{ SV_INIT("a\n!a\na\n"), { "a" }, { NULL } },
	};

	check_cases(cases, countof(cases));
}

TEST(comments_blanks_and_escapes_are_read_as_git_reads_them)
{
	static const struct ignore_case cases[] = {
		{ SV_INIT("# a\n\n  \n#b\n"), { NULL }, { "a", "#b", "# a", " " } },
		{ SV_INIT("\\#a\n\\!b\n"), { "#a", "!b" }, { "\\#a", "a", "b" } },
		{ SV_INIT("a  \nb\\ \nc\\  \n"), { "a", "b ", "c " }, { "a  ", "b", "c  " } },
		{ SV_INIT("d\\\\ \ne\t\n"), { "d\\", "e\t" }, { "d\\ ", "e" } },
		{ SV_INIT("a\r\nb/\r\nc\r"), { "a", "b/", "c" }, { "a\r", "b", "c\r" } },
		{ SV_INIT("\xef\xbb\xbf"
			  "a\nb"),
		  { "a", "b" },
		  { NULL } },
		{ SV_INIT(" a\n"), { " a" }, { "a" } },
		{ SV_INIT("/\n//\n!\n!/\n"), { NULL }, { "a", "a/" } },
		{ SV_INIT("x\\\n[\n"), { NULL }, { "x", "x\\", "[" } },
		{ SV_INIT("a\0b\n"), { "a" }, { "b" } },
	};

	check_cases(cases, countof(cases));
}

TEST(ignore_file_applies_below_its_directory_and_overrides_parents)
{
	defer(ignore_clear) struct ignore ig = IGNORE_INIT;

	add(&ig, "", SV("*.log\n"));
	add(&ig, "sub", SV("!*.log\n/only\n"));
	add(&ig, "sub/deep", SV("x.log\n"));
	CHECK(hides(&ig, "a.log"));
	CHECK(!hides(&ig, "sub/a.log"));
	CHECK(hides(&ig, "sub/only") && !hides(&ig, "only") && !hides(&ig, "sub/x/only"));
	CHECK(hides(&ig, "sub/deep/x.log") && !hides(&ig, "sub/deep/y.log"));
	CHECK(hides(&ig, "subx/a.log"));
}

TEST(deciding_rule_can_be_named)
{
	defer(ignore_clear) struct ignore ig = IGNORE_INIT;
	const struct ignore_rule *rule;

	add(&ig, "", SV("# top\n*.log\n"));
	add(&ig, "sub", SV("\n\n!keep.log\n"));
	rule = ignore_find(&ig, SV("sub/keep.log"), false);
	CHECK(rule && rule->negated && rule->file == 1 && rule->line == 3);
	rule = ignore_find(&ig, SV("sub/a.log"), false);
	CHECK(rule && !rule->negated && rule->file == 0 && rule->line == 2);
	CHECK(!ignore_find(&ig, SV("sub/a"), false));
}

TEST(walker_can_skip_the_check_of_parents)
{
	defer(ignore_clear) struct ignore ig = IGNORE_INIT;

	add(&ig, "", SV("build/\n!build/keep\n"));
	CHECK(ignore_find_entry(&ig, SV("build"), true));
	CHECK(ignore_find_entry(&ig, SV("build/keep"), false)->negated);
	CHECK(!ignore_find(&ig, SV("build/keep"), false)->negated);
}

TEST(oversized_ignore_files_are_refused_and_leave_no_rule)
{
	defer(ignore_clear) struct ignore ig = IGNORE_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	str_adds(&text, "one\n");
	while (text.len < LIMIT_PATTERN + 10)
		str_addc(&text, 'x');
	CHECK(!ignore_add(&ig, SV(""), sv_of(&text), &err));
	CHECK_ERR(err, ERR_TOO_BIG, "line 2");
	CHECK(!hides(&ig, "one"));
	while (text.len <= LIMIT_IGNORE_BYTES)
		str_adds(&text, "\nmore");
	CHECK(!ignore_add(&ig, SV(""), sv_of(&text), &err));
	CHECK_ERR(err, ERR_TOO_BIG, "ignore files");
	add(&ig, "", SV("one\n"));
	CHECK(hides(&ig, "one"));
}

TEST(hostile_ignore_file_cannot_make_a_lookup_endless)
{
	defer(ignore_clear) struct ignore ig = IGNORE_INIT;
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str path = STR_INIT;

	/* Without the limit: 4,000 bytes of path, each parent of it, 4 MiB of rules. */
	while (text.len < LIMIT_IGNORE_BYTES - 100)
		str_adds(&text, "**/?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?b*c\n");
	while (path.len < 4000)
		str_adds(&path, path.len % 50 == 49 ? "/" : "a");
	str_adds(&path, "end");
	add(&ig, "", sv_of(&text));
	CHECK(!ignore_hides(&ig, sv_of(&path), false));
}

/* The comparison with git itself. Many small worlds, a directory each, have
 * random rules; one git answers for all of them. */
enum { WORLDS = 120 };

static const char *const world_dirs[] = { "", "a", "b", "ab", "a/b", "a/b/c", "b/a" };
static const char *const names[] = { "a",   "b", "c",   "ab",  "abc", "x.c",     "x.h", "A",
				     "*",   "?", "a b", "a ",  " a",  "#a",      "!a",  "\\a",
				     "[a]", "-", "]",   "a\v", "a\t", "\xc3\xa9" };
static const char *const pieces[] = {
	"a",        "a",    "b",     "b",           "c",           "ab",        "x.c",
	".c",       "*",    "*",     "?",           "**",          "/",         "/",
	"/",        "**/",  "/**",   "/**/",        "!",           "[ab]",      "[!a]",
	"[a-c]",    "[^/]", "[]a]",  "[[:alpha:]]", "[[:space:]]", "[[:foo:]]", "[",
	"]",        "-",    "\\",    "\\*",         "\\ ",         " ",         "#",
	"\xc3\xa9", "A",    "[A-Z]", "[[:upper:]]", "\\A",         "[A]",       "\\/",
};

static const char *pick(struct rng *rng, const char *const *from, size_t n)
{
	return from[rng_below(rng, n)];
}

/* Some versions of git drop the literal start of a pattern before they look
 * whether a "**" stands alone, and so take it in "a**" + "/b" for one that does;
 * the manual and newer versions say otherwise, as we do. */
static bool versions_differ(struct sv line)
{
	size_t star;

	if (sv_starts(line, SV("!")))
		line = sv_skip(line, 1);
	star = sv_find_char(line, '*');
	return star != SIZE_MAX && star > 0 && line.ptr[star - 1] != '/' &&
	       sv_starts(sv_skip(line, star), SV("**"));
}

static void add_random_line(struct str *out, struct rng *rng)
{
	defer(str_clear) struct str line = STR_INIT;

	do {
		str_truncate(&line, 0);
		if (rng_below(rng, 4) == 0)
			str_addc(&line, '!');
		for (size_t n = 1 + rng_below(rng, 6); n > 0; n--)
			str_adds(&line, pick(rng, pieces, countof(pieces)));
	} while (versions_differ(sv_of(&line)));
	str_add(out, sv_of(&line));
	str_adds(out, rng_below(rng, 8) ? "\n" : rng_below(rng, 2) ? "  \n" : "\r\n");
}

struct world {
	struct str name; /* of its directory */
	struct ignore ig;
};

static void world_clear(struct world *w)
{
	str_clear(&w->name);
	ignore_clear(&w->ig);
}

static void write_rules(const struct temp_dir *dir, struct world *w, const char *below,
			struct rng *rng)
{
	defer(str_clear) struct str base = STR_INIT;
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str rules = STR_INIT;

	for (size_t n = 1 + rng_below(rng, 6); n > 0; n--)
		add_random_line(&rules, rng);
	if (rng_below(rng, 4) == 0)
		str_truncate(&rules, rules.len - 1);
	str_addf(&base, "%s%s", w->name.ptr, below);
	str_addf(&path, "%s/.gitignore", base.ptr);
	temp_dir_write(dir, path.ptr, sv_of(&rules));
	add(&w->ig, base.ptr, sv_of(&rules));
}

static void world_make(const struct temp_dir *dir, struct world *w, size_t number, struct rng *rng)
{
	defer(str_clear) struct str path = STR_INIT;

	str_addf(&w->name, "w%zu", number);
	for (size_t i = 0; i < countof(world_dirs); i++) {
		str_truncate(&path, 0);
		str_addf(&path, "%s/%s", w->name.ptr, world_dirs[i]);
		temp_dir_mkdir(dir, path.ptr);
	}
	write_rules(dir, w, "", rng);
	if (rng_below(rng, 2))
		write_rules(dir, w, "/a", rng);
}

/* Adds what `git check-ignore -z -v -n` is to say of a path, but the pattern:
 * file, line and path, each ended by a NUL. */
static void expect(struct str *asked, struct str *expected, const struct world *w, struct sv path,
		   bool is_dir)
{
	const struct ignore_rule *rule = ignore_find(&w->ig, path, is_dir);

	str_add(asked, path);
	str_addc(asked, '\0');
	if (rule)
		str_addf(expected, "%s/.gitignore%c%u", w->ig.files.at[rule->file].base.ptr, 0,
			 rule->line);
	else
		str_addc(expected, '\0');
	str_addc(expected, '\0');
	str_add(expected, path);
	str_addc(expected, '\0');
}

static void ask_world(struct str *asked, struct str *expected, const struct world *w)
{
	for (size_t i = 0; i < countof(world_dirs); i++) {
		defer(str_clear) struct str path = STR_INIT;
		size_t len;

		str_addf(&path, "%s/%s", w->name.ptr, world_dirs[i]);
		if (i > 0) {
			expect(asked, expected, w, sv_of(&path), true);
			str_addc(&path, '/');
		}
		len = path.len;
		for (size_t k = 0; k < countof(names); k++) {
			bool is_dir = false;

			str_truncate(&path, len);
			str_adds(&path, names[k]);
			for (size_t d = 1; d < countof(world_dirs); d++)
				is_dir |= sv_is(sv_skip(sv_of(&path), w->name.len + 1),
						world_dirs[d]);
			expect(asked, expected, w, sv_of(&path), is_dir);
		}
	}
}

static void check_answers(struct sv got, struct sv expected, const struct temp_dir *dir)
{
	struct sv field[4], want[3];
	size_t n = 0;

	for (; got.len > 0; n++) {
		for (size_t i = 0; i < 4; i++)
			CHECK(sv_cut(&got, '\0', &field[i]));
		for (size_t i = 0; i < 3; i++)
			CHECK(sv_cut(&expected, '\0', &want[i]));
		CHECK_SV_EQ(want[2], field[3]);
		if (!sv_eq(want[0], field[0]) || !sv_eq(want[1], field[1]))
			fail_msg(
				"%.*s: git decides by %.*s:%.*s \"%.*s\", awl by %.*s:%.*s (in %s)",
				SV_ARG(field[3]), SV_ARG(field[0]), SV_ARG(field[1]),
				SV_ARG(field[2]), SV_ARG(want[0]), SV_ARG(want[1]), dir->path);
	}
	CHECK(expected.len == 0);
	CHECK(n > WORLDS * countof(names));
}

static void compare_with_git(bool nocase, uint64_t seed)
{
	static const char *const init[] = { "git", "init", "-q", NULL };
	const char *const ask[] = { "git",
				    "-c",
				    nocase ? "core.ignorecase=true" : "core.ignorecase=false",
				    "check-ignore",
				    "--no-index",
				    "--stdin",
				    "-z",
				    "-v",
				    "-n",
				    NULL };
	defer(temp_dir_remove) struct temp_dir dir;
	defer(str_clear) struct str asked = STR_INIT;
	defer(str_clear) struct str expected = STR_INIT;
	defer(str_clear) struct str got = STR_INIT;
	struct rng rng;

	rng_seed(&rng, seed);
	temp_dir_make(&dir);
	CHECK_INT(program_run(&dir, init, SV_EMPTY, &got), 0);
	for (size_t i = 0; i < WORLDS; i++) {
		defer(world_clear) struct world w = { .ig = { .nocase = nocase } };

		world_make(&dir, &w, i, &rng);
		ask_world(&asked, &expected, &w);
	}
	CHECK_INT(program_run(&dir, ask, sv_of(&asked), &got), 0);
	check_answers(sv_of(&got), sv_of(&expected), &dir);
}

TEST(random_rules_decide_as_git_check_ignore_does)
{
	compare_with_git(false, 1);
}

TEST(random_rules_decide_as_git_does_when_case_is_ignored)
{
	compare_with_git(true, 2);
}

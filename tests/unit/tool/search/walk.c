#include "tool/search/walk.h"

#include "tool/errand.h"

/* What a walk has seen, a path a line. */
struct trace {
	struct str seen;
	size_t stop_after;  /* entries; 0: never */
	const char *skip;   /* a directory not to enter */
	const char *remove; /* a directory to remove when it is seen */
	atomic_bool *set;   /* to be set when something is seen */
};

static enum fs_visit note(void *arg, const struct walk_entry *entry)
{
	struct trace *t = arg;
	struct err err;

	CHECK(sv_ends(entry->full, entry->path) && sv_ends(entry->path, entry->name));
	CHECK_INT(strlen(entry->full.ptr), entry->full.len);
	str_addf(&t->seen, "%.*s%s\n", SV_ARG(entry->path), entry->kind == FS_DIR ? "/" : "");
	if (t->set)
		atomic_store(t->set, true);
	if (t->remove && sv_is(entry->path, t->remove))
		CHECK_OK(fs_remove_tree(entry->full.ptr, &err), err);
	if (t->stop_after && --t->stop_after == 0)
		return FS_STOP;
	return t->skip && sv_is(entry->path, t->skip) ? FS_SKIP : FS_GO_ON;
}

static void check_walk(struct walk *w, struct trace *t, enum walk_end end, const char *expected)
{
	struct err err;

	w->visit = note;
	w->arg = t;
	CHECK_OK(walk_run(w, &err), err);
	CHECK_STR(str_c(&t->seen), expected);
	CHECK_INT(w->end, end);
	str_clear(&t->seen);
}

TEST(a_walk_sees_all_but_what_is_hidden)
{
	ERRAND(e);
	struct trace t = { .skip = "skipped" };
	struct walk w = { .root = sv_of(&e.dir) };

	put_file(&e, ".git/config", "");
	put_file(&e, ".dotted/x", "");
	put_file(&e, "a/.gitignore", "*.o\n");
	put_file(&e, "a/x.o", "");
	put_file(&e, "a/b/y.o", "");
	put_file(&e, "a/b/z", "");
	put_file(&e, "b.o", "");
	put_file(&e, "skipped/x", "");
	put_file(&e, "sub/.git", "gitdir: elsewhere\n");
	put_file(&e, "sub/.hg/x", "");
	check_walk(&w, &t, WALK_WHOLE,
		   ".dotted/\n.dotted/x\na/\na/.gitignore\na/b/\na/b/z\nb.o\nskipped/\nsub/\n");
	CHECK_INT(w.entries, 14);
	w.skip_dotted = true;
	check_walk(&w, &t, WALK_WHOLE, "a/\na/b/\na/b/z\nb.o\nskipped/\nsub/\n");
	w.no_ignore = true;
	check_walk(&w, &t, WALK_WHOLE, "a/\na/b/\na/b/y.o\na/b/z\na/x.o\nb.o\nskipped/\nsub/\n");
	walk_clear(&w);
}

TEST(rules_from_above_the_root_count_up_to_the_top_of_the_repository)
{
	ERRAND(e);
	struct trace t = { .skip = NULL };
	PATH_IN(root, e.dir, "repo/a/b");
	PATH_IN(top, e.dir, "repo");
	struct walk w = { .root = sv_cstr(root) };

	put_file(&e, ".gitignore", "x1\n");
	put_file(&e, ".ignore", "x5\n");
	put_file(&e, "repo/.git/info/exclude", "x2\n");
	put_file(&e, "repo/.gitignore", "x3\n");
	put_file(&e, "repo/a/.gitignore", "/b/x4\n!x3\n");
	for (int i = 1; i <= 6; i++) {
		defer(str_clear) struct str name = STR_INIT;

		str_addf(&name, "repo/a/b/x%d", i);
		put_file(&e, str_c(&name), "");
	}
	check_walk(&w, &t, WALK_WHOLE, "x1\nx3\nx6\n");
	CHECK_SV_EQ(walk_top(sv_cstr(root)), sv_cstr(top));
	walk_clear(&w);
}

TEST(rules_of_a_directory_end_with_it)
{
	ERRAND(e);
	struct trace t = { .skip = NULL };
	struct walk w = { .root = sv_of(&e.dir) };

	put_file(&e, "a/.gitignore", "x\n");
	put_file(&e, "a/b/.gitignore", "!x\n");
	put_file(&e, "a/b/x", "");
	put_file(&e, "a/c/x", "");
	put_file(&e, "d/x", "");
	put_file(&e, "x", "");
	check_walk(&w, &t, WALK_WHOLE,
		   "a/\na/.gitignore\na/b/\na/b/.gitignore\na/b/x\na/c/\nd/\nd/x\nx\n");
	walk_clear(&w);
}

TEST(globs_of_the_caller_decide_first)
{
	static const struct {
		const char *globs[3], *seen;
	} cases[] = {
		{ { "*.c" }, "a.c\nd/\nd/b.c\nd/e/\nignored.c\n" },
		{ { "!*.c" }, ".gitignore\nd/\nd/e/\nd/e/f.h\n" },
		{ { "*.{c,h}", "!f.*" }, "a.c\nd/\nd/b.c\nd/e/\nignored.c\n" },
		{ { "!f.*", "[ad].{c,h}", "f.*" }, "a.c\nd/\nd/e/\nd/e/f.h\n" },
		{ { "!d" }, ".gitignore\na.c\n" },
		{ { "/d/*.c" }, "d/\nd/b.c\nd/e/\n" },
		{ { "e/*.h" }, "d/\nd/e/\n" },
		{ { "#*" }, "d/\nd/e/\n" },
	};
	ERRAND(e);
	struct err err;

	put_file(&e, ".gitignore", "ignored.c\n");
	put_file(&e, "a.c", "");
	put_file(&e, "ignored.c", "");
	put_file(&e, "d/b.c", "");
	put_file(&e, "d/e/f.h", "");
	for (size_t i = 0; i < countof(cases); i++) {
		struct walk w = { .root = sv_of(&e.dir) };
		struct trace t = { .skip = NULL };

		for (size_t k = 0; k < 3 && cases[i].globs[k]; k++)
			CHECK_OK(walk_add_glob(&w, sv_cstr(cases[i].globs[k]), &err), err);
		check_walk(&w, &t, WALK_WHOLE, cases[i].seen);
		walk_clear(&w);
	}
}

TEST(globs_may_be_anchored_above_the_root)
{
	ERRAND(e);
	PATH_IN(root, e.dir, "d");
	struct walk w = { .root = sv_cstr(root), .globs_below = sv_of(&e.dir) };
	struct trace t = { .skip = NULL };
	struct err err;

	put_file(&e, "d/a", "");
	put_file(&e, "d/b", "");
	CHECK_OK(walk_add_glob(&w, SV("d/a"), &err), err);
	check_walk(&w, &t, WALK_WHOLE, "a\n");
	w.globs_below = SV("/nowhere");
	check_walk(&w, &t, WALK_WHOLE, "");
	walk_clear(&w);
}

TEST(a_glob_that_is_none_is_refused)
{
	struct walk w = { .root = SV("/") };
	struct err err;

	CHECK(!walk_add_glob(&w, SV("["), &err));
	CHECK_ERR(err, ERR_PARSE, "does not open a valid set");
	CHECK(!walk_add_glob(&w, SV("!a\0b"), &err));
	walk_clear(&w);
}

static void put_five(const struct errand *e)
{
	static const char *const names[] = { "f0", "f1", "f2", "f3", "f4" };

	for (size_t i = 0; i < countof(names); i++)
		put_file(e, names[i], "");
}

TEST(a_walk_ends_when_it_is_told_to)
{
	ERRAND(e);
	struct tool_job job = { .deadline_ms = 5000 };
	struct walk w = { .root = sv_of(&e.dir), .job = &job };
	struct trace two = { .stop_after = 2 }, cancels = { .set = &job.stop },
		     delays = { .set = &job.late };
	defer(str_clear) struct str text = STR_INIT;

	put_five(&e);
	check_walk(&w, &two, WALK_ENOUGH, "f0\nf1\n");
	walk_explain(w.end, w.entries, job.deadline_ms, &text);
	check_walk(&w, &cancels, WALK_CANCELLED, "f0\n");
	walk_explain(w.end, w.entries, job.deadline_ms, &text);
	CHECK_INT(text.len, 0);
	atomic_store(&job.stop, false);
	check_walk(&w, &delays, WALK_LATE, "f0\n");
	walk_explain(w.end, w.entries, job.deadline_ms, &text);
	CHECK(sv_starts(sv_of(&text), SV("Stopped after 5 s, ")));
	walk_clear(&w);
}

TEST(a_walk_looks_at_so_many_entries_and_no_more)
{
	static const char all[] = "f0\nf1\nf2\nf3\nf4\n";
	ERRAND(e);

	put_five(&e);
	for (size_t most = 1; most < 8; most++) {
		struct walk w = { .root = sv_of(&e.dir), .max_entries = most };
		struct trace t = { .skip = NULL };
		defer(mem_freep) char *seen = sv_dup(sv_slice(sv_cstr(all), 0, 3 * most));
		defer(str_clear) struct str text = STR_INIT;

		check_walk(&w, &t, most < 5 ? WALK_FULL : WALK_WHOLE, seen);
		CHECK_INT(w.entries, min_of(most, (size_t)5));
		walk_explain(w.end, w.entries, 0, &text);
		CHECK_INT(text.len > 0, most < 5);
		walk_clear(&w);
	}
}

TEST(what_goes_away_meanwhile_is_left_out)
{
	ERRAND(e);
	struct walk w = { .root = sv_of(&e.dir) };
	struct trace t = { .remove = "b" };

	put_file(&e, "a", "");
	put_file(&e, "b/c/d", "");
	put_file(&e, "e", "");
	check_walk(&w, &t, WALK_WHOLE, "a\nb/\ne\n");
	walk_clear(&w);
}

TEST(links_loops_and_locked_directories_do_not_stop_a_walk)
{
	ERRAND(e);
	struct walk w = { .root = sv_of(&e.dir) };
	struct trace t = { .skip = NULL };
	PATH_IN(loop, e.dir, "a/loop");
	PATH_IN(self, e.dir, "a/self");
	PATH_IN(locked, e.dir, "locked");
	PATH_IN(rules, e.dir, "a/.gitignore");
	struct err err;

	put_file(&e, "a/f", "");
	put_file(&e, "locked/f", "");
	CHECK_OK(fs_symlink("..", loop, &err) && fs_symlink("self", self, &err) &&
			 fs_symlink("/dev/zero", rules, &err),
		 err);
	CHECK_INT(chmod(locked, 0), 0);
	check_walk(&w, &t, WALK_WHOLE,
		   geteuid() == 0 ? "a/\na/.gitignore\na/f\na/loop\na/self\nlocked/\nlocked/f\n"
				  : "a/\na/.gitignore\na/f\na/loop\na/self\nlocked/\n");
	CHECK_INT(chmod(locked, 0700), 0);
	walk_clear(&w);
}

TEST(a_root_that_cannot_be_read_is_an_error)
{
	ERRAND(e);
	PATH_IN(root, e.dir, "none");
	struct walk w = { .root = sv_cstr(root) };
	struct err err;

	CHECK(!walk_run(&w, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "none");
	walk_clear(&w);
}

TEST(a_path_is_shown_on_one_line_of_valid_text)
{
	static const struct {
		struct sv path;
		const char *shown;
	} cases[] = {
		{ SV_INIT(""), "" },
		{ SV_INIT("a/b c"), "a/b c" },
		{ SV_INIT("a\nb"), "a\\x0ab" },
		{ SV_INIT("\n\n"), "\\x0a\\x0a" },
		{ SV_INIT("\x1b[31m\x7f"), "\\x1b[31m\\x7f" },
		{ SV_INIT("\xc3\xa4"), "\xc3\xa4" },
		{ SV_INIT("a\xff\n\xc3"), "a\xef\xbf\xbd\\x0a\xef\xbf\xbd" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		walk_show_path(&out, cases[i].path);
		CHECK_STR(str_c(&out), cases[i].shown);
	}
}

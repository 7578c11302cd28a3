#include <sched.h>

#include "base/limits.h"
#include "sys/work.h"
#include "tool/errand.h"
#include "tool/job.h"

/* The result with the working directory's own path replaced by ".". */
static void shown(const struct errand *e, struct str *out)
{
	struct sv rest = errand_text(e), line;

	while (sv_cut_line(&rest, &line)) {
		bool below = sv_starts(line, sv_of(&e->dir));

		str_adds(out, out->len ? "\n" : "");
		str_adds(out, below ? "." : "");
		str_add(out, sv_skip(line, below ? e->dir.len : 0));
	}
}

static void check_glob(struct errand *e, const char *input, const char *expected)
{
	defer(str_clear) struct str text = STR_INIT;

	errand_run(e, &tool_glob, input);
	CHECK_INT(e->why.kind, ERR_NONE);
	shown(e, &text);
	if (strcmp(str_c(&text), expected) != 0)
		print_error("%s\n", input);
	CHECK_STR(str_c(&text), expected);
}

static void put_tree(const struct errand *e)
{
	put_old_file(e, "main.c", "", 10);
	put_old_file(e, "main.h", "", 20);
	put_old_file(e, "src/a.c", "", 5);
	put_old_file(e, "src/b.h", "", 30);
	put_old_file(e, "src/deep/er/c.c", "", 1);
	put_old_file(e, ".hidden/h.c", "", 40);
	put_old_file(e, ".git/g.c", "", 0);
	put_old_file(e, "src/.svn/s.c", "", 0);
	put_old_file(e, "[odd]/{x}.c", "", 50);
}

TEST(a_pattern_finds_files_the_newest_first)
{
	static const struct {
		const char *input, *found;
	} cases[] = {
		{ "{\"pattern\":\"*.c\"}", "./main.c" },
		{ "{\"pattern\":\"**/*.c\"}",
		  "./src/deep/er/c.c\n./src/a.c\n./main.c\n./.hidden/h.c\n./[odd]/{x}.c" },
		{ "{\"pattern\":\"*.{c,h}\"}", "./main.c\n./main.h" },
		{ "{\"pattern\":\"src/*.{c,h}\"}", "./src/a.c\n./src/b.h" },
		{ "{\"pattern\":\"{src,.hidden}/*.[ch]\"}", "./src/a.c\n./src/b.h\n./.hidden/h.c" },
		{ "{\"pattern\":\"*/*/*/c.?\"}", "./src/deep/er/c.c" },
		{ "{\"pattern\":\"src/**\"}", "./src/deep/er/c.c\n./src/a.c\n./src/b.h" },
		{ "{\"pattern\":\"*.c\",\"path\":\"src\"}", "./src/a.c" },
		{ "{\"pattern\":\"../*.h\",\"path\":\"src\"}", "./main.h" },
		{ "{\"pattern\":\"./src/./a.c\"}", "./src/a.c" },
		{ "{\"pattern\":\"main.c\"}", "./main.c" },
		{ "{\"pattern\":\"\\\\[odd]/\\\\{x\\\\}.c\"}", "./[odd]/{x}.c" },
		{ "{\"pattern\":\"src\"}", "No files found" },
		{ "{\"pattern\":\"src/\"}", "No files found" },
		{ "{\"pattern\":\"missing/**/*.c\"}", "No files found" },
		{ "{\"pattern\":\"-rf *\"}", "No files found" },
		{ "{\"pattern\":\"**/.git/*\"}", "No files found" },
	};
	ERRAND(e);

	put_tree(&e);
	for (size_t i = 0; i < countof(cases); i++)
		check_glob(&e, cases[i].input, cases[i].found);
}

TEST(an_absolute_pattern_is_searched_where_it_says)
{
	ERRAND(e);
	defer(str_clear) struct str input = STR_INIT;

	put_tree(&e);
	str_addf(&input, "{\"pattern\":\"%s/src/*.c\",\"path\":\".hidden\"}", str_c(&e.dir));
	check_glob(&e, str_c(&input), "./src/a.c");
}

TEST(what_gitignore_hides_is_not_found)
{
	ERRAND(e);

	put_file(&e, ".git/info/exclude", "private.c\n");
	put_file(&e, ".gitignore", "build/\n*.o\n");
	put_file(&e, "sub/.gitignore", "/local.c\n!keep.o\n");
	put_old_file(&e, "build/x.c", "", 1);
	put_old_file(&e, "private.c", "", 2);
	put_old_file(&e, "sub/local.c", "", 3);
	put_old_file(&e, "sub/in/local.c", "", 4);
	put_old_file(&e, "sub/keep.o", "", 5);
	put_old_file(&e, "sub/in/a.o", "", 6);
	put_old_file(&e, "sub/in/a.c", "", 7);
	check_glob(&e, "{\"pattern\":\"**/*.[co]\"}",
		   "./sub/in/local.c\n./sub/keep.o\n./sub/in/a.c");
	/* The rules above where the search starts count too. */
	check_glob(&e, "{\"pattern\":\"**/*.o\",\"path\":\"sub\"}", "./sub/keep.o");
	check_glob(&e, "{\"pattern\":\"sub/in/*.o\"}", "No files found");
	/* But a directory that is named is searched. */
	check_glob(&e, "{\"pattern\":\"build/*.c\"}", "./build/x.c");
}

TEST(links_to_files_are_found_and_links_to_directories_not_entered)
{
	ERRAND(e);
	PATH_IN(to_file, e.dir, "f.c");
	PATH_IN(to_dir, e.dir, "loop");
	PATH_IN(dangling, e.dir, "gone.c");
	struct err err;

	put_file(&e, "dir/real.c", "");
	CHECK_OK(fs_symlink("dir/real.c", to_file, &err) && fs_symlink(".", to_dir, &err) &&
			 fs_symlink("nowhere", dangling, &err),
		 err);
	check_glob(&e, "{\"pattern\":\"**/*.c\"}", "./dir/real.c\n./f.c");
}

TEST(a_hundred_are_shown_and_how_many_there_were)
{
	ERRAND(e);
	struct sv rest, line;
	size_t n = 0;

	for (int i = 0; i < 130; i++) {
		defer(str_clear) struct str name = STR_INIT;

		str_addf(&name, "f%03d.txt", i);
		put_old_file(&e, str_c(&name), "", i);
	}
	errand_run(&e, &tool_glob, "{\"pattern\":\"*.txt\"}");
	for (rest = errand_text(&e); sv_cut_line(&rest, &line) && sv_ends(line, SV(".txt")); n++) {
		defer(str_clear) struct str name = STR_INIT;

		str_addf(&name, "/f%03zu.txt", n);
		CHECK(sv_ends(line, sv_of(&name)));
	}
	CHECK_INT(n, LIMIT_GLOB_SHOWN);
	CHECK_HAS(&e, "(The newest 100 of 130: ");
	CHECK(json_bool_or(errand_data(&e, "truncated"), false));
	CHECK_INT(json_int_or(errand_data(&e, "numFiles"), 0), 100);
	CHECK_INT(json_len(errand_data(&e, "filenames")), 100);
}

TEST(the_data_has_what_the_protocol_names)
{
	ERRAND(e);
	PATH_IN(path, e.dir, "one.c");

	put_file(&e, "one.c", "");
	errand_run(&e, &tool_glob, "{\"pattern\":\"*.c\"}");
	CHECK_STR(json_str_or(errand_data(&e, "filenames[0]"), SV_EMPTY).ptr, path);
	CHECK_INT(json_int_or(errand_data(&e, "numFiles"), 0), 1);
	CHECK(json_int_or(errand_data(&e, "durationMs"), -1) >= 0);
	CHECK(!json_bool_or(errand_data(&e, "truncated"), true));
}

TEST(a_path_that_is_no_directory_is_an_error)
{
	ERRAND(e);

	put_file(&e, "file", "");
	errand_run(&e, &tool_glob, "{\"pattern\":\"*\",\"path\":\"missing\"}");
	CHECK(e.call.result.is_error);
	CHECK_HAS(&e, "There is no directory ");
	errand_run(&e, &tool_glob, "{\"pattern\":\"*\",\"path\":\"file\"}");
	CHECK(e.call.result.is_error);
}

TEST(a_pattern_that_matches_nothing_ever_is_refused)
{
	ERRAND(e);
	struct err err = errand_check(&e, &tool_glob, "{\"pattern\":\"\"}");

	CHECK_ERR(err, ERR_INVALID, "empty");
	err = errand_check(&e, &tool_glob, "{\"pattern\":\"a[\"}");
	CHECK_ERR(err, ERR_PARSE, "does not open a valid set");
	err = errand_check(&e, &tool_glob, "{\"pattern\":\"a\\u0000/b\"}");
	CHECK_ERR(err, ERR_PARSE, "NUL");
	err = errand_check(
		&e, &tool_glob,
		"{\"pattern\":\"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\"}");
	CHECK_ERR(err, ERR_TOO_BIG, "");
}

TEST(a_search_requests_the_directory_it_really_walks)
{
	ERRAND(e);
	PATH_IN(link, e.dir, "link");
	struct arena arena = ARENA_INIT;
	struct perm_request perm_request = { .access = ACCESS_NONE };
	struct err err;

	CHECK_OK(fs_symlink("/usr", link, &err), err);
	errand_check(&e, &tool_glob, "{\"pattern\":\"/etc/**/*.conf\"}");
	tool_glob.perm_request(&e.call, &arena, &perm_request);
	CHECK_INT(perm_request.access, ACCESS_READ);
	CHECK_SV(perm_request.path, "/etc");
	errand_check(&e, &tool_glob, "{\"pattern\":\"link/share/*\"}");
	tool_glob.perm_request(&e.call, &arena, &perm_request);
	CHECK_SV(perm_request.path, "/usr/share");
	errand_check(&e, &tool_glob, "{\"pattern\":\"/*\"}");
	tool_glob.perm_request(&e.call, &arena, &perm_request);
	CHECK_SV(perm_request.path, "/");
	errand_check(&e, &tool_glob,
		     "{\"pattern\":\"/usr/*/../../etc/*\"}"); /* as high as it asks */
	tool_glob.perm_request(&e.call, &arena, &perm_request);
	CHECK_SV(perm_request.path, "/");
	errand_check(&e, &tool_glob, "{\"pattern\":\"{a,/etc}/*\"}");
	tool_glob.perm_request(&e.call, &arena, &perm_request);
	CHECK_SV(perm_request.path, "/");
	arena_clear(&arena);
}

TEST(a_search_can_be_cancelled_at_once)
{
	ERRAND(e);

	errand_begin(&e, &tool_glob, "{\"pattern\":\"/**/*.c\"}");
	op_cancel(e.op);
	errand_end(&e);
	CHECK_INT(e.why.kind, ERR_CANCELLED);
}

/* Deep and wide enough that helpers are started. */
static void put_forest(const struct errand *e)
{
	for (int i = 0; i < 300; i++) {
		defer(str_clear) struct str name = STR_INIT;

		str_addf(&name, "d%d/e%d/f%d/x%03d.c", i % 6, i % 5, i % 2, i);
		put_old_file(e, str_c(&name), "", i);
	}
	put_file(e, "d1/.gitignore", "x01*.c\n");
	put_file(e, "d2/e2/.gitignore", "!x01*.c\nx02*.c\n");
}

TEST(a_search_by_many_finds_each_file_once)
{
	ERRAND(e);
	struct sv rest, line;
	int n = 0;

	put_forest(&e);
	errand_run(&e, &tool_glob, "{\"pattern\":\"**/x0*.c\"}");
	for (rest = errand_text(&e); sv_cut_line(&rest, &line); n++) {
		while (n % 6 == 1 && n / 10 == 1)
			n++;
		while (n % 6 == 2 && n % 5 == 2 && n / 10 == 2)
			n++;
		CHECK_INT(line.ptr[line.len - 4] - '0', n / 10);
		CHECK_INT(line.ptr[line.len - 3] - '0', n % 10);
	}
	CHECK_INT(n, 100);
	check_glob(&e, "{\"pattern\":\"d*/e1/*/x001.c\"}", "./d1/e1/f1/x001.c");
	check_glob(&e, "{\"pattern\":\"d*/e1/x001.c\"}", "No files found");
}

static void with_env(struct errand *e, const char *first, const char *second,
		     const char *env[static 3])
{
	env[0] = first;
	env[1] = second;
	env[2] = NULL;
	e->session.env = env;
}

TEST(variables_say_what_is_hidden)
{
	ERRAND(e);
	const char *env[3];

	put_file(&e, ".gitignore", "i.c\n");
	put_old_file(&e, "a.c", "", 1);
	put_old_file(&e, "i.c", "", 2);
	put_old_file(&e, ".h.c", "", 3);
	check_glob(&e, "{\"pattern\":\"*.c\"}", "./a.c\n./.h.c");
	with_env(&e, "CLAUDE_CODE_GLOB_HIDDEN=false", "CLAUDE_CODE_GLOB_NO_IGNORE=1", env);
	check_glob(&e, "{\"pattern\":\"*.c\"}", "./a.c\n./i.c");
	with_env(&e, "CLAUDE_CODE_GLOB_HIDDEN=1", "CLAUDE_CODE_GLOB_NO_IGNORE=false", env);
	check_glob(&e, "{\"pattern\":\"*.c\"}", "./a.c\n./.h.c");
}

static bool wait_at_gate(void *arg, __attribute__((unused)) struct err *err)
{
	atomic_bool *open = arg;

	while (!atomic_load(open))
		sched_yield();
	return true;
}

static void count_done(__attribute__((unused)) struct op *op, void *owner,
		       __attribute__((unused)) const struct err *why)
{
	--*(int *)owner;
}

/* All workers are kept busy until the search is late. */
TEST(a_search_that_is_late_says_so_with_what_it_has)
{
	static const struct {
		const char *value, *part;
	} cases[] = {
		{ "CLAUDE_CODE_GLOB_TIMEOUT_SECONDS=3",
		  "(Stopped after 3 s, so there may be more: " },
		{ "CLAUDE_CODE_GLOB_TIMEOUT_SECONDS=", "(Stopped after 20 s, " },
		{ "CLAUDE_CODE_GLOB_TIMEOUT_SECONDS=-1", "(Stopped after 20 s, " },
		{ "CLAUDE_CODE_GLOB_TIMEOUT_SECONDS=x", "(Stopped after 20 s, " },
	};
	const char *env[3];

	for (size_t i = 0; i < countof(cases); i++) {
		ERRAND(e);
		atomic_bool open = false;
		int busy = 16;

		put_file(&e, "a.c", "");
		with_env(&e, cases[i].value, NULL, env);
		for (int k = 0; k < 16; k++)
			work_start(e.loop, wait_at_gate, &open, THEN(count_done, &busy));
		errand_begin(&e, &tool_glob, "{\"pattern\":\"*.c\"}");
		atomic_store(&container_of(e.op, struct tool_job, op)->late, true);
		atomic_store(&open, true);
		while (busy)
			loop_turn(e.loop);
		errand_end(&e);
		CHECK_HAS(&e, "No files found\n");
		CHECK_HAS(&e, cases[i].part);
		CHECK(json_bool_or(errand_data(&e, "timedOut"), false));
		CHECK(!json_bool_or(errand_data(&e, "countIsComplete"), true));
	}
}

TEST(names_that_would_break_a_line_are_shown_on_one)
{
	ERRAND(e);

	put_old_file(&e, "a\n/etc/passwd.c", "", 1);
	put_old_file(&e, "b\xff.c", "", 2);
	check_glob(&e, "{\"pattern\":\"**/*.c\"}", "./a\\x0a/etc/passwd.c\n./b\xef\xbf\xbd.c");
}

#include "tool/errand.h"

#include "base/limits.h"
#include "sandbox/sandbox.h"

#define NOTE "\n[ripgrep (rg) is not installed, so awl used a slower built-in search; "

static const char *const without_rg[] = { "PATH=/nonexistent", NULL };

/* With ripgrep or, as where there is none, without; the result has to say so. */
static void search(struct errand *e, const char *input, bool with_rg)
{
	size_t note;

	e->session.env = with_rg ? (const char *const *)environ : without_rg;
	errand_run(e, &tool_grep, input);
	CHECK_INT(e->why.kind, ERR_NONE);
	note = sv_find(errand_text(e), SV(NOTE));
	CHECK_INT(note != SIZE_MAX, !with_rg && !e->call.result.is_error);
	if (note != SIZE_MAX)
		str_truncate(&e->call.result.text, note);
}

/* The result, which is the same by either way. */
static void check_grep(struct errand *e, const char *input, const char *expected)
{
	for (int with_rg = 0; with_rg < 2; with_rg++) {
		search(e, input, with_rg);
		if (strcmp(str_c(&e->call.result.text), expected) != 0)
			print_error("%s %s\n", input, with_rg ? "with rg" : "without rg");
		CHECK_STR(str_c(&e->call.result.text), expected);
		CHECK(!e->call.result.is_error);
	}
}

static void put_tree(const struct errand *e)
{
	put_old_file(e, "a.c", "int alpha;\nint beta;\nint gamma;\n", 20);
	put_old_file(e, "src/b.c", "beta alpha Alpha\n", 10);
	put_old_file(e, "src/c.ts", "x\nalpha\ny\nz\n", 30);
	put_old_file(e, ".hidden", "alpha\n", 40);
	put_old_file(e, ".git/config", "alpha\n", 0);
	put_old_file(e, ".jj/x", "alpha\n", 0);
	put_old_file(e, "-e", "-alpha\n", 50);
	put_old_file(e, "ignored.c", "alpha\n", 0);
	put_old_file(e, ".gitignore", "ignored.c\n", 60);
}

TEST(a_search_gives_files_lines_or_counts)
{
	static const struct {
		const char *input, *found;
	} cases[] = {
		{ "{\"pattern\":\"alpha\"}", "Found 5 files\nsrc/b.c\na.c\nsrc/c.ts\n.hidden\n-e" },
		{ "{\"pattern\":\"gamma\"}", "Found 1 file\na.c" },
		{ "{\"pattern\":\"nothing\"}", "No files found" },
		{ "{\"pattern\":\"beta\",\"output_mode\":\"content\"}",
		  "a.c:2:int beta;\nsrc/b.c:1:beta alpha Alpha" },
		{ "{\"pattern\":\"beta\",\"output_mode\":\"content\",\"-n\":false}",
		  "a.c:int beta;\nsrc/b.c:beta alpha Alpha" },
		{ "{\"pattern\":\"nothing\",\"output_mode\":\"content\"}", "No matches found" },
		{ "{\"pattern\":\"alpha\",\"output_mode\":\"content\",\"path\":\"src\",\"-i\":true,"
		  "\"-o\":true}",
		  "src/b.c:1:alpha\nsrc/b.c:1:Alpha\nsrc/c.ts:2:alpha" },
		{ "{\"pattern\":\"alpha\",\"output_mode\":\"content\",\"path\":\"src/"
		  "c.ts\",\"-A\":1}",
		  "2:alpha\n3-y" },
		{ "{\"pattern\":\"alpha\",\"output_mode\":\"content\",\"path\":\"src/"
		  "c.ts\",\"-B\":1}",
		  "1-x\n2:alpha" },
		{ "{\"pattern\":\"alpha\",\"output_mode\":\"content\",\"path\":\"src/"
		  "c.ts\",\"-C\":1}",
		  "1-x\n2:alpha\n3-y" },
		{ "{\"pattern\":\"alpha\",\"output_mode\":\"content\",\"path\":\"src/c.ts\","
		  "\"context\":1}",
		  "1-x\n2:alpha\n3-y" },
		{ "{\"pattern\":\"alpha\",\"output_mode\":\"count\",\"path\":\"src\"}",
		  "src/b.c:1\nsrc/c.ts:1\n\n2 matches in 2 files" },
		{ "{\"pattern\":\"nothing\",\"output_mode\":\"count\"}", "No matches found" },
		{ "{\"pattern\":\"alpha\",\"glob\":\"*.{ts,tsx}\"}", "Found 1 file\nsrc/c.ts" },
		{ "{\"pattern\":\"alpha\",\"glob\":\"*.ts, b.*\"}",
		  "Found 2 files\nsrc/b.c\nsrc/c.ts" },
		{ "{\"pattern\":\"alpha\",\"type\":\"ts\"}", "Found 1 file\nsrc/c.ts" },
		{ "{\"pattern\":\"alpha.*gamma\"}", "No files found" },
		{ "{\"pattern\":\"alpha.*gamma\",\"multiline\":true}", "Found 1 file\na.c" },
	};
	ERRAND(e);

	put_tree(&e);
	for (size_t i = 0; i < countof(cases); i++)
		check_grep(&e, cases[i].input, cases[i].found);
}

TEST(what_begins_with_a_dash_is_no_option)
{
	static const struct {
		const char *input, *found;
	} cases[] = {
		{ "{\"pattern\":\"-alpha\"}", "Found 1 file\n-e" },
		{ "{\"pattern\":\"--files\"}", "No files found" },
		{ "{\"pattern\":\"--pre=touch pwned\"}", "No files found" },
		{ "{\"pattern\":\"alpha\",\"path\":\"-e\"}", "Found 1 file\n-e" },
		{ "{\"pattern\":\"dashed\",\"path\":\"-\"}", "Found 1 file\n./-" },
		{ "{\"pattern\":\"alpha\",\"glob\":\"--pre=./x\"}", "No files found" },
		{ "{\"pattern\":\"alpha\",\"glob\":\"-e\"}", "Found 1 file\n-e" },
		{ "{\"pattern\":\"$(touch pwned)`touch pwned`;|&\"}", "No files found" },
	};
	ERRAND(e);
	PATH_IN(pwned, e.dir, "pwned");

	put_tree(&e);
	put_file(&e, "-", "dashed\n");
	for (size_t i = 0; i < countof(cases); i++)
		check_grep(&e, cases[i].input, cases[i].found);
	CHECK(!fs_exists(pwned));
}

TEST(a_glob_outranks_gitignore_but_brings_in_no_repository)
{
	ERRAND(e);

	put_tree(&e);
	check_grep(&e, "{\"pattern\":\"alpha\",\"glob\":\"**\"}",
		   "Found 6 files\nignored.c\nsrc/b.c\na.c\nsrc/c.ts\n.hidden\n-e");
}

TEST(a_mistake_is_told_in_words_that_help)
{
	static const struct {
		const char *input, *part;
	} cases[] = {
		{ "{\"pattern\":\"(open\"}", "regex parse error" },
		{ "{\"pattern\":\"a\",\"type\":\"--pre=x\"}", "unrecognized file type" },
		{ "{\"pattern\":\"a\",\"glob\":\"[\"}", "glob" },
		{ "{\"pattern\":\"a\\\\nb\"}", "multiline" },
		{ "{\"pattern\":\"a\",\"path\":\"missing\"}", "There is no file or directory " },
		{ "{\"pattern\":\"a\",\"path\":\"/dev/zero\"}", "/dev/zero is a device" },
	};
	ERRAND(e);

	for (size_t i = 0; i < 2 * countof(cases); i++) {
		search(&e, cases[i / 2].input, i % 2);
		CHECK(e.call.result.is_error);
		CHECK_HAS(&e, cases[i / 2].part);
	}
}

TEST(results_are_relative_to_the_working_directory_or_absolute)
{
	ERRAND(e);
	defer(str_clear) struct str expected = STR_INIT;

	put_tree(&e);
	str_adds(&e.ctx.cwd, "/src");
	check_grep(&e, "{\"pattern\":\"alpha\",\"glob\":\"*.c\"}", "Found 1 file\nb.c");
	str_addf(&expected, "Found 1 file\n%s/-e", str_c(&e.dir));
	check_grep(&e, "{\"pattern\":\"-alpha\",\"path\":\"..\"}", str_c(&expected));
}

TEST(unreadable_files_do_not_spoil_a_search)
{
	ERRAND(e);
	PATH_IN(locked, e.dir, "locked.c");

	put_tree(&e);
	write_file(locked, "alpha\n", 0000);
	check_grep(&e, "{\"pattern\":\"gamma\"}", "Found 1 file\na.c");
}

/* 30 files of 10 lines. */
static void put_many(const struct errand *e)
{
	for (int i = 0; i < 30; i++) {
		defer(str_clear) struct str name = STR_INIT;

		str_addf(&name, "d%d/f%02d", i % 3, i);
		put_old_file(e, str_c(&name), "m1\nm2\nm3\nm4\nm5\nm6\nm7\nm8\nm9\nm10\n", i);
	}
}

/* Reads a search page by page, and returns how many pages. */
static int read_pages(struct errand *e, const char *mode, size_t size, bool with_rg,
		      struct str *all)
{
	int64_t offset = 0;
	int pages = 0;
	bool more = true;

	for (; more; pages++) {
		defer(str_clear) struct str input = STR_INIT;
		struct sv rest, line;

		str_addf(&input,
			 "{\"pattern\":\"m\",\"output_mode\":\"%s\",\"head_limit\":%zu,\"offset\":%"
			 "d}",
			 mode, size, (int)offset);
		search(e, str_c(&input), with_rg);
		rest = errand_text(e);
		while (sv_cut_line(&rest, &line))
			if (sv_starts(line, SV("d")))
				str_addf(all, "%.*s\n", SV_ARG(line));
		CHECK_INT(json_int_or(errand_data(e, "appliedOffset"), 0), offset);
		more = json_exists(errand_data(e, "appliedLimit"));
		CHECK_INT(more, sv_find(errand_text(e), SV("[There are more: ")) != SIZE_MAX);
		offset += (int64_t)size;
	}
	return pages;
}

TEST(pages_of_any_size_make_up_the_whole)
{
	static const char *const modes[] = { "content", "files_with_matches", "count" };
	static const size_t totals[] = { 300, 30, 30 };
	ERRAND(e);

	put_many(&e);
	for (size_t m = 0; m < countof(modes); m++) {
		defer(str_clear) struct str whole = STR_INIT;

		CHECK_INT(read_pages(&e, modes[m], 0, true, &whole), 1);
		for (size_t size = 7; size < 2 * totals[m]; size = size * 3 + 2) {
			defer(str_clear) struct str all = STR_INIT;

			CHECK_INT(read_pages(&e, modes[m], size, size % 2, &all),
				  (int)((totals[m] + size - 1) / size));
			CHECK_SV_EQ(sv_of(&all), sv_of(&whole));
		}
	}
}

TEST(without_a_limit_of_its_own_a_page_has_250_lines)
{
	ERRAND(e);

	put_many(&e);
	for (int with_rg = 0; with_rg < 2; with_rg++) {
		search(&e, "{\"pattern\":\"m\",\"output_mode\":\"content\"}", with_rg);
		CHECK_INT(json_int_or(errand_data(&e, "numLines"), 0), 250);
		CHECK_INT(json_int_or(errand_data(&e, "appliedLimit"), 0), 250);
		CHECK_HAS(&e, "[There are more: continue with offset 250.]");
	}
}

TEST(the_data_of_each_mode_has_what_the_protocol_names)
{
	static const struct {
		const char *input, *data;
	} cases[] = {
		{ "{\"pattern\":\"beta\"}", "{\"mode\":\"files_with_matches\",\"numFiles\":2,"
					    "\"filenames\":[\"src/b.c\",\"a.c\"]}" },
		{ "{\"pattern\":\"gamma\",\"output_mode\":\"content\"}",
		  "{\"mode\":\"content\",\"numFiles\":0,\"filenames\":[],"
		  "\"content\":\"a.c:3:int gamma;\",\"numLines\":1}" },
		{ "{\"pattern\":\"int\",\"output_mode\":\"count\"}",
		  "{\"mode\":\"count\",\"numFiles\":1,\"filenames\":[],"
		  "\"content\":\"a.c:3\",\"numMatches\":3}" },
	};
	ERRAND(e);

	put_tree(&e);
	for (size_t i = 0; i < 2 * countof(cases); i++) {
		search(&e, cases[i / 2].input, i % 2);
		CHECK_STR(str_c(&e.call.result.data), cases[i / 2].data);
	}
}

TEST(long_lines_and_bad_bytes_do_no_harm)
{
	ERRAND(e);
	defer(str_clear) struct str line = STR_INIT;

	while (line.len < 100000)
		str_adds(&line, "needle ");
	put_file(&e, "long", str_c(&line));
	put_file(&e, "bad", "needle \xff\xfe\n");
	check_grep(&e, "{\"pattern\":\"needle\",\"output_mode\":\"content\"}",
		   "bad:1:needle \xef\xbf\xbd\xef\xbf\xbd\nlong:1:[Omitted long matching line]");
}

TEST(names_that_would_break_a_line_are_shown_on_one)
{
	ERRAND(e);

	put_old_file(&e, "a\nb", "needle\n", 1);
	put_old_file(&e, "c\xff\x1b", "needle\n", 2);
	check_grep(&e, "{\"pattern\":\"needle\"}", "Found 2 files\na\\x0ab\nc\xef\xbf\xbd\\x1b");
}

TEST(a_flood_of_results_stops_at_the_cap)
{
	ERRAND(e);
	defer(str_clear) struct str lines = STR_INIT;

	while (lines.len < 4 * MIB)
		str_adds(&lines, "a line of some length that matches, again and again and again\n");
	put_file(&e, "flood", str_c(&lines));
	put_file(&e, "more/flood", str_c(&lines));
	for (int with_rg = 0; with_rg < 2; with_rg++) {
		search(&e, "{\"pattern\":\"line\",\"output_mode\":\"content\",\"head_limit\":0}",
		       with_rg);
		CHECK(errand_text(&e).len > LIMIT_GREP_TEXT / 2);
		CHECK(errand_text(&e).len < LIMIT_GREP_TEXT + 200);
		CHECK(sv_starts(errand_text(&e), SV("flood:1:a line")));
		CHECK_HAS(&e, "[Stopped after 1024 KiB of results: ");
	}
}

/* More than is sorted by us: ripgrep is asked for it in order. */
TEST(pages_of_a_flood_follow_each_other)
{
	ERRAND(e);
	defer(str_clear) struct str lines = STR_INIT;

	while (lines.len < LIMIT_GREP_UNSORTED)
		str_adds(&lines, "a line of some length that matches, again and again and again\n");
	put_file(&e, "b", str_c(&lines));
	put_file(&e, "a", "a line\n");
	put_file(&e, "c/d", str_c(&lines));
	check_grep(&e, "{\"pattern\":\"line\",\"output_mode\":\"content\",\"head_limit\":1}",
		   "a:1:a line\n[There are more: continue with offset 1.]");
	check_grep(&e,
		   "{\"pattern\":\"line\",\"output_mode\":\"content\",\"head_limit\":1,"
		   "\"offset\":1,\"-n\":false}",
		   "b:a line of some length that matches, again and again and again\n[There are "
		   "more: continue with offset 2.]");
}

TEST(a_configuration_file_of_ripgrep_is_not_read)
{
	ERRAND(e);
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str config = STR_INIT;
	const char *env[3] = { NULL };

	put_tree(&e);
	put_file(&e, "rgrc", "--invert-match\n");
	str_addf(&path, "PATH=%s", getenv("PATH"));
	str_addf(&config, "RIPGREP_CONFIG_PATH=%s/rgrc", str_c(&e.dir));
	env[0] = str_c(&path);
	env[1] = str_c(&config);
	e.session.env = env;
	check_grep(&e, "{\"pattern\":\"gamma\"}", "Found 1 file\na.c");
}

static void put_program(const struct errand *e, const char *name)
{
	PATH_IN(path, e->dir, name);

	put_file(e, name, "#!/bin/sh\ntouch ran\n");
	CHECK_INT(chmod(path, 0755), 0);
}

/* It would be run without any question. */
TEST(a_program_of_the_project_is_not_taken_for_ripgrep)
{
	ERRAND(e);
	PATH_IN(bin, e.dir, "bin");
	PATH_IN(ran, e.dir, "ran");
	defer(str_clear) struct str outside = STR_INIT, below = STR_INIT, by_link = STR_INIT;
	struct err err;

	put_tree(&e);
	put_program(&e, "rg");
	put_program(&e, "bin/rg");
	CHECK_OK(fs_temp_dir(&outside, &err), err);
	str_addf(&below, "PATH=%s", bin);
	str_addf(&by_link, "PATH=%s/link", str_c(&outside));
	CHECK_INT(symlink(bin, str_c(&by_link) + strlen("PATH=")), 0);
	for (size_t i = 0; i < 4; i++) {
		const char *paths[] = { "PATH=bin:.", "PATH=:", str_c(&below), str_c(&by_link) };
		const char *const env[] = { paths[i], NULL };

		e.session.env = env;
		errand_run(&e, &tool_grep, "{\"pattern\":\"gamma\"}");
		CHECK(sv_starts(errand_text(&e), SV("Found 1 file\na.c")));
		CHECK(!fs_exists(ran));
	}
	CHECK_OK(fs_remove_tree(str_c(&outside), &err), err);
}

TEST(pages_go_on_however_many_there_were)
{
	defer(str_clear) struct str text = STR_INIT;
	ERRAND(e);

	for (int i = 0; i < 1000003; i++)
		str_adds(&text, "m\n");
	put_old_file(&e, "a", str_c(&text), 0);
	check_grep(&e,
		   "{\"pattern\":\"m\",\"output_mode\":\"content\",\"path\":\"a\","
		   "\"offset\":1000001,\"head_limit\":1}",
		   "1000002:m\n[There are more: continue with offset 1000002.]");
	check_grep(&e,
		   "{\"pattern\":\"m\",\"output_mode\":\"content\",\"path\":\"a\","
		   "\"offset\":1000002}",
		   "1000003:m");
}

TEST(a_newline_in_a_name_makes_no_other_name)
{
	ERRAND(e);

	put_old_file(&e, "b.c", "alpha\n", 10);
	put_old_file(&e, "a\nb.c", "alpha\nalpha\n", 20);
	put_old_file(&e, "c.c", "alpha\n", 30);
	check_grep(&e, "{\"pattern\":\"alpha\"}", "Found 3 files\nb.c\na\\x0ab.c\nc.c");
	check_grep(&e, "{\"pattern\":\"alpha\",\"output_mode\":\"count\"}",
		   "a\\x0ab.c:2\nb.c:1\nc.c:1\n\n4 matches in 3 files");
	check_grep(&e, "{\"pattern\":\"alpha\",\"output_mode\":\"content\"}",
		   "a\\x0ab.c:1:alpha\na\\x0ab.c:2:alpha\nb.c:1:alpha\nc.c:1:alpha");
}

/* An rg of the test's own. */
static void put_rg(const struct errand *e, const char *script)
{
	PATH_IN(path, e->dir, "bin/rg");

	put_old_file(e, "bin/rg", script, 0);
	CHECK_INT(chmod(path, 0700), 0);
}

TEST(a_search_that_could_not_look_everywhere_says_so)
{
	static const struct {
		const char *script, *expected;
		bool is_error;
	} cases[] = {
		{ "#!/bin/sh\nexit 2\n",
		  "No files found\n[Some files or directories could not be read.]", false },
		{ "#!/bin/sh\nprintf 'a.c\\0'\nexit 2\n",
		  "Found 1 file\na.c\n[Some files or directories could not be read.]", false },
		{ "#!/bin/sh\nexit 1\n", "No files found", false },
		{ "#!/bin/sh\nprintf 'a.c\\0'\nkill -9 $$\n",
		  "ripgrep was killed by signal 9: narrow the search.", true },
	};
	ERRAND(e);
	defer(str_clear) struct str path = STR_INIT;
	const char *env[] = { NULL, NULL };

	str_addf(&path, "PATH=%s/bin", str_c(&e.dir));
	env[0] = str_c(&path);
	e.session.env = env;
	e.session.root = NULL; /* the program is none of the project's */
	for (size_t i = 0; i < countof(cases); i++) {
		put_rg(&e, cases[i].script);
		errand_run(&e, &tool_grep, "{\"pattern\":\"alpha\"}");
		CHECK_STR(str_c(&e.call.result.text), cases[i].expected);
		CHECK_INT(e.call.result.is_error, cases[i].is_error);
	}
}

TEST(the_settings_of_a_sandbox_name_another_ripgrep)
{
	ERRAND(e);
	PATH_IN(rg, e.dir, "bin/rg");
	const char *words[] = { rg, "first" };
	struct sandbox sandbox = { .config.ripgrep = { .at = words, .n = countof(words) } };

	e.session.sandbox = &sandbox;
	put_rg(&e, "#!/bin/sh\n[ \"$1\" = first ] && printf 'found\\0'\n");
	errand_run(&e, &tool_grep, "{\"pattern\":\"alpha\"}");
	CHECK_STR(str_c(&e.call.result.text), "Found 1 file\nfound");
}

TEST(a_search_can_be_cancelled_whatever_it_is_doing)
{
	static const char *const inputs[] = { "{\"pattern\":\"alpha\"}",
					      "{\"pattern\":\"alpha\",\"path\":\"missing\"}" };
	ERRAND(e);

	put_tree(&e);
	for (size_t i = 0; i < countof(inputs); i++) {
		e.session.env = without_rg;
		errand_begin(&e, &tool_grep, inputs[i]);
		op_cancel(e.op);
		op_cancel(e.op);
		errand_end(&e);
		CHECK_INT(e.why.kind, i == 0 ? ERR_CANCELLED : ERR_NONE);
	}
}

TEST(a_pattern_must_not_be_empty_and_nothing_has_a_nul)
{
	ERRAND(e);
	struct err err = errand_check(&e, &tool_grep, "{\"pattern\":\"\"}");

	CHECK_ERR(err, ERR_INVALID, "empty");
	err = errand_check(&e, &tool_grep, "{\"pattern\":\"a\",\"type\":\"c\\u0000d\"}");
	CHECK_ERR(err, ERR_INVALID, "`type`");
	err = errand_check(&e, &tool_grep, "{\"pattern\":\"a\\u0000b\"}");
	CHECK_ERR(err, ERR_INVALID, "`pattern`");
}

TEST(a_search_requests_to_read_its_path)
{
	ERRAND(e);
	struct arena arena = ARENA_INIT;
	struct perm_request perm_request = { .access = ACCESS_NONE };

	errand_check(&e, &tool_grep, "{\"pattern\":\"a\",\"path\":\"/etc/../usr\"}");
	tool_grep.perm_request(&e.call, &arena, &perm_request);
	CHECK_INT(perm_request.access, ACCESS_READ);
	CHECK_SV(perm_request.path, "/usr");
	errand_check(&e, &tool_grep, "{\"pattern\":\"a\"}");
	tool_grep.perm_request(&e.call, &arena, &perm_request);
	CHECK_SV_EQ(perm_request.path, sv_of(&e.dir));
	arena_clear(&arena);
}

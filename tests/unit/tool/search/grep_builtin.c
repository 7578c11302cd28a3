#include "tool/search/grep_builtin.h"

#include "base/limits.h"
#include "tool/errand.h"

/* What either way finds, without the note at the end. */
static void run_search(struct errand *e, const char *input, bool with_rg, struct str *out)
{
	static const char *const without_rg[] = { "PATH=/nonexistent", NULL };

	e->session.env = with_rg ? (const char *const *)environ : without_rg;
	errand_run(e, &tool_grep, input);
	CHECK_INT(e->why.kind, ERR_NONE);
	if (e->call.result.is_error)
		fail_msg("%s: %s", input, str_c(&e->call.result.text));
	str_add(out, sv_slice(errand_text(e), 0, sv_find(errand_text(e), SV("\n[ripgrep (rg)"))));
}

static void check_same(struct errand *e, const char *input)
{
	defer(str_clear) struct str ours = STR_INIT;
	defer(str_clear) struct str theirs = STR_INIT;

	run_search(e, input, false, &ours);
	run_search(e, input, true, &theirs);
	if (!sv_eq(sv_of(&ours), sv_of(&theirs)))
		print_error("%s\n", input);
	CHECK_STR(str_c(&ours), str_c(&theirs));
}

static void put_bytes(const struct errand *e, const char *name, struct sv bytes)
{
	PATH_IN(path, e->dir, name);
	struct err err;

	CHECK_OK(fs_write(path, bytes, (struct fs_write){ .mode = 0 }, &err), err);
}

static void put_wide(const struct errand *e, const char *name, size_t width, bool newline)
{
	defer(str_clear) struct str text = STR_INIT;

	str_adds(&text, "hit ");
	while (text.len < width)
		str_addc(&text, 'x');
	str_adds(&text, newline ? "\nhit\n" : "");
	put_file(e, name, str_c(&text));
}

/* Every kind of line, name and rule that the two might see differently. */
static void put_zoo(const struct errand *e)
{
	put_old_file(e, "abc.c", "a\nb\nhit one\nc\nd\ne\nhit two hit\nf\n\nhit\n", 1);
	put_old_file(e, "dir/a.py", "hit\n", 2);
	put_old_file(e, "dir-x/a.ts", "no\nhit", 3);
	put_old_file(e, "dir.md", "\n\nhit\n\n\n", 4);
	put_old_file(e, "crlf.txt", "one\r\nhit\r\nthree\r\n", 5);
	put_old_file(e, "bom.txt", "\xef\xbb\xbfhit\n", 6);
	put_old_file(e, "empty", "", 7);
	put_old_file(e, "umlaut.txt", "\xc3\x84rger HIT\n\xc3\xa4rger\nna\xc3\xafve\n", 8);
	put_old_file(e, "latin1.txt", "\xe4rger hit\nh\xfft\n", 9);
	put_old_file(e, "colon:1:x.txt", "hit\n", 10);
	put_old_file(e, ".hidden/h.c", "hit\n", 11);
	put_old_file(e, "src/.gitignore", "*.gen\n!keep.gen\n/only-here\n", 12);
	put_old_file(e, "src/x.gen", "hit\n", 13);
	put_old_file(e, "src/keep.gen", "hit\n", 14);
	put_old_file(e, "src/only-here", "hit\n", 15);
	put_old_file(e, "src/sub/only-here", "hit\n", 16);
	put_old_file(e, "src/sub/y.gen", "hit\n", 17);
	put_old_file(e, ".gitignore", "build/\n/top.log\nseen.log\n", 18);
	put_old_file(e, ".ignore", "!seen.log\nunseen.txt\n", 19);
	put_old_file(e, "build/b.c", "hit\n", 20);
	put_old_file(e, "top.log", "hit\n", 21);
	put_old_file(e, "src/top.log", "hit\n", 22);
	put_old_file(e, "src/seen.log", "hit\n", 23);
	put_old_file(e, "src/unseen.txt", "hit\n", 24);
	put_old_file(e, ".git/config", "hit\n", 25);
	put_old_file(e, "multi.txt", "a1\nb1\na2\nb2\nc\na3 x a4\nb\na\n\n\nb\n", 26);
	put_wide(e, "wide499", 499, true);
	put_wide(e, "wide500", 500, true);
	put_wide(e, "wide500-last", 500, false);
	put_wide(e, "wide501", 501, true);
	put_bytes(e, "binary", SV("hit\0hit\nhit\n"));
	put_bytes(e, "binary-other", SV("no\0no\n"));
}

TEST(the_built_in_search_finds_what_ripgrep_finds)
{
	static const char *const queries[] = {
		"'pattern':'hit'",
		"'pattern':'HIT','-i':true",
		"'pattern':'hit','glob':'*.c'",
		"'pattern':'hit','glob':'!*.c'",
		"'pattern':'hit','glob':'*.c,!abc.c'",
		"'pattern':'hit','glob':'src/*'",
		"'pattern':'hit','glob':'/src/**'",
		"'pattern':'hit','glob':'!src'",
		"'pattern':'hit','glob':'*.{py,ts}'",
		"'pattern':'hit','glob':'build/*'",
		"'pattern':'hit','type':'c'",
		"'pattern':'hit','type':'py'",
		"'pattern':'hit','type':'ts','glob':'*.py'",
		"'pattern':'hit','path':'src'",
		"'pattern':'hit','path':'src','glob':'src/sub/*'",
		"'pattern':'hit','path':'build'",
		"'pattern':'hit','path':'top.log'",
		"'pattern':'hit','path':'.hidden'",
		"'pattern':'hit','path':'binary'",
		"'pattern':'none','path':'binary'",
		"'pattern':'hit','path':'empty'",
		"'pattern':'hit','-C':1",
		"'pattern':'hit','-A':2",
		"'pattern':'hit','-B':2",
		"'pattern':'hit','-B':1,'-A':3",
		"'pattern':'hit','-C':100",
		"'pattern':'hit','-n':false",
		"'pattern':'hit','-n':false,'-C':1",
		"'pattern':'hit','-o':true",
		"'pattern':'hit','-o':true,'-C':1",
		"'pattern':'hit','path':'abc.c','-C':1",
		"'pattern':'hit','path':'abc.c','-n':false,'-C':1",
		"'pattern':'hit','path':'abc.c','-o':true",
		"'pattern':'hit x*','-o':true",
		"'pattern':'^hit$'",
		"'pattern':'^$'",
		"'pattern':'$'",
		"'pattern':'x*','-o':true,'path':'multi.txt'",
		"'pattern':'\\\\s'",
		"'pattern':'\\\\s+hit'",
		"'pattern':'hit\\\\s+'",
		"'pattern':'[^a]'",
		"'pattern':'\\\\w+','-o':true",
		"'pattern':'\\\\bhit\\\\b'",
		"'pattern':'\xc3\xa4rger','-i':true",
		"'pattern':'.rger','glob':'umlaut.txt'",
		"'pattern':'h.t','glob':'!latin1.txt'",
		"'pattern':'hit|one'",
		"'pattern':'\\\\p{Lu}'",
		"'pattern':'a\\\\d\\\\nb','multiline':true",
		"'pattern':'a\\\\d\\\\nb','multiline':true,'-o':true",
		"'pattern':'a\\\\d\\\\nb','multiline':true,'-C':1",
		"'pattern':'b\\\\d?\\\\na','multiline':true",
		"'pattern':'a.*?b','multiline':true",
		"'pattern':'a.*?b','multiline':true,'-o':true",
		"'pattern':'a\\\\n','multiline':true",
		"'pattern':'hit.*hit','multiline':true,'path':'abc.c'",
		"'pattern':'\\\\n\\\\n','multiline':true",
		"'pattern':'\\\\n\\\\n','multiline':true,'-o':true",
		"'pattern':'hit','multiline':true",
	};
	static const char *const modes[] = { "files_with_matches", "content", "count" };
	ERRAND(e);

	put_zoo(&e);
	for (size_t i = 0; i < countof(queries) * countof(modes); i++) {
		defer(str_clear) struct str input = STR_INIT;

		str_addf(&input, "{%s,'output_mode':'%s','head_limit':0}",
			 queries[i / countof(modes)], modes[i % countof(modes)]);
		for (size_t k = 0; k < input.len; k++)
			if (input.ptr[k] == '\'')
				input.ptr[k] = '"';
		check_same(&e, str_c(&input));
	}
}

TEST(the_built_in_search_starts_anywhere_as_ripgrep_does)
{
	ERRAND(e);

	put_zoo(&e);
	str_adds(&e.ctx.cwd, "/src");
	check_same(&e, "{\"pattern\":\"hit\"}");
	check_same(&e, "{\"pattern\":\"hit\",\"path\":\"sub\"}");
	check_same(&e, "{\"pattern\":\"hit\",\"path\":\"..\",\"glob\":\"*.c\"}");
	check_same(&e, "{\"pattern\":\"hit\",\"glob\":\"sub/*\"}");
	check_same(&e, "{\"pattern\":\"hit\",\"path\":\"../build/b.c\"}");
}

TEST(links_are_not_followed_and_what_is_no_file_not_opened)
{
	ERRAND(e);
	PATH_IN(loop, e.dir, "loop");
	PATH_IN(link, e.dir, "link.c");
	PATH_IN(pipe, e.dir, "pipe");
	struct err err;

	put_file(&e, "real.c", "hit\n");
	CHECK_OK(fs_symlink(".", loop, &err) && fs_symlink("real.c", link, &err), err);
	CHECK_INT(mkfifo(pipe, 0600), 0);
	check_same(&e, "{\"pattern\":\"hit\"}");
	CHECK_SV(errand_text(&e), "Found 1 file\nreal.c");
}

TEST(a_pattern_that_would_take_for_ever_is_given_up_file_by_file)
{
	ERRAND(e);
	defer(str_clear) struct str line = STR_INIT;
	defer(str_clear) struct str found = STR_INIT;

	while (line.len < 60)
		str_addc(&line, 'a');
	str_adds(&line, "b\n");
	put_file(&e, "hard", str_c(&line));
	put_file(&e, "easy", "aa\n");
	run_search(&e, "{\"pattern\":\"(a+)+$\",\"output_mode\":\"content\"}", false, &found);
	CHECK(sv_starts(sv_of(&found), SV("easy:1:aa\n")));
	CHECK_HAS(&e, "[The pattern is too costly for 1 file: ");
}

TEST(a_file_that_is_too_big_is_named_by_number)
{
	ERRAND(e);
	PATH_IN(big, e.dir, "big");
	PATH_IN(sparse, e.dir, "sparse");
	defer(str_clear) struct str head = STR_INIT;
	defer(str_clear) struct str found = STR_INIT;

	while (head.len < 64 * KIB)
		str_adds(&head, "text\n");
	put_file(&e, "big", str_c(&head));
	put_file(&e, "sparse", "");
	CHECK_INT(truncate(big, (off_t)LIMIT_GREP_FILE + 1), 0);
	CHECK_INT(truncate(sparse, (off_t)1 << 31), 0);
	run_search(&e, "{\"pattern\":\"text\"}", false, &found);
	CHECK_SV(sv_of(&found), "No files found\n[Skipped 1 file over 64 MiB.]");
}

TEST(a_built_in_search_can_be_cancelled)
{
	ERRAND(e);

	put_zoo(&e);
	e.input = json_parse(SV("{\"pattern\":\"hit\"}"), 0, &e.why);
	e.call = (struct tool_call){ .tool = &tool_grep,
				     .ctx = &e.ctx,
				     .input = json_root(e.input) };
	e.op = grep_builtin_start(&e.call, THEN(errand_on_done, &e));
	op_cancel(e.op);
	errand_end(&e);
	CHECK_INT(e.why.kind, ERR_CANCELLED);
}

/* What a long line costs does not depend on how often it is looked at. */
TEST(a_long_line_full_of_matches_is_searched_to_its_end)
{
	static const char *const inputs[] = {
		"{\"pattern\":\"a\",\"output_mode\":\"count\",\"multiline\":true}",
		"{\"pattern\":\"a\",\"output_mode\":\"content\",\"multiline\":true}",
		"{\"pattern\":\"a\",\"output_mode\":\"content\",\"-o\":true,\"head_limit\":1,"
		"\"offset\":900000}",
		"{\"pattern\":\"a\",\"output_mode\":\"content\",\"-o\":true,\"head_limit\":1,"
		"\"offset\":900000,\"multiline\":true}",
	};
	ERRAND(e);
	defer(str_clear) struct str line = STR_INIT;

	while (line.len < 1000000)
		str_addc(&line, 'a');
	str_adds(&line, "b\n");
	put_file(&e, "long", str_c(&line));
	for (size_t i = 0; i < countof(inputs); i++)
		check_same(&e, inputs[i]);
}

#include "base/limits.h"
#include "tool/file_job.h"
#include "tool/tool_rig.h"

static void file_clear_of(struct file_job *f)
{
	file_clear(&f->job);
}

static void write_name(struct tool_rig *r, const char *name, const char *content)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input, "{'file_path':'%s','content':'%s'}", name, content);
	tool_rig_call(r, &tool_write, str_c(&input));
}

static void read_name(struct tool_rig *r, const char *name)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input, "{'file_path':'%s'}", name);
	tool_rig_call(r, &tool_read, str_c(&input));
	CHECK(!r->call.result.is_error);
}

TEST(write_makes_a_file_and_the_directories_it_needs)
{
	TOOL_RIG(r);
	PATH_IN(path, r.dir, "a/b/c.txt");
	defer(str_clear) struct str expected = STR_INIT;

	write_name(&r, "a/b/c.txt", "one\\r\\ntwo\\n\\u00e9");
	str_addf(&expected, "File created successfully at: %s", path);
	CHECK(!r.call.result.is_error);
	CHECK_STR(str_c(&r.call.result.text), str_c(&expected));
	tool_rig_check(&r, "a/b/c.txt", SV("one\r\ntwo\n\xc3\xa9"));
	tool_rig_data(&r, "type", "\"create\"");
	tool_rig_data(&r, "content", "\"one\\r\\ntwo\\n\\u00e9\"");
	tool_rig_data(&r, "structuredPatch", "[]");
	tool_rig_data(&r, "originalFile", "null");
	/* It is known now. */
	write_name(&r, "a/b/c.txt", "");
	CHECK(!r.call.result.is_error);
	tool_rig_check(&r, "a/b/c.txt", SV(""));
}

TEST(write_replaces_only_what_has_been_read_and_is_still_that)
{
	TOOL_RIG(r);
	PATH_IN(path, r.dir, "f");
	struct timespec times[2];
	struct stat st;

	tool_rig_put(&r, "f", SV("old\n"));
	write_name(&r, "f", "new");
	tool_rig_check_text(&r, true, "File has not been read yet");
	tool_rig_check(&r, "f", SV("old\n"));
	read_name(&r, "f");
	/* The same size at the same time, yet another text. */
	CHECK_INT(stat(path, &st), 0);
	tool_rig_put(&r, "f", SV("OLD\n"));
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	CHECK_INT(utimensat(AT_FDCWD, path, times, 0), 0);
	write_name(&r, "f", "new");
	tool_rig_check_text(&r, true, "File has been modified since it was read");
	tool_rig_check(&r, "f", SV("OLD\n"));
	read_name(&r, "f");
	/* Touched, but the same text. */
	times[1].tv_sec += 100;
	CHECK_INT(utimensat(AT_FDCWD, path, times, 0), 0);
	write_name(&r, "f", "new");
	tool_rig_check_text(&r, false, "has been updated successfully.");
	tool_rig_check(&r, "f", SV("new"));
	tool_rig_data(&r, "type", "\"update\"");
	tool_rig_data(&r, "originalFile", "\"OLD\\n\"");
	tool_rig_data(&r, "structuredPatch[0].lines",
		      "[\"-OLD\",\"+new\",\"\\\\ No newline at end of file\"]");
	write_name(&r, "f", "newer");
	tool_rig_check(&r, "f", SV("newer"));
	tool_rig_call(&r, &tool_read, "{'file_path':'f','limit':1}");
	write_name(&r, "f", "newest");
	tool_rig_check(&r, "f", SV("newest"));
}

TEST(write_replaces_a_file_only_once_all_of_it_was_read)
{
	TOOL_RIG(r);

	tool_rig_put(&r, "f", SV("a\nb\nc\n"));
	tool_rig_call(&r, &tool_read, "{'file_path':'f','offset':2,'limit':1}");
	write_name(&r, "f", "x");
	tool_rig_check_text(&r, true, "File has been read only partially: ");
	tool_rig_check_text(&r, true, "/f (lines 2-2). Read the rest");
	tool_rig_check(&r, "f", SV("a\nb\nc\n"));
	tool_rig_call(&r, &tool_read, "{'file_path':'f','limit':1}");
	write_name(&r, "f", "x");
	tool_rig_check_text(&r, true, "(lines 1-2)");
	tool_rig_call(&r, &tool_read, "{'file_path':'f','offset':3}");
	write_name(&r, "f", "x");
	tool_rig_check(&r, "f", SV("x"));
	/* What was known stays known when a part of it is read again. */
	write_name(&r, "f", "1\\n2\\n3\\n");
	tool_rig_call(&r, &tool_read, "{'file_path':'f','limit':1}");
	write_name(&r, "f", "y");
	tool_rig_check(&r, "f", SV("y"));
	/* Of a file that changed, no longer. */
	tool_rig_put(&r, "f", SV("1\n2\n4\n"));
	tool_rig_call(&r, &tool_read, "{'file_path':'f','limit':1}");
	write_name(&r, "f", "z");
	tool_rig_check_text(&r, true, "only partially");
}

TEST(write_does_not_replace_lines_too_long_to_be_shown)
{
	TOOL_RIG(r);
	defer(str_clear) struct str text = STR_INIT;

	for (int i = 0; i < LIMIT_READ_LINE; i++)
		str_addc(&text, 'x');
	tool_rig_put(&r, "fits", sv_of(&text));
	read_name(&r, "fits");
	write_name(&r, "fits", "new");
	tool_rig_check(&r, "fits", SV("new"));
	str_addc(&text, 'x');
	tool_rig_put(&r, "long", sv_of(&text));
	read_name(&r, "long");
	write_name(&r, "long", "new");
	tool_rig_check_text(&r, true, "too long for Read to show");
	tool_rig_check(&r, "long", sv_of(&text));
}

TEST(write_keeps_the_mode_and_writes_through_links)
{
	TOOL_RIG(r);
	PATH_IN(path, r.dir, "script");
	PATH_IN(link, r.dir, "link");
	PATH_IN(dangling, r.dir, "dangling");
	struct fs_info info;
	struct err err;

	tool_rig_put(&r, "script", SV("old"));
	CHECK_INT(chmod(path, 0751), 0);
	CHECK_OK(fs_symlink("script", link, &err), err);
	CHECK_OK(fs_symlink("deep/er/new", dangling, &err), err);
	read_name(&r, "script");
	write_name(&r, "link", "new");
	CHECK(!r.call.result.is_error);
	tool_rig_check(&r, "script", SV("new"));
	CHECK_OK(fs_info(&info, link, false, &err), err);
	CHECK_INT(info.kind, FS_LINK);
	CHECK_OK(fs_info(&info, path, false, &err), err);
	CHECK_INT(info.mode, 0751);
	write_name(&r, "dangling", "made");
	tool_rig_check(&r, "deep/er/new", SV("made"));
	CHECK_OK(fs_info(&info, dangling, false, &err), err);
	CHECK_INT(info.kind, FS_LINK);
}

TEST(write_refuses_what_is_no_file_and_what_it_may_not_write)
{
	TOOL_RIG(r);
	PATH_IN(dir, r.dir, "locked");
	PATH_IN(fifo, r.dir, "fifo");
	struct err err;

	write_name(&r, ".", "x");
	tool_rig_check_text(&r, true, "is a directory");
	CHECK_INT(mkfifo(fifo, 0600), 0);
	write_name(&r, "fifo", "x");
	tool_rig_check_text(&r, true, "is a device, pipe or socket");
	tool_rig_put(&r, "file", SV("x"));
	write_name(&r, "file/below", "x");
	tool_rig_check_text(&r, true, "Not a directory");
	write_name(&r, "/proc/none", "x");
	tool_rig_check_text(&r, true, "/proc/none");
	if (getuid() == 0)
		return;
	CHECK_OK(fs_mkdirs(dir, 0555, &err), err);
	write_name(&r, "locked/file", "x");
	tool_rig_check_text(&r, true, "denied");
	CHECK_INT(entries_in(dir), 0);
}

TEST(write_does_not_replace_bytes_that_were_never_shown)
{
	static const struct {
		struct sv before;
		const char *content, *refused;
	} cases[] = {
		{ SV_INIT("Gr\xfc\xdf"
			  "e\n"),
		  "Gr\\ufffd\\ufffde\\nmore\\n", "U+FFFD" },
		{ SV_INIT("\xef\xbf\xbd \xfc\n"), "\\ufffd \\ufffd\\nmore\\n", "U+FFFD" },
		{ SV_INIT("\xff\xfe"
			  "a\0\n\0"),
		  "a\\nb\\n", "UTF-16" },
		{ SV_INIT("\xfe\xff\0a\0\n"), "a\\nb\\n", "UTF-16" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		TOOL_RIG(r);
		tool_rig_put(&r, "f", cases[i].before);
		read_name(&r, "f");
		write_name(&r, "f", cases[i].content);
		tool_rig_check_text(&r, true, cases[i].refused);
		tool_rig_check(&r, "f", cases[i].before);
	}
}

/* Read looks for them only at the beginning, where binary files have them. */
TEST(write_does_not_replace_a_nul_byte_that_read_has_shown_as_another_character)
{
	TOOL_RIG(r);
	defer(str_clear) struct str before = STR_INIT;

	while (before.len < 10 * KIB)
		str_adds(&before, "line\n");
	str_add(&before, SV("a\0b\n"));
	tool_rig_put(&r, "f", sv_of(&before));
	tool_rig_call(&r, &tool_read, "{'file_path':'f','limit':10000}");
	CHECK(!r.call.result.is_error);
	write_name(&r, "f", "line\\na\\ufffdb\\n");
	tool_rig_check_text(&r, true, "U+FFFD");
	tool_rig_check(&r, "f", sv_of(&before));
}

TEST(write_tells_what_a_reader_cannot_see_has_changed)
{
	static const struct {
		struct sv before;
		const char *content, *expected;
	} cases[] = {
		{ SV_INIT("\xef\xbb\xbf"
			  "a\n"),
		  "b\\n", " Its byte order mark was removed." },
		{ SV_INIT("a\r\nb\r\n"), "b\\n", " Its line endings changed from CRLF to LF." },
		{ SV_INIT("\xfc\n"), "b\\n", " Its encoding changed to UTF-8." },
		{ SV_INIT("a\r\nb\r\n"), "b\\r\\n", "successfully." },
		{ SV_INIT("a\r\n"), "b", "successfully." },
		{ SV_INIT("a\n\xef\xbf\xbd\n"), "\\ufffd\\r\\n", "successfully." },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		TOOL_RIG(r);
		tool_rig_put(&r, "f", cases[i].before);
		read_name(&r, "f");
		write_name(&r, "f", cases[i].content);
		tool_rig_check_text(&r, false, cases[i].expected);
		CHECK(sv_ends(sv_of(&r.call.result.text), sv_cstr(cases[i].expected)));
	}
}

TEST(write_requests_the_real_path_and_runs_alone)
{
	TOOL_RIG(r);
	PATH_IN(link, r.dir, "link");
	PATH_IN(target, r.dir, "not/yet");
	struct arena arena = ARENA_INIT;
	struct perm_request perm_request = { .access = ACCESS_OTHER };
	struct err err;
	defer(json_doc_freep) struct json_doc *doc =
		json_parse(SV("{\"file_path\":\"link\",\"content\":\"\"}"), 0, &err);

	CHECK_OK(fs_symlink("not/yet", link, &err), err);
	r.call.ctx = &r.ctx;
	r.call.input = json_root(doc);
	tool_write.perm_request(&r.call, &arena, &perm_request);
	CHECK_INT(perm_request.access, ACCESS_WRITE);
	CHECK_STR(perm_request.path.ptr, target);
	CHECK(!tool_write.is_read_only && !tool_write.is_concurrent);
	arena_clear(&arena);
}

TEST(a_write_cancelled_before_it_began_changes_nothing)
{
	TOOL_RIG(r);
	struct outcome outcome = { .done = 0 };
	struct err err;
	defer(json_doc_freep) struct json_doc *doc =
		json_parse(SV("{\"file_path\":\"f\",\"content\":\"new\"}"), 0, &err);

	r.call = (struct tool_call){ .tool = &tool_write, .ctx = &r.ctx, .input = json_root(doc) };
	op_cancel(tool_write.start(&r.call, THEN(outcome_done, &outcome)));
	RUN_UNTIL(r.loop, outcome.done);
	CHECK_INT(outcome.why.kind, ERR_CANCELLED);
	/* A worker may have been quicker; then the file is known. */
	CHECK_INT(entries_in(str_c(&r.dir)), read_state_count(r.ctx.files));
}

TEST(a_write_cancelled_while_it_works_changes_nothing)
{
	TOOL_RIG(r);
	defer(file_clear_of) struct file_job f = { .job = { .call = &r.call } };
	const struct fs_info *info;

	r.call = (struct tool_call){ .tool = &tool_write, .ctx = &r.ctx };
	allowed_file_init(&f.file, &r.ctx, SV("f"), SV_EMPTY);
	CHECK(file_look(&f, &info));
	atomic_store(&f.job.stop, true);
	CHECK(!file_store(&f, SV("new")));
	CHECK_INT(entries_in(str_c(&r.dir)), 0);
}

/* Files that are meant ill, and the tools that meet them: each ends soon, with words,
 * and leaves what it cannot change as it was. */
#include <errno.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "base/limits.h"
#include "tool/tool_rig.h"

/* --- what cannot be a file ------------------------------------------------------------ */

static void make_fifo(const char *path)
{
	CHECK_INT(mkfifo(path, 0600), 0);
}

static void make_device(const char *path)
{
	if (mknod(path, S_IFCHR | 0600, makedev(1, 5)) < 0) /* as /dev/zero; only root may */
		CHECK_INT(symlink("/dev/zero", path), 0);
}

static void make_socket(const char *path)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(name.sun_path, sizeof(name.sun_path), "%s", path);
	CHECK_INT(bind(fd, (struct sockaddr *)&name, sizeof(name)), 0);
	close(fd);
}

static void make_loop(const char *path)
{
	const char *name = strrchr(path, '/') + 1;

	CHECK_INT(symlink(name, path), 0);
}

static void make_directory(const char *path)
{
	CHECK_INT(mkdir(path, 0700), 0);
}

static void make_link_to_fifo(const char *path)
{
	defer(str_clear) struct str fifo = STR_INIT;

	str_addf(&fifo, "%s.fifo", path);
	CHECK_INT(mkfifo(str_c(&fifo), 0600), 0);
	CHECK_INT(symlink(str_c(&fifo), path), 0);
}

static const struct {
	void (*make)(const char *path);
	const char *expected;
} things[] = {
	{ make_fifo, "is a device, pipe or socket" },
	{ make_device, "is a device, pipe or socket" },
	{ make_socket, "is a device, pipe or socket" },
	{ make_link_to_fifo, "is a device, pipe or socket" },
	{ make_loop, "symbolic links form a loop" },
	{ make_directory, "is a directory" },
};

/* Every tool on the file "f.ipynb", which is as good a name as any. */
static const struct {
	const struct tool *tool;
	const char *input;
} uses[] = {
	{ &tool_read, "{'file_path':'f.ipynb'}" },
	{ &tool_edit, "{'file_path':'f.ipynb','old_string':'a','new_string':'b'}" },
	{ &tool_multi_edit,
	  "{'file_path':'f.ipynb','edits':[{'old_string':'a','new_string':'b'}]}" },
	{ &tool_write, "{'file_path':'f.ipynb','content':'x'}" },
	{ &tool_notebook_edit, "{'notebook_path':'f.ipynb','cell_id':'cell-0','new_source':'x'}" },
	{ &tool_apply_patch,
	  "{'input':'*** Begin Patch\\n*** Update File: f.ipynb\\n@@\\n-a\\n+b\\n"
	  "*** End Patch'}" },
};

TEST(what_is_no_file_is_refused_by_every_tool_and_stays_what_it_is)
{
	for (size_t i = 0; i < countof(things); i++)
		for (size_t k = 0; k < countof(uses); k++) {
			bool is_patch = uses[k].tool == &tool_apply_patch;
			struct stat before, after;
			TOOL_RIG(r);
			PATH_IN(path, r.dir, "f.ipynb");

			things[i].make(path);
			CHECK_INT(lstat(path, &before), 0);
			tool_rig_call(&r, uses[k].tool, uses[k].input);
			tool_rig_check_text(&r, true,
					    is_patch && things[i].make != make_loop
						    ? "not a file"
						    : things[i].expected);
			CHECK_INT(lstat(path, &after), 0);
			CHECK(before.st_ino == after.st_ino && before.st_mode == after.st_mode);
		}
}

/* --- what has no end -------------------------------------------------------------------- */

TEST(two_gigabytes_of_nothing_are_refused_before_they_are_read)
{
	static const char *const expected[] = { "is a binary file",
						"bytes; the limit is 1073741824)",
						"bytes; the limit is 1073741824)",
						"bytes; the limit is 1073741824)",
						"bytes; the limit is 1073741824)",
						"the limit is" };

	for (size_t k = 0; k < countof(uses); k++) {
		TOOL_RIG(r);
		PATH_IN(path, r.dir, "f.ipynb");
		struct stat st;

		tool_rig_put(&r, "f.ipynb", SV("a"));
		tool_rig_call(&r, &tool_read, "{'file_path':'f.ipynb'}");
		CHECK_INT(truncate(path, (off_t)2 << 30), 0);
		tool_rig_call(&r, uses[k].tool, uses[k].input);
		tool_rig_check_text(&r, true, expected[k]);
		CHECK_INT(stat(path, &st), 0);
		CHECK(st.st_size == (off_t)2 << 30 && st.st_blocks < 100);
	}
}

static const char *const endless[] = { "/proc/kcore", "/proc/kmsg", "/proc/self/mem",
				       "/proc/self/pagemap" };

TEST(files_of_the_kernel_without_an_end_are_refused)
{
	for (size_t i = 0; i < countof(endless); i++) {
		TOOL_RIG(r);
		defer(str_clear) struct str input = STR_INIT;

		str_addf(&input, "{'file_path':'%s'}", endless[i]);
		tool_rig_call(&r, &tool_read, str_c(&input));
		tool_rig_check_text(&r, true, "");
		CHECK(r.call.result.text.len < 500);
	}
}

/* --- what may not be touched ------------------------------------------------------------ */

#define EXPECT(condition)                          \
	do {                                       \
		if (!(condition))                  \
			_exit(__LINE__ % 200 + 1); \
	} while (0)

/* In a process of its own, as nobody where that is possible. */
static void use_as_stranger(const char *dir)
{
	static const char *const names[] = { "hidden", "locked", "shut/f" };
	struct tool_rig r;

	if (getuid() == 0)
		EXPECT(setgid(65534) == 0 && setuid(65534) == 0);
	tool_rig_init(&r);
	for (size_t i = 0; i < countof(names); i++)
		for (size_t k = 0; k < 3; k++) {
			static const struct tool *const tools[] = { &tool_read, &tool_edit,
								    &tool_write };
			static const char *const rests[] = { "",
							     ",'old_string':'a','new_string':'b'",
							     ",'content':'x'" };
			defer(str_clear) struct str input = STR_INIT;

			str_addf(&input, "{'file_path':'%s/%s'%s}", dir, names[i], rests[k]);
			tool_rig_call(&r, tools[k], str_c(&input));
			/* What can be read, and no more, is read. */
			EXPECT(r.call.result.is_error == !(i == 1 && k == 0));
			EXPECT(i == 1 || strstr(str_c(&r.call.result.text), "Permission denied") ||
			       strstr(str_c(&r.call.result.text), "not been read yet"));
		}
	tool_rig_clear(&r);
}

TEST(what_may_not_be_read_or_written_is_said_to_be_so)
{
	TEMP_DIR(dir);
	PATH_IN(hidden, dir, "hidden");
	PATH_IN(locked, dir, "locked");
	PATH_IN(shut, dir, "shut");
	PATH_IN(inside, dir, "shut/f");
	int status = 0;
	pid_t pid;

	CHECK_INT(mkdir(shut, 0700), 0);
	write_file(hidden, "a", 0600);
	write_file(locked, "a", 0444);
	write_file(inside, "a", 0600);
	CHECK_INT(chmod(str_c(&dir), 0755), 0);
	CHECK_INT(chmod(hidden, 0) | chmod(shut, 0), 0);
	pid = fork();
	if (pid == 0) {
		use_as_stranger(str_c(&dir));
		_exit(0);
	}
	CHECK_INT(waitpid(pid, &status, 0), pid);
	CHECK_INT(chmod(hidden, 0600) | chmod(shut, 0700), 0);
	CHECK_INT(status, 0);
	CHECK_FILE(hidden, "a");
	CHECK_FILE(locked, "a");
	CHECK_FILE(inside, "a");
}

/* --- what does not stay ----------------------------------------------------------------- */

static bool vanish(struct tool_rig *r,
		   __attribute__((unused)) const struct perm_request *perm_request)
{
	PATH_IN(path, r->dir, "f.ipynb");
	struct err err;

	CHECK_OK(fs_remove(path, &err), err);
	return true;
}

TEST(a_file_that_vanishes_is_missed_or_made_anew)
{
	for (size_t k = 0; k < countof(uses); k++) {
		bool makes = uses[k].tool == &tool_write;
		TOOL_RIG(r);
		PATH_IN(path, r.dir, "f.ipynb");

		tool_rig_put(&r, "f.ipynb", SV("a\n"));
		tool_rig_call(&r, &tool_read, "{'file_path':'f.ipynb'}");
		r.decide = vanish;
		tool_rig_call(&r, uses[k].tool, uses[k].input);
		tool_rig_check_text(&r, !makes, makes ? "File created" : "does not exist");
		CHECK_INT(fs_exists(path), makes);
	}
}

/* --- what is big or odd, and fine -------------------------------------------------------- */

TEST(a_million_lines_are_read_where_it_is_asked_and_edited_there)
{
	defer(str_clear) struct str text = STR_INIT;
	TOOL_RIG(r);

	for (int i = 1; i <= 1000000; i++)
		str_addf(&text, "%d.\n", i);
	tool_rig_put(&r, "f", sv_of(&text));
	tool_rig_call(&r, &tool_read, "{'file_path':'f'}");
	tool_rig_check_text(&r, false, "[Lines 1-2000 of 1000000. To continue: offset=2001]");
	tool_rig_call(&r, &tool_read, "{'file_path':'f','offset':999990}");
	tool_rig_check_text(&r, false, "1000000\t1000000.");
	tool_rig_call(&r, &tool_edit, "{'file_path':'f','old_string':'999999.','new_string':'x'}");
	tool_rig_check_text(&r, false, "updated");
	tool_rig_data(&r, "structuredPatch[0].oldStart", "999996");
	tool_rig_call(&r, &tool_edit, "{'file_path':'f','old_string':'500000.','new_string':'x'}");
	tool_rig_check_text(&r, true, "at line 500000, which you have not seen");
	tool_rig_call(&r, &tool_write, "{'file_path':'f','content':'x'}");
	tool_rig_check_text(&r, true, "(lines 1-2000, 999990-end)");
	str_splice(&text, text.len - strlen("999999.\n1000000.\n"), text.len, SV("x\n1000000.\n"));
	tool_rig_check(&r, "f", sv_of(&text));
}

/* Bytes before, between and after what is edited, in every encoding and line end. */
struct odd_case {
	const char *what;
	struct sv before, after; /* of replacing "key" by "new" and a line end and "val" */
	const char *refused;     /* by Edit; NULL: it is not */
};

TEST(edit_leaves_every_encoding_and_line_end_as_it_was)
{
	static const struct odd_case cases[] = {
		{ "LF", SV_INIT("a\nkey\nb\n"), SV_INIT("a\nnew\nval\nb\n"), NULL },
		{ "CRLF", SV_INIT("a\r\nkey\r\nb\r\n"), SV_INIT("a\r\nnew\r\nval\r\nb\r\n"), NULL },
		{ "CR", SV_INIT("a\rkey\rb\r"), SV_INIT("a\rnew\nval\rb\r"), NULL },
		{ "mixed, LF here", SV_INIT("a\r\nkey\nb\r\n"), SV_INIT("a\r\nnew\nval\nb\r\n"),
		  NULL },
		{ "mixed, CRLF here", SV_INIT("a\nkey\r\nb\n"), SV_INIT("a\nnew\r\nval\r\nb\n"),
		  NULL },
		{ "no last newline", SV_INIT("a\r\nkey"), SV_INIT("a\r\nnew\r\nval"), NULL },
		{ "only it", SV_INIT("key"), SV_INIT("new\nval"), NULL },
		{ "UTF-8 with mark", SV_INIT("\xef\xbb\xbfkey\r\n"),
		  SV_INIT("\xef\xbb\xbfnew\r\nval\r\n"), NULL },
		{ "Latin-1", SV_INIT("\xe9\xe8 key \xff\n"), SV_INIT("\xe9\xe8 new\nval \xff\n"),
		  NULL },
		{ "Shift-JIS", SV_INIT("\x83\x5c\x95\x5c key \x8e\x9a\r\n"),
		  SV_INIT("\x83\x5c\x95\x5c new\r\nval \x8e\x9a\r\n"), NULL },
		{ "broken UTF-8", SV_INIT("\xf0\x9f\x98 key \xed\xa0\x80\n"),
		  SV_INIT("\xf0\x9f\x98 new\nval \xed\xa0\x80\n"), NULL },
		{ "controls", SV_INIT("\x01\x1b[31m key \x7f\n"),
		  SV_INIT("\x01\x1b[31m new\nval \x7f\n"), NULL },
		{ "separators", SV_INIT("\xe2\x80\xa8key\xe2\x80\xa9\xc2\x85\x0b\x0c"),
		  SV_INIT("\xe2\x80\xa8new\nval\xe2\x80\xa9\xc2\x85\x0b\x0c"), NULL },
		{ "UTF-16 LE", SV_INIT("\xff\xfek\0e\0y\0"), SV_INIT(""), "is UTF-16" },
		{ "UTF-16 BE", SV_INIT("\xfe\xff\0k\0e\0y"), SV_INIT(""), "is UTF-16" },
		/* The model has never seen it. */
		{ "NUL", SV_INIT("a\0key\n"), SV_INIT(""), "File has not been read yet" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		const char *refused = cases[i].refused;
		TOOL_RIG(r);

		tool_rig_put(&r, "f", cases[i].before);
		tool_rig_call(&r, &tool_read, "{'file_path':'f'}");
		tool_rig_call(&r, &tool_edit,
			      "{'file_path':'f','old_string':'key','new_string':'new\\nval'}");
		tool_rig_check_text(&r, refused != NULL, refused ? refused : "updated");
		tool_rig_check(&r, "f", refused ? cases[i].before : cases[i].after);
	}
}

TEST(bytes_that_are_no_text_are_refused_or_shown_as_such)
{
	static const struct {
		struct sv bytes;
		bool refused;
		const char *expected;
	} cases[] = {
		{ SV_INIT("a\0b"), true, "is a binary file" },
		{ SV_INIT("\x7f"
			  "ELF\0\0"),
		  true, "is a binary file" },
		{ SV_INIT("\xff"), false, "     1\t\xef\xbf\xbd" },
		{ SV_INIT("\xff\xfe"), false, "is empty" },
		{ SV_INIT("\xff\xfe"
			  "a"),
		  false, "is empty" },
		{ SV_INIT("\xfe\xff\xd8\x3d\xde\x00"), false, "     1\t\xf0\x9f\x98\x80" },
		{ SV_INIT("\r\n\r\n"), false, "     1\t\n     2\t" },
		{ SV_INIT("\n"), false, "     1\t" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		TOOL_RIG(r);

		tool_rig_put(&r, "f", cases[i].bytes);
		tool_rig_call(&r, &tool_read, "{'file_path':'f'}");
		tool_rig_check_text(&r, cases[i].refused, cases[i].expected);
	}
}

/* NUL beyond where a file is judged by: it is shown, and found again. */
TEST(a_late_nul_byte_is_shown_and_does_not_end_the_text)
{
	TOOL_RIG(r);
	defer(str_clear) struct str text = STR_INIT;

	while (text.len < 10 * KIB)
		str_adds(&text, "some text\n");
	str_add(&text, SV("x\0y\nend\n"));
	tool_rig_put(&r, "f", sv_of(&text));
	tool_rig_call(&r, &tool_read, "{'file_path':'f'}");
	tool_rig_check_text(&r, false, "x\xef\xbf\xbdy");
	tool_rig_call(&r, &tool_edit, "{'file_path':'f','old_string':'end','new_string':'END'}");
	str_splice(&text, text.len - 4, text.len - 1, SV("END"));
	tool_rig_check(&r, "f", sv_of(&text));
}

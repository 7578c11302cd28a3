#include <sys/socket.h>
#include <sys/un.h>

#include "base/limits.h"
#include "tool/tool_rig.h"

static void read_name(struct tool_rig *r, const char *name)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input, "{'file_path':'%s'}", name);
	tool_rig_call(r, &tool_read, str_c(&input));
}

static const struct file_seen *seen(struct tool_rig *r, const char *name)
{
	struct arena arena = ARENA_INIT;
	const struct file_seen *found =
		read_state_get(r->ctx.files, tool_real_path(&r->ctx, sv_cstr(name), &arena));

	arena_clear(&arena);
	return found;
}

struct read_case {
	struct sv bytes;
	const char *text;
};

TEST(read_shows_text_of_any_kind)
{
	static const struct read_case cases[] = {
		{ SV_INIT("one\n\ttwo\n"), "     1\tone\n     2\t\ttwo" },
		{ SV_INIT("one\r\ntwo"), "     1\tone\n     2\ttwo" },
		{ SV_INIT("\xef\xbb\xbfone\n"), "     1\tone" },
		{ SV_INIT("caf\xe9\n"), "     1\tcaf\xef\xbf\xbd" },
		{ SV_INIT("\xff\xfeh\0\xe9\0\n\0\x3d\xd8\x00\xde\x3d\xd8x\0"),
		  "     1\th\xc3\xa9\n     2\t\xf0\x9f\x98\x80\xef\xbf\xbdx" },
		{ SV_INIT("\xfe\xff\0h\0i\0"), "     1\thi" },
		{ SV_INIT(""), "The file exists but is empty." },
		{ SV_INIT("\xef\xbb\xbf"), "The file exists but is empty." },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		TOOL_RIG(r);

		tool_rig_put(&r, "file", cases[i].bytes);
		read_name(&r, "file");
		CHECK(!r.call.result.is_error);
		CHECK_STR(str_c(&r.call.result.text), cases[i].text);
		CHECK(seen(&r, "file")->hashed && !file_seen_is_partial(seen(&r, "file")));
	}
}

TEST(read_tells_what_it_read_in_its_data)
{
	TOOL_RIG(r);
	PATH_IN(path, r.dir, "f");
	defer(str_clear) struct str expected = STR_INIT;

	tool_rig_put(&r, "f", SV("a\nb\nc\nd\n"));
	tool_rig_call(&r, &tool_read, "{'file_path':'f','offset':2,'limit':2}");
	str_addf(&expected,
		 "{\"type\":\"text\",\"file\":{\"filePath\":\"%s\",\"content\":\"b\\nc\","
		 "\"numLines\":2,\"startLine\":2,\"totalLines\":4}}",
		 path);
	CHECK_STR(str_c(&r.call.result.data), str_c(&expected));
	CHECK_STR(str_c(&r.call.result.text),
		  "     2\tb\n     3\tc\n\n[Lines 2-3 of 4. To continue: offset=4]");
	CHECK(file_seen_is_partial(seen(&r, "f")));
}

static void put_lines(struct tool_rig *r, const char *name, int n, const char *line)
{
	defer(str_clear) struct str text = STR_INIT;

	for (int i = 1; i <= n; i++)
		str_addf(&text, "%d %s\n", i, line);
	tool_rig_put(r, name, sv_of(&text));
}

TEST(read_shows_2000_lines_unless_told_otherwise)
{
	TOOL_RIG(r);

	put_lines(&r, "f", 2000, "x");
	read_name(&r, "f");
	tool_rig_data(&r, "file.numLines", "2000");
	CHECK(sv_ends(sv_of(&r.call.result.text), SV("  2000\t2000 x")));
	put_lines(&r, "f", 2001, "x");
	read_name(&r, "f");
	tool_rig_data(&r, "file.numLines", "2000");
	tool_rig_data(&r, "file.totalLines", "2001");
	tool_rig_check_text(&r, false, "[Lines 1-2000 of 2001. To continue: offset=2001]");
	tool_rig_call(&r, &tool_read, "{'file_path':'f','limit':3000}");
	tool_rig_data(&r, "file.numLines", "2001");
	tool_rig_call(&r, &tool_read, "{'file_path':'f','offset':2001}");
	CHECK_STR(str_c(&r.call.result.text), "  2001\t2001 x");
	tool_rig_call(&r, &tool_read, "{'file_path':'f','offset':0,'limit':1}");
	tool_rig_check_text(&r, false, "     1\t1 x\n");
	tool_rig_call(&r, &tool_read, "{'file_path':'f','offset':2002}");
	CHECK_STR(str_c(&r.call.result.text),
		  "The file has only 2001 lines; nothing is at offset 2002.");
	tool_rig_call(&r, &tool_read, "{'file_path':'f','limit':0}");
	tool_rig_check_text(&r, true, "limit");
}

TEST(read_cuts_what_is_too_long_for_the_model_and_says_how_to_go_on)
{
	TOOL_RIG(r);
	char line[301] = "";

	memset(line, 'y', 300);
	put_lines(&r, "f", 1000, line);
	read_name(&r, "f");
	CHECK(r.call.result.text.len < LIMIT_READ_RESULT + 200);
	tool_rig_check_text(&r, false, " of 1000, cut for size. To continue: offset=");
	tool_rig_data(&r, "file.truncatedByTokenCap", "true");
	CHECK(file_seen_is_partial(seen(&r, "f")));
}

TEST(read_goes_through_a_huge_file_without_holding_it)
{
	TOOL_RIG(r);
	PATH_IN(path, r.dir, "huge");
	int fd;

	put_lines(&r, "huge", 3000, "x");
	/* 4 GiB, nearly all of it a hole, with a mark in each of the first 32 MiB. */
	CHECK_INT(truncate(path, (off_t)4 << 30), 0);
	fd = open(path, O_WRONLY);
	for (off_t at = 0; at < 32 << 20; at += 1 << 20)
		CHECK_INT(pwrite(fd, "\nmark\n", 6, 30000 + at), 6);
	close(fd);
	tool_rig_call(&r, &tool_read, "{'file_path':'huge','limit':2}");
	CHECK_STR(str_c(&r.call.result.text),
		  "     1\t1 x\n     2\t2 x\n\n[Lines 1-2. To continue: offset=3]");
	CHECK(file_seen_is_partial(seen(&r, "huge")) && !seen(&r, "huge")->hashed);
	/* Every other line is a mark. */
	tool_rig_call(&r, &tool_read, "{'file_path':'huge','offset':3042,'limit':1}");
	tool_rig_data(&r, "file.content", "\"mark\"");
	tool_rig_data(&r, "file.startLine", "3042");
	CHECK_STR(str_c(&r.call.result.text),
		  "  3042\tmark\n\n[Lines 3042-3042. To continue: offset=3043]");
}

TEST(read_of_a_big_file_that_ends_counts_its_lines)
{
	TOOL_RIG(r);
	defer(str_clear) struct str text = STR_INIT;

	str_adds(&text, "\xef\xbb\xbf");
	while (text.len <= LIMIT_READ_WHOLE)
		str_addf(&text, "%0100d\r\n", 7);
	str_adds(&text, "end");
	tool_rig_put(&r, "big", sv_of(&text));
	tool_rig_call(&r, &tool_read, "{'file_path':'big','offset':164483,'limit':9}");
	tool_rig_check_text(&r, false, "164483\t");
	tool_rig_check_text(&r, false, "\tend");
	CHECK(sv_find_char(sv_of(&r.call.result.text), '\r') == SIZE_MAX);
	tool_rig_call(&r, &tool_read, "{'file_path':'big','offset':9999999}");
	tool_rig_check_text(&r, false, "nothing is at offset 9999999");
}

TEST(read_refuses_what_is_no_text)
{
	static const struct sv binaries[] = { SV_INIT("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
					      SV_INIT("\x7f"
						      "ELF\x02\x01\x01\0"),
					      SV_INIT("%PDF-1.7\nno zero here") };
	TOOL_RIG(r);
	PATH_IN(path, r.dir, "b");

	for (size_t i = 0; i < countof(binaries); i++) {
		tool_rig_put(&r, "b", binaries[i]);
		read_name(&r, "b");
		tool_rig_check_text(&r, true, "is a binary file");
		CHECK(!seen(&r, "b"));
	}
	CHECK_INT(truncate(path, (off_t)LIMIT_READ_WHOLE + 1), 0);
	tool_rig_put(&r, "b", SV("\xff\xfe"));
	CHECK_INT(truncate(path, (off_t)LIMIT_READ_WHOLE + 1), 0);
	read_name(&r, "b");
	tool_rig_check_text(&r, true, "is a binary file");
}

TEST(read_never_waits_for_what_is_no_regular_file)
{
	TOOL_RIG(r);
	PATH_IN(fifo, r.dir, "fifo");
	PATH_IN(link, r.dir, "link");
	PATH_IN(sock, r.dir, "sock");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct err err;

	CHECK_INT(mkfifo(fifo, 0600), 0);
	CHECK_OK(fs_symlink("fifo", link, &err), err);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", sock);
	CHECK_INT(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	read_name(&r, "fifo");
	tool_rig_check_text(&r, true, "is a device, pipe or socket");
	read_name(&r, "link");
	tool_rig_check_text(&r, true, "is a device, pipe or socket");
	read_name(&r, "sock");
	tool_rig_check_text(&r, true, "is a device, pipe or socket");
	read_name(&r, "/dev/zero");
	tool_rig_check_text(&r, true, "is a device, pipe or socket");
	read_name(&r, "/proc/kmsg");
	tool_rig_check_text(&r, true, "is endless");
	read_name(&r, "/proc/self/mem");
	tool_rig_check_text(&r, true, "is endless");
	read_name(&r, "/proc/self/status");
	tool_rig_check_text(&r, false, "Name:");
	close(fd);
}

TEST(read_of_a_directory_or_a_missing_file_says_what_to_do)
{
	TOOL_RIG(r);
	defer(str_clear) struct str expected = STR_INIT;

	read_name(&r, ".");
	tool_rig_check_text(&r, true, "is a directory. To list it use Bash (ls) or Glob");
	tool_rig_put(&r, "server.c", SV(""));
	tool_rig_put(&r, "index.html", SV(""));
	read_name(&r, "sever.c");
	str_addf(&expected, "Did you mean %s/server.c? The working directory is %s.", str_c(&r.dir),
		 str_c(&r.dir));
	tool_rig_check_text(&r, true, str_c(&expected));
	read_name(&r, "index.tsx");
	tool_rig_check_text(&r, true, "/index.html?");
	read_name(&r, "something else");
	tool_rig_check_text(&r, true, "File does not exist");
	CHECK(sv_find(sv_of(&r.call.result.text), SV("Did you mean")) == SIZE_MAX);
	read_name(&r, "none/server.c");
	tool_rig_check_text(&r, true, "Its directory does not exist either");
	read_name(&r, "server.c/x");
	tool_rig_check_text(&r, true, "File does not exist");
}

TEST(read_refuses_a_path_that_cannot_be_meant)
{
	TOOL_RIG(r);

	read_name(&r, "");
	tool_rig_check_text(&r, true, "file_path is empty");
	read_name(&r, "a\\u0000b");
	tool_rig_check_text(&r, true, "NUL");
	tool_rig_call(&r, &tool_read, "{'filepath':'x'}");
	tool_rig_check_text(&r, true, "did you mean `file_path`?");
}

/* A descriptor's link reads as a name, but leads to what is open. */
TEST(read_shows_the_file_that_it_requested_wherever_the_link_leads)
{
	defer(str_clear) struct str link = STR_INIT;
	TOOL_RIG(r);
	PATH_IN(path, r.dir, "f");
	struct err err;
	int fd;

	tool_rig_put(&r, "f", SV("another"));
	fd = open(path, O_RDONLY);
	CHECK(fd >= 0);
	CHECK_OK(fs_remove(path, &err), err);
	tool_rig_put(&r, "f (deleted)", SV("this one"));
	str_addf(&link, "/proc/self/fd/%d", fd);
	read_name(&r, str_c(&link));
	close(fd);
	tool_rig_check_text(&r, false, "this one");
}

TEST(read_requests_the_real_path_and_runs_beside_others)
{
	TOOL_RIG(r);
	PATH_IN(link, r.dir, "link");
	PATH_IN(path, r.dir, "file");
	struct arena arena = ARENA_INIT;
	struct perm_request perm_request = { .access = ACCESS_OTHER };
	struct err err;

	tool_rig_put(&r, "file", SV("x\n"));
	CHECK_OK(fs_symlink("file", link, &err), err);
	tool_rig_call(&r, &tool_read, "{'file_path':'link'}");
	tool_rig_data(&r, "file.content", "\"x\"");
	CHECK(seen(&r, "file"));
	{
		defer(json_doc_freep) struct json_doc *doc =
			json_parse(SV("{\"file_path\":\"link\"}"), 0, &err);

		r.call.input = json_root(doc);
		tool_read.perm_request(&r.call, &arena, &perm_request);
		CHECK_INT(perm_request.access, ACCESS_READ);
		CHECK_STR(perm_request.path.ptr, path);
		CHECK(tool_read.is_read_only(r.call.input) &&
		      tool_read.is_concurrent(r.call.input));
	}
	arena_clear(&arena);
}

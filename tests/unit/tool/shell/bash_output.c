#include "tool/shell/bash_output.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "sys/temp_dir.h"

static void output_of(struct bash_output *o, struct sv bytes, size_t piece, struct str *text)
{
	for (; bytes.len > 0; bytes = sv_skip(bytes, piece))
		bash_output_add(o, sv_slice(bytes, 0, piece));
	bash_output_end(o);
	bash_output_text(o, text);
}

#define OUTPUT(name, dir)                                 \
	defer(bash_output_clear) struct bash_output name; \
	bash_output_init(&name, dir, SV("id"))

static const struct {
	const char *bytes, *shown;
} shown_as[] = {
	{ "plain\n", "plain" },
	{ "\n \n\t\n  indented\nrest \n\n \n", "  indented\nrest" },
	{ "\n\n", "" },
	{ "\033[1;31mred\033[0m \033[Kend\033(B\033=\n", "red end" },
	{ "\033]0;title\a\033]8;;http://x\033\\link\033]8;;\033\\", "link" },
	{ "\033]0;never ended\nnext", "next" },
	{ "\033]0;one\033[31mred", "red" },
	{ "\033Pdcs\033\\x\033_apc\033\\y", "xy" },
	{ "a\033", "a" },
	{ "a\033\nb", "a\nb" },
	{ "\033[12\033[3mx\033[\xc3\xa9", "x\xc3\xa9" },
	{ " 1%\r 50%\r100%\ndone\n", "100%\ndone" },
	{ "dos\r\nlines\r\n", "dos\nlines" },
	{ "odd\r\r\nend\r", "odd\nend" },
	{ "long state\rshort", "short" },
	{ "\r\033[Kone\r\033[Ktwo", "two" },
	{ "N\bNA\bA\xc3\xa9\b\b", "N" },
	{ "\b\bx", "x" },
	{ "a\abc\x7f\001\vd\te", "abcd\te" },
	{ "a\xc2\x9b"
	  "31mb\xc2\x80\xc2\xa0\xc3\x9b",
	  "a31mb\xc2\xa0\xc3\x9b" },
	{ "bad \xff\xc3(\xe2\x82", "bad \xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd" },
	{ "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
	  "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80" },
};

TEST(output_is_shown_as_a_terminal_would_leave_it_however_it_is_split)
{
	for (size_t i = 0; i < countof(shown_as); i++) {
		struct sv bytes = sv_cstr(shown_as[i].bytes);

		for (size_t piece = 1; piece <= bytes.len; piece++) {
			OUTPUT(o, NULL);
			defer(str_clear) struct str text = STR_INIT;

			output_of(&o, bytes, piece, &text);
			CHECK_STR(str_c(&text), shown_as[i].shown);
		}
	}
}

TEST(a_nul_is_dropped)
{
	OUTPUT(o, NULL);
	defer(str_clear) struct str text = STR_INIT;

	output_of(&o, SV("a\0b"), 1, &text);
	CHECK_SV(sv_of(&text), "ab");
}

/* "line 0\n" and so on, at least `min` bytes. */
static void add_lines(struct str *out, size_t min)
{
	for (int i = 0; out->len < min; i++)
		str_addf(out, "line %d\n", i);
}

TEST(output_that_fits_is_whole_and_one_byte_more_loses_its_middle)
{
	for (size_t extra = 0; extra < 2; extra++) {
		OUTPUT(o, NULL);
		defer(str_clear) struct str bytes = STR_INIT;
		defer(str_clear) struct str text = STR_INIT;

		add_lines(&bytes, LIMIT_BASH_HEAD + LIMIT_BASH_TAIL + 1);
		str_truncate(&bytes, LIMIT_BASH_HEAD + LIMIT_BASH_TAIL + extra);
		bytes.ptr[bytes.len - 1] = 'x';
		output_of(&o, sv_of(&bytes), 1000, &text);
		CHECK_INT(bash_output_is_cut(&o), extra);
		if (!extra)
			CHECK_SV_EQ(sv_of(&text), sv_of(&bytes));
	}
}

/* Whole lines before and after the gap, and the gap's own figures are right. */
static void check_gap(struct sv all, struct sv text)
{
	size_t gap = sv_find(text, SV("[... ")), lines = 0;
	struct sv start = sv_slice(text, 0, gap), rest = sv_skip(text, gap), note;
	unsigned long bytes = 0, left = 0;

	CHECK(gap != SIZE_MAX && sv_cut_line(&rest, &note));
	CHECK_INT(sscanf(note.ptr, "[... %lu bytes, %lu lines omitted ...]", &bytes, &left), 2);
	CHECK(sv_starts(all, start));
	CHECK(sv_ends(start, SV("\n")) && sv_starts(rest, SV("line ")));
	CHECK(sv_ends(sv_trim(all), rest));
	CHECK_INT(start.len + bytes + rest.len + 1, all.len);
	for (size_t i = start.len; i < start.len + bytes; i++)
		lines += all.ptr[i] == '\n';
	CHECK_INT(lines, left);
}

TEST(the_gap_is_between_whole_lines_and_counted_exactly)
{
	for (size_t size = 29001; size < 200000; size += 7919) {
		OUTPUT(o, NULL);
		defer(str_clear) struct str bytes = STR_INIT;
		defer(str_clear) struct str text = STR_INIT;

		add_lines(&bytes, size);
		output_of(&o, sv_of(&bytes), size % 5000 + 1, &text);
		CHECK(text.len <= 30000);
		check_gap(sv_of(&bytes), sv_of(&text));
	}
}

TEST(one_endless_line_is_cut_between_characters)
{
	OUTPUT(o, NULL);
	defer(str_clear) struct str bytes = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;

	for (int i = 0; i < 100000; i++)
		str_adds(&bytes, i % 3 ? "\xe2\x82\xac" : "x");
	output_of(&o, sv_of(&bytes), 999, &text);
	CHECK(utf8_valid(sv_of(&text), NULL));
	CHECK(text.len <= 30000 && text.len > 28000);
	CHECK(sv_find(sv_of(&text), UTF8_REPLACEMENT) == SIZE_MAX);
}

TEST(who_looks_on_sees_the_end_of_each_piece_in_whole_characters)
{
	OUTPUT(o, NULL);
	defer(str_clear) struct str lines = STR_INIT;
	defer(str_clear) struct str line = STR_INIT;
	struct sv seen;

	CHECK_SV(bash_output_add(&o, SV("one\ntw")), "one\n");
	CHECK_SV(bash_output_add(&o, SV("o\n")), "two\n");
	add_lines(&lines, 50000);
	seen = bash_output_add(&o, sv_of(&lines));
	CHECK(seen.len <= LIMIT_BASH_PROGRESS && seen.len > LIMIT_BASH_PROGRESS / 2);
	CHECK(sv_starts(seen, SV("line ")) && sv_ends(sv_of(&lines), seen));
	while (line.len < 50000)
		str_adds(&line, "\xe2\x82\xac");
	seen = bash_output_add(&o, sv_of(&line));
	CHECK(seen.len > 0 && seen.len <= LIMIT_BASH_PROGRESS && utf8_valid(seen, NULL));
}

TEST(a_progress_bar_of_megabytes_is_one_line)
{
	OUTPUT(o, NULL);
	defer(str_clear) struct str text = STR_INIT;

	for (int i = 0; i < 100000; i++) {
		defer(str_clear) struct str state = STR_INIT;

		str_addf(&state, "\r\033[2K[%05d] ..........................", i);
		bash_output_add(&o, sv_of(&state));
	}
	bash_output_end(&o);
	bash_output_text(&o, &text);
	CHECK_STR(str_c(&text), "[99999] ..........................");
	CHECK(!bash_output_is_cut(&o));
}

TEST(what_does_not_fit_is_all_in_a_file_that_only_the_user_can_read)
{
	TEMP_DIR(temp);
	PATH_IN(dir, temp, "a/b");
	PATH_IN(path, temp, "a/b/id.txt");
	OUTPUT(o, dir);
	defer(str_clear) struct str bytes = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str file = STR_INIT;
	struct fs_info info;
	struct err err;

	add_lines(&bytes, 300000);
	output_of(&o, sv_of(&bytes), 4096, &text);
	CHECK_STR(str_c(&o.path), path);
	CHECK_INT(o.file_bytes, bytes.len);
	CHECK_OK(fs_read(&file, path, 1 << 20, &err), err);
	CHECK_SV_EQ(sv_of(&file), sv_of(&bytes));
	CHECK_OK(fs_info(&info, path, false, &err), err);
	CHECK_INT(info.mode, 0600);
	CHECK_OK(fs_info(&info, dir, false, &err), err);
	CHECK_INT(info.mode, 0700);
}

TEST(output_that_fits_leaves_no_file)
{
	TEMP_DIR(temp);
	PATH_IN(dir, temp, "results");
	OUTPUT(o, dir);
	defer(str_clear) struct str text = STR_INIT;

	output_of(&o, SV("short\n"), 6, &text);
	CHECK_INT(o.path.len, 0);
	CHECK(!fs_exists(dir));
}

TEST(a_file_that_cannot_be_made_is_reported_and_the_output_is_still_shown)
{
	TEMP_DIR(temp);
	PATH_IN(dir, temp, "occupied");
	OUTPUT(o, dir);
	defer(str_clear) struct str bytes = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;

	write_file(dir, "a file in the way", 0600);
	add_lines(&bytes, 100000);
	output_of(&o, sv_of(&bytes), 4096, &text);
	CHECK(o.file_err.kind != ERR_NONE);
	CHECK_INT(o.path.len, 0);
	check_gap(sv_of(&bytes), sv_of(&text));
}

TEST(the_file_stops_at_its_cap_and_memory_stays_flat)
{
	TEMP_DIR(temp);
	OUTPUT(o, str_c(&temp));
	defer(str_clear) struct str chunk = STR_INIT;

	add_lines(&chunk, MIB);
	for (size_t fed = 0; fed < LIMIT_BASH_FILE + MIB; fed += chunk.len)
		bash_output_add(&o, sv_of(&chunk));
	CHECK_INT(o.file_bytes, LIMIT_BASH_FILE);
	CHECK_ERR(o.file_err, ERR_TOO_BIG, "first 64 MiB");
	CHECK(o.head.cap + o.fresh.cap + o.plain.line.cap < 4 * MIB);
}

TEST(a_call_id_of_any_bytes_names_a_file_in_the_directory)
{
	static const struct {
		struct sv id;
		const char *name;
	} cases[] = {
		{ SV_INIT("toolu_01-aB"), "toolu_01-aB.txt" },
		{ SV_INIT("../../etc/passwd"), "______etc_passwd.txt" },
		{ SV_INIT("."), "_.txt" },
		{ SV_INIT(""), "call.txt" },
		{ SV_INIT("a\0b\xff"), "a_b_.txt" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(bash_output_clear) struct bash_output o;

		bash_output_init(&o, NULL, cases[i].id);
		CHECK_STR(o.name, cases[i].name);
	}
}

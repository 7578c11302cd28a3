#include "context/imports.h"

#include "base/ascii.h"
#include "base/limits.h"

enum { TICKS_MAX = 32 }; /* longer runs of backticks open no span */

struct imports imports_in(struct sv text)
{
	return (struct imports){ .text = text, .after_blank = true };
}

/* Returns how many of `c` the text starts with. */
static size_t imports_run_of(struct sv text, char c)
{
	size_t n = 0;

	while (n < text.len && text.ptr[n] == c)
		n++;
	return n;
}

/* --- lines -------------------------------------------------------------------- */

static struct sv imports_skip_blanks(struct sv line)
{
	while (line.len > 0 && ascii_is_blank(line.ptr[0]))
		line = sv_skip(line, 1);
	return line;
}

static size_t imports_indent_of(struct sv line)
{
	size_t columns = 0;

	for (size_t i = 0; i < line.len && ascii_is_blank(line.ptr[i]); i++)
		columns += line.ptr[i] == '\t' ? 4 - columns % 4 : 1;
	return columns;
}

/* Returns the length of the list marker that the text starts with; 0: none. */
static size_t imports_marker_of(struct sv text)
{
	size_t n = 0;

	while (n < text.len && n < 9 && ascii_is_digit(text.ptr[n]))
		n++;
	if (n == text.len || !ascii_is_one_of(text.ptr[n], n ? ".)" : "-+*"))
		return 0;
	return n + 1 == text.len || ascii_is_blank(text.ptr[n + 1]) ? n + 1 : 0;
}

/* Returns the content of a line without the markers of quotes and lists around it. */
static struct sv imports_content_of(struct sv line)
{
	size_t marker;

	for (;;) {
		line = imports_skip_blanks(line);
		marker = line.len > 0 && line.ptr[0] == '>' ? 1 : imports_marker_of(line);
		if (marker == 0)
			return line;
		line = sv_skip(line, marker);
	}
}

/* Returns the length of the fence that opens a code block in this line; 0: none. */
static size_t imports_fence_of(struct sv line, char *mark)
{
	struct sv text = imports_content_of(line);
	size_t n;

	if (text.len == 0 || (text.ptr[0] != '`' && text.ptr[0] != '~'))
		return 0;
	*mark = text.ptr[0];
	n = imports_run_of(text, *mark);
	if (n < 3 || (*mark == '`' && sv_find_char(sv_skip(text, n), '`') != SIZE_MAX))
		return 0;
	return n;
}

static bool imports_closes_fence(struct sv line, char mark, size_t len)
{
	size_t n;

	while (line.len > 0 && (ascii_is_blank(line.ptr[0]) || line.ptr[0] == '>'))
		line = sv_skip(line, 1);
	n = imports_run_of(line, mark);
	return n >= len && sv_trim(sv_skip(line, n)).len == 0;
}

/* --- blocks ------------------------------------------------------------------- */

/* Returns the line at `at` and sets `*next` to the start of the next one. */
static struct sv imports_line_at(struct sv text, size_t at, size_t *next)
{
	struct sv rest = sv_skip(text, at), line = SV_EMPTY;

	sv_cut_line(&rest, &line);
	*next = text.len - rest.len;
	return line;
}

static void imports_skip_fence(struct imports *in, char mark, size_t len)
{
	size_t next;
	struct sv line;

	imports_line_at(in->text, in->at, &in->at);
	while (in->at < in->text.len) {
		line = imports_line_at(in->text, in->at, &next);
		in->at = next;
		if (imports_closes_fence(line, mark, len))
			break;
	}
	in->after_blank = true; /* not a paragraph that an indented line could continue */
}

/* Returns whether a line after a blank one, or after code, is indented code. */
static bool is_code(const struct imports *in, struct sv line)
{
	return in->after_blank && !in->in_list && imports_indent_of(line) >= 4;
}

static void imports_note_list(struct imports *in, struct sv line)
{
	if (imports_marker_of(imports_skip_blanks(line)))
		in->in_list = true;
	else if (in->after_blank && imports_indent_of(line) == 0)
		in->in_list = false;
}

/* Finds the end of the lines that start at in->at. */
static void imports_enter_block(struct imports *in)
{
	size_t at = in->at, next;
	struct sv line;
	char mark;

	do {
		line = imports_line_at(in->text, at, &next);
		if (at > in->at && (sv_trim(line).len == 0 || imports_fence_of(line, &mark)))
			break;
		imports_note_list(in, line);
		in->after_blank = false;
		at = next;
	} while (at < in->text.len);
	in->block_end = at;
	in->unclosed = 0;
}

/* Moves to the next lines that are neither blank nor code; false at the end. */
static bool imports_next_block(struct imports *in)
{
	size_t next, fence;
	struct sv line;
	char mark;

	while (in->at < in->text.len) {
		line = imports_line_at(in->text, in->at, &next);
		fence = imports_fence_of(line, &mark);
		if (sv_trim(line).len == 0) {
			in->after_blank = true;
			in->at = next;
		} else if (is_code(in, line)) {
			in->at = next;
		} else if (fence) {
			imports_skip_fence(in, mark, fence);
		} else {
			imports_enter_block(in);
			return true;
		}
	}
	return false;
}

/* --- within lines --------------------------------------------------------------- */

/* At a backtick: moves past the span it opens, or past the run if it opens none. */
static void imports_skip_ticks(struct imports *in)
{
	struct sv block = sv_slice(in->text, 0, in->block_end);
	size_t n = imports_run_of(sv_skip(block, in->at), '`');
	size_t at = in->at + n;
	size_t run;

	in->at = at;
	if (n == 0 || n > TICKS_MAX || in->unclosed >> (n - 1) & 1)
		return;
	while (at < block.len) {
		run = imports_run_of(sv_skip(block, at), '`');
		if (run == n) {
			in->at = at + n;
			return;
		}
		at += max_of(run, (size_t)1);
	}
	in->unclosed |= (uint32_t)1 << (n - 1);
}

/* At a "<": moves past the comment it opens, or past itself. A comment may contain lines that
 * would be code elsewhere. */
static void imports_skip_comment(struct imports *in)
{
	struct sv rest = sv_skip(in->text, in->at);
	size_t end;

	in->at++;
	if (in->comments_over || !sv_starts(rest, SV("<!--")))
		return;
	end = sv_find(rest, SV("-->"));
	if (end == SIZE_MAX) {
		in->comments_over = true;
		return;
	}
	in->at += end + strlen("-->") - 1;
	in->after_blank = false;
}

/* Returns whether a path may follow an "@" at this position. */
static bool imports_may_begin(const struct imports *in)
{
	return in->at == 0 || ascii_is_one_of(in->text.ptr[in->at - 1], " \t\r\n\v\f([{\"'*>|");
}

static bool imports_ends_path(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f || ascii_is_one_of(c, "`<>\"|");
}

/* Appends the word at in->at and moves past it. */
static void imports_read_word(struct imports *in, struct str *path)
{
	bool in_fragment = false;

	for (; in->at < in->block_end; in->at++) {
		char c = in->text.ptr[in->at];

		if (c == '\\' && in->at + 1 < in->block_end && in->text.ptr[in->at + 1] == ' ')
			c = in->text.ptr[++in->at];
		else if (imports_ends_path(c))
			break;
		in_fragment |= c == '#';
		if (!in_fragment)
			str_addc(path, c);
	}
}

/* Removes punctuation that belongs to the sentence, not to the path. */
static void imports_trim_punctuation(struct str *path)
{
	static const struct sv marks[] = {
		SV_INIT("。"), SV_INIT("、"), SV_INIT("，"), SV_INIT("；"),
		SV_INIT("："), SV_INIT("！"), SV_INIT("？"), SV_INIT("）"),
		SV_INIT("」"), SV_INIT("…"),  SV_INIT("”"),  SV_INIT("’"),
	};
	size_t len;

	do {
		len = path->len;
		if (len > 0 && ascii_is_one_of(path->ptr[len - 1], ".,;:!?)]}'*_"))
			str_truncate(path, len - 1);
		for (size_t i = 0; i < countof(marks); i++)
			if (sv_ends(sv_of(path), marks[i]))
				str_truncate(path, path->len - marks[i].len);
	} while (path->len < len);
}

static bool imports_may_lead(unsigned char c)
{
	unsigned char letter = c | 0x20;

	return (letter >= 'a' && letter <= 'z') || ascii_is_digit((char)c) || c >= 0x80 ||
	       ascii_is_one_of((char)c, "./_-");
}

static bool is_path(struct sv path)
{
	bool named = false; /* anything besides "/", "./", "~/.." */

	for (size_t i = 0; i < path.len && !named; i++)
		named = !ascii_is_one_of(path.ptr[i], "./~ ");
	if (!named || path.len > LIMIT_PATH)
		return false;
	return imports_may_lead((unsigned char)path.ptr[0]) || sv_starts(path, SV("~/"));
}

/* At an "@": returns whether it starts a path, and sets `path` to it. */
static bool imports_take_path(struct imports *in, struct str *path)
{
	bool begins = imports_may_begin(in);

	in->at++;
	if (!begins)
		return false;
	str_truncate(path, 0);
	imports_read_word(in, path);
	imports_trim_punctuation(path);
	return is_path(sv_of(path));
}

bool imports_next(struct imports *in, struct str *path)
{
	while (in->at < in->block_end || imports_next_block(in)) {
		switch (in->text.ptr[in->at]) {
		case '@':
			if (imports_take_path(in, path))
				return true;
			break;
		case '`': imports_skip_ticks(in); break;
		case '<': imports_skip_comment(in); break;
		case '\\': in->at += 2; break; /* the next character is literal */
		default: in->at++;
		}
	}
	return false;
}

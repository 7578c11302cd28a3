#include "text/diff/diff.h"

/* Whether git would quote the name. */
static bool diff_format_needs_quotes(struct sv name)
{
	for (size_t i = 0; i < name.len; i++) {
		unsigned char c = (unsigned char)name.ptr[i];

		if (c < ' ' || c == 0x7f || c == '"' || c == '\\')
			return true;
	}
	return false;
}

static void diff_format_add_quoted(struct str *out, struct sv name)
{
	str_addc(out, '"');
	for (size_t i = 0; i < name.len; i++) {
		unsigned char c = (unsigned char)name.ptr[i];

		if (c == '"' || c == '\\')
			str_addf(out, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			str_addf(out, "\\%03o", c);
		else
			str_addc(out, (char)c);
	}
	str_addc(out, '"');
}

static void diff_format_add_name(struct str *out, const char *mark, struct sv name)
{
	str_adds(out, mark);
	if (diff_format_needs_quotes(name)) {
		diff_format_add_quoted(out, name);
	} else {
		str_add(out, name);
		if (sv_find_char(name, ' ') != SIZE_MAX)
			str_addc(out, '\t'); /* marks the end of the name */
	}
	str_addc(out, '\n');
}

static void diff_format_add_range(struct str *out, char mark, size_t start, size_t lines)
{
	str_addf(out, "%c%zu", mark, start);
	if (lines != 1)
		str_addf(out, ",%zu", lines);
}

static void diff_format_add_line(struct str *out, const struct diff_line *line)
{
	str_addc(out, line->kind);
	str_add(out, line->text);
	str_addc(out, '\n');
	if (line->no_newline)
		str_adds(out, "\\ No newline at end of file\n");
}

void diff_format(struct str *out, const struct diff *d, struct sv old_name, struct sv new_name)
{
	if (d->hunks.n == 0)
		return;
	diff_format_add_name(out, "--- ", old_name);
	diff_format_add_name(out, "+++ ", new_name);
	for (size_t i = 0; i < d->hunks.n; i++) {
		const struct diff_hunk *hunk = &d->hunks.at[i];

		str_adds(out, "@@ ");
		diff_format_add_range(out, '-', hunk->old_start, hunk->old_lines);
		str_addc(out, ' ');
		diff_format_add_range(out, '+', hunk->new_start, hunk->new_lines);
		str_adds(out, " @@\n");
		for (size_t k = 0; k < hunk->n; k++)
			diff_format_add_line(out, &d->lines.at[hunk->first + k]);
	}
}

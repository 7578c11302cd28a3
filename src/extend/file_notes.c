#include "extend/file_notes.h"

#include "base/limits.h"

static void printf_like(3, 0)
	file_note_list(const struct file_notes *notes, size_t line, const char *fmt, va_list args)
{
	if (!notes->out || notes->out->len >= LIMIT_COMMAND_NOTES)
		return;
	str_add(notes->out, notes->path);
	if (line)
		str_addf(notes->out, ":%zu", line);
	str_adds(notes->out, ": ");
	str_vaddf(notes->out, fmt, args);
	str_addc(notes->out, '\n');
}

void file_note(const struct file_notes *notes, size_t line, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	file_note_list(notes, line, fmt, args);
	va_end(args);
}

/* The line that begins with this key; the first if none does. */
static size_t file_note_line_of(struct sv text, struct sv key)
{
	struct sv line;

	for (size_t n = 1; sv_cut_line(&text, &line); n++)
		if (sv_starts(line, key) && sv_starts(sv_trim(sv_skip(line, key.len)), SV(":")))
			return n;
	return 1;
}

void file_note_key(const struct file_notes *notes, struct sv key, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	file_note_list(notes, file_note_line_of(notes->text, key), fmt, args);
	va_end(args);
}

/* The text of the error without the path, which the note has already. */
static struct sv file_note_reason(const struct file_notes *notes, const struct err *err)
{
	struct sv why = sv_cstr(err->text);

	if (sv_starts(why, notes->path) && sv_starts(sv_skip(why, notes->path.len), SV(": ")))
		why = sv_skip(why, notes->path.len + 2);
	return why;
}

void file_note_err(const struct file_notes *notes, const char *what, const struct err *err)
{
	struct sv why = file_note_reason(notes, err), rest = why, number;
	int64_t line = 0;

	if (sv_starts(rest, SV("line ")) && sv_cut(&rest, ':', &number) &&
	    sv_to_int(sv_skip(number, strlen("line ")), &line))
		why = sv_trim(rest);
	file_note(notes, (size_t)max_of(line, (int64_t)0), "%s: %.*s", what, SV_ARG(why));
}

#include "text/ini.h"

#include "base/ascii.h"

struct ini_reader ini_read(struct sv text)
{
	if (sv_starts(text, SV("\xef\xbb\xbf")))
		text = sv_skip(text, 3);
	return (struct ini_reader){ .rest = text, .section = SV_EMPTY, .indent = SIZE_MAX };
}

static bool ini_malformed(struct ini_reader *reader, const char *what)
{
	reader->rest = SV_EMPTY;
	err_set(&reader->err, ERR_PARSE, "line %zu: %s", reader->line, what);
	return false;
}

static struct sv ini_value_of(struct sv text)
{
	for (size_t i = 1; i < text.len; i++)
		if ((text.ptr[i] == '#' || text.ptr[i] == ';') && ascii_is_blank(text.ptr[i - 1]))
			return sv_trim(sv_slice(text, 0, i));
	return sv_trim(text);
}

static bool ini_take_section(struct ini_reader *reader, struct sv line)
{
	size_t end = sv_find_char(line, ']');
	struct sv after;

	if (end == SIZE_MAX)
		return ini_malformed(reader, "missing ']' after the section name");
	after = sv_trim(sv_skip(line, end + 1));
	if (after.len > 0 && after.ptr[0] != '#' && after.ptr[0] != ';')
		return ini_malformed(reader, "unexpected text after the ']' of a section");
	reader->section = sv_trim(sv_slice(line, 1, end));
	reader->indent = SIZE_MAX;
	return true;
}

static bool ini_take_entry(struct ini_reader *reader, struct sv line, struct ini_entry *out)
{
	size_t equals = sv_find_char(line, '=');
	struct sv key = sv_trim(sv_slice(line, 0, equals));

	if (equals == SIZE_MAX)
		return ini_malformed(reader, "expected [section] or key = value");
	if (key.len == 0)
		return ini_malformed(reader, "missing key before '='");
	*out = (struct ini_entry){ .section = reader->section,
				   .key = key,
				   .value = ini_value_of(sv_skip(line, equals + 1)) };
	return true;
}

bool ini_next(struct ini_reader *reader, struct ini_entry *out)
{
	struct sv line;

	while (sv_cut_line(&reader->rest, &line)) {
		struct sv text = sv_trim(line);
		size_t indent;

		reader->line++;
		if (text.len == 0 || text.ptr[0] == '#' || text.ptr[0] == ';')
			continue;
		indent = (size_t)(text.ptr - line.ptr);
		if (reader->indent != SIZE_MAX && indent > reader->indent)
			continue;
		if (text.ptr[0] != '[') {
			reader->indent = indent;
			return ini_take_entry(reader, text, out);
		}
		if (!ini_take_section(reader, text))
			return false;
	}
	return false;
}

bool ini_get(struct sv text, struct sv section, struct sv key, struct sv *out, struct err *err)
{
	struct ini_reader reader = ini_read(text);
	struct ini_entry entry;
	struct sv found = *out;

	while (ini_next(&reader, &entry))
		if (sv_eq(entry.section, section) && sv_eq_nocase(entry.key, key))
			found = entry.value;
	if (reader.err.kind != ERR_NONE) {
		*err = reader.err;
		return false;
	}
	*out = found;
	return true;
}

/* Entries are parts of the text, each within one line; what was read last under a
 * name is what ini_get() finds; and failure names a line that exists. */
#include "text/ini.h"

#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_part(struct sv text, struct sv part)
{
	BUG_ON(part.len > text.len);
	BUG_ON(part.len > 0 && (part.ptr < text.ptr || part.ptr + part.len > text.ptr + text.len));
	BUG_ON(sv_find_char(part, '\n') != SIZE_MAX);
	BUG_ON(!sv_eq(part, sv_trim(part)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	defer(mem_freep) char *copy = xmemdup(data, size); /* reading on is caught */
	struct sv text = sv_from(copy, size), rest = text, line, found = SV_EMPTY;
	struct ini_entry entry, last = { .key = SV_EMPTY };
	struct ini_reader reader = ini_read(text);
	struct err err = ERR_INIT;
	size_t lines = 0;
	bool ok;

	while (sv_cut_line(&rest, &line))
		lines++;
	while (ini_next(&reader, &entry)) {
		check_part(text, entry.section);
		check_part(text, entry.key);
		check_part(text, entry.value);
		BUG_ON(entry.key.len == 0 || reader.line > lines);
		last = entry;
	}
	BUG_ON(reader.line > lines || ini_next(&reader, &entry));
	ok = ini_get(text, last.section, last.key, &found, &err);
	BUG_ON(ok != (reader.err.kind == ERR_NONE));
	BUG_ON(ok && last.key.len > 0 && !sv_eq(found, last.value));
	BUG_ON(!ok && found.len > 0);
	return 0;
}

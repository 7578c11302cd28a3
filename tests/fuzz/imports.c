/* Every path is a part of the text that stands behind an "@" (but for "\ "), in
 * order; nothing that comes before a blank line changes what is found after it, and
 * within a fence nothing is found at all. */
#include "context/imports.h"

#include "base/limits.h"
#include "base/mem.h"
#include "context/visible_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_path(struct sv path)
{
	BUG_ON(path.len == 0 || path.len > LIMIT_PATH);
	for (size_t i = 0; i < path.len; i++)
		BUG_ON((unsigned char)path.ptr[i] < ' ' || strchr("`<>\"|#", path.ptr[i]));
}

/* The paths of the text, one a line. */
static void list(struct str *out, struct sv text)
{
	defer(str_clear) struct str path = STR_INIT;
	struct imports imports = imports_in(text);
	size_t before = 0;

	while (imports_next(&imports, &path)) {
		check_path(sv_of(&path));
		BUG_ON(imports.at <= before || imports.at > text.len);
		BUG_ON(sv_find_char(sv_slice(text, before, imports.at), '@') == SIZE_MAX);
		BUG_ON(path.len > imports.at - before);
		before = imports.at;
		str_add(out, sv_of(&path));
		str_addc(out, '\n');
	}
	BUG_ON(imports_next(&imports, &path));
}

static void check_after_paragraph(struct sv text, struct sv expected)
{
	defer(str_clear) struct str longer = STR_INIT;
	defer(str_clear) struct str found = STR_INIT;

	str_adds(&longer, "@first.md `\n\n");
	str_add(&longer, text);
	list(&found, sv_of(&longer));
	BUG_ON(!sv_starts(sv_of(&found), SV("first.md\n")));
	BUG_ON(!sv_eq(sv_skip(sv_of(&found), strlen("first.md\n")), expected));
}

static void check_in_fence(struct sv text)
{
	defer(str_clear) struct str fenced = STR_INIT;
	defer(str_clear) struct str found = STR_INIT;

	for (size_t i = 0; i < text.len + 3; i++)
		str_addc(&fenced, '~');
	str_addc(&fenced, '\n');
	str_add(&fenced, text);
	list(&found, sv_of(&fenced));
	BUG_ON(found.len > 0);
}

/* What the scanner is given in earnest has been through this. */
static void check_visible(struct sv text)
{
	defer(str_clear) struct str once = STR_INIT;
	defer(str_clear) struct str twice = STR_INIT;

	visible_text(&once, text);
	BUG_ON(once.len > 3 * text.len);
	BUG_ON(visible_text(&twice, sv_of(&once)) != 0 || !sv_eq(sv_of(&once), sv_of(&twice)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	defer(mem_freep) char *copy = xmemdup(data, size); /* reading on is caught */
	defer(str_clear) struct str found = STR_INIT;
	struct sv text = sv_from(copy, size);

	list(&found, text);
	check_after_paragraph(text, sv_of(&found));
	check_in_fence(text);
	check_visible(text);
	return 0;
}

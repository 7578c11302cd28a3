#include "text/front_matter_repair.h"

#include "base/ascii.h"

/* The length of a key at the start of the line, before its colon; 0: the line has none. */
static size_t front_matter_key(struct sv line)
{
	size_t n = 0;

	while (n < line.len && (ascii_is_word(line.ptr[n]) || line.ptr[n] == '-'))
		n++;
	return n && n + 1 < line.len && line.ptr[n] == ':' && ascii_is_blank(line.ptr[n + 1]) ? n
											      : 0;
}

/* Whether a value is a list on one line, and nothing comes after it. */
static bool front_matter_is_list(struct sv value)
{
	return sv_starts(value, SV("[")) && sv_find_char(value, ']') == value.len - 1 &&
	       sv_find(value, SV(": ")) == SIZE_MAX;
}

/* Whether a value is quoted, a list or continued below, so that it is not touched. */
static bool front_matter_is_fine(struct sv value)
{
	return !value.len || sv_find_char(SV("\"'|>"), value.ptr[0]) != SIZE_MAX ||
	       front_matter_is_list(value);
}

static void front_matter_add_quoted(struct str *out, struct sv value)
{
	str_addc(out, '"');
	for (size_t i = 0; i < value.len; i++) {
		if (value.ptr[i] == '"' || value.ptr[i] == '\\')
			str_addc(out, '\\');
		str_addc(out, value.ptr[i]);
	}
	str_addc(out, '"');
}

static void front_matter_add_line(struct str *out, struct sv line)
{
	size_t key = front_matter_key(line);
	struct sv value = key ? sv_trim(sv_skip(line, key + 1)) : SV_EMPTY;

	if (!key || front_matter_is_fine(value)) {
		str_addf(out, "%.*s\n", SV_ARG(line));
		return;
	}
	str_addf(out, "%.*s: ", SV_ARG(sv_slice(line, 0, key)));
	front_matter_add_quoted(out, value);
	str_addc(out, '\n');
}

/* Whether text begins like a block whose end is missing: `---`, and a line with a key. */
static bool front_matter_is_open(struct sv text)
{
	struct sv line, next;

	if (sv_starts(text, SV("\xef\xbb\xbf")))
		text = sv_skip(text, 3);
	return sv_cut_line(&text, &line) && sv_is(sv_trim(line), "---") &&
	       sv_cut_line(&text, &next) && front_matter_key(next);
}

/* Parse the block again, with each value on one line as the text that it is. */
static bool front_matter_mend(struct front_matter *out, struct sv text)
{
	defer(str_clear) struct str mended = STR_INIT;
	struct err ignored = ERR_INIT;
	struct sv rest = text, line;
	struct front_matter found;

	if (!sv_cut_line(&rest, &line)) /* the line that opens the block */
		return false;
	str_adds(&mended, "---\n");
	while (sv_cut_line(&rest, &line) && !sv_is(sv_trim(line), "---"))
		front_matter_add_line(&mended, line);
	str_adds(&mended, "---\n");
	if (!front_matter_parse(&found, sv_of(&mended), &ignored))
		return false;
	*out = (struct front_matter){ .meta = found.meta, .body = rest };
	return true;
}

bool front_matter_parse_kindly(struct front_matter *out, struct sv text, struct err *err)
{
	struct front_matter found;

	if (!front_matter_parse(&found, text, err))
		return front_matter_mend(out, text);
	if (!found.meta && front_matter_is_open(text))
		return err_set(err, ERR_PARSE,
			       "line 1: the front matter that begins here has no end; put a line "
			       "with only --- after it");
	*out = found;
	return true;
}

#include "model/catalogue/spelling.h"

#include "base/ascii.h"
#include "model/catalogue/models.h"
#include "model/catalogue/models_data.h"

enum { DATE_LENGTH = 8 };

bool model_family_next(size_t *at, struct sv *family)
{
	while (*at < model_aliases_count) {
		const struct model_alias *alias = &model_aliases[(*at)++];

		if (sv_starts(alias->id, SV("claude-")) &&
		    sv_starts(sv_skip(alias->id, strlen("claude-")), alias->alias)) {
			*family = alias->alias;
			return true;
		}
	}
	return false;
}

/* --- versions --------------------------------------------------------------------------- */

static size_t spelling_digits_at(struct sv text, size_t at)
{
	size_t n = 0;

	while (at + n < text.len && ascii_is_digit(text.ptr[at + n]))
		n++;
	return n;
}

/* Read a number of one or two digits that is not part of a word. Longer numbers are dates. */
static int spelling_take_number(struct sv text, size_t *at)
{
	size_t from = *at, n;
	int value = 0;

	if (from < text.len && !ascii_is_lower(text.ptr[from]) && !ascii_is_digit(text.ptr[from]))
		from++;
	n = spelling_digits_at(text, from);
	if (n == 0 || n > 2 || (from + n < text.len && ascii_is_lower(text.ptr[from + n])))
		return -1;
	for (size_t i = 0; i < n; i++)
		value = value * 10 + (text.ptr[from + i] - '0');
	*at = from + n;
	return value;
}

/* Read such a number that ends, with a separator, just before `*at`. */
static int spelling_take_number_before(struct sv text, size_t *at)
{
	size_t end = *at, from;

	if (end == 0 || ascii_is_lower(text.ptr[end - 1]) || ascii_is_digit(text.ptr[end - 1]))
		return -1;
	for (from = --end; from > 0 && ascii_is_digit(text.ptr[from - 1]);)
		from--;
	if (from == end || end - from > 2 || (from > 0 && ascii_is_lower(text.ptr[from - 1])))
		return -1;
	*at = from;
	return spelling_take_number(text, &(size_t){ from });
}

static struct sv spelling_find_date(struct sv text)
{
	size_t latest = sv_find(text, SV("latest"));

	for (size_t i = 0, n; i < text.len; i += max_of(n, (size_t)1)) {
		n = spelling_digits_at(text, i);
		if (n == DATE_LENGTH)
			return sv_slice(text, i, i + n);
	}
	return latest == SIZE_MAX ? SV_EMPTY : sv_slice(text, latest, latest + strlen("latest"));
}

static void spelling_read_version(struct sv text, size_t from, size_t to, struct model_version *out)
{
	size_t after = to, before = from;
	int first, second;

	*out = (struct model_version){ .major = spelling_take_number(text, &after), .minor = -1 };
	out->date = spelling_find_date(sv_skip(text, to));
	if (out->major >= 0) {
		out->minor = spelling_take_number(text, &after);
		return;
	}
	second = spelling_take_number_before(text, &before); /* "claude-3-7-sonnet" */
	first = second < 0 ? -1 : spelling_take_number_before(text, &before);
	out->major = first < 0 ? second : first;
	out->minor = first < 0 ? -1 : second;
}

bool model_version_next(struct sv lower, struct sv family, size_t *at, struct model_version *out)
{
	while (*at < lower.len) {
		size_t found = sv_find(sv_skip(lower, *at), family);
		size_t from = *at + found, to = from + family.len;

		if (found == SIZE_MAX)
			break;
		*at = to;
		if ((from > 0 && ascii_is_lower(lower.ptr[from - 1])) ||
		    (to < lower.len && ascii_is_lower(lower.ptr[to])))
			continue;
		spelling_read_version(lower, from, to, out);
		return true;
	}
	return false;
}

bool model_family_of(struct sv lower, struct sv *family)
{
	struct model_version ignored;

	for (size_t at = 0; model_family_next(&at, family);)
		if (model_version_next(lower, *family, &(size_t){ 0 }, &ignored))
			return true;
	return false;
}

/* --- spellings -------------------------------------------------------------------------- */

void model_spelling_init(struct model_spelling *out, struct sv id)
{
	struct sv text = sv_trim(id);

	*out = (struct model_spelling){ .text = STR_INIT };
	text = sv_slice(text, 0, sv_find_char(text, '['));
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		str_addc(&out->text, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
	}
	out->bare = model_bare_id(sv_of(&out->text));
	out->undated = model_undated_id(out->bare);
}

void model_spelling_clear(struct model_spelling *spelling)
{
	str_clear(&spelling->text);
}

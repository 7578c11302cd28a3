#include "perm/command/variable_values.h"

bool likely_take(struct likely *likely, size_t bytes)
{
	bool fits = bytes <= likely->left;

	likely->left -= fits ? bytes : likely->left;
	return fits;
}

void likely_set(struct likely *likely, struct sv name, const struct sv *text, bool is_only)
{
	struct likely_value value = { .is_only = is_only,
				      .known = text && likely_take(likely, text->len + 64) };

	value.name = arena_dup(likely->arena, name);
	if (value.known)
		value.text = arena_dup(likely->arena, *text);
	vec_push(&likely->all, value);
}

static bool has(const struct sv *values, size_t n, struct sv text)
{
	for (size_t i = 0; i < n; i++)
		if (sv_eq(values[i], text))
			return true;
	return false;
}

size_t likely_find(const struct likely *likely, struct sv name, struct sv out[LIKELY_VALUES])
{
	size_t n = 0;

	for (size_t i = likely->all.n; i-- > 0;) {
		const struct likely_value *value = &likely->all.at[i];

		if (!sv_eq(value->name, name))
			continue;
		if (value->known && !has(out, n, value->text)) {
			if (n == LIKELY_VALUES)
				return LIKELY_VALUES + 1;
			out[n++] = value->text;
		}
		if (value->is_only)
			break;
	}
	return n;
}

void likely_clear(struct likely *likely)
{
	vec_clear(&likely->all);
}

#include "perm/command/variable_values.h"

bool variable_values_reserve(struct variable_values *values, size_t bytes)
{
	bool fits = bytes <= values->left;

	values->left -= fits ? bytes : values->left;
	return fits;
}

void variable_values_set(struct variable_values *values, struct sv name, const struct sv *text,
			 bool is_only)
{
	struct variable_value value = {
		.is_only = is_only, .known = text && variable_values_reserve(values, text->len + 64)
	};

	value.name = arena_dup(values->arena, name);
	if (value.known)
		value.text = arena_dup(values->arena, *text);
	vec_push(&values->all, value);
}

void variable_values_remove(struct variable_values *values, size_t from, size_t n)
{
	struct variable_value *at = values->all.at;

	if (n)
		memmove(at + from, at + from + n, (values->all.n - from - n) * sizeof(*at));
	values->all.n -= n;
}

static bool variable_values_has(const struct sv *values, size_t n, struct sv text)
{
	for (size_t i = 0; i < n; i++)
		if (sv_eq(values[i], text))
			return true;
	return false;
}

size_t variable_values_find(const struct variable_values *values, struct sv name,
			    struct sv out[VARIABLE_VALUES_MAX])
{
	size_t n = 0;

	for (size_t i = values->all.n; i-- > 0;) {
		const struct variable_value *value = &values->all.at[i];

		if (!sv_eq(value->name, name))
			continue;
		if (value->known && !variable_values_has(out, n, value->text)) {
			if (n == VARIABLE_VALUES_MAX)
				return VARIABLE_VALUES_MAX + 1;
			out[n++] = value->text;
		}
		if (value->is_only)
			break;
	}
	return n;
}

void variable_values_clear(struct variable_values *values)
{
	vec_clear(&values->all);
}

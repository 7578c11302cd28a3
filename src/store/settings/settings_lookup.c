/* Finds rows of the table and checks values against them. */
#include "store/settings/settings_keys.h"
#include "text/nearest.h"

/* Compares with a name of the table, which is padded with NUL bytes and longer than `name`. */
static int setting_compare(struct sv name, const char *row)
{
	int order = memcmp(name.ptr, row, name.len);

	return order ? order : -(row[name.len] != '\0');
}

const struct setting *setting_find(struct sv name)
{
	size_t from = 0, to = settings_table_size;

	if (!name.len || name.len >= sizeof(settings_table[0].name) ||
	    !name.ptr[name.len - 1]) /* a NUL byte would be taken for padding */
		return NULL;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		int order = setting_compare(name, settings_table[middle].name);

		if (order == 0)
			return &settings_table[middle];
		if (order < 0)
			to = middle;
		else
			from = middle + 1;
	}
	return NULL;
}

static struct sv settings_lookup_last_part(struct sv name)
{
	size_t dot = sv_rfind_char(name, '.');

	return dot == SIZE_MAX ? name : sv_skip(name, dot + 1);
}

/* Also finds a key by its last part: "defaultMode". */
struct sv setting_nearest(struct sv name)
{
	struct nearest best = NEAREST_INIT;

	for (size_t i = 0; i < settings_table_size; i++)
		nearest_offer(&best, name, sv_cstr(settings_table[i].name));
	for (size_t i = 0; i < settings_table_size && !best.word.len; i++)
		if (sv_eq_nocase(settings_lookup_last_part(sv_cstr(settings_table[i].name)), name))
			best.word = sv_cstr(settings_table[i].name);
	return best.word;
}

size_t setting_steps(struct sv key, struct sv steps[SETTING_STEPS])
{
	struct sv rest = key, step;
	size_t n = 0;

	while (n < SETTING_STEPS - 1 && rest.len && sv_cut(&rest, '.', &step)) {
		const struct setting *row =
			setting_find(sv_slice(key, 0, (size_t)(step.ptr + step.len - key.ptr)));

		if (n == 0 && row && *row->same_as)
			step = sv_cstr(row->same_as);
		steps[n++] = step;
		if (row && !(row->type & SETTING_OBJECT))
			break;
	}
	if (rest.len)
		steps[n++] = rest;
	return n;
}

const struct setting *setting_of(struct json_steps steps, size_t *used)
{
	defer(str_clear) struct str path = STR_INIT;
	const struct setting *row = NULL, *found;

	*used = 0;
	for (size_t i = 0; i < steps.n && sv_find_char(steps.at[i], '.') == SIZE_MAX; i++) {
		if (i)
			str_addc(&path, '.');
		str_add(&path, steps.at[i]);
		found = setting_find(sv_of(&path));
		if (!found)
			break;
		row = found;
		*used = i + 1;
		if (!(row->type & SETTING_OBJECT))
			break;
	}
	return row;
}

/* --- types -------------------------------------------------------------------------- */

static bool settings_lookup_is_word(const char *words, struct sv word)
{
	struct sv rest = sv_cstr(words), one;

	while (sv_cut(&rest, ' ', &one))
		if (sv_eq(one, word))
			return true;
	return false;
}

static bool settings_lookup_number_fits(const struct setting *row, unsigned types,
					struct json value)
{
	bool any = !row->min && !row->max;
	int64_t n;
	double x;

	if (types & SETTING_INT && json_int(value, &n))
		return any || (n >= row->min && n <= row->max);
	if (types & SETTING_NUMBER && json_real(value, &x))
		return any || (x >= (double)row->min && x <= (double)row->max);
	return false;
}

static bool settings_lookup_string_fits(const struct setting *row, unsigned types,
					struct json value)
{
	struct sv text = json_str_or(value, SV_EMPTY);

	if (types & SETTING_STRING)
		return sv_find_char(text, '\0') == SIZE_MAX;
	return types & SETTING_WORD && settings_lookup_is_word(row->words, text);
}

/* Checks the type of a value, but not of its parts. */
static bool is_of(const struct setting *row, unsigned types, struct json value)
{
	switch (json_type(value)) {
	case JSON_BOOL: return types & SETTING_BOOL;
	case JSON_NUMBER: return settings_lookup_number_fits(row, types, value);
	case JSON_STRING: return settings_lookup_string_fits(row, types, value);
	case JSON_ARRAY: return types & SETTING_LIST;
	case JSON_OBJECT: return types & (SETTING_MAP | SETTING_OBJECT);
	case JSON_MISSING:
	case JSON_NULL: break;
	}
	return false;
}

bool setting_part_fits(const struct setting *row, struct json part)
{
	unsigned types = row->type >> SETTING_TYPES;

	return !types || is_of(row, types, part);
}

/* Returns the next part that has the wrong type; missing: there is none. */
static struct json settings_lookup_next_misfit(const struct setting *row, struct json_iter *it)
{
	struct json part;

	while (json_next(it, NULL, &part))
		if (!setting_part_fits(row, part) && !(it->keyed && json_is(part, JSON_NULL)))
			return part;
	return (struct json){ NULL };
}

struct json setting_misfit(const struct setting *row, struct json value)
{
	unsigned types = row->type & (SETTING_OF(1) - 1);
	struct json_iter it = json_each(value);

	if (types && !is_of(row, types, value))
		return value;
	return settings_lookup_next_misfit(row, &it);
}

size_t setting_count_misfits(const struct setting *row, struct json value)
{
	struct json_iter it = json_each(value);
	size_t n = 0;

	while (json_exists(settings_lookup_next_misfit(row, &it)))
		n++;
	return n;
}

/* --- types in words -------------------------------------------------------------------- */

static void settings_lookup_add_words(struct str *out, const struct setting *row)
{
	struct sv rest = sv_cstr(row->words), word;

	for (const char *before = ""; sv_cut(&rest, ' ', &word); before = ", ")
		str_addf(out, "%s\"%.*s\"", before, SV_ARG(word));
}

static void settings_lookup_add_choice(struct str *out, const struct setting *row)
{
	if (strchr(row->words, ' '))
		str_adds(out, "one of ");
	settings_lookup_add_words(out, row);
}

static void settings_lookup_add_number(struct str *out, const struct setting *row, const char *kind)
{
	str_adds(out, kind);
	if (row->max == INT32_MAX)
		str_addf(out, " from %lld", (long long)row->min);
	else if (row->min || row->max)
		str_addf(out, " from %lld to %lld", (long long)row->min, (long long)row->max);
}

/* Appends the type of the parts of a list or map: " of strings". */
static void settings_lookup_add_parts(struct str *out, const struct setting *row)
{
	unsigned types = row->type >> SETTING_TYPES;

	if (types == SETTING_WORD) {
		str_adds(out, " of ");
		settings_lookup_add_words(out, row);
	} else if (types == SETTING_LIST) {
		str_adds(out, " of lists");
	} else if (types == SETTING_MAP) {
		str_adds(out, " of objects");
	} else if (types & SETTING_STRING) {
		str_adds(out, types == (SETTING_STRING | SETTING_MAP) ? " of strings or objects"
								      : " of strings");
	}
}

static void settings_lookup_add_type(struct str *out, const struct setting *row, unsigned type)
{
	switch (type) {
	case SETTING_STRING: str_adds(out, "a string"); break;
	case SETTING_BOOL: str_adds(out, "true or false"); break;
	case SETTING_INT: settings_lookup_add_number(out, row, "an integer"); break;
	case SETTING_NUMBER: settings_lookup_add_number(out, row, "a number"); break;
	case SETTING_WORD: settings_lookup_add_choice(out, row); break;
	case SETTING_LIST: str_adds(out, "a list"); break;
	default: str_adds(out, "an object"); break;
	}
	if (type & (SETTING_LIST | SETTING_MAP))
		settings_lookup_add_parts(out, row);
}

void setting_expected(struct str *out, const struct setting *row)
{
	size_t before = out->len;

	for (unsigned type = 1; type < SETTING_OF(1); type <<= 1) {
		if (!(row->type & type))
			continue;
		if (out->len > before)
			str_adds(out, " or ");
		settings_lookup_add_type(out, row, type);
	}
	if (out->len == before)
		str_adds(out, "anything");
}

/* --- who ------------------------------------------------------------------------------- */

bool setting_may_be_from(const struct setting *row, enum settings_source source)
{
	switch (row->from) {
	case SETTING_FROM_ALL: return source != SETTINGS_GLOBAL;
	case SETTING_FROM_USER: return source != SETTINGS_GLOBAL && !settings_are_projects(source);
	case SETTING_FROM_LOCAL: return source != SETTINGS_GLOBAL && source != SETTINGS_PROJECT;
	case SETTING_FROM_POLICY: return source == SETTINGS_POLICY;
	case SETTING_FROM_GLOBAL: return source == SETTINGS_GLOBAL;
	}
	return false;
}

bool setting_may_have(const struct setting *row, enum settings_source source, struct json value)
{
	return setting_may_be_from(row, source) &&
	       (!settings_are_projects(source) || !*row->project_words ||
		settings_lookup_is_word(row->project_words, json_str_or(value, SV_EMPTY)));
}

static bool is_member(const struct setting *row, const struct setting *of)
{
	struct sv name = sv_cstr(row->name), object = sv_cstr(of->name);

	return sv_starts(name, object) && sv_starts(sv_skip(name, object.len), SV("."));
}

static enum setting_applies setting_own_applies(const struct setting *row)
{
	if (row->no_effect)
		return SETTING_NO_EFFECT;
	return row->is_live ? SETTING_APPLIES_NOW : SETTING_NEXT_SESSION;
}

/* The rows of an object's members follow that of the object. */
enum setting_applies setting_applies(const struct setting *row)
{
	const struct setting *end = settings_table + settings_table_size;
	enum setting_applies soonest = SETTING_NO_EFFECT;

	if (*row->same_as)
		row = setting_find(sv_cstr(row->same_as));
	if (!(row->type & SETTING_OBJECT))
		return setting_own_applies(row);
	for (const struct setting *r = row + 1; r < end && is_member(r, row); r++)
		if (!(r->type & SETTING_OBJECT))
			soonest = min_of(soonest, setting_own_applies(r));
	return soonest;
}

const char *setting_applies_text(enum setting_applies when)
{
	static const char *const texts[] = { [SETTING_APPLIES_NOW] = "applies at once",
					     [SETTING_NEXT_SESSION] = "applies to new sessions",
					     [SETTING_NO_EFFECT] = "has no effect yet" };

	return texts[when];
}

bool setting_only_restricts(const struct setting *row, struct json value)
{
	bool b = false;

	if (*row->restricting_words)
		return settings_lookup_is_word(row->restricting_words,
					       json_str_or(value, SV_EMPTY));
	if (!row->restricts)
		return false;
	if (row->merge != SETTING_TRUE && row->merge != SETTING_FALSE)
		return true;
	return json_bool(value, &b) && b == (row->merge == SETTING_TRUE);
}

void settings_compare(const struct settings *before, const struct settings *after,
		      void (*each)(void *arg, const struct setting *key), void *arg)
{
	for (size_t i = 0; i < settings_table_size; i++) {
		const struct setting *row = &settings_table[i];

		if (!(row->type & SETTING_OBJECT) && !*row->same_as &&
		    !json_equal(settings_get(before, row->name), settings_get(after, row->name)))
			each(arg, row);
	}
}

#include "front/question/fields.h"

#include "base/utf8.h"

void fields_clear(struct fields *f)
{
	for (size_t i = 0; i < f->list.n; i++)
		str_clear(&f->list.at[i].text);
	vec_clear(&f->list);
	json_doc_free(f->doc);
	f->doc = NULL;
}

/* --- the schema ------------------------------------------------------------------------ */

static struct sv fields_text_of(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

/* Where the options of a field are listed. */
static struct json fields_choices(const struct field *field)
{
	struct json from =
		field->kind == FIELD_SEVERAL ? json_get(field->schema, "items") : field->schema;
	static const char *const names[] = { "enum", "oneOf", "anyOf" };

	for (size_t i = 0; i < countof(names); i++)
		if (json_is(json_get(from, names[i]), JSON_ARRAY))
			return json_get(from, names[i]);
	return (struct json){ NULL };
}

/* The value that an option stands for. */
static struct json fields_constant(const struct field *field, size_t option)
{
	struct json item = json_at(fields_choices(field), option);

	return json_is(item, JSON_OBJECT) ? json_get(item, "const") : item;
}

static enum field_kind fields_kind(struct json schema)
{
	struct sv type = fields_text_of(schema, "type");
	const struct field probe = { .schema = schema, .kind = FIELD_ONE };

	if (sv_is(type, "array"))
		return FIELD_SEVERAL;
	if (sv_is(type, "boolean"))
		return FIELD_BOOLEAN;
	if (json_len(fields_choices(&probe)))
		return FIELD_ONE;
	return sv_is(type, "number")    ? FIELD_NUMBER
	       : sv_is(type, "integer") ? FIELD_INTEGER
					: FIELD_TEXT;
}

static bool fields_names(struct json list, struct sv key)
{
	struct json_iter it = json_each(list);
	struct json item;

	while (json_next(&it, NULL, &item))
		if (sv_eq(json_str_or(item, SV_EMPTY), key))
			return true;
	return false;
}

/* --- defaults ---------------------------------------------------------------------------- */

static void fields_choose_value(struct field *field, struct json value)
{
	for (size_t i = 0; i < field->noptions; i++)
		if (json_equal(fields_constant(field, i), value))
			field->is_chosen[i] = true;
}

static void fields_take_default(struct field *field)
{
	struct json usual = json_get(field->schema, "default"), item;
	struct json_iter it = json_each(usual);
	bool is_on;
	double number;

	if (field->kind == FIELD_BOOLEAN) {
		if (json_bool(usual, &is_on))
			field->is_chosen[is_on ? 0 : 1] = true;
	} else if (field->kind == FIELD_SEVERAL) {
		while (json_next(&it, NULL, &item))
			fields_choose_value(field, item);
	} else if (field->noptions) {
		fields_choose_value(field, usual);
	} else if (json_is_integer(usual)) {
		str_addf(&field->text, "%lld", (long long)json_int_or(usual, 0));
	} else if (json_real(usual, &number)) {
		str_addf(&field->text, "%g", number);
	} else {
		str_add(&field->text, json_str_or(usual, SV_EMPTY));
	}
}

void fields_begin(struct fields *f, struct json schema)
{
	struct json_iter it;
	struct json value;
	struct sv key;

	fields_clear(f);
	f->doc = json_copy(schema);
	schema = json_root(f->doc);
	it = json_each(json_get(schema, "properties"));
	while (it.keyed && json_next(&it, &key, &value) && f->list.n < FIELDS_MOST) {
		struct field *field = vec_add(&f->list);

		field->key = key;
		field->schema = value;
		field->kind = fields_kind(value);
		field->is_required = fields_names(json_get(schema, "required"), key);
		field->noptions = field->kind == FIELD_BOOLEAN
					  ? 2
					  : min_of(json_len(fields_choices(field)),
						   (size_t)FIELDS_MOST_OPTIONS);
		fields_take_default(field);
	}
}

/* --- what is shown ------------------------------------------------------------------------ */

size_t fields_count(const struct fields *f)
{
	return f->list.n;
}

const struct field *fields_at(const struct fields *f, size_t i)
{
	return &f->list.at[i];
}

struct sv fields_title(const struct fields *f, size_t i)
{
	struct sv title = sv_trim(fields_text_of(f->list.at[i].schema, "title"));

	return title.len ? title : f->list.at[i].key;
}

struct sv fields_description(const struct fields *f, size_t i)
{
	return sv_trim(fields_text_of(f->list.at[i].schema, "description"));
}

struct sv fields_option(const struct fields *f, size_t i, size_t option)
{
	const struct field *field = &f->list.at[i];
	struct json item = json_at(fields_choices(field), option);
	struct sv name =
		json_str_or(json_at(json_get(field->schema, "enumNames"), option), SV_EMPTY);

	if (field->kind == FIELD_BOOLEAN)
		return option ? SV("no") : SV("yes");
	if (json_is(item, JSON_OBJECT))
		name = fields_text_of(item, "title");
	return name.len ? name : json_str_or(fields_constant(field, option), SV("?"));
}

void fields_add_value(struct str *out, const struct fields *f, size_t i)
{
	const struct field *field = &f->list.at[i];
	size_t n = 0;

	if (!field->noptions)
		str_add(out, sv_of(&field->text));
	for (size_t k = 0; k < field->noptions; k++) {
		if (!field->is_chosen[k])
			continue;
		str_adds(out, n++ ? ", " : "");
		str_add(out, fields_option(f, i, k));
	}
}

/* --- what the user fills in ------------------------------------------------------------------ */

void fields_set_text(struct fields *f, size_t i, struct sv text)
{
	str_set(&f->list.at[i].text, text);
}

void fields_choose(struct fields *f, size_t i, size_t option)
{
	struct field *field = &f->list.at[i];
	bool was_chosen = field->is_chosen[option];

	if (field->kind != FIELD_SEVERAL)
		memset(field->is_chosen, 0, sizeof(field->is_chosen));
	field->is_chosen[option] =
		!was_chosen || (field->kind != FIELD_SEVERAL && field->is_required);
}

/* The option that a word names: its number, its label or the beginning of one. */
static bool fields_find_option(const struct fields *f, size_t i, struct sv word, size_t *out)
{
	const struct field *field = &f->list.at[i];
	int64_t number;
	size_t n = 0;

	if (sv_to_int(word, &number) && number >= 1 && (size_t)number <= field->noptions) {
		*out = (size_t)number - 1;
		return true;
	}
	for (size_t k = 0; k < field->noptions; k++) {
		struct sv label = fields_option(f, i, k);

		if (sv_eq_nocase(label, word)) {
			*out = k;
			return true;
		}
		if (label.len >= word.len && sv_eq_nocase(sv_slice(label, 0, word.len), word)) {
			*out = k;
			n++;
		}
	}
	return n == 1;
}

bool fields_take(struct fields *f, size_t i, struct sv line, struct str *complaint)
{
	struct field *field = &f->list.at[i];
	bool is_chosen[FIELDS_MOST_OPTIONS] = { false };
	struct sv word;
	size_t option;

	line = sv_trim(line);
	if (!line.len)
		return true;
	if (!field->noptions) {
		fields_set_text(f, i, line);
		return true;
	}
	while (line.len) {
		if (field->kind != FIELD_SEVERAL) {
			word = line;
			line = SV_EMPTY;
		} else if (!sv_cut(&line, ',', &word)) {
			break;
		}
		if (!fields_find_option(f, i, sv_trim(word), &option)) {
			str_adds(complaint, "Type the number of an option.");
			return false;
		}
		is_chosen[option] = true;
	}
	memcpy(field->is_chosen, is_chosen, sizeof(is_chosen));
	return true;
}

/* --- the result ---------------------------------------------------------------------------------- */

static bool fields_is_empty(const struct field *field)
{
	for (size_t k = 0; k < field->noptions; k++)
		if (field->is_chosen[k])
			return false;
	return field->noptions || !field->text.len;
}

static void fields_put_chosen(const struct field *field, struct jw *w)
{
	if (field->kind == FIELD_SEVERAL)
		jw_array(w);
	for (size_t k = 0; k < field->noptions; k++) {
		if (!field->is_chosen[k])
			continue;
		if (field->kind == FIELD_BOOLEAN)
			jw_bool(w, k == 0);
		else
			jw_value(w, fields_constant(field, k));
	}
	if (field->kind == FIELD_SEVERAL)
		jw_end(w);
}

/* A number that was typed is JSON as it is: fields_check() has read it. */
static void fields_put(const struct field *field, struct jw *w)
{
	jw_key(w, field->key);
	if (field->noptions)
		fields_put_chosen(field, w);
	else if (field->kind == FIELD_TEXT)
		jw_str(w, sv_of(&field->text));
	else
		jw_raw(w, sv_trim(sv_of(&field->text)));
}

void fields_write(struct str *out, const struct fields *f)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	for (size_t i = 0; i < f->list.n; i++) {
		const struct field *field = &f->list.at[i];

		if (!fields_is_empty(field) || (field->kind == FIELD_SEVERAL && field->is_required))
			fields_put(field, &w);
	}
	jw_end(&w);
	jw_done(&w);
}

/* Whether a field of a form has a value that its server will accept, and how to say what is wrong. */
#include "base/utf8.h"
#include "front/question/fields.h"
#include "text/iso_time.h"
#include "text/schema/schema.h"
#include "text/url.h"

static bool fields_is_email(struct sv text)
{
	size_t at = sv_rfind_char(text, '@');
	struct sv host = at == SIZE_MAX ? SV_EMPTY : sv_skip(text, at + 1);

	return at != SIZE_MAX && at > 0 && host.len > 2 && sv_find_char(text, ' ') == SIZE_MAX &&
	       sv_find_char(host, '.') != SIZE_MAX && *host.ptr != '.' && !sv_ends(host, SV("."));
}

static bool fields_is_uri(struct sv text)
{
	struct url url = url_split(text);

	return url.scheme.len && (url.authority.len || url.path.len) &&
	       sv_find_char(text, ' ') == SIZE_MAX;
}

/* Years before 1970 are dates too: the same day of a year with the same leap day is checked in their place. */
static bool fields_is_date_time(struct sv text)
{
	defer(str_clear) struct str moved = STR_INIT;
	int64_t year, ignored;

	if (text.len < 5 || text.ptr[4] != '-' || !sv_to_int(sv_slice(text, 0, 4), &year) ||
	    year < 0)
		return false;
	str_addf(&moved, "%lld%.*s", (long long)(2000 + year % 400), SV_ARG(sv_skip(text, 4)));
	return iso_time_parse(sv_of(&moved), &ignored);
}

static bool fields_is_date(struct sv text)
{
	defer(str_clear) struct str full = STR_INIT;

	str_addf(&full, "%.*sT00:00:00Z", SV_ARG(text));
	return text.len == strlen("2026-03-31") && fields_is_date_time(sv_of(&full));
}

static const struct field_format {
	const char *name;
	bool (*fits)(struct sv text);
	const char *expected;
} field_formats[] = {
	{ "email", fields_is_email, "an e-mail address, such as ada@example.com" },
	{ "uri", fields_is_uri, "a URL, such as https://example.com/page" },
	{ "date", fields_is_date, "a date, such as 2026-03-31" },
	{ "date-time", fields_is_date_time, "a date and time, such as 2026-03-31T12:00:00Z" },
};

static const struct field_format *fields_format(const struct field *field)
{
	struct sv name = json_str_or(json_get(field->schema, "format"), SV_EMPTY);

	for (size_t i = 0; i < countof(field_formats); i++)
		if (field->kind == FIELD_TEXT && sv_is(name, field_formats[i].name))
			return &field_formats[i];
	return NULL;
}

/* Append " from A to B", " of at least A" or " of at most B". */
static void fields_add_range(struct str *out, struct json schema, const char *least,
			     const char *most)
{
	double low, high;
	bool has_low = json_real(json_get(schema, least), &low);
	bool has_high = json_real(json_get(schema, most), &high);

	if (has_low && has_high)
		str_addf(out, " from %.15g to %.15g", low, high);
	else if (has_low)
		str_addf(out, " of at least %.15g", low);
	else if (has_high)
		str_addf(out, " of at most %.15g", high);
}

void fields_add_hint(struct str *out, const struct fields *f, size_t i)
{
	const struct field *field = fields_at(f, i);
	const struct field_format *format = fields_format(field);
	defer(str_clear) struct str range = STR_INIT;

	if (format) {
		str_adds(out, format->expected);
	} else if (field->kind == FIELD_NUMBER || field->kind == FIELD_INTEGER) {
		str_adds(out, field->kind == FIELD_NUMBER ? "a number" : "a whole number");
		fields_add_range(out, field->schema, "minimum", "maximum");
	} else if (field->kind == FIELD_TEXT) {
		fields_add_range(&range, field->schema, "minLength", "maxLength");
		if (range.len)
			str_addf(out, "text%s characters", str_c(&range));
	} else if (field->kind == FIELD_SEVERAL) {
		fields_add_range(&range, field->schema, "minItems", "maxItems");
		if (range.len)
			str_addf(out, "choose%s",
				 str_c(&range) + (sv_starts(sv_of(&range), SV(" of")) ? 3 : 0));
	}
}

static bool fields_is_within(struct json schema, const char *least, const char *most, double value)
{
	return value >= json_real_or(json_get(schema, least), value) &&
	       value <= json_real_or(json_get(schema, most), value);
}

static bool fields_check_number(const struct field *field)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		json_parse(sv_trim(sv_of(&field->text)), 0, &err);
	double number;

	return json_real(json_root(doc), &number) &&
	       (field->kind == FIELD_NUMBER || json_is_integer(json_root(doc))) &&
	       fields_is_within(field->schema, "minimum", "maximum", number);
}

/* The length and the pattern; a schema that cannot be read accepts everything. */
static bool fields_check_text(const struct field *field)
{
	defer(str_clear) struct str text = STR_INIT, report = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	defer(schema_freep) struct schema *schema = NULL;
	struct err err = ERR_INIT;
	struct jw w;

	schema = schema_compile(field->schema, &err);
	jw_init(&w, &text, JW_COMPACT);
	jw_str(&w, sv_of(&field->text));
	jw_done(&w);
	doc = json_parse(sv_of(&text), 0, &err);
	return !schema || schema_check(schema, json_root(doc), &report);
}

static size_t fields_count_chosen(const struct field *field)
{
	size_t n = 0;

	for (size_t k = 0; k < field->noptions; k++)
		n += field->is_chosen[k];
	return n;
}

static bool fields_fits(const struct field *field)
{
	const struct field_format *format = fields_format(field);

	switch (field->kind) {
	case FIELD_NUMBER:
	case FIELD_INTEGER: return fields_check_number(field);
	case FIELD_SEVERAL:
		return fields_is_within(field->schema, "minItems", "maxItems",
					(double)fields_count_chosen(field));
	case FIELD_TEXT:
		return (!format || format->fits(sv_of(&field->text))) && fields_check_text(field);
	case FIELD_BOOLEAN:
	case FIELD_ONE: break;
	}
	return true;
}

bool fields_check(const struct fields *f, size_t i, struct str *complaint)
{
	const struct field *field = fields_at(f, i);
	struct sv pattern = json_str_or(json_get(field->schema, "pattern"), SV_EMPTY);
	bool is_empty = field->noptions ? !fields_count_chosen(field) : !field->text.len;
	defer(str_clear) struct str hint = STR_INIT;

	if (is_empty && (!field->is_required || field->kind != FIELD_SEVERAL)) {
		if (field->is_required)
			str_adds(complaint, field->noptions ? "Choose one of the options."
							    : "This field needs a value.");
		return !field->is_required;
	}
	if (fields_fits(field))
		return true;
	fields_add_hint(&hint, f, i);
	if (field->kind == FIELD_SEVERAL)
		str_addf(complaint, "C%s.", str_c(&hint) + 1);
	else if (hint.len)
		str_addf(complaint, "It must be %s.", str_c(&hint));
	else
		str_addf(complaint, "It must match the pattern %.*s.",
			 SV_ARG(utf8_prefix(pattern, 60)));
	return false;
}

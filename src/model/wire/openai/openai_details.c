#include "model/wire/openai/openai_details.h"

#include "base/limits.h"
#include "base/mem.h"

enum { MOST_MEMBERS = 12 };

struct detail_member {
	struct str name, value;
};

struct openai_detail {
	int64_t index;                              /* -1: none */
	struct detail_member members[MOST_MEMBERS]; /* all that are strings */
	size_t n;
};

void openai_details_clear(struct openai_details *details)
{
	for (size_t i = 0; i < details->list.n; i++) {
		struct openai_detail *detail = details->list.at[i];

		for (size_t k = 0; k < detail->n; k++) {
			str_clear(&detail->members[k].name);
			str_clear(&detail->members[k].value);
		}
		free(detail);
	}
	vec_clear(&details->list);
}

static struct detail_member *openai_details_member(struct openai_detail *detail, struct sv name)
{
	for (size_t i = 0; i < detail->n; i++)
		if (sv_eq(sv_of(&detail->members[i].name), name))
			return &detail->members[i];
	if (detail->n == MOST_MEMBERS)
		return NULL;
	str_add(&detail->members[detail->n].name, name);
	return &detail->members[detail->n++];
}

static bool openai_details_is(struct openai_detail *detail, struct sv type, int64_t index)
{
	const struct detail_member *own = openai_details_member(detail, SV("type"));

	return own && detail->index == index && sv_eq(sv_of(&own->value), type);
}

/* Without an index only the last element can grow. */
static struct openai_detail *openai_details_find(struct openai_details *details, struct sv type,
						 int64_t index)
{
	size_t first = index < 0 && details->list.n > 0 ? details->list.n - 1 : 0;

	for (size_t i = first; i < details->list.n; i++)
		if (openai_details_is(details->list.at[i], type, index))
			return details->list.at[i];
	return NULL;
}

static struct openai_detail *openai_details_new(struct openai_details *details, int64_t index,
						struct err *err)
{
	struct openai_detail *detail;

	if (details->list.n == LIMIT_MODEL_BLOCKS) {
		err_set(err, ERR_TOO_BIG, "the response has more than %d reasoning details",
			LIMIT_MODEL_BLOCKS);
		return NULL;
	}
	detail = xnew(struct openai_detail);
	detail->index = index;
	vec_push(&details->list, detail);
	return detail;
}

static bool openai_details_grows(struct sv name)
{
	return sv_is(name, "text") || sv_is(name, "summary") || sv_is(name, "data");
}

static bool openai_details_add_one(struct openai_details *details, struct json element,
				   struct err *err)
{
	struct sv type = json_str_or(json_get(element, "type"), SV_EMPTY), name, text;
	int64_t index = json_int_or(json_get(element, "index"), -1);
	struct openai_detail *detail = openai_details_find(details, type, index);
	struct json_iter it = json_each(element);
	struct json value;

	if (!detail)
		detail = openai_details_new(details, index, err);
	while (detail && json_next(&it, &name, &value)) {
		struct detail_member *member =
			json_str(value, &text) ? openai_details_member(detail, name) : NULL;

		if (!member)
			continue;
		details->size += text.len;
		if (details->size > LIMIT_MODEL_OPEN)
			return err_set(err, ERR_TOO_BIG, "the reasoning details exceed %zu MiB",
				       LIMIT_MODEL_OPEN / MIB);
		if (openai_details_grows(name))
			str_add(&member->value, text);
		else
			str_set(&member->value, text);
	}
	return detail;
}

bool openai_details_add(struct openai_details *details, struct json array, struct err *err)
{
	struct json_iter it = json_each(array);
	struct json element;

	while (json_is(array, JSON_ARRAY) && json_next(&it, NULL, &element))
		if (json_is(element, JSON_OBJECT) && !openai_details_add_one(details, element, err))
			return false;
	return true;
}

void openai_details_write(const struct openai_details *details, struct jw *w)
{
	jw_array(w);
	for (size_t i = 0; i < details->list.n; i++) {
		const struct openai_detail *detail = details->list.at[i];

		jw_object(w);
		for (size_t k = 0; k < detail->n; k++) {
			jw_key(w, sv_of(&detail->members[k].name));
			jw_str(w, sv_of(&detail->members[k].value));
		}
		if (detail->index >= 0)
			jw_put_int(w, "index", detail->index);
		jw_end(w);
	}
	jw_end(w);
}

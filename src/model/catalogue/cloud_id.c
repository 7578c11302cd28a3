#include "model/catalogue/cloud_id.h"

#include "base/ascii.h"
#include "model/catalogue/models_data.h"

enum { DATE_LENGTH = 8 };

/* Clouds name the older models by their snapshot. */
static const struct snapshot {
	struct sv id;
	const char *date;
} snapshots[] = {
	{ SV_INIT("claude-3-5-haiku"), "20241022" }, { SV_INIT("claude-3-7-sonnet"), "20250219" },
	{ SV_INIT("claude-sonnet-4"), "20250514" },  { SV_INIT("claude-opus-4"), "20250514" },
	{ SV_INIT("claude-opus-4-1"), "20250805" },  { SV_INIT("claude-sonnet-4-5"), "20250929" },
	{ SV_INIT("claude-haiku-4-5"), "20251001" }, { SV_INIT("claude-opus-4-5"), "20251101" },
};

/* Return whether the id is Anthropic's own for a model of the table, with or without a date. */
static bool cloud_id_is_first_party(struct sv id)
{
	for (size_t i = 0; i < id.len; i++)
		if (!ascii_is_alnum(id.ptr[i]) && id.ptr[i] != '-')
			return false;
	if (!sv_starts(id, SV("claude-")))
		return false;
	id = model_undated_id(id);
	for (size_t i = 0; i < model_rows_count; i++)
		if (sv_eq(model_rows[i].id, id))
			return true;
	return false;
}

/* Return the date that the id ends with, or the date of its snapshot; empty: neither. */
static struct sv cloud_id_date(struct sv id, struct sv undated)
{
	struct sv date = sv_skip(id, min_of(undated.len + 1, id.len));

	if (date.len == DATE_LENGTH)
		return date;
	for (size_t i = 0; i < countof(snapshots); i++)
		if (sv_eq(snapshots[i].id, undated))
			return sv_cstr(snapshots[i].date);
	return SV_EMPTY;
}

static const char *cloud_id_regions(struct sv region)
{
	static const struct {
		struct sv start;
		const char *regions;
	} known[] = {
		{ SV_INIT("us-gov-"), "us-gov" },
		{ SV_INIT("us-"), "us" },
		{ SV_INIT("eu-"), "eu" },
		{ SV_INIT("ap-"), "apac" },
	};

	for (size_t i = 0; i < countof(known); i++)
		if (sv_starts(region, known[i].start))
			return known[i].regions;
	return "global";
}

static struct sv cloud_id_bedrock(struct arena *arena, struct sv region,
				  const struct model_table *table, struct sv undated,
				  struct sv date)
{
	struct sv model = arena_printf(arena, "anthropic.%.*s", SV_ARG(undated)), profile;

	if (date.len)
		model = arena_printf(arena, "%.*s-%.*s-v1:0", SV_ARG(model), SV_ARG(date));
	else if (sv_is(undated, "claude-opus-4-6"))
		model = arena_printf(arena, "%.*s-v1", SV_ARG(model));
	profile = model_table_profile(table, model);
	if (profile.len)
		return arena_dup(arena, profile);
	return arena_printf(arena, "%s.%.*s", cloud_id_regions(region), SV_ARG(model));
}

struct sv model_cloud_id(struct arena *arena, enum model_provider provider, struct sv region,
			 const struct model_table *table, struct sv id)
{
	struct sv undated = model_undated_id(id), date;

	if (!cloud_id_is_first_party(id))
		return id;
	date = cloud_id_date(id, undated);
	if (provider == MODEL_BEDROCK)
		return cloud_id_bedrock(arena, region, table, undated, date);
	if (provider == MODEL_VERTEX && date.len)
		return arena_printf(arena, "%.*s@%.*s", SV_ARG(undated), SV_ARG(date));
	return provider == MODEL_VERTEX ? undated : id;
}

/* Three layers describe a model: the table, the host's list, the settings. Each layer may add to or
 * override single facts of the layers before it. */
#include "model/catalogue/models.h"

#include "base/arena.h"
#include "base/limits.h"
#include "base/vec.h"
#include "model/catalogue/models_data.h"
#include "model/catalogue/models_patch.h"

#define LONG_SUFFIX  SV("[1m]")
#define LONG_CONTEXT INT64_C(1000000)

enum { ID_SIZE = 128, ALIAS_DEPTH = 4 };

struct alias {
	struct sv name, id;
	struct sv long_id; /* `id` with the suffix */
};

struct model_table {
	struct arena arena;
	VEC(struct alias) aliases;
	struct map learned, settings; /* id to struct model_patch */
	struct map pricing;           /* id to struct price */
	VEC(struct sv) profiles;      /* ids of Bedrock's inference profiles */
	double multiplier;            /* of every price that is not in `pricing` */
};

struct model_table *model_table_new(void)
{
	struct model_table *table = xnew(struct model_table);

	table->multiplier = 1;
	for (size_t i = 0; i < model_aliases_count; i++)
		model_table_alias(table, model_aliases[i].alias, model_aliases[i].id);
	return table;
}

void model_table_free(struct model_table *table)
{
	if (!table)
		return;
	vec_clear(&table->aliases);
	vec_clear(&table->profiles);
	map_clear(&table->learned);
	map_clear(&table->settings);
	map_clear(&table->pricing);
	arena_clear(&table->arena);
	free(table);
}

void model_table_freep(struct model_table **table)
{
	model_table_free(*table);
	*table = NULL;
}

/* Aliases. */

static bool is_long(struct sv id)
{
	return id.len > LONG_SUFFIX.len &&
	       sv_eq_nocase(sv_skip(id, id.len - LONG_SUFFIX.len), LONG_SUFFIX);
}

struct sv model_wire_id(struct sv id, bool *wants_long)
{
	if (wants_long)
		*wants_long = is_long(id);
	return is_long(id) ? sv_slice(id, 0, id.len - LONG_SUFFIX.len) : id;
}

static struct alias *models_find_alias(const struct model_table *table, struct sv name)
{
	for (size_t i = 0; i < table->aliases.n; i++)
		if (sv_eq_nocase(table->aliases.at[i].name, name))
			return &table->aliases.at[i];
	return NULL;
}

void model_table_alias(struct model_table *table, struct sv name, struct sv id)
{
	struct alias *alias = models_find_alias(table, name);

	if (!alias) {
		alias = vec_add(&table->aliases);
		alias->name = arena_dup(&table->arena, name);
	}
	alias->id = arena_dup(&table->arena, id);
	alias->long_id =
		is_long(id) ? alias->id : arena_printf(&table->arena, "%.*s[1m]", SV_ARG(id));
}

void model_table_use_provider(struct model_table *table, enum model_provider provider)
{
	for (size_t i = 0; i < model_cloud_aliases_count; i++) {
		const struct model_cloud_alias *a = &model_cloud_aliases[i];

		if (a->provider == provider)
			model_table_alias(table, a->alias.alias, a->alias.id);
	}
}

struct sv model_resolve(const struct model_table *table, struct sv name)
{
	bool wants_long;
	struct sv result = name, bare = model_wire_id(name, &wants_long);

	for (int depth = 0; depth < ALIAS_DEPTH; depth++) {
		const struct alias *alias = models_find_alias(table, bare);

		if (!alias)
			break;
		result = wants_long ? alias->long_id : alias->id;
		bare = alias->id;
	}
	return result;
}

/* Ids. */

static bool models_is_digits(struct sv s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] < '0' || s.ptr[i] > '9')
			return false;
	return s.len > 0;
}

static struct sv models_before(struct sv s, char sep)
{
	return sv_slice(s, 0, sv_find_char(s, sep));
}

/* Drop "-v1:0", "-v2": the revision of a cloud's packaging. */
static struct sv models_drop_revision(struct sv id)
{
	size_t dash = sv_rfind_char(id, '-');
	struct sv last = dash == SIZE_MAX ? SV_EMPTY : sv_skip(id, dash + 1);

	if (sv_starts(last, SV("v")) && models_is_digits(models_before(sv_skip(last, 1), ':')))
		return sv_slice(id, 0, dash);
	return id;
}

/* Drop "-20250929", "-2024-08-06", "-latest". */
static struct sv models_drop_date(struct sv id)
{
	size_t dash = sv_rfind_char(id, '-');
	struct sv last = dash == SIZE_MAX ? SV_EMPTY : sv_skip(id, dash + 1);

	if (sv_is(last, "latest") || (last.len == 8 && models_is_digits(last)))
		return sv_slice(id, 0, dash);
	if (id.len > 11 && models_is_digits(sv_slice(id, id.len - 10, id.len - 6)) &&
	    models_is_digits(sv_slice(id, id.len - 5, id.len - 3)) &&
	    models_is_digits(sv_skip(id, id.len - 2)) && id.ptr[id.len - 11] == '-' &&
	    id.ptr[id.len - 6] == '-' && id.ptr[id.len - 3] == '-')
		return sv_slice(id, 0, id.len - 11);
	return id;
}

struct sv model_bare_id(struct sv id)
{
	struct sv bare = model_wire_id(id, NULL);
	size_t vendor;

	bare = sv_basename(bare);
	vendor = sv_find(bare, SV("anthropic."));
	return vendor == SIZE_MAX ? bare : sv_skip(bare, vendor + strlen("anthropic."));
}

struct sv model_undated_id(struct sv id)
{
	struct sv bare = model_bare_id(id);

	if (!sv_starts(bare, SV("claude-")))
		return models_drop_date(bare);
	return models_drop_date(models_drop_revision(models_before(bare, '@')));
}

/* Return the id in the spelling of the table, in `buffer` or borrowed from `id`. */
static struct sv models_normalise(struct sv id, char buffer[ID_SIZE])
{
	struct sv bare = model_bare_id(id);

	if (!sv_starts(bare, SV("claude-")))
		return models_drop_date(models_before(bare, ':'));
	bare = model_undated_id(bare);
	if (bare.len > ID_SIZE || sv_find_char(bare, '.') == SIZE_MAX)
		return bare;
	for (size_t i = 0; i < bare.len; i++)
		buffer[i] = bare.ptr[i] == '.' ? '-' : bare.ptr[i];
	return sv_from(buffer, bare.len);
}

static struct model_info models_guess(struct sv stem)
{
	static const struct sv old[] = { SV_INIT("claude-3"), SV_INIT("claude-2"),
					 SV_INIT("claude-instant") };

	for (size_t i = 0; i < countof(old); i++)
		if (sv_starts(stem, old[i]))
			return model_unknown_old_claude;
	return sv_starts(stem, SV("claude-")) ? model_unknown_claude : model_unknown;
}

static struct model_info models_find_row(struct sv id, struct sv stem)
{
	struct model_info unknown = models_guess(stem);

	for (size_t i = 0; i < model_rows_count; i++)
		if (sv_eq(model_rows[i].id, stem))
			return model_rows[i];
	unknown.id = id;
	return unknown;
}

static void *models_find_fact(const struct map *facts, struct sv id, struct sv stem)
{
	void *exact = map_get(facts, id);

	return exact ? exact : map_get(facts, stem);
}

static void models_scale(struct price *price, double factor)
{
	int64_t *const parts[] = { &price->input,          &price->output,
				   &price->cache_read,     &price->cache_write_5m,
				   &price->cache_write_1h, &price->web_search };

	for (size_t i = 0; i < countof(parts); i++)
		if (*parts[i] > 0)
			*parts[i] = (int64_t)((double)*parts[i] * factor + 0.5);
}

struct model_info model_info(const struct model_table *table, struct sv id)
{
	char buffer[ID_SIZE];
	struct sv stem = models_normalise(id, buffer);
	struct model_info info = models_find_row(id, stem);
	const struct price *price = models_find_fact(&table->pricing, id, stem);

	model_patch_apply(&info, models_find_fact(&table->learned, id, stem));
	model_patch_apply(&info, models_find_fact(&table->settings, id, stem));
	models_scale(&info.price, table->multiplier);
	if (price)
		model_price_apply(&info.price, price);
	if (is_long(id))
		info.context = max_of(info.context, LONG_CONTEXT);
	return info;
}

bool model_runs_fast(const struct model_table *table, struct sv id)
{
	struct model_info info = model_info(table, id);

	return info.has_abilities && info.abilities & MODEL_RUNS_FAST;
}

/* Entries are read completely before anything changes. */
struct entry {
	struct sv id;
	struct model_patch patch;
};

typedef VEC(struct entry) entries;

static void models_entries_clear(entries *all)
{
	vec_clear(all);
}

static void models_commit(struct model_table *table, struct map *facts, const entries *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct model_patch *patch = arena_new(&table->arena, struct model_patch);

		*patch = all->at[i].patch;
		patch->name = arena_dup(&table->arena, patch->name);
		map_put(facts, all->at[i].id, patch);
	}
}

bool model_table_extend(struct model_table *table, struct json models, struct err *err)
{
	defer(models_entries_clear) entries all = VEC_INIT;
	struct json_iter it = json_each(models);
	struct json value;
	struct sv id;

	if (!json_is(models, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "the models must be an object keyed by id");
	while (json_next(&it, &id, &value)) {
		struct entry *entry = vec_add(&all);

		entry->id = id;
		if (!model_patch_read(&entry->patch, value, err))
			return err_context(err, "model \"%.*s\"", SV_ARG(sv_slice(id, 0, 80)));
	}
	models_commit(table, &table->settings, &all);
	return true;
}

struct sv model_table_profile(const struct model_table *table, struct sv model)
{
	for (size_t i = 0; i < table->profiles.n; i++) {
		struct sv id = table->profiles.at[i];

		if (sv_eq(sv_skip(id, sv_find_char(id, '.') + 1), model))
			return id;
	}
	return SV_EMPTY;
}

static void models_learn_profiles(struct model_table *table, struct json profiles)
{
	struct json_iter it = json_each(profiles);
	struct json value;
	struct sv id;

	while (table->profiles.n < LIMIT_MODEL_LIST && json_next(&it, NULL, &value))
		if (json_str(json_get(value, "inferenceProfileId"), &id) &&
		    sv_find_char(id, '.') != SIZE_MAX)
			vec_push(&table->profiles, arena_dup(&table->arena, id));
}

bool model_table_learn(struct model_table *table, struct json listing, struct err *err)
{
	defer(models_entries_clear) entries all = VEC_INIT;
	struct json profiles = json_get(listing, "inferenceProfileSummaries");
	struct json models = json_get(listing, "data"), value;
	struct json_iter it;

	if (json_is(profiles, JSON_ARRAY)) {
		models_learn_profiles(table, profiles);
		return true;
	}
	if (!json_exists(models))
		models = json_get(listing, "models");
	if (!json_is(models, JSON_ARRAY))
		return err_set(err, ERR_PROTOCOL,
			       "the list of models has neither \"data\" nor \"models\"");
	for (it = json_each(models); json_next(&it, NULL, &value);) {
		struct entry entry = { 0 };

		if (!json_str(json_get(value, "id"), &entry.id) || entry.id.len == 0 ||
		    !model_patch_learn(&entry.patch, value))
			continue;
		if (all.n == LIMIT_MODEL_LIST)
			return err_set(err, ERR_TOO_BIG, "the host lists more than %d models",
				       LIMIT_MODEL_LIST);
		vec_push(&all, entry);
	}
	models_commit(table, &table->learned, &all);
	return true;
}

void model_table_copy_learned(struct model_table *table, struct sv id, struct sv name)
{
	void *patch = map_get(&table->learned, id);

	if (patch && !map_get(&table->learned, name))
		map_put(&table->learned, name, patch);
}

static bool models_read_overrides(entries *all, struct json overrides, struct err *err)
{
	struct json_iter it = json_each(overrides);
	struct json value;
	struct sv id;

	if (json_exists(overrides) && !json_is(overrides, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "\"overrides\" must be an object keyed by id");
	while (json_next(&it, &id, &value)) {
		struct entry *entry = vec_add(all);

		entry->id = id;
		if (!model_price_read(&entry->patch.price, value, err))
			return err_context(err, "\"overrides\" of \"%.*s\"",
					   SV_ARG(sv_slice(id, 0, 80)));
	}
	return true;
}

bool model_table_prices(struct model_table *table, struct json pricing, struct err *err)
{
	defer(models_entries_clear) entries all = VEC_INIT;
	struct json factor = json_get(pricing, "multiplier");
	double multiplier = 1;

	if (!json_is(pricing, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "the model pricing must be an object");
	if (json_exists(factor) &&
	    (!json_real(factor, &multiplier) || multiplier < 0 || multiplier > 1000))
		return err_set(err, ERR_INVALID, "\"multiplier\" must be a number from 0 to 1000");
	if (!models_read_overrides(&all, json_get(pricing, "overrides"), err))
		return false;
	table->multiplier = multiplier;
	for (size_t i = 0; i < all.n; i++) {
		struct price *price = arena_new(&table->arena, struct price);

		*price = all.at[i].patch.price;
		map_put(&table->pricing, all.at[i].id, price);
	}
	return true;
}

#include "model/catalogue/catalogue.h"

#include "base/limits.h"
#include "base/map.h"
#include "base/vec.h"
#include "model/catalogue/models_data.h"
#include "model/catalogue/spelling.h"
#include "text/url.h"

struct catalogue {
	struct arena *arena;
	const struct model_rules *rules;
	struct map seen; /* ids */
	VEC(struct reply_model) models;
};

/* --- one ------------------------------------------------------------------ */

static void catalogue_add_efforts(struct catalogue *c, struct reply_model *m)
{
	struct sv *efforts = arena_calloc(c->arena, MODEL_EFFORT_MAX + 1, sizeof(*efforts));

	for (enum model_effort e = MODEL_EFFORT_LOW; e <= MODEL_EFFORT_MAX; e++)
		if (model_rules_effort(c->rules, m->id, e) == e)
			efforts[m->nefforts++] = sv_cstr(model_effort_name(e));
	m->efforts = efforts;
}

static void catalogue_add_window(struct str *out, int64_t tokens)
{
	bool is_large = tokens >= 1000 * 1000;

	str_addf(out, ", %g%s tokens of context", (double)tokens / (is_large ? 1e6 : 1e3),
		 is_large ? "M" : "k");
}

/* Describe its window and its price, as far as they are known. */
static struct sv catalogue_describe(struct catalogue *c, struct sv id,
				    const struct model_info *info)
{
	defer(str_clear) struct str text = STR_INIT;
	const struct price *price = &info->price;

	str_add(&text, info->known && info->name.len ? info->name : id);
	if (info->known)
		catalogue_add_window(&text, info->context);
	if (info->known && price->input >= 0 && price->output >= 0)
		str_addf(&text, ", $%g in and $%g out per million", (double)price->input / 1000,
			 (double)price->output / 1000);
	return arena_dup(c->arena, sv_of(&text));
}

static void catalogue_add(struct catalogue *c, struct sv value, struct sv id, struct sv shown)
{
	struct model_info info = model_info(c->rules->table, id);
	struct sv name = info.known && info.name.len ? info.name : value;
	struct reply_model m = {
		.value = arena_dup(c->arena, value),
		.id = arena_dup(c->arena, id),
		.name = arena_dup(c->arena, shown.len ? shown : name),
		.description = catalogue_describe(c, id, &info),
		.takes_effort = info.abilities & MODEL_TAKES_EFFORT,
		.thinks_adaptively = info.abilities & MODEL_THINKS_ADAPTIVE,
		.runs_fast = model_runs_fast(c->rules->table, id),
		.calls_tools = model_may(&info, MODEL_CALLS_TOOLS),
	};

	if (m.takes_effort)
		catalogue_add_efforts(c, &m);
	vec_push(&c->models, m);
}

static void catalogue_add_unless_seen(struct catalogue *c, struct sv value, struct sv id)
{
	if (id.len && model_rules_allow(c->rules, id) && !map_put(&c->seen, id, c))
		catalogue_add(c, value, id, SV_EMPTY);
}

/* --- all ------------------------------------------------------------------ */

static void catalogue_add_default(struct catalogue *c)
{
	defer(str_clear) struct str id = STR_INIT;
	defer(str_clear) struct str notes = STR_INIT;
	struct err ignored = ERR_INIT;

	if (model_rules_find(c->rules, SV("default"), &id, &notes, &ignored))
		catalogue_add(c, SV("default"), sv_of(&id), SV("Default"));
}

static void catalogue_add_families(struct catalogue *c)
{
	struct sv family;

	for (size_t at = 0; model_family_next(&at, &family);)
		catalogue_add_unless_seen(c, family, model_resolve(c->rules->table, family));
}

/* The table has the newest last. */
static void catalogue_add_rows(struct catalogue *c, bool claude)
{
	for (size_t i = model_rows_count; i > 0; i--) {
		const struct model_info *row = &model_rows[i - 1];
		bool is_sold = row->price.input >= 0; /* else its weights are open */

		if (sv_starts(row->id, SV("claude-")) == claude && (claude || is_sold) &&
		    !row->is_limited)
			catalogue_add_unless_seen(c, row->id, row->id);
	}
}

static void catalogue_add_named(struct catalogue *c)
{
	struct json_iter it = json_each(c->rules->available);
	struct json item;

	for (size_t n = 0; n < LIMIT_MODEL_LIST && json_next(&it, NULL, &item); n++) {
		defer(str_clear) struct str id = STR_INIT;

		model_rules_entry(c->rules, json_str_or(item, SV_EMPTY), &id);
		catalogue_add_unless_seen(c, sv_of(&id), sv_of(&id));
	}
	catalogue_add_unless_seen(c, c->rules->wanted, c->rules->wanted);
}

/* Only OpenAI's own host is known to have OpenAI's models. */
static bool is_openai(const struct model_config *config)
{
	struct url url = url_split(sv_cstr(config->base_url));

	return (config->provider == MODEL_OPENAI_CHAT ||
		config->provider == MODEL_OPENAI_RESPONSES) &&
	       sv_eq_nocase(url.host, SV("api.openai.com"));
}

struct reply_models model_catalogue(const struct model_config *config,
				    const struct model_rules *rules, struct arena *arena)
{
	struct catalogue c = { .arena = arena, .rules = rules, .seen = MAP_INIT };
	struct reply_model *models;
	size_t n;

	catalogue_add_default(&c);
	if (model_provider_has_claude(config->provider))
		catalogue_add_families(&c);
	if (model_provider_has_claude(config->provider) || is_openai(config))
		catalogue_add_rows(&c, model_provider_has_claude(config->provider));
	catalogue_add_named(&c);
	n = c.models.n;
	models = arena_calloc(arena, n + 1, sizeof(*models));
	if (n)
		memcpy(models, c.models.at, n * sizeof(*models));
	vec_clear(&c.models);
	map_clear(&c.seen);
	return (struct reply_models){ models, n };
}

struct reply_account model_account(const struct model_config *config)
{
	static const char *const names[] = { [MODEL_ANTHROPIC] = "firstParty",
					     [MODEL_BEDROCK] = "bedrock",
					     [MODEL_VERTEX] = "vertex",
					     [MODEL_FOUNDRY] = "foundry",
					     [MODEL_OPENAI_CHAT] = NULL,
					     [MODEL_OPENAI_RESPONSES] = NULL,
					     [MODEL_REPLAY] = NULL };
	bool is_token = config->provider == MODEL_ANTHROPIC && config->auth == MODEL_AUTH_BEARER;
	struct sv origin = config->auth_origin ? sv_cstr(config->auth_origin) : SV("none");

	return (struct reply_account){ .token_source = is_token ? origin : SV("none"),
				       .key_source = origin,
				       .provider = sv_cstr(names[config->provider]) };
}

#include "model/catalogue/models_patch.h"

#include "model/catalogue/models_data.h"

#define MOST_TOKENS  INT64_C(1000000000)
#define MOST_DOLLARS 1e6 /* per million tokens */

static const struct model_patch empty_patch = { .price = PRICE_UNKNOWN };

static void patch_set(int64_t *fact, int64_t given)
{
	if (given >= 0)
		*fact = given;
}

void model_price_apply(struct price *price, const struct price *given)
{
	patch_set(&price->input, given->input);
	patch_set(&price->output, given->output);
	patch_set(&price->cache_read, given->cache_read);
	patch_set(&price->cache_write_5m, given->cache_write_5m);
	patch_set(&price->cache_write_1h, given->cache_write_1h);
	patch_set(&price->web_search, given->web_search);
}

void model_patch_apply(struct model_info *info, const struct model_patch *patch)
{
	if (!patch)
		return;
	info->known = true;
	if (patch->name.len)
		info->name = patch->name;
	if (patch->context)
		info->context = patch->context;
	if (patch->max_output)
		info->max_output = patch->max_output;
	info->abilities &= ~patch->set_abilities;
	info->abilities |= patch->abilities;
	info->has_abilities = info->has_abilities || patch->set_abilities;
	/* The window of a local server may be smaller than the usual output: leave half of it to the
	 * prompt. */
	info->max_output = min_of(info->max_output, info->context);
	info->default_output =
		min_of(info->default_output, min_of(info->max_output, info->context / 2 + 1));
	model_price_apply(&info->price, &patch->price);
}

/* Settings. */

static bool patch_read_tokens(int64_t *out, struct json value, const char *key, struct err *err)
{
	int64_t n;

	if (!json_exists(value))
		return true;
	if (!json_int(value, &n) || n <= 0 || n > MOST_TOKENS)
		return err_set(err, ERR_INVALID, "\"%s\" must be a number of tokens", key);
	*out = n;
	return true;
}

static bool patch_read_name(struct sv *out, struct json value, struct err *err)
{
	if (json_exists(value) && !json_str(value, out))
		return err_set(err, ERR_INVALID, "\"name\" must be a string");
	return true;
}

static bool patch_read_ability(unsigned *out, struct json word, struct err *err)
{
	struct sv text = json_str_or(word, SV_EMPTY);

	for (size_t i = 0; i < model_ability_words_count; i++) {
		if (sv_is(text, model_ability_words[i])) {
			*out |= 1U << i;
			return true;
		}
	}
	return err_set(err, ERR_INVALID, "\"abilities\" contains the unknown ability \"%.*s\"",
		       SV_ARG(sv_slice(text, 0, 80)));
}

static bool patch_read_abilities(struct model_patch *out, struct json words, struct err *err)
{
	struct json_iter it = json_each(words);
	struct json word;

	if (!json_exists(words))
		return true;
	if (!json_is(words, JSON_ARRAY))
		return err_set(err, ERR_INVALID, "\"abilities\" must be an array of strings");
	out->set_abilities = ~0U;
	while (json_next(&it, NULL, &word))
		if (!patch_read_ability(&out->abilities, word, err))
			return false;
	return true;
}

/* Reject unknown members, so that a misspelt one is noticed. */
static bool patch_check_members(struct json object, const char *const *keys, size_t n,
				struct err *err)
{
	struct json_iter it = json_each(object);
	struct json value;
	struct sv key;

	while (json_next(&it, &key, &value)) {
		bool known = false;

		for (size_t i = 0; i < n; i++)
			known |= sv_is(key, keys[i]);
		if (!known)
			return err_set(err, ERR_INVALID, "unknown member \"%.*s\"",
				       SV_ARG(sv_slice(key, 0, 80)));
	}
	return true;
}

/* Dollars per million tokens are thousands of nano-dollars per token. */
static bool patch_read_dollars(int64_t *out, struct json value, const char *key, struct err *err)
{
	double dollars;

	if (!json_exists(value))
		return true;
	if (!json_real(value, &dollars) || dollars < 0 || dollars > MOST_DOLLARS)
		return err_set(err, ERR_INVALID,
			       "\"%s\" must be a price in dollars per million tokens", key);
	*out = (int64_t)(dollars * 1000 + 0.5);
	return true;
}

bool model_price_read(struct price *out, struct json price, struct err *err)
{
	static const char *const keys[] = { "input", "output", "cacheRead", "cacheWrite",
					    "cacheWrite1h" };
	struct price p = PRICE_UNKNOWN;
	int64_t *const parts[] = { &p.input, &p.output, &p.cache_read, &p.cache_write_5m,
				   &p.cache_write_1h };

	if (!json_is(price, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "a price must be an object");
	if (!patch_check_members(price, keys, countof(keys), err))
		return false;
	for (size_t i = 0; i < countof(keys); i++)
		if (!patch_read_dollars(parts[i], json_get(price, keys[i]), keys[i], err))
			return false;
	*out = p;
	return true;
}

bool model_patch_read(struct model_patch *out, struct json entry, struct err *err)
{
	static const char *const keys[] = { "name", "context", "maxOutput", "abilities", "price" };
	struct model_patch patch = empty_patch;
	struct json price = json_get(entry, "price");

	if (!json_is(entry, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "must be an object");
	if (!patch_check_members(entry, keys, countof(keys), err) ||
	    !patch_read_name(&patch.name, json_get(entry, "name"), err) ||
	    !patch_read_tokens(&patch.context, json_get(entry, "context"), "context", err) ||
	    !patch_read_tokens(&patch.max_output, json_get(entry, "maxOutput"), "maxOutput", err) ||
	    !patch_read_abilities(&patch, json_get(entry, "abilities"), err))
		return false;
	if (json_exists(price) && !model_price_read(&patch.price, price, err))
		return err_context(err, "\"price\"");
	*out = patch;
	return true;
}

/* Hosts. */

/* Return the first of `paths` that is a number of tokens, or 0. */
static int64_t patch_learn_tokens(struct json entry, const char *const *paths, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int64_t tokens = json_int_or(json_path(entry, paths[i]), 0);

		if (tokens > 0 && tokens <= MOST_TOKENS)
			return tokens;
	}
	return 0;
}

/* Read a price of OpenRouter: a decimal string, in dollars per token. */
static int64_t patch_learn_dollars(struct json pricing, const char *key)
{
	struct sv text = json_str_or(json_get(pricing, key), SV_EMPTY);
	char *end = NULL;
	double dollars;

	if (text.len == 0 || text.len > 32)
		return -1;
	dollars = strtod(text.ptr, &end);
	if (end != text.ptr + text.len || !(dollars >= 0) || dollars > MOST_DOLLARS / 1e6)
		return -1;
	return (int64_t)(dollars * 1e9 + 0.5);
}

static void patch_learn_ability(struct model_patch *patch, enum model_ability ability, bool has)
{
	patch->set_abilities |= (unsigned)ability;
	if (has)
		patch->abilities |= (unsigned)ability;
}

/* Anthropic: {"thinking":{"types":{"adaptive":{"supported":true}, ...}}, ...}. */
static void patch_learn_capabilities(struct model_patch *patch, struct json capabilities)
{
	static const struct {
		const char *path;
		enum model_ability ability;
	} known[] = {
		{ "thinking.types.enabled.supported", MODEL_THINKS },
		{ "thinking.types.adaptive.supported", MODEL_THINKS_ADAPTIVE },
		{ "effort.supported", MODEL_TAKES_EFFORT },
		{ "image_input.supported", MODEL_SEES },
		{ "pdf_input.supported", MODEL_READS_PDF },
	};
	bool has;

	for (size_t i = 0; i < countof(known); i++)
		if (json_bool(json_path(capabilities, known[i].path), &has))
			patch_learn_ability(patch, known[i].ability, has);
}

static bool patch_lists(struct json words, const char *word)
{
	struct json_iter it = json_each(words);
	struct json item;

	while (json_next(&it, NULL, &item))
		if (sv_is(json_str_or(item, SV_EMPTY), word))
			return true;
	return false;
}

/* OpenRouter: {"supported_parameters":["tools", ...], "architecture":{"input_modalities":[...]}}. */
static void patch_learn_parameters(struct model_patch *patch, struct json entry)
{
	struct json parameters = json_get(entry, "supported_parameters");
	struct json inputs = json_path(entry, "architecture.input_modalities");

	if (json_is(parameters, JSON_ARRAY)) {
		patch_learn_ability(patch, MODEL_CALLS_TOOLS, patch_lists(parameters, "tools"));
		patch_learn_ability(patch, MODEL_TAKES_EFFORT,
				    patch_lists(parameters, "reasoning"));
	}
	if (json_is(inputs, JSON_ARRAY)) {
		patch_learn_ability(patch, MODEL_SEES, patch_lists(inputs, "image"));
		patch_learn_ability(patch, MODEL_READS_PDF, patch_lists(inputs, "file"));
	}
}

bool model_patch_learn(struct model_patch *out, struct json entry)
{
	/* Anthropic; vLLM; OpenRouter; Groq; LM Studio, the loaded window before the largest one;
	 * llama.cpp. */
	static const char *const windows[] = {
		"max_input_tokens",      "max_model_len",      "context_length", "context_window",
		"loaded_context_length", "max_context_length", "meta.n_ctx",     "meta.n_ctx_train"
	};
	static const char *const outputs[] = { "max_output_tokens", "max_completion_tokens",
					       "max_tokens", "top_provider.max_completion_tokens" };
	struct json pricing = json_get(entry, "pricing");
	struct model_patch patch = empty_patch;

	patch.name = json_str_or(json_get(entry, "display_name"), SV_EMPTY);
	patch.context = patch_learn_tokens(entry, windows, countof(windows));
	patch.max_output = patch_learn_tokens(entry, outputs, countof(outputs));
	patch.price.input = patch_learn_dollars(pricing, "prompt");
	patch.price.output = patch_learn_dollars(pricing, "completion");
	patch.price.cache_read = patch_learn_dollars(pricing, "input_cache_read");
	patch.price.cache_write_5m = patch_learn_dollars(pricing, "input_cache_write");
	patch_learn_capabilities(&patch, json_get(entry, "capabilities"));
	patch_learn_parameters(&patch, entry);
	*out = patch;
	return patch.context || patch.max_output || patch.price.input >= 0 || patch.set_abilities;
}

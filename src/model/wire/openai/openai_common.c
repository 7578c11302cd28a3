#include "model/wire/openai/openai_common.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "model/catalogue/effort.h"
#include "model/wire/cloud.h"
#include "model/wire/strict_schema.h"
#include "text/digest.h"
#include "text/hex.h"
#include "text/json/json_span.h"

#define FIRST_PARTY  "https://api.openai.com"
#define MOST_CHARGED 1e6 /* dollars */

/* Notes. */

void openai_notes_clear(struct openai_notes *notes)
{
	vec_clear(&notes->sent);
}

void openai_note(struct openai_notes *notes, const char *fmt, ...)
{
	defer(str_clear) struct str text = STR_INIT;
	va_list args;

	va_start(args, fmt);
	wire_format_note(&text, fmt, args);
	va_end(args);
	for (size_t i = 0; i < notes->sent.n; i++)
		if (sv_eq(notes->sent.at[i], sv_of(&text)))
			return;
	vec_push(&notes->sent, arena_dup(notes->arena, sv_of(&text)));
	notes->note(notes->arg,
		    &(struct model_event){ .kind = MODEL_NOTE, .text = *vec_last(&notes->sent) });
}

/* The plan. */

/* Whether this is o1, o3-mini, gpt-5 or later, also with a router's prefix. These reject max_tokens
 * and do not show their reasoning. */
static bool is_reasoner(struct sv id)
{
	size_t slash = sv_rfind_char(id, '/');
	struct sv name = sv_skip(id, slash == SIZE_MAX ? 0 : slash + 1);
	struct sv version = sv_skip(name, 4);

	if (sv_starts(name, SV("o")))
		return name.len > 1 && ascii_is_digit(name.ptr[1]);
	return sv_starts(name, SV("gpt-")) && version.len > 0 && ascii_is_digit(version.ptr[0]) &&
	       (version.ptr[0] >= '5' || (version.len > 1 && ascii_is_digit(version.ptr[1])));
}

/* If only a thinking budget was set, converts it to a level of effort. */
static enum model_effort openai_wanted_effort(const struct model_request *request)
{
	if (request->effort != MODEL_EFFORT_DEFAULT)
		return request->effort;
	if (request->thinking != MODEL_THINK_BUDGET || request->thinking_budget <= 0)
		return MODEL_EFFORT_DEFAULT;
	if (request->thinking_budget <= 4096)
		return MODEL_EFFORT_LOW;
	return request->thinking_budget <= 16384 ? MODEL_EFFORT_MEDIUM : MODEL_EFFORT_HIGH;
}

static const char *openai_effort_name(enum model_effort effort, struct openai_notes *notes)
{
	if (effort <= MODEL_EFFORT_HIGH)
		return model_effort_name(effort);
	openai_note(notes, "this provider supports reasoning effort up to high");
	return model_effort_name(MODEL_EFFORT_HIGH);
}

/* If the abilities of a model are unknown, effort is sent only if the user set it. */
static const char *openai_plan_effort(const struct model_info *info,
				      const struct model_request *request,
				      struct openai_notes *notes)
{
	if (info->has_abilities ? info->abilities & MODEL_TAKES_EFFORT
				: request->effort != MODEL_EFFORT_DEFAULT)
		return openai_effort_name(openai_wanted_effort(request), notes);
	if (request->effort != MODEL_EFFORT_DEFAULT)
		openai_note(notes, "this model does not support reasoning effort");
	return NULL;
}

struct openai_plan openai_plan(const struct model_config *config, const struct model_table *table,
			       const struct model_request *request, struct openai_notes *notes)
{
	struct openai_plan plan = { .info = model_info(table, request->model) };

	plan.max_tokens = request->max_tokens;
	if (plan.max_tokens <= 0)
		plan.max_tokens =
			config->max_output > 0 ? config->max_output : plan.info.default_output;
	if (plan.info.known)
		plan.max_tokens = min_of(plan.max_tokens, plan.info.max_output);
	plan.effort = openai_plan_effort(&plan.info, request, notes);
	plan.reasons = is_reasoner(model_wire_id(request->model, NULL));
	if (request->fast)
		openai_note(notes, "this provider does not support fast mode");
	return plan;
}

/* The body. */

static bool openai_check_extra(struct sv extra, struct err *err)
{
	struct json_span span;

	if (extra.len == 0)
		return true;
	if (!json_span_root(extra, &span, err))
		return err_context(err, "the extra request body");
	if (extra.ptr[span.from] != '{')
		return err_set(err, ERR_INVALID, "the extra request body must be a JSON object");
	return true;
}

bool openai_body_init(struct openai_body *b, const struct model_config *config,
		      const struct model_request *request, struct err *err)
{
	struct sv extra = sv_cstr(config->extra_body);

	if (request->nmessages == 0)
		return err_set(err, ERR_INVALID, "a request needs at least one message");
	if (!openai_check_extra(extra, err))
		return false;
	*b = (struct openai_body){ .extra = extra };
	jw_init(&b->w, &b->json, JW_COMPACT);
	jw_object(&b->w);
	if (openai_body_key(b, "model"))
		jw_str(&b->w, request_wire_id(request));
	return true;
}

void openai_body_clear(struct openai_body *b)
{
	str_clear(&b->json);
}

bool openai_body_key(struct openai_body *b, const char *key)
{
	struct json_span span;
	struct err why;

	if (b->extra.len && json_span_find(b->extra, JSON_STEPS(sv_cstr(key)), &span, &why))
		return false;
	jw_key(&b->w, sv_cstr(key));
	return true;
}

static bool openai_put_extra(struct openai_body *b, struct err *err)
{
	struct json_span_iter it;
	struct json_item item;

	if (b->extra.len == 0)
		return true;
	if (!json_span_each(&it, b->extra, JSON_SPAN_ALL(b->extra), err))
		return false;
	while (json_span_next(&it, &item, err) && !it.done) {
		defer(json_doc_freep) struct json_doc *key =
			json_parse(json_span_sv(b->extra, item.key), 0, err);

		jw_key(&b->w, json_str_or(json_root(key), SV_EMPTY));
		jw_raw(&b->w, json_span_sv(b->extra, item.value));
	}
	return it.done;
}

bool openai_body_end(struct openai_body *b, struct wire *out, struct err *err)
{
	if (!openai_put_extra(b, err))
		return false;
	jw_end(&b->w);
	jw_done(&b->w);
	wire_body(out, arena_dup(&out->arena, sv_of(&b->json)));
	return true;
}

void openai_put_cache_key(struct openai_body *b, const struct model_request *request)
{
	defer(str_clear) struct str key = STR_INIT;
	struct digest digest;
	struct sha256 hash;

	if (!openai_body_key(b, "prompt_cache_key"))
		return;
	sha256_init(&hash);
	for (size_t i = 0; i < request->nsystem; i++)
		sha256_add(&hash, request->system[i]);
	sha256_add(&hash, request->messages[0]);
	digest = sha256_end(&hash);
	str_adds(&key, "awl-");
	hex_encode(&key, sv_slice(digest_sv(&digest), 0, 8));
	jw_str(&b->w, sv_of(&key));
}

bool openai_is_first_party(const struct model_config *config)
{
	struct sv base = sv_cstr(config->base_url);

	return base.len == 0 || sv_starts(base, SV(FIRST_PARTY "/")) || sv_is(base, FIRST_PARTY);
}

struct sv openai_system(struct arena *arena, const struct model_request *request)
{
	defer(str_clear) struct str text = STR_INIT;

	for (size_t i = 0; i < request->nsystem; i++) {
		if (text.len && request->system[i].len)
			str_adds(&text, "\n\n");
		str_add(&text, request->system[i]);
	}
	return arena_dup(arena, sv_of(&text));
}

/* Tools. */

struct tool_format {
	bool nested;  /* the function is an object inside of the tool */
	bool enforce; /* the server knows "strict" */
};

static void openai_put_function(struct jw *w, struct json root, struct sv schema,
				struct tool_format format)
{
	bool strict = format.enforce && strict_schema_fits(json_get(root, "input_schema"));
	struct sv description = json_str_or(json_get(root, "description"), SV_EMPTY);

	jw_put_str(w, "name", json_str_or(json_get(root, "name"), SV_EMPTY));
	if (description.len)
		jw_put_str(w, "description", description);
	jw_put_raw(w, "parameters", schema);
	if (strict || !format.nested) /* on the Responses API the default is true */
		jw_put_bool(w, "strict", strict);
}

static bool openai_put_tool(struct jw *w, struct sv tool, struct tool_format format,
			    struct openai_notes *notes, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(tool, 0, err);
	struct json root = json_root(doc);
	struct sv type = json_str_or(json_get(root, "type"), SV("custom"));
	struct sv schema = SV("{\"type\":\"object\",\"properties\":{}}");
	struct json_span span;
	struct err why;

	if (!doc)
		return err_context(err, "a tool");
	if (!sv_is(type, "custom")) {
		openai_note(notes, "omitted tool of type %.*s: not supported by this provider",
			    SV_ARG(type));
		return true;
	}
	if (json_span_find(tool, JSON_STEPS(SV("input_schema")), &span, &why))
		schema = json_span_sv(tool, span);
	jw_object(w);
	jw_put_str(w, "type", SV("function"));
	if (format.nested)
		jw_put_object(w, "function");
	openai_put_function(w, root, schema, format);
	if (format.nested)
		jw_end(w);
	jw_end(w);
	return true;
}

static void openai_put_named_choice(struct jw *w, struct sv name, bool nested)
{
	jw_object(w);
	jw_put_str(w, "type", SV("function"));
	if (nested)
		jw_put_object(w, "function");
	jw_put_str(w, "name", name);
	if (nested)
		jw_end(w);
	jw_end(w);
}

static bool openai_put_choice(struct openai_body *b, struct sv choice, bool nested,
			      struct openai_notes *notes, struct err *err)
{
	static const struct {
		const char *ours, *theirs;
	} words[] = { { "auto", "auto" }, { "any", "required" }, { "none", "none" } };
	defer(json_doc_freep) struct json_doc *doc = json_parse(choice, 0, err);
	struct json root = json_root(doc);
	struct sv type = json_str_or(json_get(root, "type"), SV_EMPTY), name;

	if (!doc)
		return err_context(err, "the tool choice");
	if (json_bool_or(json_get(root, "disable_parallel_tool_use"), false) &&
	    openai_body_key(b, "parallel_tool_calls"))
		jw_bool(&b->w, false);
	for (size_t i = 0; i < countof(words); i++) {
		if (!sv_is(type, words[i].ours))
			continue;
		if (openai_body_key(b, "tool_choice"))
			jw_str(&b->w, sv_cstr(words[i].theirs));
		return true;
	}
	if (!sv_is(type, "tool") || !json_str(json_get(root, "name"), &name))
		openai_note(notes, "this provider does not support tool choice %.*s", SV_ARG(type));
	else if (openai_body_key(b, "tool_choice"))
		openai_put_named_choice(&b->w, name, nested);
	return true;
}

bool openai_tools(struct openai_body *b, const struct model_config *config,
		  const struct model_request *request, bool nested, struct openai_notes *notes,
		  struct err *err)
{
	struct tool_format format = { .nested = nested, .enforce = openai_is_first_party(config) };
	defer(str_clear) struct str list = STR_INIT;
	struct jw w;

	jw_init(&w, &list, JW_COMPACT);
	jw_array(&w);
	for (size_t i = 0; i < request->ntools; i++)
		if (!openai_put_tool(&w, request->tools[i], format, notes, err))
			return false;
	jw_end(&w);
	if (list.len == strlen("[]"))
		return true; /* an empty list would be refused */
	if (openai_body_key(b, "tools"))
		jw_raw(&b->w, sv_of(&list));
	return request->tool_choice.len == 0 ||
	       openai_put_choice(b, request->tool_choice, nested, notes, err);
}

/* The head. */

bool openai_head(struct wire *out, const struct model_config *config, const char *path,
		 struct err *err)
{
	struct sv query = sv_cstr(config->base_url), base;
	bool has_query = sv_find_char(query, '?') != SIZE_MAX;

	sv_cut(&query, '?', &base);
	base = cloud_base(arena_dup(&out->arena, base).ptr);
	if (base.len == 0)
		base = SV(FIRST_PARTY "/v1");
	out->url = arena_printf(&out->arena, "%.*s%s%s%.*s", SV_ARG(base), path,
				has_query ? "?" : "", SV_ARG(query))
			   .ptr;
	return cloud_headers(out, config, err);
}

bool openai_listing(struct wire *out, const struct model_config *config, struct err *err)
{
	return openai_head(out, config, "/models", err);
}

bool openai_sign(struct wire *wire, const struct model_config *config,
		 const struct credential *credential, __attribute__((unused)) int64_t wall_ms,
		 struct err *err)
{
	switch (credential->auth) {
	case MODEL_AUTH_NONE: return true;
	case MODEL_AUTH_KEY:
	case MODEL_AUTH_BEARER:
	case MODEL_AUTH_HELPER:
		if (wire_find_header(wire, "authorization")) /* the user's own */
			return true;
		return cloud_bearer(wire, credential->secret, "the OpenAI API", err);
	case MODEL_AUTH_AWS:
	case MODEL_AUTH_GOOGLE: break;
	}
	return err_set(err, ERR_UNSUPPORTED, "%s is not a valid credential for the OpenAI API",
		       config->auth_origin ? config->auth_origin : "this");
}

/* Usage. */

static bool openai_read_count(struct json value, int64_t *out, bool *any, struct err *err)
{
	int64_t n;

	if (!json_exists(value) || json_is(value, JSON_NULL))
		return true;
	if (!json_int(value, &n) || n < 0 || n > INT64_C(1000000000000))
		return err_set(err, ERR_PROTOCOL, "the usage has an invalid token count");
	if (n > 0)
		*out = n;
	*any = true;
	return true;
}

/* Of several names the last one with a count that is not zero wins. */
static bool openai_read_named(struct json usage, const char *const *paths, int64_t *out, bool *any,
			      struct err *err)
{
	for (; *paths; paths++)
		if (!openai_read_count(json_path(usage, *paths), out, any, err))
			return false;
	return true;
}

/* OpenRouter: what it charges, in dollars; with the user's own key for the provider, what that
 * charges comes on top. Nonsense is ignored: the price of the table counts then. */
static void openai_read_charge(struct usage *u, struct json usage)
{
	double cost, upstream = 0;

	if (!json_real(json_get(usage, "cost"), &cost))
		return;
	if (json_bool_or(json_get(usage, "is_byok"), false))
		(void)!json_real(json_path(usage, "cost_details.upstream_inference_cost"),
				 &upstream);
	cost += upstream;
	if (!(cost >= 0) || cost > MOST_CHARGED)
		return;
	u->charged = (int64_t)(cost * 1e9 + 0.5);
	u->is_charged = true;
}

static bool openai_read_usage(struct usage *u, struct json usage, struct err *err)
{
	static const char *const prompts[] = { "prompt_tokens", "input_tokens", NULL };
	static const char *const outputs[] = { "completion_tokens", "output_tokens", NULL };
	static const char *const reasoning[] = { "completion_tokens_details.reasoning_tokens",
						 "output_tokens_details.reasoning_tokens", NULL };
	static const char *const cached[] = { "cached_tokens", "prompt_cache_hit_tokens",
					      "prompt_tokens_details.cached_tokens",
					      "input_tokens_details.cached_tokens", NULL };
	int64_t prompt = usage_prompt(u), output = u->output, read = u->cache_read;
	int64_t thinking = u->thinking;
	bool any = u->known;

	if (!openai_read_named(usage, prompts, &prompt, &any, err) ||
	    !openai_read_named(usage, outputs, &output, &any, err) ||
	    !openai_read_named(usage, reasoning, &thinking, &any, err) ||
	    !openai_read_named(usage, cached, &read, &any, err))
		return false;
	read = min_of(read, prompt);
	*u = (struct usage){ .input = prompt - read,
			     .output = output,
			     .thinking = min_of(thinking, output),
			     .cache_read = read,
			     .known = any,
			     .is_charged = u->is_charged,
			     .charged = u->charged };
	openai_read_charge(u, usage);
	return true;
}

bool openai_usage(struct usage *u, struct json usage, struct err *err)
{
	return !json_is(usage, JSON_OBJECT) || openai_read_usage(u, usage, err);
}

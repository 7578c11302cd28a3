/* Asking models: the whole way from model_start() over credentials, retries and
 * the wire to decoded events. */
#include "flow.h"
#include "machine/servers.h"
#include "model/catalogue/effort.h"
#include "model/model.h"

#define MODEL_URL "https://api.anthropic.com/v1/messages*"

/* Made by the first `ask`, from the `env` lines before it. */
struct flow_model {
	struct model_config config;
	struct model_table *table;
	struct model_client *client;
	VEC(char *) env;      /* "NAME=value" */
	VEC(char *) settings; /* the same */
};

static struct flow_model *model_of(struct flow *f)
{
	if (!f->model)
		f->model = xnew(struct flow_model);
	return f->model;
}

void flow_model_free(struct flow_model *m)
{
	if (!m)
		return;
	model_client_free(m->client);
	model_table_free(m->table);
	model_config_clear(&m->config);
	for (size_t i = 0; i < m->env.n; i++)
		free(m->env.at[i]);
	for (size_t i = 0; i < m->settings.n; i++)
		free(m->settings.at[i]);
	vec_clear(&m->env);
	vec_clear(&m->settings);
	free(m);
}

/* env NAME=value | setting NAME=value */
static bool do_env(struct flow *f, const struct line *line, struct err *err)
{
	struct str text = STR_INIT;
	bool ok = text_decode(&text, line->args, err);
	char *entry = str_detach(&text);

	if (sv_is(line->name, "env"))
		vec_push(&model_of(f)->env, entry);
	else
		vec_push(&model_of(f)->settings, entry);
	return ok;
}

/* The value in the last entry of that name. */
static const char *find(char *const *entries, size_t n, const char *name)
{
	while (n-- > 0) {
		struct sv value = sv_cstr(entries[n]), key;

		sv_cut(&value, '=', &key);
		if (sv_is(key, name))
			return value.ptr;
	}
	return NULL;
}

static const char *lookup(void *arg, const char *name)
{
	const struct flow_model *m = arg;

	return find(m->env.at, m->env.n, name);
}

static const char *setting(const struct flow_model *m, const char *name)
{
	return find(m->settings.at, m->settings.n, name);
}

static bool read_config(struct flow_model *m, struct err *err)
{
	struct model_settings settings = { .key_helper = setting(m, "apiKeyHelper"),
					   .aws_export = setting(m, "awsCredentialExport"),
					   .aws_refresh = setting(m, "awsAuthRefresh"),
					   .gcp_refresh = setting(m, "gcpAuthRefresh") };

	return model_config_read_with(&m->config, &settings, lookup, m, err);
}

static bool connect_model(struct flow *f, struct err *err)
{
	struct flow_model *m = model_of(f);

	if (m->client)
		return true;
	if (!f->http)
		f->http = http_new(f->loop, &(struct http_config){ .proxy = NULL }, err);
	if (!f->http || !read_config(m, err))
		return false;
	m->table = model_table_new();
	m->client = model_client_new(f->loop, f->http, &m->config, m->table);
	return true;
}

/* --- reply: a whole good answer of the Messages API ------------------------- */

/* reply TEXT [cached N of M] */
static bool do_reply(struct flow *f, const struct line *line, struct err *err)
{
	defer(str_clear) struct str body = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest = line->args;
	struct sim_http_step steps[] = {
		{ SIM_HTTP_HEAD, 200, SV_INIT("content-type: text/event-stream") },
		{ .act = SIM_HTTP_BODY },
	};
	int64_t read = 0, written = 0;

	if (!take_quoted(&text, &rest, err))
		return false;
	if (sv_is(take_word(&rest), "cached") && (!parse_count(&read, take_word(&rest), err) ||
						  !parse_count(&written, take_word(&rest), err)))
		return false;
	str_addf(&body,
		 "event: message_start\ndata: "
		 "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\","
		 "\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[],"
		 "\"stop_reason\":null,\"usage\":{\"input_tokens\":10,\"output_tokens\":1,"
		 "\"cache_read_input_tokens\":%lld,\"cache_creation_input_tokens\":%lld}}}\n\n",
		 (long long)read, (long long)written);
	str_addf(&body,
		 "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,"
		 "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
		 "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,"
		 "\"delta\":{\"type\":\"text_delta\",\"text\":\"%s\"}}\n\n",
		 str_c(&text));
	str_adds(
		&body,
		"event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
		"event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":"
		"{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":5}}\n\n"
		"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
	steps[1].text = sv_of(&body);
	sim_http(f->world,
		 &(struct sim_http_rule){
			 .url = MODEL_URL, .steps = steps, .n = countof(steps), .uses = 1 });
	return true;
}

/* refuse STATUS TYPE [name: value]: an error of the Messages API */
static bool do_refuse(struct flow *f, const struct line *line, struct err *err)
{
	defer(str_clear) struct str body = STR_INIT;
	struct sv rest = line->args, type;
	int64_t status;
	struct sim_http_step steps[] = { { .act = SIM_HTTP_HEAD }, { .act = SIM_HTTP_BODY } };

	if (!parse_count(&status, take_word(&rest), err))
		return false;
	type = take_word(&rest);
	str_addf(&body, "{\"type\":\"error\",\"error\":{\"type\":\"%.*s\",\"message\":\"sorry\"}}",
		 SV_ARG(type));
	steps[0].n = status;
	steps[0].text = sv_trim(rest);
	steps[1].text = sv_of(&body);
	sim_http(f->world,
		 &(struct sim_http_rule){
			 .url = MODEL_URL, .steps = steps, .n = countof(steps), .uses = 1 });
	return true;
}

/* --- ask: a request ----------------------------------------------------------- */

struct flow_request {
	struct flow_leaf leaf;
	struct arena arena;
	struct model_request request;
	struct sv system, message;
	struct sv cancel_on; /* the event that makes the owner give up */
};

static void log_text(struct flow_request *a, const char *what, struct sv text)
{
	defer(str_clear) struct str quoted = STR_INIT;

	text_quote(&quoted, text);
	flow_log(a->leaf.flow, sv_cstr(a->leaf.label), "%s %s", what, str_c(&quoted));
}

static void log_usage(struct flow_request *a, const char *what, struct sv text,
		      const struct usage *u)
{
	flow_log(a->leaf.flow, sv_cstr(a->leaf.label), "%s %.*s in %lld out %lld", what,
		 SV_ARG(text), (long long)usage_prompt(u), (long long)u->output);
}

/* The events that an owner may answer by giving up. */
static const char *kind_name(enum model_event_kind kind)
{
	if (kind == MODEL_RETRY)
		return "retry";
	if (kind == MODEL_DISCARD)
		return "discard";
	if (kind == MODEL_LOGIN)
		return "login";
	return kind == MODEL_FALLBACK ? "fallback" : "other";
}

static void on_event(void *owner, const struct model_event *e)
{
	struct flow_request *a = owner;
	struct flow *f = a->leaf.flow;
	struct sv label = sv_cstr(a->leaf.label);

	switch (e->kind) {
	case MODEL_START:
		flow_log(f, label, "start%s%.*s", e->id.len ? " " : "", SV_ARG(e->id));
		break;
	case MODEL_BLOCK_START: break;
	case MODEL_TEXT: break; /* in pieces that depend on the wire; the block has it whole */
	case MODEL_THINKING: break;
	case MODEL_SIGNATURE: break;
	case MODEL_INPUT: break;
	case MODEL_BLOCK_STOP: flow_log(f, label, "block %.*s", SV_ARG(e->json)); break;
	case MODEL_USAGE: break;
	case MODEL_STOP: log_usage(a, "stop", e->text, &e->usage); break;
	case MODEL_RAW: break;
	case MODEL_RETRY:
		flow_log(f, label, "retry %d/%d in %lldms after %s: %s", e->attempt, e->attempts,
			 (long long)e->wait_ms, model_failure_name(e->error->failure),
			 e->error->err.text);
		break;
	case MODEL_STALL:
		flow_log(f, label, "silent for %llds of %lld", (long long)e->wait_ms / 1000,
			 (long long)e->limit_ms / 1000);
		break;
	case MODEL_DISCARD: flow_log(f, label, "discard"); break;
	case MODEL_FALLBACK: log_text(a, "fallback", e->model); break;
	case MODEL_NOTE: log_text(a, "note", e->text); break;
	case MODEL_LOGIN: log_text(a, "login", e->text); break;
	case MODEL_RATE_LIMIT: log_text(a, "limit", sv_cstr(e->rate_limit->status)); break;
	case MODEL_CACHE_DROP: log_text(a, "cache drop", e->text); break;
	}
	if (sv_is(a->cancel_on, kind_name(e->kind)))
		op_cancel(a->leaf.inner);
}

static void on_answered(struct op *op, void *owner, const struct err *why)
{
	struct flow_request *a = owner;

	if (why)
		flow_log(a->leaf.flow, sv_cstr(a->leaf.label), "class %s",
			 model_failure_name(model_error(op)->failure));
	flow_leaf_done(op, owner, why);
}

static void on_counted(struct op *op, void *owner, const struct err *why)
{
	static const char *const ways[] = { "exactly", "by a call", "by estimate" };
	struct flow_request *a = owner;
	enum model_count how;
	int64_t tokens = model_count_result(op, &how);

	if (!why)
		flow_log(a->leaf.flow, sv_cstr(a->leaf.label), "%lld tokens %s", (long long)tokens,
			 ways[how]);
	flow_leaf_done(op, owner, why);
}

static void ask_clear(struct flow_leaf *leaf)
{
	arena_clear(&container_of(leaf, struct flow_request, leaf)->arena);
}

static bool read_option(struct flow_request *a, const struct line *line, struct err *err)
{
	struct model_request *r = &a->request;

	if (sv_is(line->name, "fallback"))
		r->fallback = arena_dup(&a->arena, line->args);
	else if (sv_is(line->name, "wire"))
		r->wire = arena_dup(&a->arena, line->args);
	else if (sv_is(line->name, "effort"))
		return model_effort_read(&r->effort, line->args, err);
	else if (sv_is(line->name, "system"))
		a->system = arena_dup(&a->arena, line->args);
	else if (sv_is(line->name, "cancel-on"))
		a->cancel_on = arena_dup(&a->arena, line->args);
	else if (sv_is(line->name, "background"))
		r->source = MODEL_FOR_TITLE;
	else if (sv_is(line->name, "fast"))
		r->fast = true;
	else if (sv_is(line->name, "whole"))
		r->whole = true;
	else
		return err_set(err, ERR_INVALID, "line %d: no option is called \"%.*s\"",
			       line->number, SV_ARG(line->name));
	return true;
}

static bool read_ask(struct flow_request *a, const struct line *line, struct err *err)
{
	struct sv rest = line->args;
	struct model_request *r = &a->request;

	a->system = SV("be brief");
	r->model = arena_dup(&a->arena, take_word(&rest));
	a->message = arena_printf(&a->arena, "{\"role\":\"user\",\"content\":\"%.*s\"}",
				  SV_ARG(sv_trim(rest)));
	for (size_t i = 0; i < line->nblock; i++)
		if (!read_option(a, &line->block[i], err))
			return false;
	r->system = &a->system;
	r->nsystem = 1;
	r->messages = &a->message;
	r->nmessages = 1;
	return true;
}

/* ask MODEL [PROMPT] | count MODEL [PROMPT] */
static struct op *start_ask(struct flow *f, const struct line *line, struct then then,
			    struct err *err)
{
	struct flow_request *a = xnew(struct flow_request);
	struct err refused = ERR_INIT;

	if (!read_ask(a, line, err)) {
		arena_clear(&a->arena);
		free(a);
		return NULL;
	}
	flow_leaf_init(&a->leaf, f, line, then);
	a->leaf.clear = ask_clear;
	if (!connect_model(f, &refused))
		op_finish(&a->leaf.op, &refused);
	else if (sv_is(line->name, "count"))
		a->leaf.inner =
			model_count_start(f->model->client, &a->request, THEN(on_counted, a));
	else
		a->leaf.inner =
			model_start(f->model->client, &a->request, on_event, THEN(on_answered, a));
	return &a->leaf.op;
}

static void on_prepared(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct flow_request *a = owner;

	a->leaf.inner = NULL;
	op_finish(&a->leaf.op, why);
}

/* prepare MODEL */
static struct op *start_prepare(struct flow *f, const struct line *line, struct then then,
				__attribute__((unused)) struct err *err)
{
	struct flow_request *a = xnew(struct flow_request);
	struct err refused = ERR_INIT;

	flow_leaf_init(&a->leaf, f, line, then);
	a->leaf.clear = ask_clear;
	if (connect_model(f, &refused))
		a->leaf.inner = model_prepare_start(f->model->client, sv_trim(line->args),
						    THEN(on_prepared, a));
	else
		op_finish(&a->leaf.op, &refused);
	return &a->leaf.op;
}

/* knows MODEL: what the table has of it by now */
static bool do_knows(struct flow *f, const struct line *line, struct err *err)
{
	struct model_info info;

	if (!connect_model(f, err))
		return false;
	info = model_info(f->model->table, line->args);
	flow_log(f, line->label, "%s a window of %lld, answers of %lld",
		 info.known ? "has" : "guesses", (long long)info.context,
		 (long long)info.max_output);
	return true;
}

const struct flow_directive flow_model_directives[] = {
	{ "env", .run = do_env },
	{ "setting", .run = do_env },
	{ "reply", .run = do_reply },
	{ "refuse", .run = do_refuse },
	{ "ask", .start = start_ask },
	{ "count", .start = start_ask },
	{ "knows", .run = do_knows },
	{ "prepare", .start = start_prepare },
	{ NULL },
};

#include "mcp/tools.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "mcp/content.h"
#include "mcp/names.h"
#include "mcp/tool_headers.h"
#include "mcp/tool_schema.h"
#include "text/invisible.h"
#include "text/json/json_write.h"
#include "tool/shell/child_env.h"

enum {
	NAME_MOST = 128,      /* that the services take */
	USUAL_TOKENS = 25000, /* of a result */
	BYTES_OF_TOKEN = 4,
	RESULT_MOST = 500 * 1000, /* that a server may ask for */
	PROGRESS_SHOWN = 1000,
	SKIPPED_SHOWN = 5,
};

/* --- a call --------------------------------------------------------------------------------- */

struct mcp_tool_call {
	struct op op;
	struct tool_call *call;
	struct op *step;
	int64_t started_ms;
};

static void mcp_tool_call_cancel(struct op *op)
{
	op_cancel(container_of(op, struct mcp_tool_call, op)->step);
}

static void mcp_tool_call_free(struct op *op)
{
	free(container_of(op, struct mcp_tool_call, op));
}

static const struct op_type tool_call_type = {
	.name = "MCP tool",
	.cancel = mcp_tool_call_cancel,
	.free = mcp_tool_call_free,
};

/* Show what the server says about its progress. */
static void mcp_tool_call_on_progress(void *arg, struct json params)
{
	struct mcp_tool_call *c = arg;
	struct sv message = json_str_or(json_get(params, "message"), SV_EMPTY);
	double done = json_real_or(json_get(params, "progress"), -1);
	double total = json_real_or(json_get(params, "total"), 0);
	defer(str_clear) struct str text = STR_INIT;

	if (!c->call->on_progress)
		return;
	if (message.len)
		invisible_drop(&text, utf8_prefix(message, PROGRESS_SHOWN));
	else if (done >= 0 && total > 0)
		str_addf(&text, "%.0f of %.0f", done, total);
	else if (done >= 0)
		str_addf(&text, "%.0f", done);
	str_addc(&text, '\n');
	c->call->on_progress(c->call->progress_arg, sv_of(&text));
}

/* How many bytes of a result the model gets. */
static size_t mcp_tool_max_result(const struct tool_call *call)
{
	const struct mcp_tool *t = (const struct mcp_tool *)call->tool;
	const char *given = child_env_get(call->ctx->session->env, "MAX_MCP_OUTPUT_TOKENS");
	int64_t tokens = USUAL_TOKENS;

	if (t->max_result)
		return t->max_result;
	if (given && sv_to_int(sv_cstr(given), &tokens) && (tokens <= 0 || tokens > INT32_MAX))
		tokens = USUAL_TOKENS;
	return (size_t)tokens * BYTES_OF_TOKEN;
}

static void mcp_tool_call_fail(struct mcp_tool_call *c, const struct op *op, const struct err *why)
{
	const struct mcp_tool *t = (const struct mcp_tool *)c->call->tool;
	struct tool_result *result = &c->call->result;
	int64_t seconds = (loop_now(c->op.loop) - c->started_ms) / 1000;

	if (why->kind == ERR_TIMEOUT)
		tool_fail(result, "MCP server \"%s\" tool \"%s\" timed out after %llds",
			  mcp_server_config(t->server)->name, t->name, (long long)seconds);
	else if (mcp_server_call_code(op) && mcp_server_call_text(op).len)
		tool_fail(result, "%.*s", SV_ARG(mcp_server_call_text(op)));
	else
		tool_fail(result, "%s", why->text);
}

static void mcp_tool_call_on_done(struct op *op, void *owner, const struct err *why)
{
	struct mcp_tool_call *c = owner;
	const struct mcp_tool *t = (const struct mcp_tool *)c->call->tool;

	c->step = NULL;
	if (why && why->kind == ERR_CANCELLED) {
		op_finish(&c->op, why);
		return;
	}
	if (why)
		mcp_tool_call_fail(c, op, why);
	else
		mcp_content_take(c->call, sv_cstr(mcp_server_config(t->server)->name),
				 mcp_server_call_result(op), mcp_tool_max_result(c->call));
	op_finish(&c->op, NULL);
}

static struct json_doc *mcp_tool_call_params(const struct mcp_tool *t, struct json input)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct json_doc *doc;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "name", sv_cstr(t->name));
	jw_put_value(&w, "arguments", input);
	jw_end(&w);
	jw_done(&w);
	doc = json_parse(sv_of(&text), 0, &err);
	BUG_ON(!doc);
	return doc;
}

static void mcp_tool_collect_headers(const struct mcp_tool *t, struct json input,
				     struct arena *arena, tool_header_list *out)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *schema = json_parse(sv_cstr(t->schema), 0, &err);

	tool_headers_collect(json_root(schema), input, arena, out);
}

static struct op *mcp_tool_start(struct tool_call *call, struct then then)
{
	const struct mcp_tool *t = (const struct mcp_tool *)call->tool;
	struct mcp_tool_call *c = xnew(struct mcp_tool_call);
	defer(json_doc_freep) struct json_doc *params = mcp_tool_call_params(t, call->input);
	struct mcp_call_opts opts = { .method = SV("tools/call"),
				      .name = sv_cstr(t->name),
				      .params = json_root(params),
				      .tool_use_id = call->id,
				      .on_progress = mcp_tool_call_on_progress,
				      .arg = c };

	struct arena arena = ARENA_INIT;
	tool_header_list headers = VEC_INIT;

	op_init(&c->op, &tool_call_type, call->ctx->loop, then);
	c->call = call;
	c->started_ms = loop_now(c->op.loop);
	if (t->is_gone) {
		tool_fail(&call->result, "The MCP server no longer offers this tool.");
		op_finish(&c->op, NULL);
		return &c->op;
	}
	mcp_tool_collect_headers(t, call->input, &arena, &headers);
	opts.headers = headers.at;
	opts.nheaders = headers.n;
	c->step = mcp_server_call_start(t->server, &opts, t->is_read_only || t->is_idempotent,
					THEN(mcp_tool_call_on_done, c));
	vec_clear(&headers);
	arena_clear(&arena);
	return &c->op;
}

/* --- a tool ----------------------------------------------------------------------------------- */

void mcp_tool_free(struct mcp_tool *t)
{
	if (!t)
		return;
	free(t->name);
	free(t->title);
	free(t->full_name);
	free(t->page);
	free(t->schema);
	free(t->doubt);
	free(t);
}

const struct mcp_tool *mcp_tool_of(const struct tool *tool)
{
	return tool && tool->start == mcp_tool_start ? (const struct mcp_tool *)tool : NULL;
}

/* What the model reads about it: cleaned, and not too long. */
static char *mcp_tool_describe(struct json item)
{
	struct sv text = json_str_or(json_get(item, "description"), SV_EMPTY);
	struct str clean = STR_INIT;
	size_t n;

	invisible_drop(&clean, text);
	n = utf8_prefix(sv_of(&clean), LIMIT_MCP_DESCRIPTION).len;
	if (n < clean.len) {
		str_truncate(&clean, n);
		str_adds(&clean, "... [truncated]");
	}
	if (!clean.len)
		str_add(&clean, json_str_or(json_get(item, "title"), SV_EMPTY));
	return str_detach(&clean);
}

static uint64_t mcp_tool_hash(struct json item)
{
	defer(str_clear) struct str text = STR_INIT;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	jw_value(&w, item);
	jw_done(&w);
	return hash_bytes(sv_of(&text), 1);
}

static bool mcp_tool_hint(struct json item, const char *name, bool usual)
{
	return json_bool_or(json_get(json_get(item, "annotations"), name), usual);
}

/* Read what the server says about how the tool behaves. It may be wrong: permission never depends on it. */
static void mcp_tool_read_hints(struct mcp_tool *t, struct json item)
{
	struct json meta = json_get(item, "_meta");
	int64_t max = json_int_or(json_get(meta, "anthropic/maxResultSizeChars"), 0);

	t->has_annotations = json_is(json_get(item, "annotations"), JSON_OBJECT);
	t->is_read_only = mcp_tool_hint(item, "readOnlyHint", false);
	t->is_destructive = !t->is_read_only && mcp_tool_hint(item, "destructiveHint", true);
	t->is_idempotent = mcp_tool_hint(item, "idempotentHint", false);
	t->is_open_world = mcp_tool_hint(item, "openWorldHint", true);
	t->always_loads = mcp_server_config(t->server)->always_load ||
			  json_bool_or(json_get(meta, "anthropic/alwaysLoad"), false);
	t->max_result = max > 0 ? (size_t)min_of(max, (int64_t)RESULT_MOST) : 0;
}

static struct mcp_tool *mcp_tool_new(struct mcp_server *server, struct json item, struct sv name,
				     uint64_t hash)
{
	struct mcp_tool *t = xnew(struct mcp_tool);
	defer(str_clear) struct str raw = STR_INIT;
	struct str full = STR_INIT, schema = STR_INIT;
	struct json title = json_get(item, "title");

	if (!json_is(title, JSON_STRING))
		title = json_get(json_get(item, "annotations"), "title");
	t->server = server;
	t->hash = hash;
	t->name = sv_dup(name);
	t->title = sv_dup(json_str_or(title, SV_EMPTY));
	mcp_name_join(&full, sv_cstr(mcp_server_config(server)->name), name);
	t->full_name = str_detach(&full);
	t->page = mcp_tool_describe(item);
	tool_schema_write(&raw, json_get(item, "inputSchema"));
	invisible_drop(&schema, sv_of(&raw)); /* its descriptions are read by the model, too */
	t->schema = str_detach(&schema);
	mcp_tool_read_hints(t, item);
	t->tool = (struct tool){
		.name = t->full_name,
		.page = t->page,
		.schema = sv_cstr(t->schema),
		.is_read_only = t->is_read_only ? tool_always : NULL,
		.is_concurrent = t->is_read_only ? tool_always : NULL,
		.start = mcp_tool_start,
	};
	return t;
}

/* --- all tools of a server --------------------------------------------------------------------- */

static int mcp_tools_compare(const void *a, const void *b)
{
	const struct mcp_tool *const *left = a, *const *right = b;

	return strcmp((*left)->full_name, (*right)->full_name);
}

/* Take the tool as it was, if nothing about it has changed. */
static struct mcp_tool *mcp_tools_reuse(mcp_tool_list *old, struct sv name, uint64_t hash)
{
	for (size_t i = 0; i < old->n; i++)
		if (old->at[i] && old->at[i]->hash == hash && sv_is(name, old->at[i]->name))
			return move(old->at[i]);
	return NULL;
}

static bool mcp_tools_check(struct json item, struct err *err)
{
	return tool_schema_check(json_get(item, "inputSchema"), err) &&
	       tool_headers_check(json_get(item, "inputSchema"), err);
}

/* What is read, and what is said about it. */
struct mcp_tools_reading {
	mcp_tool_list *out, *old;
	struct mcp_server *server;
	struct str *notes;
	size_t skipped;
};

/* A server may list thousands of tools that cannot be used: a few of them show what is wrong. */
static void mcp_tools_skip(struct mcp_tools_reading *r, struct sv name, const char *why)
{
	const char *server = mcp_server_config(r->server)->name;
	defer(str_clear) struct str shown = STR_INIT;

	if (++r->skipped > SKIPPED_SHOWN)
		return;
	invisible_escape(&shown, utf8_prefix(name, 100), invisible_misleads_in_line);
	if (name.len)
		str_addf(r->notes, "A tool of MCP server %s is skipped: %s: %s\n", server,
			 str_c(&shown), why);
	else
		str_addf(r->notes, "A tool of MCP server %s is skipped: it has no name\n", server);
}

static void mcp_tools_add(struct mcp_tools_reading *r, struct json item)
{
	struct sv name = json_str_or(json_get(item, "name"), SV_EMPTY);
	uint64_t hash = mcp_tool_hash(item);
	struct mcp_tool *tool;
	struct err err = ERR_INIT;

	if (!name.len || !mcp_tools_check(item, &err)) {
		mcp_tools_skip(r, name, err.text);
		return;
	}
	tool = mcp_tools_reuse(r->old, name, hash);
	if (!tool)
		tool = mcp_tool_new(r->server, item, name, hash);
	if (strlen(tool->full_name) > NAME_MOST)
		mcp_tools_skip(r, name, "its name is too long");
	else if (strlen(tool->schema) > LIMIT_MCP_SCHEMA)
		mcp_tools_skip(r, name, "its \"inputSchema\" is longer than 128 KiB");
	else {
		vec_push(r->out, tool);
		return;
	}
	mcp_tool_free(tool);
}

void mcp_tools_read(mcp_tool_list *out, struct mcp_server *server, mcp_tool_list *old,
		    struct str *notes)
{
	const struct mcp_client *client = mcp_server_client(server);
	struct mcp_tools_reading r = { out, old, server, notes, 0 };
	size_t n = mcp_client_count(client, MCP_TOOLS), kept = 0;

	for (size_t i = 0; i < n; i++)
		mcp_tools_add(&r, mcp_client_item(client, MCP_TOOLS, i));
	if (out->n)
		qsort(out->at, out->n, sizeof(*out->at), mcp_tools_compare);
	for (size_t i = 0; i < out->n; i++) {
		if (kept && !mcp_tools_compare(&out->at[kept - 1], &out->at[i])) {
			mcp_tools_skip(&r, sv_cstr(out->at[i]->name),
				       "another one has the same name");
			mcp_tool_free(out->at[i]);
		} else {
			out->at[kept++] = out->at[i];
		}
	}
	out->n = kept;
	if (r.skipped > SKIPPED_SHOWN)
		str_addf(notes, "%zu more tools of MCP server %s are skipped\n",
			 r.skipped - SKIPPED_SHOWN, mcp_server_config(server)->name);
}

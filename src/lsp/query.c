#include "lsp/query.h"

#include "base/limits.h"
#include "base/mem.h"
#include "lsp/format.h"
#include "sys/fs.h"
#include "sys/work.h"
#include "text/json/json_write.h"

struct operation {
	char name[22], method[40];
	bool needs_place;
	char follow[32]; /* asked about the first item of the answer */
	char side[6];    /* of the calls in the answer to that */
};

static const struct operation operations[] = {
	{ "goToDefinition", "textDocument/definition", true, "", "" },
	{ "findReferences", "textDocument/references", true, "", "" },
	{ "hover", "textDocument/hover", true, "", "" },
	{ "documentSymbol", "textDocument/documentSymbol", false, "", "" },
	{ "workspaceSymbol", "workspace/symbol", false, "", "" },
	{ "goToImplementation", "textDocument/implementation", true, "", "" },
	{ "prepareCallHierarchy", "textDocument/prepareCallHierarchy", true, "", "" },
	{ "incomingCalls", "textDocument/prepareCallHierarchy", true, "callHierarchy/incomingCalls",
	  "from" },
	{ "outgoingCalls", "textDocument/prepareCallHierarchy", true, "callHierarchy/outgoingCalls",
	  "to" },
	{ "diagnostics", "", false, "", "" },
};

struct lsp_query {
	struct op op;
	struct op *step; /* it waits for */
	struct lsp_server *server;
	const struct operation *operation;
	struct arena arena;
	struct sv path, query, root;
	int64_t line, character;
	struct str text; /* of the file */
	struct str *out;
};

static const struct operation *query_find(struct sv name)
{
	for (size_t i = 0; i < countof(operations); i++)
		if (sv_is(name, operations[i].name))
			return &operations[i];
	return NULL;
}

bool lsp_query_knows(struct sv operation, bool *needs_place)
{
	const struct operation *found = query_find(operation);

	if (found)
		*needs_place = found->needs_place;
	return found;
}

/* --- answers ------------------------------------------------------------------------------------------ */

static void query_format(struct lsp_query *q, struct json result)
{
	const struct operation *o = q->operation;

	if (sv_is(sv_cstr(o->name), "hover"))
		lsp_format_hover(q->out, result);
	else if (sv_ends(sv_cstr(o->name), SV("Symbol")))
		lsp_format_symbols(q->out, result, q->root);
	else if (sv_ends(sv_cstr(o->method), SV("CallHierarchy")))
		lsp_format_calls(q->out, result, o->side[0] ? o->side : NULL, q->root);
	else
		lsp_format_locations(q->out, result, q->root);
}

/* --- the way of a question ---------------------------------------------------------------------------- */

static void query_finish(struct lsp_query *q, const struct err *why)
{
	if (!why && !q->out->len)
		str_adds(q->out, "Nothing was found.");
	str_truncate(q->out, sv_trim(sv_of(q->out)).len);
	op_finish(&q->op, why);
}

static void query_on_followed(struct op *op, void *owner, const struct err *why)
{
	struct lsp_query *q = owner;

	q->step = NULL;
	if (!why)
		query_format(q, mcp_request_result(op));
	query_finish(q, why);
}

/* Ask about the calls of the first item. */
static bool query_follow(struct lsp_query *q, struct json result)
{
	defer(str_clear) struct str params = STR_INIT;
	struct json_iter it = json_each(result);
	struct json item;

	if (!json_next(&it, NULL, &item))
		return false;
	str_adds(&params, "{\"item\":");
	lsp_write_json(&params, item);
	str_addc(&params, '}');
	q->step = lsp_server_ask(q->server, sv_cstr(q->operation->follow), sv_of(&params),
				 THEN(query_on_followed, q));
	return true;
}

static void query_on_answer(struct op *op, void *owner, const struct err *why)
{
	struct lsp_query *q = owner;

	q->step = NULL;
	if (!why && q->operation->follow[0]) {
		if (!q->op.cancelled && query_follow(q, mcp_request_result(op)))
			return;
	} else if (!why) {
		query_format(q, mcp_request_result(op));
	}
	query_finish(q, why);
}

static void query_on_diagnostics(__attribute__((unused)) struct op *op, void *owner,
				 __attribute__((unused)) const struct err *why)
{
	struct lsp_query *q = owner;
	struct sv list = lsp_server_diagnostics(q->server, q->path);
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = list.len ? json_parse(list, 0, &err) : NULL;

	q->step = NULL;
	if (!doc)
		str_adds(q->out, "The language server has not checked this file yet.");
	else
		(void)lsp_format_diagnostics(q->out, json_root(doc), q->path, q->root);
	lsp_server_forget_news(q->server, q->path);
	query_finish(q, NULL);
}

static void query_write_params(const struct lsp_query *q, struct str *out)
{
	struct sv method = sv_cstr(q->operation->method);
	struct jw w;

	if (!sv_is(method, "workspace/symbol")) {
		lsp_write_place(out, q->path, q->operation->needs_place ? q->line - 1 : -1,
				q->character - 1,
				sv_is(method, "textDocument/references")
					? SV(",\"context\":{\"includeDeclaration\":true}")
					: SV_EMPTY);
		return;
	}
	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "query", q->query);
	jw_end(&w);
	jw_done(&w);
}

static void query_on_read(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct lsp_query *q = owner;
	defer(str_clear) struct str params = STR_INIT;
	struct err err = ERR_INIT;

	q->step = NULL;
	if (why || q->op.cancelled || !lsp_server_check(q->server, &err)) {
		query_finish(q, why ? why : &err);
		return;
	}
	lsp_server_open(q->server, q->path, sv_of(&q->text));
	if (!q->operation->method[0]) {
		q->step = lsp_server_wait_diagnostics(q->server, q->path,
						      THEN(query_on_diagnostics, q));
		return;
	}
	query_write_params(q, &params);
	q->step = lsp_server_ask(q->server, sv_cstr(q->operation->method), sv_of(&params),
				 THEN(query_on_answer, q));
}

static bool query_read(void *arg, struct err *err)
{
	struct lsp_query *q = arg;

	return fs_read(&q->text, q->path.ptr, LIMIT_LSP_FILE, err);
}

static void query_on_ready(__attribute__((unused)) struct op *op, void *owner,
			   __attribute__((unused)) const struct err *why)
{
	struct lsp_query *q = owner;
	struct err err = ERR_INIT;

	q->step = NULL;
	if (q->op.cancelled || !lsp_server_check(q->server, &err))
		query_finish(q, &err);
	else
		q->step = work_start(q->op.loop, query_read, q, THEN(query_on_read, q));
}

/* --- the op --------------------------------------------------------------------------------------------- */

static void query_cancel(struct op *op)
{
	op_cancel(container_of(op, struct lsp_query, op)->step);
}

static void query_free(struct op *op)
{
	struct lsp_query *q = container_of(op, struct lsp_query, op);

	str_clear(&q->text);
	arena_clear(&q->arena);
	free(q);
}

static const struct op_type query_type = { .name = "language server query",
					   .cancel = query_cancel,
					   .free = query_free };

struct op *lsp_query_start(struct loop *loop, const struct lsp_query_opts *opts, struct str *out,
			   struct then then)
{
	struct lsp_query *q = xnew(struct lsp_query);

	op_init(&q->op, &query_type, loop, then);
	q->server = opts->server;
	q->operation = query_find(opts->operation);
	BUG_ON(!q->operation);
	q->path = arena_dup(&q->arena, opts->path);
	q->query = arena_dup(&q->arena, opts->query);
	q->root = arena_dup(&q->arena, opts->root);
	q->line = max_of(opts->line, (int64_t)1);
	q->character = max_of(opts->character, (int64_t)1);
	q->out = out;
	q->step = lsp_server_wait(q->server, THEN(query_on_ready, q));
	return &q->op;
}

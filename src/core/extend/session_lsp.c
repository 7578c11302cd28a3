/* The language servers of a session: started for the first question about a file of their language, ended with the
 * session. Those that the user has not configured must not run what a repository brings along: they run in the sandbox,
 * in a trusted project, or are known to run nothing. */
#include "core/extend/session_lsp.h"

#include "base/limits.h"
#include "core/agent/executor.h"
#include "core/hooks/session_hooks.h"
#include "lsp/after_edit.h"
#include "lsp/query.h"
#include "store/settings/settings.h"
#include "tool/lsp/lsp_call.h"

struct session_lsp {
	struct session *s;
	struct arena arena;               /* of the configurations */
	VEC(struct lsp_server *) servers; /* in the order in which they were needed */
};

static struct sandbox *session_lsp_sandbox(void *arg)
{
	const struct session_lsp *lsp = arg;

	return lsp->s->shared.sandbox;
}

static void session_lsp_on_end(void *arg)
{
	struct session_lsp *lsp = arg;

	if (session_is_closed(lsp->s))
		session_settle(lsp->s);
}

static struct session_lsp *session_lsp_open(struct session *s)
{
	if (!s->lsp) {
		s->lsp = xnew(struct session_lsp);
		s->lsp->s = s;
	}
	return s->lsp;
}

static struct lsp_server *session_lsp_running(const struct session_lsp *lsp, struct sv extension)
{
	for (size_t i = 0; lsp && i < lsp->servers.n; i++)
		if (lsp_config_language(lsp_server_config(lsp->servers.at[i]), extension).len)
			return lsp->servers.at[i];
	return NULL;
}

/* The entry for an extension in an object of entries; missing: there is none. */
static struct json session_lsp_entry(struct json entries, struct sv extension, struct sv *name)
{
	struct json_iter it = json_each(entries);
	struct json entry;

	while (it.keyed && json_next(&it, name, &entry))
		if (json_exists(json_get_sv(json_get(entry, "extensionToLanguage"), extension)))
			return entry;
	return (struct json){ NULL };
}

static void session_lsp_expand(void *arg, struct str *out, struct sv text)
{
	const struct plugin *plugin = arg;

	plugin_expand(out, text,
		      &(struct plugin_words){ plugin->root, plugin->data, plugin->config, plugin });
}

/* Programs of a plugin know where its directories are, and what the user has configured. */
static void session_lsp_add_env(struct lsp_config *config, const struct plugin *plugin,
				struct arena *arena)
{
	VEC(struct mcp_pair) all = VEC_INIT;
	struct mcp_pair *copy;

	vec_push(&all, ((struct mcp_pair){ "CLAUDE_PLUGIN_ROOT",
					   arena_dup(arena, sv_cstr(plugin->root)).ptr }));
	if (plugin->data)
		vec_push(&all, ((struct mcp_pair){ "CLAUDE_PLUGIN_DATA",
						   arena_dup(arena, sv_cstr(plugin->data)).ptr }));
	for (size_t i = 0; plugin->env[i]; i++) {
		struct sv variable = sv_cstr(plugin->env[i]);
		size_t end = sv_find_char(variable, '=');

		vec_push(&all,
			 ((struct mcp_pair){ arena_dup(arena, sv_slice(variable, 0, end)).ptr,
					     arena_dup(arena, sv_skip(variable, end + 1)).ptr }));
	}
	for (size_t i = 0; i < config->run.nenv; i++)
		vec_push(&all, config->run.env[i]);
	copy = arena_calloc(arena, all.n, sizeof(*copy));
	memcpy(copy, all.at, all.n * sizeof(*copy));
	config->run.env = copy;
	config->run.nenv = all.n;
	vec_clear(&all);
}

/* The server of a plugin for an extension. */
static bool session_lsp_find_plugin(struct session *s, struct sv extension, struct lsp_config *out,
				    struct arena *arena)
{
	for (size_t i = 0; i < s->plugins.set.all.n; i++) {
		const struct plugin *plugin = &s->plugins.set.all.at[i];
		const struct lsp_words words = { session_lsp_expand, (void *)plugin };

		for (size_t k = 0; k < plugin->lsp.n; k++) {
			struct sv name = SV_EMPTY;
			struct json entry =
				session_lsp_entry(plugin->lsp.at[k].value, extension, &name);
			struct err err = ERR_INIT;

			if (!json_exists(entry))
				continue;
			if (lsp_config_read(out, name, entry, &words, arena, &err)) {
				session_lsp_add_env(out, plugin, arena);
				return true;
			}
			log_warn("%s: %s", plugin->lsp.at[k].file, err.text);
		}
	}
	return false;
}

/* The configuration for an extension: the user's own, that of a plugin, or a well-known server. */
static bool session_lsp_find(struct session *s, struct sv extension, struct lsp_config *out,
			     struct arena *arena, struct err *err)
{
	struct sv name = SV_EMPTY;
	struct json entry =
		session_lsp_entry(settings_get(s->settings, "lspServers"), extension, &name);

	if (json_exists(entry))
		return lsp_config_read(out, name, entry, NULL, arena, err);
	if (session_lsp_find_plugin(s, extension, out, arena))
		return true;
	if (lsp_config_find(out, extension, s->child_env.at, sv_cstr(s->shared.root), arena))
		return true;
	return err_set(err, ERR_NOT_FOUND, "There is no language server for %.*s files; use Grep.",
		       SV_ARG(extension));
}

static bool session_lsp_may_start(struct session *s, const struct lsp_config *config,
				  struct err *err)
{
	if (!config->runs_project || s->shared.sandbox || session_trusts_work_dir(s))
		return true;
	return err_set(err, ERR_ACCESS,
		       "%s may run programs of the project, so it needs the sandbox, a trusted "
		       "project, or "
		       "an entry in lspServers; use Grep.",
		       config->run.name);
}

bool session_lsp_check(void *arg, const struct tool_call *call, struct err *err)
{
	struct session *s = arg;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct lsp_call asked = lsp_call_read(call);
	struct sv extension = lsp_extension(asked.path);
	struct lsp_config config;
	bool needs_place = false;

	if (!lsp_query_knows(asked.operation, &needs_place))
		return err_set(err, ERR_INVALID, "There is no such operation.");
	if (needs_place && (asked.line < 1 || asked.character < 1))
		return err_set(err, ERR_INVALID,
			       "The operation needs line and character, counted from 1.");
	if (session_lsp_running(s->lsp, extension))
		return true;
	if (!session_lsp_find(s, extension, &config, &arena, err))
		return false;
	return session_lsp_may_start(s, &config, err);
}

static struct lsp_server *session_lsp_server(struct session *s, struct sv extension,
					     struct err *err)
{
	struct session_lsp *lsp = session_lsp_open(s);
	struct lsp_server *server = session_lsp_running(lsp, extension);
	struct lsp_server_opts opts = { .link = { .loop = s->engine->loop,
						  .env = s->child_env.at,
						  .project_dir = s->shared.root,
						  .sandbox = session_lsp_sandbox,
						  .sandbox_arg = lsp },
					.root = s->shared.root,
					.on_end = session_lsp_on_end,
					.arg = lsp };

	if (server || !session_lsp_find(s, extension, &opts.config, &lsp->arena, err))
		return server;
	vec_push(&lsp->servers, lsp_server_new(&opts));
	return *vec_last(&lsp->servers);
}

struct op *session_lsp_ask(void *arg, struct tool_call *call, struct then then)
{
	struct session *s = arg;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct lsp_call asked = lsp_call_read(call);
	struct sv path = tool_real_path(call->ctx, asked.path, &arena);
	struct err err = ERR_INIT;
	struct lsp_query_opts opts = {
		.server = session_lsp_server(s, lsp_extension(path), &err),
		.operation = asked.operation,
		.path = path,
		.line = asked.line,
		.character = asked.character,
		.query = asked.query,
		.root = sv_of(&call->ctx->cwd),
	};

	if (opts.server)
		return lsp_query_start(s->engine->loop, &opts, &call->result.text, then);
	tool_fail(&call->result, "%s", err.text);
	return op_settled(s->engine->loop, then);
}

/* --- after edits ------------------------------------------------------------------------------ */

/* The server that checks a file after an edit; NULL: none does. */
static struct lsp_server *session_lsp_checker(struct session *s, struct sv path)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct sv extension = lsp_extension(path);
	struct lsp_server *running = session_lsp_running(s->lsp, extension);
	struct lsp_config config;
	struct err ignored = ERR_INIT;

	if (running)
		return lsp_server_config(running)->skips_edits ? NULL : running;
	if (!extension.len || !session_lsp_find(s, extension, &config, &arena, &ignored) ||
	    config.skips_edits || !session_lsp_may_start(s, &config, &ignored))
		return NULL;
	return session_lsp_server(s, extension, &ignored);
}

/* The files that the calls of a response have edited are checked, and then the hooks run. */
struct lsp_edits {
	struct op op;
	struct session *s;
	const struct executor *calls;
	struct batch_point *point;
	VEC(struct op *) checks;
	size_t live;
	struct op *hooks;
};

static void lsp_edits_cancel(struct op *op)
{
	struct lsp_edits *e = container_of(op, struct lsp_edits, op);

	for (size_t i = 0; i < e->checks.n; i++)
		op_cancel(e->checks.at[i]);
	op_cancel(e->hooks);
}

static void lsp_edits_free(struct op *op)
{
	struct lsp_edits *e = container_of(op, struct lsp_edits, op);

	vec_clear(&e->checks);
	free(e);
}

static const struct op_type lsp_edits_type = { .name = "diagnostics after edits",
					       .cancel = lsp_edits_cancel,
					       .free = lsp_edits_free };

static void lsp_edits_on_hooks(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct lsp_edits *e = owner;

	e->hooks = NULL;
	op_finish(&e->op, why);
}

/* Tell the model about new problems. */
static void session_lsp_report(const struct session *s, const struct executor *calls,
			       struct batch_point *point)
{
	struct sv root = sv_of(&agent_tool_context(calls->agent)->cwd);
	defer(str_clear) struct str news = STR_INIT;

	for (size_t i = 0; s->lsp && i < s->lsp->servers.n && news.len < LIMIT_LSP_NEWS; i++)
		if (!lsp_server_config(s->lsp->servers.at[i])->skips_edits)
			lsp_server_take_news(s->lsp->servers.at[i], &news, root);
	if (news.len)
		str_addf(&point->context,
			 "<system-reminder>\nThe language server reports new problems after these "
			 "edits:\n%s</system-reminder>\n",
			 str_c(&news));
}

static void lsp_edits_on_check(struct op *op, void *owner,
			       __attribute__((unused)) const struct err *why)
{
	struct lsp_edits *e = owner;

	for (size_t i = 0; i < e->checks.n; i++)
		if (e->checks.at[i] == op)
			e->checks.at[i] = NULL;
	if (--e->live)
		return;
	if (!e->op.cancelled) {
		session_lsp_report(e->s, e->calls, e->point);
		e->hooks = hooks_tool_start_batch(e->s, e->calls, e->point,
						  THEN(lsp_edits_on_hooks, e));
	}
	if (!e->hooks)
		op_finish(&e->op, NULL);
}

static struct lsp_server *session_lsp_call_checker(struct session *s, const struct call *call)
{
	const struct perm_request *r = &call->perm_request;

	if (r->access != ACCESS_WRITE || !r->path.len || call->denied ||
	    call->run.result.is_error || tool_is_read_only(&call->run))
		return NULL;
	return session_lsp_checker(s, r->path);
}

static struct op *lsp_edits_start(struct session *s, const struct executor *calls,
				  struct batch_point *point, struct then then)
{
	struct lsp_edits *e = xnew(struct lsp_edits);

	op_init(&e->op, &lsp_edits_type, s->engine->loop, then);
	e->s = s;
	e->calls = calls;
	e->point = point;
	for (size_t i = 0; i < calls->calls.n; i++) {
		const struct call *call = calls->calls.at[i];
		struct lsp_server *server = session_lsp_call_checker(s, call);

		if (!server)
			continue;
		e->live++;
		vec_push(&e->checks,
			 lsp_after_edit_start(s->engine->loop, server, call->perm_request.path,
					      THEN(lsp_edits_on_check, e)));
	}
	return &e->op;
}

static struct op *session_lsp_batch(void *arg, const struct executor *calls,
				    struct batch_point *point, struct then then)
{
	struct session *s = arg;

	for (size_t i = 0; !s->kind.is_bare && !session_is_closed(s) && i < calls->calls.n; i++)
		if (session_lsp_call_checker(s, calls->calls.at[i]))
			return lsp_edits_start(s, calls, point, then);
	session_lsp_report(s, calls, point); /* of a server that was late */
	return hooks_tool_start_batch(s, calls, point, then);
}

void session_lsp_install(struct hook_points *points)
{
	points->batch = session_lsp_batch;
}

void session_lsp_close(struct session *s)
{
	for (size_t i = 0; s->lsp && i < s->lsp->servers.n; i++)
		lsp_server_stop(s->lsp->servers.at[i]);
}

bool session_lsp_is_quiet(const struct session *s)
{
	for (size_t i = 0; s->lsp && i < s->lsp->servers.n; i++)
		if (!lsp_server_is_quiet(s->lsp->servers.at[i]))
			return false;
	return true;
}

void session_lsp_free(struct session_lsp *lsp)
{
	if (!lsp)
		return;
	for (size_t i = 0; i < lsp->servers.n; i++)
		lsp_server_free(lsp->servers.at[i]);
	vec_clear(&lsp->servers);
	arena_clear(&lsp->arena);
	free(lsp);
}

#include "lsp/server.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "lsp/format.h"
#include "sys/wait_list.h"
#include "text/json/json_write.h"

enum lsp_state { LSP_OFF, LSP_STARTING, LSP_READY, LSP_ENDING };

enum {
	START_MS = 60 * 1000,
	ASK_MS = 60 * 1000, /* the first question of a big project waits for its index */
	DIAGNOSTICS_MS = 10 * 1000,
	MAX_ENDS = 3,
	MAX_FILES = 128,
};

/* A file that the server knows. */
struct lsp_file {
	struct str path;
	uint64_t hash; /* of the content it knows */
	int64_t version;
	bool is_judged;                /* diagnostics are about that content */
	bool has_news;                 /* they were not looked at */
	struct str diagnostics, known; /* those of now; those that the model knows */
};

struct lsp_server {
	struct lsp_server_opts opts;
	enum lsp_state state;
	struct mcp_peer peer;
	struct op *link, *initialize;
	struct waiter *waiters, *readers; /* for its start; for diagnostics */
	VEC(struct lsp_file) files;       /* the newest last */
	int ends;
	bool is_late;
	struct err why; /* it cannot be asked */
};

static void server_enter(struct lsp_server *server, enum lsp_state next);

static const char *server_root(const struct lsp_server *server)
{
	return server->opts.config.folder ? server->opts.config.folder : server->opts.root;
}

static int64_t server_start_ms(const struct lsp_server *server)
{
	return server->opts.config.start_ms ? server->opts.config.start_ms : START_MS;
}

static struct lsp_file *server_find(const struct lsp_server *server, struct sv path)
{
	for (size_t i = 0; i < server->files.n; i++)
		if (sv_eq(sv_of(&server->files.at[i].path), path))
			return &server->files.at[i];
	return NULL;
}

/* --- what it asks and says ------------------------------------------------------------------------- */

static void server_put_folder(struct jw *w, const char *root)
{
	defer(str_clear) struct str uri = STR_INIT;

	lsp_write_uri(&uri, sv_cstr(root));
	jw_object(w);
	jw_put_str(w, "uri", sv_of(&uri));
	jw_put_str(w, "name", sv_basename(sv_cstr(root)));
	jw_end(w);
}

/* What the user has set for each section that it wants to know. */
static void server_write_settings(const struct lsp_server *server, struct json items, struct jw *w)
{
	struct err ignored = ERR_INIT;
	struct sv text = server->opts.config.settings;
	defer(json_doc_freep) struct json_doc *doc =
		text.len ? json_parse(text, 0, &ignored) : NULL;
	struct json_iter it = json_each(items);
	struct json item, found;

	jw_array(w);
	while (json_next(&it, NULL, &item)) {
		defer(str_clear) struct str section = STR_INIT, value = STR_INIT;

		str_add(&section, json_str_or(json_get(item, "section"), SV_EMPTY));
		found = section.len && section.len < LIMIT_GIT_LINE
				? json_path(json_root(doc), str_c(&section))
				: json_root(doc);
		if (json_exists(found))
			lsp_write_json(&value, found);
		jw_raw(w, value.len ? sv_of(&value) : SV("null"));
	}
	jw_end(w);
}

static void server_on_request(void *arg, const struct rpc_message *message)
{
	struct lsp_server *server = arg;
	bool wants_settings = sv_is(message->method, "workspace/configuration");
	bool wants_folders = sv_is(message->method, "workspace/workspaceFolders");
	defer(str_clear) struct str result = STR_INIT;
	struct jw w;

	if (!wants_settings && !wants_folders) {
		if (sv_starts(message->method, SV("client/")) ||
		    sv_starts(message->method, SV("window/")))
			mcp_peer_reply(&server->peer, message->id, SV("null"));
		else
			mcp_peer_refuse(&server->peer, message->id, RPC_METHOD_NOT_FOUND,
					SV("awl does not support this"));
		return;
	}
	jw_init(&w, &result, JW_COMPACT);
	if (wants_settings) {
		server_write_settings(server, json_get(message->params, "items"), &w);
	} else {
		jw_array(&w);
		server_put_folder(&w, server_root(server));
		jw_end(&w);
	}
	jw_done(&w);
	mcp_peer_reply(&server->peer, message->id, sv_of(&result));
}

/* Diagnostics of a file that we have opened, unless they are about an older content. */
static void server_on_notification(void *arg, const struct rpc_message *message)
{
	struct lsp_server *server = arg;
	defer(str_clear) struct str path = STR_INIT;
	struct lsp_file *file;
	int64_t version;

	if (!sv_is(message->method, "textDocument/publishDiagnostics"))
		return;
	lsp_read_uri(&path, json_str_or(json_get(message->params, "uri"), SV_EMPTY));
	file = server_find(server, sv_of(&path));
	if (!file)
		return;
	version = json_int_or(json_get(message->params, "version"), file->version);
	if (version != file->version)
		return;
	str_truncate(&file->diagnostics, 0);
	lsp_write_json(&file->diagnostics, json_get(message->params, "diagnostics"));
	file->is_judged = true;
	file->has_news = true;
	server->is_late = false;
	wait_list_wake(&server->readers);
}

/* --- its link ---------------------------------------------------------------------------------------- */

static void server_on_message(void *owner, struct sv json)
{
	struct lsp_server *server = owner;

	mcp_peer_receive(&server->peer, json);
}

static void server_on_undelivered(void *owner, int64_t id, const struct mcp_failure *failure)
{
	struct lsp_server *server = owner;

	mcp_peer_undelivered(&server->peer, id, failure);
}

static void server_clear_file(struct lsp_file *file)
{
	str_clear(&file->path);
	str_clear(&file->diagnostics);
	str_clear(&file->known);
}

static void server_forget_files(struct lsp_server *server)
{
	for (size_t i = 0; i < server->files.n; i++)
		server_clear_file(&server->files.at[i]);
	server->files.n = 0;
}

static void server_on_link(__attribute__((unused)) struct op *op, void *owner,
			   const struct err *why)
{
	struct lsp_server *server = owner;

	server->link = NULL;
	if (server->state != LSP_ENDING)
		server->ends++;
	if (why && (server->why.kind == ERR_NONE || server->state == LSP_READY))
		server->why = *why;
	server->peer.link = NULL;
	mcp_peer_disconnect(&server->peer, &server->why);
	server_enter(server, LSP_OFF);
}

/* --- its start --------------------------------------------------------------------------------------- */

#define CAPABILITIES                                                                               \
	"{\"general\":{\"positionEncodings\":[\"utf-16\"]},\"workspace\":{\"configuration\":true," \
	"\"workspaceFolders\":true},\"textDocument\":{\"synchronization\":{},\"hover\":{"          \
	"\"contentFormat\":[\"markdown\",\"plaintext\"]},\"documentSymbol\":{"                     \
	"\"hierarchicalDocumentSymbolSupport\":true},\"definition\":{},\"references\":{},"         \
	"\"implementation\":{},\"callHierarchy\":{},\"publishDiagnostics\":{"                      \
	"\"versionSupport\":true}}}"

static void server_write_initialize(const struct lsp_server *server, struct str *out)
{
	defer(str_clear) struct str uri = STR_INIT;
	struct jw w;

	lsp_write_uri(&uri, sv_cstr(server_root(server)));
	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_raw(&w, "processId", SV("null"));
	jw_put_raw(&w, "clientInfo", SV("{\"name\":\"awl\"}"));
	jw_put_str(&w, "rootUri", sv_of(&uri));
	jw_put_raw(&w, "capabilities", SV(CAPABILITIES));
	if (server->opts.config.options.len)
		jw_put_raw(&w, "initializationOptions", server->opts.config.options);
	jw_put_array(&w, "workspaceFolders");
	server_put_folder(&w, server_root(server));
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static void server_on_initialized(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct lsp_server *server = owner;
	defer(str_clear) struct str settings = STR_INIT;

	server->initialize = NULL;
	if (server->state == LSP_OFF) {
		server->opts.on_end(server->opts.arg); /* the server may be gone now */
		return;
	}
	if (server->state != LSP_STARTING)
		return;
	if (why) {
		server->why = *why;
		op_cancel(server->link);
		return;
	}
	mcp_peer_notify(&server->peer, SV("initialized"), SV("{}"));
	if (server->opts.config.settings.len) {
		str_addf(&settings, "{\"settings\":%.*s}", SV_ARG(server->opts.config.settings));
		mcp_peer_notify(&server->peer, SV("workspace/didChangeConfiguration"),
				sv_of(&settings));
	}
	server_enter(server, LSP_READY);
}

static void server_start(struct lsp_server *server)
{
	static const struct mcp_link_events events = { .message = server_on_message,
						       .undelivered = server_on_undelivered };
	defer(str_clear) struct str params = STR_INIT;

	server->why = (struct err)ERR_INIT;
	server->link = mcp_stdio_start(&server->opts.link, &server->opts.config.run, &events,
				       THEN(server_on_link, server));
	server->peer.link = server->link;
	server_write_initialize(server, &params);
	server->initialize =
		mcp_request_start(&server->peer,
				  &(struct mcp_request_opts){ .method = SV("initialize"),
							      .params = sv_of(&params),
							      .timeout_ms = server_start_ms(server),
							      .is_initialize = true },
				  THEN(server_on_initialized, server));
}

static void server_enter(struct lsp_server *server, enum lsp_state next)
{
	static const char *const names[] = { "off", "starting", "ready", "ending" };

	log_state("language server", names[server->state], names[next]);
	server->state = next;
	switch (next) {
	case LSP_OFF:
		server_forget_files(server);
		wait_list_wake(&server->waiters);
		wait_list_wake(&server->readers);
		server->opts.on_end(server->opts.arg);
		break;
	case LSP_STARTING: server_start(server); break;
	case LSP_READY: wait_list_wake(&server->waiters); break;
	case LSP_ENDING:
		op_cancel(server->initialize);
		op_cancel(server->link);
		break;
	}
}

/* --- for its owner ------------------------------------------------------------------------------------ */

struct lsp_server *lsp_server_new(const struct lsp_server_opts *opts)
{
	struct lsp_server *server = xnew(struct lsp_server);
	const struct mcp_peer_events events = { .arg = server,
						.request = server_on_request,
						.notification = server_on_notification };

	server->opts = *opts;
	server->opts.link.has_lengths = true;
	server->why = (struct err)ERR_INIT;
	mcp_peer_init(&server->peer, opts->link.loop, &events);
	server->peer.sends_cancelled = false;
	return server;
}

void lsp_server_stop(struct lsp_server *server)
{
	if (server->state == LSP_STARTING || server->state == LSP_READY)
		server_enter(server, LSP_ENDING);
}

bool lsp_server_is_quiet(const struct lsp_server *server)
{
	return server->state == LSP_OFF && !server->initialize;
}

void lsp_server_free(struct lsp_server *server)
{
	BUG_ON(!lsp_server_is_quiet(server));
	server_forget_files(server);
	vec_clear(&server->files);
	free(server);
}

const struct lsp_config *lsp_server_config(const struct lsp_server *server)
{
	return &server->opts.config;
}

struct op *lsp_server_wait(struct lsp_server *server, struct then then)
{
	int max_ends = server->opts.config.max_starts ? server->opts.config.max_starts : MAX_ENDS;

	if (server->state == LSP_OFF && !server->initialize && server->ends < max_ends)
		server_enter(server, LSP_STARTING);
	if (server->state != LSP_STARTING)
		return op_settled(server->peer.loop, then);
	return wait_list_add(&server->waiters, server->peer.loop, server_start_ms(server), then);
}

bool lsp_server_check(const struct lsp_server *server, struct err *err)
{
	if (server->state == LSP_READY)
		return true;
	return err_set(err, ERR_RESET, "the language server %s cannot be asked: %s",
		       server->opts.config.run.name,
		       server->why.kind ? server->why.text : "it did not start in time");
}

static void server_close_oldest(struct lsp_server *server)
{
	struct lsp_file *file = &server->files.at[0];
	defer(str_clear) struct str params = STR_INIT;

	lsp_write_place(&params, sv_of(&file->path), -1, -1, SV_EMPTY);
	mcp_peer_notify(&server->peer, SV("textDocument/didClose"), sv_of(&params));
	server_clear_file(file);
	server->files.n--;
	memmove(file, file + 1, server->files.n * sizeof(*file));
}

void lsp_server_open(struct lsp_server *server, struct sv path, struct sv text)
{
	struct lsp_file *file = server_find(server, path);
	uint64_t hash = hash_bytes(text, 1);
	defer(str_clear) struct str params = STR_INIT;
	bool is_new = !file;

	if (file && file->hash == hash)
		return;
	if (is_new) {
		if (server->files.n == MAX_FILES)
			server_close_oldest(server);
		file = vec_add(&server->files);
		*file = (struct lsp_file){ .path = STR_INIT,
					   .diagnostics = STR_INIT,
					   .known = STR_INIT };
		str_add(&file->path, path);
	}
	file->hash = hash;
	file->version++;
	file->is_judged = false;
	lsp_write_text(&params, path,
		       is_new ? lsp_config_language(&server->opts.config, lsp_extension(path))
			      : SV_EMPTY,
		       file->version, text);
	mcp_peer_notify(&server->peer,
			is_new ? SV("textDocument/didOpen") : SV("textDocument/didChange"),
			sv_of(&params));
}

void lsp_server_save(struct lsp_server *server, struct sv path)
{
	defer(str_clear) struct str params = STR_INIT;

	lsp_write_place(&params, path, -1, -1, SV_EMPTY);
	mcp_peer_notify(&server->peer, SV("textDocument/didSave"), sv_of(&params));
}

struct op *lsp_server_ask(struct lsp_server *server, struct sv method, struct sv params,
			  struct then then)
{
	return mcp_request_start(&server->peer,
				 &(struct mcp_request_opts){
					 .method = method, .params = params, .timeout_ms = ASK_MS },
				 then);
}

struct op *lsp_server_wait_diagnostics(struct lsp_server *server, struct sv path, struct then then)
{
	const struct lsp_file *file = server_find(server, path);

	if (!file || file->is_judged)
		return op_settled(server->peer.loop, then);
	return wait_list_add(&server->readers, server->peer.loop, DIAGNOSTICS_MS, then);
}

struct sv lsp_server_diagnostics(const struct lsp_server *server, struct sv path)
{
	const struct lsp_file *file = server_find(server, path);

	return file && file->is_judged ? sv_of(&file->diagnostics) : SV_EMPTY;
}

static void server_take_file_news(struct lsp_file *file, struct str *out, struct sv root)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *now =
		json_parse(sv_of(&file->diagnostics), 0, &ignored);
	defer(json_doc_freep) struct json_doc *known =
		file->known.len ? json_parse(sv_of(&file->known), 0, &ignored) : NULL;

	if (now)
		lsp_format_new_diagnostics(out, json_root(now), json_root(known),
					   sv_of(&file->path), root);
	str_set(&file->known, sv_of(&file->diagnostics));
	file->has_news = false;
}

void lsp_server_take_news(struct lsp_server *server, struct str *out, struct sv root)
{
	for (size_t i = 0; i < server->files.n; i++)
		if (server->files.at[i].has_news && server->files.at[i].is_judged)
			server_take_file_news(&server->files.at[i], out, root);
}

void lsp_server_forget_news(struct lsp_server *server, struct sv path)
{
	struct lsp_file *file = server_find(server, path);

	if (!file)
		return;
	str_set(&file->known, sv_of(&file->diagnostics));
	file->has_news = false;
}

void lsp_server_be_late(struct lsp_server *server)
{
	server->is_late = true;
}

bool lsp_server_is_late(const struct lsp_server *server)
{
	return server->is_late;
}

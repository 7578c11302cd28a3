/* server.h - one language server: a child process that is started for the first question, told which files are open and
 * what is in them, asked, and ended with its session.
 *
 * A machine: OFF, STARTING (it is being initialized), READY, ENDING. What it sends is hostile: messages have a cap, every
 * request a deadline, and a server that has ended too often is not started again. */
#ifndef AWL_LSP_SERVER_H
#define AWL_LSP_SERVER_H

#include "lsp/config.h"
#include "mcp/link/links.h"
#include "mcp/peer.h"

struct lsp_server;

struct lsp_server_opts {
	struct mcp_link_env link; /* borrowed, like all below */
	struct lsp_config config;
	const char *root;          /* of the project */
	void (*on_end)(void *arg); /* the process has ended */
	void *arg;
};

struct lsp_server *lsp_server_new(const struct lsp_server_opts *opts);
/* Ends the process. `on_end` follows unless it is quiet. */
void lsp_server_stop(struct lsp_server *server);
bool lsp_server_is_quiet(const struct lsp_server *server);
/* Only when it is quiet. */
void lsp_server_free(struct lsp_server *server);
const struct lsp_config *lsp_server_config(const struct lsp_server *server);

/* Starts the server if it does not run; done when it can be asked, or cannot. */
struct op *lsp_server_wait(struct lsp_server *server, struct then then);
/* Fails, saying why, unless it can be asked. */
must_use bool lsp_server_check(const struct lsp_server *server, struct err *err);

/* Tells it what is in a file. */
void lsp_server_open(struct lsp_server *server, struct sv path, struct sv text);
/* Tells it that an open file was saved: some servers check a file only then. */
void lsp_server_save(struct lsp_server *server, struct sv path);
/* Asks it. The result is that of mcp_request_result(). */
struct op *lsp_server_ask(struct lsp_server *server, struct sv method, struct sv params,
			  struct then then);
/* Done when it has said what is wrong in an open file as it is now, or after some seconds. */
struct op *lsp_server_wait_diagnostics(struct lsp_server *server, struct sv path, struct then then);
/* What it has said: a JSON array; empty: nothing yet. Valid until the next step. */
struct sv lsp_server_diagnostics(const struct lsp_server *server, struct sv path);
/* Appends the errors and warnings about open files that it has said since the last call for a file, and that it had not
 * said before: texts for the model, with paths relative to `root`. */
void lsp_server_take_news(struct lsp_server *server, struct str *out, struct sv root);
/* The model has read all that is said about this file. */
void lsp_server_forget_news(struct lsp_server *server, struct sv path);

/* Somebody has waited for its diagnostics in vain. Nobody should wait again until it says something. */
void lsp_server_be_late(struct lsp_server *server);
bool lsp_server_is_late(const struct lsp_server *server);

#endif

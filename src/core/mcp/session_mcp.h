/* session_mcp.h - the MCP servers of a session: they are started with it, their tools are offered to its agent as soon
 * as they are known, and all of it ends with it.
 *
 * Nobody waits for servers at a terminal. A script does, since its first request may be its last: for the servers
 * that it has named itself until they are connected or have failed, for others a few seconds. */
#ifndef AWL_CORE_MCP_SESSION_MCP_H
#define AWL_CORE_MCP_SESSION_MCP_H

#include "core/control/file_suggestions.h"
#include "core/mcp/mcp_endpoint.h"
#include "core/session/session_internal.h"
#include "mcp/pins.h"
#include "mcp/resource_tools.h"
#include "mcp/servers.h"
#include "mcp/sources.h"
#include "mcp/tools.h"

/* What a session keeps with each server. */
struct session_mcp_server {
	mcp_tool_list tools; /* on offer */
	bool is_announced;   /* the model has its instructions */
	struct mcp_pins pins;
	bool has_pins; /* they are read */
	bool accepts;  /* its tools as they are now */
	struct tool *
		login; /* by which the model begins a login; NULL: none was needed. Owned by the session */
	bool offers_login;
	bool announces;    /* when it is connected: the user has just logged in */
	bool is_guest;     /* only sub-agents whose definition has it use it */
	size_t nusers;     /* of a guest: sub-agents that work with it */
	struct str origin; /* JSON: its name and where it is configured */
	bool has_mode;     /* the host has pinned one */
	enum perm_mode mode;
};

/* The permission mode that the host has pinned for a server, which need not exist. */
struct session_mcp_pinned {
	char *server; /* its name */
	enum perm_mode mode;
};

struct permission_ask;
struct mention_read;

enum { CHANNEL_ID = 5 };

/* A question about permission that channels may answer. */
struct channel_relay {
	char id[CHANNEL_ID + 1];
	struct str request;                   /* its id for the host */
	const struct mcp_server *answered_by; /* compared only; NULL: none */
};

struct session_mcp {
	struct session *s;
	struct mcp_sources sources;  /* as the session found them when it was opened */
	struct mcp_servers *servers; /* NULL until it is started */
	struct mcp_auth *auth;       /* NULL: no server is on the network */
	struct str credentials;      /* their file */
	env_list env;
	struct op *head_start; /* of the prompt; NULL: servers connect */
	struct op *patience, *short_patience;
	bool is_patient, is_patient_with_others; /* prompts wait for servers */
	struct task look;                        /* whether prompts that wait can go on */
	struct tool resource_tools[MCP_RESOURCE_TOOLS];
	bool offers_resources;
	bool is_strict;                    /* servers of plugins do not count */
	mcp_tool_list gone;                /* withdrawn tools, until no call can use them */
	char *permission_tool;             /* that answers questions; NULL: none */
	VEC(struct permission_ask *) asks; /* questions that it has not answered */
	VEC(char *) channels;              /* names of servers that may push messages */
	VEC(struct session_mcp_pinned) modes;
	VEC(struct channel_relay) relays;  /* open questions that channels were told */
	VEC(struct mention_read *) reads;  /* resources of prompts that wait for them */
	struct str mentioned;              /* what the model has to be sent of them */
	struct mcp_state_file *state_file; /* the same */
	struct mcp_endpoint *endpoint;     /* for awl --mcp-cli; NULL: none */
	size_t nsaves;                     /* of pins, under way */
	struct mcp_auth *login_auth;       /* for people who log in; NULL: nobody has yet */
	struct session_mcp_login *logins;  /* under way */
	VEC(struct tool *) login_tools;    /* by which the model begins one */
	struct str named;                  /* deferred tools that the model has not been told of */
	size_t nunnamed;                   /* and how many more */
	size_t nrefused; /* requests of servers in this turn that nobody could answer */
	bool is_renamed; /* ToolSearch has to name its tools anew */
};

/* --- session_mcp_config.c --- */

/* Starts the servers of plugins that have come, and ends those of plugins that have gone. */
void session_mcp_follow_plugins(struct session_mcp *m);

/* --- session_mcp.c --- */

/* Reads which servers there are. Fails on a configuration that was given for this session and cannot be used. */
must_use bool session_mcp_open(struct session *s, const struct awl_session_options *options,
			       struct err *err);
/* Starts them. */
void session_mcp_start(struct session *s);
/* Begins to end everything; session_settle() follows. */
void session_mcp_cancel(struct session *s);
bool session_mcp_is_quiet(const struct session *s);
void session_mcp_free(struct session_mcp *mcp);

/* Whether prompts wait for servers; and they wait no longer. */
bool session_mcp_bars(const struct session *s);
void session_mcp_interrupt(struct session *s);
/* Where a server is configured, as hosts are told: "user", "sdk". */
struct sv session_mcp_source(const struct mcp_config *config);
/* The servers for the event that begins a turn, in `arena`; how many. */
size_t session_mcp_report(const struct session *s, const struct event_mcp_server **out,
			  struct arena *arena);

/* Something that prompts wait for is over. */
void session_mcp_settle(struct session_mcp *mcp);
/* Prompts wait for servers that the host has added. */
void session_mcp_wait_for_host(struct session_mcp *mcp);
/* Adds one more; NULL when there is one of that name. */
struct mcp_server *session_mcp_add(struct session_mcp *mcp, const struct mcp_config *config,
				   bool is_disabled);

/* --- session_mcp_config.c --- */

must_use bool session_mcp_read(struct session_mcp *mcp, const struct awl_session_options *options,
			       struct err *err);

/* --- session_mcp_tools.c --- */

/* The server lists other tools than before, or lists them for the first time. */
void session_mcp_sync_tools(struct session_mcp *mcp, struct mcp_server *server);
/* Its tools can no longer be called; and it goes away. */
void session_mcp_withdraw_all(struct session_mcp *mcp, struct mcp_server *server);
void session_mcp_forget(struct session_mcp *mcp, struct mcp_server *server);
/* Offers a tool that belongs to no server: deferred as theirs are. */
void session_mcp_offer_own(struct session_mcp *mcp, struct tool *tool);
/* Tells the model of deferred tools that have come since its last request. */
void session_mcp_announce_new(struct session_mcp *mcp);
/* Between two turns: brings the tools on offer up to date. */
void session_mcp_begin_turn(struct session *s);
/* No call is under way: what was withdrawn can go. */
void session_mcp_free_gone(struct session_mcp *mcp);

struct session_mcp_server *session_mcp_state(struct mcp_server *server);

/* --- session_mcp_pins.c --- */

/* Whether a tool may be offered: not where nobody can be asked about one that is described otherwise than before. */
bool session_mcp_accepts(struct session_mcp *mcp, struct mcp_server *server, struct mcp_tool *tool);
/* Keeps the pins of the server, after its tools have been looked at. */
void session_mcp_save_pins(struct session_mcp *mcp, struct mcp_server *server, bool is_changed);
/* The user accepts all tools of the server as they are described now. */
void session_mcp_accept(struct session_mcp *mcp, struct mcp_server *server);

/* --- session_mcp_login.c --- */

/* Begins a login, of which the user is informed; a notice if there is one already. When it is done the server is
 * connected again. */
must_use bool session_mcp_login(struct session_mcp *mcp, struct mcp_server *server,
				struct err *err);
/* What the user has pasted: the address that the browser was sent to. */
must_use bool session_mcp_paste(struct session_mcp *mcp, struct mcp_server *server, struct sv text,
				struct err *err);
/* Revokes and forgets the tokens. */
must_use bool session_mcp_logout(struct session_mcp *mcp, struct mcp_server *server,
				 struct err *err);
/* The server goes away, or all of them do. */
void session_mcp_cancel_logins(struct session_mcp *mcp, const struct mcp_server *server);
/* Offers the model a tool by which it begins the login of a server that needs one, or withdraws it. */
void session_mcp_offer_login(struct session_mcp *mcp, struct mcp_server *server);

/* Tells the user what is wrong with stored tokens; `arg` is the session_mcp. */
void session_mcp_notice(void *arg, const char *text);

/* --- session_mcp_notices.c --- */

/* Appends the instructions of servers that the model has not seen. */
void session_mcp_append(struct session *s);
/* Appends those of a server that is connected, after a heading if they are the first. */
void session_mcp_add_instructions(struct str *out, struct mcp_server *server);
/* Another conversation begins. */
void session_mcp_reset(struct session *s);
/* Warns the user; before the session has begun, together with its beginning. */
void session_mcp_warn(struct session_mcp *mcp, struct sv text);
/* Tells the user that a server is connected, if somebody has logged in for that. */
void session_mcp_announce(struct session_mcp *mcp, struct mcp_server *server);
/* Tells the user that nobody could answer what a server asked, a few times in a turn. */
void session_mcp_inform_refused(struct session_mcp *mcp, struct sv text);
/* Tells the user that the tools of a server that is connected are not known. */
void session_mcp_inform_unlisted(struct session_mcp *mcp, struct mcp_server *server);
/* Tells the user that a server cannot be used. */
void session_mcp_inform(struct session_mcp *mcp, struct mcp_server *server);

/* --- session_mcp_host.c --- */

/* How servers inside the host are reached. */
struct mcp_host_server session_mcp_host(struct session *s);
/* The host has these servers in its own process: an array of names, and by name what else it says about them. */
void session_mcp_take_host(struct session *s, struct json names, struct json configs);
/* The entries, by name, are all servers that the host wants from now on. What became of them is appended, in
 * `arena`; an entry that cannot be used becomes an error. */
struct session_mcp_change {
	VEC(struct sv) added, removed;
	VEC(struct reply_mcp_error) errors;
};
void session_mcp_replace(struct session *s, struct json servers, struct session_mcp_change *out,
			 struct arena *arena);
void session_mcp_change_clear(struct session_mcp_change *change);
/* JSON that says whose tool it is; empty: not that of a server. Lives until the server is removed. */
struct sv session_mcp_provenance(const struct tool *tool);
/* A tool of a server by its full name; NULL: there is none. */
const struct mcp_tool *session_mcp_find_tool(const struct session *s, struct sv name);

/* --- session_mcp_mode.c --- */

/* Pins a permission mode for the tools of a server, now or once there is one of this name; NULL: none any more. */
must_use bool session_mcp_pin_mode(struct session_mcp *m, struct sv name,
				   const enum perm_mode *mode, struct err *err);
/* Applies it to a server that has just connected. */
void session_mcp_take_mode(struct session_mcp *m, struct mcp_server *server);
/* The mode that counts for calls of a tool, in a session with this mode. */
enum perm_mode session_mcp_mode(const struct tool *tool, enum perm_mode mode);
void session_mcp_clear_modes(struct session_mcp *m);

/* --- session_mcp_prompts.c --- */

/* Whether a slash command is the prompt of a server. */
bool session_mcp_is_prompt(const struct session *s, struct sv name);
/* The same, while servers are not connected yet and prompts wait for them. */
bool session_mcp_may_be_prompt(const struct session *s, struct sv name);
/* All of them as commands; `out` has room for session_mcp_count_prompts(). */
size_t session_mcp_count_prompts(const struct session *s);
size_t session_mcp_list_prompts(const struct session *s, struct reply_command *out,
				struct arena *arena);
/* The prompt that a command names, without its slash; missing: there is none. */
struct json session_mcp_prompt(const struct session *s, struct sv name, struct mcp_server **server);
/* Asks the server for the prompt; in `done` session_mcp_take_fetched() appends its text, and its images as blocks with a
 * comma before each. NULL: there is none. */
struct op *session_mcp_fetch(struct session *s, struct sv name, struct sv arguments,
			     struct then then);
must_use bool session_mcp_take_fetched(const struct op *op, struct tool_context *ctx,
				       struct str *text, struct str *images, struct err *err);
/* In SESSION_EXPANDING: asks the server for the prompt; session_commands_take() follows. False: there is none. */
must_use bool session_mcp_expand(struct session *s, struct sv name, struct sv arguments);

/* --- session_permission_tool.c --- */

/* Asks the permission prompt tool; false: there is none, or it is not such a question. */
bool session_permission_tool_ask(struct session *s, const struct host_request *request);
/* The answer is not wanted any more; an empty id: to all. */
void session_permission_tool_withdraw(struct session *s, struct sv id);

/* --- session_elicit.c --- */

/* Answers elicitation/create: appends the result to `out`. `server` and `params` live as long as the op. */
struct op *session_elicit_start(struct session *s, const char *server, struct json params,
				struct str *out, struct then then);

/* --- session_mcp_mention.c --- */

/* Reads the resources that a prompt mentions; prompts wait until that is over. */
void session_mcp_read_mentions(struct session *s, struct sv text);
void session_mcp_cancel_mentions(struct session_mcp *mcp);
/* A server says that a resource has changed. */
void session_mcp_on_updated(struct session_mcp *mcp, struct mcp_server *server, struct json params);
/* Adds resources that match what is typed. */
void session_mcp_suggest(const struct session *s, struct file_suggestions *out);
/* Split "server:uri"; false: no server has that name. */
bool session_mcp_split_mention(const struct session_mcp *mcp, struct sv word,
			       struct mcp_server **server, struct sv *uri);

/* --- session_mcp_complete.c --- */

/* Asks a server to complete a partly typed template, or the last argument of a command "/mcp__s__p ..."; NULL: neither.
 * `before` gets the text before each completion; the op is that of mcp_server_call_start(). */
struct op *session_mcp_complete_start(struct session *s, struct sv query, struct str *before,
				      struct then then);

/* --- session_channel.c --- */

/* Names of --channels, NULL-terminated or NULL; "server:x" is the server x. */
void session_channel_open(struct session_mcp *mcp, const char *const *names);
void session_channel_clear(struct session_mcp *mcp);
/* The host names a server; fails when that cannot be a channel. */
must_use bool session_channel_enable(struct session_mcp *mcp, struct sv name, struct err *err);
/* A question is sent to the host: channels get it too. And it is over. */
void session_channel_relay(struct session *s, const struct host_request *request);
void session_channel_forget(struct session *s, struct sv request_id);
/* False: the notification is not about channels. */
bool session_channel_on_notified(struct session_mcp *mcp, struct mcp_server *server,
				 struct sv method, struct json params);

/* --- session_mcp_hook.c --- */

/* Calls a tool for a hook and appends the text of its result to `out`; `input` is JSON. */
struct op *session_mcp_hook_start(void *arg, struct sv server, struct sv tool, struct sv input,
				  struct str *out, struct then then);

/* --- session_sample.c --- */

/* Answers sampling/createMessage in the same way. */
struct op *session_sample_start(struct session *s, const char *server, struct json params,
				struct str *out, struct then then);

#endif

/* sandbox.h - the sandbox of a session: which commands run in it, what they may do there, and
 * how they reach the network.
 *
 *   sandbox_new()      derive the configuration from settings and rules
 *   sandbox_start()    probe the machine, open the proxy, check that the policy can be enforced
 *   sandbox_decide()   does this command run inside, and does it need approval?
 *   sandbox_begin()    before each command inside; gives the confinement for child_start()
 *   sandbox_end()      after it
 *   sandbox_describe() all of it, for people
 *
 * The boundary depends on where the session works, never on where a command has changed
 * directory to: a command chooses that itself. */
#ifndef AWL_SANDBOX_SANDBOX_H
#define AWL_SANDBOX_SANDBOX_H

#include "sandbox/config.h"
#include "sandbox/proxy/proxy.h"
#include "sandbox/traces.h"

struct command_analysis; /* perm/command/command_analysis.h */
struct perm_policy;

/* The "sandbox" object of one source of settings. */
struct sandbox_layer {
	struct json settings;
	enum sandbox_source from;
};

struct sandbox_opts {
	struct json settings;               /* "sandbox", merged from all sources */
	const struct sandbox_layer *layers; /* the sources, weakest first */
	size_t nlayers;
	const struct perm_policy *policy; /* rules, working directories, home directory */
	const char *config_dir;           /* NULL: none */
	struct sv checkout;               /* see struct sandbox_dirs */
	struct sv temp_dir;               /* for the commands; a real path that the caller owns */
	struct sv env_file;               /* every shell reads it first; empty: none */
	const char *const *env;           /* its PATH leads to bwrap; NULL: that of this process */
	/* Adjusts the configuration before it is finished (command-line flags). May be NULL. */
	void (*adjust)(void *arg, struct sandbox_config *config);
	void *arg;
};

struct sandbox {
	struct sandbox_support support;
	struct sandbox_config config;
	struct str wanted; /* the configuration as text, before anything was probed */
	sandbox_list hosts, denied_hosts;
	struct sandbox_proxy *proxy; /* NULL: no network, or unrestricted network */
	struct str helper, config_dir, git_dir;
	struct str path; /* directories in which bwrap may be; empty: those of this process */
	size_t users;    /* commands that are running in it */
	struct sandbox_traces traces;
};

/* Only derives the configuration. Does not need `opts` afterwards. */
struct sandbox *sandbox_new(const struct sandbox_opts *opts);
/* No command may be running in it. */
void sandbox_free(struct sandbox *sandbox);

/* Makes it ready for commands. If the machine cannot enforce it, the sandbox is disabled with a
 * note, or this fails, as failIfUnavailable says. Gaps are noted, and commands then need
 * approval. `proxy` is completed with lists, ports and environment. Reads the file system. */
must_use bool sandbox_start(struct sandbox *sandbox, struct loop *loop,
			    struct sandbox_proxy_opts proxy, struct err *err);
/* Its parts, for callers that do not want all of it. */
void sandbox_probe(struct sandbox *sandbox);
must_use bool sandbox_open_proxy(struct sandbox *sandbox, struct loop *loop,
				 struct sandbox_proxy_opts proxy, struct err *err);

enum sandbox_reason {
	SANDBOX_DISABLED,    /* the settings do not enable it */
	SANDBOX_ENABLED,     /* so the command runs inside */
	SANDBOX_UNSANDBOXED, /* the call asked to run outside, and may */
	SANDBOX_EXCLUDED,    /* by excludedCommands */
	SANDBOX_NO_COMMAND,  /* the command is empty */
};

const char *sandbox_reason_text(enum sandbox_reason reason); /* a clause, for the debug log */

struct sandbox_decision {
	bool inside;
	enum sandbox_reason why;
	bool needs_no_approval; /* inside, where the settings allow it without asking */
};

struct sandbox_command {
	struct sv text;
	const struct command_analysis *analysis; /* of it; NULL: made here if it is needed */
	bool unsandboxed;                        /* the call's dangerouslyDisableSandbox */
};

/* `sandbox` may be NULL. A command line is excluded when an entry of excludedCommands, a pattern as
 * in Bash rules, matches every command in it, literally or without the assignments and wrappers
 * before it: "timeout 300 FOO=bar bazel run" counts as "bazel run". Exclusion is a convenience, not
 * a boundary: a command that runs outside needs permission like any other. */
struct sandbox_decision sandbox_decide(const struct sandbox *sandbox,
				       const struct sandbox_command *command);

/* A command is about to run inside. Scans for files to protect (sandbox_config_scan). The result
 * is valid until sandbox_end(). */
struct confinement sandbox_begin(struct sandbox *sandbox);
/* The command has ended. Appends what commands have left behind (traces.h), for the user. */
void sandbox_end(struct sandbox *sandbox, struct str *report);

/* Whether the settings ask for silence when this host is refused. */
bool sandbox_ignores_host(const struct sandbox *sandbox, const char *host);

/* Appends what the machine supports and what a command in `cwd` may do. `notes` are more lines to
 * show. Fails when no engine can enforce the policy; the text then says why. */
must_use bool sandbox_describe(struct str *out, const struct sandbox *sandbox, const char *cwd,
			       struct sv notes, struct err *err);

#endif

/* cage.h - a sandbox with all that it takes: the plan that settings and rules make
 * (sandbox_plan.h), what this machine can do of it, and the way out to the network. */
#ifndef AWL_SANDBOX_SANDBOX_H
#define AWL_SANDBOX_SANDBOX_H

#include "sandbox/proxy/proxy.h"
#include "sandbox/settings.h"

struct perm_policy;

/* "sandbox" as one source of settings has it. */
struct sandbox_layer {
	struct json settings;
	enum sandbox_from from;
};

struct cage_opts {
	struct json settings;               /* "sandbox" as all sources together have it */
	const struct sandbox_layer *layers; /* weakest first */
	size_t nlayers;
	struct sv env_file; /* that every shell reads before its command; empty: none */
	const struct perm_policy *policy; /* rules, working directories, the home */
	const char *config_dir;           /* NULL: none */
	struct sv temp_dir;               /* for the commands, real; the caller's */
	/* What somebody besides settings and rules wants, before the plan is finished. May be
	 * NULL. */
	void (*adjust)(void *arg, struct sandbox_plan *plan);
	void *arg;
};

struct cage {
	struct sandbox_host host;
	struct sandbox_plan plan;
	struct str wants; /* the plan in words, before anything was looked at */
	sandbox_list hosts, denied_hosts;
	struct gate *gate; /* NULL: no network, or all of it */
	struct str self, config_dir, git_dir;
};

/* The plan alone: what is wanted, not what can be had. Nothing of `opts` is needed
 * afterwards. */
struct cage *cage_new(const struct cage_opts *opts);
/* No command may be running in it. */
void cage_free(struct cage *cage);

/* Looks what this machine can do. */
void cage_probe(struct cage *cage);
/* Opens the way out, by the proxies of the environment if there are any. Of `gate` all but the
 * lists and ports counts, which are the plan's. */
must_use bool cage_open_gate(struct cage *cage, struct loop *loop, struct gate_opts gate,
			     struct err *err);
/* Whether a refused host is one that nobody wants to hear of. */
bool cage_is_quiet_about(const struct cage *cage, const char *host);

#endif

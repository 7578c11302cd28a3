/* fake_world.h - a machine for permission decisions, as a table. */
#ifndef AWL_TESTS_UNIT_PERM_FAKE_WORLD_H
#define AWL_TESTS_UNIT_PERM_FAKE_WORLD_H

#include "perm/perm.h"
#include "perm/world.h"

/* A file; a directory, when the path ends with a slash; or a link. All above it is there. */
struct fake_entry {
	const char *path;
	const char *to; /* of a link; of a ".git/": "runs" when it makes git run programs */
};

struct fake_machine {
	const struct fake_entry *entries;
	size_t n;
};

struct perm_world fake_world(const struct fake_machine *machine);

/* The project /home/me/pro of the tables: src/{a.c,b.c,.mcp.json}, build/, .env, .env.example,
 * README.md, rust/rust-toolchain.toml, rust/src/, a repository nested/ that runs programs, other/ that does not, and links:
 * out -> /home/me, key -> .env, lib -> src, git -> .git, evil -> /etc/passwd, loop -> loop. */
extern const struct perm_world fake_project;

/* Its policy: lists of rules as on the command line. */
struct perm_policy fake_policy(enum perm_mode mode, const char *allow, const char *ask,
			       const char *deny);

struct verdict fake_decide(const struct perm_policy *policy, const char *command);

#endif

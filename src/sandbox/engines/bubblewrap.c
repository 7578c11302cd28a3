/* The command line of bubblewrap.
 *
 * The problem: many machines let only programs that their security policy names make user
 * namespaces, and bubblewrap is one of these. It takes all it does from its command line, by path
 * name, and follows links in the paths. Its own set-up cannot be checked from outside.
 *
 * The idea: express the policy as options, in the order in which they have to take effect, since a
 * later mount covers an earlier one: the whole tree, then /dev and /proc, then the mounts of the
 * policy with parents before children, and last the hidden directories made read-only, once the
 * mounts inside them exist. What has no option (checking which file a mount really shows, limits,
 * Landlock rules, the listening socket) is done by a helper that bubblewrap starts instead of the
 * command, see bubblewrap_helper.c. The seccomp filter goes through a descriptor.
 *
 * Invariants: variables that make the dynamic linker load code are passed as options
 * (bubblewrap_env), so that they reach the command but not bubblewrap itself, which may have
 * privileges. A hidden file is covered by /dev/null on a mount without devices, so it cannot even
 * be opened. A path that cannot be mounted ends the set-up: no mount of the policy uses an option
 * such as --bind-try, and what is missing has a placeholder (placeholder.h). */
#include <inttypes.h>
#include <unistd.h>

#include "sandbox/engines/job.h"

static void bubblewrap_add(sandbox_env *argv, const char *option, const char *first,
			   const char *second)
{
	vec_push(argv, option);
	if (first)
		vec_push(argv, first);
	if (second)
		vec_push(argv, second);
}

static void bubblewrap_add_mount(sandbox_env *argv, const struct sandbox_mount *m)
{
	switch (m->kind) {
	case MOUNT_RW: bubblewrap_add(argv, "--bind", m->path, m->path); return;
	case MOUNT_RO: bubblewrap_add(argv, "--ro-bind", m->path, m->path); return;
	case MOUNT_HIDE_DIR:
		bubblewrap_add(argv, "--perms", "0111", NULL);
		bubblewrap_add(argv, "--tmpfs", m->path, NULL);
		return;
	/* The new mounts have no working devices, so this cannot be opened. */
	case MOUNT_HIDE_FILE: bubblewrap_add(argv, "--ro-bind", "/dev/null", m->path); return;
	case MOUNT_LINK: return; /* see SANDBOX_GAP_LINKS */
	}
}

static void bubblewrap_add_files(sandbox_env *argv, const struct sandbox_policy *policy,
				 const struct sandbox_mounts *mounts)
{
	bubblewrap_add(argv,
		       policy->any_file  ? "--dev-bind"
		       : mounts->base_rw ? "--bind"
					 : "--ro-bind",
		       "/", "/");
	if (!policy->any_file)
		bubblewrap_add(argv, "--dev", "/dev", NULL);
	if (policy->support->own_proc)
		bubblewrap_add(argv, "--proc", "/proc", NULL);
	/* bubblewrap does this itself, but not well enough for root. */
	for (size_t i = 0; policy->support->own_proc && geteuid() == 0 && i < SANDBOX_READONLY_PROC;
	     i++)
		bubblewrap_add(argv, "--ro-bind-try", sandbox_readonly_proc[i],
			       sandbox_readonly_proc[i]);
	for (size_t i = 0; i < mounts->list.n; i++)
		bubblewrap_add_mount(argv, &mounts->list.at[i]);
	for (size_t i = 0; i < mounts->list.n; i++)
		if (mounts->list.at[i].kind == MOUNT_HIDE_DIR)
			bubblewrap_add(argv, "--remount-ro", mounts->list.at[i].path, NULL);
}

void bubblewrap_helper(sandbox_env *argv, const struct sandbox_policy *policy, bool has_rules,
		       uint64_t rights, struct arena *arena)
{
	if (!policy->helper)
		return;
	bubblewrap_add(argv, policy->helper, "sandbox-inside",
		       policy->net == SANDBOX_NET_PROXY ? "1" : "0");
	vec_push(argv, arena_printf(arena, "%" PRIu64, policy->max_processes).ptr);
	vec_push(argv, has_rules ? arena_printf(arena, "%" PRIu64, rights).ptr : "-");
}

static bool bubblewrap_loads_code(const char *variable)
{
	return strncmp(variable, "LD_", 3) == 0 || strncmp(variable, "GCONV_PATH=", 11) == 0;
}

void bubblewrap_env(sandbox_env *argv, sandbox_env *env, struct arena *arena)
{
	size_t kept = 0;

	for (size_t i = 0; i < env->n; i++) {
		const char *variable = env->at[i], *value = variable ? strchr(variable, '=') : NULL;

		if (!value || !bubblewrap_loads_code(variable)) {
			env->at[kept++] = variable;
			continue;
		}
		bubblewrap_add(argv, "--setenv",
			       arena_dup(arena, sv_from(variable, (size_t)(value - variable))).ptr,
			       value + 1);
	}
	env->n = kept;
}

void bubblewrap_argv(sandbox_env *argv, const struct sandbox_policy *policy,
		     const struct sandbox_mounts *mounts, const char *cwd, struct arena *arena)
{
	bubblewrap_add(argv, policy->support->bwrap, "--unshare-all", "--die-with-parent");
	if (policy->net == SANDBOX_NET_FULL)
		bubblewrap_add(argv, "--share-net", NULL, NULL);
	bubblewrap_add(argv, "--cap-drop", "ALL", NULL);
	bubblewrap_add_files(argv, policy, mounts);
	bubblewrap_add(argv, "--chdir", cwd, NULL);
	bubblewrap_add(argv, "--seccomp", arena_printf(arena, "%d", SANDBOX_BWRAP_FILTER).ptr,
		       NULL);
}

/* How bubblewrap is called. The order counts: what comes later is mounted on top. */
#include <inttypes.h>
#include <unistd.h>

#include "sandbox/engines/job.h"

static void add(sandbox_env *argv, const char *option, const char *first, const char *second)
{
	vec_push(argv, option);
	if (first)
		vec_push(argv, first);
	if (second)
		vec_push(argv, second);
}

static void add_mount(sandbox_env *argv, const struct sandbox_mount *m)
{
	switch (m->kind) {
	case MOUNT_RW: add(argv, "--bind", m->path, m->path); return;
	case MOUNT_RO: add(argv, "--ro-bind", m->path, m->path); return;
	case MOUNT_HIDE_DIR:
		add(argv, "--perms", "0111", NULL);
		add(argv, "--tmpfs", m->path, NULL);
		return;
	/* A device where there are none: it cannot be opened. */
	case MOUNT_HIDE_FILE: add(argv, "--ro-bind", "/dev/null", m->path); return;
	case MOUNT_LINK: return; /* see SANDBOX_GAP_LINKS */
	}
}

static void add_files(sandbox_env *argv, const struct sandbox *plan,
		      const struct sandbox_mounts *mounts)
{
	add(argv,
	    plan->any_file    ? "--dev-bind"
	    : mounts->base_rw ? "--bind"
			      : "--ro-bind",
	    "/", "/");
	if (!plan->any_file)
		add(argv, "--dev", "/dev", NULL);
	if (plan->host->own_proc)
		add(argv, "--proc", "/proc", NULL);
	/* It does this itself, but not well enough for root. */
	for (size_t i = 0; plan->host->own_proc && geteuid() == 0 && i < SANDBOX_COVERED; i++)
		add(argv, "--ro-bind-try", sandbox_covered[i], sandbox_covered[i]);
	for (size_t i = 0; i < mounts->list.n; i++)
		add_mount(argv, &mounts->list.at[i]);
	for (size_t i = 0; i < mounts->list.n; i++)
		if (mounts->list.at[i].kind == MOUNT_HIDE_DIR)
			add(argv, "--remount-ro", mounts->list.at[i].path, NULL);
}

void sandbox_bwrap_helper(sandbox_env *argv, const struct sandbox *plan, bool has_rules,
			  uint64_t rights, struct arena *arena)
{
	if (!plan->helper)
		return;
	add(argv, plan->helper, "sandbox-inside", plan->net == SANDBOX_NET_PROXY ? "1" : "0");
	vec_push(argv, arena_printf(arena, "%" PRIu64, plan->max_processes).ptr);
	vec_push(argv, has_rules ? arena_printf(arena, "%" PRIu64, rights).ptr : "-");
}

static bool loads_code(const char *variable)
{
	return strncmp(variable, "LD_", 3) == 0 || strncmp(variable, "GCONV_PATH=", 11) == 0;
}

void sandbox_bwrap_env(sandbox_env *argv, sandbox_env *env, struct arena *arena)
{
	size_t kept = 0;

	for (size_t i = 0; i < env->n; i++) {
		const char *variable = env->at[i], *value = variable ? strchr(variable, '=') : NULL;

		if (!value || !loads_code(variable)) {
			env->at[kept++] = variable;
			continue;
		}
		add(argv, "--setenv",
		    arena_dup(arena, sv_from(variable, (size_t)(value - variable))).ptr, value + 1);
	}
	env->n = kept;
}

void sandbox_bwrap_argv(sandbox_env *argv, const struct sandbox *plan,
			const struct sandbox_mounts *mounts, const char *cwd, struct arena *arena)
{
	add(argv, plan->host->bwrap, "--unshare-all", "--die-with-parent");
	if (plan->net == SANDBOX_NET_FULL)
		add(argv, "--share-net", NULL, NULL);
	add(argv, "--cap-drop", "ALL", NULL);
	add_files(argv, plan, mounts);
	add(argv, "--chdir", cwd, NULL);
	add(argv, "--seccomp", arena_printf(arena, "%d", SANDBOX_BWRAP_FILTER).ptr, NULL);
}

#include "sandbox/policy.h"

#include <inttypes.h>

#include "sandbox/proxy/host.h"

const char *sandbox_engine_name(enum sandbox_engine engine)
{
	static const char *const names[] = { [SANDBOX_AUTO] = "auto",
					     [SANDBOX_BWRAP] = "bwrap",
					     [SANDBOX_NAMESPACES] = "namespaces",
					     [SANDBOX_LANDLOCK] = "landlock" };

	return engine < SANDBOX_ENGINES ? names[engine] : "unknown";
}

const char *sandbox_gap_text(enum sandbox_gap gap)
{
	switch (gap) {
	case SANDBOX_GAP_PROTECTED:
		return "protected files inside writable directories can be changed or moved away";
	case SANDBOX_GAP_LINKS: return "links that lead to protected files can be replaced";
	case SANDBOX_GAP_PROXY: return "there is no network at all instead of a filtered one";
	case SANDBOX_GAP_PROC: return "processes outside are visible, but out of reach";
	case SANDBOX_GAP_COUNT: return "the number of processes is not limited";
	case SANDBOX_GAP_SIGNALS: return "the user's other processes can be signalled";
	case SANDBOX_GAP_DAEMONS: return "processes that detach themselves run until awl ends";
	case SANDBOX_GAP_PIPES: return "named pipes outside can be written to";
	case SANDBOX_GAP_MODES: return "mode and times of the user's files can be changed";
	case SANDBOX_GAP_DOUBT:
		return "an allowed path is ignored because it contains a link that a command could "
		       "replace (name the target of the link instead)";
	}
	return "";
}

/* A '/' at the end of a path is only for the engines. */
static void policy_add_list(struct str *out, const char *what, const char *const *list)
{
	for (; list && *list; list++) {
		struct sv path = sv_cstr(*list);

		if (path.len > 1 && sv_ends(path, SV("/")))
			path = sv_slice(path, 0, path.len - 1);
		str_addf(out, "%s %.*s\n", what, SV_ARG(path));
	}
}

static void policy_add_limit(struct str *out, uint64_t limit, const char *of_what)
{
	if (limit)
		str_addf(out, "at most %" PRIu64 " %s\n", limit, of_what);
}

void sandbox_policy_describe(struct str *out, const struct sandbox_policy *policy)
{
	static const char *const nets[] = {
		[SANDBOX_NET_NONE] = "no network",
		[SANDBOX_NET_PROXY] = "network: only allowed hosts, through a proxy",
		[SANDBOX_NET_FULL] = "network: everything",
	};

	if (policy->any_file)
		str_adds(out, "read and write any file, as outside\n");
	policy_add_list(out, "write", policy->write);
	if (policy->temp_dir)
		str_addf(out, "write %s (TMPDIR, removed at the end)\n", policy->temp_dir);
	policy_add_list(out, "deny write", policy->deny_write);
	policy_add_list(out, "deny write if it exists", policy->deny_write_existing);
	policy_add_list(out, "deny read", policy->deny_read);
	policy_add_list(out, "allow read", policy->allow_read);
	str_addf(out, "%s\n", nets[policy->net]);
	if (policy->unix_sockets)
		str_adds(out, "connect to Unix sockets\n");
	policy_add_list(out, "remove variable", policy->unset);
	policy_add_limit(out, policy->max_processes, "processes");
	policy_add_limit(out, policy->max_memory, "bytes of memory per process");
	policy_add_limit(out, policy->max_files, "open files per process");
}

/* --- the environment ---------------------------------------------------------------- */

/* curl reads the lower-case variable for http; most other programs read the upper-case one. */
static const char *const proxy_names[] = {
	"HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "http_proxy", "https_proxy", "ftp_proxy",
};
static const char *const socks_names[] = { "ALL_PROXY", "all_proxy" };
static const char *const direct_names[] = { "NO_PROXY", "no_proxy" };

static bool is_variable(const char *variable, const char *name)
{
	size_t len = strlen(name);

	return strncmp(variable, name, len) == 0 && variable[len] == '=';
}

static bool policy_is_one_of(const char *variable, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_variable(variable, names[i]))
			return true;
	return false;
}

/* The user's own proxy cannot be reached from inside. */
static bool is_about_network(const char *variable)
{
	return policy_is_one_of(variable, proxy_names, countof(proxy_names)) ||
	       policy_is_one_of(variable, socks_names, countof(socks_names)) ||
	       policy_is_one_of(variable, direct_names, countof(direct_names));
}

static bool is_dropped(const struct sandbox_policy *policy, const char *variable)
{
	size_t n = 0;

	while (policy->unset && policy->unset[n])
		n++;
	return policy_is_one_of(variable, policy->unset, n) ||
	       (policy->temp_dir && is_variable(variable, "TMPDIR")) ||
	       (policy->net != SANDBOX_NET_FULL && is_about_network(variable));
}

static void policy_set_all(sandbox_env *out, struct arena *arena, const char *const *names,
			   size_t n, const char *scheme)
{
	for (size_t i = 0; i < n; i++)
		vec_push(out,
			 arena_printf(arena, "%s=%s://127.0.0.1:%d", names[i], scheme, SANDBOX_PORT)
				 .ptr);
}

static bool policy_has_host(const struct sandbox_policy *policy, const char *name)
{
	for (const char *const *entry = policy->hosts; entry && *entry; entry++)
		if (proxy_host_is_named(name, sv_cstr(*entry)))
			return true;
	return false;
}

/* Programs reach their own servers without the proxy, unless the user allows that address on this
 * machine: outside the sandbox is another server. */
static void policy_set_direct(sandbox_env *out, const struct sandbox_policy *policy,
			      struct arena *arena)
{
	static const char *const own[] = { "localhost", "127.0.0.1", "::1" };
	defer(str_clear) struct str list = STR_INIT;

	for (size_t i = 0; i < countof(own); i++)
		if (!policy_has_host(policy, own[i]))
			str_addf(&list, "%s%s", list.len ? "," : "", own[i]);
	for (size_t i = 0; i < countof(direct_names); i++)
		vec_push(out, arena_printf(arena, "%s=%s", direct_names[i], str_c(&list)).ptr);
}

void sandbox_policy_env(sandbox_env *out, const struct sandbox_policy *policy,
			const char *const *env, struct arena *arena)
{
	for (; *env; env++)
		if (!is_dropped(policy, *env))
			vec_push(out, *env);
	if (policy->temp_dir)
		vec_push(out, arena_printf(arena, "TMPDIR=%s", policy->temp_dir).ptr);
	if (policy->net == SANDBOX_NET_PROXY) {
		policy_set_all(out, arena, proxy_names, countof(proxy_names), "http");
		policy_set_all(out, arena, socks_names, countof(socks_names), "socks5h");
		policy_set_direct(out, policy, arena);
	}
	vec_push(out, NULL);
}

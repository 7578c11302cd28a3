#include "sandbox/config.h"

#include "base/limits.h"
#include "perm/path/path.h"
#include "sandbox/protected.h"

/* --- paths ------------------------------------------------------------------------------ */

static struct sv config_join(struct sandbox_config *config, struct sv dir, struct sv path)
{
	return arena_printf(&config->arena, "%.*s/%.*s", SV_ARG(dir), SV_ARG(path));
}

/* NULL when the directory it is relative to does not exist. */
static const char *config_path_from(struct sandbox_config *config, struct sv path, struct sv base)
{
	if (sv_starts(path, SV("~/")) || sv_is(path, "~"))
		return config->dirs.home.len
			       ? sandbox_normal_path(
					 &config->arena,
					 config_join(config, config->dirs.home, sv_skip(path, 1)))
			       : NULL;
	if (sv_starts(path, SV("/")))
		return sandbox_normal_path(&config->arena, path);
	return base.len ? sandbox_normal_path(&config->arena, config_join(config, base, path))
			: NULL;
}

/* A star for everything below a directory means the directory itself. */
static struct sv config_without_stars(struct sv path)
{
	if (sv_ends(path, SV("/**")))
		return sv_slice(path, 0, path.len - 2);
	return sv_ends(path, SV("/*")) ? sv_slice(path, 0, path.len - 1) : path;
}

static bool is_pattern(struct sv path)
{
	for (size_t i = 0; i < path.len; i++)
		if (strchr("*?[\\", path.ptr[i]))
			return true;
	return !path.len;
}

static void config_note(struct sandbox_config *config, const char *what, struct sv text)
{
	str_addf(&config->notes, "%s: %.*s\n", what, SV_ARG(text));
}

static void config_add(sandbox_entries *list, const char *text, enum sandbox_source from)
{
	if (text)
		vec_push(list, ((struct sandbox_entry){ .text = text, .from = from }));
}

/* --- settings ---------------------------------------------------------------------------- */

static void config_read_bool(bool *out, struct json object, const char *key)
{
	(void)!json_bool(json_get(object, key), out);
}

static void config_read_port(int *out, struct json object, const char *key)
{
	int64_t port;

	if (json_int(json_get(object, key), &port) && port > 0 && port <= UINT16_MAX)
		*out = (int)port;
}

static void config_read_texts(struct sandbox_config *config, sandbox_entries *out, struct json list,
			      enum sandbox_source from)
{
	struct json_iter it = json_each(list);
	struct json item;
	struct sv text;

	while (json_is(list, JSON_ARRAY) && json_next(&it, NULL, &item))
		if (json_str(item, &text) && text.len && !memchr(text.ptr, '\0', text.len))
			config_add(out, arena_dup(&config->arena, text).ptr, from);
}

/* A pattern cannot protect files that do not exist yet. */
static void config_add_pattern(struct sandbox_config *config, const sandbox_entries *out,
			       struct sv text, struct sv root)
{
	struct err why;
	bool hides = out == &config->deny_read;

	if (!text.len || !path_pattern_check(text, config->dirs.home, &why)) {
		config_note(config, "the sandbox cannot enforce this pattern", text);
		return;
	}
	if (!hides)
		config_note(
			config,
			"the sandbox enforces this pattern for existing files, not for new ones",
			text);
	vec_push(&config->patterns,
		 ((struct sandbox_pattern){ .text = arena_dup(&config->arena, text),
					    .root = arena_dup(&config->arena, root),
					    .hides = hides }));
}

/* A path of the settings in the syntax of rules. */
static struct sv config_absolute_pattern(struct sandbox_config *config, struct sv path,
					 struct sv base)
{
	if (sv_starts(path, SV("~/")))
		return path;
	if (!sv_starts(path, SV("/")))
		path = base.len ? config_join(config, base,
					      sv_starts(path, SV("./")) ? sv_skip(path, 2) : path)
				: SV_EMPTY;
	return path.len ? arena_printf(&config->arena, "/%.*s", SV_ARG(path)) : path;
}

static void config_add_path_below(struct sandbox_config *config, sandbox_entries *out,
				  struct sv path, struct sv base, enum sandbox_source from)
{
	if (!is_pattern(config_without_stars(path)))
		config_add(out, config_path_from(config, config_without_stars(path), base), from);
	else if (out == &config->deny_read || out == &config->deny_write)
		config_add_pattern(config, out, config_absolute_pattern(config, path, base),
				   SV_EMPTY);
	else
		config_note(config, "the sandbox ignores patterns that allow access", path);
}

/* What the project denies, it denies in its checkout too. */
static void config_add_path(struct sandbox_config *config, sandbox_entries *out, struct sv path,
			    enum sandbox_source from)
{
	const struct sandbox_dirs *dirs = &config->dirs;
	bool denies = out == &config->deny_read || out == &config->deny_write;

	config_add_path_below(config, out, path,
			      from == SANDBOX_FROM_USER ? dirs->config_dir : dirs->project, from);
	if (denies && from == SANDBOX_FROM_PROJECT && dirs->checkout.len)
		config_add_path_below(config, out, path, dirs->checkout, from);
}

static void config_read_paths(struct sandbox_config *config, sandbox_entries *out, struct json list,
			      enum sandbox_source from)
{
	sandbox_entries texts = VEC_INIT;

	config_read_texts(config, &texts, list, from);
	for (size_t i = 0; i < texts.n; i++)
		config_add_path(config, out, sv_cstr(texts.at[i].text), from);
	vec_clear(&texts);
}

static void config_read_files(struct sandbox_config *config, struct json files,
			      enum sandbox_source from)
{
	config_read_paths(config, &config->allow_write, json_get(files, "allowWrite"), from);
	config_read_paths(config, &config->deny_write, json_get(files, "denyWrite"), from);
	config_read_paths(config, &config->deny_read, json_get(files, "denyRead"), from);
	config_read_paths(config, &config->allow_read, json_get(files, "allowRead"), from);
}

static void config_read_network(struct sandbox_config *config, struct json network,
				enum sandbox_source from)
{
	config_read_texts(config, &config->hosts, json_get(network, "allowedDomains"), from);
	config_read_texts(config, &config->denied_hosts, json_get(network, "deniedDomains"), from);
	if (json_len(json_get(network, "allowUnixSockets")))
		config_note(config, "Linux cannot allow individual sockets",
			    SV("allowUnixSockets"));
}

/* Whether the settings say "deny" or "mask", the secret is not visible. */
static void config_read_credentials(struct sandbox_config *config, struct json credentials,
				    enum sandbox_source from)
{
	struct json_iter it = json_each(json_get(credentials, "files"));
	struct json item;
	struct sv text;

	while (json_next(&it, NULL, &item))
		if (json_str(json_get(item, "path"), &text) && text.len)
			config_add_path(config, &config->deny_read, text, from);
	it = json_each(json_get(credentials, "envVars"));
	while (json_next(&it, NULL, &item)) {
		if (!json_str(json_get(item, "name"), &text) || !text.len)
			continue;
		config_add(&config->unset, arena_dup(&config->arena, text).ptr, from);
		if (json_len(json_get(item, "injectHosts")))
			config_note(config,
				    "injectHosts is not supported; this variable is only removed",
				    text);
	}
}

void sandbox_config_lists(struct sandbox_config *config, struct json sandbox,
			  enum sandbox_source from)
{
	config_read_texts(config, &config->excluded, json_get(sandbox, "excludedCommands"), from);
	config_read_files(config, json_get(sandbox, "filesystem"), from);
	config_read_network(config, json_get(sandbox, "network"), from);
	config_read_credentials(config, json_get(sandbox, "credentials"), from);
}

/* Refused hosts are all that a sandbox reports, and it cannot tell which command wanted them. */
static void config_read_ignored_hosts(struct sandbox_config *config, struct json ignored)
{
	struct json_iter it = json_each(json_get(ignored, "*")), names = json_each(ignored);
	struct json item;
	struct sv text;

	while (json_next(&it, NULL, &item))
		if (json_str(item, &text) && text.len)
			vec_push(&config->ignored_hosts, arena_dup(&config->arena, text).ptr);
	while (json_next(&names, &text, &item))
		if (!sv_is(text, "*"))
			config_note(config,
				    "ignoreViolations is supported only for all commands (\"*\")",
				    text);
}

static void config_read_ripgrep(struct sandbox_config *config, struct json ripgrep)
{
	struct json_iter it = json_each(json_get(ripgrep, "args"));
	struct json item;
	struct sv text;

	if (!json_str(json_get(ripgrep, "command"), &text) || !text.len)
		return;
	if (sv_find_char(text, '/') != SIZE_MAX && text.ptr[0] != '/') {
		config_note(
			config,
			"sandbox.ripgrep.command must be an absolute path or a name found in PATH",
			text);
		return;
	}
	vec_push(&config->ripgrep, arena_dup(&config->arena, text).ptr);
	while (json_next(&it, NULL, &item))
		if (json_str(item, &text))
			vec_push(&config->ripgrep, arena_dup(&config->arena, text).ptr);
}

static void config_read_network_switches(struct sandbox_config *config, struct json network)
{
	config_read_bool(&config->all_unix_sockets, network, "allowAllUnixSockets");
	config_read_bool(&config->strict_hosts, network, "strictAllowlist");
	config_read_bool(&config->managed_hosts, network, "allowManagedDomainsOnly");
	config_read_port(&config->http_port, network, "httpProxyPort");
	config_read_port(&config->socks_port, network, "socksProxyPort");
}

void sandbox_config_switches(struct sandbox_config *config, struct json sandbox)
{
	struct json files = json_get(sandbox, "filesystem");
	struct sv text;

	config_read_bool(&config->enabled, sandbox, "enabled");
	config_read_bool(&config->fail_if_unavailable, sandbox, "failIfUnavailable");
	config_read_bool(&config->auto_allow, sandbox, "autoAllowBashIfSandboxed");
	config_read_bool(&config->allow_unsandboxed, sandbox, "allowUnsandboxedCommands");
	config_read_bool(&config->nested, sandbox, "enableWeakerNestedSandbox");
	config_read_bool(&config->any_file, files, "disabled");
	config_read_bool(&config->managed_reads, files, "allowManagedReadPathsOnly");
	config_read_network_switches(config, json_get(sandbox, "network"));
	config_read_ignored_hosts(config, json_get(sandbox, "ignoreViolations"));
	config_read_ripgrep(config, json_get(sandbox, "ripgrep"));
	if (json_str(json_get(sandbox, "bwrapPath"), &text) && text.len)
		config->bwrap = arena_dup(&config->arena, text).ptr;
}

/* --- rules ------------------------------------------------------------------------------- */

/* The four ways a rule can anchor a path. */
static const char *config_rule_path(struct sandbox_config *config, struct sv content,
				    struct sv root, struct sv dir)
{
	if (sv_starts(content, SV("//")))
		return sandbox_normal_path(&config->arena, sv_skip(content, 1));
	if (sv_starts(content, SV("/")))
		return sandbox_normal_path(&config->arena,
					   config_join(config, root.len ? root : dir, content));
	return config_path_from(config, content, dir);
}

static bool is_at_any_depth(struct sv content)
{
	return sv_find_char(sv_slice(content, 0, content.len - 1), '/') == SIZE_MAX &&
	       !sv_is(content, "~") && !sv_is(content, ".") && !sv_is(content, "..");
}

static void config_add_by_rule(sandbox_entries *list, const char *path, enum sandbox_source from)
{
	if (path)
		vec_push(list, ((struct sandbox_entry){ path, from, .by_rule = true }));
}

/* A denial applies in every working directory. */
static void config_path_rule(struct sandbox_config *config, sandbox_entries *out, struct sv content,
			     struct sv root, enum sandbox_source from, bool denies)
{
	struct sv path = config_without_stars(content);

	if (denies && (is_pattern(path) || is_at_any_depth(path)))
		config_add_pattern(config, out, content, root);
	if (is_pattern(path))
		return;
	config_add_by_rule(out, config_rule_path(config, path, root, config->dirs.project), from);
	for (size_t i = 0; denies && i < config->dirs.nothers; i++)
		config_add_by_rule(
			out, config_rule_path(config, path, root, config->dirs.others[i]), from);
}

static void config_host_rule(struct sandbox_config *config, enum behavior what, struct sv content,
			     enum sandbox_source from)
{
	struct sv host;

	if (!sv_starts(content, SV("domain:")))
		return;
	host = sv_skip(content, strlen("domain:"));
	if (what == BEHAVIOR_ALLOW)
		config_add(&config->hosts, arena_dup(&config->arena, host).ptr, from);
	else if (what == BEHAVIOR_DENY)
		config_add(&config->denied_hosts, arena_dup(&config->arena, host).ptr, from);
}

void sandbox_config_rule(struct sandbox_config *config, enum behavior what, struct sv tool,
			 struct sv content, struct sv root, enum sandbox_source from)
{
	bool edits = sv_is(tool, "Edit") || sv_is(tool, "Write") || sv_is(tool, "MultiEdit");

	if (sv_is(tool, "WebFetch"))
		config_host_rule(config, what, content, from);
	else if (!content.len)
		return;
	else if (edits && what == BEHAVIOR_ALLOW)
		config_path_rule(config, &config->allow_write, content, root, from, false);
	else if (edits && what == BEHAVIOR_DENY)
		config_path_rule(config, &config->deny_write, content, root, from, true);
	else if (sv_is(tool, "Read") && what == BEHAVIOR_DENY)
		config_path_rule(config, &config->deny_read, content, root, from, true);
}

/* --- the policy -------------------------------------------------------------------------- */

/* Makes it writable, except for the protected files in it. */
static void config_open_dir(struct sandbox_config *config, struct sv dir)
{
	if (!dir.len)
		return;
	vec_push(&config->write, sandbox_normal_path(&config->arena, dir));
	protect_dir(config, dir);
}

static bool config_is_inside(struct sv path, struct sv dir)
{
	return sv_starts(path, dir) &&
	       (path.len == dir.len || dir.ptr[dir.len - 1] == '/' || path.ptr[dir.len] == '/');
}

/* Working directories are protected already. */
static bool is_worked_in(const struct sandbox_config *config, struct sv path)
{
	for (size_t i = 0; i < config->dirs.nothers; i++)
		if (config_is_inside(path, config->dirs.others[i]))
			return true;
	return config_is_inside(path, config->dirs.project);
}

static void config_open_allowed(struct sandbox_config *config)
{
	for (size_t i = 0; i < config->allow_write.n; i++) {
		const char *path = config->allow_write.at[i].text;

		if (is_worked_in(config, sv_cstr(path)))
			vec_push(&config->write, path);
		else
			config_open_dir(config, sv_cstr(path));
	}
}

static void config_open_git(struct sandbox_config *config)
{
	if (!config->dirs.git_dir.len)
		return;
	vec_push(&config->write, sandbox_normal_path(&config->arena, config->dirs.git_dir));
	protect_git(config, &config->arena, config->dirs.git_dir);
}

static void config_add_texts(sandbox_list *out, const sandbox_entries *entries, bool only_policy)
{
	for (size_t i = 0; i < entries->n; i++)
		if (!only_policy || entries->at[i].from == SANDBOX_FROM_POLICY)
			vec_push(out, entries->at[i].text);
}

static void config_drop_unmanaged(sandbox_entries *hosts)
{
	size_t kept_hosts = 0;

	for (size_t i = 0; i < hosts->n; i++)
		if (hosts->at[i].from == SANDBOX_FROM_POLICY)
			hosts->at[kept_hosts++] = hosts->at[i];
	hosts->n = kept_hosts;
}

static void config_fill_lists(struct sandbox_config *config)
{
	config_open_dir(config, config->dirs.project);
	for (size_t i = 0; i < config->dirs.nothers; i++)
		config_open_dir(config, config->dirs.others[i]);
	if (config->dirs.checkout.len && is_worked_in(config, config->dirs.checkout))
		protect_dir(config, config->dirs.checkout);
	config_open_allowed(config);
	config_open_git(config);
	protect_user(config);
	config_add_texts(&config->readonly, &config->deny_write, false);
	if (config->dirs.config_dir.len)
		vec_push(&config->hidden,
			 sandbox_normal_path(&config->arena,
					     config_join(config, config->dirs.config_dir,
							 SV(".credentials.json"))));
	config_add_texts(&config->hidden, &config->deny_read, false);
	config_add_texts(&config->shown, &config->allow_read, config->managed_reads);
	config_add_texts(&config->unset_names, &config->unset, false);
	if (config->managed_hosts)
		config_drop_unmanaged(&config->hosts);
}

const char *const *sandbox_end_list(sandbox_list *list)
{
	vec_push(list, NULL);
	return list->at;
}

void sandbox_config_finish(struct sandbox_config *config, const struct sandbox_support *support)
{
	config_fill_lists(config);
	config->nreadonly = config->readonly.n;
	config->nreadonly_existing = config->readonly_existing.n;
	config->nhidden = config->hidden.n;
	config->policy = (struct sandbox_policy){
		.support = support,
		.write = sandbox_end_list(&config->write),
		.deny_write = sandbox_end_list(&config->readonly),
		.deny_write_existing = sandbox_end_list(&config->readonly_existing),
		.deny_read = sandbox_end_list(&config->hidden),
		.allow_read = sandbox_end_list(&config->shown),
		.temp_dir = config->dirs.temp_dir.len ? config->dirs.temp_dir.ptr : NULL,
		.any_file = config->any_file,
		.net = SANDBOX_NET_NONE, /* until there is a proxy */
		.unix_sockets = config->all_unix_sockets,
		.unset = sandbox_end_list(&config->unset_names),
		.max_processes = LIMIT_SANDBOX_PROCESSES,
		.max_files = LIMIT_SANDBOX_FILES,
		.nested = config->nested,
	};
}

static void config_describe_entries(struct str *out, const char *what,
				    const sandbox_entries *entries)
{
	for (size_t i = 0; i < entries->n; i++)
		str_addf(out, "%s %s\n", what, entries->at[i].text);
}

void sandbox_config_describe(struct str *out, const struct sandbox_config *config)
{
	const bool switches[] = { config->enabled,           config->fail_if_unavailable,
				  config->auto_allow,        config->nested,
				  config->allow_unsandboxed, config->strict_hosts,
				  config->managed_hosts };

	sandbox_policy_describe(out, &config->policy);
	for (size_t i = 0; i < config->patterns.n; i++)
		str_addf(out, "%s %.*s from %.*s\n",
			 config->patterns.at[i].hides ? "hide" : "protect",
			 SV_ARG(config->patterns.at[i].text), SV_ARG(config->patterns.at[i].root));
	config_describe_entries(out, "reach", &config->hosts);
	config_describe_entries(out, "never reach", &config->denied_hosts);
	config_describe_entries(out, "exclude", &config->excluded);
	for (size_t i = 0; i < config->ignored_hosts.n; i++)
		str_addf(out, "do not report %s\n", config->ignored_hosts.at[i]);
	for (size_t i = 0; i < config->ripgrep.n; i++)
		str_addf(out, "search with %s\n", config->ripgrep.at[i]);
	str_addf(out, "ports %d %d, bwrap %s, switches", config->http_port, config->socks_port,
		 config->bwrap ? config->bwrap : "-");
	for (size_t i = 0; i < countof(switches); i++)
		str_addf(out, " %d", switches[i]);
}

/* These gaps give a command no access: processes outside are visible but out of reach, the number
 * of processes is not a matter of access, and the others deny more than the policy does. */
static bool is_enough(unsigned gaps)
{
	return (gaps & ~(unsigned)(SANDBOX_GAP_PROC | SANDBOX_GAP_PROXY | SANDBOX_GAP_COUNT |
				   SANDBOX_GAP_DOUBT)) == 0;
}

bool sandbox_config_check(struct sandbox_config *config, struct err *err)
{
	enum sandbox_engine engine;
	unsigned gaps;
	struct err why;

	if (!config->enabled)
		return true;
	sandbox_config_scan(config);
	if (config->is_incomplete)
		config_note(config, "the sandbox is not enforced for all files",
			    SV("too many matches"));
	if (!sandbox_choose_engine(&config->policy, &engine, &gaps, &why)) {
		if (config->fail_if_unavailable)
			return err_set(err, why.kind, "%s", why.text);
		config->enabled = false;
		config_note(config, "commands run without a sandbox", sv_cstr(why.text));
		return true;
	}
	for (unsigned i = 0; i < SANDBOX_GAPS; i++)
		if (gaps & 1U << i)
			config_note(config, "the sandbox does not enforce everything",
				    sv_cstr(sandbox_gap_text((enum sandbox_gap)(1U << i))));
	config->auto_allow = config->auto_allow && is_enough(gaps);
	return true;
}

static struct sv config_copy(struct arena *arena, struct sv text)
{
	return text.len ? arena_dup(arena, text) : SV_EMPTY;
}

void sandbox_config_init(struct sandbox_config *config, const struct sandbox_dirs *dirs)
{
	struct arena *arena = &config->arena;
	struct sv *others;

	*config = (struct sandbox_config){ .auto_allow = true, .allow_unsandboxed = true };
	others = arena_calloc(arena, dirs->nothers + 1, sizeof(*others));
	for (size_t i = 0; i < dirs->nothers; i++)
		others[i] = config_copy(arena, dirs->others[i]);
	config->dirs = (struct sandbox_dirs){ .project = config_copy(arena, dirs->project),
					      .home = config_copy(arena, dirs->home),
					      .config_dir = config_copy(arena, dirs->config_dir),
					      .temp_dir = config_copy(arena, dirs->temp_dir),
					      .checkout = config_copy(arena, dirs->checkout),
					      .git_dir = config_copy(arena, dirs->git_dir),
					      .others = others,
					      .nothers = dirs->nothers };
}

void sandbox_config_clear(struct sandbox_config *config)
{
	vec_clear(&config->patterns);
	vec_clear(&config->ignored_hosts);
	vec_clear(&config->ripgrep);
	arena_clear(&config->found);
	vec_clear(&config->excluded);
	vec_clear(&config->hosts);
	vec_clear(&config->denied_hosts);
	vec_clear(&config->allow_write);
	vec_clear(&config->deny_write);
	vec_clear(&config->deny_read);
	vec_clear(&config->allow_read);
	vec_clear(&config->unset);
	vec_clear(&config->write);
	vec_clear(&config->readonly);
	vec_clear(&config->readonly_existing);
	vec_clear(&config->hidden);
	vec_clear(&config->shown);
	vec_clear(&config->unset_names);
	str_clear(&config->notes);
	arena_clear(&config->arena);
}

#include "tool/sandbox_plan.h"

#include "base/limits.h"

/* --- paths ------------------------------------------------------------------------------ */

/* `path` without "." and "..", empty components and a star for all below; in the arena. */
static const char *normal(struct sandbox_plan *plan, struct sv path)
{
	defer(str_clear) struct str out = STR_INIT;
	bool is_dir = sv_ends(path, SV("/"));
	struct sv part;

	while (sv_cut(&path, '/', &part)) {
		if (!part.len || sv_is(part, ".") || sv_is(part, "**"))
			continue;
		if (sv_is(part, ".."))
			str_truncate(&out, out.len ? sv_rfind_char(sv_of(&out), '/') : 0);
		else
			str_addf(&out, "/%.*s", SV_ARG(part));
	}
	if (!out.len || is_dir)
		str_addc(&out, '/');
	return arena_dup(&plan->arena, sv_of(&out)).ptr;
}

static struct sv join(struct sandbox_plan *plan, struct sv dir, struct sv path)
{
	return arena_printf(&plan->arena, "%.*s/%.*s", SV_ARG(dir), SV_ARG(path));
}

/* NULL where it begins at a place that there is not. */
static const char *path_from(struct sandbox_plan *plan, struct sv path, struct sv base)
{
	if (sv_starts(path, SV("~/")) || sv_is(path, "~"))
		return plan->site.home.len
			       ? normal(plan, join(plan, plan->site.home, sv_skip(path, 1)))
			       : NULL;
	if (sv_starts(path, SV("/")))
		return normal(plan, path);
	return base.len ? normal(plan, join(plan, base, path)) : NULL;
}

/* All below a directory is the directory. */
static struct sv without_stars(struct sv path)
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

static void note(struct sandbox_plan *plan, const char *what, struct sv text)
{
	str_addf(&plan->notes, "%s: %.*s\n", what, SV_ARG(text));
}

static void add(sandbox_entries *list, const char *text, enum sandbox_from from)
{
	if (text)
		vec_push(list, ((struct sandbox_entry){ .text = text, .from = from }));
}

/* --- settings ---------------------------------------------------------------------------- */

static void read_bool(bool *out, struct json object, const char *key)
{
	(void)!json_bool(json_get(object, key), out);
}

static void read_port(int *out, struct json object, const char *key)
{
	int64_t port;

	if (json_int(json_get(object, key), &port) && port > 0 && port <= UINT16_MAX)
		*out = (int)port;
}

static void read_texts(struct sandbox_plan *plan, sandbox_entries *out, struct json list,
		       enum sandbox_from from)
{
	struct json_iter it = json_each(list);
	struct json item;
	struct sv text;

	while (json_is(list, JSON_ARRAY) && json_next(&it, NULL, &item))
		if (json_str(item, &text) && text.len && !memchr(text.ptr, '\0', text.len))
			add(out, arena_dup(&plan->arena, text).ptr, from);
}

static void add_path(struct sandbox_plan *plan, sandbox_entries *out, struct sv path,
		     enum sandbox_from from)
{
	struct sv base = from == SANDBOX_FROM_USER ? plan->site.config_dir : plan->site.project;

	if (is_pattern(without_stars(path)))
		note(plan, "the sandbox cannot hold to a pattern", path);
	else
		add(out, path_from(plan, without_stars(path), base), from);
}

static void read_paths(struct sandbox_plan *plan, sandbox_entries *out, struct json list,
		       enum sandbox_from from)
{
	sandbox_entries texts = VEC_INIT;

	read_texts(plan, &texts, list, from);
	for (size_t i = 0; i < texts.n; i++)
		add_path(plan, out, sv_cstr(texts.at[i].text), from);
	vec_clear(&texts);
}

static void read_files(struct sandbox_plan *plan, struct json files, enum sandbox_from from)
{
	read_paths(plan, &plan->allow_write, json_get(files, "allowWrite"), from);
	read_paths(plan, &plan->deny_write, json_get(files, "denyWrite"), from);
	read_paths(plan, &plan->deny_read, json_get(files, "denyRead"), from);
	read_paths(plan, &plan->allow_read, json_get(files, "allowRead"), from);
	if (from != SANDBOX_FROM_PROJECT)
		read_bool(&plan->files_open, files, "disabled");
	if (from == SANDBOX_FROM_POLICY)
		read_bool(&plan->managed_reads, files, "allowManagedReadPathsOnly");
}

static void read_network(struct sandbox_plan *plan, struct json network, enum sandbox_from from)
{
	read_texts(plan, &plan->hosts, json_get(network, "allowedDomains"), from);
	read_texts(plan, &plan->denied_hosts, json_get(network, "deniedDomains"), from);
	read_bool(&plan->all_unix_sockets, network, "allowAllUnixSockets");
	if (json_len(json_get(network, "allowUnixSockets")))
		note(plan, "Linux cannot allow single sockets", SV("allowUnixSockets"));
	read_port(&plan->http_port, network, "httpProxyPort");
	read_port(&plan->socks_port, network, "socksProxyPort");
	if (from != SANDBOX_FROM_PROJECT)
		read_bool(&plan->strict_hosts, network, "strictAllowlist");
	if (from == SANDBOX_FROM_POLICY)
		read_bool(&plan->managed_hosts, network, "allowManagedDomainsOnly");
}

/* Whether denied or masked, a secret is not there. */
static void read_credentials(struct sandbox_plan *plan, struct json credentials,
			     enum sandbox_from from)
{
	struct json_iter it = json_each(json_get(credentials, "files"));
	struct json item;
	struct sv text;

	while (json_next(&it, NULL, &item))
		if (json_str(json_get(item, "path"), &text) && text.len)
			add_path(plan, &plan->deny_read, text, from);
	it = json_each(json_get(credentials, "envVars"));
	while (json_next(&it, NULL, &item))
		if (json_str(json_get(item, "name"), &text) && text.len)
			add(&plan->unset, arena_dup(&plan->arena, text).ptr, from);
}

void sandbox_plan_settings(struct sandbox_plan *plan, struct json sandbox, enum sandbox_from from)
{
	struct sv text;

	read_bool(&plan->enabled, sandbox, "enabled");
	read_bool(&plan->fail_if_unavailable, sandbox, "failIfUnavailable");
	read_bool(&plan->auto_allow, sandbox, "autoAllowBashIfSandboxed");
	read_bool(&plan->allow_unsandboxed, sandbox, "allowUnsandboxedCommands");
	read_bool(&plan->nested, sandbox, "enableWeakerNestedSandbox");
	read_texts(plan, &plan->excluded, json_get(sandbox, "excludedCommands"), from);
	read_files(plan, json_get(sandbox, "filesystem"), from);
	read_network(plan, json_get(sandbox, "network"), from);
	read_credentials(plan, json_get(sandbox, "credentials"), from);
	if (from == SANDBOX_FROM_POLICY && json_str(json_get(sandbox, "bwrapPath"), &text))
		plan->bwrap = arena_dup(&plan->arena, text).ptr;
}

/* --- rules ------------------------------------------------------------------------------- */

/* The four anchors of path rules; a bare name speaks of every depth, of which only the
 * first can be held. */
static const char *rule_path(struct sandbox_plan *plan, struct sv content, struct sv root)
{
	if (sv_starts(content, SV("//")))
		return normal(plan, sv_skip(content, 1));
	if (sv_starts(content, SV("/")))
		return normal(plan, join(plan, root.len ? root : plan->site.project, content));
	return path_from(plan, content, plan->site.project);
}

static bool is_at_any_depth(struct sv content)
{
	return sv_find_char(sv_slice(content, 0, content.len - 1), '/') == SIZE_MAX;
}

static void path_rule(struct sandbox_plan *plan, sandbox_entries *out, struct sv content,
		      struct sv root, enum sandbox_from from, bool denies)
{
	struct sv path = without_stars(content);

	if (is_pattern(path)) {
		if (denies)
			note(plan, "the sandbox cannot hold to the pattern of a rule", content);
		return;
	}
	if (denies && is_at_any_depth(path) && path.ptr[0] != '~')
		note(plan, "the sandbox holds this rule only at the top of the project", content);
	add(out, rule_path(plan, path, root), from);
}

static void host_rule(struct sandbox_plan *plan, enum behavior what, struct sv content,
		      enum sandbox_from from)
{
	struct sv host;

	if (!sv_starts(content, SV("domain:")))
		return;
	host = sv_skip(content, strlen("domain:"));
	if (what == BEHAVIOR_ALLOW)
		add(&plan->hosts, arena_dup(&plan->arena, host).ptr, from);
	else if (what == BEHAVIOR_DENY)
		add(&plan->denied_hosts, arena_dup(&plan->arena, host).ptr, from);
}

void sandbox_plan_rule(struct sandbox_plan *plan, enum behavior what, struct sv tool,
		       struct sv content, struct sv root, enum sandbox_from from)
{
	bool edits = sv_is(tool, "Edit") || sv_is(tool, "Write") || sv_is(tool, "MultiEdit");

	if (sv_is(tool, "WebFetch"))
		host_rule(plan, what, content, from);
	else if (!content.len)
		return;
	else if (edits && what == BEHAVIOR_ALLOW)
		path_rule(plan, &plan->allow_write, content, root, from, false);
	else if (edits && what == BEHAVIOR_DENY)
		path_rule(plan, &plan->deny_write, content, root, from, true);
	else if (sv_is(tool, "Read") && what == BEHAVIOR_DENY)
		path_rule(plan, &plan->deny_read, content, root, from, true);
}

/* --- the plan ---------------------------------------------------------------------------- */

/* Not to be made, either. */
static const char *const protected[] = {
	".claude/", ".mcp.json", ".git/hooks/", ".git/config",
	".codex/",  ".cursor/",  ".gemini/",    ".vscode/",
};

/* Not to be changed where they exist. */
static const char *const kept[] = {
	".bazelrc",
	".cargo/config.toml",
	".circleci/",
	".devcontainer/",
	".devcontainer.json",
	".envrc",
	".github/workflows/",
	".gitlab-ci.yml",
	".gitmodules",
	".husky/",
	".idea/",
	".mvn/",
	".npmrc",
	".pre-commit-config.yaml",
	".yarnrc.yml",
};

/* Of a home, not to be made either: shells read them by themselves. */
static const char *const of_home[] = {
	".bash_aliases", ".bash_login",  ".bash_logout", ".bash_profile", ".bashrc", ".claude.json",
	".config/fish/", ".config/git/", ".gitconfig",   ".inputrc",      ".login",  ".npmrc",
	".profile",      ".ssh/",        ".zlogin",      ".zprofile",     ".zshenv", ".zshrc",
};

static bool is_allowed(const struct sandbox_plan *plan, const char *path)
{
	struct sv wanted = sv_cstr(path);

	if (sv_ends(wanted, SV("/")))
		wanted.len--;
	for (size_t i = 0; i < plan->allow_write.n; i++) {
		struct sv allowed = sv_cstr(plan->allow_write.at[i].text);

		if (sv_ends(allowed, SV("/")))
			allowed.len--;
		if (sv_eq(allowed, wanted))
			return true;
	}
	return false;
}

static void protect(struct sandbox_plan *plan, sandbox_list *out, struct sv dir,
		    const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *path = normal(plan, join(plan, dir, sv_cstr(names[i])));

		if (!is_allowed(plan, path))
			vec_push(out, path);
	}
}

/* May be written, but for what is run or believed later. */
static void open_dir(struct sandbox_plan *plan, struct sv dir)
{
	if (!dir.len)
		return;
	vec_push(&plan->write, normal(plan, dir));
	protect(plan, &plan->fixed, dir, protected, countof(protected));
	protect(plan, &plan->keep, dir, kept, countof(kept));
}

static bool is_inside(struct sv path, struct sv dir)
{
	return sv_starts(path, dir) &&
	       (path.len == dir.len || dir.ptr[dir.len - 1] == '/' || path.ptr[dir.len] == '/');
}

/* What is worked in is protected already, so far as it is. */
static bool is_worked_in(const struct sandbox_plan *plan, struct sv path)
{
	for (size_t i = 0; i < plan->site.ndirs; i++)
		if (is_inside(path, plan->site.dirs[i]))
			return true;
	return is_inside(path, plan->site.project);
}

static void open_allowed(struct sandbox_plan *plan)
{
	for (size_t i = 0; i < plan->allow_write.n; i++) {
		const char *path = plan->allow_write.at[i].text;

		if (is_worked_in(plan, sv_cstr(path)))
			vec_push(&plan->write, path);
		else
			open_dir(plan, sv_cstr(path));
	}
}

static void open_git(struct sandbox_plan *plan)
{
	static const char *const names[] = { "hooks/", "config" };

	if (!plan->site.git_dir.len)
		return;
	vec_push(&plan->write, normal(plan, plan->site.git_dir));
	protect(plan, &plan->fixed, plan->site.git_dir, names, countof(names));
}

static void take(sandbox_list *out, const sandbox_entries *entries, bool only_policy)
{
	for (size_t i = 0; i < entries->n; i++)
		if (!only_policy || entries->at[i].from == SANDBOX_FROM_POLICY)
			vec_push(out, entries->at[i].text);
}

static void drop_unmanaged(sandbox_entries *hosts)
{
	size_t kept_hosts = 0;

	for (size_t i = 0; i < hosts->n; i++)
		if (hosts->at[i].from == SANDBOX_FROM_POLICY)
			hosts->at[kept_hosts++] = hosts->at[i];
	hosts->n = kept_hosts;
}

static void fill_lists(struct sandbox_plan *plan)
{
	open_dir(plan, plan->site.project);
	for (size_t i = 0; i < plan->site.ndirs; i++)
		open_dir(plan, plan->site.dirs[i]);
	open_allowed(plan);
	open_git(plan);
	if (plan->site.config_dir.len)
		protect(plan, &plan->fixed, plan->site.config_dir, (const char *const[]){ "./" },
			1);
	if (plan->site.home.len)
		protect(plan, &plan->fixed, plan->site.home, of_home, countof(of_home));
	take(&plan->fixed, &plan->deny_write, false);
	if (plan->site.config_dir.len)
		vec_push(&plan->hidden,
			 normal(plan, join(plan, plan->site.config_dir, SV(".credentials.json"))));
	take(&plan->hidden, &plan->deny_read, false);
	take(&plan->shown, &plan->allow_read, plan->managed_reads);
	take(&plan->unset_names, &plan->unset, false);
	if (plan->managed_hosts)
		drop_unmanaged(&plan->hosts);
}

static const char *const *ended(sandbox_list *list)
{
	vec_push(list, NULL);
	return list->at;
}

void sandbox_plan_finish(struct sandbox_plan *plan, const struct sandbox_host *host)
{
	fill_lists(plan);
	plan->sandbox = (struct sandbox){
		.host = host,
		.write = ended(&plan->write),
		.deny_write = ended(&plan->fixed),
		.keep = ended(&plan->keep),
		.deny_read = ended(&plan->hidden),
		.allow_read = ended(&plan->shown),
		.temp_dir = plan->site.temp_dir.len ? plan->site.temp_dir.ptr : NULL,
		.any_file = plan->files_open,
		.net = SANDBOX_NET_NONE, /* until somebody offers a way out */
		.unix_sockets = plan->all_unix_sockets,
		.unset = ended(&plan->unset_names),
		.max_processes = LIMIT_SANDBOX_PROCESSES,
		.nested = plan->nested,
	};
}

/* Seeing other processes gives no power over them. */
static bool is_enough(unsigned gaps)
{
	return (gaps & ~(unsigned)(SANDBOX_GAP_PROC | SANDBOX_GAP_PROXY | SANDBOX_GAP_COUNT)) == 0;
}

bool sandbox_plan_settle(struct sandbox_plan *plan, struct err *err)
{
	enum sandbox_engine engine;
	unsigned gaps;
	struct err why;

	if (!plan->enabled)
		return true;
	if (!sandbox_choose(&plan->sandbox, &engine, &gaps, &why)) {
		if (plan->fail_if_unavailable)
			return err_set(err, why.kind, "%s", why.text);
		plan->enabled = false;
		note(plan, "commands run without a sandbox", sv_cstr(why.text));
		return true;
	}
	for (unsigned i = 0; i < SANDBOX_GAPS; i++)
		if (gaps & 1U << i)
			note(plan, "the sandbox has a gap",
			     sv_cstr(sandbox_gap_text((enum sandbox_gap)(1U << i))));
	plan->auto_allow = plan->auto_allow && is_enough(gaps);
	return true;
}

static struct sv copy(struct arena *arena, struct sv text)
{
	return text.len ? arena_dup(arena, text) : SV_EMPTY;
}

void sandbox_plan_init(struct sandbox_plan *plan, const struct sandbox_site *site)
{
	struct arena *arena = &plan->arena;
	struct sv *dirs;

	*plan = (struct sandbox_plan){ .auto_allow = true, .allow_unsandboxed = true };
	dirs = arena_calloc(arena, site->ndirs + 1, sizeof(*dirs));
	for (size_t i = 0; i < site->ndirs; i++)
		dirs[i] = copy(arena, site->dirs[i]);
	plan->site = (struct sandbox_site){ .project = copy(arena, site->project),
					    .home = copy(arena, site->home),
					    .config_dir = copy(arena, site->config_dir),
					    .temp_dir = copy(arena, site->temp_dir),
					    .git_dir = copy(arena, site->git_dir),
					    .dirs = dirs,
					    .ndirs = site->ndirs };
}

void sandbox_plan_clear(struct sandbox_plan *plan)
{
	vec_clear(&plan->excluded);
	vec_clear(&plan->hosts);
	vec_clear(&plan->denied_hosts);
	vec_clear(&plan->allow_write);
	vec_clear(&plan->deny_write);
	vec_clear(&plan->deny_read);
	vec_clear(&plan->allow_read);
	vec_clear(&plan->unset);
	vec_clear(&plan->write);
	vec_clear(&plan->fixed);
	vec_clear(&plan->keep);
	vec_clear(&plan->hidden);
	vec_clear(&plan->shown);
	vec_clear(&plan->unset_names);
	str_clear(&plan->notes);
	arena_clear(&plan->arena);
}

#include "sandbox/settings.h"

#include "base/limits.h"
#include "perm/path/path.h"
#include "sandbox/protected.h"

/* --- paths ------------------------------------------------------------------------------ */

static struct sv join(struct sandbox_plan *plan, struct sv dir, struct sv path)
{
	return arena_printf(&plan->arena, "%.*s/%.*s", SV_ARG(dir), SV_ARG(path));
}

/* NULL where it begins at a place that there is not. */
static const char *path_from(struct sandbox_plan *plan, struct sv path, struct sv base)
{
	if (sv_starts(path, SV("~/")) || sv_is(path, "~"))
		return plan->site.home.len
			       ? sandbox_normal(&plan->arena,
						join(plan, plan->site.home, sv_skip(path, 1)))
			       : NULL;
	if (sv_starts(path, SV("/")))
		return sandbox_normal(&plan->arena, path);
	return base.len ? sandbox_normal(&plan->arena, join(plan, base, path)) : NULL;
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

/* New files have no place that could be held. */
static void add_pattern(struct sandbox_plan *plan, const sandbox_entries *out, struct sv text,
			struct sv root)
{
	struct err why;
	bool hides = out == &plan->deny_read;

	if (!text.len || !path_pattern_check(text, plan->site.home, &why)) {
		note(plan, "the sandbox cannot hold to a pattern", text);
		return;
	}
	if (!hides)
		note(plan, "the sandbox holds this pattern for files that exist, not for new ones",
		     text);
	vec_push(&plan->patterns, ((struct sandbox_pattern){ .text = arena_dup(&plan->arena, text),
							     .root = arena_dup(&plan->arena, root),
							     .hides = hides }));
}

/* A path of the settings as rules write it. */
static struct sv absolute_pattern(struct sandbox_plan *plan, struct sv path, struct sv base)
{
	if (sv_starts(path, SV("~/")))
		return path;
	if (!sv_starts(path, SV("/")))
		path = base.len ? join(plan, base,
				       sv_starts(path, SV("./")) ? sv_skip(path, 2) : path)
				: SV_EMPTY;
	return path.len ? arena_printf(&plan->arena, "/%.*s", SV_ARG(path)) : path;
}

static void add_path(struct sandbox_plan *plan, sandbox_entries *out, struct sv path,
		     enum sandbox_from from)
{
	struct sv base = from == SANDBOX_FROM_USER ? plan->site.config_dir : plan->site.project;

	if (!is_pattern(without_stars(path)))
		add(out, path_from(plan, without_stars(path), base), from);
	else if (out == &plan->deny_read || out == &plan->deny_write)
		add_pattern(plan, out, absolute_pattern(plan, path, base), SV_EMPTY);
	else
		note(plan, "the sandbox permits nothing by a pattern", path);
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
}

static void read_network(struct sandbox_plan *plan, struct json network, enum sandbox_from from)
{
	read_texts(plan, &plan->hosts, json_get(network, "allowedDomains"), from);
	read_texts(plan, &plan->denied_hosts, json_get(network, "deniedDomains"), from);
	if (json_len(json_get(network, "allowUnixSockets")))
		note(plan, "Linux cannot allow single sockets", SV("allowUnixSockets"));
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
	while (json_next(&it, NULL, &item)) {
		if (!json_str(json_get(item, "name"), &text) || !text.len)
			continue;
		add(&plan->unset, arena_dup(&plan->arena, text).ptr, from);
		if (json_len(json_get(item, "injectHosts")))
			note(plan, "the sandbox gives the value of a variable to no host", text);
	}
}

void sandbox_plan_settings(struct sandbox_plan *plan, struct json sandbox, enum sandbox_from from)
{
	read_texts(plan, &plan->excluded, json_get(sandbox, "excludedCommands"), from);
	read_files(plan, json_get(sandbox, "filesystem"), from);
	read_network(plan, json_get(sandbox, "network"), from);
	read_credentials(plan, json_get(sandbox, "credentials"), from);
}

/* Of what happens in a sandbox only refused hosts are told, whichever command wanted them. */
static void read_quiet(struct sandbox_plan *plan, struct json ignored)
{
	struct json_iter it = json_each(json_get(ignored, "*")), names = json_each(ignored);
	struct json item;
	struct sv text;

	while (json_next(&it, NULL, &item))
		if (json_str(item, &text) && text.len)
			vec_push(&plan->quiet, arena_dup(&plan->arena, text).ptr);
	while (json_next(&names, &text, &item))
		if (!sv_is(text, "*"))
			note(plan, "ignoreViolations works for all commands (\"*\") only", text);
}

static void read_search(struct sandbox_plan *plan, struct json ripgrep)
{
	struct json_iter it = json_each(json_get(ripgrep, "args"));
	struct json item;
	struct sv text;

	if (!json_str(json_get(ripgrep, "command"), &text) || !text.len)
		return;
	if (sv_find_char(text, '/') != SIZE_MAX && text.ptr[0] != '/') {
		note(plan,
		     "sandbox.ripgrep.command must be absolute, or a name to be found in the PATH",
		     text);
		return;
	}
	vec_push(&plan->search, arena_dup(&plan->arena, text).ptr);
	while (json_next(&it, NULL, &item))
		if (json_str(item, &text))
			vec_push(&plan->search, arena_dup(&plan->arena, text).ptr);
}

static void read_network_switches(struct sandbox_plan *plan, struct json network)
{
	read_bool(&plan->all_unix_sockets, network, "allowAllUnixSockets");
	read_bool(&plan->strict_hosts, network, "strictAllowlist");
	read_bool(&plan->managed_hosts, network, "allowManagedDomainsOnly");
	read_port(&plan->http_port, network, "httpProxyPort");
	read_port(&plan->socks_port, network, "socksProxyPort");
}

void sandbox_plan_switches(struct sandbox_plan *plan, struct json sandbox)
{
	struct json files = json_get(sandbox, "filesystem");
	struct sv text;

	read_bool(&plan->enabled, sandbox, "enabled");
	read_bool(&plan->fail_if_unavailable, sandbox, "failIfUnavailable");
	read_bool(&plan->auto_allow, sandbox, "autoAllowBashIfSandboxed");
	read_bool(&plan->allow_unsandboxed, sandbox, "allowUnsandboxedCommands");
	read_bool(&plan->nested, sandbox, "enableWeakerNestedSandbox");
	read_bool(&plan->files_open, files, "disabled");
	read_bool(&plan->managed_reads, files, "allowManagedReadPathsOnly");
	read_network_switches(plan, json_get(sandbox, "network"));
	read_quiet(plan, json_get(sandbox, "ignoreViolations"));
	read_search(plan, json_get(sandbox, "ripgrep"));
	if (json_str(json_get(sandbox, "bwrapPath"), &text) && text.len)
		plan->bwrap = arena_dup(&plan->arena, text).ptr;
}

/* --- rules ------------------------------------------------------------------------------- */

/* The four anchors of path rules. */
static const char *rule_path(struct sandbox_plan *plan, struct sv content, struct sv root,
			     struct sv dir)
{
	if (sv_starts(content, SV("//")))
		return sandbox_normal(&plan->arena, sv_skip(content, 1));
	if (sv_starts(content, SV("/")))
		return sandbox_normal(&plan->arena, join(plan, root.len ? root : dir, content));
	return path_from(plan, content, dir);
}

static bool is_at_any_depth(struct sv content)
{
	return sv_find_char(sv_slice(content, 0, content.len - 1), '/') == SIZE_MAX &&
	       !sv_is(content, "~") && !sv_is(content, ".") && !sv_is(content, "..");
}

static void add_by_rule(sandbox_entries *list, const char *path, enum sandbox_from from)
{
	if (path)
		vec_push(list, ((struct sandbox_entry){ path, from, .by_rule = true }));
}

/* What forbids does so in every directory that is worked in. */
static void path_rule(struct sandbox_plan *plan, sandbox_entries *out, struct sv content,
		      struct sv root, enum sandbox_from from, bool denies)
{
	struct sv path = without_stars(content);

	if (denies && (is_pattern(path) || is_at_any_depth(path)))
		add_pattern(plan, out, content, root);
	if (is_pattern(path))
		return;
	add_by_rule(out, rule_path(plan, path, root, plan->site.project), from);
	for (size_t i = 0; denies && i < plan->site.ndirs; i++)
		add_by_rule(out, rule_path(plan, path, root, plan->site.dirs[i]), from);
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

/* May be written, but for what is run or believed later. */
static void open_dir(struct sandbox_plan *plan, struct sv dir)
{
	if (!dir.len)
		return;
	vec_push(&plan->write, sandbox_normal(&plan->arena, dir));
	sandbox_protect_dir(plan, dir);
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
	if (!plan->site.git_dir.len)
		return;
	vec_push(&plan->write, sandbox_normal(&plan->arena, plan->site.git_dir));
	sandbox_protect_git(plan, &plan->arena, plan->site.git_dir);
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
	sandbox_protect_user(plan);
	take(&plan->fixed, &plan->deny_write, false);
	if (plan->site.config_dir.len)
		vec_push(&plan->hidden,
			 sandbox_normal(&plan->arena, join(plan, plan->site.config_dir,
							   SV(".credentials.json"))));
	take(&plan->hidden, &plan->deny_read, false);
	take(&plan->shown, &plan->allow_read, plan->managed_reads);
	take(&plan->unset_names, &plan->unset, false);
	if (plan->managed_hosts)
		drop_unmanaged(&plan->hosts);
}

const char *const *sandbox_end_list(sandbox_list *list)
{
	vec_push(list, NULL);
	return list->at;
}

void sandbox_plan_finish(struct sandbox_plan *plan, const struct sandbox_host *host)
{
	fill_lists(plan);
	plan->nfixed = plan->fixed.n;
	plan->nkeep = plan->keep.n;
	plan->nhidden = plan->hidden.n;
	plan->sandbox = (struct sandbox){
		.host = host,
		.write = sandbox_end_list(&plan->write),
		.deny_write = sandbox_end_list(&plan->fixed),
		.keep = sandbox_end_list(&plan->keep),
		.deny_read = sandbox_end_list(&plan->hidden),
		.allow_read = sandbox_end_list(&plan->shown),
		.temp_dir = plan->site.temp_dir.len ? plan->site.temp_dir.ptr : NULL,
		.any_file = plan->files_open,
		.net = SANDBOX_NET_NONE, /* until somebody offers a way out */
		.unix_sockets = plan->all_unix_sockets,
		.unset = sandbox_end_list(&plan->unset_names),
		.max_processes = LIMIT_SANDBOX_PROCESSES,
		.max_files = LIMIT_SANDBOX_FILES,
		.nested = plan->nested,
	};
}

static void describe_entries(struct str *out, const char *what, const sandbox_entries *entries)
{
	for (size_t i = 0; i < entries->n; i++)
		str_addf(out, "%s %s\n", what, entries->at[i].text);
}

void sandbox_plan_describe(struct str *out, const struct sandbox_plan *plan)
{
	const bool switches[] = { plan->enabled,      plan->fail_if_unavailable, plan->auto_allow,
				  plan->nested,       plan->allow_unsandboxed,   plan->strict_hosts,
				  plan->managed_hosts };

	sandbox_describe(out, &plan->sandbox);
	for (size_t i = 0; i < plan->patterns.n; i++)
		str_addf(out, "%s %.*s from %.*s\n",
			 plan->patterns.at[i].hides ? "hide" : "protect",
			 SV_ARG(plan->patterns.at[i].text), SV_ARG(plan->patterns.at[i].root));
	describe_entries(out, "reach", &plan->hosts);
	describe_entries(out, "never reach", &plan->denied_hosts);
	describe_entries(out, "exclude", &plan->excluded);
	for (size_t i = 0; i < plan->quiet.n; i++)
		str_addf(out, "do not tell of %s\n", plan->quiet.at[i]);
	for (size_t i = 0; i < plan->search.n; i++)
		str_addf(out, "search with %s\n", plan->search.at[i]);
	str_addf(out, "ports %d %d, bwrap %s, switches", plan->http_port, plan->socks_port,
		 plan->bwrap ? plan->bwrap : "-");
	for (size_t i = 0; i < countof(switches); i++)
		str_addf(out, " %d", switches[i]);
}

/* Seeing other processes gives no power over them, and what is not permitted none at all. */
static bool is_enough(unsigned gaps)
{
	return (gaps & ~(unsigned)(SANDBOX_GAP_PROC | SANDBOX_GAP_PROXY | SANDBOX_GAP_COUNT |
				   SANDBOX_GAP_DOUBT)) == 0;
}

bool sandbox_plan_settle(struct sandbox_plan *plan, struct err *err)
{
	enum sandbox_engine engine;
	unsigned gaps;
	struct err why;

	if (!plan->enabled)
		return true;
	sandbox_plan_look(plan);
	if (plan->is_short)
		note(plan, "the sandbox does not hold all of what it should",
		     SV("there are too many files"));
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
	vec_clear(&plan->patterns);
	vec_clear(&plan->quiet);
	vec_clear(&plan->search);
	arena_clear(&plan->found);
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

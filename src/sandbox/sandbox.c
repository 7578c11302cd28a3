#include "sandbox/sandbox.h"

#include "base/mem.h"
#include "perm/perm.h"
#include "sandbox/protected.h"
#include "sys/fs.h"

/* --- the configuration ------------------------------------------------------------------- */

static enum sandbox_source sandbox_source_of(enum perm_source source)
{
	if (source == PERM_FROM_POLICY)
		return SANDBOX_FROM_POLICY;
	return source == PERM_FROM_PROJECT || source == PERM_FROM_LOCAL ? SANDBOX_FROM_PROJECT
									: SANDBOX_FROM_USER;
}

static void sandbox_take_settings(struct sandbox_config *config, const struct sandbox_opts *opts)
{
	sandbox_config_switches(config, opts->settings);
	for (size_t i = 0; i < opts->nlayers; i++)
		sandbox_config_lists(config, opts->layers[i].settings, opts->layers[i].from);
}

static void sandbox_take_rules(struct sandbox_config *config, const struct perm_policy *policy)
{
	static const enum behavior all[] = { BEHAVIOR_ALLOW, BEHAVIOR_ASK, BEHAVIOR_DENY };
	const struct perm_rule *rule;

	for (size_t k = 0; k < countof(all); k++)
		for (size_t i = 0; (rule = perm_rule_at(policy, all[k], i)); i++)
			sandbox_config_rule(config, all[k], rule->tool, rule->content, rule->root,
					    sandbox_source_of(rule->source));
}

/* Every shell sources this file, also for commands that run outside the sandbox. */
static void sandbox_protect_env_file(struct sandbox_config *config, struct sv file)
{
	if (sv_starts(file, SV("/")))
		vec_push(&config->deny_write,
			 ((struct sandbox_entry){
				 .text = sandbox_normal_path(&config->arena, file) }));
}

static void sandbox_find_dirs(struct sandbox *s, const struct sandbox_opts *opts,
			      struct sandbox_dirs *dirs)
{
	const struct perm_policy *policy = opts->policy;
	struct err ignored;

	if (opts->config_dir && !fs_realpath(&s->config_dir, opts->config_dir, &ignored))
		str_adds(&s->config_dir, opts->config_dir);
	(void)sandbox_find_linked_repository(&s->git_dir, policy->dirs.at[0]);
	*dirs = (struct sandbox_dirs){ .project = policy->dirs.at[0],
				       .home = policy->home,
				       .config_dir = sv_of(&s->config_dir),
				       .temp_dir = opts->temp_dir,
				       .checkout = opts->checkout,
				       .git_dir = sv_of(&s->git_dir),
				       .others = policy->dirs.at + 1,
				       .nothers = policy->dirs.n - 1 };
}

/* The helper is our own program. A program that embeds the library cannot be one. */
static void sandbox_find_helper(struct sandbox *s)
{
	struct err ignored;

	if (fs_realpath(&s->helper, "/proc/self/exe", &ignored) &&
	    sv_ends(sv_of(&s->helper), SV("/awl")))
		s->config.policy.helper = s->helper.ptr;
}

static void sandbox_take_path(struct sandbox *s, const char *const *env)
{
	for (; env && *env; env++)
		if (sv_starts(sv_cstr(*env), SV("PATH=")))
			str_adds(&s->path, *env + strlen("PATH="));
}

struct sandbox *sandbox_new(const struct sandbox_opts *opts)
{
	struct sandbox *s = xnew(struct sandbox);
	struct sandbox_dirs dirs;

	sandbox_find_dirs(s, opts, &dirs);
	sandbox_config_init(&s->config, &dirs);
	sandbox_take_settings(&s->config, opts);
	sandbox_take_rules(&s->config, opts->policy);
	sandbox_protect_env_file(&s->config, opts->env_file);
	if (opts->adjust)
		opts->adjust(opts->arg, &s->config);
	sandbox_config_finish(&s->config, &s->support);
	sandbox_config_describe(&s->wanted, &s->config);
	sandbox_find_helper(s);
	sandbox_take_path(s, opts->env);
	return s;
}

void sandbox_free(struct sandbox *s)
{
	if (!s)
		return;
	sandbox_proxy_freep(&s->proxy);
	sandbox_config_clear(&s->config);
	sandbox_traces_clear(&s->traces);
	sandbox_support_clear(&s->support);
	vec_clear(&s->hosts);
	vec_clear(&s->denied_hosts);
	str_clear(&s->wanted);
	str_clear(&s->helper);
	str_clear(&s->config_dir);
	str_clear(&s->git_dir);
	str_clear(&s->path);
	free(s);
}

/* --- starting ------------------------------------------------------------------------------ */

void sandbox_probe(struct sandbox *s)
{
	sandbox_support_probe(&s->support, s->config.bwrap, s->path.len ? s->path.ptr : NULL);
}

static const char *const *sandbox_list_hosts(sandbox_list *out, const sandbox_entries *entries)
{
	for (size_t i = 0; i < entries->n; i++)
		vec_push(out, entries->at[i].text);
	return sandbox_end_list(out);
}

bool sandbox_open_proxy(struct sandbox *s, struct loop *loop, struct sandbox_proxy_opts proxy,
			struct err *err)
{
	struct sandbox_policy *policy = &s->config.policy;

	sandbox_proxy_take_environment(&proxy);
	proxy.strict = s->config.strict_hosts;
	proxy.http_port = s->config.http_port;
	proxy.socks_port = s->config.socks_port;
	proxy.allow = sandbox_list_hosts(&s->hosts, &s->config.hosts);
	proxy.deny = sandbox_list_hosts(&s->denied_hosts, &s->config.denied_hosts);
	s->proxy = sandbox_proxy_new(loop, &proxy, err);
	policy->net = SANDBOX_NET_PROXY;
	policy->on_listener = sandbox_proxy_serve;
	policy->on_listener_end = sandbox_proxy_leave;
	policy->listener_arg = s->proxy;
	policy->hosts = proxy.allow;
	return s->proxy != NULL;
}

bool sandbox_start(struct sandbox *s, struct loop *loop, struct sandbox_proxy_opts proxy,
		   struct err *err)
{
	sandbox_probe(s);
	return sandbox_open_proxy(s, loop, proxy, err) && sandbox_config_check(&s->config, err);
}

/* --- commands -------------------------------------------------------------------------------- */

struct confinement sandbox_begin(struct sandbox *s)
{
	sandbox_config_scan(&s->config);
	if (!s->users)
		sandbox_traces_begin(&s->traces, &s->config);
	s->users++;
	return (struct confinement){ .type = &sandbox_confinement_type, .data = &s->config.policy };
}

void sandbox_end(struct sandbox *s, struct str *report)
{
	s->users--;
	sandbox_traces_report(&s->traces, &s->config, report);
}

bool sandbox_ignores_host(const struct sandbox *s, const char *host)
{
	for (size_t i = 0; i < s->config.ignored_hosts.n; i++)
		if (strstr(host, s->config.ignored_hosts.at[i]))
			return true;
	return false;
}

/* --- in words -------------------------------------------------------------------------------- */

static void sandbox_add_gaps(struct str *out, unsigned gaps)
{
	for (int i = 0; i < SANDBOX_GAPS; i++)
		if (gaps & 1U << i)
			str_addf(out, "  not enforced: %s\n",
				 sandbox_gap_text((enum sandbox_gap)(1U << i)));
}

static void sandbox_add_notes(struct str *out, struct sv notes)
{
	struct sv line;

	while (sv_cut_line(&notes, &line))
		str_addf(out, "  note: %.*s\n", SV_ARG(line));
}

bool sandbox_describe(struct str *out, const struct sandbox *s, const char *cwd, struct sv notes,
		      struct err *err)
{
	enum sandbox_engine engine;
	unsigned gaps;

	sandbox_support_describe(out, &s->support);
	if (!sandbox_choose_engine(&s->config.policy, &engine, &gaps, err)) {
		str_addf(out, "not available: %s\n", err->text);
		return false;
	}
	str_addf(out, "commands in %s are sandboxed by: %s\n", cwd, sandbox_engine_name(engine));
	sandbox_add_gaps(out, gaps);
	sandbox_add_notes(out, notes);
	if (s->config.is_incomplete)
		str_adds(out, "  not enforced for all files: too many matches\n");
	str_adds(out, "policy:\n");
	sandbox_policy_describe(out, &s->config.policy);
	return true;
}

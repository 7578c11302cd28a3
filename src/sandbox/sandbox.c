#include "sandbox/sandbox.h"

#include "perm/perm.h"
#include "sandbox/protected.h"
#include "sys/fs.h"

/* --- what the settings and rules say --------------------------------------------------- */

static enum sandbox_from from_rule(enum perm_source source)
{
	if (source == PERM_FROM_POLICY)
		return SANDBOX_FROM_POLICY;
	return source == PERM_FROM_PROJECT || source == PERM_FROM_LOCAL ? SANDBOX_FROM_PROJECT
									: SANDBOX_FROM_USER;
}

static void take_settings(struct sandbox_plan *plan, const struct cage_opts *opts)
{
	sandbox_plan_switches(plan, opts->settings);
	for (size_t i = 0; i < opts->nlayers; i++)
		sandbox_plan_settings(plan, opts->layers[i].settings, opts->layers[i].from);
}

static void take_rules(struct sandbox_plan *plan, const struct perm_policy *policy)
{
	static const enum behavior all[] = { BEHAVIOR_ALLOW, BEHAVIOR_ASK, BEHAVIOR_DENY };
	const struct perm_rule *rule;

	for (size_t k = 0; k < countof(all); k++)
		for (size_t i = 0; (rule = perm_rule_at(policy, all[k], i)); i++)
			sandbox_plan_rule(plan, all[k], rule->tool, rule->content, rule->root,
					  from_rule(rule->source));
}

/* Every shell reads it before its command, also where that is held to nothing. */
static void protect_env_file(struct sandbox_plan *plan, struct sv file)
{
	if (sv_starts(file, SV("/")))
		vec_push(&plan->deny_write,
			 ((struct sandbox_entry){ .text = sandbox_normal(&plan->arena, file) }));
}

/* --- where it is ------------------------------------------------------------------------ */

static void find_places(struct cage *c, const struct cage_opts *opts, struct sandbox_site *site)
{
	const struct perm_policy *policy = opts->policy;
	struct err ignored;

	if (opts->config_dir && !fs_realpath(&c->config_dir, opts->config_dir, &ignored))
		str_adds(&c->config_dir, opts->config_dir);
	(void)sandbox_find_git(&c->git_dir, policy->dirs.at[0]);
	*site = (struct sandbox_site){ .project = policy->dirs.at[0],
				       .home = policy->home,
				       .config_dir = sv_of(&c->config_dir),
				       .temp_dir = opts->temp_dir,
				       .git_dir = sv_of(&c->git_dir),
				       .dirs = policy->dirs.at + 1,
				       .ndirs = policy->dirs.n - 1 };
}

/* Only our own program knows what bubblewrap has to be helped with. */
static void find_helper(struct cage *c)
{
	struct err ignored;

	if (fs_realpath(&c->self, "/proc/self/exe", &ignored) &&
	    sv_ends(sv_of(&c->self), SV("/awl")))
		c->plan.sandbox.helper = c->self.ptr;
}

struct cage *cage_new(const struct cage_opts *opts)
{
	struct cage *c = xnew(struct cage);
	struct sandbox_site site;

	find_places(c, opts, &site);
	sandbox_plan_init(&c->plan, &site);
	take_settings(&c->plan, opts);
	take_rules(&c->plan, opts->policy);
	protect_env_file(&c->plan, opts->env_file);
	if (opts->adjust)
		opts->adjust(opts->arg, &c->plan);
	sandbox_plan_finish(&c->plan, &c->host);
	sandbox_plan_describe(&c->wants, &c->plan);
	find_helper(c);
	return c;
}

void cage_free(struct cage *c)
{
	if (!c)
		return;
	gate_freep(&c->gate);
	sandbox_plan_clear(&c->plan);
	sandbox_host_clear(&c->host);
	vec_clear(&c->hosts);
	vec_clear(&c->denied_hosts);
	str_clear(&c->wants);
	str_clear(&c->self);
	str_clear(&c->config_dir);
	str_clear(&c->git_dir);
	free(c);
}

void cage_probe(struct cage *c)
{
	sandbox_host_probe(&c->host, c->plan.bwrap);
}

/* --- the way out --------------------------------------------------------------------------- */

static const char *const *list_hosts(sandbox_list *out, const sandbox_entries *entries)
{
	for (size_t i = 0; i < entries->n; i++)
		vec_push(out, entries->at[i].text);
	vec_push(out, NULL);
	return out->at;
}

bool cage_open_gate(struct cage *c, struct loop *loop, struct gate_opts gate, struct err *err)
{
	struct sandbox *sandbox = &c->plan.sandbox;

	gate_take_environment(&gate);
	gate.strict = c->plan.strict_hosts;
	gate.http_port = c->plan.http_port;
	gate.socks_port = c->plan.socks_port;
	gate.allow = list_hosts(&c->hosts, &c->plan.hosts);
	gate.deny = list_hosts(&c->denied_hosts, &c->plan.denied_hosts);
	c->gate = gate_new(loop, &gate, err);
	sandbox->net = SANDBOX_NET_PROXY;
	sandbox->on_listener = gate_serve;
	sandbox->on_listener_end = gate_leave;
	sandbox->listener_arg = c->gate;
	return c->gate != NULL;
}

bool cage_is_quiet_about(const struct cage *c, const char *host)
{
	for (size_t i = 0; i < c->plan.quiet.n; i++)
		if (strstr(host, c->plan.quiet.at[i]))
			return true;
	return false;
}

/* The choice of an engine.
 *
 * The problem: machines differ in what they let an ordinary user do. Many let everybody create user
 * namespaces. Some grant them only to programs that a security policy names; bubblewrap usually is
 * one, awl is not. Many containers deny them, or deny mounting /proc in them. Some kernels have
 * only Landlock, in one of several versions.
 *
 * The idea: for a given policy, each engine either refuses (choose_refusal) or states its gaps, the
 * parts of the policy that it does not enforce (choose_gaps_of). The engine with the fewest gaps
 * wins; of equals the first one, in the order of enum sandbox_engine. So bubblewrap is used for
 * plain policies, and our own namespaces where it falls short: when links must be protected, or
 * when there is no helper.
 *
 * Invariants: an engine that the user names is used or refused, never replaced by another. A
 * program that sandboxed commands could overwrite never sets up a sandbox. Whether the remaining
 * gaps are acceptable is not decided here: see sandbox_config_check(). */
#include <unistd.h>

#include "base/mem.h"
#include "sandbox/engines/job.h"
#include "sandbox/engines/path.h"

/* A program that a sandboxed command could replace must not set up the next sandbox. */
static bool is_replaceable(const char *program, const struct sandbox_mounts *mounts)
{
	defer(mem_freep) char *real = realpath(program, NULL);

	for (size_t i = 0; real && i < mounts->roots.n; i++)
		if (sandbox_path_is_inside(real, mounts->roots.at[i]))
			return true;
	return !real;
}

/* Why an engine cannot be used here; NULL: it can. */
static const char *choose_refusal(const struct sandbox_policy *policy,
				  const struct sandbox_mounts *mounts, enum sandbox_engine engine)
{
	const struct sandbox_support *support = policy->support;

	if (!support->seccomp)
		return "the kernel has no seccomp filters";
	if (engine == SANDBOX_BWRAP && !support->bwrap)
		return "bubblewrap is not installed, or does not work";
	if (engine == SANDBOX_BWRAP && is_replaceable(support->bwrap, mounts))
		return "bubblewrap is in a directory that commands can write to";
	if (engine == SANDBOX_BWRAP && policy->helper && is_replaceable(policy->helper, mounts))
		return "awl, which bubblewrap needs as its helper, is in a directory that commands "
		       "can write to";
	if (engine == SANDBOX_NAMESPACES && !support->namespaces)
		return "the kernel does not let us create namespaces";
	if (engine == SANDBOX_LANDLOCK)
		return support->landlock ? NULL : "the kernel has no Landlock";
	if (!support->own_proc && !policy->nested)
		return "/proc cannot be mounted here, as is common in containers; "
		       "sandbox.enableWeakerNestedSandbox does without it";
	return NULL;
}

static unsigned choose_gaps_of_bubblewrap(const struct sandbox_policy *policy,
					  const struct sandbox_mounts *mounts)
{
	unsigned gaps = 0;

	if (mounts->has_links || (mounts->protects && !policy->helper))
		gaps |= SANDBOX_GAP_LINKS; /* nothing inside checks whether a link was replaced */
	if (policy->net == SANDBOX_NET_PROXY && !policy->helper)
		gaps |= SANDBOX_GAP_PROXY;
	if (policy->max_processes && (!policy->helper || getuid() == 0))
		gaps |= SANDBOX_GAP_COUNT; /* the kernel does not count the processes of root */
	if (!policy->helper)
		gaps |= SANDBOX_GAP_PIPES; /* nothing inside applies Landlock rules */
	return gaps;
}

static unsigned choose_gaps_of_landlock(const struct sandbox_policy *policy,
					const struct sandbox_mounts *mounts)
{
	unsigned gaps = SANDBOX_GAP_PROC | SANDBOX_GAP_DAEMONS | SANDBOX_GAP_MODES;

	if (mounts->protects)
		gaps |= SANDBOX_GAP_PROTECTED;
	if (policy->net == SANDBOX_NET_PROXY)
		gaps |= SANDBOX_GAP_PROXY;
	if (policy->max_processes)
		gaps |= SANDBOX_GAP_COUNT;
	if (policy->support->landlock < 6)
		gaps |= SANDBOX_GAP_SIGNALS;
	return gaps;
}

static unsigned choose_gaps_of_mounts(const struct sandbox_policy *policy,
				      const struct sandbox_mounts *mounts,
				      enum sandbox_engine engine)
{
	unsigned gaps = engine == SANDBOX_BWRAP ? choose_gaps_of_bubblewrap(policy, mounts) : 0;

	if (engine == SANDBOX_NAMESPACES && policy->max_processes && getuid() == 0 &&
	    !policy->support->counts_pids)
		gaps |= SANDBOX_GAP_COUNT;
	if (!policy->support->own_proc)
		gaps |= SANDBOX_GAP_PROC;
	if (policy->support->landlock < 2)
		gaps |= SANDBOX_GAP_PIPES; /* read-only mounts do not protect named pipes */
	return mounts->base_rw ? gaps & ~(unsigned)SANDBOX_GAP_PIPES : gaps;
}

static unsigned choose_gaps_of(const struct sandbox_policy *policy,
			       const struct sandbox_mounts *mounts, enum sandbox_engine engine)
{
	return (mounts->has_doubtful ? SANDBOX_GAP_DOUBT : 0) |
	       (engine == SANDBOX_LANDLOCK ? choose_gaps_of_landlock(policy, mounts)
					   : choose_gaps_of_mounts(policy, mounts, engine));
}

static bool choose_pick_best(const struct sandbox_policy *policy,
			     const struct sandbox_mounts *mounts, enum sandbox_engine *engine,
			     unsigned *gaps, struct err *err)
{
	bool found = false;

	for (enum sandbox_engine e = SANDBOX_BWRAP; e < SANDBOX_ENGINES; e++) {
		unsigned here = choose_gaps_of(policy, mounts, e);

		if (choose_refusal(policy, mounts, e) ||
		    (found && __builtin_popcount(here) >= __builtin_popcount(*gaps)))
			continue;
		found = true;
		*engine = e;
		*gaps = here;
	}
	if (found)
		return true;
	return err_set(err, ERR_UNSUPPORTED, "no sandbox is possible here: %s",
		       choose_refusal(policy, mounts, SANDBOX_NAMESPACES));
}

bool engine_pick(const struct sandbox_policy *policy, const struct sandbox_mounts *mounts,
		 enum sandbox_engine *engine, unsigned *gaps, struct err *err)
{
	const char *why;

	if (policy->engine == SANDBOX_AUTO)
		return choose_pick_best(policy, mounts, engine, gaps, err);
	why = choose_refusal(policy, mounts, policy->engine);
	if (why)
		return err_set(err, ERR_UNSUPPORTED, "the sandbox engine %s is not available: %s",
			       sandbox_engine_name(policy->engine), why);
	*engine = policy->engine;
	*gaps = choose_gaps_of(policy, mounts, policy->engine);
	return true;
}

bool sandbox_choose_engine(const struct sandbox_policy *policy, enum sandbox_engine *engine,
			   unsigned *gaps, struct err *err)
{
	defer(sandbox_mounts_clear) struct sandbox_mounts mounts = SANDBOX_MOUNTS_INIT;

	return sandbox_mounts_make(&mounts, policy, err) &&
	       engine_pick(policy, &mounts, engine, gaps, err);
}

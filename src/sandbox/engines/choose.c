#include <unistd.h>

#include "base/mem.h"
#include "sandbox/engines/job.h"
#include "sandbox/engines/path.h"

/* What a sandbox could replace must not make the next one. */
static bool is_replaceable(const char *program, const struct sandbox_mounts *mounts)
{
	defer(mem_freep) char *real = realpath(program, NULL);

	for (size_t i = 0; real && i < mounts->roots.n; i++)
		if (sandbox_is_inside(real, mounts->roots.at[i]))
			return true;
	return !real;
}

/* Why an engine cannot be had here; NULL: it can. */
static const char *refusal(const struct sandbox *plan, const struct sandbox_mounts *mounts,
			   enum sandbox_engine engine)
{
	const struct sandbox_host *host = plan->host;

	if (!host->seccomp)
		return "the kernel has no seccomp filters";
	if (engine == SANDBOX_BWRAP && !host->bwrap)
		return "bubblewrap is not installed, or does not work";
	if (engine == SANDBOX_BWRAP && is_replaceable(host->bwrap, mounts))
		return "bubblewrap lies where commands can write";
	if (engine == SANDBOX_BWRAP && plan->helper && is_replaceable(plan->helper, mounts))
		return "awl, which has to help bubblewrap, lies where commands can write";
	if (engine == SANDBOX_NAMESPACES && !host->namespaces)
		return "the kernel lets us make no namespaces";
	if (engine == SANDBOX_LANDLOCK)
		return host->landlock ? NULL : "the kernel has no Landlock";
	if (!host->own_proc && !plan->nested)
		return "a /proc of its own cannot be mounted here, as is common in containers; "
		       "sandbox.enableWeakerNestedSandbox does without";
	return NULL;
}

static unsigned gaps_of_bwrap(const struct sandbox *plan, const struct sandbox_mounts *mounts)
{
	unsigned gaps = 0;

	if (mounts->has_links || (mounts->protects && !plan->helper))
		gaps |= SANDBOX_GAP_LINKS; /* nobody in there sees that one was turned */
	if (plan->net == SANDBOX_NET_PROXY && !plan->helper)
		gaps |= SANDBOX_GAP_PROXY;
	if (plan->max_processes && (!plan->helper || getuid() == 0))
		gaps |= SANDBOX_GAP_COUNT; /* the kernel does not count root's */
	if (!plan->helper)
		gaps |= SANDBOX_GAP_PIPES; /* nobody in there obeys Landlock */
	return gaps;
}

static unsigned gaps_of_landlock(const struct sandbox *plan, const struct sandbox_mounts *mounts)
{
	unsigned gaps = SANDBOX_GAP_PROC | SANDBOX_GAP_DAEMONS | SANDBOX_GAP_MODES;

	if (mounts->protects)
		gaps |= SANDBOX_GAP_PROTECTED;
	if (plan->net == SANDBOX_NET_PROXY)
		gaps |= SANDBOX_GAP_PROXY;
	if (plan->max_processes)
		gaps |= SANDBOX_GAP_COUNT;
	if (plan->host->landlock < 6)
		gaps |= SANDBOX_GAP_SIGNALS;
	return gaps;
}

static unsigned gaps_of_mounts(const struct sandbox *plan, const struct sandbox_mounts *mounts,
			       enum sandbox_engine engine)
{
	unsigned gaps = engine == SANDBOX_BWRAP ? gaps_of_bwrap(plan, mounts) : 0;

	if (engine == SANDBOX_NAMESPACES && plan->max_processes && getuid() == 0 &&
	    !plan->host->counts_pids)
		gaps |= SANDBOX_GAP_COUNT;
	if (!plan->host->own_proc)
		gaps |= SANDBOX_GAP_PROC;
	if (plan->host->landlock < 2)
		gaps |= SANDBOX_GAP_PIPES; /* a read-only mount does not hold them */
	return mounts->base_rw ? gaps & ~(unsigned)SANDBOX_GAP_PIPES : gaps;
}

static unsigned gaps_of(const struct sandbox *plan, const struct sandbox_mounts *mounts,
			enum sandbox_engine engine)
{
	return (mounts->has_doubtful ? SANDBOX_GAP_DOUBT : 0) |
	       (engine == SANDBOX_LANDLOCK ? gaps_of_landlock(plan, mounts)
					   : gaps_of_mounts(plan, mounts, engine));
}

static bool pick_best(const struct sandbox *plan, const struct sandbox_mounts *mounts,
		      enum sandbox_engine *engine, unsigned *gaps, struct err *err)
{
	bool found = false;

	for (enum sandbox_engine e = SANDBOX_BWRAP; e < SANDBOX_ENGINES; e++) {
		unsigned here = gaps_of(plan, mounts, e);

		if (refusal(plan, mounts, e) ||
		    (found && __builtin_popcount(here) >= __builtin_popcount(*gaps)))
			continue;
		found = true;
		*engine = e;
		*gaps = here;
	}
	if (found)
		return true;
	return err_set(err, ERR_UNSUPPORTED, "there can be no sandbox here: %s",
		       refusal(plan, mounts, SANDBOX_NAMESPACES));
}

bool sandbox_pick(const struct sandbox *plan, const struct sandbox_mounts *mounts,
		  enum sandbox_engine *engine, unsigned *gaps, struct err *err)
{
	const char *why;

	if (plan->engine == SANDBOX_AUTO)
		return pick_best(plan, mounts, engine, gaps, err);
	why = refusal(plan, mounts, plan->engine);
	if (why)
		return err_set(err, ERR_UNSUPPORTED, "no sandbox by %s: %s",
			       sandbox_engine_name(plan->engine), why);
	*engine = plan->engine;
	*gaps = gaps_of(plan, mounts, plan->engine);
	return true;
}

bool sandbox_choose(const struct sandbox *plan, enum sandbox_engine *engine, unsigned *gaps,
		    struct err *err)
{
	defer(sandbox_mounts_clear) struct sandbox_mounts mounts = SANDBOX_MOUNTS_INIT;

	return sandbox_mounts(&mounts, plan, err) && sandbox_pick(plan, &mounts, engine, gaps, err);
}

/* Before a summary is made, old results of tools go to files, if that is enough. It costs no request, and
 * nothing is lost: the model can read the files. */
#include "core/agent/agent_internal.h"
#include "core/compaction/compaction_internal.h"
#include "core/compaction/old_results.h"
#include "tool/read/read_state.h"

enum { BYTES_PER_TOKEN = 4 };

struct clearing {
	struct op op;
	struct session *s;
	struct agent *agent;
	struct old_results old;
	struct op *step;
};

static void clearing_cancel(struct op *op)
{
	op_cancel(container_of(op, struct clearing, op)->step);
}

static void clearing_free(struct op *op)
{
	struct clearing *c = container_of(op, struct clearing, op);

	old_results_clear(&c->old);
	free(c);
}

static const struct op_type clearing_type = {
	.name = "clearing of results",
	.cancel = clearing_cancel,
	.free = clearing_free,
};

/* Of sub-agents there is no record: their file has no readers but awl. */
static void clearing_record(struct clearing *c, int64_t before, int64_t saved)
{
	defer(str_clear) struct str metadata = STR_INIT;
	struct jw w;

	if (c->agent != c->s->agent)
		return;
	jw_init(&w, &metadata, JW_COMPACT);
	jw_object(&w);
	jw_put_object(&w, "microcompactMetadata");
	jw_put_str(&w, "trigger", SV("auto"));
	jw_put_int(&w, "preTokens", before);
	jw_put_int(&w, "tokensSaved", saved);
	jw_put_array(&w, "compactedToolIds");
	for (size_t i = 0; i < c->old.list.n; i++)
		jw_str(&w, c->old.list.at[i].id);
	jw_end(&w);
	jw_put_array(&w, "clearedAttachmentUUIDs");
	jw_end(&w);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	session_records_add(c->s, "microcompact_boundary", SV("Context microcompacted"),
			    sv_of(&metadata));
}

static void clearing_apply(struct clearing *c)
{
	struct agent *agent = c->agent;
	size_t saved;
	int64_t tokens, before = agent_estimate(agent);

	agent_expect_cache_miss(agent);
	saved = old_results_replace(&c->old, &agent->history);
	tokens = (int64_t)(saved / BYTES_PER_TOKEN);
	agent->measured.tokens -= min_of(agent->measured.tokens, tokens);
	agent->measured.bytes -= min_of(agent->measured.bytes, saved);
	read_state_forget_views(agent->ctx.files);
	clearing_record(c, before, tokens);
	agent_inform(
		agent, NOTICE_INFO,
		"%zu old results of tools are no longer sent to the model, which saves about %lld "
		"tokens; it can still read them.",
		c->old.list.n, (long long)tokens);
}

/* Results that could not be stored are replaced too: the transcript has them. */
static void clearing_on_stored(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct clearing *c = owner;

	c->step = NULL;
	if (why && why->kind == ERR_CANCELLED) {
		op_finish(&c->op, why);
		return;
	}
	clearing_apply(c);
	op_finish(&c->op, NULL);
}

struct op *compaction_clear(struct session *s, struct agent *agent, int64_t wanted,
			    struct then then)
{
	struct clearing *c = xnew(struct clearing);

	c->old = (struct old_results)OLD_RESULTS_INIT;
	old_results_find(&c->old, &agent->history);
	if (!c->old.list.n || (int64_t)(c->old.bytes / BYTES_PER_TOKEN) < wanted) {
		old_results_clear(&c->old);
		free(c);
		return NULL;
	}
	op_init(&c->op, &clearing_type, agent->loop, then);
	c->s = s;
	c->agent = agent;
	c->step = old_results_start(&c->old, agent->loop, s->conversation.results_dir,
				    THEN(clearing_on_stored, c));
	return &c->op;
}

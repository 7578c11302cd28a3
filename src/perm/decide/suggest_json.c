#include "perm/decide/suggest_json.h"

#include "perm/decide/suggest.h"
#include "text/json/json_write.h"

static void write_rule(struct jw *w, struct sv text)
{
	size_t open = sv_find_char(text, '(');

	jw_object(w);
	jw_put_str(w, "toolName", sv_slice(text, 0, open));
	if (open != SIZE_MAX)
		jw_put_str(w, "ruleContent", sv_slice(text, open + 1, text.len - 1));
	jw_end(w);
}

static void write_rules(struct jw *w, const struct sv *rules, size_t n)
{
	jw_object(w);
	jw_put_str(w, "type", SV("addRules"));
	jw_put_array(w, "rules");
	for (size_t i = 0; i < n; i++)
		write_rule(w, rules[i]);
	jw_end(w);
	jw_put_str(w, "behavior", SV("allow"));
	jw_put_str(w, "destination", SV("localSettings"));
	jw_end(w);
}

/* For an edit of a file of the project, what helps is the mode. */
static bool would_edit(const struct perm_policy *policy, const struct wish *wish)
{
	struct perm_policy edits = *policy;

	edits.mode = PERM_ACCEPT_EDITS;
	return policy->mode == PERM_DEFAULT && perm_decide(&edits, wish).behavior == BEHAVIOR_ALLOW;
}

void perm_offer(struct str *out, const struct perm_policy *policy, const struct wish *wish)
{
	struct arena arena = ARENA_INIT;
	struct sv rules[SUGGEST_MAX];
	bool edits = would_edit(policy, wish);
	size_t n = edits && wish->access == ACCESS_WRITE
			   ? 0
			   : perm_suggest(policy, wish, &arena, rules);
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_array(&w);
	if (n) { /* hosts take all that is offered, or nothing */
		write_rules(&w, rules, n);
	} else if (edits) {
		jw_object(&w);
		jw_put_str(&w, "type", SV("setMode"));
		jw_put_str(&w, "mode", SV("acceptEdits"));
		jw_put_str(&w, "destination", SV("session"));
		jw_end(&w);
	}
	jw_end(&w);
	jw_done(&w);
	arena_clear(&arena);
}

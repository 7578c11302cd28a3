#include "perm/decide/offer.h"

#include "perm/decide/suggest.h"

/* "Bash(npm test:*)" is the tool Bash and the content "npm test:*". */
static struct permission_rule offer_split_rule(struct sv text)
{
	size_t open = sv_find_char(text, '(');

	return (struct permission_rule){
		.tool = sv_slice(text, 0, open),
		.content = open == SIZE_MAX ? SV_EMPTY : sv_slice(text, open + 1, text.len - 1),
	};
}

/* Whether acceptEdits mode would allow it, which helps with an edit of a project file. */
static bool offer_would_edit(const struct perm_policy *policy, const struct perm_request *request)
{
	struct perm_policy edits = *policy;

	edits.mode = PERM_ACCEPT_EDITS;
	return policy->mode == PERM_DEFAULT &&
	       perm_decide(&edits, request).behavior == BEHAVIOR_ALLOW;
}

/* All rules are one change, since a host accepts the whole offer or nothing. */
static void offer_rules(struct permission_change *out, struct arena *arena, const struct sv *texts,
			size_t n)
{
	struct permission_rule *rules = arena_calloc(arena, n, sizeof(*rules));

	for (size_t i = 0; i < n; i++)
		rules[i] = offer_split_rule(texts[i]);
	*out = (struct permission_change){ .kind = PERMISSION_ADD_RULES,
					   .destination = PERMISSION_TO_LOCAL,
					   .behavior = BEHAVIOR_ALLOW,
					   .rules = rules,
					   .nrules = n };
}

bool perm_offer(struct permission_change *out, struct arena *arena,
		const struct perm_policy *policy, const struct perm_request *request)
{
	struct sv texts[SUGGEST_MAX];
	bool edits = offer_would_edit(policy, request);
	size_t n = edits && request->access == ACCESS_WRITE
			   ? 0
			   : perm_suggest(policy, request, arena, texts);

	if (n)
		offer_rules(out, arena, texts, n);
	else if (edits)
		*out = (struct permission_change){ .kind = PERMISSION_SET_MODE,
						   .destination = PERMISSION_TO_SESSION,
						   .mode = sv_cstr(
							   perm_mode_name(PERM_ACCEPT_EDITS)) };
	return n || edits;
}

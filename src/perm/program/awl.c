/* awl itself: a session must not allow itself what its user did not. */
#include "perm/program/special.h"

void awl_reads(struct invocation *inv)
{
	inv->use->is_awl |= inv->has_unlisted || inv->unclear;
}

void awl_changes(struct invocation *inv)
{
	inv->use->is_awl = true;
	inv_escalates(inv, inv->first - 1, inv->argv[inv->first - 1].text,
		      "changes what awl allows");
}

/* Without an action it lists; an unknown action may change anything. */
void awl_config(struct invocation *inv)
{
	awl_reads(inv);
	if (inv->operands.n > 0)
		awl_changes(inv);
}

void awl_trust(struct invocation *inv)
{
	awl_reads(inv);
	if (!inv_option(inv, AWL_SHOWS) && !inv_option(inv, AWL_INFORMS))
		awl_changes(inv);
}

/* The prompt is an operand, or standard input. */
void awl_session(struct invocation *inv)
{
	awl_reads(inv);
	if (inv->operands.n > 0 || !inv_option(inv, AWL_INFORMS))
		inv_escalates(inv, min_of(inv->first, inv->n - 1), inv->argv[0].text,
			      "starts a session");
}

/* skill_listing.h - the list of skills that the model can use, within a budget.
 *
 *   - review: Review a change for bugs - when the user asks for a review
 *
 * If all descriptions together are too long, they share the budget equally; where that is too little
 * to say anything, only names are listed. Pure. */
#ifndef AWL_EXTEND_SKILL_LISTING_H
#define AWL_EXTEND_SKILL_LISTING_H

#include "base/str.h"

struct skill_entry {
	struct sv name;
	struct sv description;
	struct sv when_to_use; /* may be empty */
	bool is_name_only;     /* the user wants it listed without a description */
};

struct skill_budget {
	size_t bytes;       /* of the whole list */
	size_t description; /* bytes of one description, with when to use it */
};

/* Appends a line for each. */
void skill_listing_write(struct str *out, const struct skill_entry *skills, size_t n,
			 struct skill_budget budget);

#endif

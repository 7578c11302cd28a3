/* choice_rule.h - private to src/model: matches one entry of a list of models against a model.
 * choice.h describes the entries. */
#ifndef AWL_MODEL_CATALOGUE_CHOICE_RULE_H
#define AWL_MODEL_CATALOGUE_CHOICE_RULE_H

#include "model/catalogue/models.h"
#include "model/catalogue/spelling.h"

enum choice_rule_kind {
	CHOICE_NONE, /* names no model, or one that changes ("best") */
	CHOICE_FAMILY,
	CHOICE_VERSION,
	CHOICE_NAME,
};

struct choice_rule {
	enum choice_rule_kind kind;
	struct model_spelling spelling;
	struct sv family; /* for CHOICE_FAMILY and CHOICE_VERSION */
	struct model_version version;
};

void choice_rule_init(struct choice_rule *rule, struct sv text);
void choice_rule_clear(struct choice_rule *rule);

/* As an entry of deniedModels. */
bool choice_rule_denies(const struct choice_rule *rule, const struct model_table *table,
			const struct model_spelling *id);
/* As an entry of availableModels: whether it names this version or model. A family rule returns
 * false, because other entries may narrow it. */
bool choice_rule_allows(const struct choice_rule *rule, const struct model_spelling *id,
			bool exact);
bool choice_rule_is_of_family(const struct choice_rule *rule, const struct model_spelling *id);

#endif

/* cloud_id.h - the ids by which clouds know the models of the table.
 *
 *   claude-sonnet-4-5    Bedrock  eu.anthropic.claude-sonnet-4-5-20250929-v1:0
 *                        Vertex   claude-sonnet-4-5@20250929
 *   claude-opus-5-5      Bedrock  eu.anthropic.claude-opus-5-5
 *                        Vertex   claude-opus-5-5
 *
 * Bedrock serves Claude through inference profiles, each for a group of regions: "us", "us-gov",
 * "eu", "apac", else "global". Where the account's own list of profiles is known
 * (model_table_learn()), the first profile of the model is used instead. */
#ifndef AWL_MODEL_CATALOGUE_CLOUD_ID_H
#define AWL_MODEL_CATALOGUE_CLOUD_ID_H

#include "base/arena.h"
#include "model/catalogue/models.h"
#include "model/config.h"

/* Returns the id of this cloud, in `arena`. Ids that are not Anthropic's own id of a model in the
 * table are returned unchanged: users may give the id of a cloud, an ARN or a name that a gateway
 * knows. `region` is used for Bedrock only. */
struct sv model_cloud_id(struct arena *arena, enum model_provider provider, struct sv region,
			 const struct model_table *table, struct sv id);

#endif

/* vertex.h - private to src/model: which region of Google Vertex serves a model.
 * Each may have its own, in VERTEX_REGION_CLAUDE_4_5_SONNET or, as newer names are
 * made, VERTEX_REGION_CLAUDE_SONNET_4_5. Pure. */
#ifndef AWL_MODEL_WIRE_VERTEX_H
#define AWL_MODEL_WIRE_VERTEX_H

#include "model/config.h"

/* Collects those variables into config->vertex_regions, in its arena. */
void vertex_regions_read(struct model_config *config, model_env_fn *env, void *arg);

/* The region of this model: its own, else that of the config, else us-east5.
 * Borrows from the config. */
struct sv vertex_region(const struct model_config *config, struct sv model);

#endif

/* strict_schema.h - private to src/model: whether OpenAI can enforce the schema of a tool ("strict":
 * true). It supports only a part of JSON Schema for that, and rejects a request that uses more. */
#ifndef AWL_MODEL_WIRE_STRICT_SCHEMA_H
#define AWL_MODEL_WIRE_STRICT_SCHEMA_H

#include "text/json/json.h"

bool strict_schema_fits(struct json schema);

#endif

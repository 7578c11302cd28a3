/* schema.h - checks a tool's input against its JSON Schema, and reports errors in words
 * that the model which sent it can act on.
 *
 * It supports draft 2020-12 without the parts that need a network or the results of
 * other keywords: no remote references, no $anchor, no $dynamicRef, no unevaluated*. It
 * also accepts older spellings that are still in use: "definitions", "items" as a list,
 * "exclusiveMinimum": true. "format" and unknown keywords have no effect. Patterns use
 * Perl syntax, read as JavaScript's where the notations differ. */
#ifndef AWL_TEXT_SCHEMA_SCHEMA_H
#define AWL_TEXT_SCHEMA_SCHEMA_H

#include "text/json/json.h"

struct schema;

/* Returns an owned schema, or NULL. It borrows from the document of `source`, which has
 * to outlive it. Fails with ERR_INVALID for a known keyword with an invalid value and
 * for a reference that leads nowhere, ERR_UNSUPPORTED for a reference to another
 * document; the text has the place as a JSON pointer. */
struct schema *schema_compile(struct json source, struct err *err) must_use;
void schema_free(struct schema *schema);
void schema_freep(struct schema **schema);

/* Whether `value` is valid. If not, appends one line per error to `report`, at most
 * LIMIT_SCHEMA_ERRORS and "and 3 more", without a final newline:
 *
 *   `timeout` must be an integer from 0 to 600000, got the string "soon"
 *   `edits[2].old_string` and `edits[2].new_string` are missing
 *   `filepath` is unknown; did you mean `file_path`?
 *
 * Work is bounded: a value that would take more than LIMIT_SCHEMA_STEPS, or is nested
 * more than LIMIT_SCHEMA_DEPTH deep, is invalid, and the report says so. */
must_use bool schema_check(const struct schema *schema, struct json value, struct str *report);

#endif

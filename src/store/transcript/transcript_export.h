/* transcript_export.h - a conversation for people, as Markdown or HTML, and for programs, as JSON. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_EXPORT_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_EXPORT_H

#include "base/err.h"
#include "base/str.h"

/* Appends the conversation that ends with the record `last` (empty: the last of the file): prompts,
 * replies, calls and their results, these shortened. Omits thinking, sub-agents and what only the
 * model should see. Reads the whole file, so it belongs in a worker. Fails when the file cannot be
 * read or has more than LIMIT_MIRROR_FILE bytes. */
typedef bool transcript_export_fn(struct str *out, const char *path, struct sv last,
				  struct err *err);
must_use bool transcript_export(struct str *out, const char *path, struct sv last,
				struct err *err); /* Markdown */
/* A page that needs no other file and runs nothing. */
must_use bool transcript_export_html(struct str *out, const char *path, struct sv last,
				     struct err *err);
/* {"session_id","title","messages":[{"type","uuid","timestamp","message"}]}, with everything in the
 * messages. */
must_use bool transcript_export_json(struct str *out, const char *path, struct sv last,
				     struct err *err);

#endif

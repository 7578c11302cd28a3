/* transcript_export_int.h - private to transcript_export*.c: a conversation in some format. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_EXPORT_INT_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_EXPORT_INT_H

#include "base/arena.h"
#include "base/map.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "proto/message.h"
#include "store/transcript/transcript_export.h"
#include "store/transcript/transcript_list.h"
#include "text/json/json.h"

enum { EXPORT_RESULT_BYTES = 4000 }; /* of a result that are shown */

enum export_speaker { EXPORT_NOBODY, EXPORT_USER, EXPORT_ASSISTANT };

struct export;
struct export_record;

/* How a format writes its parts, in this order. */
struct export_format {
	void (*begin)(struct export *e);
	/* A message. export_blocks() calls the next four for what is in it. */
	void (*record)(struct export *e, struct json record);
	void (*speaker)(struct export *e, enum export_speaker speaker); /* before each part */
	void (*text)(struct export *e, struct sv text);
	void (*call)(struct export *e, struct sv tool, struct sv input);
	void (*result)(struct export *e, struct sv text, bool is_error);
	void (*end)(struct export *e);
};

struct export
{
	const struct export_format *format;
	struct str *out;
	struct str text; /* of the file */
	struct sv id;    /* of the session */
	struct str title;
	struct map by_uuid;
	VEC(struct export_record *) records; /* as in the file */
	struct arena arena;
	enum export_speaker speaker; /* the last one */
	size_t written;              /* messages */
};

/* Writes the conversation that ends with the record `last`; see transcript_export(). */
must_use bool export_run(struct str *out, const struct export_format *format, const char *path,
			 struct sv last, struct err *err);
/* The same for people: escapes characters that no screen shows, and those that a terminal obeys. */
must_use bool export_run_visible(struct str *out, const struct export_format *format,
				 const char *path, struct sv last, struct err *err);
void export_blocks(struct export *e, struct json record);
struct sv export_member(struct json record, const char *key);

#endif

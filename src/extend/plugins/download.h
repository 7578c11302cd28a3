/* download.h - a file over HTTP, into memory. */
#ifndef AWL_EXTEND_PLUGINS_DOWNLOAD_H
#define AWL_EXTEND_PLUGINS_DOWNLOAD_H

#include "base/str.h"
#include "sys/op.h"

struct http;

/* Appends the body to `out`, which is borrowed until done; at most LIMIT_PLUGIN_DOWNLOAD bytes. Any status but 200 is a
 * failure (ERR_NOT_FOUND). */
struct op *download_start(struct loop *loop, struct http *http, const char *url,
			  int64_t deadline_ms, struct str *out, struct then then);

#endif

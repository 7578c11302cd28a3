#include "extend/plugins/download.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/mem.h"
#include "net/http.h"

struct download {
	struct op op;
	struct op *request;
	struct str *out;
	int status;
};

static void download_cancel(struct op *op)
{
	op_cancel(container_of(op, struct download, op)->request);
}

static void download_free(struct op *op)
{
	free(container_of(op, struct download, op));
}

static const struct op_type download_type = {
	.name = "download",
	.cancel = download_cancel,
	.free = download_free,
};

static void download_on_head(void *owner, const struct http_head *head)
{
	struct download *d = owner;

	d->status = head->status;
}

static void download_on_body(void *owner, struct sv bytes)
{
	struct download *d = owner;

	str_add(d->out, bytes); /* capped by max_body */
}

static void download_on_done(__attribute__((unused)) struct op *op, void *owner,
			     const struct err *why)
{
	struct download *d = owner;
	struct err err = why ? *why : (struct err)ERR_INIT;

	d->request = NULL;
	if (!why && d->status != 200)
		err_set(&err, ERR_NOT_FOUND, "the server answers with status %d", d->status);
	op_finish(&d->op, err.kind ? &err : NULL);
}

struct op *download_start(struct loop *loop, struct http *http, const char *url,
			  int64_t deadline_ms, struct str *out, struct then then)
{
	enum { MOST_REDIRECTS = 5 };
	struct download *d = xnew(struct download);

	op_init(&d->op, &download_type, loop, then);
	d->out = out;
	d->request = http_start(http,
				&(struct http_request){ .url = url,
							.total_ms = deadline_ms,
							.max_body = LIMIT_PLUGIN_DOWNLOAD,
							.max_redirects = MOST_REDIRECTS,
							.on_head = download_on_head,
							.on_body = download_on_body },
				THEN(download_on_done, d));
	return &d->op;
}

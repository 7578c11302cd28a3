#include "tool/result_cap.h"

#include <ctype.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "sys/fs.h"

/* A file name from a call id such as "toolu_01Ab". It never leads to another directory and never
 * names an existing file, because some servers use an id twice. */
static void result_cap_file_of(struct str *path, const struct tool_call *call)
{
	defer(str_clear) struct str name = STR_INIT;
	size_t stem;

	for (size_t i = 0; i < call->id.len && name.len < 100; i++) {
		unsigned char c = (unsigned char)call->id.ptr[i];

		str_addc(&name, isalnum(c) || c == '_' || c == '-' ? (char)c : '_');
	}
	fs_join(path, sv_cstr(call->ctx->session->results_dir), sv_of(&name));
	stem = path->len;
	str_adds(path, ".txt");
	for (int n = 2; fs_exists(path->ptr); n++) {
		str_truncate(path, stem);
		str_addf(path, "-%d.txt", n);
	}
}

static bool result_cap_keep(struct str *path, const struct tool_call *call, struct err *err)
{
	if (!call->ctx->session->results_dir)
		return err_set(err, ERR_UNSUPPORTED, "this session saves nothing to disk");
	result_cap_file_of(path, call);
	return fs_mkdirs(call->ctx->session->results_dir, 0700, err) &&
	       fs_write(path->ptr, sv_of(&call->result.text), (struct fs_write){ .mode = 0600 },
			err);
}

void result_replace(struct tool_call *call, size_t max)
{
	defer(str_clear) struct str path = STR_INIT;
	struct str *text = &call->result.text;
	struct err err = ERR_INIT;
	size_t whole = text->len;
	bool kept = result_cap_keep(&path, call, &err);

	if (!kept && whole <= max)
		return;
	if (kept)
		max = min_of(max, LIMIT_RESULT_PREVIEW);
	str_truncate(text, utf8_prefix(sv_of(text), max).len);
	if (kept)
		str_addf(text,
			 "\n[The result has %zu bytes; these are the first. All of it is in %s]",
			 whole, path.ptr);
	else
		str_addf(text, "\n[The result had %zu bytes; the rest is cut off (%s)]", whole,
			 err.text);
	call->result.is_replaced = true;
}

void result_cap(struct tool_call *call)
{
	size_t max = call->tool->max_result;

	if (max && call->result.text.len > max)
		result_replace(call, max);
}

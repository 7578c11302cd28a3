#include "tool/edit/edit_guard.h"

#include "store/last_edit.h"

static struct sv edit_guard_text(const char *text)
{
	return text ? sv_cstr(text) : SV_EMPTY;
}

static struct last_edit_author edit_guard_self(const struct tool_context *ctx)
{
	return (struct last_edit_author){ .session = edit_guard_text(ctx->session->id),
					  .root = edit_guard_text(ctx->session->root),
					  .agent = edit_guard_text(ctx->agent) };
}

struct fs_lock *edit_guard_take(const struct tool_context *ctx)
{
	return ctx->session->edits_dir ? last_edit_lock(ctx->session->edits_dir) : NULL;
}

void edit_guard_note(const struct tool_context *ctx, struct sv real, struct sv bytes)
{
	struct last_edit_author self = edit_guard_self(ctx);

	if (ctx->session->edits_dir)
		last_edit_put(ctx->session->edits_dir, real, bytes, &self);
}

void edit_guard_blame(struct str *out, const struct tool_context *ctx, struct sv real,
		      struct sv bytes)
{
	struct last_edit_author self = edit_guard_self(ctx);

	if (!ctx->session->edits_dir ||
	    !last_edit_find(out, ctx->session->edits_dir, real, bytes, &self))
		str_adds(out, "the user or another program");
}

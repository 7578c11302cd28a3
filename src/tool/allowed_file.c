#include "tool/allowed_file.h"

struct sv allowed_path(const struct tool_call *call, size_t i)
{
	const struct perm_request *perm_request = call->decided;

	if (!perm_request || i > perm_request->n_more)
		return SV_EMPTY;
	return i ? perm_request->more_paths[i - 1] : perm_request->path;
}

void allowed_file_init(struct allowed_file *file, const struct tool_context *ctx, struct sv path,
		       struct sv decided)
{
	struct arena arena = ARENA_INIT;

	*file = (struct allowed_file){ .path = STR_INIT, .real = STR_INIT };
	str_add(&file->path, tool_path(ctx, path, &arena));
	str_add(&file->real, decided.len ? decided : tool_real_path(ctx, path, &arena));
	arena_clear(&arena);
}

void allowed_file_clear(struct allowed_file *file)
{
	str_clear(&file->path);
	str_clear(&file->real);
	fs_unpinp(&file->pin);
}

/* Whether the path still resolves to the allowed one. Fails the call otherwise. */
static bool allowed_file_is_unchanged(const struct allowed_file *file,
				      const struct tool_context *ctx, struct tool_result *result)
{
	struct arena arena = ARENA_INIT;
	struct sv now = tool_real_path(ctx, sv_of(&file->path), &arena);
	bool same = sv_eq(now, sv_of(&file->real));

	if (!same)
		tool_fail(result,
			  "%s now resolves to %s, but permission was given for %s: the path "
			  "changed in the meantime. Nothing was done.",
			  str_c(&file->path), now.ptr, str_c(&file->real));
	arena_clear(&arena);
	return same;
}

bool allowed_file_open(struct allowed_file *file, const struct tool_context *ctx,
		       struct tool_result *result)
{
	struct err err;

	if (!allowed_file_is_unchanged(file, ctx, result))
		return false;
	file->pin = fs_pin(str_c(&file->real), &err);
	if (file->pin)
		return true;
	if (err.kind != ERR_STALE)
		return tool_fail(result, "%s", err.text);
	/* A link that could not be resolved is in the real path itself. */
	return allowed_file_is_unchanged(file, ctx, result) &&
	       tool_fail(result, "%s: its symbolic links form a loop, or there are too many.",
			 str_c(&file->path));
}

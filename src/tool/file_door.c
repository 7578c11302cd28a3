#include "tool/file_door.h"

struct sv file_decided(const struct tool_call *call, size_t i)
{
	const struct perm_request *perm_request = call->decided;

	if (!perm_request || i > perm_request->n_more)
		return SV_EMPTY;
	return i ? perm_request->more_paths[i - 1] : perm_request->path;
}

void file_door_init(struct file_door *door, const struct tool_context *ctx, struct sv path,
		    struct sv decided)
{
	struct arena arena = ARENA_INIT;

	*door = (struct file_door){ .path = STR_INIT, .real = STR_INIT };
	str_add(&door->path, tool_path(ctx, path, &arena));
	str_add(&door->real, decided.len ? decided : tool_real_path(ctx, path, &arena));
	arena_clear(&arena);
}

void file_door_clear(struct file_door *door)
{
	str_clear(&door->path);
	str_clear(&door->real);
	fs_let_gop(&door->hold);
}

/* Whether the path still leads to where it did; says so where not. */
static bool file_door_leads_there(const struct file_door *door, const struct tool_context *ctx,
				  struct tool_result *result)
{
	struct arena arena = ARENA_INIT;
	struct sv now = tool_real_path(ctx, sv_of(&door->path), &arena);
	bool same = sv_eq(now, sv_of(&door->real));

	if (!same)
		tool_fail(result,
			  "%s now resolves to %s, but permission was given for %s: the path "
			  "changed in the meantime. Nothing was done.",
			  str_c(&door->path), now.ptr, str_c(&door->real));
	arena_clear(&arena);
	return same;
}

bool file_door_open(struct file_door *door, const struct tool_context *ctx,
		    struct tool_result *result)
{
	struct err err;

	if (!file_door_leads_there(door, ctx, result))
		return false;
	door->hold = fs_hold(str_c(&door->real), &err);
	if (door->hold)
		return true;
	if (err.kind != ERR_STALE)
		return tool_fail(result, "%s", err.text);
	/* A link that could not be resolved is in the real path itself. */
	return file_door_leads_there(door, ctx, result) &&
	       tool_fail(result, "%s: its symbolic links form a loop, or there are too many.",
			 str_c(&door->path));
}

#include "proto/worktree.h"

#include "text/json/json_write.h"

static void worktree_put_session(struct jw *w, const struct worktree_state *state)
{
	jw_object(w);
	jw_put_str(w, "originalCwd", state->original);
	jw_put_str(w, "worktreePath", state->path);
	jw_put_str(w, "worktreeName", state->name);
	jw_put_str(w, "worktreeBranch", state->branch);
	jw_put_str(w, "originalHeadCommit", state->base);
	jw_put_str(w, "repository", state->repository);
	jw_put_bool(w, "hookBased", !state->repository.len);
	jw_put_bool(w, "isMade", state->is_made);
	jw_put_bool(w, "hasBranch", state->has_branch);
	jw_end(w);
}

void worktree_state_write(struct str *out, const struct worktree_state *state, struct sv session_id)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("worktree-state"));
	jw_key(&w, SV("worktreeSession"));
	if (state->path.len)
		worktree_put_session(&w, state);
	else
		jw_null(&w);
	jw_put_str(&w, "sessionId", session_id);
	jw_end(&w);
	jw_done(&w);
}

struct worktree_state worktree_state_read(struct json record)
{
	struct json state = json_get(record, "worktreeSession");
	struct worktree_state out = {
		.path = json_str_or(json_get(state, "worktreePath"), SV_EMPTY),
		.name = json_str_or(json_get(state, "worktreeName"), SV_EMPTY),
		.branch = json_str_or(json_get(state, "worktreeBranch"), SV_EMPTY),
		.base = json_str_or(json_get(state, "originalHeadCommit"), SV_EMPTY),
		.repository = json_str_or(json_get(state, "repository"), SV_EMPTY),
		.original = json_str_or(json_get(state, "originalCwd"), SV_EMPTY),
		.is_made = json_bool_or(json_get(state, "isMade"), false),
		.has_branch = json_bool_or(json_get(state, "hasBranch"), false),
	};

	return out;
}

void worktree_entered_write(struct str *out, const struct worktree_state *state, struct sv message)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "worktreePath", state->path);
	if (state->branch.len)
		jw_put_str(&w, "worktreeBranch", state->branch);
	jw_put_str(&w, "message", message);
	jw_end(&w);
	jw_done(&w);
}

void worktree_left_write(struct str *out, const struct worktree_left *left, struct sv message)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "action", left->removes ? SV("remove") : SV("keep"));
	jw_put_str(&w, "originalCwd", left->state.original);
	jw_put_str(&w, "worktreePath", left->state.path);
	if (left->state.branch.len)
		jw_put_str(&w, "worktreeBranch", left->state.branch);
	if (left->removes) {
		jw_put_int(&w, "discardedFiles", left->files);
		jw_put_int(&w, "discardedCommits", left->commits);
	}
	jw_put_str(&w, "message", message);
	jw_end(&w);
	jw_done(&w);
}

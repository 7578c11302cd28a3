/* status_line.h - what the command of the status line is told about a session, as JSON. */
#ifndef AWL_PROTO_STATUS_LINE_H
#define AWL_PROTO_STATUS_LINE_H

#include "proto/rate_limit.h"
#include "proto/usage.h"

/* Everything is borrowed. An empty text that is marked so is left out. */
struct status_line_facts {
	struct sv session_id, transcript_path, cwd, version, permission_mode;
	struct sv session_name, prompt_id; /* may be empty */
	struct sv project_dir;
	struct sv git_worktree;                     /* may be empty */
	struct sv repo_host, repo_owner, repo_name; /* may all be empty */
	const struct sv *added_dirs;
	size_t nadded_dirs;
	struct sv model, model_name;
	struct sv output_style;
	struct sv effort; /* may be empty */
	bool is_thinking, is_fast;
	double cost_usd;
	int64_t duration_ms, api_ms;
	int64_t lines_added, lines_removed;
	struct usage_work work, last_turn;
	int64_t window;                                 /* tokens of the model's context */
	struct usage_counts all;                        /* of all requests */
	bool has_last;                                  /* `last` is known */
	struct usage_counts last;                       /* of the last request */
	const struct rate_limit *five_hour, *seven_day; /* without a type: not known */
	struct sv vim_mode;                             /* may be empty */
	struct sv agent;                                /* that leads the session; may be empty */
};

/* Appends the object and a line end. */
void status_line_write(struct str *out, const struct status_line_facts *facts);

#endif

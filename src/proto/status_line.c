#include "proto/status_line.h"

#include "text/json/json_write.h"

enum { MUCH_CONTEXT = 200000 };

static void status_line_put_if(struct jw *w, const char *key, struct sv text)
{
	if (text.len)
		jw_put_str(w, key, text);
}

/* An object with one member; nothing if that is empty. */
static void status_line_put_in(struct jw *w, const char *key, const char *member, struct sv text)
{
	if (!text.len)
		return;
	jw_put_object(w, key);
	jw_put_str(w, member, text);
	jw_end(w);
}

static void status_line_put_places(struct jw *w, const struct status_line_facts *facts)
{
	jw_put_object(w, "workspace");
	jw_put_str(w, "current_dir", facts->cwd);
	jw_put_str(w, "project_dir", facts->project_dir);
	jw_put_array(w, "added_dirs");
	for (size_t i = 0; i < facts->nadded_dirs; i++)
		jw_str(w, facts->added_dirs[i]);
	jw_end(w);
	status_line_put_if(w, "git_worktree", facts->git_worktree);
	if (facts->repo_name.len) {
		jw_put_object(w, "repo");
		jw_put_str(w, "host", facts->repo_host);
		jw_put_str(w, "owner", facts->repo_owner);
		jw_put_str(w, "name", facts->repo_name);
		jw_end(w);
	}
	jw_end(w);
}

static void status_line_put_model(struct jw *w, const struct status_line_facts *facts)
{
	jw_put_object(w, "model");
	jw_put_str(w, "id", facts->model);
	jw_put_str(w, "display_name", facts->model_name.len ? facts->model_name : facts->model);
	jw_end(w);
	status_line_put_in(w, "effort", "level", facts->effort);
	jw_put_object(w, "thinking");
	jw_put_bool(w, "enabled", facts->is_thinking);
	jw_end(w);
	jw_put_bool(w, "fast_mode", facts->is_fast);
}

static void status_line_put_cost(struct jw *w, const struct status_line_facts *facts)
{
	jw_put_object(w, "cost");
	jw_put_real(w, "total_cost_usd", facts->cost_usd);
	jw_put_int(w, "total_duration_ms", facts->duration_ms);
	jw_put_int(w, "total_api_duration_ms", facts->api_ms);
	jw_put_int(w, "total_lines_added", facts->lines_added);
	jw_put_int(w, "total_lines_removed", facts->lines_removed);
	jw_put_object(w, "awl_work");
	usage_work_write(w, &facts->work);
	jw_end(w);
	jw_put_object(w, "awl_last_turn");
	usage_work_write(w, &facts->last_turn);
	jw_end(w);
	jw_end(w);
}

static int64_t status_line_written(const struct usage_counts *usage)
{
	return usage->cache_write_5m + usage->cache_write_1h;
}

static int64_t status_line_prompt(const struct usage_counts *usage)
{
	return usage->input + usage->cache_read + status_line_written(usage);
}

static void status_line_put_last(struct jw *w, const struct usage_counts *usage, int64_t window)
{
	int64_t prompt = status_line_prompt(usage);
	int64_t percent = window > 0 ? min_of(prompt * 100 / window, (int64_t)100) : 0;

	jw_put_int(w, "used_percentage", percent);
	jw_put_int(w, "remaining_percentage", 100 - percent);
	jw_put_object(w, "current_usage");
	jw_put_int(w, "input_tokens", usage->input);
	jw_put_int(w, "output_tokens", usage->output);
	jw_put_int(w, "cache_creation_input_tokens", status_line_written(usage));
	jw_put_int(w, "cache_read_input_tokens", usage->cache_read);
	jw_end(w);
}

/* Before the first response nobody knows how full the window is. */
static void status_line_put_context(struct jw *w, const struct status_line_facts *facts)
{
	int64_t tokens = status_line_prompt(&facts->last) + facts->last.output;

	jw_put_object(w, "context_window");
	jw_put_int(w, "total_input_tokens", facts->all.input);
	jw_put_int(w, "total_output_tokens", facts->all.output);
	jw_put_int(w, "context_window_size", facts->window);
	if (facts->has_last) {
		status_line_put_last(w, &facts->last, facts->window);
	} else {
		jw_put_null(w, "used_percentage");
		jw_put_null(w, "remaining_percentage");
		jw_put_null(w, "current_usage");
	}
	jw_end(w);
	jw_put_bool(w, "exceeds_200k_tokens", facts->has_last && tokens > MUCH_CONTEXT);
}

static void status_line_put_limit(struct jw *w, const char *key, const struct rate_limit *limit)
{
	if (!limit->type || limit->utilization < 0)
		return;
	jw_put_object(w, key);
	jw_put_real(w, "used_percentage", limit->utilization * 100);
	if (limit->resets_at)
		jw_put_int(w, "resets_at", limit->resets_at);
	jw_end(w);
}

/* Only subscriptions have such limits, and the service says them with a response. */
static void status_line_put_limits(struct jw *w, const struct status_line_facts *facts)
{
	if (!facts->five_hour->type && !facts->seven_day->type)
		return;
	jw_put_object(w, "rate_limits");
	status_line_put_limit(w, "five_hour", facts->five_hour);
	status_line_put_limit(w, "seven_day", facts->seven_day);
	jw_end(w);
}

void status_line_write(struct str *out, const struct status_line_facts *facts)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "hook_event_name", SV("Status"));
	jw_put_str(&w, "session_id", facts->session_id);
	status_line_put_if(&w, "session_name", facts->session_name);
	status_line_put_if(&w, "prompt_id", facts->prompt_id);
	jw_put_str(&w, "transcript_path", facts->transcript_path);
	jw_put_str(&w, "cwd", facts->cwd);
	jw_put_str(&w, "version", facts->version);
	jw_put_str(&w, "permission_mode", facts->permission_mode);
	status_line_put_model(&w, facts);
	status_line_put_places(&w, facts);
	status_line_put_in(&w, "output_style", "name", facts->output_style);
	status_line_put_cost(&w, facts);
	status_line_put_context(&w, facts);
	status_line_put_limits(&w, facts);
	status_line_put_in(&w, "vim", "mode", facts->vim_mode);
	status_line_put_in(&w, "agent", "name", facts->agent);
	jw_end(&w);
	jw_done(&w);
	str_addc(out, '\n');
}

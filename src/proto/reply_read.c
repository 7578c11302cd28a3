#include "proto/reply_read.h"

size_t reply_read_commands(struct json value, struct reply_command *out, size_t max)
{
	struct json_iter it = json_each(json_get(value, "commands"));
	struct json item;
	size_t n = 0;

	while (n < max && json_next(&it, NULL, &item)) {
		struct sv name = json_str_or(json_get(item, "name"), SV_EMPTY);

		if (name.len)
			out[n++] = (struct reply_command){
				.name = name,
				.description = json_str_or(json_get(item, "description"), SV_EMPTY),
				.argument_hint =
					json_str_or(json_get(item, "argumentHint"), SV_EMPTY),
			};
	}
	return n;
}

size_t reply_read_models(struct json value, struct reply_model *out, size_t max)
{
	struct json_iter it = json_each(json_get(value, "models"));
	struct json item;
	size_t n = 0;

	while (n < max && json_next(&it, NULL, &item)) {
		struct sv name = json_str_or(json_get(item, "value"), SV_EMPTY);

		if (name.len)
			out[n++] = (struct reply_model){
				.value = name,
				.name = json_str_or(json_get(item, "displayName"), SV_EMPTY),
				.description = json_str_or(json_get(item, "description"), SV_EMPTY),
			};
	}
	return n;
}

size_t reply_read_suggestions(struct json value, struct sv *out, size_t max)
{
	struct json_iter it = json_each(json_get(value, "suggestions"));
	struct json item;
	size_t n = 0;

	while (n < max && json_next(&it, NULL, &item))
		if (json_str(json_get(item, "path"), &out[n]))
			n++;
	return n;
}

size_t reply_read_mcp_servers(struct json value, struct reply_mcp_server *out, size_t max)
{
	struct json_iter it = json_each(json_get(value, "mcpServers"));
	struct json item;
	size_t n = 0;

	while (n < max && json_next(&it, NULL, &item)) {
		struct json tools = json_get(item, "tools");

		out[n] = (struct reply_mcp_server){
			.status = json_str_or(json_get(item, "status"), SV_EMPTY),
			.scope = json_str_or(json_get(item, "scope"), SV_EMPTY),
			.error = json_str_or(json_get(item, "error"), SV_EMPTY),
			.url = json_str_or(json_path(item, "config.url"), SV_EMPTY),
			.is_connected = json_exists(tools),
			.ntools = json_len(tools),
		};
		n += json_str(json_get(item, "name"), &out[n].name);
	}
	return n;
}

size_t reply_read_prompts(struct json value, struct reply_prompt *out, size_t max)
{
	struct json_iter it = json_each(json_get(value, "prompts"));
	struct json item;
	size_t n = 0;

	while (n < max && json_next(&it, NULL, &item)) {
		if (!json_str(json_get(item, "uuid"), &out[n].uuid))
			continue;
		out[n].title = json_str_or(json_get(item, "title"), SV_EMPTY);
		out[n].nfiles = json_int_or(json_get(item, "files_changed"), 0);
		n++;
	}
	return n;
}

struct reply_worktree reply_read_worktree(struct json value)
{
	return (struct reply_worktree){
		.path = json_str_or(json_get(value, "worktreePath"), SV_EMPTY),
		.branch = json_str_or(json_get(value, "worktreeBranch"), SV_EMPTY),
		.is_removed = json_bool_or(json_get(value, "removed"), false),
		.files = json_int_or(json_get(value, "changedFiles"), 0),
		.commits = json_int_or(json_get(value, "newCommits"), 0),
	};
}

struct sv reply_read_text(struct json value)
{
	return json_str_or(json_get(value, "text"), SV_EMPTY);
}

struct sv reply_read_answer(struct json value)
{
	return json_str_or(json_get(value, "response"), SV_EMPTY);
}

int64_t reply_read_percentage(struct json value)
{
	return json_int_or(json_get(value, "percentage"), 0);
}

struct reply_ran reply_read_ran(struct json value)
{
	return (struct reply_ran){ .output = json_str_or(json_get(value, "output"), SV_EMPTY),
				   .is_error = json_bool_or(json_get(value, "is_error"), false) };
}

/* Calls a tool of an MCP server. Its text is read as what a command would have printed. */
#include "base/mem.h"
#include "hook/job.h"
#include "text/json/json_write.h"

/* Append what "${tool_input.file_path}" and its like stand for; what does not exist is empty. */
static void mcp_tool_expand(struct str *out, struct sv text, struct json payload)
{
	size_t at, end;

	while ((at = sv_find(text, SV("${"))) != SIZE_MAX) {
		struct sv rest = sv_skip(text, at + 2);
		defer(mem_freep) char *path = NULL;
		struct json value;
		struct jw w;

		end = sv_find_char(rest, '}');
		if (end == SIZE_MAX)
			break;
		path = sv_dup(sv_slice(rest, 0, end));
		value = json_path(payload, path);
		str_add(out, sv_slice(text, 0, at));
		if (json_is(value, JSON_STRING)) {
			str_add(out, json_str_or(value, SV_EMPTY));
		} else if (json_exists(value)) {
			jw_init(&w, out, JW_COMPACT);
			jw_value(&w, value);
			jw_done(&w);
		}
		text = sv_skip(rest, end + 1);
	}
	str_add(out, text);
}

/* Write the input of the handler with its placeholders filled in. */
static void mcp_tool_put(struct jw *w, struct json value, struct json payload)
{
	struct json_iter it = json_each(value);
	defer(str_clear) struct str text = STR_INIT;
	struct json item;
	struct sv key;

	if (json_is(value, JSON_STRING)) {
		mcp_tool_expand(&text, json_str_or(value, SV_EMPTY), payload);
		jw_str(w, sv_of(&text));
	} else if (json_is(value, JSON_OBJECT) || json_is(value, JSON_ARRAY)) {
		(it.keyed ? jw_object : jw_array)(w);
		while (json_next(&it, &key, &item)) {
			if (it.keyed)
				jw_key(w, key);
			mcp_tool_put(w, item, payload);
		}
		jw_end(w);
	} else {
		jw_value(w, value);
	}
}

/* Without an input of its own, a tool gets everything that a hook is told. */
static void mcp_tool_write_input(const struct hook_job *job, struct str *out)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *payload =
		json_parse(sv_of(&job->payload->json), 0, &ignored);
	defer(json_doc_freep) struct json_doc *input = json_parse(job->handler->input, 0, &ignored);
	struct jw w;

	if (!json_is(json_root(input), JSON_OBJECT)) {
		str_add(out, sv_of(&job->payload->json));
		return;
	}
	jw_init(&w, out, JW_COMPACT);
	mcp_tool_put(&w, json_root(input), json_root(payload));
	jw_done(&w);
}

static struct op *mcp_tool_start(struct hook_job *job, struct then then)
{
	const struct hook_services *services = &hooks_opts(job->hooks)->services;
	defer(str_clear) struct str input = STR_INIT;

	if (!services->call_tool) {
		err_set(&job->failure, ERR_UNSUPPORTED, "no server is called outside of a session");
		return NULL;
	}
	mcp_tool_write_input(job, &input);
	return services->call_tool(services->arg, job->handler->server, job->handler->text,
				   sv_of(&input), &job->out, then);
}

const struct hook_kind hook_kind_mcp_tool = { .start = mcp_tool_start };

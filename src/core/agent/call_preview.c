/* How a call would change files, worked out for the question about it: the tool itself runs, but writes nothing. What a
 * command would write is kept (tool_change): if the user says yes, exactly that is written. Nothing is worked out that
 * the model may not read, since sed would have to read it before anybody has said yes. */
#include "core/agent/call_internal.h"
#include "perm/command/command_preview.h"
#include "text/json/json_write.h"

static bool call_preview_may_read(const struct call *call, struct sv path)
{
	struct perm_policy policy = agent_policy(call->agent);
	const struct perm_request read = { .tool = SV("Read"),
					   .access = ACCESS_READ,
					   .path = path };
	const struct perm_request write = { .tool = SV("Edit"),
					    .access = ACCESS_WRITE,
					    .path = path };

	return perm_decide(&policy, &read).behavior == BEHAVIOR_ALLOW &&
	       perm_decide(&policy, &write).behavior != BEHAVIOR_DENY;
}

static bool call_preview_is_harmless(struct call *call)
{
	struct command_preview found;

	if (!call->run.tool->command)
		return true;
	return call->run.analysis &&
	       command_preview_find(call->run.analysis, &call->arena, &found) &&
	       call_preview_may_read(call, found.path);
}

struct op *call_preview_start(struct call *call, struct then then)
{
	call_preview_clear(call);
	if (!call->run.tool->previews || !call_preview_is_harmless(call))
		return NULL;
	call->shown.preview = (struct tool_call){ .tool = call->run.tool,
						  .ctx = call->run.ctx,
						  .id = call->run.id,
						  .input = call->run.input,
						  .analysis = call->run.analysis,
						  .decided = &call->perm_request,
						  .is_preview = true,
						  .change = &call->shown.change };
	return call->run.tool->start(&call->shown.preview, then);
}

/* Append a file without the whole of its text. */
static void call_preview_put_file(struct jw *w, struct json file)
{
	static const char *const members[] = { "filePath", "type", "structuredPatch",
					       "awlWordDiff" };

	jw_object(w);
	for (size_t i = 0; i < countof(members); i++)
		if (json_exists(json_get(file, members[i])))
			jw_put_value(w, members[i], json_get(file, members[i]));
	jw_end(w);
}

void call_preview_take(struct call *call)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct json files, file;
	struct json_iter it;
	struct jw w;

	if (call->shown.preview.result.is_error || !call->shown.preview.result.data.len)
		return;
	doc = json_parse(sv_of(&call->shown.preview.result.data), 0, &ignored);
	files = json_get(json_root(doc), "files");
	it = json_each(files);
	jw_init(&w, &call->shown.changes, JW_COMPACT);
	jw_array(&w);
	if (!json_exists(files))
		call_preview_put_file(&w, json_root(doc));
	while (json_next(&it, NULL, &file))
		call_preview_put_file(&w, file);
	jw_end(&w);
	jw_done(&w);
}

void call_preview_clear(struct call *call)
{
	tool_result_clear(&call->shown.preview.result);
	tool_change_clear(&call->shown.change);
	str_clear(&call->shown.changes);
}

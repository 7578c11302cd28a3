/* Control requests about files: what a host shows beside the conversation. They are held to the
 * rules for reading, as the model is. */
#include "base/limits.h"
#include "base/utf8.h"
#include "core/control/control.h"
#include "core/control/file_suggestions.h"
#include "core/hooks/hooks.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_internal.h"
#include "core/subagents/agent_defs.h"
#include "store/settings/settings.h"
#include "sys/child.h"
#include "sys/fs.h"
#include "text/base64.h"
#include "text/json/json_write.h"
#include "tool/read/read_state.h"

/* Whether the model could read this file without a question. */
static bool control_files_may_read(const struct session *s, struct sv real, struct err *err)
{
	const struct perm_request request = { .tool = SV("Read"),
					      .access = ACCESS_READ,
					      .path = real };
	struct verdict verdict = perm_decide(&s->policy, &request);

	return verdict.behavior == BEHAVIOR_ALLOW ||
	       err_set(err, ERR_ACCESS, "%.*s may not be read: %s", SV_ARG(real), verdict.text);
}

/* Reads the beginning of a file; `*size` is its whole size. */
static bool control_files_read(struct str *out, const char *path, int64_t max, int64_t *size,
			       struct err *err)
{
	defer(fs_closep) struct fs_file *file = fs_open(path, size, err);
	size_t n = file ? (size_t)min_of(*size, max) : 0;
	defer(mem_freep) char *bytes = xcalloc(n + 1, 1);

	if (!file || (n && !fs_read_at(file, 0, bytes, n, err)))
		return false;
	str_add(out, sv_from(bytes, n));
	return true;
}

void control_read_file(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str bytes = STR_INIT, encoded = STR_INIT;
	struct sv real =
		tool_real_path(agent_tool_context(s->agent), request->read_file.path, &arena);
	int64_t wanted = request->read_file.max_bytes, size = 0;
	int64_t most = (int64_t)LIMIT_HOST_FILE, max = wanted > 0 ? min_of(wanted, most) : most;
	bool is_base64 = request->read_file.is_base64;
	struct err err = ERR_INIT;

	if (!control_files_may_read(s, real, &err) ||
	    !control_files_read(&bytes, real.ptr, max, &size, &err)) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return;
	}
	if (is_base64)
		base64_encode(&encoded, sv_of(&bytes), BASE64_STD);
	control_reply(
		s, request->id,
		(struct control_reply){ .kind = REPLY_FILE,
					.file = { .contents = sv_of(is_base64 ? &encoded : &bytes),
						  .path = real,
						  .is_cut = size > max,
						  .is_base64 = is_base64,
						  .is_lossy = !utf8_valid(sv_of(&bytes), NULL) } });
}

/* The host knows that the model has seen the file as it was at `mtime`. If it has changed since,
 * the model has not seen it. */
void control_seed_read_state(struct session *s, const struct control_request *request)
{
	struct tool_context *ctx = agent_tool_context(s->agent);
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str bytes = STR_INIT;
	struct sv real = tool_real_path(ctx, request->seed_read_state.path, &arena);
	struct fs_info info;
	struct err ignored = ERR_INIT;

	if (fs_info(&info, real.ptr, true, &ignored) &&
	    info.mtime_ns / 1000000 <= request->seed_read_state.mtime_ms &&
	    fs_read(&bytes, real.ptr, LIMIT_HOST_FILE, &ignored))
		read_state_put(ctx->files, real, file_seen_of(&info, sv_of(&bytes)));
	control_reply(s, request->id, (struct control_reply){ .kind = REPLY_DONE });
}

/* --- suggestions --------------------------------------------------------------------- */

struct control_suggestions {
	struct control_wait wait; /* must stay first */
	struct file_suggestions found;
	struct str printed; /* by the command of the user */
};

static void control_suggestions_free(struct control_wait *wait)
{
	struct control_suggestions *s = container_of(wait, struct control_suggestions, wait);

	file_suggestions_clear(&s->found);
	str_clear(&s->printed);
	free(s);
}

static void control_suggestions_reply(struct control_wait *wait)
{
	const struct file_suggestions *found =
		&container_of(wait, struct control_suggestions, wait)->found;

	control_reply(wait->session, sv_of(&wait->id),
		      (struct control_reply){ .kind = REPLY_SUGGESTIONS,
					      .suggestions = { .at = found->paths,
							       .n = found->n,
							       .cwd = sv_of(&found->root) } });
}

/* Files, agents, and resources of MCP servers. */
static void control_suggestions_reply_found(struct control_wait *wait)
{
	struct file_suggestions *found =
		&container_of(wait, struct control_suggestions, wait)->found;

	session_agents_suggest(wait->session, found);
	session_mcp_suggest(wait->session, found);
	control_suggestions_reply(wait);
}

/* --- suggestions of an MCP server --- */

static void control_suggestions_on_completed(struct op *op, void *owner, const struct err *why)
{
	struct control_suggestions *c = owner;
	struct json result = { NULL }, value;
	struct json_iter it;

	if (!why)
		result = mcp_server_call_result(op);
	it = json_each(json_path(result, "completion.values"));
	while (c->found.n < FILE_SUGGESTIONS && json_next(&it, NULL, &value))
		c->found.paths[c->found.n++] =
			arena_printf(&c->found.arena, "%s%.*s", str_c(&c->printed),
				     SV_ARG(json_str_or(value, SV_EMPTY)));
	control_wait_on_done(op, &c->wait, why);
}

static bool control_suggestions_complete(struct session *s, struct sv id, struct sv query)
{
	static const struct control_wait_type type = { control_suggestions_reply,
						       control_suggestions_free };
	struct control_suggestions *c = xnew(struct control_suggestions);
	struct op *op = session_mcp_complete_start(s, query, &c->printed,
						   THEN(control_suggestions_on_completed, c));

	if (!op) {
		free(c);
		return false;
	}
	control_wait_init(&c->wait, s, id, &type);
	c->wait.op = op;
	return true;
}

/* --- suggestions of a command of the user --- */

static void control_suggestions_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct control_suggestions *c = owner;

	if (from == CHILD_OUT)
		str_add(&c->printed, bytes);
}

/* Takes one path from each line. */
static void control_suggestions_reply_printed(struct control_wait *wait)
{
	struct control_suggestions *c = container_of(wait, struct control_suggestions, wait);
	struct sv rest = sv_of(&c->printed), line;

	while (c->found.n < FILE_SUGGESTIONS && sv_cut_line(&rest, &line))
		if (line.len)
			c->found.paths[c->found.n++] = line;
	control_suggestions_reply(wait);
}

/* The setting fileSuggestion replaces our own search. */
static void control_suggestions_run(struct session *s, struct sv id, struct sv query,
				    const char *command)
{
	static const struct control_wait_type type = { control_suggestions_reply_printed,
						       control_suggestions_free };
	enum { PATIENCE_MS = 5000 };
	const char *const argv[] = { "bash", "-c", command, NULL };
	struct control_suggestions *c = xnew(struct control_suggestions);
	defer(str_clear) struct str input = STR_INIT;
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "query", query);
	jw_end(&w);
	jw_done(&w);
	control_wait_init(&c->wait, s, id, &type);
	str_add(&c->found.root, agent_cwd(s->agent));
	c->wait.op = child_start(s->engine->loop,
				 &(struct child_opts){ .argv = argv,
						       .env = s->shared.env,
						       .cwd = str_c(&c->found.root),
						       .input = sv_of(&input),
						       .max_output = LIMIT_HOOK_ERRORS,
						       .deadline_ms = PATIENCE_MS,
						       .on_data = control_suggestions_on_data },
				 THEN(control_wait_on_done, &c->wait));
}

/* --- a path that is being typed --- */

static void control_suggestions_complete_path(struct session *s, struct sv id, struct sv path)
{
	static const struct control_wait_type type = { control_suggestions_reply,
						       control_suggestions_free };
	struct control_suggestions *c = xnew(struct control_suggestions);

	control_wait_init(&c->wait, s, id, &type);
	c->wait.op = file_completions_start(&c->found, s->engine->loop, agent_cwd(s->agent),
					    sv_cstr(s->engine->home), path,
					    THEN(control_wait_on_done, &c->wait));
}

void control_file_suggestions(struct session *s, const struct control_request *request)
{
	static const struct control_wait_type type = { control_suggestions_reply_found,
						       control_suggestions_free };
	const char *command = settings_str(s->settings, "fileSuggestion.command");
	struct control_suggestions *c;

	if (request->file_suggestions.completes) {
		control_suggestions_complete_path(s, request->id, request->file_suggestions.query);
		return;
	}
	if (command && !settings_bool(s->settings, "disableAllHooks")) {
		control_suggestions_run(s, request->id, request->file_suggestions.query, command);
		return;
	}
	if (control_suggestions_complete(s, request->id, request->file_suggestions.query))
		return;
	c = xnew(struct control_suggestions);
	control_wait_init(&c->wait, s, request->id, &type);
	c->wait.op = file_suggestions_start(&c->found, s->engine->loop, agent_cwd(s->agent),
					    request->file_suggestions.query,
					    THEN(control_wait_on_done, &c->wait));
}

/* --- directories ------------------------------------------------------------------------- */

static bool control_files_is_below_a_root(const struct session *s, struct sv dir)
{
	for (size_t i = 0; i < s->policy.dirs.n; i++) {
		struct sv root = s->policy.dirs.at[i];

		if (sv_starts(dir, root) && dir.len > root.len && dir.ptr[root.len] == '/')
			return true;
	}
	return false;
}

void control_register_root(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct sv real = tool_real_path(agent_tool_context(s->agent),
					request->register_root.directory, &arena);
	struct fs_info info;
	struct err err = ERR_INIT;

	if (!request->register_root.directory.len || !control_files_is_below_a_root(s, real))
		err_set(&err, ERR_ACCESS, "%.*s is not below a working directory of this session",
			SV_ARG(real));
	else if (fs_info(&info, real.ptr, true, &err) && info.kind != FS_DIR)
		err_set(&err, ERR_INVALID, "%.*s is not a directory", SV_ARG(real));
	if (err.kind != ERR_NONE) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return;
	}
	perm_add_session_dir(&s->policy, real);
	hooks_report_directory(s, real, request->subtype.ptr);
	control_reply(s, request->id, (struct control_reply){ .kind = REPLY_OBJECT });
}

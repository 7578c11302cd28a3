/* Hooks about what changes around a session: ConfigChange, InstructionsLoaded, DirectoryAdded,
 * CwdChanged and FileChanged. */
#include "base/limits.h"
#include "base/log.h"
#include "core/hooks/hooks.h"
#include "core/hooks/session_hooks.h"
#include "core/session/session_emit.h"
#include "core/session/session_settings.h"
#include "store/settings/settings.h"
#include "sys/fs.h"
#include "sys/watch.h"
#include "text/json/json_write.h"

/* --- ConfigChange ----------------------------------------------------------------------------- */

static const char *const hooks_watch_sources[SETTINGS_SOURCES] = {
	[SETTINGS_USER] = "user_settings",
	[SETTINGS_PROJECT] = "project_settings",
	[SETTINGS_LOCAL] = "local_settings",
	[SETTINGS_POLICY] = "policy_settings",
};

static void hooks_watch_check_next(struct session *s);

static void hooks_watch_apply_config(struct session *s, const struct hook_answer *answer,
				     __attribute__((unused)) void *point)
{
	struct session_hooks *h = s->handlers;
	defer(str_clear) struct str text = STR_INIT;

	if (answer->decision != HOOK_DENY || h->config_source == SETTINGS_POLICY)
		return;
	h->refuses_config = true;
	str_addf(&text, "A ConfigChange hook keeps the previous settings in effect: %.*s",
		 SV_ARG(answer->reason));
	session_inform(s, NOTICE_WARNING, sv_of(&text));
}

static void hooks_watch_on_config(__attribute__((unused)) struct op *op, void *owner,
				  __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->handlers->config = NULL;
	if (session_is_closed(s))
		session_settle(s);
	else
		hooks_watch_check_next(s);
}

void hooks_report_skill(struct session *s, struct sv path)
{
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_CONFIG_CHANGE);

	if (!path.len)
		return;
	in.source = SV("skills");
	in.file_path = path;
	session_hooks_fire(s, &in, NULL);
}

/* Show the hooks the next source that has changed. */
static void hooks_watch_check_next(struct session *s)
{
	struct session_hooks *h = s->handlers;
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_CONFIG_CHANGE);
	defer(str_clear) struct str path = STR_INIT;

	while (!h->config && h->config_changed) {
		h->config_source = (enum settings_source)__builtin_ctz(h->config_changed);
		h->config_changed &= h->config_changed - 1;
		if (!hooks_watch_sources[h->config_source])
			continue;
		in.source = sv_cstr(hooks_watch_sources[h->config_source]);
		str_truncate(&path, 0);
		session_settings_path(s, h->config_source, &path);
		in.file_path = sv_of(&path);
		h->config = session_hooks_start(s, &in, hooks_watch_apply_config, NULL,
						THEN(hooks_watch_on_config, s));
	}
	if (h->config)
		return;
	if (!h->refuses_config)
		session_take_settings(s);
	h->refuses_config = false;
}

void hooks_check_config(struct session *s, unsigned sources)
{
	s->handlers->config_changed |= sources;
	if (!s->handlers->config)
		hooks_watch_check_next(s);
}

/* --- InstructionsLoaded ----------------------------------------------------------------------- */

static const char *hooks_watch_memory_type(enum instruction_scope scope)
{
	switch (scope) {
	case INSTRUCTION_POLICY: return "Managed";
	case INSTRUCTION_USER: return "User";
	case INSTRUCTION_LOCAL: return "Local";
	case INSTRUCTION_PROJECT:
	case INSTRUCTION_NESTED: break;
	}
	return "Project";
}

static const char *hooks_watch_load_reason(const struct instruction *file, bool is_start)
{
	if (file->imported_by)
		return "include";
	if (is_start)
		return "session_start";
	return file->paths ? "path_glob_match" : "nested_traversal";
}

static void hooks_watch_write_globs(struct str *out, const char *paths)
{
	struct sv rest = sv_cstr(paths), line;
	struct jw w;

	if (!paths)
		return;
	jw_init(&w, out, JW_COMPACT);
	jw_array(&w);
	while (sv_cut_line(&rest, &line))
		jw_str(&w, line);
	jw_end(&w);
	jw_done(&w);
}

void hooks_report_instructions(struct session *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const struct instruction *file = instructions_at(s->instructions, i);
		struct hook_input in = session_hooks_input(s, s->agent, HOOK_INSTRUCTIONS_LOADED);
		defer(str_clear) struct str globs = STR_INIT;

		hooks_watch_write_globs(&globs, file->paths);
		in.file_path = sv_cstr(file->path);
		in.memory_type = sv_cstr(hooks_watch_memory_type(file->scope));
		in.load_reason = sv_cstr(hooks_watch_load_reason(file, !from));
		in.globs = sv_of(&globs);
		in.parent_file_path = sv_cstr(file->imported_by);
		session_hooks_fire(s, &in, NULL);
	}
}

/* --- DirectoryAdded --------------------------------------------------------------------------- */

void hooks_report_directory(struct session *s, struct sv path, const char *source)
{
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_DIRECTORY_ADDED);

	in.directory = path;
	in.source = sv_cstr(source);
	session_hooks_fire(s, &in, NULL);
}

/* --- FileChanged ------------------------------------------------------------------------------ */

/* A file that hooks want to know about. */
struct hooks_file {
	struct session *s;
	struct op *watch;
	char *path;
	bool exists;
	int64_t mtime_ns, size;
};

static void hooks_file_look(struct hooks_file *file)
{
	struct fs_info info;
	struct err ignored = ERR_INIT;

	file->exists = fs_info(&info, file->path, true, &ignored);
	file->mtime_ns = file->exists ? info.mtime_ns : 0;
	file->size = file->exists ? info.size : 0;
}

static void hooks_file_apply(struct session *s, const struct hook_answer *answer,
			     __attribute__((unused)) void *point)
{
	hooks_watch_paths(s, answer);
}

static void hooks_file_on_change(void *owner, __attribute__((unused)) struct sv name)
{
	struct hooks_file *file = owner, before = *file;
	struct session *s = file->s;
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_FILE_CHANGED);

	hooks_file_look(file);
	if (file->exists == before.exists && file->mtime_ns == before.mtime_ns &&
	    file->size == before.size)
		return;
	in.file_path = sv_cstr(file->path);
	in.change = !file->exists ? SV("unlink") : before.exists ? SV("change") : SV("add");
	session_hooks_fire(s, &in, hooks_file_apply);
}

static void hooks_file_on_end(__attribute__((unused)) struct op *op, void *owner,
			      const struct err *why)
{
	struct hooks_file *file = owner;

	file->watch = NULL;
	if (why->kind != ERR_CANCELLED)
		log_warn("%s is not watched: %s", file->path, why->text);
	session_settle(file->s);
}

static bool hooks_watch_has(const struct session_hooks *h, struct sv path)
{
	for (size_t i = 0; i < h->files.n; i++)
		if (sv_is(path, h->files.at[i]->path))
			return true;
	return false;
}

static void hooks_watch_add(struct session *s, struct sv path)
{
	struct session_hooks *h = s->handlers;
	struct hooks_file *file;

	if (!sv_starts(path, SV("/")) || hooks_watch_has(h, path) || session_is_closed(s))
		return;
	if (h->files.n == LIMIT_HOOK_FILES) {
		log_warn("%.*s is not watched: hooks may watch %d files", SV_ARG(path),
			 LIMIT_HOOK_FILES);
		return;
	}
	file = xnew(struct hooks_file);
	file->s = s;
	file->path = sv_dup(path);
	hooks_file_look(file);
	vec_push(&h->files, file);
	file->watch = watch_start(s->engine->loop, file->path, hooks_file_on_change,
				  THEN(hooks_file_on_end, file));
}

void hooks_watch_paths(struct session *s, const struct hook_answer *answer)
{
	for (size_t i = 0; i < answer->watch_paths.n; i++)
		hooks_watch_add(s, answer->watch_paths.at[i]);
}

/* Watch the files of the working directory that the matchers name. */
void hooks_watch_matched(struct session *s)
{
	const struct hook_set *set = hooks_set(s->handlers->engine);

	for (size_t i = 0; i < hook_set_count(set); i++) {
		const struct hook_handler *handler = hook_set_at(set, i);
		struct sv rest = handler->matcher, name;

		if (handler->event != HOOK_FILE_CHANGED)
			continue;
		while (sv_cut(&rest, '|', &name)) {
			defer(str_clear) struct str path = STR_INIT;

			name = sv_trim(name);
			if (!name.len || sv_find_char(name, '*') != SIZE_MAX)
				continue;
			fs_join(&path, agent_cwd(s->agent), name);
			hooks_watch_add(s, sv_of(&path));
		}
	}
}

void hooks_watch_cancel(struct session *s)
{
	op_cancel(s->handlers->config);
	for (size_t i = 0; i < s->handlers->files.n; i++)
		op_cancel(s->handlers->files.at[i]->watch);
}

bool hooks_watch_is_quiet(const struct session *s)
{
	for (size_t i = 0; i < s->handlers->files.n; i++)
		if (s->handlers->files.at[i]->watch)
			return false;
	return !s->handlers->config;
}

void hooks_watch_clear(struct session_hooks *h)
{
	for (size_t i = 0; i < h->files.n; i++) {
		free(h->files.at[i]->path);
		free(h->files.at[i]);
	}
	vec_clear(&h->files);
	str_clear(&h->cwd);
}

/* --- CwdChanged ------------------------------------------------------------------------------- */

void hooks_check_cwd(struct session *s)
{
	struct session_hooks *h = s->handlers;
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_CWD_CHANGED);
	struct sv now = agent_cwd(s->agent);

	if (sv_eq(sv_of(&h->cwd), now))
		return;
	in.old_cwd = sv_of(&h->cwd);
	in.new_cwd = now;
	if (h->cwd.len) {
		session_hooks_fire(s, &in, hooks_file_apply);
		hooks_watch_matched(s);
	}
	str_set(&h->cwd, now);
}

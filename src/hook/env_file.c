#include "hook/env_file.h"

#include "base/limits.h"
#include "base/log.h"
#include "sys/fs.h"

static bool hook_env_file_create(const char *path, struct err *err)
{
	defer(str_clear) struct str dir = STR_INIT;

	str_add(&dir, sv_slice(sv_cstr(path), 0, sv_rfind_char(sv_cstr(path), '/')));
	return fs_exists(path) ||
	       (fs_mkdirs(str_c(&dir), 0700, err) &&
		fs_write(path, SV_EMPTY, (struct fs_write){ .mode = 0600 }, err));
}

bool hook_env_file_open(struct hook_env_file *out, const char *session_path, bool is_apart,
			struct arena *arena, struct err *err)
{
	defer(str_clear) struct str temp = STR_INIT, dir = STR_INIT;
	struct hook_env_file file = { .session_path = arena_dup(arena, sv_cstr(session_path)).ptr };

	if (is_apart) {
		if (!fs_temp_dir(&temp, err) || !fs_realpath(&dir, str_c(&temp), err))
			return false;
		file.dir = arena_dup(arena, sv_of(&dir)).ptr;
	}
	file.path = is_apart ? arena_printf(arena, "%s/env.sh", file.dir).ptr : file.session_path;
	if (!hook_env_file_create(file.path, err))
		return false;
	*out = file;
	return true;
}

static bool hook_env_file_append(const struct hook_env_file *file, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT, added = STR_INIT;

	if (!fs_read(&added, file->path, LIMIT_HOOK_ERRORS, err))
		return false;
	if (!added.len)
		return true;
	if (!hook_env_file_create(file->session_path, err) ||
	    !fs_read(&text, file->session_path, LIMIT_HOOK_OUTPUT, err))
		return false;
	str_add(&text, sv_of(&added));
	if (added.ptr[added.len - 1] != '\n')
		str_addc(&text, '\n');
	return fs_write(file->session_path, sv_of(&text), (struct fs_write){ .mode = 0600 }, err);
}

void hook_env_file_close(struct hook_env_file *file)
{
	struct err err = ERR_INIT;

	if (file->dir && !hook_env_file_append(file, &err))
		log_warn("the variables of a hook are lost: %s", err.text);
	if (file->dir)
		(void)!fs_remove_tree(file->dir, &err);
	*file = (struct hook_env_file){ .path = NULL };
}

#include "store/config_lock.h"

#include "base/limits.h"

struct fs_lock *config_lock_take(const char *config_dir, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	fs_join(&path, sv_cstr(config_dir), SV("awl"));
	if (!fs_mkdirs(str_c(&path), 0700, err))
		return NULL;
	fs_join(&path, SV_EMPTY, SV("settings.lock"));
	return fs_lock_within(str_c(&path), LIMIT_TURN_MS, err);
}

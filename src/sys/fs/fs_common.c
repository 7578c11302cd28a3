#include "sys/fs.h"

void fs_join(struct str *out, struct sv dir, struct sv name)
{
	str_add(out, dir);
	if (out->len > 0 && out->ptr[out->len - 1] != '/')
		str_addc(out, '/');
	str_add(out, name);
}

void fs_unlockp(struct fs_lock **lock)
{
	fs_unlock(*lock);
	*lock = NULL;
}

bool fs_add_line(const char *path, struct sv line, size_t max, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT, real = STR_INIT;
	defer(fs_unpinp) struct fs_pin *pin = NULL;
	struct err missing = ERR_INIT;

	if (!fs_realpath(&real, path, &missing))
		str_set(&real, sv_cstr(path));
	pin = fs_pin(str_c(&real), err);
	if (!pin || (fs_pinned_info(pin) && !fs_pinned_read(pin, &text, max, err)))
		return false;
	if (text.len && !sv_ends(sv_of(&text), SV("\n")))
		str_addc(&text, '\n');
	str_add(&text, line);
	str_addc(&text, '\n');
	return fs_pinned_write(pin, sv_of(&text), (struct fs_write){ .mode = 0 }, err);
}

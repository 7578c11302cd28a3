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

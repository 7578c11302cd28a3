#include "cli/places.h"

#include <stdlib.h>

#include "sys/fs.h"

bool find_config_dir(struct str *out)
{
	const char *config = getenv("CLAUDE_CONFIG_DIR"), *home = getenv("HOME");

	if (config && *config == '/')
		str_adds(out, config);
	else if (home && *home == '/')
		fs_join(out, sv_cstr(home), SV(".claude"));
	else
		return false;
	return true;
}

bool find_global_file(struct str *out)
{
	const char *config = getenv("CLAUDE_CONFIG_DIR"), *home = getenv("HOME");
	const char *dir = config && *config == '/' ? config : home;

	if (!dir || *dir != '/')
		return false;
	fs_join(out, sv_cstr(dir), SV(".claude.json"));
	return true;
}

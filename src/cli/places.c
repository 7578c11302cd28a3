#include "cli/places.h"

#include <stdlib.h>

#include "sys/fs.h"

static const char *places_moved_config(void)
{
	const char *config = getenv("CLAUDE_CONFIG_DIR");

	return config && *config == '/' ? config : NULL;
}

/* A home that does not exist counts as none: awl does not create it. */
static const char *find_home(void)
{
	const char *home = getenv("HOME");

	return home && *home == '/' && fs_exists(home) ? home : NULL;
}

bool find_config_dir(struct str *out)
{
	const char *config = places_moved_config(), *home = find_home();

	if (config)
		str_adds(out, config);
	else if (home)
		fs_join(out, sv_cstr(home), SV(".claude"));
	return config || home;
}

bool find_global_file(struct str *out)
{
	const char *config = places_moved_config(), *dir = config ? config : find_home();

	if (dir)
		fs_join(out, sv_cstr(dir), SV(".claude.json"));
	return dir;
}

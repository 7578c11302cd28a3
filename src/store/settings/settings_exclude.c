#include "store/settings/settings_exclude.h"

#include "base/limits.h"
#include "base/log.h"
#include "sys/fs.h"
#include "text/match/ignore.h"

#define LOCAL ".claude/settings.local.json"

/* Adds the rules of a file. A missing or unreadable file has none. */
static void settings_exclude_add_rules(struct ignore *rules, const char *root, const char *name,
				       struct sv base)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	fs_join(&path, sv_cstr(root), sv_cstr(name));
	if (fs_read(&text, str_c(&path), LIMIT_IGNORE_BYTES, &err) &&
	    !ignore_add(rules, base, sv_of(&text), &err))
		log_debug("%s: %s", str_c(&path), err.text);
}

/* A rule "!settings.local.json" is a decision, too, and overrides ours. */
static bool is_decided(const char *root)
{
	defer(ignore_clear) struct ignore rules = IGNORE_INIT;

	settings_exclude_add_rules(&rules, root, ".git/info/exclude", SV_EMPTY);
	settings_exclude_add_rules(&rules, root, ".gitignore", SV_EMPTY);
	settings_exclude_add_rules(&rules, root, ".claude/.gitignore", SV(".claude"));
	return ignore_find(&rules, SV(LOCAL), false) != NULL;
}

static bool settings_exclude_add_line(const char *path, struct err *err)
{
	defer(fs_unpinp) struct fs_pin *hold = fs_pin(path, err);
	defer(str_clear) struct str text = STR_INIT;

	if (!hold)
		return false;
	if (fs_pinned_info(hold) && !fs_pinned_read(hold, &text, LIMIT_IGNORE_BYTES, err))
		return false;
	if (text.len && text.ptr[text.len - 1] != '\n')
		str_addc(&text, '\n');
	str_adds(&text, "/" LOCAL "\n");
	return fs_pinned_write(hold, sv_of(&text), (struct fs_write){ .mode = 0644 }, err);
}

void settings_exclude(const char *root)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info info;
	struct err err = ERR_INIT;

	fs_join(&path, sv_cstr(root), SV(".git"));
	if (!fs_info(&info, str_c(&path), false, &err) || info.kind != FS_DIR || is_decided(root))
		return;
	fs_join(&path, SV_EMPTY, SV("info/exclude"));
	if (!settings_exclude_add_line(str_c(&path), &err))
		log_debug("%s", err.text);
}

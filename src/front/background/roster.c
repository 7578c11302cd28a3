#include "front/background/roster.h"

#include <unistd.h>

#include "base/ascii.h"
#include "base/limits.h"
#include "base/log.h"
#include "sys/fs.h"

#define ROSTER_DAYS_MS (30LL * 24 * 3600 * 1000)

void roster_path(struct str *out, const char *config_dir, const char *name)
{
	defer(str_clear) struct str dir = STR_INIT;

	fs_join(&dir, sv_cstr(config_dir), SV("awl/background"));
	if (name)
		fs_join(out, sv_of(&dir), sv_cstr(name));
	else
		str_add(out, sv_of(&dir));
}

bool roster_prepare(const char *config_dir, struct err *err)
{
	defer(str_clear) struct str dir = STR_INIT;
	struct fs_info info;

	roster_path(&dir, config_dir, NULL);
	if (!fs_mkdirs(str_c(&dir), 0700, err) || !fs_info(&info, str_c(&dir), false, err))
		return false;
	if (info.kind != FS_DIR || info.owner != geteuid())
		return err_set(err, ERR_ACCESS, "%s does not belong to you", str_c(&dir));
	return (info.mode & 077) == 0 || fs_chmod(str_c(&dir), 0700, err);
}

/* Ids are parts of file names. */
static bool roster_is_id(struct sv id)
{
	for (size_t i = 0; i < id.len; i++)
		if (!ascii_is_alnum(id.ptr[i]))
			return false;
	return id.len > 0 && id.len <= 64;
}

static void roster_file(struct str *out, const char *config_dir, struct sv id)
{
	defer(str_clear) struct str name = STR_INIT;

	str_addf(&name, "%.*s.json", SV_ARG(id));
	roster_path(out, config_dir, str_c(&name));
}

/* --- reading ----------------------------------------------------------------------------- */

struct roster {
	const char *config_dir;
	int64_t now_ms;
	roster_fn *take;
	void *arg;
	size_t n;
};

static void roster_revive(struct job_info *info)
{
	info->pid = 0;
	info->question = info->waiting = SV_EMPTY;
	if (info->state == JOB_IDLE)
		info->state = JOB_DONE;
	if (info->state != JOB_WORKING && info->state != JOB_BLOCKED)
		return;
	info->state = JOB_FAILED;
	info->error = SV("its supervisor was ended");
}

static void roster_read(const struct roster *roster, struct sv id)
{
	defer(str_clear) struct str path = STR_INIT, text = STR_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct job_info info;
	struct err err = ERR_INIT;

	roster_file(&path, roster->config_dir, id);
	if (!fs_read(&text, str_c(&path), LIMIT_JOB_FILE, &err) ||
	    !(doc = json_parse(sv_of(&text), 0, &err)) ||
	    !job_info_read(&info, json_root(doc), &arena) || !sv_eq(info.id, id)) {
		log_info("%s is not a background session: %s", str_c(&path), err.text);
		return;
	}
	if (info.updated_ms >= roster->now_ms - ROSTER_DAYS_MS) {
		roster_revive(&info);
		roster->take(roster->arg, &info);
	} else if (!roster_forget(roster->config_dir, id, &err)) {
		log_info("%s", err.text);
	}
}

static enum fs_visit roster_visit(void *arg, const struct fs_entry *entry)
{
	struct roster *roster = arg;
	struct sv name = entry->name;

	if (entry->kind == FS_DIR)
		return FS_SKIP;
	if (entry->kind != FS_FILE || !sv_ends(name, SV(".json")))
		return FS_GO_ON;
	name = sv_slice(name, 0, name.len - 5);
	if (roster_is_id(name))
		roster_read(roster, name);
	return ++roster->n < LIMIT_JOBS ? FS_GO_ON : FS_STOP;
}

void roster_load(const char *config_dir, int64_t now_ms, roster_fn *take, void *arg)
{
	struct roster roster = {
		.config_dir = config_dir, .now_ms = now_ms, .take = take, .arg = arg
	};
	defer(str_clear) struct str dir = STR_INIT;
	struct err err = ERR_INIT;

	roster_path(&dir, config_dir, NULL);
	if (!fs_walk(str_c(&dir), roster_visit, &roster, &err))
		log_info("%s", err.text);
}

/* --- writing ------------------------------------------------------------------------------ */

bool roster_save(const char *config_dir, const struct job_info *info, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT, text = STR_INIT;
	struct job_info kept = *info;
	struct jw w;

	kept.question = SV_EMPTY;
	roster_file(&path, config_dir, info->id);
	jw_init(&w, &text, JW_COMPACT);
	job_info_write(&w, &kept);
	jw_done(&w);
	str_addc(&text, '\n');
	return fs_write(str_c(&path), sv_of(&text), (struct fs_write){ .mode = 0600 }, err);
}

bool roster_forget(const char *config_dir, struct sv id, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	if (!roster_is_id(id))
		return err_set(err, ERR_INVALID, "not the id of a background session");
	roster_file(&path, config_dir, id);
	return fs_remove(str_c(&path), err);
}

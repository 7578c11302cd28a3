/* Changes a file. */
#include "base/limits.h"
#include "store/settings/settings_exclude.h"
#include "store/settings/settings_file.h"
#include "store/settings/settings_watch.h"
#include "store/trust.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

struct edit {
	const struct settings_opts *opts;
	enum settings_source source;
	struct str root, path; /* the project's real directory; the file's real path */
	struct fs_lock *lock;  /* on the file; NULL: it does not exist, or nobody may write to it */
	struct fs_pin *pin;
	struct str before, text;   /* content; `before` is empty if there is no file */
	struct settings_file file; /* the parsed text */
};

static void edit_clear(struct edit *e)
{
	str_clear(&e->root);
	str_clear(&e->path);
	str_clear(&e->before);
	str_clear(&e->text);
	fs_unpin(e->pin);
	fs_unlock(e->lock);
	settings_file_clear(&e->file);
}

/* --- where ------------------------------------------------------------------------------- */

/* Appends the real path of a file that need not exist, in directories that need not exist. */
static bool settings_write_resolve(struct str *out, const char *path, struct err *err)
{
	struct sv rest = sv_cstr(path);
	struct fs_info info;
	struct err missing = ERR_INIT;
	size_t cut = rest.len;

	for (;;) {
		defer(mem_freep) char *head = sv_dup(cut ? sv_slice(rest, 0, cut) : SV("/"));

		if (fs_realpath(out, head, &missing)) {
			if (cut < rest.len)
				fs_join(out, SV_EMPTY, sv_skip(rest, cut + 1));
			return true;
		}
		if (missing.kind != ERR_NOT_FOUND || !cut ||
		    fs_info(&info, head, false, &(struct err)ERR_INIT)) {
			*err = missing; /* something exists there, so it is a dangling link */
			return false;
		}
		missing = (struct err)ERR_INIT;
		cut = sv_rfind_char(sv_slice(rest, 0, cut), '/');
		if (cut == SIZE_MAX)
			return err_set(err, ERR_INVALID, "%s: not an absolute path", path);
	}
}

static bool settings_write_is_below(struct sv dir, struct sv path)
{
	if (sv_is(dir, "/"))
		return true;
	return sv_starts(path, dir) && path.len > dir.len && path.ptr[dir.len] == '/';
}

/* Finds the file. The user's own file may be a link to any place. */
static bool settings_write_find_place(struct edit *e, struct err *err)
{
	const struct settings_opts *o = e->opts;
	const char *dir = e->source == SETTINGS_LOCAL && o->repo_dir ? o->repo_dir : o->project_dir;
	defer(str_clear) struct str path = STR_INIT;

	if (!settings_path(o, e->source, &path, err) ||
	    !settings_write_resolve(&e->path, str_c(&path), err))
		return false;
	if (!settings_are_projects(e->source))
		return true;
	return fs_realpath(&e->root, dir, err) &&
	       (settings_write_is_below(sv_of(&e->root), sv_of(&e->path)) ||
		err_set(err, ERR_ACCESS, "%s: a symbolic link that leaves the project",
			str_c(&path)));
}

/* --- what ------------------------------------------------------------------------------------ */

static bool settings_write_check(struct edit *e, const char *what, bool is_strict, struct err *err)
{
	defer(str_clear) struct str complaints = STR_INIT;

	settings_file_clear(&e->file);
	e->file.source = e->source;
	e->file.is_strict = is_strict;
	str_add(&e->file.name, sv_of(&e->path));
	if (settings_file_parse(&e->file, sv_of(&e->text), &complaints))
		return true;
	settings_fail(err, sv_of(&complaints));
	return *what ? err_context(err, "%s", what) : false;
}

/* Waits for others who change the file. config_lock.h is not enough: a project's file may have
 * users with other configuration directories. */
static bool settings_write_lock(struct edit *e, struct err *err)
{
	struct err why = ERR_INIT;

	e->lock = fs_lock_existing(str_c(&e->path), LIMIT_TURN_MS, &why);
	if (why.kind == ERR_BUSY)
		*err = why;
	return why.kind !=
	       ERR_BUSY; /* without a lock, replacing the file fails if it has changed */
}

static bool edit_open(struct edit *e, struct err *err)
{
	defer(str_clear) struct str plain = STR_INIT;

	if (!settings_write_find_place(e, err) || !settings_write_lock(e, err))
		return false;
	e->pin = fs_pin(str_c(&e->path), err);
	if (!e->pin)
		return false;
	if (fs_pinned_info(e->pin) &&
	    !fs_pinned_read(e->pin, &e->before, settings_limit(e->source), err))
		return false;
	str_add(&e->text, sv_of(&e->before));
	settings_plain(&plain, sv_of(&e->before));
	if (!sv_trim(sv_of(&plain)).len)
		str_adds(&e->text, "{\n}\n");
	return settings_write_check(e, "fix this first", false, err);
}

/* Changes a value. Entries that were invalid before may stay, but no new one is accepted. */
static bool edit_set(struct edit *e, struct json_steps steps, struct sv json, struct err *err)
{
	size_t bad_before = e->file.bad_entries;

	if (!settings_edit(&e->text, steps, json, err))
		return err_context(err, "%s", str_c(&e->path));
	return settings_write_check(e, "", false, err) &&
	       (e->file.bad_entries <= bad_before || settings_write_check(e, "", true, err));
}

static bool edit_save(struct edit *e, struct err *err)
{
	struct sv text = sv_of(&e->text);

	if (text.len > settings_limit(e->source))
		return err_set(err, ERR_TOO_BIG, "%s: would exceed %zu MiB", str_c(&e->path),
			       settings_limit(e->source) / MIB);
	if (e->source == SETTINGS_USER && !fs_mkdirs(e->opts->config_dir, 0700, err))
		return false;
	if (!fs_pinned_write(e->pin, text, (struct fs_write){ .mode = 0600, .sync = true }, err))
		return false;
	if (e->opts->watch)
		settings_watch_expect(e->opts->watch, e->source, text);
	if (e->opts->looked && settings_are_projects(e->source))
		trust_follow(e->opts->looked, trust_file_of(e->source), sv_of(&e->before), text);
	if (e->source == SETTINGS_LOCAL)
		settings_exclude(str_c(&e->root));
	return true;
}

/* --- who
 * ---------------------------------------------------------------------------------------- */

static bool settings_write_may_change(enum settings_source source, struct json_steps steps,
				      struct err *err)
{
	size_t used;
	const struct setting *row = setting_of(steps, &used);

	if (!steps.n)
		return err_set(err, ERR_INVALID, "which setting?");
	if (!row || setting_may_be_from(row, source))
		return true;
	if (row->from == SETTING_FROM_LOCAL)
		return err_set(err, ERR_ACCESS,
			       "%s has no effect in the project settings that others share; use "
			       "--scope local",
			       row->name);
	if (row->from == SETTING_FROM_USER)
		return err_set(err, ERR_ACCESS,
			       "%s has no effect in project settings; put it into the "
			       "user's",
			       row->name);
	if (row->from == SETTING_FROM_GLOBAL)
		return err_set(err, ERR_ACCESS, "%s belongs in ~/.claude.json", row->name);
	return err_set(err, ERR_ACCESS, "only managed settings can set %s", row->name);
}

/* Fails for a value that this source may not set. settings_file_parse() checks its type. */
static bool settings_write_may_have(enum settings_source source, struct json_steps steps,
				    struct sv json, struct err *err)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, &ignored);
	size_t used;
	const struct setting *row = setting_of(steps, &used);

	return !row || !doc || json_exists(setting_misfit(row, json_root(doc))) ||
	       setting_may_have(row, source, json_root(doc)) ||
	       err_set(err, ERR_ACCESS,
		       "%s: %.*s has no effect in project settings; put it into "
		       "the user's",
		       row->name, SV_ARG(json));
}

/* --- the three ways to change a file
 * ---------------------------------------------------------------- */

struct change {
	const struct settings_opts *opts;
	enum settings_source source;
	struct json_steps steps;
	struct sv json;
	const struct settings_value *values; /* of settings_set_all() */
	size_t n;
};

/* Retries if the file has changed meanwhile: editors take no lock. */
static bool settings_write_carry_out(bool (*once)(struct edit *e, const struct change *c,
						  struct err *err),
				     const struct change *c, struct err *err)
{
	for (size_t tries = LIMIT_STALE_TRIES;; tries--) {
		defer(edit_clear) struct edit e = { .opts = c->opts, .source = c->source };

		*err = (struct err)ERR_INIT;
		if (edit_open(&e, err) && once(&e, c, err))
			return true;
		if (err->kind != ERR_STALE || !tries)
			return false;
	}
}

static bool write_once(struct edit *e, const struct change *c, struct err *err)
{
	return edit_set(e, c->steps, c->json, err) &&
	       (sv_eq(sv_of(&e->before), sv_of(&e->text)) || edit_save(e, err));
}

bool settings_set(const struct settings_opts *opts, enum settings_source source,
		  struct json_steps steps, struct sv json, struct err *err)
{
	const struct change c = { .opts = opts, .source = source, .steps = steps, .json = json };

	return (!json.len || (settings_write_may_change(source, steps, err) &&
			      settings_write_may_have(source, steps, json, err))) &&
	       settings_write_carry_out(write_once, &c, err);
}

static bool settings_write_all_once(struct edit *e, const struct change *c, struct err *err)
{
	for (size_t i = 0; i < c->n; i++)
		if (!edit_set(e, c->values[i].steps, c->values[i].json, err))
			return false;
	return sv_eq(sv_of(&e->before), sv_of(&e->text)) || edit_save(e, err);
}

bool settings_set_all(const struct settings_opts *opts, enum settings_source source,
		      const struct settings_value *values, size_t n, struct err *err)
{
	const struct change c = { .opts = opts, .source = source, .values = values, .n = n };

	for (size_t i = 0; i < n; i++)
		if (!settings_write_may_change(source, values[i].steps, err) ||
		    !settings_write_may_have(source, values[i].steps, values[i].json, err))
			return false;
	return settings_write_carry_out(settings_write_all_once, &c, err);
}

/* Finds the list at `steps`; missing: there is none. */
static bool settings_write_find_list(const struct edit *e, struct json_steps steps,
				     struct json *out, struct err *err)
{
	struct json value = json_root(e->file.content);

	for (size_t i = 0; i < steps.n; i++)
		value = json_get_sv(value, steps.at[i]);
	if (json_exists(value) && !json_is(value, JSON_ARRAY))
		return err_set(err, ERR_INVALID, "%s: the existing value is not a list",
			       str_c(&e->path));
	*out = value;
	return true;
}

static size_t settings_write_index_in(struct json list, struct json wanted)
{
	struct json_iter it = json_each(list);
	struct json item;

	for (size_t i = 0; json_next(&it, NULL, &item); i++)
		if (json_equal(item, wanted))
			return i;
	return SIZE_MAX;
}

/* Sets the element at `index` of the list, or removes it. */
static bool settings_write_set_item(struct edit *e, struct json_steps steps, size_t index,
				    struct sv json, struct err *err)
{
	VEC(struct sv) whole = VEC_INIT;
	char number[24];
	bool ok;

	snprintf(number, sizeof(number), "%zu", index);
	for (size_t i = 0; i < steps.n; i++)
		vec_push(&whole, steps.at[i]);
	vec_push(&whole, sv_cstr(number));
	ok = edit_set(e, (struct json_steps){ whole.at, whole.n }, json, err);
	vec_clear(&whole);
	return ok;
}

static bool settings_write_add_once(struct edit *e, const struct change *c, struct err *err)
{
	defer(json_doc_freep) struct json_doc *item = json_parse(c->json, 0, err);
	struct json list = { NULL };

	if (!item || !settings_write_find_list(e, c->steps, &list, err))
		return false;
	if (settings_write_index_in(list, json_root(item)) != SIZE_MAX)
		return true;
	if (!json_exists(list) && !edit_set(e, c->steps, SV("[]"), err))
		return false;
	return settings_write_set_item(e, c->steps, json_len(list), c->json, err) &&
	       edit_save(e, err);
}

bool settings_add_item(const struct settings_opts *opts, enum settings_source source,
		       struct json_steps steps, struct sv json, struct err *err)
{
	const struct change c = { .opts = opts, .source = source, .steps = steps, .json = json };

	return settings_write_may_change(source, steps, err) &&
	       settings_write_carry_out(settings_write_add_once, &c, err);
}

static bool settings_write_remove_once(struct edit *e, const struct change *c, struct err *err)
{
	defer(json_doc_freep) struct json_doc *item = json_parse(c->json, 0, err);
	struct json list = { NULL };
	size_t index;

	if (!item || !settings_write_find_list(e, c->steps, &list, err))
		return false;
	index = settings_write_index_in(list, json_root(item));
	return index == SIZE_MAX ||
	       (settings_write_set_item(e, c->steps, index, SV_EMPTY, err) && edit_save(e, err));
}

bool settings_remove_item(const struct settings_opts *opts, enum settings_source source,
			  struct json_steps steps, struct sv json, struct err *err)
{
	const struct change c = { .opts = opts, .source = source, .steps = steps, .json = json };

	return settings_write_carry_out(settings_write_remove_once, &c, err);
}

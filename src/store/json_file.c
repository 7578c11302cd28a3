#include "store/json_file.h"

#include "base/limits.h"
#include "sys/fs.h"
#include "text/json/json.h"
#include "text/json/json_write.h"

/* --- where ----------------------------------------------------------------------------------- */

/* Append the real path of a file that need not exist; its directory must. */
static bool json_file_resolve(struct str *out, const char *path, struct err *err)
{
	struct sv whole = sv_cstr(path), name = sv_basename(whole);
	defer(mem_freep) char *dir = sv_dup(sv_slice(whole, 0, whole.len - name.len));
	struct err missing = ERR_INIT;
	struct fs_info info;

	if (fs_realpath(out, path, &missing))
		return true;
	if (missing.kind != ERR_NOT_FOUND || fs_info(&info, path, false, &(struct err)ERR_INIT)) {
		*err = missing; /* something exists there, so it is a dangling link */
		return false;
	}
	if (!fs_realpath(out, *dir ? dir : ".", err))
		return false;
	if (!sv_ends(sv_of(out), SV("/")))
		str_addc(out, '/');
	str_add(out, name);
	return true;
}

static bool json_file_is_below(struct sv path, const char *root)
{
	struct sv dir = sv_cstr(root);

	return sv_is(dir, "/") ||
	       (sv_starts(path, dir) && path.len > dir.len && path.ptr[dir.len] == '/');
}

/* --- what ------------------------------------------------------------------------------------ */

/* Append the value with its lines indented, as part of a file that has a line for each member. */
static void json_file_lay_out(struct str *out, struct json value, size_t depth)
{
	defer(str_clear) struct str pretty = STR_INIT;
	struct sv rest, line;
	struct jw w;
	bool any = false;

	jw_init(&w, &pretty, JW_PRETTY);
	jw_value(&w, value);
	rest = sv_of(&pretty);
	while (sv_cut_line(&rest, &line)) {
		if (any)
			str_addf(out, "\n%*s", (int)(2 * depth), "");
		str_add(out, line);
		any = true;
	}
}

/* Write a file that has only this value. */
static void json_file_begin(struct str *text, struct json_steps steps, struct json value)
{
	struct jw w;

	str_truncate(text, 0);
	jw_init(&w, text, JW_PRETTY);
	for (size_t i = 0; i < steps.n; i++) {
		jw_object(&w);
		jw_key(&w, steps.at[i]);
	}
	jw_value(&w, value);
	for (size_t i = 0; i < steps.n; i++)
		jw_end(&w);
	str_addc(text, '\n');
}

static bool json_file_set(struct str *text, const struct json_file_change *c, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(c->json, 0, err);
	defer(json_doc_freep) struct json_doc *old = NULL;
	defer(str_clear) struct str value = STR_INIT;
	struct err ignored = ERR_INIT;

	if (!doc)
		return false;
	old = json_parse(sv_of(text), 0, &ignored);
	if (!sv_trim(sv_of(text)).len ||
	    (json_is(json_root(old), JSON_OBJECT) && !json_len(json_root(old)))) {
		json_file_begin(text, c->steps, json_root(doc));
		return true;
	}
	if (sv_find_char(sv_trim(sv_of(text)), '\n') != SIZE_MAX)
		json_file_lay_out(&value, json_root(doc), c->steps.n);
	else
		str_add(&value, c->json);
	return json_span_set(text, c->steps, sv_of(&value), err);
}

static bool json_file_edit(struct str *text, const struct json_file_change *c, struct err *err)
{
	bool ok;

	if (!c->json.len && !sv_trim(sv_of(text)).len)
		return err_set(err, ERR_NOT_FOUND, "%s: there is nothing to remove", c->path);
	ok = c->json.len ? json_file_set(text, c, err) : json_span_remove(text, c->steps, err);
	if (ok && text->len > c->limit)
		return err_set(err, ERR_TOO_BIG, "%s: would exceed %zu MiB", c->path,
			       c->limit / MIB);
	return ok || err_context(err, "%s", c->path);
}

/* --- how ------------------------------------------------------------------------------------- */

struct json_file {
	struct str path; /* real */
	struct fs_lock *lock;
	struct fs_pin *pin;
};

static void json_file_clear(struct json_file *f)
{
	str_clear(&f->path);
	fs_unpin(f->pin);
	fs_unlock(f->lock);
}

/* Another user of a file in a project may have another configuration directory, and another lock. */
static bool json_file_open(struct json_file *f, const struct json_file_change *c, struct err *err)
{
	struct err why = ERR_INIT;

	if (!json_file_resolve(&f->path, c->path, err))
		return false;
	if (c->root && !json_file_is_below(sv_of(&f->path), c->root))
		return err_set(err, ERR_ACCESS, "%s: a symbolic link that leaves the project",
			       c->path);
	f->lock = fs_lock_existing(str_c(&f->path), LIMIT_TURN_MS, &why);
	if (why.kind == ERR_BUSY) {
		*err = why;
		return false;
	}
	f->pin = fs_pin(str_c(&f->path), err);
	return f->pin != NULL;
}

static bool json_file_change_once(const struct json_file_change *c, struct str *before,
				  struct str *after, struct err *err)
{
	struct fs_write how = { .mode = c->mode, .sync = true };
	defer(json_file_clear) struct json_file f = { .path = STR_INIT };

	str_truncate(before, 0);
	str_truncate(after, 0);
	if (!json_file_open(&f, c, err))
		return false;
	if (fs_pinned_info(f.pin) && !fs_pinned_read(f.pin, before, c->limit, err))
		return false;
	str_add(after, sv_of(before));
	return json_file_edit(after, c, err) && fs_pinned_write(f.pin, sv_of(after), how, err);
}

bool json_file_change(const struct json_file_change *change, struct str *before, struct str *after,
		      struct err *err)
{
	for (size_t tries = LIMIT_STALE_TRIES;; tries--) {
		*err = (struct err)ERR_INIT;
		if (json_file_change_once(change, before, after, err))
			return true;
		if (err->kind != ERR_STALE || !tries)
			return false;
	}
}

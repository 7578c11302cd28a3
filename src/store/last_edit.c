#include "store/last_edit.h"

#include <inttypes.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "text/json/json.h"
#include "text/json/json_write.h"

struct fs_lock *last_edit_lock(const char *dir)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err ignored = ERR_INIT;
	struct fs_lock *lock;

	fs_join(&path, sv_cstr(dir), SV("lock"));
	lock = fs_lock_within(str_c(&path), LIMIT_EDIT_LOCK_MS, &ignored);
	if (!lock && ignored.kind != ERR_BUSY && fs_mkdirs(dir, 0700, &ignored))
		lock = fs_lock_within(str_c(&path), LIMIT_EDIT_LOCK_MS, &ignored);
	return lock;
}

static void last_edit_path(struct str *out, const char *dir, struct sv path)
{
	enum { FILES = 512 };

	str_addf(out, "%s/%03x", dir, (unsigned)(hash_bytes(path, 0) % FILES));
}

/* What the note is about: this content of this path. */
static void last_edit_key(struct str *out, struct sv path, struct sv bytes)
{
	str_addf(out, "%016" PRIx64 "%016" PRIx64, hash_bytes(path, 1), hash_bytes(bytes, 1));
}

void last_edit_put(const char *dir, struct sv path, struct sv bytes,
		   const struct last_edit_author *author)
{
	defer(str_clear) struct str file = STR_INIT, key = STR_INIT, json = STR_INIT;
	struct err ignored = ERR_INIT;
	struct jw w;

	last_edit_path(&file, dir, path);
	last_edit_key(&key, path, bytes);
	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "of", sv_of(&key));
	jw_put_str(&w, "session", author->session);
	jw_put_str(&w, "root", author->root);
	jw_put_str(&w, "agent", author->agent);
	jw_end(&w);
	jw_done(&w);
	(void)!fs_write(str_c(&file), sv_of(&json), (struct fs_write){ .mode = 0600 }, &ignored);
}

/* The words for one author as another sees it. Names are chosen by models. */
static void last_edit_name(struct str *out, const struct last_edit_author *by, bool is_here)
{
	enum { NAME = 80, ROOT = 300 };
	struct sv agent = utf8_prefix(by->agent, NAME);

	if (agent.len)
		str_addf(out, "the agent %.*s", SV_ARG(agent));
	else if (is_here)
		str_adds(out, "the main agent");
	if (!is_here)
		str_addf(out, "%sanother awl session (%.*s, in %.*s)", agent.len ? " of " : "",
			 SV_ARG(utf8_prefix(by->session, NAME)),
			 SV_ARG(utf8_prefix(by->root, ROOT)));
}

bool last_edit_find(struct str *out, const char *dir, struct sv path, struct sv bytes,
		    const struct last_edit_author *self)
{
	defer(str_clear) struct str file = STR_INIT, key = STR_INIT, text = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err ignored = ERR_INIT;
	struct last_edit_author by;
	bool is_here;

	last_edit_path(&file, dir, path);
	last_edit_key(&key, path, bytes);
	if (!fs_read(&text, str_c(&file), LIMIT_EDIT_NOTE, &ignored))
		return false;
	doc = json_parse(sv_of(&text), 0, &ignored);
	if (!sv_eq(json_str_or(json_get(json_root(doc), "of"), SV_EMPTY), sv_of(&key)))
		return false;
	by.session = json_str_or(json_get(json_root(doc), "session"), SV_EMPTY);
	by.root = json_str_or(json_get(json_root(doc), "root"), SV_EMPTY);
	by.agent = json_str_or(json_get(json_root(doc), "agent"), SV_EMPTY);
	is_here = sv_eq(by.session, self->session);
	if (is_here && sv_eq(by.agent, self->agent))
		return false;
	last_edit_name(out, &by, is_here);
	return true;
}

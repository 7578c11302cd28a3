#include "mcp/auth/auth_store.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/limits.h"
#include "store/config_lock.h"
#include "sys/fs.h"
#include "text/json/json.h"
#include "text/json/json_span.h"
#include "text/json/json_write.h"

#define ENTRIES SV("mcpOAuth")

/* The members of an entry that are text. */
static const struct auth_member {
	char name[24];
	size_t offset;
	bool is_inner;  /* in the object discoveryState */
	bool is_secret; /* only here when the keyring does not have it */
} auth_members[] = {
	{ "serverName", offsetof(struct auth_entry, server_name), false, false },
	{ "serverUrl", offsetof(struct auth_entry, server_url), false, false },
	{ "accessToken", offsetof(struct auth_entry, access_token), false, true },
	{ "refreshToken", offsetof(struct auth_entry, refresh_token), false, true },
	{ "scope", offsetof(struct auth_entry, scope), false, false },
	{ "clientId", offsetof(struct auth_entry, client_id), false, false },
	{ "clientSecret", offsetof(struct auth_entry, client_secret), false, true },
	{ "tokenEndpointAuthMethod", offsetof(struct auth_entry, client_auth), false, false },
	{ "issuer", offsetof(struct auth_entry, issuer), false, false },
	{ "redirectUri", offsetof(struct auth_entry, redirect_uri), false, false },
	{ "stepUpScope", offsetof(struct auth_entry, step_up_scope), false, false },
	{ "resource", offsetof(struct auth_entry, resource), false, false },
	{ "keyring", offsetof(struct auth_entry, fingerprint), false, false },
	{ "resourceMetadataUrl", offsetof(struct auth_entry, resource_metadata_url), true, false },
};

/* The text of the file; "{}" when there is none. */
static bool auth_store_load(const char *file, struct str *out, struct err *err)
{
	struct err why = ERR_INIT;

	if (fs_read(out, file, LIMIT_MCP_CREDENTIALS, &why)) {
		if (!sv_trim(sv_of(out)).len)
			str_set(out, SV("{}"));
		return true;
	}
	if (why.kind != ERR_NOT_FOUND) {
		*err = why;
		return false;
	}
	str_set(out, SV("{}"));
	return true;
}

static struct json_doc *auth_store_parse(const char *file, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	struct json_doc *doc;

	if (!auth_store_load(file, &text, err))
		return NULL;
	doc = json_parse(sv_of(&text), 0, err);
	if (!doc)
		err_context(err, "%s", file);
	return doc;
}

bool auth_store_read(const char *file, const char *key, struct arena *arena, struct auth_entry *out,
		     struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = auth_store_parse(file, err);
	struct json entry, inner;

	if (!doc)
		return false;
	entry = json_get(json_get(json_root(doc), "mcpOAuth"), key);
	inner = json_get(entry, "discoveryState");
	*out = (struct auth_entry){ .expires_at_ms = json_int_or(json_get(entry, "expiresAt"), 0) };
	for (size_t i = 0; i < countof(auth_members); i++) {
		const struct auth_member *m = &auth_members[i];
		struct json value = json_get(m->is_inner ? inner : entry, m->name);
		struct sv *field = (struct sv *)((char *)out + m->offset);

		*field = arena_dup(arena, json_str_or(value, SV_EMPTY));
	}
	return true;
}

/* Set a member to a text, or remove it when the text is empty. */
static bool auth_store_edit(struct str *text, struct json_steps steps, struct sv value,
			    struct err *err)
{
	defer(str_clear) struct str json = STR_INIT;
	struct err why = ERR_INIT;
	struct jw w;

	if (!value.len) {
		if (json_span_remove(text, steps, &why) || why.kind == ERR_NOT_FOUND)
			return true;
		*err = why;
		return false;
	}
	jw_init(&w, &json, JW_COMPACT);
	jw_str(&w, value);
	return json_span_set(text, steps, sv_of(&json), err);
}

static bool auth_store_edit_entry(struct str *text, struct sv key, const struct auth_entry *entry,
				  struct err *err)
{
	char number[32];

	for (size_t i = 0; i < countof(auth_members); i++) {
		const struct auth_member *m = &auth_members[i];
		bool is_elsewhere = m->is_secret && entry->fingerprint.len;
		struct sv value = is_elsewhere
					  ? SV_EMPTY
					  : *(const struct sv *)((const char *)entry + m->offset);
		struct sv name = sv_cstr(m->name);
		struct json_steps steps =
			m->is_inner ? JSON_STEPS(ENTRIES, key, SV("discoveryState"), name)
				    : JSON_STEPS(ENTRIES, key, name);

		if (!auth_store_edit(text, steps, value, err))
			return false;
	}
	snprintf(number, sizeof(number), "%" PRId64, entry->expires_at_ms);
	return json_span_set(text, JSON_STEPS(ENTRIES, key, SV("expiresAt")), sv_cstr(number), err);
}

/* One change of the file. */
struct auth_change {
	const char *file;
	bool (*edit)(struct str *text, const void *arg, struct err *err);
	const void *arg;
};

static bool auth_change_apply(const struct auth_change *change, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str dir = STR_INIT;
	defer(fs_unlockp) struct fs_lock *lock = NULL;
	size_t slash = sv_rfind_char(sv_cstr(change->file), '/');

	str_add(&dir, slash == SIZE_MAX ? SV(".") : sv_slice(sv_cstr(change->file), 0, slash));
	lock = config_lock_take(str_c(&dir), err);
	if (!lock || !auth_store_load(change->file, &text, err))
		return false;
	if (!change->edit(&text, change->arg, err))
		return err_context(err, "%s", change->file);
	return fs_write(change->file, sv_of(&text), (struct fs_write){ .mode = 0600, .sync = true },
			err);
}

struct auth_keyed {
	struct sv key;
	const struct auth_entry *entry; /* NULL: remove it */
};

static bool auth_keyed_edit(struct str *text, const void *arg, struct err *err)
{
	const struct auth_keyed *keyed = arg;

	if (keyed->entry)
		return auth_store_edit_entry(text, keyed->key, keyed->entry, err);
	return auth_store_edit(text, JSON_STEPS(ENTRIES, keyed->key), SV_EMPTY, err);
}

bool auth_store_write(const char *file, const char *key, const struct auth_entry *entry,
		      struct err *err)
{
	struct auth_keyed keyed = { .key = sv_cstr(key), .entry = entry };

	return auth_change_apply(
		&(struct auth_change){ .file = file, .edit = auth_keyed_edit, .arg = &keyed }, err);
}

bool auth_store_remove(const char *file, const char *key, struct err *err)
{
	struct auth_keyed keyed = { .key = sv_cstr(key) };

	return auth_change_apply(
		&(struct auth_change){ .file = file, .edit = auth_keyed_edit, .arg = &keyed }, err);
}

bool auth_store_get(const char *file, const char *group, struct sv name, const char *member,
		    struct str *out, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = auth_store_parse(file, err);
	struct json value;

	if (!doc)
		return false;
	value = json_get(json_get_sv(json_get(json_root(doc), group), name), member);
	str_set(out, json_str_or(value, SV_EMPTY));
	return true;
}

struct auth_text {
	struct json_steps steps;
	struct sv value;
};

static bool auth_text_edit(struct str *text, const void *arg, struct err *err)
{
	const struct auth_text *t = arg;

	return auth_store_edit(text, t->steps, t->value, err);
}

bool auth_store_put(const char *file, const char *group, struct sv name, const char *member,
		    struct sv value, struct err *err)
{
	const struct sv path[] = { sv_cstr(group), name, sv_cstr(member) };
	struct auth_text text = { .steps = { .at = path, .n = countof(path) }, .value = value };

	return auth_change_apply(
		&(struct auth_change){ .file = file, .edit = auth_text_edit, .arg = &text }, err);
}

#include "mcp/auth/auth_keyring.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "net/env_var.h"
#include "sys/child.h"
#include "text/digest.h"
#include "text/hex.h"
#include "text/json/json.h"
#include "text/json/json_write.h"

enum {
	KEYRING_MS = 5000,
	KEYRING_GRACE_MS = 200,
	KEYRING_REST_MS = 30 * 1000, /* after a failure, nobody waits for it again this long */
	KEYRING_SECRET_MAX = 8000,   /* secret-tool reads at most 8 KiB */
	FINGERPRINT_BYTES = 8,
};

/* What the keyring has said about one entry. */
struct keyring_known {
	char *key, *fingerprint;
	struct str secrets; /* JSON */
};

struct auth_keyring {
	VEC(struct keyring_known) known;
	bool cannot_store, has_notified;
	int64_t rests_until_ms; /* 0: it has answered so far */
};

static const struct keyring_member {
	char name[16];
	size_t offset;
} keyring_members[] = {
	{ "accessToken", offsetof(struct auth_entry, access_token) },
	{ "refreshToken", offsetof(struct auth_entry, refresh_token) },
	{ "clientSecret", offsetof(struct auth_entry, client_secret) },
};

enum keyring_act { KEYRING_LOOKUP, KEYRING_STORE, KEYRING_CLEAR };

struct keyring_run {
	struct op op;
	struct op *child;
	const struct mcp_auth_opts *opts;
	enum keyring_act act;
	const char *key;
	struct arena *arena;
	struct auth_entry *entry; /* NULL: of KEYRING_CLEAR */
	struct str text;          /* the secrets */
};

/* --- what is known ------------------------------------------------------------------- */

struct auth_keyring *auth_keyring_new(void)
{
	return xnew(struct auth_keyring);
}

static void keyring_known_clear(struct keyring_known *known)
{
	if (known->secrets.len)
		explicit_bzero(known->secrets.ptr, known->secrets.len);
	str_clear(&known->secrets);
	free(known->fingerprint);
	free(known->key);
}

void auth_keyring_free(struct auth_keyring *keyring)
{
	if (!keyring)
		return;
	for (size_t i = 0; i < keyring->known.n; i++)
		keyring_known_clear(&keyring->known.at[i]);
	vec_clear(&keyring->known);
	free(keyring);
}

static struct keyring_known *keyring_find(struct auth_keyring *keyring, const char *key)
{
	for (size_t i = 0; i < keyring->known.n; i++)
		if (strcmp(keyring->known.at[i].key, key) == 0)
			return &keyring->known.at[i];
	return NULL;
}

static void keyring_remember(struct auth_keyring *keyring, const struct keyring_run *r)
{
	struct keyring_known *known = keyring_find(keyring, r->key);

	if (!known) {
		known = vec_add(&keyring->known);
		known->key = xstrdup(r->key);
	}
	free(known->fingerprint);
	known->fingerprint = xstrdup(r->entry->fingerprint.ptr);
	str_set(&known->secrets, sv_of(&r->text));
}

bool auth_keyring_is_used(const struct mcp_auth_opts *opts)
{
	const char *choice = env_var(opts->env, "AWL_MCP_TOKENS");

	return !opts->keyring->cannot_store && env_var(opts->env, "DBUS_SESSION_BUS_ADDRESS") &&
	       !(choice && strcmp(choice, "file") == 0);
}

/* --- secrets as text ------------------------------------------------------------------ */

static void keyring_write(struct str *out, const struct auth_entry *entry)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	for (size_t i = 0; i < countof(keyring_members); i++) {
		struct sv value =
			*(const struct sv *)((const char *)entry + keyring_members[i].offset);

		if (value.len)
			jw_put_str(&w, keyring_members[i].name, value);
	}
	jw_end(&w);
	jw_done(&w);
}

static bool keyring_read(struct sv text, struct arena *arena, struct auth_entry *entry,
			 struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, 0, err);

	if (!doc || !json_is(json_root(doc), JSON_OBJECT))
		return err_set(err, ERR_PARSE, "it holds something else for this server");
	for (size_t i = 0; i < countof(keyring_members); i++) {
		struct json value = json_get(json_root(doc), keyring_members[i].name);

		*(struct sv *)((char *)entry + keyring_members[i].offset) =
			arena_dup(arena, json_str_or(value, SV_EMPTY));
	}
	return true;
}

static struct sv keyring_fingerprint(struct sv secrets, struct arena *arena)
{
	defer(str_clear) struct str hex = STR_INIT;
	struct digest digest = sha256(secrets);

	hex_encode(&hex, sv_slice(digest_sv(&digest), 0, FINGERPRINT_BYTES));
	return arena_dup(arena, sv_of(&hex));
}

/* --- the op --------------------------------------------------------------------------- */

static void keyring_run_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct keyring_run *r = owner;

	if (from == CHILD_OUT && r->act == KEYRING_LOOKUP)
		str_add(&r->text, bytes); /* capped by max_output */
}

/* Say once what is wrong. A desktop without secret-tool is nothing to talk about, unless tokens are there. */
static void keyring_run_fail(struct keyring_run *r, const struct err *why)
{
	struct auth_keyring *keyring = r->opts->keyring;
	defer(str_clear) struct str text = STR_INIT;
	bool is_absent = why->kind == ERR_NOT_FOUND && r->act != KEYRING_LOOKUP;

	keyring->rests_until_ms = loop_wall(r->opts->loop) + KEYRING_REST_MS;
	if (r->act == KEYRING_STORE)
		keyring->cannot_store = true;
	log_info("keyring: %s", why->text);
	if (is_absent || keyring->has_notified)
		return;
	keyring->has_notified = true;
	str_addf(&text, "The keyring cannot be used (%s)%s", why->text,
		 r->act == KEYRING_STORE
			 ? "; tokens of MCP servers are in .credentials.json instead."
		 : r->act == KEYRING_LOOKUP ? "; tokens of MCP servers in it are not available."
					    : "; tokens of MCP servers may be left in it.");
	if (r->opts->notice)
		r->opts->notice(r->opts->arg, str_c(&text));
}

static bool keyring_run_take(struct keyring_run *r, struct err *err)
{
	if (r->act == KEYRING_LOOKUP && !keyring_read(sv_of(&r->text), r->arena, r->entry, err))
		return false;
	if (r->act == KEYRING_STORE)
		r->entry->fingerprint = keyring_fingerprint(sv_of(&r->text), r->arena);
	r->opts->keyring->rests_until_ms = 0;
	if (r->entry)
		keyring_remember(r->opts->keyring, r);
	return true;
}

static void keyring_run_on_ended(struct op *op, void *owner, const struct err *why)
{
	struct keyring_run *r = owner;
	struct err err = ERR_INIT;

	r->child = NULL;
	if (why)
		err = *why;
	else if (child_result(op).code != 0 && r->act != KEYRING_CLEAR) /* 1: there was nothing */
		err_set(&err, ERR_ACCESS, "secret-tool exited with status %d",
			child_result(op).code);
	else
		(void)!keyring_run_take(r, &err);
	if (err.kind != ERR_NONE && err.kind != ERR_CANCELLED)
		keyring_run_fail(r, &err);
	op_finish(&r->op, err.kind == ERR_CANCELLED ? &err : NULL);
}

static void keyring_run_cancel(struct op *op)
{
	op_cancel(container_of(op, struct keyring_run, op)->child);
}

static void keyring_run_free(struct op *op)
{
	struct keyring_run *r = container_of(op, struct keyring_run, op);

	if (r->text.len)
		explicit_bzero(r->text.ptr, r->text.len);
	str_clear(&r->text);
	free(r);
}

static const struct op_type keyring_run_type = { .name = "keyring",
						 .cancel = keyring_run_cancel,
						 .free = keyring_run_free };

static struct keyring_run *keyring_run_new(const struct mcp_auth_opts *opts, enum keyring_act act,
					   const char *key, struct then then)
{
	struct keyring_run *r = xnew(struct keyring_run);

	op_init(&r->op, &keyring_run_type, opts->loop, then);
	r->opts = opts;
	r->act = act;
	r->key = key;
	return r;
}

static struct op *keyring_run_start(struct keyring_run *r)
{
	static const char *const words[][4] = {
		[KEYRING_LOOKUP] = { "lookup" },
		[KEYRING_STORE] = { "store", "--label=awl: tokens of an MCP server" },
		[KEYRING_CLEAR] = { "clear" },
	};
	const char *argv[10] = { "secret-tool" };
	size_t n = 1;

	for (size_t i = 0; words[r->act][i]; i++)
		argv[n++] = words[r->act][i];
	argv[n++] = "service";
	argv[n++] = "awl-mcp";
	argv[n++] = "account";
	argv[n++] = r->key;
	r->child = child_start(
		r->opts->loop,
		&(struct child_opts){ .argv = argv,
				      .env = r->opts->env,
				      .cwd = "/",
				      .input = r->act == KEYRING_STORE ? sv_of(&r->text) : SV_EMPTY,
				      .max_output = LIMIT_MCP_METADATA,
				      .deadline_ms = KEYRING_MS,
				      .grace_ms = KEYRING_GRACE_MS,
				      .on_data = keyring_run_on_data },
		THEN(keyring_run_on_ended, r));
	return &r->op;
}

struct op *auth_keyring_load_start(const struct mcp_auth_opts *opts, const char *key,
				   struct arena *arena, struct auth_entry *entry, struct then then)
{
	struct keyring_known *known = keyring_find(opts->keyring, key);
	struct err ignored = ERR_INIT;
	struct keyring_run *r;

	if (!entry->fingerprint.len)
		return NULL;
	if (known && sv_eq(sv_cstr(known->fingerprint), entry->fingerprint) &&
	    keyring_read(sv_of(&known->secrets), arena, entry, &ignored))
		return NULL;
	if (loop_wall(opts->loop) < opts->keyring->rests_until_ms)
		return NULL;
	r = keyring_run_new(opts, KEYRING_LOOKUP, key, then);
	r->arena = arena;
	r->entry = entry;
	return keyring_run_start(r);
}

struct op *auth_keyring_store_start(const struct mcp_auth_opts *opts, const char *key,
				    struct arena *arena, struct auth_entry *entry, struct then then)
{
	struct keyring_run *r = keyring_run_new(opts, KEYRING_STORE, key, then);

	r->arena = arena;
	r->entry = entry;
	entry->fingerprint = SV_EMPTY;
	keyring_write(&r->text, entry);
	if (r->text.len <= KEYRING_SECRET_MAX)
		return keyring_run_start(r);
	op_finish(&r->op, NULL); /* these go to the file */
	return &r->op;
}

struct op *auth_keyring_clear_start(const struct mcp_auth_opts *opts, const char *key,
				    struct then then)
{
	return keyring_run_start(keyring_run_new(opts, KEYRING_CLEAR, key, then));
}

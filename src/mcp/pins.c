#include "mcp/pins.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "store/config_lock.h"
#include "sys/fs.h"
#include "sys/work.h"
#include "text/digest.h"
#include "text/hex.h"
#include "text/json/json_write.h"

enum { PIN_ABOUT = 120, PIN_HASH_BYTES = MCP_PIN_HASH / 2, PIN_KEY_BYTES = 16 };

/* --- pins -------------------------------------------------------------------------------------- */

static void mcp_pin_free(struct mcp_pin *pin)
{
	if (pin)
		free(pin->about);
	free(pin);
}

void mcp_pins_clear(struct mcp_pins *pins)
{
	struct sv name;
	void *pin;

	for (size_t i = 0; map_next(&pins->map, &i, &name, &pin);)
		mcp_pin_free(pin);
	map_clear(&pins->map);
}

static void mcp_pins_set(struct mcp_pins *pins, struct sv name, struct sv hash, struct sv about)
{
	struct mcp_pin *pin = xnew(struct mcp_pin);

	snprintf(pin->hash, sizeof(pin->hash), "%.*s", SV_ARG(hash));
	pin->about = sv_dup(utf8_prefix(about, PIN_ABOUT));
	mcp_pin_free(map_put(&pins->map, name, pin));
}

static void mcp_pin_hash(struct str *out, const struct mcp_tool *tool)
{
	struct sha256 hash;
	struct digest digest;

	sha256_init(&hash);
	sha256_add(&hash, sv_from(tool->page, strlen(tool->page) + 1));
	sha256_add(&hash, sv_cstr(tool->schema));
	digest = sha256_end(&hash);
	hex_encode(out, sv_slice(digest_sv(&digest), 0, PIN_HASH_BYTES));
}

const struct mcp_pin *mcp_pins_differ(const struct mcp_pins *pins, const struct mcp_tool *tool)
{
	const struct mcp_pin *pin = map_get(&pins->map, sv_cstr(tool->name));
	defer(str_clear) struct str hash = STR_INIT;

	mcp_pin_hash(&hash, tool);
	return pin && !sv_is(sv_of(&hash), pin->hash) ? pin : NULL;
}

bool mcp_pins_put(struct mcp_pins *pins, const struct mcp_tool *tool)
{
	const struct mcp_pin *pin = map_get(&pins->map, sv_cstr(tool->name));
	defer(str_clear) struct str hash = STR_INIT;

	mcp_pin_hash(&hash, tool);
	if (pin && sv_is(sv_of(&hash), pin->hash))
		return false;
	mcp_pins_set(pins, sv_cstr(tool->name), sv_of(&hash), sv_cstr(tool->page));
	return true;
}

/* --- the file ---------------------------------------------------------------------------------- */

/* The name of the server and a hash of its entry, which may contain secrets. */
static void mcp_pins_key(struct str *out, const struct mcp_config *server)
{
	struct digest digest = sha256(server->source);

	str_addf(out, "%s|", server->name);
	hex_encode(out, sv_slice(digest_sv(&digest), 0, PIN_KEY_BYTES / 2));
}

static struct json_doc *mcp_pins_read(const char *file, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err why = ERR_INIT;
	struct json_doc *doc;

	if (!fs_read(&text, file, LIMIT_MCP_PINS, &why)) {
		if (why.kind == ERR_NOT_FOUND)
			return json_parse(SV("{}"), 0, err);
		*err = why;
		return NULL;
	}
	doc = json_parse(sv_of(&text), 0, err);
	if (!doc)
		err_context(err, "%s", file);
	return doc;
}

bool mcp_pins_load(struct mcp_pins *pins, const char *file, const struct mcp_config *server,
		   struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = mcp_pins_read(file, err);
	defer(str_clear) struct str key = STR_INIT;
	struct json_iter it;
	struct json entry;
	struct sv name;

	if (!doc)
		return false;
	mcp_pins_key(&key, server);
	for (it = json_each(json_get_sv(json_root(doc), sv_of(&key)));
	     it.keyed && json_next(&it, &name, &entry);)
		mcp_pins_set(pins, name, json_str_or(json_get(entry, "hash"), SV_EMPTY),
			     json_str_or(json_get(entry, "about"), SV_EMPTY));
	return true;
}

/* A table on its way to the file. */
struct pins_save {
	struct op op;
	struct op *work;
	char *file;
	struct str key, table; /* the table as JSON */
};

/* All servers of the file with ours replaced. If that is too much, the others are forgotten. */
static void pins_save_merge(const struct pins_save *save, struct json old, struct str *out)
{
	struct json_iter it = json_each(old);
	struct json value;
	struct sv key;
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_key(&w, sv_of(&save->key));
	jw_raw(&w, sv_of(&save->table));
	while (it.keyed && out->len < LIMIT_MCP_PINS / 2 && json_next(&it, &key, &value)) {
		if (sv_eq(key, sv_of(&save->key)))
			continue;
		jw_key(&w, key);
		jw_value(&w, value);
	}
	jw_end(&w);
	jw_done(&w);
	str_addc(out, '\n');
}

/* On a worker thread. */
static bool pins_save_run(void *arg, struct err *err)
{
	struct pins_save *save = arg;
	size_t slash = sv_rfind_char(sv_cstr(save->file), '/');
	defer(str_clear) struct str dir = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	defer(fs_unlockp) struct fs_lock *lock = NULL;
	defer(json_doc_freep) struct json_doc *old = NULL;

	str_add(&dir, sv_slice(sv_cstr(save->file), 0, slash));
	if (!fs_mkdirs(str_c(&dir), 0700, err))
		return false;
	lock = config_lock_take(str_c(&dir), err);
	if (!lock)
		return false;
	old = mcp_pins_read(save->file, err);
	if (!old)
		return false;
	pins_save_merge(save, json_root(old), &text);
	return fs_write(save->file, sv_of(&text), (struct fs_write){ .mode = 0600 }, err);
}

static void pins_save_on_work(__attribute__((unused)) struct op *op, void *owner,
			      const struct err *why)
{
	struct pins_save *save = owner;

	save->work = NULL;
	op_finish(&save->op, why);
}

static void pins_save_cancel(struct op *op)
{
	op_cancel(container_of(op, struct pins_save, op)->work);
}

static void pins_save_free(struct op *op)
{
	struct pins_save *save = container_of(op, struct pins_save, op);

	free(save->file);
	str_clear(&save->key);
	str_clear(&save->table);
	free(save);
}

static const struct op_type pins_save_type = { .name = "MCP pins",
					       .cancel = pins_save_cancel,
					       .free = pins_save_free };

static void mcp_pins_write(struct str *out, const struct mcp_pins *pins)
{
	struct sv name;
	void *value;
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	for (size_t i = 0; map_next(&pins->map, &i, &name, &value);) {
		const struct mcp_pin *pin = value;

		jw_key(&w, name);
		jw_object(&w);
		jw_put_str(&w, "hash", sv_cstr(pin->hash));
		jw_put_str(&w, "about", sv_cstr(pin->about));
		jw_end(&w);
	}
	jw_end(&w);
	jw_done(&w);
}

struct op *mcp_pins_save_start(struct loop *loop, const char *file, const struct mcp_pins *pins,
			       const struct mcp_config *server, struct then then)
{
	struct pins_save *save = xnew(struct pins_save);

	op_init(&save->op, &pins_save_type, loop, then);
	save->file = xstrdup(file);
	mcp_pins_key(&save->key, server);
	mcp_pins_write(&save->table, pins);
	save->work = work_start(loop, pins_save_run, save, THEN(pins_save_on_work, save));
	return &save->op;
}

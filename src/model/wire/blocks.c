#include "model/wire/blocks.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "text/json/json_halves.h"
#include "text/json/json_span.h"

/* Members of one block that may grow. Only an attack has more. */
enum { MOST_MEMBERS = 16 };

/* How the pieces of a member make its value. */
enum growth {
	GROWTH_TEXT, /* a string: the pieces, still to be escaped */
	GROWTH_JSON, /* any value: its text */
	GROWTH_LIST, /* an array: its elements, with the commas between */
};

struct member {
	struct str name; /* may hold NUL bytes, as everything in JSON may */
	enum growth growth;
	struct str bytes;
};

struct block {
	enum model_block type;
	struct str json; /* as it began */
	struct member members[MOST_MEMBERS];
	size_t nmembers;
	struct str half; /* the start of an incomplete character */
	struct json_halves halves;
	size_t size; /* bytes in all of these */
};

struct slot {
	struct block *block; /* NULL: not open */
	bool used;
};

struct blocks {
	wire_event_fn *emit;
	void *arg;
	struct slot *slots; /* by index */
	size_t nslots, nopen;
	size_t size; /* bytes in all open blocks */
	struct json_pool pool;
	struct model_event
		piece; /* the last event; reused because most of its fields are always zero */
};

struct blocks *blocks_new(wire_event_fn *emit, void *arg)
{
	struct blocks *blocks = xnew(struct blocks);

	blocks->emit = emit;
	blocks->arg = arg;
	return blocks;
}

static void block_clear_members(struct block *block)
{
	for (size_t i = 0; i < block->nmembers; i++) {
		str_clear(&block->members[i].name);
		str_clear(&block->members[i].bytes);
	}
	block->nmembers = 0;
}

static void block_free(struct block *block)
{
	if (!block)
		return;
	block_clear_members(block);
	str_clear(&block->json);
	str_clear(&block->half);
	json_halves_clear(&block->halves);
	free(block);
}

void blocks_free(struct blocks *blocks)
{
	if (!blocks)
		return;
	for (size_t i = 0; i < blocks->nslots; i++)
		block_free(blocks->slots[i].block);
	free(blocks->slots);
	json_pool_clear(&blocks->pool);
	free(blocks);
}

size_t blocks_open(const struct blocks *blocks)
{
	return blocks->nopen;
}

static enum model_block blocks_type_of(struct sv name)
{
	static const char *const names[] = {
		[MODEL_BLOCK_TEXT] = "text",
		[MODEL_BLOCK_THINKING] = "thinking",
		[MODEL_BLOCK_REDACTED_THINKING] = "redacted_thinking",
		[MODEL_BLOCK_TOOL_USE] = "tool_use",
		[MODEL_BLOCK_SERVER_TOOL_USE] = "server_tool_use",
	};

	for (size_t i = 0; i < countof(names); i++)
		if (sv_is(name, names[i]))
			return (enum model_block)i;
	return MODEL_BLOCK_OTHER;
}

static void blocks_emit(struct blocks *blocks, enum model_event_kind kind, size_t index,
			struct sv text)
{
	struct model_event *event = &blocks->piece;

	if (!text.len)
		return;
	event->kind = kind;
	event->index = index;
	event->text = text;
	event->block = blocks->slots[index].block->type;
	blocks->emit(blocks->arg, event);
}

/* Counts bytes that are about to be kept. */
static bool blocks_reserve(struct blocks *blocks, struct block *block, size_t bytes,
			   struct err *err)
{
	if (bytes > LIMIT_MODEL_OPEN - blocks->size)
		return err_set(err, ERR_TOO_BIG,
			       "the content blocks of the response exceed %zu MiB",
			       LIMIT_MODEL_OPEN / MIB);
	blocks->size += bytes;
	block->size += bytes;
	return true;
}

/* The start of a block. */

static bool blocks_claim(struct blocks *blocks, size_t index, struct err *err)
{
	if (index >= LIMIT_MODEL_BLOCKS)
		return err_set(err, ERR_TOO_BIG, "block %zu exceeds the limit of %d blocks", index,
			       LIMIT_MODEL_BLOCKS);
	if (index >= blocks->nslots) {
		blocks->slots = xrealloc(blocks->slots, index + 1, sizeof(*blocks->slots));
		memset(blocks->slots + blocks->nslots, 0,
		       (index + 1 - blocks->nslots) * sizeof(*blocks->slots));
		blocks->nslots = index + 1;
	}
	if (blocks->slots[index].used)
		return err_set(err, ERR_PROTOCOL, "block %zu was started twice", index);
	return true;
}

/* Emits what the block contains from the beginning. An empty input is not worth an event: either it
 * arrives in pieces, or it stays empty. */
static bool blocks_emit_initial(struct blocks *blocks, size_t index, struct sv json,
				struct json block, struct err *err)
{
	struct json input = json_get(block, "input");
	struct json_span span;

	blocks_emit(blocks, MODEL_TEXT, index, json_str_or(json_get(block, "text"), SV_EMPTY));
	blocks_emit(blocks, MODEL_THINKING, index,
		    json_str_or(json_get(block, "thinking"), SV_EMPTY));
	blocks_emit(blocks, MODEL_SIGNATURE, index,
		    json_str_or(json_get(block, "signature"), SV_EMPTY));
	if (!json_is(input, JSON_OBJECT) || json_len(input) == 0)
		return true;
	if (!json_span_find(json, JSON_STEPS(SV("input")), &span, err))
		return false;
	blocks_emit(blocks, MODEL_INPUT, index, json_span_sv(json, span));
	return true;
}

bool blocks_start(struct blocks *blocks, size_t index, struct sv json, struct err *err)
{
	struct model_event event = { .kind = MODEL_BLOCK_START, .index = index, .json = json };
	struct json root;
	struct block *block;
	struct sv type;

	if (!json_parse_in(&blocks->pool, json, 0, &root, err))
		return err_context(err, "block %zu", index);
	if (!json_str(json_get(root, "type"), &type))
		return err_set(err, ERR_PROTOCOL, "block %zu has no type", index);
	if (!blocks_claim(blocks, index, err))
		return false;
	block = xnew(struct block);
	blocks->slots[index] = (struct slot){ .block = block, .used = true };
	blocks->nopen++;
	if (!blocks_reserve(blocks, block, json.len, err))
		return false;
	block->type = blocks_type_of(type);
	str_add(&block->json, json);
	event.block = block->type;
	event.name = json_str_or(json_get(root, "name"), SV_EMPTY);
	event.id = json_str_or(json_get(root, "id"), SV_EMPTY);
	blocks->emit(blocks->arg, &event);
	return blocks_emit_initial(blocks, index, json, root, err);
}

/* Deltas. */

static struct block *blocks_find_open(struct blocks *blocks, size_t index, const char *what,
				      struct err *err)
{
	if (index < blocks->nslots && blocks->slots[index].block)
		return blocks->slots[index].block;
	err_set(err, ERR_PROTOCOL, "received %s for block %zu, which is not open", what, index);
	return NULL;
}

/* Returns the block if it can have a delta of this kind. */
static struct block *blocks_find_fit(struct blocks *blocks, size_t index, unsigned types,
				     const char *what, struct err *err)
{
	struct block *block = blocks_find_open(blocks, index, what, err);

	if (block && block->type != MODEL_BLOCK_OTHER && !(types & 1u << block->type)) {
		err_set(err, ERR_PROTOCOL, "received %s for block %zu, which cannot have one", what,
			index);
		return NULL;
	}
	return block;
}

/* Loads the initial value of a member that begins to grow. */
static bool blocks_load_initial(struct blocks *blocks, struct block *block, struct member *member,
				struct err *err)
{
	struct sv json = sv_of(&block->json), name = sv_of(&member->name);
	struct json root;
	struct json_span span;

	if (member->growth == GROWTH_JSON)
		return true; /* the pieces replace it */
	if (!json_parse_in(&blocks->pool, json, 0, &root, err))
		return false;
	root = json_get_sv(root, name);
	if (member->growth == GROWTH_TEXT) {
		str_add(&member->bytes, json_str_or(root, SV_EMPTY));
	} else if (member->growth == GROWTH_LIST && json_len(root) && json_is(root, JSON_ARRAY)) {
		if (!json_span_find(json, JSON_STEPS(name), &span, err))
			return false;
		str_add(&member->bytes, sv_trim(sv_slice(json, span.from + 1, span.to - 1)));
	}
	return blocks_reserve(blocks, block, member->bytes.len, err);
}

static struct member *blocks_find_member(struct block *block, struct sv name)
{
	for (size_t i = 0; i < block->nmembers; i++)
		if (sv_eq(name, sv_of(&block->members[i].name)))
			return &block->members[i];
	return NULL;
}

static struct member *blocks_grow(struct blocks *blocks, struct block *block, struct sv name,
				  enum growth growth, struct err *err)
{
	struct member *member = blocks_find_member(block, name);

	if (member && member->growth == growth)
		return member;
	if (member || block->nmembers == MOST_MEMBERS) {
		err_set(err, ERR_PROTOCOL, "a delta for \"%.*s\" does not fit its block",
			SV_ARG(sv_slice(name, 0, 80)));
		return NULL;
	}
	if (!blocks_reserve(blocks, block, name.len, err))
		return NULL;
	member = &block->members[block->nmembers++];
	str_add(&member->name, name);
	member->growth = growth;
	return blocks_load_initial(blocks, block, member, err) ? member : NULL;
}

static bool blocks_keep(struct blocks *blocks, struct block *block, struct sv name,
			enum growth growth, struct sv piece, struct err *err)
{
	struct member *member = blocks_grow(blocks, block, name, growth, err);

	if (!member || !blocks_reserve(blocks, block, piece.len + 1, err))
		return false;
	if (growth == GROWTH_LIST && member->bytes.len)
		str_addc(&member->bytes, ',');
	str_add(&member->bytes, piece);
	return true;
}

/* Returns the number of bytes at the end that start a character without completing it. */
static size_t blocks_half_character(struct sv s)
{
	size_t n = 1, length;
	unsigned char lead;
	uint32_t rune;

	while (n < 3 && n < s.len && ((unsigned char)s.ptr[s.len - n] & 0xc0) == 0x80)
		n++;
	if (n > s.len)
		return 0;
	lead = (unsigned char)s.ptr[s.len - n];
	length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
	return n < length && utf8_decode(sv_skip(s, s.len - n), &rune) == -(int)n ? n : 0;
}

static bool blocks_keep_and_emit(struct blocks *blocks, size_t index, struct sv name,
				 enum model_event_kind kind, struct sv piece, struct err *err)
{
	if (!blocks_keep(blocks, blocks->slots[index].block, name, GROWTH_TEXT, piece, err))
		return false;
	blocks_emit(blocks, kind, index, piece);
	return true;
}

/* Adds whole characters. Malformed ones are replaced, as they will be shown. */
static bool blocks_add_characters(struct blocks *blocks, size_t index, struct sv name,
				  enum model_event_kind kind, struct sv piece, struct err *err)
{
	defer(str_clear) struct str repaired = STR_INIT;

	if (utf8_valid(piece, NULL))
		return blocks_keep_and_emit(blocks, index, name, kind, piece, err);
	utf8_repair(&repaired, piece);
	return blocks_keep_and_emit(blocks, index, name, kind, sv_of(&repaired), err);
}

/* Joins the pending half character and the piece, and keeps a new half at its end. */
static bool blocks_add_halves(struct blocks *blocks, size_t index, struct sv name,
			      enum model_event_kind kind, struct sv piece, struct err *err)
{
	struct block *block = blocks->slots[index].block;
	defer(str_clear) struct str joined = block->half;
	size_t whole;

	block->half = (struct str)STR_INIT;
	str_add(&joined, piece);
	whole = joined.len - blocks_half_character(sv_of(&joined));
	str_add(&block->half, sv_skip(sv_of(&joined), whole));
	return blocks_add_characters(blocks, index, name, kind, sv_slice(sv_of(&joined), 0, whole),
				     err);
}

static bool blocks_add_text(struct blocks *blocks, size_t index, struct sv name,
			    enum model_event_kind kind, struct sv piece, struct err *err)
{
	struct block *block = blocks->slots[index].block;
	bool pending = block->half.len || block->halves.high;

	if (!pending && utf8_valid(piece, NULL)) /* nearly always */
		return blocks_keep_and_emit(blocks, index, name, kind, piece, err);
	piece = json_halves_feed(&block->halves, piece);
	if (block->half.len || blocks_half_character(piece))
		return blocks_add_halves(blocks, index, name, kind, piece, err);
	return blocks_add_characters(blocks, index, name, kind, piece, err);
}

bool blocks_text(struct blocks *blocks, size_t index, struct sv piece, struct err *err)
{
	return blocks_find_fit(blocks, index, 1u << MODEL_BLOCK_TEXT, "text", err) &&
	       blocks_add_text(blocks, index, SV("text"), MODEL_TEXT, piece, err);
}

bool blocks_thinking(struct blocks *blocks, size_t index, struct sv piece, struct err *err)
{
	return blocks_find_fit(blocks, index, 1u << MODEL_BLOCK_THINKING, "thinking", err) &&
	       blocks_add_text(blocks, index, SV("thinking"), MODEL_THINKING, piece, err);
}

bool blocks_signature(struct blocks *blocks, size_t index, struct sv piece, struct err *err)
{
	return blocks_find_fit(blocks, index, 1u << MODEL_BLOCK_THINKING, "a signature", err) &&
	       blocks_add_characters(blocks, index, SV("signature"), MODEL_SIGNATURE, piece, err);
}

bool blocks_input(struct blocks *blocks, size_t index, struct sv piece, struct err *err)
{
	unsigned types = 1u << MODEL_BLOCK_TOOL_USE | 1u << MODEL_BLOCK_SERVER_TOOL_USE;
	struct block *block = blocks_find_fit(blocks, index, types, "a tool's input", err);

	if (!block)
		return false;
	piece = json_halves_feed(&block->halves, piece);
	if (!blocks_keep(blocks, block, SV("input"), GROWTH_JSON, piece, err))
		return false;
	blocks_emit(blocks, MODEL_INPUT, index, piece);
	return true;
}

bool blocks_append(struct blocks *blocks, size_t index, struct sv member, struct sv json,
		   struct err *err)
{
	struct block *block = blocks_find_open(blocks, index, "an element", err);

	return block && blocks_keep(blocks, block, member, GROWTH_LIST, json, err);
}

bool blocks_extend(struct blocks *blocks, size_t index, struct sv member, struct sv piece,
		   struct err *err)
{
	struct block *block = blocks_find_open(blocks, index, "a delta", err);

	if (sv_is(member, "type") || sv_is(member, "input"))
		return err_set(err, ERR_PROTOCOL, "a delta for the \"%.*s\" of block %zu",
			       SV_ARG(member), index);
	if (!block || !blocks_keep(blocks, block, member, GROWTH_TEXT, piece, err))
		return false;
	if (sv_is(member, "text"))
		blocks_emit(blocks, MODEL_TEXT, index, piece);
	else if (sv_is(member, "thinking"))
		blocks_emit(blocks, MODEL_THINKING, index, piece);
	return true;
}

bool blocks_become_thinking(struct blocks *blocks, size_t index, struct err *err)
{
	struct block *block =
		blocks_find_fit(blocks, index, 1u << MODEL_BLOCK_TEXT, "a change", err);
	struct member *text = block ? blocks_find_member(block, SV("text")) : NULL;

	if (!block)
		return false;
	block->type = MODEL_BLOCK_THINKING;
	str_set(&block->json, BLOCKS_EMPTY_THINKING);
	if (text)
		str_set(&text->name, SV("thinking"));
	return true;
}

/* The end. */

static void blocks_write_value(struct str *out, const struct member *member)
{
	struct jw w;

	switch (member->growth) {
	case GROWTH_TEXT:
		jw_init(&w, out, JW_COMPACT);
		jw_str(&w, sv_of(&member->bytes));
		return;
	case GROWTH_JSON: str_add(out, sv_of(&member->bytes)); return;
	case GROWTH_LIST:
		str_addc(out, '[');
		str_add(out, sv_of(&member->bytes));
		str_addc(out, ']');
		return;
	}
}

/* Appends the members that the block did not have from the beginning. */
static void blocks_write_new(struct str *out, const struct block *block, const bool *written)
{
	struct jw w;

	for (size_t i = 0; i < block->nmembers; i++) {
		if (written[i])
			continue;
		str_addc(out, ',');
		jw_init(&w, out, JW_COMPACT);
		jw_str(&w, sv_of(&block->members[i].name));
		str_addc(out, ':');
		blocks_write_value(out, &block->members[i]);
	}
}

/* Copies the block's initial JSON with the members that grew replaced. */
static bool blocks_write_block(struct str *out, const struct block *block, struct err *err)
{
	struct sv json = sv_of(&block->json);
	bool written[MOST_MEMBERS] = { false };
	struct json_span_iter it;
	struct json_item item;
	size_t at = 0;

	if (!json_span_each(&it, json, JSON_SPAN_ALL(json), err))
		return false;
	while (json_span_next(&it, &item, err) && !it.done) {
		str_add(out, sv_slice(json, at, item.value.from));
		at = item.value.from;
		for (size_t i = 0; i < block->nmembers; i++) {
			if (!json_span_key_is(json, item.key, sv_of(&block->members[i].name)))
				continue;
			blocks_write_value(out, &block->members[i]);
			written[i] = true;
			at = item.value.to;
		}
		str_add(out, sv_slice(json, at, item.value.to));
		at = item.value.to;
	}
	blocks_write_new(out, block, written);
	str_add(out, sv_skip(json, at));
	return it.done;
}

/* Takes an input that is not an object out of the block and returns it. If all pieces were blank, the
 * input stays empty. */
static struct sv blocks_take_bad_input(struct block *block, struct str *taken)
{
	struct member *input = blocks_find_member(block, SV("input"));
	struct json_span span;
	struct sv text;

	if (!input || input->growth != GROWTH_JSON)
		return SV_EMPTY;
	text = sv_trim(sv_of(&input->bytes));
	if (sv_starts(text, SV("{")) && json_span_root(text, &span, &(struct err)ERR_INIT))
		return SV_EMPTY;
	if (text.len) {
		*taken = input->bytes;
		input->bytes = (struct str)STR_INIT;
	} else {
		str_truncate(&input->bytes, 0);
	}
	str_adds(&input->bytes, "{}");
	return sv_of(taken);
}

/* Replaces a character that was never finished. Half a character at the end of an input cuts a
 * string, so that input is malformed anyway. */
static bool blocks_flush_half(struct blocks *blocks, size_t index, struct err *err)
{
	struct block *block = blocks->slots[index].block;
	bool text = blocks_find_member(block, SV("text"));
	defer(str_clear) struct str half = block->half;

	block->half = (struct str)STR_INIT;
	if (!blocks_find_member(block, SV("input")))
		str_add(&half, json_halves_end(&block->halves));
	return half.len == 0 ||
	       blocks_add_characters(blocks, index, text ? SV("text") : SV("thinking"),
				     text ? MODEL_TEXT : MODEL_THINKING, sv_of(&half), err);
}

bool blocks_stop(struct blocks *blocks, size_t index, struct err *err)
{
	struct block *block = blocks_find_open(blocks, index, "the end", err);
	struct model_event event = { .kind = MODEL_BLOCK_STOP, .index = index };
	defer(str_clear) struct str bad = STR_INIT, out = STR_INIT;

	if (!block || !blocks_flush_half(blocks, index, err))
		return false;
	event.block = block->type;
	event.text = blocks_take_bad_input(block, &bad);
	event.json = sv_of(&block->json);
	if (block->nmembers) {
		str_reserve(&out, block->json.len +
					  block->size); /* it may be large: do not grow by half */
		if (!blocks_write_block(&out, block, err))
			return false;
		event.json = sv_of(&out);
		block_clear_members(block);
	}
	blocks->emit(blocks->arg, &event);
	blocks->size -= block->size;
	blocks->nopen--;
	blocks->slots[index].block = NULL;
	block_free(block);
	return true;
}

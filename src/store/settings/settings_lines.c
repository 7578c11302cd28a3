/* Lines and columns of all values. One pass finds all of them when the first is needed: a search
 * for each would take as long. */
#include "base/map.h"
#include "store/settings/settings_file.h"

struct settings_lines {
	struct map by_path; /* to struct settings_spot, packed into a number */
	bool built;
};

struct settings_lines *settings_lines_new(void)
{
	return xnew(struct settings_lines);
}

void settings_lines_free(struct settings_lines *lines)
{
	if (lines)
		map_clear(&lines->by_path);
	free(lines);
}

struct build {
	struct map *lines;
	struct sv text;
	struct str path;        /* steps, each ended by a line break */
	struct str name;        /* the same, dotted */
	struct json_pool key;   /* for reading keys */
	size_t at, line, start; /* current line, and where it starts */
};

/* A file has fewer than 2^32 bytes. */
static void *settings_lines_pack(struct settings_spot spot)
{
	return (void *)(uintptr_t)(spot.line << 32 | spot.column);
}

static struct settings_spot settings_lines_unpack(void *packed)
{
	uintptr_t n = (uintptr_t)packed;

	return (struct settings_spot){ n >> 32, n & UINT32_MAX };
}

static void settings_lines_visit(struct build *b, struct json_span object, bool is_map);

static void settings_lines_visit_member(struct build *b, struct json_item item, struct sv key,
					bool is_map)
{
	size_t path = b->path.len, name = b->name.len;
	const struct setting *row;

	for (; b->at < item.value.from; b->at++) {
		if (b->text.ptr[b->at] != '\n')
			continue;
		b->line++;
		b->start = b->at + 1;
	}
	str_add(&b->path, key);
	str_addc(&b->path, '\n');
	if (name)
		str_addc(&b->name, '.');
	str_add(&b->name, key);
	map_put(b->lines, sv_of(&b->path),
		settings_lines_pack(
			(struct settings_spot){ b->line, item.value.from - b->start + 1 }));
	row = is_map ? NULL : setting_find(sv_of(&b->name));
	if (row && row->type & (SETTING_OBJECT | SETTING_MAP) &&
	    b->text.ptr[item.value.from] == '{')
		settings_lines_visit(b, item.value, !(row->type & SETTING_OBJECT));
	str_truncate(&b->path, path);
	str_truncate(&b->name, name);
}

/* Visits objects as deep as the table has rows, and maps. */
static void settings_lines_visit(struct build *b, struct json_span object, bool is_map)
{
	struct json_span_iter it;
	struct json_item item;
	struct json key;
	struct err ignored = ERR_INIT;

	if (!json_span_each(&it, b->text, object, &ignored))
		return;
	while (json_span_next(&it, &item, &ignored) && !it.done)
		if (json_parse_in(&b->key, json_span_sv(b->text, item.key), 0, &key, &ignored))
			settings_lines_visit_member(b, item, json_str_or(key, SV_EMPTY), is_map);
}

static void build(struct settings_lines *lines, struct sv text)
{
	struct build b = { .lines = &lines->by_path, .text = text, .line = 1 };

	settings_lines_visit(&b, JSON_SPAN_ALL(text), false);
	str_clear(&b.path);
	str_clear(&b.name);
	json_pool_clear(&b.key);
	lines->built = true;
}

struct settings_spot settings_file_spot(const struct settings_file *f, struct json_steps steps)
{
	defer(str_clear) struct str path = STR_INIT;

	if (!f->lines->built)
		build(f->lines, sv_of(&f->text));
	for (size_t i = 0; i < steps.n; i++) {
		str_add(&path, steps.at[i]);
		str_addc(&path, '\n');
	}
	return settings_lines_unpack(map_get(&f->lines->by_path, sv_of(&path)));
}

#include "extend/style_list.h"

#include "base/limits.h"
#include "extend/file_notes.h"
#include "extend/file_search.h"
#include "extend/meta.h"
#include "sys/fs.h"
#include "text/front_matter_repair.h"

/* Their files, embedded by the build. */
extern const char style_proactive_page[], style_concise_page[], style_explanatory_page[],
	style_learning_page[];

const char *style_source_name(enum style_source source)
{
	static const char *const names[] = {
		[STYLE_BUILTIN] = "built in", [STYLE_PLUGIN] = "plugin",   [STYLE_USER] = "user",
		[STYLE_PROJECT] = "project",  [STYLE_MANAGED] = "managed",
	};

	return names[source];
}

void style_list_clear(struct style_list *list)
{
	vec_clear(&list->styles);
	arena_clear(&list->arena);
	str_clear(&list->notes);
	*list = (struct style_list)STYLE_LIST_INIT;
}

const struct style *style_list_find(const struct style_list *list, struct sv name)
{
	for (size_t i = 0; i < list->styles.n; i++)
		if (sv_eq_nocase(list->styles.at[i].name, name))
			return &list->styles.at[i];
	return NULL;
}

const struct style *style_list_forced(const struct style_list *list)
{
	for (size_t i = 0; i < list->styles.n; i++)
		if (list->styles.at[i].is_forced)
			return &list->styles.at[i];
	return NULL;
}

static void style_list_note(struct style_list *list, struct sv path, const char *why)
{
	file_note(&(struct file_notes){ .out = &list->notes, .path = path }, 0,
		  "this output style is skipped: %s", why);
}

static void style_list_take_flag(bool *out, struct json meta, const char *key,
				 const struct file_notes *notes)
{
	struct json value = json_get(meta, key);

	if (json_exists(value) && !json_is(value, JSON_NULL) && !meta_flag(value, out))
		file_note_key(notes, sv_cstr(key), "\"%s\" must be true or false, so it is ignored",
			      key);
}

/* Keep the order: a style of a file takes the place of another one with its name, or one by its name
 * among the other files. */
static void style_list_add(struct style_list *list, const struct style *style)
{
	const struct style *other = style_list_find(list, style->name);
	size_t at = list->styles.n;

	if (other && !other->text.len) {
		style_list_note(list, style->path, "the default style cannot be replaced");
	} else if (other && other->source >= style->source) {
		if (other->source == style->source)
			style_list_note(list, style->path, "another file has the same name");
	} else if (other) {
		list->styles.at[other - list->styles.at] = *style;
	} else if (at < LIMIT_STYLES) {
		vec_push(&list->styles, *style);
		for (; at && style->source != STYLE_BUILTIN &&
		       list->styles.at[at - 1].source != STYLE_BUILTIN &&
		       sv_cmp(list->styles.at[at - 1].name, style->name) > 0;
		     at--)
			list->styles.at[at] = list->styles.at[at - 1];
		list->styles.at[at] = *style;
	}
}

/* The name of a file without its ending. */
static struct sv style_list_base(struct sv path)
{
	size_t slash = sv_rfind_char(path, '/');
	struct sv base = slash == SIZE_MAX ? path : sv_skip(path, slash + 1);

	return sv_slice(base, 0, base.len - strlen(".md"));
}

/* Read a file. `style` has its path and source. */
static void style_list_read(struct style_list *list, struct style *style, struct sv text)
{
	const struct file_notes file_notes = { &list->notes, style->path, text };
	struct arena *arena = &list->arena;
	struct front_matter front = { .body = text };
	struct err err = ERR_INIT;
	struct json meta;

	if (!front_matter_parse_kindly(&front, text, &err)) {
		file_note_err(&file_notes, "this output style is skipped", &err);
		return;
	}
	meta = json_root(front.meta);
	style->name = meta_line(meta, "name", " ", LIMIT_COMMAND_NAME, arena);
	if (!style->name.len)
		style->name = style_list_base(style->path);
	style->description = meta_line(meta, "description", " ", LIMIT_COMMAND_LINE, arena);
	style_list_take_flag(&style->keeps_coding, meta, "keep-coding-instructions", &file_notes);
	style_list_take_flag(&style->is_forced, meta, "force-for-plugin", &file_notes);
	style->is_forced = style->is_forced && style->source == STYLE_PLUGIN;
	style->text = arena_dup(arena, sv_trim(front.body));
	if (style->text.len)
		style_list_add(list, style);
	else
		style_list_note(list, style->path, "it has no text");
	front_matter_clear(&front);
}

void style_list_add_builtins(struct style_list *list)
{
	static const char *const pages[] = { style_proactive_page, style_concise_page,
					     style_explanatory_page, style_learning_page };
	struct style usual = { .name = SV("default"),
			       .description = SV("awl's own way"),
			       .keeps_coding = true };

	vec_push(&list->styles, usual);
	for (size_t i = 0; i < countof(pages); i++) {
		struct style style = { .source = STYLE_BUILTIN };

		style_list_read(list, &style, sv_cstr(pages[i]));
	}
	BUG_ON(list->styles.n != countof(pages) + 1);
}

/* --- files -------------------------------------------------------------------------------------- */

struct style_list_search {
	struct style_list *list;
	enum style_source source;
};

static bool style_list_found(void *arg, __attribute__((unused)) struct sv path, const char *real)
{
	struct style_list_search *s = arg;
	struct style style = { .source = s->source };
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	style.path = arena_dup(&s->list->arena, sv_cstr(real));
	if (fs_read(&text, real, LIMIT_STYLE_TEXT, &err))
		style_list_read(s->list, &style, sv_of(&text));
	else
		file_note_err(&(struct file_notes){ .out = &s->list->notes, .path = style.path },
			      "this output style is skipped", &err);
	return s->list->styles.n < LIMIT_STYLES;
}

static void style_list_skipped(void *arg, const char *path, const char *why)
{
	struct style_list_search *s = arg;

	style_list_note(s->list, sv_cstr(path), why);
}

static void style_list_search(struct style_list *list, const char *dir, const char *folder,
			      enum style_source source, struct sv inside)
{
	enum { DEPTH = 4 };
	struct style_list_search s = { .list = list, .source = source };
	const struct file_search search = { .inside = inside,
					    .depth = DEPTH,
					    .found = style_list_found,
					    .skipped = style_list_skipped,
					    .arg = &s };

	file_search_run(&search, dir, folder);
}

void style_list_add_dir(struct style_list *list, const char *dir, enum style_source source,
			struct sv inside)
{
	style_list_search(list, dir, "output-styles", source, inside);
}

void style_list_add_path(struct style_list *list, const char *path, enum style_source source,
			 struct sv inside)
{
	struct style_list_search s = { .list = list, .source = source };
	size_t slash = sv_rfind_char(sv_cstr(path), '/');
	defer(str_clear) struct str dir = STR_INIT;
	struct err ignored = ERR_INIT;
	struct fs_info info;

	str_add(&dir, sv_slice(sv_cstr(path), 0, slash));
	if (!fs_info(&info, path, true, &ignored))
		return;
	if (info.kind == FS_DIR)
		style_list_search(list, str_c(&dir), path + slash + 1, source, inside);
	else if (sv_ends(sv_cstr(path), SV(".md")))
		(void)style_list_found(&s, SV_EMPTY, path);
}

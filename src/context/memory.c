#include "context/memory.h"

#include "base/limits.h"
#include "base/mem.h"
#include "context/visible_text.h"
#include "sys/fs.h"
#include "text/front_matter.h"

extern const char memory_page[], agent_memory_page[];

enum { MAX_LINES = 200, MAX_BYTES = 25000, MAX_SHOWN = 150 };

/* --- for the model ------------------------------------------------------------------------------ */

/* The length of the first `n` lines. */
static size_t memory_lines(struct sv text, size_t n)
{
	struct sv rest = text, line;

	while (n > 0 && sv_cut_line(&rest, &line))
		n--;
	return text.len - rest.len;
}

void memory_cut(struct str *out, struct sv index)
{
	struct sv text = sv_trim(index), kept = sv_slice(text, 0, memory_lines(text, MAX_LINES));
	size_t end;

	if (kept.len > MAX_BYTES) {
		end = sv_rfind_char(sv_slice(kept, 0, MAX_BYTES), '\n');
		kept = sv_slice(kept, 0, end == SIZE_MAX ? MAX_BYTES : end);
	}
	str_add(out, sv_trim(kept));
	if (sv_trim(kept).len < text.len)
		str_adds(out,
			 "\n\n> WARNING: " MEMORY_INDEX
			 " is longer than 200 lines or 25,000 bytes, so the rest is not shown. "
			 "Keep its entries short, and move details to the topic files.");
}

static void memory_read(struct str *out, struct sv dir, struct sv name, size_t max)
{
	defer(str_clear) struct str path = STR_INIT, text = STR_INIT;
	struct err ignored = ERR_INIT;

	fs_join(&path, dir, name);
	if (fs_read(&text, path.ptr, max, &ignored))
		visible_text(out, sv_of(&text));
}

void memory_write(struct str *out, enum memory_kind kind, struct sv dir)
{
	static const char *const scopes[] = {
		[MEMORY_OF_PROJECT] = "",
		[MEMORY_OF_AGENT] =
			"It serves you in all projects of this user, so keep there only "
			"what is true in all of them. ",
		[MEMORY_OF_AGENT_SHARED] = "It is about this project and is committed with it, so "
					   "everybody who works on the project reads it. ",
		[MEMORY_OF_AGENT_PRIVATE] = "It is about this project and stays on this machine. ",
	};
	defer(str_clear) struct str index = STR_INIT;
	const char *page = kind == MEMORY_OF_PROJECT ? memory_page : agent_memory_page;

	memory_read(&index, dir, SV(MEMORY_INDEX), LIMIT_MEMORY_FILE);
	str_addf(out, "%.*s\n\n%sDirectory: %.*s\n", SV_ARG(sv_trim(sv_cstr(page))), scopes[kind],
		 SV_ARG(dir));
	if (!sv_trim(sv_of(&index)).len) {
		str_adds(out, "There is nothing in it yet.");
		return;
	}
	str_adds(out, MEMORY_INDEX " says:\n\n");
	memory_cut(out, sv_of(&index));
}

/* --- for people --------------------------------------------------------------------------------- */

struct memory_lister {
	struct str *out;
	struct sv dir;
	size_t n;
};

static void memory_put_meta(struct str *out, struct json meta, const char *key, const char *before)
{
	struct sv value = json_str_or(json_get(meta, key), SV_EMPTY);
	defer(str_clear) struct str line = STR_INIT;

	if (!value.len)
		return;
	visible_line(&line, sv_slice(value, 0, MAX_SHOWN));
	str_addf(out, "%s%s", before, str_c(&line));
}

static enum fs_visit memory_visit(void *arg, const struct fs_entry *entry)
{
	struct memory_lister *l = arg;
	defer(str_clear) struct str text = STR_INIT;
	struct front_matter front = { .body = SV_EMPTY };
	struct err ignored = ERR_INIT;

	if (entry->kind == FS_DIR)
		return FS_SKIP;
	if (entry->kind != FS_FILE || !sv_ends(entry->name, SV(".md")))
		return FS_GO_ON;
	if (l->n++ == LIMIT_MEMORY_TOPICS)
		return FS_STOP;
	memory_read(&text, l->dir, entry->name, LIMIT_MEMORY_FILE);
	str_addf(l->out, "\n  %.*s", SV_ARG(entry->name));
	if (front_matter_parse(&front, sv_of(&text), &ignored)) {
		memory_put_meta(l->out, json_root(front.meta), "type", ", ");
		memory_put_meta(l->out, json_root(front.meta), "description", ": ");
	}
	front_matter_clear(&front);
	return FS_GO_ON;
}

void memory_list(struct str *out, struct sv dir)
{
	struct memory_lister l = { .out = out, .dir = dir };
	defer(mem_freep) char *path = sv_dup(dir);
	struct err ignored = ERR_INIT;

	str_addf(out, "Memory of this project, in %.*s:", SV_ARG(dir));
	if (!fs_walk(path, memory_visit, &l, &ignored) || !l.n)
		str_adds(out, " nothing yet.");
}

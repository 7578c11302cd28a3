#include "extend/file_search.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/mem.h"
#include "sys/fs.h"

/* A folder that is being searched. */
struct file_search_folder {
	const struct file_search *search;
	struct sv root;   /* the folder, or where a link in it leads */
	struct sv prefix; /* the path of that link; empty: none */
	int links;        /* that were followed to get here */
	size_t *left;     /* entries that the whole search may still visit */
	bool is_over;
};

static void file_search_walk(struct file_search_folder *folder);

static void file_search_skip(const struct file_search *search, const char *path)
{
	search->skipped(search->arg, path, "it leads out of the project");
}

static void file_search_report(struct file_search_folder *f, struct sv path, const char *real)
{
	if (!sv_ends(path, SV(".md")))
		return;
	log_debug("found %s", real);
	f->is_over = !f->search->found(f->search->arg, path, real);
}

/* Whether the folder `real` contains `link`: what is below it has been or will be visited. */
static bool file_search_is_above(struct sv real, const char *link)
{
	defer(str_clear) struct str dir = STR_INIT, here = STR_INIT;
	struct err ignored = ERR_INIT;

	str_add(&dir, sv_slice(sv_cstr(link), 0, sv_rfind_char(sv_cstr(link), '/')));
	if (!fs_realpath(&here, str_c(&dir), &ignored))
		return false;
	return sv_starts(sv_of(&here), real) && (here.len == real.len || here.ptr[real.len] == '/');
}

/* Follow a link to a file or to a folder. */
static void file_search_follow(struct file_search_folder *f, struct sv path, const char *link)
{
	enum { MOST_LINKS = 4 };
	defer(str_clear) struct str real = STR_INIT;
	struct file_search_folder next = *f;
	struct fs_info info;
	struct err ignored = ERR_INIT;

	if (!fs_realpath(&real, link, &ignored) || !fs_info(&info, real.ptr, true, &ignored))
		return; /* it leads nowhere */
	if (f->search->inside.len && !sv_starts(sv_of(&real), f->search->inside)) {
		file_search_skip(f->search, link);
		return;
	}
	next.root = sv_of(&real);
	next.prefix = path;
	if (info.kind == FS_FILE) {
		file_search_report(f, path, real.ptr);
	} else if (info.kind == FS_DIR && !file_search_is_above(sv_of(&real), link) &&
		   next.links++ < MOST_LINKS) {
		file_search_walk(&next);
		f->is_over = next.is_over;
	}
}

static enum fs_visit file_search_visit(void *arg, const struct fs_entry *entry)
{
	struct file_search_folder *f = arg;
	defer(str_clear) struct str path = STR_INIT, real = STR_INIT;

	if (!--*f->left) {
		f->is_over = true;
		return FS_STOP;
	}
	if (entry->kind == FS_DIR)
		return (size_t)entry->depth >= f->search->depth ? FS_SKIP : FS_GO_ON;
	if (f->prefix.len)
		fs_join(&path, f->prefix, entry->path);
	else
		str_add(&path, entry->path);
	fs_join(&real, f->root, entry->path);
	if (entry->kind == FS_LINK)
		file_search_follow(f, sv_of(&path), real.ptr);
	else if (entry->kind == FS_FILE)
		file_search_report(f, sv_of(&path), real.ptr);
	return f->is_over ? FS_STOP : FS_GO_ON;
}

static void file_search_walk(struct file_search_folder *folder)
{
	defer(mem_freep) char *root = sv_dup(folder->root);
	struct err ignored = ERR_INIT;

	(void)!fs_walk(root, file_search_visit, folder, &ignored); /* most users have none */
}

static void file_search_give_up(const struct file_search *search, const char *root)
{
	defer(str_clear) struct str why = STR_INIT;

	str_addf(&why, "more than %d files and folders are below it", LIMIT_SEARCH_ENTRIES);
	search->skipped(search->arg, root, str_c(&why));
}

void file_search_run(const struct file_search *search, const char *dir, const char *folder)
{
	defer(str_clear) struct str root = STR_INIT, real = STR_INIT;
	size_t left = LIMIT_SEARCH_ENTRIES + 1;
	struct file_search_folder f = { .search = search, .left = &left };
	struct err ignored = ERR_INIT;

	fs_join(&root, sv_cstr(dir), sv_cstr(folder));
	if (!fs_realpath(&real, root.ptr, &ignored))
		return;
	f.root = sv_of(&root);
	str_addc(&real, '/'); /* `inside` may be the folder itself */
	if (search->inside.len && !sv_starts(sv_of(&real), search->inside))
		file_search_skip(search, root.ptr);
	else
		file_search_walk(&f);
	if (!left)
		file_search_give_up(search, root.ptr);
}

void file_search_inside(struct str *out, const char *dir)
{
	struct err ignored = ERR_INIT;

	if (fs_realpath(out, dir, &ignored) && !sv_ends(sv_of(out), SV("/")))
		str_addc(out, '/');
}

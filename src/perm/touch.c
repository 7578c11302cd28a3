#include "perm/touch.h"

#include "perm/path.h"

enum {
	CLUSTER_MAX = 16,   /* short options in one argument */
	SUSPECT_MAX = 4096, /* bytes of an argument that are looked at: the length of a path */
};

/* Reading or writing them touches nothing. */
static bool is_inert(struct sv path, bool writes)
{
	static const char *const both[] = { "/dev/null", "/dev/stdin", "/dev/stdout",
					    "/dev/stderr" };
	static const char *const read[] = { "/dev/zero", "/dev/random", "/dev/urandom" };

	for (size_t i = 0; i < countof(both); i++)
		if (sv_is(path, both[i]))
			return true;
	for (size_t i = 0; i < countof(read) && !writes; i++)
		if (sv_is(path, read[i]))
			return true;
	return sv_starts(path, SV("/dev/fd/")) && sv_find_char(sv_skip(path, 8), '/') == SIZE_MAX;
}

bool touch_writes(const struct touch *touch)
{
	return touch->use == OPERAND_WRITE || touch->use == OPERAND_REMOVE ||
	       touch->use == OPERAND_DEVICE;
}

static struct sv resolve(struct sv dir, struct sv path, const struct perm_world *world,
			 struct arena *arena)
{
	struct sv whole = sv_starts(path, SV("/"))
				  ? path
				  : arena_printf(arena, "%.*s/%.*s", SV_ARG(dir), SV_ARG(path));

	return world ? world->real(world->arg, whole, arena) : path_join(dir, path, arena);
}

/* Once for every directory it may be seen from. */
static void add(touch_list *out, struct touch touch, struct sv path, const struct run *run,
		const struct perm_world *world, struct arena *arena)
{
	bool is_absolute = sv_starts(path, SV("/"));
	size_t n = is_absolute ? 1 : run->place.n;

	if (touch.known && is_inert(path, touch_writes(&touch)))
		return;
	if (!touch.known || n == 0) {
		touch.known = false;
		touch.named = touch.real = path;
		vec_push(out, touch);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct sv dir = is_absolute ? SV("/") : run->place.dirs[i];

		touch.named = path_join(dir, path, arena);
		touch.real = resolve(dir, path, world, arena);
		vec_push(out, touch);
	}
}

/* --- what is written into a directory ------------------------------------------ */

static bool is_copier(const struct run *run)
{
	static const char *const names[] = { "cp", "install", "ln", "mv" };

	for (size_t i = 0; i < countof(names); i++)
		if (sv_is(run_name(run), names[i]))
			return true;
	return false;
}

static struct sv last_component(struct sv path)
{
	while (path.len > 1 && sv_ends(path, SV("/")))
		path.len--;
	return sv_skip(path, sv_rfind_char(path, '/') + 1); /* SIZE_MAX + 1 is 0 */
}

static bool is_dots(struct sv path)
{
	return sv_is(path, ".") || sv_is(path, "..") || sv_ends(path, SV("/.")) ||
	       sv_ends(path, SV("/.."));
}

static bool is_source(const struct touch *t)
{
	return t->known && !t->is_redirect && (t->use == OPERAND_READ || t->use == OPERAND_REMOVE);
}

/* `cp a/b dir` writes dir/b, and `cp -r a/. dir` what is below a. */
static void add_entry(touch_list *out, const struct touch *target, const struct touch *source,
		      const struct run *run, const struct perm_world *world, struct arena *arena)
{
	struct touch entry = *target;
	bool is_merged = source->arg < run->n && is_dots(run->argv[source->arg].text);

	if (!is_merged && world->is_directory(world->arg, target->real))
		entry.named = path_join(target->named, last_component(source->named), arena);
	entry.real = world->real(world->arg, entry.named, arena);
	if (source->recursive && world->is_directory(world->arg, source->real))
		entry.copied = source->real;
	vec_push(out, entry);
}

static void add_entries(touch_list *out, const struct run *run, const struct perm_world *world,
			struct arena *arena)
{
	size_t n = out->n;

	for (size_t to = 0; world && is_copier(run) && to < n; to++) {
		struct touch target = out->at[to];

		for (size_t from = 0; target.known && target.use == OPERAND_WRITE && from < n;
		     from++) {
			struct touch source = out->at[from];

			if (is_source(&source))
				add_entry(out, &target, &source, run, world, arena);
		}
	}
}

void touch_collect(touch_list *out, const struct run *run, const struct perm_world *world,
		   struct arena *arena)
{
	for (size_t i = 0; i < run->use.operands.n; i++) {
		const struct operand *o = &run->use.operands.at[i];
		struct touch touch = { .known = o->known,
				       .use = o->use,
				       .recursive = o->recursive,
				       .follows_links = o->follows_links,
				       .arg = o->arg,
				       .is_glob = o->arg < run->n && run->argv[o->arg].is_glob };

		if (!o->known || !sv_is(o->path, "-"))
			add(out, touch, o->path, run, world, arena);
	}
	add_entries(out, run, world, arena);
	for (size_t i = 0; i < run->nfiles; i++) {
		struct touch touch = { .known = run->files[i].known,
				       .use = run->files[i].writes ? OPERAND_WRITE : OPERAND_READ,
				       .is_redirect = true };

		add(out, touch, run->files[i].path, run, world, arena);
	}
}

/* Where in an argument the name of a file could begin: "if=x", "@x", "HEAD:x", "-fx". */
static bool may_begin(struct sv text, size_t at)
{
	bool is_cluster = sv_starts(text, SV("-")) && at >= 2 && at <= CLUSTER_MAX;

	for (size_t i = 1; is_cluster && i < at; i++)
		is_cluster = (text.ptr[i] >= 'a' && text.ptr[i] <= 'z') ||
			     (text.ptr[i] >= 'A' && text.ptr[i] <= 'Z');
	return at == 0 || is_cluster || sv_find_char(SV("=@:,<"), text.ptr[at - 1]) != SIZE_MAX;
}

void touch_suspects(touch_list *out, const struct run *run, const struct perm_world *world,
		    struct arena *arena)
{
	for (size_t i = 1; i < run->n; i++) {
		struct sv text = run->argv[i].text;

		for (size_t at = 0;
		     run->argv[i].known && at < min_of(text.len, (size_t)SUSPECT_MAX); at++) {
			struct touch touch = { .known = true,
					       .use = OPERAND_READ,
					       .is_doubtful = at && text.ptr[at - 1] == ':' };

			if (may_begin(text, at))
				add(out, touch, sv_skip(text, at), run, world, arena);
		}
	}
}

#include "sys/watch.h"

#include "sys/fs.h"
#include "test.h"

struct watcher {
	struct loop *loop;
	struct op *op;
	struct str dir, path;
	struct str names; /* each once, followed by a blank */
	const char *until;
	int dones;
	struct err err;
};

static void on_change(void *owner, struct sv name)
{
	struct watcher *w = owner;
	struct sv rest = sv_of(&w->names), seen;

	CHECK_INT(w->dones, 0);
	while (sv_cut(&rest, ' ', &seen))
		if (sv_eq(seen, name))
			return;
	str_addf(&w->names, "%.*s ", SV_ARG(name));
	if (w->until && sv_is(name, w->until))
		op_cancel(w->op);
}

static void on_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct watcher *w = owner;

	w->dones++;
	if (why)
		w->err = *why;
	w->op = NULL;
}

static const char *in(struct watcher *w, const char *name)
{
	str_truncate(&w->path, 0);
	fs_join(&w->path, sv_of(&w->dir), sv_cstr(name));
	return str_c(&w->path);
}

static void watcher_init(struct watcher *w)
{
	struct err err;

	*w = (struct watcher){ .loop = loop_new() };
	CHECK_OK(fs_temp_dir(&w->dir, &err), err);
}

static void watcher_clear(struct watcher *w)
{
	struct err err;

	CHECK_OK(fs_remove_tree(str_c(&w->dir), &err), err);
	str_clear(&w->dir);
	str_clear(&w->path);
	str_clear(&w->names);
	loop_free(w->loop);
}

#define WATCHER(name)                             \
	defer(watcher_clear) struct watcher name; \
	watcher_init(&name)

static void begin(struct watcher *w, const char *name, const char *until)
{
	w->until = until;
	w->op = watch_start(w->loop, in(w, name), on_change, THEN(on_done, w));
}

static void put(struct watcher *w, const char *name)
{
	struct err err;

	CHECK_OK(fs_write(in(w, name), SV("x"), (struct fs_write){ .mode = 0 }, &err), err);
}

TEST(watch_on_a_future_file_reports_only_that_file)
{
	WATCHER(w);

	begin(&w, "settings", "settings");
	put(&w, "other");
	put(&w, "settings");
	loop_run(w.loop);
	CHECK_INT(w.dones, 1);
	CHECK_INT(w.err.kind, ERR_CANCELLED);
	CHECK_SV(sv_of(&w.names), "settings ");
}

TEST(watch_on_a_directory_reports_all_names_in_it)
{
	WATCHER(w);

	begin(&w, ".", "last");
	put(&w, "first");
	put(&w, "last");
	loop_run(w.loop);
	CHECK(sv_find(sv_of(&w.names), SV("first ")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&w.names), SV("last ")) != SIZE_MAX);
}

TEST(removing_a_watched_file_is_reported)
{
	struct err err;
	WATCHER(w);

	put(&w, "f");
	begin(&w, "f", "f");
	CHECK_OK(fs_remove(in(&w, "f"), &err), err);
	loop_run(w.loop);
	CHECK_SV(sv_of(&w.names), "f ");
}

TEST(watch_on_a_link_reports_changes_of_its_target)
{
	struct err err;
	WATCHER(w);

	CHECK_OK(fs_mkdirs(in(&w, "elsewhere"), 0755, &err), err);
	put(&w, "elsewhere/real");
	CHECK_OK(fs_symlink("elsewhere/real", in(&w, "link"), &err), err);
	begin(&w, "link", "link");
	put(&w, "elsewhere/real");
	loop_run(w.loop);
	CHECK_SV(sv_of(&w.names), "link ");
}

TEST(path_without_a_directory_cannot_be_watched)
{
	WATCHER(w);

	begin(&w, "none/file", NULL);
	CHECK_INT(w.dones, 0);
	loop_run(w.loop);
	CHECK_INT(w.dones, 1);
	CHECK_INT(w.err.kind, ERR_NOT_FOUND);
}

TEST(watch_ends_when_its_directory_is_removed)
{
	struct err err;
	WATCHER(w);

	CHECK_OK(fs_mkdirs(in(&w, "d"), 0755, &err), err);
	begin(&w, "d", NULL);
	CHECK_OK(fs_remove_tree(in(&w, "d"), &err), err);
	loop_run(w.loop);
	CHECK_INT(w.dones, 1);
	CHECK_ERR(w.err, ERR_NOT_FOUND, "gone");
}

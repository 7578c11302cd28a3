#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "sys/temp_dir.h"

struct trace {
	struct str text; /* "depth kind path" a line */
	const char *skip, *stop, *remove;
	int deepest, seen;
	const struct str *root;
};

static void trace_clear(struct trace *t)
{
	str_clear(&t->text);
}

static enum fs_visit trace_visit(void *arg, const struct fs_entry *e)
{
	struct trace *t = arg;
	struct err err;

	t->seen++;
	t->deepest = max_of(t->deepest, e->depth);
	CHECK(sv_ends(e->path, e->name));
	if (t->seen < 100)
		str_addf(&t->text, "%d%c %.*s\n", e->depth, "fdlo"[e->kind], SV_ARG(e->path));
	if (t->remove) {
		PATH_IN(path, *t->root, t->remove);
		CHECK_OK(fs_remove_tree(path, &err), err);
	}
	if (t->stop && sv_is(e->path, t->stop))
		return FS_STOP;
	return t->skip && sv_is(e->path, t->skip) ? FS_SKIP : FS_GO_ON;
}

static void make(const struct str *dir, const char *name)
{
	defer(mem_freep) char *path = path_in(dir, name);
	struct err err;

	if (path[strlen(path) - 1] == '/')
		CHECK_OK(fs_mkdirs(path, 0700, &err), err);
	else
		write_file(path, "", 0);
}

static void make_tree(const struct str *dir)
{
	PATH_IN(up, *dir, "b/up");
	PATH_IN(fifo, *dir, "fifo");
	struct err err;

	make(dir, "b/c/");
	make(dir, "a");
	make(dir, "b/z");
	make(dir, "b/c/deep");
	make(dir, "b-2");
	make(dir, "B");
	make(dir, ".hidden");
	CHECK_OK(fs_symlink("..", up, &err), err);
	CHECK_INT(mkfifo(fifo, 0600), 0);
}

TEST(fs_walk_visits_depth_first_in_byte_order_and_follows_no_link)
{
	TEMP_DIR(dir);
	defer(trace_clear) struct trace t = { .seen = 0 };
	struct err err;

	make_tree(&dir);
	CHECK_OK(fs_walk(str_c(&dir), trace_visit, &t, &err), err);
	CHECK_SV(sv_of(&t.text), "0f .hidden\n0f B\n0f a\n0d b\n1d b/c\n2f b/c/deep\n1l b/up\n"
				 "1f b/z\n0f b-2\n0o fifo\n");
}

TEST(fs_walk_can_skip_a_directory_or_stop)
{
	TEMP_DIR(dir);
	defer(trace_clear) struct trace skip = { .skip = "b" };
	defer(trace_clear) struct trace stop = { .stop = "b/c/deep" };
	struct err err;

	make_tree(&dir);
	CHECK_OK(fs_walk(str_c(&dir), trace_visit, &skip, &err), err);
	CHECK_SV(sv_of(&skip.text), "0f .hidden\n0f B\n0f a\n0d b\n0f b-2\n0o fifo\n");
	CHECK_OK(fs_walk(str_c(&dir), trace_visit, &stop, &err), err);
	CHECK_SV(sv_of(&stop.text), "0f .hidden\n0f B\n0f a\n0d b\n1d b/c\n2f b/c/deep\n");
}

TEST(fs_walk_goes_on_when_what_it_is_about_to_enter_vanishes)
{
	TEMP_DIR(dir);
	defer(trace_clear) struct trace t = { .remove = "b", .root = &dir };
	struct err err;

	make(&dir, "a");
	make(&dir, "b/c/d/");
	make(&dir, "e");
	CHECK_OK(fs_walk(str_c(&dir), trace_visit, &t, &err), err);
	CHECK_SV(sv_of(&t.text), "0f a\n0d b\n0f e\n");
}

TEST(fs_walk_fails_only_for_the_root)
{
	TEMP_DIR(dir);
	PATH_IN(missing, dir, "missing");
	PATH_IN(file, dir, "file");
	defer(trace_clear) struct trace t = { .seen = 0 };
	struct err err;

	make(&dir, "file");
	CHECK(!fs_walk(missing, trace_visit, &t, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, missing);
	CHECK(!fs_walk(file, trace_visit, &t, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, file);
	CHECK_INT(t.seen, 0);
}

static enum fs_visit count_visit(void *arg, const struct fs_entry *e)
{
	*(int *)arg += sv_is(e->path, "locked") || sv_is(e->path, "open") ? 1 : 100;
	return FS_GO_ON;
}

TEST(fs_walk_reports_a_directory_it_may_not_read_and_does_not_enter_it)
{
	TEMP_DIR(dir);
	PATH_IN(locked, dir, "locked");
	pid_t pid;
	int status;

	make(&dir, "locked/inside/");
	make(&dir, "open/");
	CHECK_INT(chmod(locked, 0), 0);
	CHECK_INT(chmod(str_c(&dir), 0755), 0);
	pid = fork();
	if (pid == 0) {
		struct err err;
		int seen = 0;

		if (getuid() == 0 && setuid(65534) < 0)
			_exit(1);
		_exit(fs_walk(str_c(&dir), count_visit, &seen, &err) && seen == 2 ? 0 : 2);
	}
	CHECK_INT(waitpid(pid, &status, 0), pid);
	CHECK_INT(status, 0);
	CHECK_INT(chmod(locked, 0700), 0);
}

/* A chain of `depth` directories, with a file at its end. */
static void make_chain(const struct str *dir, int depth)
{
	int fd = open(str_c(dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (int i = 0; i < depth; i++) {
		int next;

		CHECK_INT(mkdirat(fd, "d", 0700), 0);
		next = openat(fd, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		fd = next;
	}
	close(openat(fd, "end", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	close(fd);
}

TEST(fs_walk_stops_at_the_depth_cap)
{
	TEMP_DIR(dir);
	defer(trace_clear) struct trace t = { .seen = 0 };
	struct err err;

	make_chain(&dir, LIMIT_WALK_DEPTH + 50);
	CHECK_OK(fs_walk(str_c(&dir), trace_visit, &t, &err), err);
	CHECK_INT(t.deepest, LIMIT_WALK_DEPTH - 1);
	CHECK_INT(t.seen, LIMIT_WALK_DEPTH);
}

/* --- removing ------------------------------------------------------------------------ */

TEST(fs_remove_tree_takes_everything_below_and_nothing_through_links)
{
	TEMP_DIR(dir);
	PATH_IN(tree, dir, "tree");
	PATH_IN(link, dir, "tree/out");
	PATH_IN(precious, dir, "precious");
	PATH_IN(inside, dir, "precious/file");
	PATH_IN(alias, dir, "alias");
	struct err err;

	make(&dir, "precious/");
	make(&dir, "precious/file");
	make(&dir, "tree/a/b/");
	make(&dir, "tree/a/file");
	CHECK_OK(fs_symlink("../precious", link, &err), err);
	CHECK_OK(fs_remove_tree(tree, &err), err);
	CHECK(!fs_exists(tree) && fs_exists(inside));
	CHECK_OK(fs_remove_tree(tree, &err), err); /* is not there any more */
	CHECK_OK(fs_symlink("precious", alias, &err), err);
	CHECK_OK(fs_remove_tree(alias, &err), err);
	CHECK(!fs_exists(alias) && fs_exists(inside));
	CHECK_OK(fs_remove_tree(inside, &err), err);
	CHECK(!fs_exists(inside) && fs_exists(precious));
}

TEST(fs_remove_tree_is_not_stopped_by_depth)
{
	TEMP_DIR(dir);
	PATH_IN(tree, dir, "tree");
	defer(str_clear) struct str root = STR_INIT;
	struct err err;

	CHECK_OK(fs_mkdirs(tree, 0700, &err), err);
	str_adds(&root, tree);
	make_chain(&root, 5 * LIMIT_WALK_DEPTH);
	CHECK_OK(fs_remove_tree(tree, &err), err);
	CHECK_INT(entries_in(str_c(&dir)), 0);
}

static void put_file(const char *dir, int i)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err ignored = ERR_INIT;

	str_addf(&path, "%s/%d", dir, i);
	(void)!fs_write(path.ptr, SV("x"), (struct fs_write){ 0 }, &ignored);
}

/* Puts a few files into a directory as soon as somebody has begun to empty it. */
static void *fill(void *dir)
{
	defer(str_clear) struct str first = STR_INIT;

	str_addf(&first, "%s/0", (const char *)dir);
	while (access(first.ptr, F_OK) == 0)
		continue;
	for (int i = 1000; i < 1004; i++)
		put_file(dir, i);
	return NULL;
}

TEST(fs_remove_tree_removes_what_appears_meanwhile)
{
	TEMP_DIR(dir);
	PATH_IN(tree, dir, "tree");
	PATH_IN(sub, dir, "tree/sub");
	pthread_t thread;
	struct err err;

	CHECK_OK(fs_mkdirs(sub, 0700, &err), err);
	for (int i = 0; i < 500; i++)
		put_file(sub, i);
	CHECK_INT(pthread_create(&thread, NULL, fill, sub), 0);
	CHECK_OK(fs_remove_tree(tree, &err), err);
	CHECK_INT(pthread_join(thread, NULL), 0);
	CHECK_INT(entries_in(str_c(&dir)), 0);
}

TEST(fs_remove_tree_names_what_it_cannot_remove)
{
	TEMP_DIR(dir);
	PATH_IN(locked, dir, "tree/locked");
	PATH_IN(tree, dir, "tree");
	pid_t pid;
	int status;

	make(&dir, "tree/locked/");
	make(&dir, "tree/locked/file");
	make(&dir, "tree/gone/");
	CHECK_INT(chmod(locked, 0500), 0);
	CHECK_INT(chmod(tree, 0777), 0);
	CHECK_INT(chmod(str_c(&dir), 0755), 0);
	pid = fork();
	if (pid == 0) {
		struct err err;

		if (getuid() == 0 && setuid(65534) < 0)
			_exit(1);
		_exit(!fs_remove_tree(tree, &err) && strstr(err.text, tree) &&
				      err.kind == ERR_ACCESS
			      ? 0
			      : 2);
	}
	CHECK_INT(waitpid(pid, &status, 0), pid);
	CHECK_INT(status, 0);
	CHECK_INT(entries_in(tree), 1);
	CHECK_INT(chmod(locked, 0700), 0);
}

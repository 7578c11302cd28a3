#include "sys/watch.h"

#include "sys/run.h"
#include "sys/temp_dir.h"

struct seen {
	struct outcome outcome; /* first: what `done` is given */
	struct loop *loop;
	struct op *op;
	int calls, wrong;
	const char *only; /* any other name is wrong */
	struct str names;
};

static void seen_clear(struct seen *s)
{
	str_clear(&s->names);
}

static void on_change(void *owner, struct sv name)
{
	struct seen *s = owner;

	s->calls++;
	s->wrong += s->only && !sv_is(name, s->only);
	str_add(&s->names, name);
	str_addc(&s->names, '\n');
	loop_stop(s->loop);
}

static void seen_start(struct seen *s, struct loop *loop, const char *path, const char *only)
{
	*s = (struct seen){ .loop = loop, .only = only };
	s->op = watch_start(loop, path, on_change, THEN(outcome_done, &s->outcome));
}

static void seen_end(struct seen *s)
{
	int before = s->calls;

	op_cancel(s->op);
	RUN_UNTIL(s->loop, s->outcome.done);
	CHECK_INT(s->outcome.why.kind, ERR_CANCELLED);
	CHECK_INT(s->calls, before);
	CHECK_INT(s->wrong, 0);
}

/* Waits for at least one more call. */
static void seen_more(struct seen *s)
{
	int before = s->calls;

	RUN_UNTIL(s->loop, s->calls > before);
}

static void overwrite(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);

	CHECK_INT(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
}

/* Everything that happened before has been told: the kernel keeps the order, and
 * what is marked here comes last. */
static void seen_settle(struct seen *s)
{
	TEMP_DIR(dir);
	PATH_IN(mark, dir, "mark");
	defer(seen_clear) struct seen last;

	seen_start(&last, s->loop, str_c(&dir), NULL);
	overwrite(mark, "");
	seen_more(&last);
	seen_end(&last);
}

TEST(watch_tells_of_a_file_from_its_making_to_its_end)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "file");
	PATH_IN(other, dir, "other");
	defer(loop_freep) struct loop *loop = loop_new();
	defer(seen_clear) struct seen s;
	struct err err;

	seen_start(&s, loop, path, "file"); /* is not there yet */
	CHECK_INT(s.calls, 0);
	overwrite(path, "made");
	seen_more(&s);
	seen_settle(&s);
	overwrite(path, "changed");
	seen_more(&s);
	seen_settle(&s);
	write_file(path, "replaced by rename", 0);
	seen_more(&s);
	seen_settle(&s);
	overwrite(path, "and changed again");
	seen_more(&s);
	seen_settle(&s);
	write_file(other, "not ours", 0);
	CHECK_OK(fs_remove(path, &err), err);
	seen_more(&s);
	seen_end(&s);
}

TEST(watch_tells_of_every_name_in_a_directory)
{
	TEMP_DIR(dir);
	PATH_IN(a, dir, "a");
	PATH_IN(b, dir, "b");
	defer(loop_freep) struct loop *loop = loop_new();
	defer(seen_clear) struct seen s;

	seen_start(&s, loop, str_c(&dir), NULL);
	overwrite(a, "1");
	overwrite(b, "2");
	RUN_UNTIL(loop, sv_find(sv_of(&s.names), SV("a\n")) != SIZE_MAX &&
				sv_find(sv_of(&s.names), SV("b\n")) != SIZE_MAX);
	seen_end(&s);
}

TEST(watch_merges_a_burst_and_tells_all_of_too_many_names_at_once)
{
	enum { MANY = 5000 };
	TEMP_DIR(dir);
	PATH_IN(path, dir, "busy");
	defer(loop_freep) struct loop *loop = loop_new();
	defer(seen_clear) struct seen s;

	seen_start(&s, loop, path, "busy");
	for (int i = 0; i < 1000; i++)
		overwrite(path, "x");
	seen_more(&s);
	seen_settle(&s);
	CHECK(s.calls < 100);
	seen_end(&s);
	seen_clear(&s);

	seen_start(&s, loop, str_c(&dir), NULL);
	for (int i = 0; i < MANY; i++) {
		char name[16];

		snprintf(name, sizeof(name), "%d", i);
		PATH_IN(one, dir, name);
		CHECK_INT(symlink("nowhere", one), 0);
	}
	seen_settle(&s);
	CHECK_SV(sv_of(&s.names), "\n");
	seen_end(&s);
}

TEST(watch_of_a_link_tells_of_both_ends)
{
	TEMP_DIR(dir);
	TEMP_DIR(first);
	TEMP_DIR(second);
	PATH_IN(link, dir, "link");
	PATH_IN(one, first, "one");
	PATH_IN(two, second, "two");
	defer(loop_freep) struct loop *loop = loop_new();
	defer(seen_clear) struct seen s;
	struct err err;

	write_file(one, "1", 0);
	write_file(two, "2", 0);
	CHECK_OK(fs_symlink(one, link, &err), err);
	seen_start(&s, loop, link, "link");
	overwrite(one, "changed");
	seen_more(&s);
	seen_settle(&s);
	CHECK_OK(fs_remove(link, &err), err);
	CHECK_OK(fs_symlink(two, link, &err), err);
	seen_more(&s);
	seen_settle(&s);
	overwrite(two, "changed");
	seen_more(&s);
	seen_end(&s);
}

TEST(watch_fails_when_its_directory_is_missing_or_goes_away)
{
	TEMP_DIR(dir);
	PATH_IN(nowhere, dir, "no/file");
	PATH_IN(sub, dir, "sub");
	PATH_IN(file, dir, "sub/file");
	defer(loop_freep) struct loop *loop = loop_new();
	defer(seen_clear) struct seen missing, gone;
	struct err err;

	seen_start(&missing, loop, nowhere, NULL);
	CHECK_INT(missing.outcome.done, 0);
	RUN_UNTIL(loop, missing.outcome.done);
	CHECK_ERR(missing.outcome.why, ERR_NOT_FOUND, "no");

	CHECK_OK(fs_mkdirs(sub, 0700, &err), err);
	seen_start(&gone, loop, file, NULL);
	CHECK_OK(fs_remove_tree(sub, &err), err);
	RUN_UNTIL(loop, gone.outcome.done);
	CHECK_ERR(gone.outcome.why, ERR_NOT_FOUND, "sub/file: the watched directory is gone");
}

TEST(watches_of_one_file_are_independent)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "file");
	defer(loop_freep) struct loop *loop = loop_new();
	defer(seen_clear) struct seen a, b;

	seen_start(&a, loop, path, "file");
	seen_start(&b, loop, path, "file");
	overwrite(path, "1");
	RUN_UNTIL(loop, a.calls && b.calls);
	seen_settle(&b);
	seen_end(&a);
	overwrite(path, "2");
	seen_more(&b);
	seen_end(&b);
}

/* What undo costs before a command, in a process that does nothing else:
 *
 *   undo DIR HISTORY N    saves the tree below DIR once, then N times with three files changed in
 *                         between; prints the seconds of the first time and the least of the others */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "store/undo/undo.h"
#include "sys/fs.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int64_t wall_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void change(const char *dir, int round)
{
	struct err err = ERR_INIT;

	for (int i = 0; i < 3; i++) {
		defer(str_clear) struct str path = STR_INIT, text = STR_INIT;

		str_addf(&path, "%s/changed%d", dir, i);
		str_addf(&text, "%d %d\n", round, i);
		if (!fs_write(path.ptr, sv_of(&text), (struct fs_write){ .mode = 0 }, &err))
			BUG("%s", err.text);
	}
}

static double save(struct undo *history, struct sv root)
{
	struct undo_scope scope = { .roots = &root, .nroots = 1, .wall_ms = wall_ms() };
	struct err err = ERR_INIT;
	double start = now();

	if (!undo_save(history, &scope, &err))
		BUG("%s", err.text);
	return now() - start;
}

int main(int argc, char **argv)
{
	const struct undo_limits limits = { .file_bytes = 10000000,
					    .session_bytes = 500000000,
					    .ignored_files = 20000 };
	struct undo *history;
	double first, least = 1e9;

	if (argc != 4)
		return 2;
	history = undo_new(argv[2], "bench", NULL, &limits);
	first = save(history, sv_cstr(argv[1]));
	for (long i = 0; i < strtol(argv[3], NULL, 10); i++) {
		double took;

		change(argv[1], (int)i);
		took = save(history, sv_cstr(argv[1]));
		least = took < least ? took : least;
	}
	undo_free(history);
	printf("%f %f\n", first, least);
	return 0;
}

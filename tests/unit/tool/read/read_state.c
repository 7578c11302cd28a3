#include "tool/read/read_state.h"

#include "base/limits.h"
#include "test.h"

static void put(struct read_state *files, size_t number)
{
	char path[32];

	snprintf(path, sizeof(path), "/f%zu", number);
	read_state_put(files, sv_cstr(path), (struct file_seen){ .size = (int64_t)number });
}

static const struct file_seen *get(struct read_state *files, size_t number)
{
	char path[32];

	snprintf(path, sizeof(path), "/f%zu", number);
	return read_state_get(files, sv_cstr(path));
}

TEST(a_file_is_remembered_as_it_was_last_seen_until_forgotten)
{
	defer(read_state_freep) struct read_state *files = read_state_new();

	CHECK(read_state_get(files, SV("/a")) == NULL);
	read_state_put(files, SV("/a"), (struct file_seen){ .size = 1, .cut = true });
	read_state_put(files, SV("/b"), (struct file_seen){ .size = 3 });
	read_state_put(files, SV("/a"), (struct file_seen){ .size = 2, .ours = true });
	CHECK_INT(read_state_count(files), 2);
	CHECK_INT(read_state_get(files, SV("/a"))->size, 2);
	CHECK(!read_state_get(files, SV("/a"))->cut);
	CHECK(read_state_get(files, SV("/a"))->ours);
	read_state_forget(files, SV("/a"));
	read_state_forget(files, SV("/a"));
	CHECK(read_state_get(files, SV("/a")) == NULL);
	CHECK_INT(read_state_get(files, SV("/b"))->size, 3);
}

TEST(the_files_used_longest_ago_are_forgotten_first)
{
	defer(read_state_freep) struct read_state *files = read_state_new();

	for (size_t i = 0; i < LIMIT_FILES_SEEN; i++)
		put(files, i);
	CHECK(get(files, 0)); /* used again: now the youngest */
	put(files, 2);        /* and so is this */
	for (size_t i = 0; i < 2; i++)
		put(files, LIMIT_FILES_SEEN + i);
	CHECK_INT(read_state_count(files), LIMIT_FILES_SEEN);
	CHECK(get(files, 0) && get(files, 2));
	CHECK(!get(files, 1) && !get(files, 3) && get(files, 4));
	for (size_t i = 0; i < 5 * LIMIT_FILES_SEEN; i++)
		put(files, 10000 + i);
	CHECK_INT(read_state_count(files), LIMIT_FILES_SEEN);
	CHECK(get(files, 10000 + 4 * LIMIT_FILES_SEEN) && !get(files, 4));
}

TEST(the_bytes_decide_whether_a_file_is_what_was_seen)
{
	struct fs_info info = { .mtime_ns = 5, .size = 3 }, touched = { .mtime_ns = 6, .size = 3 };
	struct file_seen seen = file_seen_of(&info, SV("abc"));
	struct file_seen big = { .mtime_ns = 5, .size = 3 };

	CHECK(file_seen_is(&seen, &info, SV("abc")));
	CHECK(file_seen_is(&seen, &touched, SV("abc")));
	CHECK(!file_seen_is(&seen, &info, SV("abd")));
	CHECK(!file_seen_is(&seen, &info, SV("abcd")));
	/* Without a hash there is only the time. */
	CHECK(file_seen_is(&big, &info, SV("abc")));
	CHECK(!file_seen_is(&big, &touched, SV("abc")));
}

TEST(files_of_an_earlier_process_are_listed_and_unknown_otherwise)
{
	defer(read_state_freep) struct read_state *files = read_state_new();
	const struct file_seen *seen;
	struct sv path;
	size_t i = 0;

	put(files, 1);
	read_state_recall(files, SV("/f1"), true);
	CHECK(get(files, 1) && !get(files, 1)->ours);
	read_state_recall(files, SV("/f2"), true);
	read_state_recall(files, SV("/f2"), false);
	CHECK(get(files, 2) == NULL);
	CHECK(read_state_next(files, &i, &path, &seen) && sv_is(path, "/f1"));
	CHECK(read_state_next(files, &i, &path, &seen) && sv_is(path, "/f2") && seen->ours);
	put(files, 2);
	CHECK(get(files, 2) && !get(files, 2)->ours);
}

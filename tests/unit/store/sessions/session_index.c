/* The index of sessions: what it finds, that it follows the files, and that it repairs itself. */
#include "store/sessions/session_index.h"

#include "store/sessions/session_list.h"
#include "store/transcript/transcript.h"
#include "sys/temp_dir.h"

#define ONE "11111111-0b0a-4908-8706-050403020100"
#define TWO "22222222-0b0a-4908-8706-050403020100"
#define U1  "aaaaaaa1-0b0a-4908-8706-050403020100"
#define U2  "aaaaaaa2-0b0a-4908-8706-050403020100"
#define U3  "aaaaaaa3-0b0a-4908-8706-050403020100"
#define LINE(type, uuid, content)                                                               \
	"{\"type\":\"" type "\",\"uuid\":\"" uuid "\",\"cwd\":\"/w\",\"gitBranch\":\"main\",\"" \
	"timestamp\":\"2026-11-15T09:08:10.730Z\",\"message\":{\"role\":\"" type                \
	"\",\"content\":" content "}}\n"
#define TITLE(title) "{\"type\":\"custom-title\",\"customTitle\":\"" title "\"}\n"

static char *session_in(const struct str *dir, const char *id)
{
	defer(str_clear) struct str name = STR_INIT;
	defer(mem_freep) char *projects = path_in(dir, "projects/-w");
	struct err err = ERR_INIT;

	CHECK_OK(fs_mkdirs(projects, 0700, &err), err);
	str_addf(&name, "projects/-w/%s.jsonl", id);
	return path_in(dir, str_c(&name));
}

static void put(const struct str *dir, const char *id, const char *text, int64_t seconds)
{
	const struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };
	defer(mem_freep) char *path = session_in(dir, id);
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	CHECK(fd >= 0);
	CHECK_INT(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	CHECK_INT(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void update(const struct str *dir)
{
	struct err err = ERR_INIT;

	CHECK_OK(session_index_update(sv_of(dir), NULL, NULL, &err), err);
}

/* The first digits of the ids that a search finds, newest first. */
static void search(struct str *out, const struct str *dir, const char *text)
{
	defer(session_list_clear) struct session_list list = SESSION_LIST_INIT;
	const struct session_query query = { .config_dir = sv_of(dir), .text = sv_cstr(text) };

	str_truncate(out, 0);
	session_search(&list, &query);
	for (size_t i = 0; i < list.entries.n; i++)
		str_addf(out, "%.1s", list.entries.at[i].id);
}

#define CHECK_SEARCH(dir, text, ids)                           \
	do {                                                   \
		defer(str_clear) struct str found_ = STR_INIT; \
		search(&found_, &(dir), text);                 \
		CHECK_STR(str_c(&found_), ids);                \
	} while (0)

static void put_two(const struct str *dir)
{
	put(dir, ONE, LINE("user", U1, "\"fix the foo_bar parser\""), 1000);
	put(dir, ONE,
	    LINE("assistant", U2,
		 "[{\"type\":\"text\",\"text\":\"It was Größe.\"},{\"type\":\"tool_use\",\"id\":"
		 "\"t\",\"name\":\"Bash\",\"input\":{\"command\":\"make check\"}}]"),
	    1000);
	put(dir, TWO, LINE("user", U3, "\"write a lexer and a parser\""), 2000);
}

static void check_searches(const struct str *dir)
{
	CHECK_SEARCH(*dir, "parser", "21");
	CHECK_SEARCH(*dir, "PARS", "21"); /* the beginning of a word */
	CHECK_SEARCH(*dir, "arser", "");
	CHECK_SEARCH(*dir, "parser lexer", "2");
	CHECK_SEARCH(*dir, "lexer check", ""); /* not in one message */
	CHECK_SEARCH(*dir, "make check", "1");
	CHECK_SEARCH(*dir, "foo_bar", "1");
	CHECK_SEARCH(*dir, "\"the foo\"", "1");
	CHECK_SEARCH(*dir, "\"foo the\"", "");
	CHECK_SEARCH(*dir, "nothing", "");
	CHECK_SEARCH(*dir, "( AND \" * NEAR", "");
}

TEST(sessions_are_found_by_what_was_said_with_and_without_the_index)
{
	TEMP_DIR(dir);

	put_two(&dir);
	check_searches(&dir);
	update(&dir);
	check_searches(&dir);
	CHECK_SEARCH(dir, "große", "1"); /* letters and their marks */
}

TEST(a_search_shows_what_it_found)
{
	TEMP_DIR(dir);
	defer(session_list_clear) struct session_list list = SESSION_LIST_INIT;
	struct session_query query = { .config_dir = sv_of(&dir), .text = SV("lexer") };

	put_two(&dir);
	put(&dir, TWO, TITLE("A title") "{\"type\":\"tag\",\"tag\":\"work\"}\n", 2000);
	update(&dir);
	session_search(&list, &query);
	CHECK_INT(list.entries.n, 1);
	CHECK_STR(list.entries.at[0].snippet, "write a lexer and a parser");
	CHECK_STR(list.entries.at[0].title, "A title");
	CHECK_STR(list.entries.at[0].prompt, "write a lexer and a parser");
	CHECK_STR(list.entries.at[0].branch, "main");
	CHECK_STR(list.entries.at[0].tag, "work");
	CHECK_STR(list.entries.at[0].root, U3);
	CHECK_STR(list.entries.at[0].cwd, "/w");
	CHECK_INT(list.entries.at[0].messages, 1);
}

TEST(branch_tag_and_limit_narrow_a_search)
{
	TEMP_DIR(dir);
	struct session_query query = { .config_dir = sv_of(&dir),
				       .text = SV("parser"),
				       .limit = 1 };
	static const struct {
		struct sv branch, tag;
		size_t n;
	} cases[] = { { SV_INIT(""), SV_INIT(""), 1 },
		      { SV_INIT("main"), SV_INIT(""), 1 },
		      { SV_INIT("other"), SV_INIT(""), 0 },
		      { SV_INIT(""), SV_INIT("work"), 1 },
		      { SV_INIT(""), SV_INIT("play"), 0 } };

	put_two(&dir);
	put(&dir, ONE, "{\"type\":\"tag\",\"tag\":\"work\"}\n", 1000);
	update(&dir);
	for (size_t i = 0; i < countof(cases); i++) {
		defer(session_list_clear) struct session_list list = SESSION_LIST_INIT;

		query.branch = cases[i].branch;
		query.tag = cases[i].tag;
		session_search(&list, &query);
		CHECK_INT(list.entries.n, cases[i].n);
	}
}

TEST(a_search_says_how_much_the_index_lacks)
{
	static const char more[] = LINE("user", U2, "\"a tokenizer\"");
	TEMP_DIR(dir);
	defer(session_list_clear) struct session_list before = SESSION_LIST_INIT;
	defer(session_list_clear) struct session_list after = SESSION_LIST_INIT;
	defer(session_list_clear) struct session_list grown = SESSION_LIST_INIT;
	struct session_query query = { .config_dir = sv_of(&dir), .text = SV("tokenizer") };

	put_two(&dir);
	session_search(&before, &query);
	CHECK(before.unindexed > 0);
	update(&dir);
	session_search(&after, &query);
	CHECK_INT(after.unindexed, 0);
	put(&dir, TWO, more, 3000);
	session_search(&grown, &query);
	CHECK_INT(grown.unindexed, strlen(more));
	CHECK_INT(grown.entries.n, 1);
}

TEST(a_search_without_the_index_stops_at_its_bound)
{
	TEMP_DIR(dir);
	defer(session_list_clear) struct session_list list = SESSION_LIST_INIT;
	struct session_query query = { .config_dir = sv_of(&dir), .text = SV("parser"), .scan = 1 };

	put_two(&dir);
	session_search(&list, &query);
	CHECK_INT(list.entries.n, 1);
	CHECK(list.unindexed > query.scan);
}

TEST(the_index_follows_files_that_grow_change_and_vanish)
{
	TEMP_DIR(dir);
	defer(mem_freep) char *one = session_in(&dir, ONE);
	struct err err = ERR_INIT;

	put_two(&dir);
	update(&dir);
	put(&dir, ONE, LINE("user", U3, "\"more about zebras\""), 3000);
	CHECK_SEARCH(dir, "zebras", "1"); /* not in the index yet */
	update(&dir);
	CHECK_SEARCH(dir, "zebras", "1");
	CHECK_SEARCH(dir, "parser", "12");
	write_file(one, LINE("user", U1, "\"something else\""), 0600);
	CHECK_SEARCH(dir, "zebras", "");
	update(&dir);
	CHECK_SEARCH(dir, "zebras", "");
	CHECK_SEARCH(dir, "something", "1");
	CHECK_OK(fs_remove(one, &err), err);
	CHECK_SEARCH(dir, "something", "");
	update(&dir);
	CHECK_SEARCH(dir, "something", "");
	CHECK_SEARCH(dir, "parser", "2");
}

TEST(a_half_written_line_is_read_when_it_has_its_end)
{
	TEMP_DIR(dir);
	static const char line[] = LINE("user", U1, "\"the whole elephant\"");
	defer(mem_freep) char *half = xstrdup(line);

	half[sizeof(line) / 2] = '\0';
	put(&dir, ONE, half, 1000);
	update(&dir);
	CHECK_SEARCH(dir, "elephant", "");
	put(&dir, ONE, line + sizeof(line) / 2, 2000);
	update(&dir);
	CHECK_SEARCH(dir, "elephant", "1");
}

TEST(a_damaged_index_is_built_again)
{
	TEMP_DIR(dir);
	PATH_IN(db, dir, "awl/sessions.db");
	static const char *const damages[] = { "", "this is not a database, not at all, no", NULL };

	put_two(&dir);
	update(&dir);
	for (size_t i = 0; i < countof(damages); i++) {
		int fd = open(db, O_WRONLY | O_CLOEXEC);

		CHECK(fd >= 0);
		if (damages[i])
			CHECK_INT(ftruncate(fd, 0), 0);
		CHECK(!damages[i] ||
		      pwrite(fd, damages[i], strlen(damages[i]), 0) == (ssize_t)strlen(damages[i]));
		for (int page = 1; !damages[i] && page < 6; page++)
			CHECK_INT(pwrite(fd, "garbage garbage garbage", 23, page * 4096), 23);
		close(fd);
		check_searches(&dir);
		update(&dir);
		check_searches(&dir);
	}
}

TEST(nobody_else_can_read_the_index)
{
	TEMP_DIR(dir);
	PATH_IN(db, dir, "awl/sessions.db");
	struct stat st;

	put_two(&dir);
	update(&dir);
	CHECK_INT(stat(db, &st), 0);
	CHECK_INT(st.st_mode & 0777, 0600);
}

TEST(only_one_process_updates_the_index_and_the_others_search_all_the_same)
{
	TEMP_DIR(dir);
	PATH_IN(lock_path, dir, "awl/sessions.lock");
	defer(fs_unlockp) struct fs_lock *lock = NULL;
	struct err err = ERR_INIT;

	put_two(&dir);
	update(&dir);
	put(&dir, TWO, LINE("user", U1, "\"and a walrus\""), 3000);
	lock = fs_lock(lock_path, &err);
	CHECK(lock);
	CHECK(!session_index_update(sv_of(&dir), NULL, NULL, &err));
	CHECK_ERR(err, ERR_BUSY, "another awl");
	check_searches(&dir);
	CHECK_SEARCH(dir, "walrus", "2");
}

TEST(a_directory_that_cannot_be_written_is_searched_without_an_index)
{
	TEMP_DIR(dir);
	PATH_IN(awl, dir, "awl");
	struct err err = ERR_INIT;

	put_two(&dir);
	write_file(awl, "a file where the directory should be", 0600);
	CHECK(!session_index_update(sv_of(&dir), NULL, NULL, &err));
	check_searches(&dir);
}

static bool stop_at_once(__attribute__((unused)) void *arg, __attribute__((unused)) int64_t done,
			 __attribute__((unused)) int64_t total)
{
	return false;
}

TEST(an_update_that_is_stopped_keeps_what_it_has)
{
	TEMP_DIR(dir);
	struct err err = ERR_INIT;

	put_two(&dir);
	CHECK(!session_index_update(sv_of(&dir), stop_at_once, NULL, &err));
	CHECK_ERR(err, ERR_CANCELLED, "");
	check_searches(&dir);
	update(&dir);
	check_searches(&dir);
}

TEST(a_full_disk_leaves_the_sessions_and_the_search_as_they_were)
{
	TEMP_DIR(dir);
	PATH_IN(db, dir, "awl/sessions.db");
	PATH_IN(awl, dir, "awl");
	struct err err = ERR_INIT;

	put_two(&dir);
	CHECK_OK(fs_mkdirs(awl, 0700, &err), err);
	CHECK_OK(fs_symlink("/dev/full", db, &err), err);
	CHECK(!session_index_update(sv_of(&dir), NULL, NULL, &err));
	check_searches(&dir);
}

#include <sys/wait.h>

#include "base/limits.h"
#include "records.h"

/* A place for a session: a file in folders that are not there yet, and a lock. */
struct desk {
	struct str dir;
	char *path, *lock;
};

static void desk_clear(struct desk *d)
{
	temp_dir_remove(&d->dir);
	free(d->path);
	free(d->lock);
}

#define DESK(name)                                                                          \
	TEMP_DIR(name##_dir);                                                               \
	defer(desk_clear) struct desk name = { .path = path_in(&name##_dir, "p/k/s.jsonl"), \
					       .lock = path_in(&name##_dir, "awl/locks/s") }

static struct transcript *open_at(const struct desk *d, const char *parent)
{
	return transcript_new(&(struct transcript_opts){ .path = d->path,
							 .lock_path = d->lock,
							 .session_id = SESSION,
							 .version = "awl 0.1.0",
							 .entrypoint = "cli",
							 .parent = sv_cstr(parent) });
}

static struct transcript_record message_record(const char *type, const char *uuid,
					       const char *content)
{
	return (struct transcript_record){ .type = type,
					   .uuid = sv_cstr(uuid),
					   .message = sv_cstr(content),
					   .cwd = SV("/w"),
					   .git_branch = SV("main"),
					   .wall_ms = 1794733690730 };
}

static void add(struct transcript *t, const char *type, const char *uuid, const char *message)
{
	struct transcript_record r = message_record(type, uuid, message);
	struct err err;

	CHECK_OK(transcript_add(t, &r, &err), err);
}

#define HI    "{\"role\":\"user\",\"content\":\"hi\"}"
#define HELLO "{\"role\":\"assistant\",\"id\":\"m1\",\"content\":[" TEXT("hello") "]}"

TEST(a_record_is_written_as_the_ecosystem_writes_it)
{
	DESK(d);
	defer(transcript_freep) struct transcript *t = open_at(&d, "");
	struct transcript_record r =
		message_record("user", "u2", "{\"role\":\"user\",\"content\":[]}");
	struct err err;

	add(t, "user", "u1", HI);
	r.tool_use_result = SV("{\"n\":1}");
	r.permission_mode = SV("plan");
	r.request_id = SV("req_1");
	r.is_meta = r.is_api_error = r.is_compact_summary = r.durable = true;
	r.wall_ms = 1;
	CHECK_OK(transcript_add(t, &r, &err), err);
	CHECK_FILE(d.path,
		   "{\"parentUuid\":null,\"isSidechain\":false,\"userType\":\"external\",\"cwd\":"
		   "\"/w\","
		   "\"sessionId\":\"" SESSION "\",\"version\":\"awl 0.1.0\",\"gitBranch\":\"main\","
		   "\"entrypoint\":\"cli\",\"type\":\"user\",\"message\":" HI ",\"uuid\":\"u1\","
		   "\"timestamp\":\"2026-11-15T09:08:10.730Z\"}\n"
		   "{\"parentUuid\":\"u1\",\"isSidechain\":false,\"userType\":\"external\","
		   "\"cwd\":\"/w\",\"sessionId\":\"" SESSION "\",\"version\":\"awl 0.1.0\","
		   "\"gitBranch\":\"main\",\"entrypoint\":\"cli\",\"type\":\"user\",\"message\":"
		   "{\"role\":\"user\",\"content\":[]},\"requestId\":\"req_1\",\"isMeta\":true,"
		   "\"isCompactSummary\":true,\"isApiErrorMessage\":true,\"uuid\":\"u2\","
		   "\"timestamp\":\"1970-01-01T00:00:00.001Z\",\"permissionMode\":\"plan\","
		   "\"toolUseResult\":{\"n\":1}}\n");
}

/* A prompt waits under the name that its record will have. */
static void enqueue(struct transcript *t, const char *uuid, const char *text)
{
	struct err err;

	CHECK_OK(transcript_enqueue(t, sv_cstr(uuid), sv_cstr(text), 1794733690730, &err), err);
}

static void check_notes(const char *path, const char *notes)
{
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	struct err err;

	CHECK_OK(transcript_load(&l, path, SV_EMPTY, &err), err);
	CHECK_STR(str_c(&l.notes), notes);
}

#define WAITED "This prompt was still queued when the session ended and was not sent:"

TEST(prompts_that_waited_in_vain_are_told_of_until_a_later_one_did_not)
{
	DESK(d);
	defer(transcript_freep) struct transcript *t = open_at(&d, "");

	enqueue(t, "u1", "one");
	check_notes(d.path, WAITED " one\n");
	add(t, "user", "u1", HI);
	add(t, "assistant", "a1", HELLO);
	check_notes(d.path, "");
	enqueue(t, "u2", "two\nlines");
	enqueue(t, "u3", "three");
	add(t, "assistant", "a2", HELLO);
	check_notes(d.path, WAITED " two lines\n" WAITED " three\n");
	enqueue(t, "u4", "four");
	add(t, "user", "u4", HI);
	add(t, "assistant", "a3", HELLO);
	check_notes(d.path, "");
}

TEST(nothing_is_made_before_the_first_record)
{
	DESK(d);
	struct transcript *t = open_at(&d, "");
	struct fs_info info;
	struct err err;

	CHECK_OK(transcript_sync(t, &err), err);
	CHECK_INT(entries_in(str_c(&d_dir)), 0);
	add(t, "user", "u1", HI);
	CHECK_OK(fs_info(&info, d.path, true, &err), err);
	CHECK_INT(info.mode, 0600);
	CHECK(fs_exists(d.lock));
	transcript_free(t);
	CHECK(!fs_exists(d.lock));
	transcript_free(NULL);
}

TEST(what_is_written_is_loaded_again)
{
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	DESK(d);
	defer(transcript_freep) struct transcript *t = open_at(&d, "");
	struct err err;

	add(t, "user", "u1", HI);
	CHECK_OK(transcript_note(t, SV("{\"type\":\"cost-state\",\"n\":1}"), &err), err);
	add(t, "assistant", "a1", HELLO);
	CHECK_OK(transcript_load(&l, d.path, SV_EMPTY, &err), err);
	CHECK_MESSAGES(l, "U \"hi\"\nA [" TEXT("hello") "]\n");
	CHECK_STR(str_c(&l.cost_state), "{\"type\":\"cost-state\",\"n\":1}");
	CHECK_STR(l.last.text, "a1");
}

TEST(a_session_is_taken_up_where_it_ended)
{
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	DESK(d);
	struct err err;

	for (int i = 0; i < 3; i++) {
		defer(transcript_freep) struct transcript *t = open_at(&d, i ? l.last.text : "");
		char uuid[16];

		snprintf(uuid, sizeof(uuid), "u%d", i);
		add(t, "user", uuid, HI);
		transcript_loaded_clear(&l);
		CHECK_OK(transcript_load(&l, d.path, SV_EMPTY, &err), err);
	}
	CHECK_MESSAGES(l, "U [" TEXT("hi") "," TEXT("hi") "," TEXT("hi") "]\n");
}

TEST(a_boundary_begins_a_new_chain_that_names_the_old_one)
{
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	defer(str_clear) struct str text = STR_INIT;
	DESK(d);
	defer(transcript_freep) struct transcript *t = open_at(&d, "");
	struct transcript_record r = message_record("system", "b1", "");
	struct err err;

	add(t, "user", "u1", "{\"role\":\"user\",\"content\":\"long ago\"}");
	r.subtype = SV("compact_boundary");
	r.content = SV("Conversation compacted");
	CHECK_OK(transcript_add(t, &r, &err), err);
	add(t, "user", "u2", HI);
	CHECK_OK(fs_read(&text, d.path, MIB, &err), err);
	CHECK(strstr(str_c(&text), "{\"parentUuid\":null,\"logicalParentUuid\":\"u1\","));
	CHECK_OK(transcript_load(&l, d.path, SV_EMPTY, &err), err);
	CHECK_MESSAGES(l, "U \"hi\"\n");
}

TEST(json_over_several_lines_becomes_one_line)
{
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	DESK(d);
	defer(transcript_freep) struct transcript *t = open_at(&d, "");
	struct err err;

	add(t, "user", "u1", "{\n\"role\": \"user\",\r\n\"content\": \"a\\nb\"\n}");
	CHECK_OK(transcript_load(&l, d.path, SV_EMPTY, &err), err);
	CHECK_INT(l.bad_lines, 0);
	CHECK_MESSAGES(l, "U \"a\\nb\"\n");
}

TEST(what_could_not_be_read_back_is_refused)
{
	DESK(d);
	defer(transcript_freep) struct transcript *t = open_at(&d, "");
	defer(str_clear) struct str big = STR_INIT;
	struct transcript_record r = message_record("user", "u1", "{\"role\":");
	struct err err;

	CHECK(!transcript_add(t, &r, &err));
	CHECK_ERR(err, ERR_PARSE, d.path);
	CHECK(!transcript_note(t, SV("not JSON"), &err));
	CHECK_ERR(err, ERR_PARSE, d.path);
	str_addc(&big, '"');
	while (big.len <= LIMIT_TRANSCRIPT_LINE)
		str_adds(&big, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
	str_addc(&big, '"');
	r.message = sv_of(&big);
	CHECK(!transcript_add(t, &r, &err));
	CHECK_ERR(err, ERR_TOO_BIG, d.path);
	CHECK(!fs_exists(d.path));
}

TEST(a_torn_line_at_the_end_costs_no_other_line)
{
	struct sv whole = SV(USER("u1", "null", "\"one\""));

	for (size_t k = 0; k <= whole.len; k++) {
		defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
		TEMP_DIR(dir);
		defer(mem_freep) char *path = script_in(&dir, sv_slice(whole, 0, k));
		struct desk d = { .path = path };
		defer(transcript_freep) struct transcript *t =
			open_at(&d, k + 1 >= whole.len ? "u1" : "");
		struct err err;

		add(t, "user", "u2", HI);
		CHECK_OK(transcript_load(&l, path, SV_EMPTY, &err), err);
		CHECK_INT(l.bad_lines, k > 0 && k + 1 < whole.len);
		if (k + 1 >= whole.len)
			CHECK_MESSAGES(l, "U [" TEXT("one") "," TEXT("hi") "]\n");
		else
			CHECK_MESSAGES(l, "U \"hi\"\n");
	}
}

TEST(a_record_after_one_that_failed_is_chained_to_the_last_that_did_not)
{
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	DESK(d);
	defer(transcript_freep) struct transcript *t = open_at(&d, "");
	struct transcript_record bad = message_record("user", "u2", "{");
	struct err err;

	add(t, "user", "u1", HI);
	CHECK(!transcript_add(t, &bad, &err));
	add(t, "assistant", "a1", HELLO);
	CHECK_OK(transcript_load(&l, d.path, SV_EMPTY, &err), err);
	CHECK_MESSAGES(l, "U \"hi\"\nA [" TEXT("hello") "]\n");
	CHECK_STR(str_c(&l.notes), "");
}

TEST(a_path_that_cannot_be_written_is_named)
{
	TEMP_DIR(dir);
	PATH_IN(file, dir, "file");
	PATH_IN(path, dir, "file/s.jsonl");
	struct desk d = { .path = path };
	defer(transcript_freep) struct transcript *t = open_at(&d, "");
	struct transcript_record r = message_record("user", "u1", HI);
	struct err err;

	write_file(file, "in the way", 0600);
	CHECK(!transcript_add(t, &r, &err));
	CHECK_ERR(err, ERR_EXISTS, file);
	CHECK_OK(fs_remove(file, &err), err);
	CHECK_OK(transcript_add(t, &r, &err), err);
}

/* --- two at a time ------------------------------------------------------------------- */

TEST(a_session_that_is_open_elsewhere_is_not_written_to)
{
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	DESK(d);
	struct transcript *first = open_at(&d, "");
	defer(transcript_freep) struct transcript *second = open_at(&d, "u1");
	struct transcript_record r = message_record("user", "u2", HI);
	struct err err;

	add(first, "user", "u1", HI);
	CHECK(!transcript_add(second, &r, &err));
	CHECK_ERR(err, ERR_BUSY, "--fork-session");
	add(first, "assistant", "a1", HELLO);
	transcript_free(first);
	CHECK_OK(transcript_add(second, &r, &err), err);
	CHECK_OK(transcript_load(&l, d.path, SV_EMPTY, &err), err);
	CHECK_STR(l.last.text, "u2");
}

/* What a killed process leaves behind keeps nobody out. */
TEST(a_killed_writer_holds_no_lock)
{
	DESK(d);
	defer(transcript_freep) struct transcript *t = open_at(&d, "u1");
	int ready[2], status;
	char byte;
	pid_t child;

	CHECK_INT(pipe(ready), 0);
	child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		struct transcript *other = open_at(&d, "");
		struct transcript_record r = message_record("user", "u1", HI);
		struct err err;

		if (transcript_add(other, &r, &err) && write(ready[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	CHECK_INT(read(ready[0], &byte, 1), 1);
	CHECK_INT(kill(child, SIGKILL), 0);
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK(fs_exists(d.lock));
	add(t, "user", "u2", HI);
	close(ready[0]);
	close(ready[1]);
}

enum { WRITERS = 3, RECORDS = 60 };

/* Records over a page long, without the lock that would keep others out. */
static _Noreturn void write_many(const struct desk *d, char who)
{
	struct transcript *t = open_at(d, "");
	struct str message = STR_INIT;
	struct transcript_record r;
	struct err err;
	char uuid[16];

	str_adds(&message, "{\"role\":\"user\",\"content\":\"");
	for (int i = 0; i < 9000; i++)
		str_addc(&message, who);
	str_adds(&message, "\"}");
	for (int i = 0; i < RECORDS; i++) {
		snprintf(uuid, sizeof(uuid), "%c%d", who, i);
		r = message_record("user", uuid, str_c(&message));
		if (!transcript_add(t, &r, &err))
			_exit(1);
	}
	_exit(0);
}

TEST(records_of_several_writers_do_not_mix)
{
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	TEMP_DIR(dir);
	PATH_IN(path, dir, "s.jsonl");
	struct desk d = { .path = path };
	char last[16];
	struct err err;
	int status;

	for (int i = 0; i < WRITERS; i++)
		if (fork() == 0)
			write_many(&d, (char)('a' + i));
	for (int i = 0; i < WRITERS; i++) {
		CHECK(wait(&status) > 0);
		CHECK_INT(status, 0);
	}
	for (int i = 0; i < WRITERS; i++) {
		snprintf(last, sizeof(last), "%c%d", 'a' + i, RECORDS - 1);
		transcript_loaded_clear(&l);
		CHECK_OK(transcript_load(&l, path, sv_cstr(last), &err), err);
		CHECK_INT(l.bad_lines, 0);
		CHECK_INT(l.messages.n, 1);
		CHECK(l.messages.at[0].json.len > (size_t)RECORDS * 9000);
	}
}

TEST(nothing_goes_on_from_a_file_that_is_gone)
{
	DESK(d);
	struct transcript *t = open_at(&d, "");
	struct transcript_record r = message_record("user", "u2", HI);
	struct err err = ERR_INIT;

	add(t, "user", "u1", HI);
	transcript_free(t);
	t = open_at(&d, "u1");
	CHECK_OK(fs_remove(d.path, &err), err);
	CHECK(!transcript_add(t, &r, &err));
	CHECK_INT(err.kind, ERR_NOT_FOUND);
	CHECK(!fs_exists(d.path));
	transcript_free(t);
}

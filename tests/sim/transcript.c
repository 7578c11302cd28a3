/* Sessions on a disk that fails, or is full, at any moment. */
#include "store/transcript/transcript.h"
#include "machine/sim.h"
#include "sys/fs.h"
#include "test.h"

#define PATH   "/c/projects/-w/s.jsonl"
#define COPY   "/c/projects/-v/copy.jsonl"
#define LOCK   "/c/awl/locks/s"
#define RECORD "{\"role\":\"user\",\"content\":\"hi\"}"

static struct transcript *open_session(void)
{
	return transcript_new(&(struct transcript_opts){ .path = PATH,
							 .lock_path = LOCK,
							 .session_id = "s",
							 .version = "awl",
							 .entrypoint = "cli" });
}

static bool add(struct transcript *t, const char *uuid, struct err *err)
{
	return transcript_add(t,
			      &(struct transcript_record){ .type = "user",
							   .uuid = sv_cstr(uuid),
							   .message = SV(RECORD),
							   .durable = true },
			      err);
}

static const char *const uuids[] = { "u1", "u2", "u3" };

/* Each record until it is there; how often one was not. */
static size_t add_all(struct transcript *t)
{
	size_t failures = 0;
	struct err err;

	for (size_t i = 0; i < countof(uuids); i++) {
		while (!add(t, uuids[i], &err)) {
			CHECK(strstr(err.text, "/c/"));
			failures++;
		}
	}
	return failures;
}

static void check_whole(const char *path)
{
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	struct err err;

	CHECK_OK(transcript_load(&l, path, SV_EMPTY, &err), err);
	CHECK_STR(l.last.text, "u3");
	CHECK_INT(l.bad_lines, 0);
	CHECK_INT(l.messages.n, 1);
	CHECK_STR(str_c(&l.messages.at[0].json),
		  "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"},"
		  "{\"type\":\"text\",\"text\":\"hi\"},{\"type\":\"text\",\"text\":\"hi\"}]}");
}

TEST(a_disk_that_fails_once_costs_no_record)
{
	bool natural = false; /* true once k is past the end of the run */

	for (size_t k = 1; !natural; k++) {
		defer(sim_freep) struct sim *w = sim_new();
		struct transcript *t = open_session();

		sim_fail_at(w, k, ERR_NONE);
		natural = add_all(t) == 0;
		sim_fail_at(w, 0, ERR_NONE);
		check_whole(PATH);
		transcript_free(t);
		CHECK(!fs_exists(LOCK));
	}
}

TEST(a_full_disk_leaves_the_file_as_it_was)
{
	defer(sim_freep) struct sim *w = sim_new();
	defer(transcript_freep) struct transcript *t = open_session();
	size_t before;
	struct err err;

	CHECK_OK(add(t, "u1", &err), err);
	before = sim_get(w, PATH).len;
	sim_set_space(w, 10);
	CHECK(!add(t, "u2", &err));
	CHECK_ERR(err, ERR_FULL, PATH);
	CHECK_INT(sim_get(w, PATH).len, before);
	sim_set_space(w, SIZE_MAX);
	CHECK_OK(add(t, "u2", &err), err);
	CHECK_OK(add(t, "u3", &err), err);
	check_whole(PATH);
}

/* Runs `what` with every operation failing in turn, until it goes through. */
static void sweep(bool (*what)(struct err *err), void (*check)(bool ok))
{
	bool ok = false;

	for (size_t k = 1; !ok; k++) {
		defer(sim_freep) struct sim *w = sim_new();
		struct transcript *t = open_session();
		struct err err;

		CHECK_INT(add_all(t), 0);
		transcript_free(t);
		sim_fail_at(w, sim_ops_counted(w) + k, ERR_NONE);
		ok = what(&err);
		sim_fail_at(w, 0, ERR_NONE);
		CHECK(ok || strstr(err.text, SIM_FAULT_TEXT));
		if (check)
			check(ok);
		check_whole(PATH);
	}
}

static bool load(struct err *err)
{
	struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	bool ok = transcript_load(&l, PATH, SV_EMPTY, err);

	CHECK_INT(l.messages.n, ok);
	transcript_loaded_clear(&l);
	return ok;
}

static bool fork_it(struct err *err)
{
	return transcript_fork(PATH, COPY, "11111111-2222-4333-8444-555555555555", err);
}

static void check_copy(bool ok)
{
	CHECK_INT(fs_exists(COPY), ok);
	if (ok)
		check_whole(COPY);
}

TEST(a_disk_that_fails_while_a_session_is_loaded_is_reported)
{
	sweep(load, NULL);
}

TEST(a_disk_that_fails_while_a_session_is_forked_leaves_no_copy)
{
	sweep(fork_it, check_copy);
}

/* --- a crash ------------------------------------------------------------------------- */

static bool add_fleeting(struct transcript *t, const char *uuid, struct err *err)
{
	return transcript_add(t,
			      &(struct transcript_record){ .type = "user",
							   .uuid = sv_cstr(uuid),
							   .message = SV(RECORD) },
			      err);
}

TEST(a_durable_record_outlives_a_crash_with_all_before_it)
{
	defer(sim_freep) struct sim *w = sim_new();
	defer(transcript_loaded_clear) struct transcript_loaded l = TRANSCRIPT_LOADED_INIT;
	struct transcript *t = open_session();
	struct err err;

	CHECK_OK(add_fleeting(t, "u1", &err), err);
	CHECK_OK(add(t, "u2", &err), err);
	CHECK_OK(add_fleeting(t, "u3", &err), err);
	sim_crash(w);
	transcript_free(t);
	CHECK_OK(transcript_load(&l, PATH, SV_EMPTY, &err), err);
	CHECK_STR(l.last.text, "u2");
	CHECK_INT(l.bad_lines, 0);
}

TEST(a_fork_outlives_a_crash)
{
	defer(sim_freep) struct sim *w = sim_new();
	struct transcript *t = open_session();
	struct err err;

	CHECK_INT(add_all(t), 0);
	transcript_free(t);
	CHECK_OK(transcript_fork(PATH, COPY, "copy", &err), err);
	sim_crash(w);
	check_whole(COPY);
}

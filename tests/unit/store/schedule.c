#include "store/schedule.h"

#include "base/limits.h"
#include "sys/fs.h"
#include "test.h"

enum { MINUTE = 60 * 1000, HOUR = 60 * MINUTE };

static const int64_t start = 1767225600000; /* 2026-01-01 00:00 in UTC */

static struct schedule_job *add(schedule_jobs *jobs, const char *cron, const char *prompt)
{
	struct schedule_job *job;
	struct rng rng;

	rng_seed(&rng, jobs->n);
	job = schedule_jobs_add(jobs, sv_cstr(cron), sv_cstr(prompt), &rng);
	job->created_ms = start;
	job->next_ms = start + HOUR;
	return job;
}

TEST(a_recurring_job_is_late_by_the_same_share_of_its_interval_each_time)
{
	schedule_jobs jobs = VEC_INIT;
	bool differs = false;

	for (int i = 0; i < 20; i++) {
		struct schedule_job *job = add(&jobs, "*/10 * * * *", "x");
		int64_t first, last;

		job->is_recurring = true;
		first = schedule_next(job, start);
		last = first;
		CHECK(first > start && first < start + 15 * MINUTE);
		CHECK(first % (10 * MINUTE) < 5 * MINUTE);
		for (int k = 0; k < 10; k++, last += 10 * MINUTE)
			CHECK(schedule_next(job, last) == last + 10 * MINUTE);
		differs |= first != schedule_next(&jobs.at[0], start);
	}
	CHECK(differs);
	schedule_jobs_clear(&jobs);
}

TEST(it_is_never_later_than_half_an_hour_and_a_single_time_is_not_late)
{
	schedule_jobs jobs = VEC_INIT;
	struct schedule_job *job = add(&jobs, "0 0 1 * *", "monthly");

	setenv("TZ", "UTC", 1);
	tzset();
	job->is_recurring = true;
	CHECK(schedule_next(job, start) - (start + (int64_t)31 * 24 * HOUR) < 30 * MINUTE);
	job->is_recurring = false;
	CHECK(schedule_next(job, start) == start + (int64_t)31 * 24 * HOUR);
	unsetenv("TZ");
	tzset();
	schedule_jobs_clear(&jobs);
}

TEST(a_recurring_job_expires_after_seven_days)
{
	schedule_jobs jobs = VEC_INIT;
	struct schedule_job *job = add(&jobs, "* * * * *", "x");

	CHECK(!schedule_is_expired(job, start + (int64_t)30 * 24 * HOUR));
	job->is_recurring = true;
	CHECK(!schedule_is_expired(job, start + (int64_t)7 * 24 * HOUR - 1));
	CHECK(schedule_is_expired(job, start + (int64_t)7 * 24 * HOUR));
	schedule_jobs_clear(&jobs);
}

TEST(a_file_keeps_the_jobs_of_its_kind_and_is_removed_with_the_last)
{
	defer(str_clear) struct str dir = STR_INIT, path = STR_INIT;
	schedule_jobs jobs = VEC_INIT, read = VEC_INIT;
	struct err err;

	CHECK_OK(fs_temp_dir(&dir, &err), err);
	str_addf(&path, "%s/a/b/schedule.json", dir.ptr);
	add(&jobs, "0 9 * * 1-5", "mine\n\"quoted\"")->is_recurring = true;
	add(&jobs, "", "wake up");
	add(&jobs, "1 2 3 4 *", "durable")->is_durable = true;
	CHECK_OK(schedule_write(&jobs, path.ptr, false, &err), err);
	schedule_read(&read, path.ptr, false);
	CHECK(read.n == 2);
	CHECK_STR(str_c(&read.at[0].prompt), "mine\n\"quoted\"");
	CHECK_STR(read.at[0].id, jobs.at[0].id);
	CHECK(read.at[0].is_recurring && !read.at[0].is_durable);
	CHECK(read.at[0].created_ms == start && read.at[0].next_ms == start + HOUR);
	CHECK(!read.at[1].cron.len && !read.at[1].is_recurring);
	schedule_jobs_clear(&read);
	while (jobs.n)
		schedule_jobs_remove(&jobs, 0);
	CHECK_OK(schedule_write(&jobs, path.ptr, false, &err), err);
	CHECK(!fs_exists(path.ptr));
	CHECK_OK(schedule_write(&jobs, path.ptr, false, &err), err);
	CHECK_OK(fs_remove_tree(dir.ptr, &err), err);
	schedule_jobs_clear(&jobs);
}

TEST(what_is_not_a_job_in_a_file_is_skipped)
{
	static const char text[] =
		"{\"tasks\":[1,{},{\"id\":\"zzzzzzzz\",\"cron\":\"* * * * *\",\"prompt\":\"x\","
		"\"createdAt\":1,\"due\":1},"
		"{\"id\":\"00000001\",\"cron\":\"99 * * * "
		"*\",\"prompt\":\"x\",\"createdAt\":1,\"due\":1},"
		"{\"id\":\"00000002\",\"cron\":\"* * * * *\",\"prompt\":\" "
		"\",\"createdAt\":1,\"due\":1},"
		"{\"id\":\"00000003\",\"cron\":\"* * * * "
		"*\",\"prompt\":\"x\",\"createdAt\":1,\"due\":-1},"
		"{\"id\":\"00000004\",\"cron\":\"\",\"prompt\":\"x\",\"createdAt\":1,\"due\":1,"
		"\"recurring\":true},"
		"{\"id\":\"00000005\",\"cron\":\"* * * * *\",\"prompt\":\"x\",\"createdAt\":1},"
		"{\"id\":\"00000007\",\"cron\":\"* * * * *\",\"prompt\":\"x\",\"createdAt\":"
		"-9223372036854775808,\"due\":1,\"recurring\":true},"
		"{\"id\":\"00000006\",\"cron\":\"* * * * "
		"*\",\"prompt\":\"good\",\"createdAt\":1,\"due\":1},"
		"{\"id\":\"00000006\",\"cron\":\"* * * * "
		"*\",\"prompt\":\"twice\",\"createdAt\":1,\"due\":1}"
		"]}";
	defer(str_clear) struct str dir = STR_INIT, path = STR_INIT, many = STR_INIT;
	schedule_jobs jobs = VEC_INIT;
	struct err err;

	CHECK_OK(fs_temp_dir(&dir, &err), err);
	str_addf(&path, "%s/schedule.json", dir.ptr);
	schedule_read(&jobs, path.ptr, true);
	CHECK_OK(fs_write(path.ptr, SV("nonsense"), (struct fs_write){ 0 }, &err), err);
	schedule_read(&jobs, path.ptr, true);
	CHECK(!jobs.n);
	CHECK_OK(fs_write(path.ptr, sv_cstr(text), (struct fs_write){ 0 }, &err), err);
	schedule_read(&jobs, path.ptr, true);
	CHECK(jobs.n == 1);
	CHECK_STR(str_c(&jobs.at[0].prompt), "good");
	str_adds(&many, "{\"tasks\":[");
	for (int i = 0; i < LIMIT_SCHEDULE + 20; i++)
		str_addf(&many,
			 "%s{\"id\":\"%08x\",\"cron\":\"\",\"prompt\":\"x\",\"createdAt\":1,"
			 "\"due\":1}",
			 i ? "," : "", i + 100);
	str_adds(&many, "]}");
	CHECK_OK(fs_write(path.ptr, sv_of(&many), (struct fs_write){ 0 }, &err), err);
	schedule_read(&jobs, path.ptr, true);
	CHECK(jobs.n == LIMIT_SCHEDULE);
	CHECK_OK(fs_remove_tree(dir.ptr, &err), err);
	schedule_jobs_clear(&jobs);
}

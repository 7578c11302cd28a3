#include "store/schedule.h"

#include "base/limits.h"
#include "sys/fs.h"
#include "text/cron.h"
#include "text/json/json_write.h"

enum { ID_LEN = 8 };

/* --- a list --------------------------------------------------------------------------------------- */

static void schedule_job_clear(struct schedule_job *job)
{
	str_clear(&job->cron);
	str_clear(&job->prompt);
}

void schedule_jobs_clear(schedule_jobs *jobs)
{
	for (size_t i = 0; i < jobs->n; i++)
		schedule_job_clear(&jobs->at[i]);
	vec_clear(jobs);
}

void schedule_jobs_remove(schedule_jobs *jobs, size_t at)
{
	schedule_job_clear(&jobs->at[at]);
	for (size_t i = at + 1; i < jobs->n; i++)
		jobs->at[i - 1] = jobs->at[i];
	jobs->n--;
}

struct schedule_job *schedule_jobs_find(const schedule_jobs *jobs, struct sv id)
{
	for (size_t i = 0; i < jobs->n; i++)
		if (sv_is(id, jobs->at[i].id))
			return &jobs->at[i];
	return NULL;
}

struct schedule_job *schedule_jobs_add(schedule_jobs *jobs, struct sv cron, struct sv prompt,
				       struct rng *rng)
{
	struct schedule_job job = { .cron = STR_INIT };

	do
		snprintf(job.id, sizeof(job.id), "%08x", (unsigned)(rng_next(rng) & 0xffffffff));
	while (schedule_jobs_find(jobs, sv_cstr(job.id)));
	str_add(&job.cron, cron);
	str_add(&job.prompt, prompt);
	vec_push(jobs, job);
	return &jobs->at[jobs->n - 1];
}

/* --- time ----------------------------------------------------------------------------------------- */

/* A share of `max_ms` that depends only on the id. */
static int64_t schedule_jitter(const struct schedule_job *job, int64_t max_ms)
{
	uint32_t hash = 2166136261u;

	for (const char *c = job->id; *c; c++)
		hash = (hash ^ (uint8_t)*c) * 16777619u;
	return (int64_t)((uint64_t)max_ms * (hash >> 8) >> 24);
}

int64_t schedule_next(const struct schedule_job *job, int64_t after_ms)
{
	enum { MOST_MS = 30 * 60 * 1000 };
	struct err ignored = ERR_INIT;
	struct cron cron;
	int64_t first, second, late;

	if (!cron_parse(&cron, sv_of(&job->cron), &ignored))
		return -1;
	first = cron_next(&cron, after_ms);
	if (!job->is_recurring || first < 0)
		return first;
	second = cron_next(&cron, first);
	late = second < 0 ? 0
			  : schedule_jitter(job, min_of((second - first) / 2, (int64_t)MOST_MS));
	/* The time before it may be still to come, because it is late, too. */
	first = cron_next(&cron, after_ms - late);
	return first < 0 ? -1 : first + late;
}

void schedule_add_time(struct str *out, int64_t ms)
{
	time_t seconds = (time_t)(ms / 1000);
	char text[40];
	struct tm tm;

	if (localtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		str_adds(out, text);
}

bool schedule_is_expired(const struct schedule_job *job, int64_t now_ms)
{
	return job->is_recurring && now_ms - job->created_ms >= LIMIT_SCHEDULE_MS;
}

/* --- the file ------------------------------------------------------------------------------------- */

static bool schedule_id_valid(struct sv id)
{
	for (size_t i = 0; i < id.len; i++)
		if (sv_find_char(SV("0123456789abcdef"), id.ptr[i]) == SIZE_MAX)
			return false;
	return id.len == ID_LEN;
}

static void schedule_read_job(schedule_jobs *jobs, struct json task, bool is_durable)
{
	struct sv id = json_str_or(json_get(task, "id"), SV_EMPTY);
	struct sv cron_text = json_str_or(json_get(task, "cron"), SV_EMPTY);
	struct sv prompt = json_str_or(json_get(task, "prompt"), SV_EMPTY);
	struct schedule_job job = { .is_durable = is_durable,
				    .is_recurring =
					    json_bool_or(json_get(task, "recurring"), false) };
	struct err ignored = ERR_INIT;
	struct cron cron;

	if (jobs->n >= LIMIT_SCHEDULE || !schedule_id_valid(id) || schedule_jobs_find(jobs, id) ||
	    !sv_trim(prompt).len || prompt.len > LIMIT_SCHEDULE_PROMPT ||
	    !json_int(json_get(task, "createdAt"), &job.created_ms) || job.created_ms < 0 ||
	    !json_int(json_get(task, "due"), &job.next_ms) || job.next_ms < 0 ||
	    (cron_text.len ? !cron_parse(&cron, cron_text, &ignored) : job.is_recurring))
		return;
	snprintf(job.id, sizeof(job.id), "%.*s", SV_ARG(id));
	str_add(&job.cron, cron_text);
	str_add(&job.prompt, prompt);
	vec_push(jobs, job);
}

void schedule_read(schedule_jobs *jobs, const char *path, bool is_durable)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored = ERR_INIT;
	struct json_iter it;
	struct json task;

	if (!fs_read(&text, path, LIMIT_SCHEDULE_FILE, &ignored))
		return;
	doc = json_parse(sv_of(&text), 0, &ignored);
	it = json_each(json_get(json_root(doc), "tasks"));
	while (json_next(&it, NULL, &task))
		schedule_read_job(jobs, task, is_durable);
}

static void schedule_write_job(struct jw *w, const struct schedule_job *job)
{
	jw_put_str(w, "id", sv_cstr(job->id));
	jw_put_str(w, "cron", sv_of(&job->cron));
	jw_put_str(w, "prompt", sv_of(&job->prompt));
	jw_put_bool(w, "recurring", job->is_recurring);
	jw_put_int(w, "createdAt", job->created_ms);
	jw_put_int(w, "due", job->next_ms);
}

bool schedule_write(const schedule_jobs *jobs, const char *path, bool is_durable, struct err *err)
{
	defer(str_clear) struct str json = STR_INIT, dir = STR_INIT;
	size_t n = 0;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_array(&w, "tasks");
	for (size_t i = 0; i < jobs->n; i++) {
		if (jobs->at[i].is_durable != is_durable)
			continue;
		n++;
		jw_object(&w);
		schedule_write_job(&w, &jobs->at[i]);
		jw_end(&w);
	}
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	if (!n)
		return fs_remove(path, err);
	str_add(&dir, sv_slice(sv_cstr(path), 0, sv_rfind_char(sv_cstr(path), '/')));
	return fs_mkdirs(str_c(&dir), 0700, err) &&
	       fs_write(path, sv_of(&json), (struct fs_write){ .mode = 0600 }, err);
}

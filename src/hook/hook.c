#include "hook/hook.h"

#include "base/limits.h"
#include "base/map.h"
#include "hook/job.h"
#include "text/json/json_write.h"

/* A guest with copies of its texts. */
struct hook_guest_kept {
	struct hook_guest guest;
	struct hook_set *set;
};

struct hooks {
	struct hooks_opts opts;
	char *project_dir, *env_file;
	struct hook_set *set;
	VEC(struct hook_guest_kept) guests;
	struct str host; /* what it registered, as JSON; empty: nothing */
	struct map ran;  /* handlers that run only once, by key */
	struct hook_job *background;
	size_t runs; /* that are not done */
	void (*on_quiet)(void *arg);
	void *quiet_arg;
};

/* All handlers of one event. */
struct hook_run {
	struct op op;
	struct hooks *hooks;
	VEC(struct hook_job *) jobs; /* in the order of the set; NULL: it went to the background */
	size_t live;
	struct hook_answer answer;
};

/* --- the hooks of a session ------------------------------------------------------------------ */

struct hooks *hooks_new(const struct hooks_opts *opts)
{
	struct hooks *hooks = xnew(struct hooks);
	struct str notes = STR_INIT;

	hooks->opts = *opts;
	hooks->opts.project_dir = hooks->project_dir =
		opts->project_dir ? xstrdup(opts->project_dir) : NULL;
	hooks->opts.env_file = hooks->env_file = opts->env_file ? xstrdup(opts->env_file) : NULL;
	hooks->set = hook_set_new(NULL, NULL, false, &notes);
	return hooks;
}

void hooks_set_env_file(struct hooks *hooks, const char *path)
{
	free(hooks->env_file);
	hooks->opts.env_file = hooks->env_file = xstrdup(path);
}

bool hooks_are_quiet(const struct hooks *hooks)
{
	return !hooks->background && !hooks->runs;
}

static void hook_guest_clear(struct hook_guest_kept *kept)
{
	hook_set_unref(kept->set);
	sv_disown(&kept->guest.owner);
	sv_disown(&kept->guest.file);
	sv_disown(&kept->guest.json);
}

void hooks_free(struct hooks *hooks)
{
	if (!hooks)
		return;
	BUG_ON(!hooks_are_quiet(hooks));
	hook_set_unref(hooks->set);
	for (size_t i = 0; i < hooks->guests.n; i++)
		hook_guest_clear(&hooks->guests.at[i]);
	vec_clear(&hooks->guests);
	map_clear(&hooks->ran);
	str_clear(&hooks->host);
	free(hooks->project_dir);
	free(hooks->env_file);
	free(hooks);
}

static void hooks_keep_host(struct hooks *hooks, struct json host)
{
	struct jw w;

	str_truncate(&hooks->host, 0);
	jw_init(&w, &hooks->host, JW_COMPACT);
	jw_value(&w, host);
	jw_done(&w);
}

/* --- guests ------------------------------------------------------------------------------------ */

/* Their entries were checked when they came. */
static void hooks_reload_guests(struct hooks *hooks, const struct settings *settings)
{
	defer(str_clear) struct str known = STR_INIT;
	struct err ignored = ERR_INIT;

	for (size_t i = 0; i < hooks->guests.n; i++) {
		struct hook_guest_kept *kept = &hooks->guests.at[i];
		struct hook_set *set = hook_set_new_guest(settings, &kept->guest, &known, &ignored);

		if (!set)
			continue;
		hook_set_unref(kept->set);
		kept->set = set;
	}
}

static void hooks_drop_guest(struct hooks *hooks, size_t i)
{
	hook_guest_clear(&hooks->guests.at[i]);
	vec_remove(&hooks->guests, i);
}

bool hooks_add_guest(struct hooks *hooks, const struct settings *settings,
		     const struct hook_guest *guest, struct str *notes, struct err *err)
{
	struct hook_guest_kept kept = { .guest = *guest };

	kept.set = hook_set_new_guest(settings, guest, notes, err);
	if (!kept.set)
		return false;
	for (size_t i = hooks->guests.n; i--;)
		if (sv_eq(hooks->guests.at[i].guest.owner, guest->owner) &&
		    sv_eq(hooks->guests.at[i].guest.file, guest->file))
			hooks_drop_guest(hooks, i);
	kept.guest.owner = sv_own(guest->owner);
	kept.guest.file = sv_own(guest->file);
	kept.guest.json = sv_own(guest->json);
	vec_push(&hooks->guests, kept);
	return true;
}

void hooks_remove_guests(struct hooks *hooks, enum hook_source source, struct sv owner)
{
	for (size_t i = hooks->guests.n; i--;)
		if (hooks->guests.at[i].guest.source == source &&
		    sv_eq(hooks->guests.at[i].guest.owner, owner))
			hooks_drop_guest(hooks, i);
}

const struct hook_set *hooks_set_at(const struct hooks *hooks, size_t i)
{
	if (!i)
		return hooks->set;
	return i <= hooks->guests.n ? hooks->guests.at[i - 1].set : NULL;
}

/* --- loading ----------------------------------------------------------------------------------- */

void hooks_load(struct hooks *hooks, const struct settings *settings,
		const struct hook_others *others, bool only_given, struct str *notes)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct hook_others all = others ? *others : (struct hook_others){ .plugins = NULL };
	struct err err = ERR_INIT;

	if (json_exists(all.host))
		hooks_keep_host(hooks, all.host);
	else if (hooks->host.len)
		doc = json_parse(sv_of(&hooks->host), 0, &err);
	if (doc)
		all.host = json_root(doc);
	hook_set_unref(hooks->set);
	hooks->set = hook_set_new(settings, &all, only_given, notes);
	hooks_reload_guests(hooks, settings);
}

const struct hook_set *hooks_set(const struct hooks *hooks)
{
	return hooks->set;
}

bool hooks_has(const struct hooks *hooks, enum hook_event event)
{
	bool has = hook_set_has(hooks->set, event);

	for (size_t i = 0; !has && i < hooks->guests.n; i++)
		has = hook_set_has(hooks->guests.at[i].set, event);
	return has;
}

struct loop *hooks_loop(const struct hooks *hooks)
{
	return hooks->opts.loop;
}

const struct hooks_opts *hooks_opts(const struct hooks *hooks)
{
	return &hooks->opts;
}

void hooks_when_quiet(struct hooks *hooks, void (*on_quiet)(void *arg), void *arg)
{
	hooks->on_quiet = on_quiet;
	hooks->quiet_arg = arg;
}

/* The owner may free the hooks in there. */
static void hooks_check_quiet(struct hooks *hooks)
{
	if (hooks->on_quiet && hooks_are_quiet(hooks))
		hooks->on_quiet(hooks->quiet_arg);
}

void hooks_stop(struct hooks *hooks)
{
	for (struct hook_job *job = hooks->background; job; job = job->next)
		hook_job_cancel(job);
}

/* --- one event ---------------------------------------------------------------------------------- */

static void hook_run_settle(struct hook_run *run)
{
	if (run->live)
		return;
	for (size_t i = 0; i < run->jobs.n; i++) {
		if (!run->jobs.at[i])
			continue;
		hook_answer_merge(&run->answer, &run->jobs.at[i]->answer);
		hook_job_free(run->jobs.at[i]);
	}
	vec_clear(&run->jobs);
	op_finish(&run->op, NULL);
}

static void hook_run_cancel(struct op *op)
{
	struct hook_run *run = container_of(op, struct hook_run, op);

	for (size_t i = 0; i < run->jobs.n; i++)
		if (run->jobs.at[i])
			hook_job_cancel(run->jobs.at[i]);
}

static void hook_run_free(struct op *op)
{
	struct hook_run *run = container_of(op, struct hook_run, op);
	struct hooks *hooks = run->hooks;

	hook_answer_clear(&run->answer);
	free(run);
	hooks->runs--;
	hooks_check_quiet(hooks);
}

static const struct op_type hook_run_type = {
	.name = "hooks",
	.cancel = hook_run_cancel,
	.free = hook_run_free,
};

static void hooks_add_background(struct hooks *hooks, struct hook_job *job)
{
	job->run = NULL;
	job->next = hooks->background;
	hooks->background = job;
}

void hooks_detach(struct hooks *hooks, struct hook_job *job)
{
	struct hook_run *run = container_of(job->run, struct hook_run, op);

	for (size_t i = 0; i < run->jobs.n; i++)
		if (run->jobs.at[i] == job)
			run->jobs.at[i] = NULL;
	hooks_add_background(hooks, job);
	run->live--;
	hook_run_settle(run);
}

/* --- what ends in the background ------------------------------------------------------------------ */

static void hooks_report_news(struct hooks *hooks, const struct hook_job *job)
{
	const struct hook_services *services = &hooks->opts.services;
	const struct hook_answer *answer = &job->answer;
	defer(str_clear) struct str context = STR_INIT, message = STR_INIT;
	bool wakes = job->handler->rewakes && answer->decision == HOOK_DENY;

	if (!services->news || job->is_cancelled)
		return;
	if (wakes)
		str_add(&context, answer->reason);
	for (size_t i = 0; i < answer->context.n; i++)
		str_addf(&context, "%s%.*s", context.len ? "\n" : "",
			 SV_ARG(answer->context.at[i].text));
	for (size_t i = 0; i < answer->messages.n; i++)
		str_addf(&message, "%s%.*s", message.len ? "\n" : "",
			 SV_ARG(answer->messages.at[i].text));
	if (wakes && job->handler->rewake_summary.len)
		str_addf(&message, "%s%.*s", message.len ? "\n" : "",
			 SV_ARG(job->handler->rewake_summary));
	if (context.len || message.len)
		services->news(services->arg,
			       &(struct hook_news){ .handler = job->handler,
						    .name = sv_of(&job->payload->name),
						    .wakes = wakes,
						    .context = sv_of(&context),
						    .message = sv_of(&message) });
}

void hooks_on_job(struct hooks *hooks, struct hook_job *job)
{
	struct hook_job **at = &hooks->background;

	if (job->run) {
		struct hook_run *run = container_of(job->run, struct hook_run, op);

		run->live--;
		hook_run_settle(run);
		return;
	}
	while (*at != job)
		at = &(*at)->next;
	*at = job->next;
	hooks_report_news(hooks, job);
	hook_job_free(job);
	hooks_check_quiet(hooks);
}

/* --- starting ------------------------------------------------------------------------------------- */

/* Whether the handler is to run now. */
static bool hook_run_wants(struct hooks *hooks, const struct hook_handler *h,
			   const struct hook_input *input)
{
	const struct hook_services *services = &hooks->opts.services;

	if (input->is_of_hook && h->type == HOOK_AGENT)
		return false;
	if (h->condition.len && services->matches_rule &&
	    !services->matches_rule(services->arg, h->condition, input))
		return false;
	return !h->runs_once || !map_put(&hooks->ran, h->key, hooks);
}

/* Start a handler that was selected from `set`. */
static void hook_run_add(struct hook_run *run, struct hook_set *set, const struct hook_handler *h,
			 struct hook_payload *payload)
{
	struct hooks *hooks = run->hooks;

	if (h->runs_async) {
		hooks_add_background(hooks, hook_job_start(hooks, NULL, set, h, payload));
		return;
	}
	vec_push(&run->jobs, hook_job_start(hooks, &run->op, set, h, payload));
	run->live++;
}

/* Start the handlers of a set that match and that `list` does not have yet. */
static void hook_run_add_set(struct hook_run *run, struct hook_set *set,
			     const struct hook_input *input, hook_list *list,
			     struct hook_payload *payload)
{
	size_t from = list->n;

	hook_set_select(set, input->event, hook_input_match(input), list);
	for (size_t i = from; i < min_of(list->n, (size_t)LIMIT_HOOK_HANDLERS); i++)
		if (hook_run_wants(run->hooks, list->at[i], input))
			hook_run_add(run, set, list->at[i], payload);
}

static void hook_run_begin(struct hook_run *run, const struct hook_input *input)
{
	struct hooks *hooks = run->hooks;
	struct hook_payload *payload = hook_payload_new(input);
	hook_list list = VEC_INIT;

	hook_run_add_set(run, hooks->set, input, &list, payload);
	for (size_t i = 0; i < hooks->guests.n; i++) {
		const struct hook_guest_kept *kept = &hooks->guests.at[i];

		if (!kept->guest.owner.len || sv_eq(kept->guest.owner, input->agent_id))
			hook_run_add_set(run, kept->set, input, &list, payload);
	}
	vec_clear(&list);
	hook_payload_unref(payload);
}

struct op *hook_start(struct hooks *hooks, const struct hook_input *input, struct then then)
{
	struct hook_run *run = xnew(struct hook_run);

	op_init(&run->op, &hook_run_type, hooks->opts.loop, then);
	run->hooks = hooks;
	hooks->runs++;
	hook_run_begin(run, input);
	hook_run_settle(run);
	return &run->op;
}

const struct hook_answer *hook_answer(const struct op *op)
{
	return &container_of(op, struct hook_run, op)->answer;
}

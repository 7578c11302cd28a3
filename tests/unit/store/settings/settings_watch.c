#include "store/settings/settings_watch.h"

#include "settings_rig.h"
#include "sys/run.h"

struct watched {
	struct outcome outcome; /* first: what `done` is given */
	struct rig rig;
	struct loop *loop;
	struct op *op;
	int calls;
	unsigned sources; /* of the last call */
};

static void on_changed(void *owner, unsigned sources)
{
	struct watched *w = owner;

	w->calls++;
	w->sources = sources;
	loop_stop(w->loop);
}

static void watched_clear(struct watched *w)
{
	op_cancel(w->op);
	RUN_UNTIL(w->loop, w->outcome.done);
	CHECK_INT(w->outcome.why.kind, ERR_CANCELLED);
	loop_free(w->loop);
	rig_clear(&w->rig);
}

static void watched_start(struct watched *w)
{
	w->loop = loop_new();
	w->op = settings_watch_start(w->loop, &w->rig.opts, on_changed, THEN(outcome_done, w));
	w->rig.opts.watch = w->op;
}

#define WATCHED(name)                                              \
	defer(watched_clear) struct watched name = { .calls = 0 }; \
	rig_init(&name.rig)

static void wait_for(struct watched *w, int calls, unsigned sources)
{
	RUN_UNTIL(w->loop, w->calls >= calls);
	CHECK_INT(w->calls, calls);
	CHECK_INT(w->sources, sources);
}

/* What may be told before this is told has been told when it is: the user's file is the
 * mark that comes last. */
static void mark(struct watched *w, const char *text, int calls)
{
	rig_write(&w->rig, USER, text);
	wait_for(w, calls, 1u << SETTINGS_USER);
}

TEST(a_change_of_any_file_is_told_with_its_source)
{
	WATCHED(w);
	PATH_IN(flag, w.rig.dir, "flag.json");
	static const struct {
		const char *file;
		enum settings_source source;
	} cases[] = {
		{ USER, SETTINGS_USER },
		{ PROJECT, SETTINGS_PROJECT },
		{ LOCAL, SETTINGS_LOCAL },
		{ "flag.json", SETTINGS_FLAG },
		{ POLICY, SETTINGS_POLICY },
		{ "policy/managed-settings.d/10.json", SETTINGS_POLICY },
	};
	int calls = 0;

	w.rig.opts.flag = flag;
	for (size_t i = 0; i < countof(cases); i++)
		rig_write(&w.rig, cases[i].file, "{}");
	watched_start(&w);
	for (size_t i = 0; i < countof(cases); i++) {
		rig_write(&w.rig, cases[i].file, "{\"model\": \"x\"}");
		wait_for(&w, ++calls, 1u << cases[i].source);
	}
}

TEST(files_and_directories_that_come_later_are_told)
{
	WATCHED(w);
	struct err err;

	watched_start(&w);
	rig_write(&w.rig, LOCAL, "{}");
	wait_for(&w, 1, 1u << SETTINGS_LOCAL);
	rig_write(&w.rig, USER, "{}");
	wait_for(&w, 2, 1u << SETTINGS_USER);
	rig_write(&w.rig, "policy/managed-settings.d/10.json", "{}");
	wait_for(&w, 3, 1u << SETTINGS_POLICY);
	CHECK_OK(fs_remove_tree(w.rig.config, &err), err);
	wait_for(&w, 4, 1u << SETTINGS_USER);
	rig_write(&w.rig, USER, "{\"model\": \"again\"}");
	wait_for(&w, 5, 1u << SETTINGS_USER);
}

TEST(a_burst_is_told_once)
{
	WATCHED(w);

	rig_write(&w.rig, USER, "{}");
	rig_write(&w.rig, PROJECT, "{}");
	watched_start(&w);
	for (int i = 0; i < 50; i++) {
		rig_write(&w.rig, USER, i % 2 ? "" : "{\"model\": \"x\"}");
		rig_write(&w.rig, PROJECT, i % 2 ? "" : "{\"model\": \"x\"}");
	}
	wait_for(&w, 1, 1u << SETTINGS_USER | 1u << SETTINGS_PROJECT);
}

TEST(what_we_write_ourselves_and_what_stays_the_same_is_not_told)
{
	struct err err = ERR_INIT;
	WATCHED(w);

	rig_write(&w.rig, PROJECT, "{}");
	watched_start(&w);
	CHECK_OK(settings_set(&w.rig.opts, SETTINGS_LOCAL, JSON_STEPS(SV("model")), SV("\"x\""),
			      &err),
		 err);
	rig_write(&w.rig, PROJECT, "{}");
	mark(&w, "{}", 1);
	CHECK_OK(settings_set(&w.rig.opts, SETTINGS_USER, JSON_STEPS(SV("model")), SV("\"y\""),
			      &err),
		 err);
	rig_write(&w.rig, LOCAL, "{}"); /* somebody else's */
	wait_for(&w, 2, 1u << SETTINGS_LOCAL);
}

TEST(a_watch_that_ends_at_once_tells_nothing)
{
	WATCHED(w);

	watched_start(&w);
	rig_write(&w.rig, USER, "{}");
	op_cancel(w.op);
	RUN_UNTIL(w.loop, w.outcome.done);
	CHECK_INT(w.calls, 0);
	w.op = NULL;
}

/* Hooks that run: the sign of life names one that the user has to wait for. Most end sooner than anybody could read
 * their name, so only those that have run for a while are shown. */
#include "front/tui/conversation/tui_hooks.h"

#include "front/display.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"

struct tui_hooks {
	VEC(struct tui_hook) running;
};

enum { FELT_MS = 300, LABEL_CELLS = 60 };

static size_t tui_find_hook(const struct tui *t, struct sv id)
{
	size_t i = 0;

	while (i < t->hooks->running.n && !sv_eq(sv_of(&t->hooks->running.at[i].id), id))
		i++;
	return i;
}

static void tui_drop_hook(struct tui *t, size_t i)
{
	str_clear(&t->hooks->running.at[i].id);
	str_clear(&t->hooks->running.at[i].label);
	vec_remove(&t->hooks->running, i);
}

static void tui_add_hook(struct tui *t, const struct event_hook *hook)
{
	struct tui_hook *added = vec_add(&t->hooks->running);

	str_set(&added->id, hook->id);
	if (!hook->status.len)
		str_adds(&added->label, "Running hook ");
	display_line(&added->label, hook->status.len ? hook->status : hook->name, LABEL_CELLS);
	added->since = tui_now(t);
}

/* While nothing else is under way, nothing else would draw. */
void tui_on_hook(struct tui *t, const struct event *event)
{
	size_t i = tui_find_hook(t, event->hook.id);

	if (event->kind == EVENT_HOOK_STARTED && i == t->hooks->running.n)
		tui_add_hook(t, &event->hook);
	else if (event->kind == EVENT_HOOK_RESPONSE && i < t->hooks->running.n)
		tui_drop_hook(t, i);
	if (!tui_is_working(t))
		tui_redraw(t);
}

bool tui_hooks_run(const struct tui *t)
{
	return t->hooks->running.n;
}

const struct tui_hook *tui_felt_hook(const struct tui *t)
{
	for (size_t i = 0; i < t->hooks->running.n; i++)
		if (tui_now(t) - t->hooks->running.at[i].since >= FELT_MS)
			return &t->hooks->running.at[i];
	return NULL;
}

/* --- init and free ----------------------------------------------------------------- */

void tui_hooks_init(struct tui *t)
{
	t->hooks = xnew(struct tui_hooks);
}

void tui_hooks_free(struct tui *t)
{
	while (t->hooks->running.n)
		tui_drop_hook(t, 0);
	vec_clear(&t->hooks->running);
	free(t->hooks);
}

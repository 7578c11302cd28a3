/* The keys that the user has bound in keybindings.json, which is watched while awl runs. */
#include "front/tui/tui_bindings.h"

#include "base/limits.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "sys/fs.h"
#include "sys/timer.h"
#include "sys/watch.h"

/* How long an editor may take between emptying a file and writing it. */
enum { QUIET_MS = 100 };

struct tui_bindings {
	struct str path; /* empty: there is no home directory */
	struct str text; /* when last read; empty: there is no file */
	struct op *watch, *quiet;
};

/* False: it is as it was. */
static bool tui_bindings_read(struct tui *t, struct str *problems)
{
	struct tui_bindings *b = t->bindings;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	if (!fs_read(&text, str_c(&b->path), LIMIT_KEYBINDINGS, &err) && err.kind != ERR_NOT_FOUND)
		str_addf(problems, "%s\n", err.text);
	else if (t->keymap && sv_eq(sv_of(&text), sv_of(&b->text)))
		return false;
	str_set(&b->text, sv_of(&text));
	return true;
}

static bool tui_bindings_use(struct tui *t)
{
	struct tui_bindings *b = t->bindings;
	defer(str_clear) struct str problems = STR_INIT;

	if (!tui_bindings_read(t, &problems))
		return false;
	keymap_free(t->keymap);
	t->keymap = keymap_new();
	if (b->text.len)
		keymap_load(t->keymap, sv_of(&b->text), &problems);
	tui_settings_complain(t, sv_of(&b->path), sv_of(&problems));
	str_truncate(&t->settings.unfold_key, 0);
	keymap_describe(t->keymap, &t->settings.unfold_key, ACTION_TRANSCRIPT);
	return true;
}

/* --- changes ------------------------------------------------------------------------- */

static void tui_bindings_on_quiet(__attribute__((unused)) struct op *op, void *owner,
				  __attribute__((unused)) const struct err *why)
{
	struct tui *t = owner;

	t->bindings->quiet = NULL;
	if (!t->client.is_leaving)
		tui_bindings_follow(t);
}

static void tui_bindings_on_change(void *owner, __attribute__((unused)) struct sv name)
{
	struct tui *t = owner;
	struct tui_bindings *b = t->bindings;

	if (b->quiet)
		timer_restart(b->quiet, QUIET_MS);
	else
		b->quiet = timer_start(t->client.loop, QUIET_MS, THEN(tui_bindings_on_quiet, t));
}

static void tui_bindings_on_end(__attribute__((unused)) struct op *op, void *owner,
				__attribute__((unused)) const struct err *why)
{
	struct tui *t = owner;

	t->bindings->watch = NULL;
}

/* Fails while the directory does not exist. */
static void tui_bindings_watch(struct tui *t)
{
	struct tui_bindings *b = t->bindings;

	if (!b->watch)
		b->watch = watch_start(t->client.loop, str_c(&b->path), tui_bindings_on_change,
				       THEN(tui_bindings_on_end, t));
}

/* --- what the user has bound --------------------------------------------------------- */

void tui_bindings_follow(struct tui *t)
{
	if (!t->bindings->path.len)
		return;
	if (tui_bindings_use(t))
		tui_show_aside(t, SV("Key bindings changed (applies at once)."));
	tui_bindings_watch(t);
	tui_redraw(t);
}

void tui_bindings_load(struct tui *t)
{
	struct tui_bindings *b = t->bindings;
	const char *dir = awl_config_dir(t->opts->awl);

	if (!dir) {
		t->keymap = keymap_new();
		return;
	}
	fs_join(&b->path, sv_cstr(dir), SV("keybindings.json"));
	(void)tui_bindings_use(t);
	tui_bindings_watch(t);
}

/* --- its life ------------------------------------------------------------------------ */

void tui_bindings_init(struct tui *t)
{
	t->bindings = xnew(struct tui_bindings);
}

void tui_bindings_stop(struct tui *t)
{
	op_cancel(t->bindings->watch);
	op_cancel(t->bindings->quiet);
}

void tui_bindings_free(struct tui *t)
{
	str_clear(&t->bindings->path);
	str_clear(&t->bindings->text);
	free(t->bindings);
	keymap_free(t->keymap);
}

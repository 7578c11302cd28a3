/* Writing a prompt, a plan or a file of the user's in their own editor. It gets the terminal; awl neither reads
 * nor draws until it ends, but a running turn continues. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/limits.h"
#include "front/tui/prompt/tui_compose.h"

#include "front/tui/tui_bindings.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_terminal.h"
#include "sys/child.h"
#include "sys/fs.h"
#include "text/shell_words.h"

struct tui_compose {
	struct op *op;        /* NULL: it does not run */
	struct str dir, file; /* without a directory, the file is the user's own */
	tui_composed_fn *done;
};

/* The user's choice, as other programs have it. */
static const char *tui_compose_program(void)
{
	const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");

	return visual && *visual ? visual : editor && *editor ? editor : "vi";
}

/* The file may hold anything that the user wrote, so it goes at once. */
static void tui_compose_forget(struct tui *t)
{
	struct err err;

	if (t->compose->dir.len && !fs_remove_tree(str_c(&t->compose->dir), &err))
		str_set(&t->note, sv_cstr(err.text));
	str_clear(&t->compose->dir);
	str_clear(&t->compose->file);
}

/* What the file contains now; without the line end that editors add. */
static void tui_compose_take(struct tui *t)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	if (t->compose->dir.len && !fs_read(&text, str_c(&t->compose->file), LIMIT_PROMPT, &err)) {
		str_set(&t->note, sv_cstr(err.text));
		return;
	}
	if (sv_ends(sv_of(&text), SV("\n")))
		str_truncate(&text, text.len - 1);
	t->compose->done(t, sv_of(&text));
}

static void tui_compose_done(struct op *op, void *owner, const struct err *why)
{
	struct tui *t = owner;

	t->compose->op = NULL;
	if (!t->client.is_leaving)
		tui_return(t);
	if (why)
		str_set(&t->note, sv_cstr(why->text));
	else if (child_result(op).code)
		str_addf(&t->note, "The editor ended with status %d; nothing is changed.",
			 child_result(op).code);
	else if (t->compose->done)
		tui_compose_take(t);
	tui_compose_forget(t);
	if (!t->client.is_leaving)
		tui_redraw_now(t);
}

static bool tui_compose_write(struct tui *t, struct sv text, const char *name, struct err *err)
{
	defer(str_clear) struct str lines = STR_INIT;

	tui_compose_forget(t);
	str_addf(&lines, "%.*s\n", SV_ARG(text));
	if (!fs_temp_dir(&t->compose->dir, err))
		return false;
	fs_join(&t->compose->file, sv_of(&t->compose->dir), sv_cstr(name));
	return fs_write(str_c(&t->compose->file), sv_of(&lines), (struct fs_write){ .mode = 0600 },
			err);
}

static void tui_compose_start(struct tui *t)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const char *const *words = NULL;
	struct err err = ERR_INIT;
	const char **argv;
	size_t n = 0;

	if (!tui_frame_can_lend(t, tui_compose_start))
		return;
	if (!shell_words_split(&words, &arena, sv_cstr(tui_compose_program()), &err)) {
		str_set(&t->note, sv_cstr(err.text));
		return;
	}
	while (words[n])
		n++;
	argv = arena_calloc(&arena, n + 2, sizeof(*argv));
	memcpy(argv, words, n * sizeof(*argv));
	argv[n] = str_c(&t->compose->file);
	tui_lend(t);
	t->compose->op =
		child_start(t->client.loop, &(struct child_opts){ .argv = argv, .inherit = true },
			    THEN(tui_compose_done, t));
}

bool tui_compose_runs(const struct tui *t)
{
	return t->compose->op;
}

/* While the terminal takes what was written, nothing may follow what the editor draws. */
static bool tui_compose_can(const struct tui *t)
{
	return !t->compose->op && out_is_empty(&t->client.out);
}

void tui_compose_text(struct tui *t, struct sv text, const char *name, tui_composed_fn *done)
{
	struct err err = ERR_INIT;

	if (!tui_compose_can(t))
		return;
	t->compose->done = done;
	if (tui_compose_write(t, text, name, &err))
		tui_compose_start(t);
	else
		str_set(&t->note, sv_cstr(err.text));
}

void tui_compose_file(struct tui *t, struct sv path, tui_composed_fn *done)
{
	if (!tui_compose_can(t))
		return;
	tui_compose_forget(t);
	t->compose->done = done;
	str_set(&t->compose->file, path);
	tui_compose_start(t);
}

static void tui_compose_prompt(struct tui *t, struct sv text)
{
	editor_set(t->editor, text);
}

void tui_compose(struct tui *t)
{
	defer(str_clear) struct str text = STR_INIT;

	editor_expand(t->editor, &text);
	tui_compose_text(t, sv_of(&text), "prompt.md", tui_compose_prompt);
}

static bool tui_compose_bindings(struct tui *t, struct str *path, struct err *err)
{
	static const char start[] =
		"{\n  \"bindings\": [\n    { \"context\": \"Chat\", \"bindings\": {} }\n  ]\n}\n";
	const char *dir = awl_config_dir(t->opts->awl);

	if (!dir)
		return err_set(err, ERR_NOT_FOUND, "there is no home directory");
	fs_join(path, sv_cstr(dir), SV("keybindings.json"));
	if (fs_exists(str_c(path)))
		return true;
	return fs_mkdirs(dir, 0700, err) &&
	       fs_write(str_c(path), sv_cstr(start), (struct fs_write){ .mode = 0600 }, err);
}

static void tui_compose_keys(struct tui *t, __attribute__((unused)) struct sv text)
{
	tui_bindings_follow(t);
}

void tui_edit_keybindings(struct tui *t)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	if (tui_compose_bindings(t, &path, &err))
		tui_compose_file(t, sv_of(&path), tui_compose_keys);
	else
		str_set(&t->note, sv_cstr(err.text));
}

/* --- init and free ----------------------------------------------------------------- */

void tui_compose_init(struct tui *t)
{
	t->compose = xnew(struct tui_compose);
}

void tui_compose_stop(struct tui *t)
{
	op_cancel(t->compose->op);
}

void tui_compose_free(struct tui *t)
{
	tui_compose_forget(t);
	free(t->compose);
}

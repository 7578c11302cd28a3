/* What the model should always know: "# use tabs" as a prompt adds a line to one of the instruction files, and /memory
 * opens one of them in the user's editor. */
#include "front/tui/prompt/tui_memory.h"

#include "base/limits.h"
#include "front/tui/commands/tui_list.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/prompt/tui_compose.h"
#include "front/tui/prompt/tui_prompt.h"
#include "front/tui/tui_internal.h"
#include "sys/fs.h"

struct tui_memory {
	struct str entry; /* for an instruction file, until the user has chosen one */
};

/* The files to choose from. */
enum { MEMORY_PROJECT, MEMORY_LOCAL, MEMORY_USER, MEMORY_FILES };

static const char *const memory_names[MEMORY_FILES] = { "Project", "Project, only you", "You" };

/* Where a file is; of the two names for the project's, the one that is there. False: it has no place. */
static bool tui_memory_path(const struct tui *t, size_t which, struct str *out)
{
	const char *config = awl_config_dir(t->opts->awl);

	if (which == MEMORY_USER && !config)
		return false;
	if (which == MEMORY_USER) {
		fs_join(out, sv_cstr(config), SV("CLAUDE.md"));
		return true;
	}
	fs_join(out, sv_of(&t->cwd),
		which == MEMORY_LOCAL ? SV("CLAUDE.local.md") : SV("CLAUDE.md"));
	if (which == MEMORY_LOCAL || fs_exists(str_c(out)))
		return true;
	str_truncate(out, 0);
	fs_join(out, sv_of(&t->cwd), SV("AGENTS.md"));
	if (fs_exists(str_c(out)))
		return true;
	str_truncate(out, 0);
	fs_join(out, sv_of(&t->cwd), SV("CLAUDE.md"));
	return true;
}

static void tui_memory_list(struct tui *t, const char *title, tui_list_fn *chosen)
{
	tui_list_open(t, title, chosen);
	for (size_t i = 0; i < MEMORY_FILES; i++) {
		defer(str_clear) struct str path = STR_INIT;

		if (!tui_memory_path(t, i, &path))
			continue;
		if (!fs_exists(str_c(&path)))
			str_adds(&path, " (new)");
		tui_list_add(t, sv_cstr(memory_names[i]), sv_cstr(memory_names[i]), sv_of(&path));
	}
}

/* The path of the file that the user chose. */
static bool tui_memory_chosen(const struct tui *t, struct sv name, struct str *out)
{
	for (size_t i = 0; i < MEMORY_FILES; i++)
		if (sv_is(name, memory_names[i]))
			return tui_memory_path(t, i, out);
	return false;
}

/* --- "# use tabs" --------------------------------------------------------------------- */

bool tui_memory_is_entry(struct sv text)
{
	text = sv_trim(text);
	return sv_starts(text, SV("# ")) && sv_find_char(text, '\n') == SIZE_MAX &&
	       sv_trim(sv_skip(text, 2)).len > 0;
}

static bool tui_memory_add(const char *path, struct sv text, struct err *err)
{
	defer(str_clear) struct str item = STR_INIT;

	str_addf(&item, "- %.*s", SV_ARG(text));
	return fs_add_line(path, sv_of(&item), LIMIT_INSTRUCTIONS, err);
}

static void tui_memory_keep(struct tui *t, bool is_chosen, struct sv name)
{
	defer(str_clear) struct str path = STR_INIT, line = STR_INIT;
	struct err err = ERR_INIT;

	if (!is_chosen || !tui_memory_chosen(t, name, &path)) {
		editor_set(t->editor, sv_of(&t->memory->entry));
		return;
	}
	if (!tui_memory_add(str_c(&path), sv_trim(sv_skip(sv_of(&t->memory->entry), 2)), &err)) {
		tui_show_notice(t, t->theme->error, sv_cstr(err.text));
		return;
	}
	str_addf(&line, "Remembered in %s.", str_c(&path));
	tui_show_aside(t, sv_of(&line));
}

bool tui_memory(struct tui *t, struct sv text)
{
	if (!tui_memory_is_entry(text))
		return false;
	str_set(&t->memory->entry, sv_trim(text));
	tui_memory_list(t, "Where should this be remembered?", tui_memory_keep);
	return true;
}

/* --- /memory ---------------------------------------------------------------------------- */

static void tui_memory_edited(struct tui *t, __attribute__((unused)) struct sv text)
{
	tui_show_aside(t, SV("Changed instruction files take effect with the next prompt."));
}

static void tui_memory_edit(struct tui *t, bool is_chosen, struct sv name)
{
	defer(str_clear) struct str path = STR_INIT;

	if (is_chosen && tui_memory_chosen(t, name, &path))
		tui_compose_file(t, sv_of(&path), tui_memory_edited);
}

void tui_command_memory(struct tui *t, struct sv rest)
{
	defer(str_clear) struct str command = STR_INIT;

	if (rest.len) {
		str_addf(&command, "/memory %.*s", SV_ARG(rest));
		tui_submit(t, sv_of(&command));
		return;
	}
	tui_memory_list(t, "Which instruction file do you want to edit?", tui_memory_edit);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_memory_init(struct tui *t)
{
	t->memory = xnew(struct tui_memory);
}

void tui_memory_free(struct tui *t)
{
	str_clear(&t->memory->entry);
	free(t->memory);
}

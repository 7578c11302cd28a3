#include "store/settings/settings_notes.h"

#include "base/limits.h"

/* Whether a kind means that somebody wrote something that does not have the intended effect. A key
 * that another program reads, or that another file has to set, is not a mistake. */
static bool settings_notes_is_mistake(enum settings_note kind)
{
	return kind == SETTINGS_NOTE_MISSPELT || kind == SETTINGS_NOTE_ENTRY ||
	       kind == SETTINGS_NOTE_EVENT;
}

static const char *settings_notes_title(enum settings_note kind)
{
	static const char titles[SETTINGS_NOTE_KINDS][35] = {
		[SETTINGS_NOTE_UNKNOWN] = "ignoring unknown keys",
		[SETTINGS_NOTE_MISSPELT] = "ignoring misspelt keys",
		[SETTINGS_NOTE_NOT_PROJECT] = "no effect in project settings",
		[SETTINGS_NOTE_POLICY] = "no effect outside managed settings",
		[SETTINGS_NOTE_GLOBAL] = "no effect outside ~/.claude.json",
		[SETTINGS_NOTE_ENTRY] = "ignoring invalid entries",
		[SETTINGS_NOTE_EVENT] = "ignoring unknown hook events",
	};

	return titles[kind];
}

static void settings_notes_write(struct str *out, const struct settings_file *file,
				 struct json_steps steps, const char *what)
{
	settings_file_point(out, file, steps);
	str_addf(out, "%s\n", what);
}

void settings_notes_add(struct settings_notes *notes, const struct settings_file *file,
			enum settings_note kind, struct json_steps steps, const char *what)
{
	struct settings_note_kind *k = &notes->kinds[kind];

	notes->mistakes += settings_notes_is_mistake(kind);
	k->n++;
	if (notes->one_by_one && k->n <= LIMIT_SETTINGS_CHECKED)
		settings_notes_write(notes->out, file, steps, what);
	if (notes->one_by_one)
		return;
	if (k->n == 1)
		settings_notes_write(&k->first, file, steps, what);
	if (k->n > LIMIT_SETTINGS_NOTES)
		return;
	str_adds(&k->keys, k->n > 1 ? ", " : "");
	settings_add_key(&k->keys, steps);
}

static void settings_notes_end_kind(struct settings_notes *notes, const struct settings_file *file,
				    enum settings_note kind)
{
	const struct settings_note_kind *k = &notes->kinds[kind];
	size_t shown = notes->one_by_one ? LIMIT_SETTINGS_CHECKED : LIMIT_SETTINGS_NOTES;

	if (notes->one_by_one && k->n > shown) {
		str_addf(notes->out, "%s: and %zu more\n", str_c(&file->name), k->n - shown);
	} else if (!notes->one_by_one && k->n == 1) {
		str_add(notes->out, sv_of(&k->first));
	} else if (!notes->one_by_one && k->n) {
		str_addf(notes->out, "%s: %s: %s", str_c(&file->name), settings_notes_title(kind),
			 str_c(&k->keys));
		if (k->n > shown)
			str_addf(notes->out, " and %zu more", k->n - shown);
		str_adds(notes->out, "; 'awl config check' says more\n");
	}
}

void settings_notes_end(struct settings_notes *notes, const struct settings_file *file)
{
	for (enum settings_note kind = 0; kind < SETTINGS_NOTE_KINDS; kind++) {
		settings_notes_end_kind(notes, file, kind);
		str_clear(&notes->kinds[kind].first);
		str_clear(&notes->kinds[kind].keys);
		notes->kinds[kind] = (struct settings_note_kind){ 0 };
	}
}

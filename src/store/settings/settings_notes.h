/* settings_notes.h - private to settings*.c: notes about the keys of one file, grouped by kind.
 *
 * A session prints its notes every time it starts, so a kind of problem gets one line, however many
 * keys have it. `awl config check` wants a line for each key. A kind with a single key gets the
 * same line in both cases. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_NOTES_H
#define AWL_STORE_SETTINGS_SETTINGS_NOTES_H

#include "store/settings/settings_file.h"

enum settings_note {
	SETTINGS_NOTE_UNKNOWN,     /* a key that awl does not know */
	SETTINGS_NOTE_MISSPELT,    /* the same, but it looks like a known one */
	SETTINGS_NOTE_NOT_PROJECT, /* a key that project settings cannot set */
	SETTINGS_NOTE_POLICY,      /* a key that only managed settings can set */
	SETTINGS_NOTE_GLOBAL,      /* a key that belongs in ~/.claude.json */
	SETTINGS_NOTE_ENTRY,       /* an invalid element or member; the rest of the value counts */
	SETTINGS_NOTE_EVENT,       /* an unknown hook event */
	SETTINGS_NOTE_KINDS,
};

struct settings_notes {
	struct str *out;
	bool one_by_one; /* a line for each key */
	size_t mistakes; /* keys so far that have no effect because of a mistake */
	struct settings_note_kind {
		size_t n;
		struct str first; /* the line of the first key */
		struct str keys;  /* separated by commas, up to a limit */
	} kinds[SETTINGS_NOTE_KINDS];
};

/* Adds a note on the value at `steps`: "<file>:<line>:<column>: <key>: <what>". */
void settings_notes_add(struct settings_notes *notes, const struct settings_file *file,
			enum settings_note kind, struct json_steps steps, const char *what);
/* Writes the lines that are still missing, and prepares for the next file. */
void settings_notes_end(struct settings_notes *notes, const struct settings_file *file);

#endif

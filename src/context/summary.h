/* summary.h - the texts around a conversation that is summarised: what the model is asked to write, how its
 * answer is read, and the message that the shortened conversation begins with. Pure. */
#ifndef AWL_CONTEXT_SUMMARY_H
#define AWL_CONTEXT_SUMMARY_H

#include "base/str.h"

/* Appends the request for a summary. `focus` is what the user or a hook wants to be kept above all; may
 * be empty. */
void summary_request(struct str *out, struct sv focus);

/* Appends the summary in the answer of a model: the text between <summary> tags, else everything but the
 * analysis. False: there is none. */
must_use bool summary_read(struct str *out, struct sv answer);

/* What the work continues from. Everything may be empty. */
struct summary_facts {
	struct sv summary;
	struct sv todos;      /* the open ones, a line each */
	struct sv files;      /* those that were read or changed, a line each */
	struct sv plan;       /* the plan that the user has accepted, or that is being made */
	struct sv transcript; /* path of the file that has the whole conversation */
	bool is_automatic;    /* the user has not asked for it, so the work goes on at once */
};

/* Stands behind the name of a file that was changed. */
#define SUMMARY_CHANGED " (changed)"

/* Appends the message. The latest prompt is not part of it: it follows as it was. */
void summary_write(struct str *out, const struct summary_facts *facts);
/* Whether a text is such a message with files. Then `*files` begins with them, up to an empty line. */
bool summary_find_files(struct sv text, struct sv *files);

#endif

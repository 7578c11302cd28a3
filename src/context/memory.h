/* memory.h - what the model has written down for later sessions of a project: a directory of Markdown
 * files, one per topic, and MEMORY.md, their index. The index is sent with the first prompt, as far as
 * its caps allow; the model reads the other files when it needs them. */
#ifndef AWL_CONTEXT_MEMORY_H
#define AWL_CONTEXT_MEMORY_H

#include "base/str.h"

#define MEMORY_INDEX "MEMORY.md"

/* Appends the index as it is sent: at most 200 lines and 25,000 bytes of whole lines, with a warning if
 * it was longer. */
void memory_cut(struct str *out, struct sv index);

/* Whose memory it is. */
enum memory_kind {
	MEMORY_OF_PROJECT,       /* of the agent that leads the conversation */
	MEMORY_OF_AGENT,         /* of a sub-agent, for all projects of the user */
	MEMORY_OF_AGENT_SHARED,  /* ... for this project, and in its repository */
	MEMORY_OF_AGENT_PRIVATE, /* ... for this project, on this machine */
};

/* Appends what the model is told about its memory in `dir`: how to use it, and the index. A directory
 * without an index is empty. */
void memory_write(struct str *out, enum memory_kind kind, struct sv dir);

/* Appends a list of the topics for people, by their types; "nothing yet" if there are none. Reads at most
 * LIMIT_MEMORY_TOPICS files. */
void memory_list(struct str *out, struct sv dir);

#endif

/* think_tags.h - private to src/model: finds the thinking of models whose server leaves it in the
 * text, between <think> and </think>.
 *
 * The opening tag counts only at the start of a message. Chat templates that write it themselves, at
 * the end of the prompt, produce messages that have only the closing tag. Then everything before
 * that tag was thinking, although it has already been passed on as text. A tool call ends thinking,
 * too. Text flows through at once, except for what could be the start of a tag. */
#ifndef AWL_MODEL_WIRE_THINK_TAGS_H
#define AWL_MODEL_WIRE_THINK_TAGS_H

#include "base/err.h"
#include "base/str.h"
#include "model/wire/text_place.h"

enum think_kind {
	THINK_TEXT,
	THINK_THINKING,
	THINK_WAS_THINKING, /* all text so far; nothing more to pass on */
};

/* Returning false, with `err` filled, ends the feed with that error. */
typedef bool think_fn(void *arg, enum think_kind kind, struct sv text, struct err *err);

struct think_tags {
	enum {
		THINK_AT_START, /* only white space so far */
		THINK_INSIDE,
		THINK_IN_GAP, /* after the closing tag, before the text */
		THINK_IN_TEXT,
		THINK_OFF, /* no tag counts any more */
	} state;
	bool begun; /* thinking was passed on */
	struct str pending;
	struct text_place place;
};

#define THINK_TAGS_INIT                   \
	{                                 \
		.place = TEXT_PLACE_INIT, \
	}

void think_tags_clear(struct think_tags *t);

/* Consumes `piece`. Views that `emit` gets die when it returns. */
must_use bool think_tags_feed(struct think_tags *t, struct sv piece, think_fn *emit, void *arg,
			      struct err *err);
/* Passes on what is pending at the end of the message. */
must_use bool think_tags_end(struct think_tags *t, think_fn *emit, void *arg, struct err *err);

#endif

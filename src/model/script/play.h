/* play.h - private to src/model: a response as a list of acts. Scripts and recordings are played by the
 * same code, over a socket (script_server.c) or inside the process (player.h). Plain data with exact
 * bytes. */
#ifndef AWL_MODEL_SCRIPT_PLAY_H
#define AWL_MODEL_SCRIPT_PLAY_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "net/http.h"

enum play_kind {
	PLAY_HEAD,
	PLAY_BYTES,   /* [from, to) of `bytes`: one piece of the body */
	PLAY_GARBAGE, /* the same, instead of a head and a body */
	PLAY_WAIT,    /* ms; -1: forever */
	/* The last act is one of these. */
	PLAY_END,
	PLAY_CUT,   /* the connection is closed in the middle */
	PLAY_RESET, /* the connection is reset in the middle */
	PLAY_FAIL,  /* for the reason in `err` */
};

struct play_act {
	enum play_kind kind;
	int64_t ms;
	size_t from, to;
};

struct play {
	struct arena arena;
	int status;
	VEC(struct http_header) headers; /* text in the arena */
	struct str bytes;                /* of all pieces */
	VEC(struct play_act) acts;
	int64_t length; /* of the body, if the head contains it; else -1 */
	struct err err;
};

#define PLAY_INIT            \
	{                    \
		.length = -1 \
	}

void play_clear(struct play *play);

/* Copies. */
void play_header(struct play *play, struct sv name, struct sv value);
/* Adds an act without bytes. */
void play_act(struct play *play, enum play_kind kind);
void play_wait(struct play *play, int64_t ms); /* does nothing if 0 */
/* Makes an act of the bytes that were appended to `play->bytes` since the last act with bytes. */
void play_flush(struct play *play, enum play_kind kind);
void play_fail(struct play *play, const struct err *why);

/* Puts the current length of the body into the head. */
void play_measure(struct play *play);

/* Splits pieces so that one ends at each offset of the body, with `pause_ms` between the parts of a
 * split piece. If `every` is not 0, its multiples are offsets, too. */
void play_split(struct play *play, const size_t *offsets, size_t n, size_t every, int64_t pause_ms);
/* Ends the play with `kind` after `n` bytes of the body; does nothing if the body is shorter. */
void play_end_at(struct play *play, size_t n, enum play_kind kind);

#endif

/* limits.h - every cap in the program. Whatever a model, a child process, the
 * network or a file feeds has its limit here, and nowhere else. */
#ifndef AWL_BASE_LIMITS_H
#define AWL_BASE_LIMITS_H

#include <stddef.h>

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

/* Anything longer is a missing cap, not data: str.c aborts. */
#define LIMIT_STR (2 * GIB)

/* text: documents, their nesting, one event of a stream, one pattern. */
#define LIMIT_JSON_DOC      (256 * MIB)
#define LIMIT_JSON_DEPTH    512
#define LIMIT_SSE_EVENT     (64 * MIB)
#define LIMIT_SCHEMA_DEPTH  64
#define LIMIT_SCHEMA_ERRORS 16
#define LIMIT_SCHEMA_STEPS  1000000
#define LIMIT_PATTERN       (16 * KIB)
#define LIMIT_PATTERN_STEPS 1000000
#define LIMIT_FRONT_MATTER  (256 * KIB)
#define LIMIT_FRONT_DEPTH   32
#define LIMIT_MARKDOWN      (16 * MIB)
#define LIMIT_DIFF_INPUT    (64 * MIB)
#define LIMIT_DIFF_COST     4096 /* edits searched for before a coarser diff */
#define LIMIT_WORD_DIFF     512  /* tokens in a line pair compared by words */

/* sys: what a child may say before we read on, and how it is ended. */
#define LIMIT_CHILD_BUFFER (256 * KIB)
#define LIMIT_CHILD_INPUT  (64 * MIB)
#define LIMIT_CHILD_ARGS   (1536 * KIB)
#define LIMIT_CHILDREN     4096
#define LIMIT_WALK_DEPTH   128
#define LIMIT_PATH         4096

/* net: a response, what waits in memory for its reader, and its header. */
#define LIMIT_HTTP_BODY   (1 * GIB)
#define LIMIT_HTTP_BUFFER (1 * MIB)
#define LIMIT_HTTP_HEAD   (256 * KIB)

/* cli: how far a misspelt word may be from the one suggested. */
#define LIMIT_SUGGEST_DISTANCE 3

#endif

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
#define LIMIT_JSON_DOC        (64 * MIB)
#define LIMIT_JSON_DEPTH      512
#define LIMIT_JSON_POOLED     (64 * KIB) /* text whose memory a json_pool keeps */
#define LIMIT_SSE_EVENT       (64 * MIB)
#define LIMIT_SCHEMA_DEPTH    256
#define LIMIT_SCHEMA_ERRORS   16
#define LIMIT_SCHEMA_STEPS    1000000
#define LIMIT_PATTERN         (16 * KIB)
#define LIMIT_PATTERN_STEPS   1000000
#define LIMIT_PATTERN_HEAP    (16 * MIB)
#define LIMIT_FRONT_MATTER    (256 * KIB)
#define LIMIT_FRONT_DEPTH     32
#define LIMIT_MARKDOWN        (16 * MIB)
#define LIMIT_MARKDOWN_GROWTH 32             /* bytes of events for one of text */
#define LIMIT_MARKDOWN_STEPS  300000000      /* lines times links of a paragraph */
#define LIMIT_IGNORE_BYTES    (4 * MIB)      /* all ignore files of a tree */
#define LIMIT_IGNORE_STEPS    (16 * 1000000) /* to decide about one path */
#define LIMIT_DIFF_INPUT      (64 * MIB)
#define LIMIT_DIFF_LINES      2000000        /* of the part of a text that differs */
#define LIMIT_DIFF_STEPS      (64 * 1000000) /* of all searches of one diff */
#define LIMIT_DIFF_COST       4096           /* edits searched for before a coarser diff */
#define LIMIT_WORD_DIFF       512            /* tokens in a line pair compared by words */

/* sys: what a child may say before we read on, and how it is ended. */
#define LIMIT_CHILD_BUFFER (256 * KIB)
#define LIMIT_CHILD_INPUT  (64 * MIB)
#define LIMIT_CHILD_ARGS   (1536 * KIB)
#define LIMIT_CHILDREN     4096
#define LIMIT_WALK_DEPTH   128
#define LIMIT_DIR_ENTRIES  1000000 /* in one directory */
#define LIMIT_WATCH_NAMES  4096    /* changed and not told of yet */
#define LIMIT_PATH         4096

/* net: a response, what waits in memory for its reader, and its header. */
#define LIMIT_HTTP_BODY   (1 * GIB)
#define LIMIT_HTTP_BUFFER (1 * MIB)
#define LIMIT_HTTP_HEAD   (256 * KIB)
#define LIMIT_HTTP_URL    (64 * KIB)
#define LIMIT_HTTP_CA     (16 * MIB) /* a file of certificates */
#define LIMIT_HTTP_ERROR  (1 * MIB)  /* of an answer that is no event stream */

/* net, our own server: a request, and the connections it comes by. */
#define LIMIT_SERVER_HEAD        (64 * KIB)
#define LIMIT_SERVER_HEADERS     128
#define LIMIT_SERVER_LINE        (4 * KIB) /* before a chunk, or of a trailer */
#define LIMIT_SERVER_BODY        (64 * MIB)
#define LIMIT_SERVER_EARLY       (64 * KIB) /* read of the next request, too soon */
#define LIMIT_SERVER_CONNECTIONS 128

/* model: the blocks of one answer, what those not yet ended hold together, and
 * what a host may list. */
#define LIMIT_MODEL_BLOCKS 4096
#define LIMIT_MODEL_OPEN   (128 * MIB)
#define LIMIT_MODEL_LIST   4096
#define LIMIT_MODEL_ERROR  (64 * KIB) /* read of an answer that reports one */
#define LIMIT_MODEL_WHOLE  (64 * MIB) /* an answer that is not streamed */
#define LIMIT_MODEL_SECRET (64 * KIB) /* what a key helper may print */
#define LIMIT_CACHE_WATCH  64         /* conversations watched at a time */

/* model, where tool calls come as text or interleaved. */
#define LIMIT_MODEL_CALLS    256       /* in one answer */
#define LIMIT_MODEL_EMBEDDED (4 * MIB) /* text held back because it looks like calls */
#define LIMIT_MODEL_BLANKS   (4 * KIB) /* white space before a text */

/* model, scripted: the file, and a text said many times; recorded: all of it,
 * and what is shown of a request that differs. */
#define LIMIT_SCRIPT         (4 * MIB)
#define LIMIT_SCRIPT_REPLIES 4096
#define LIMIT_SCRIPT_SAID    (128 * MIB)
#define LIMIT_RECORDING      (512 * MIB)
#define LIMIT_REPLAY_DIFF    (4 * KIB)

/* model, the clouds: the headers of one message of an AWS stream, a file with
 * credentials, a token server's answer. */
#define LIMIT_AWS_HEADERS (128 * KIB)
#define LIMIT_CLOUD_FILE  (1 * MIB)
#define LIMIT_CLOUD_TOKEN (64 * KIB)

/* cli: what standard input may add to a prompt, and how far a misspelt word may
 * be from the one suggested. */
#define LIMIT_PROMPT           (10 * MIB)
#define LIMIT_SUGGEST_DISTANCE 3

#endif

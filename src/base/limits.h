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

/* base: the text of one line of the log. */
#define LIMIT_LOG_TEXT (16 * KIB)

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
#define LIMIT_HTML            (16 * MIB)
#define LIMIT_HTML_MEMORY     (256 * MIB) /* of the tree; only what is used is ever touched */
#define LIMIT_HTML_GROWTH     128         /* bytes of tree for one of text */
#define LIMIT_HTML_DEPTH      256
#define LIMIT_HTML_ATTRIBUTES 1024 /* of one element */
#define LIMIT_URL             2048
#define LIMIT_SH_TEXT         (128 * KIB) /* a command line */
#define LIMIT_SH_NODES        250000      /* its commands, words, parts */
#define LIMIT_SH_WORDS        10000       /* that its braces make */
#define LIMIT_SH_TOKENS       60000       /* of what is shown to tree-sitter */
#define LIMIT_SH_LOOKS        100         /* it may take at a piece of it */
#define LIMIT_SH_NAME         1024        /* of a command, unquoted */
#define LIMIT_SH_BRACED       4096        /* one word with braces */
#define LIMIT_SH_DEPTH        200

/* sys: what a child may say before we read on, and how it is ended. */
#define LIMIT_CHILD_BUFFER (256 * KIB)
#define LIMIT_CHILD_INPUT  (64 * MIB)
#define LIMIT_CHILD_ARGS   (1536 * KIB)
#define LIMIT_CHILDREN     4096
#define LIMIT_WALK_DEPTH   128
#define LIMIT_DIR_ENTRIES  1000000 /* in one directory */
#define LIMIT_WATCH_NAMES  4096    /* changed and not told of yet */
#define LIMIT_PATH         4096

/* sandbox: the paths in a policy, and the mounts that enforce it. */
#define LIMIT_SANDBOX_PATHS     1024
#define LIMIT_SANDBOX_MOUNTS    512
#define LIMIT_SANDBOX_PROCESSES 4096  /* at the same time, unless a policy says otherwise */
#define LIMIT_SANDBOX_FILES     65536 /* open in one of them */

/* sandbox: the files to look at before a command, for patterns to match; the cost of that; and the
 * mounts that may result. */
#define LIMIT_SANDBOX_SEEN  50000
#define LIMIT_SANDBOX_NEAR  10000 /* without any pattern */
#define LIMIT_SANDBOX_STEPS (20 * MIB)
#define LIMIT_SANDBOX_FOUND 320

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

/* sandbox, the filtering proxy: a request, the bytes waiting in a connection, and their number. */
#define LIMIT_PROXY_HEAD        (64 * KIB)
#define LIMIT_PROXY_BUFFER      (64 * KIB) /* in either direction */
#define LIMIT_PROXY_CONNECTIONS 256
#define LIMIT_PROXY_ADDRESSES   8    /* of a name, that are tried */
#define LIMIT_PROXY_HOSTS       1024 /* asked about and remembered */

/* model: the blocks of one answer, what those not yet ended hold together, and
 * what a host may list. */
#define LIMIT_MODEL_BLOCKS 4096
#define LIMIT_MODEL_OPEN   (128 * MIB)
#define LIMIT_MODEL_LIST   4096
#define LIMIT_MODEL_LISTED (8 * MIB)  /* ... and in how many bytes */
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

/* model, commands that log in: what they may print, and what is shown of a line. */
#define LIMIT_LOGIN_OUTPUT (256 * KIB)
#define LIMIT_HELPER_LINE  (4 * KIB)

/* tool, files: what Read shows, what Edit takes on, and what is told of a change
 * to whoever shows it. */
#define LIMIT_READ_WHOLE    (16 * MIB) /* a bigger file is streamed, and not hashed */
#define LIMIT_READ_LINES    2000       /* unless asked for more */
#define LIMIT_READ_LINE     2000       /* characters shown of one line */
#define LIMIT_READ_RESULT   (100 * KIB)
#define LIMIT_FILES_SEEN    1000
#define LIMIT_LINE_RANGES   16 /* of a file that were shown, apart from each other */
#define LIMIT_EDIT_FILE     (1 * GIB)
#define LIMIT_EDIT_LINEWISE (64 * MIB)  /* beyond it only exact matches are looked for */
#define LIMIT_EDIT_STEPS    (256 * MIB) /* bytes looked at again for their indentation */
#define LIMIT_EDIT_PLACES   1000000     /* of one edit */
#define LIMIT_EDIT_NEAREST  100000      /* votes for where the nearest text is */
#define LIMIT_ORIGINAL      (256 * KIB) /* the text before a change */
#define LIMIT_PATCH         (256 * KIB) /* its hunks as JSON */
#define LIMIT_PATCH_WORDS   200         /* line pairs compared by words */
#define LIMIT_PATCH_PARTS   256         /* of one apply_patch */
#define LIMIT_PATCH_FILES   (64 * MIB)  /* that it is about, together */
#define LIMIT_IMAGE         3932160     /* 3.75 MiB: 5 MiB in base64 */
#define LIMIT_IMAGE_SIDE    8000        /* pixels */
#define LIMIT_CELL_OUTPUT   (10 * KIB)  /* shown of one output of a cell */
#define LIMIT_PDF           (10 * MIB)  /* given to a model as it is */
#define LIMIT_PDF_PAGES     20          /* read at a time */
#define LIMIT_PDF_TEXT      (400 * KIB) /* taken of what pdftotext prints: much is blanks */

/* tool, Bash: what is shown of a command's output, what is kept of it in a file,
 * and after how much the command is ended. */
#define LIMIT_BASH_HEAD     14500 /* with the tail, and a note, 30000 characters */
#define LIMIT_BASH_TAIL     14500
#define LIMIT_BASH_PREVIEW  1000       /* of either end, when a file has all */
#define LIMIT_BASH_LINE     (16 * KIB) /* a longer line is no progress bar */
#define LIMIT_BASH_FILE     (64 * MIB)
#define LIMIT_BASH_TOTAL    (256 * MIB)
#define LIMIT_BASH_PROGRESS (4 * KIB)  /* shown at once while it runs */
#define LIMIT_JOBS          16         /* commands in the background at a time */
#define LIMIT_JOB_FILE      (64 * MIB) /* of what one prints */
#define LIMIT_JOB_READ      30000      /* of it at a time */
#define LIMIT_BASH_PIECE    (96 * KIB) /* of a command in one argument; Linux takes 128 */
#define LIMIT_BASH_SHOWN    150000     /* characters, whatever is asked for */
#define LIMIT_SNAPSHOT      (96 * KIB) /* aliases and functions of the user's shell */
#define LIMIT_FEED_LINE     500        /* bytes told of one line of a watched command */
#define LIMIT_FEED_TEXT     (4 * KIB)  /* told of it at a time */
#define LIMIT_NOTES         (32 * KIB) /* that wait for the next request */

/* tool, Glob, Grep and LS: what is looked at, kept and shown. */
#define LIMIT_WALK_ENTRIES   1000000
#define LIMIT_GLOB_SHOWN     100
#define LIMIT_LS_SHOWN       1000
#define LIMIT_GREP_TEXT      (1 * MIB)
#define LIMIT_GREP_UNSORTED  (4 * MIB) /* of results that come in no order */
#define LIMIT_GREP_LINE      (8 * KIB)
#define LIMIT_GREP_COMPLAINT (4 * KIB)
#define LIMIT_GREP_FILE      (64 * MIB)  /* by the built-in search; ripgrep has none */
#define LIMIT_GREP_STEPS     (256 * MIB) /* ... and of its pattern in one file */

/* tool, the web: a page as it comes, what is told of it, how far it may lead on, and
 * what is kept of it for a while; what is told of a search. */
#define LIMIT_WEB_BODY    (10 * MIB)
#define LIMIT_WEB_TEXT    (100 * KIB)
#define LIMIT_WEB_HOPS    10
#define LIMIT_WEB_CACHED  32
#define LIMIT_WEB_SEARCH  (4 * MIB) /* what a search engine answers */
#define LIMIT_WEB_RESULTS 10
#define LIMIT_WEB_SNIPPET 400
#define LIMIT_WEB_DOMAINS 64

/* tool, the task list: tasks, what they wait for, and all of it as a file. */
#define LIMIT_TASKS      1000
#define LIMIT_TASK_EDGES 4000
#define LIMIT_TASK_LIST  (1 * MIB)

/* extend: instruction files, all that a session is given of them, how far they
 * import each other, what is told of those left out, and the patterns that leave out. */
#define LIMIT_INSTRUCTION_FILE    (256 * KIB)
#define LIMIT_INSTRUCTIONS        (1 * MIB)
#define LIMIT_INSTRUCTION_FILES   200
#define LIMIT_INSTRUCTION_IMPORTS 100 /* in one file */
#define LIMIT_INSTRUCTION_DEPTH   4
#define LIMIT_INSTRUCTION_NOTES   (16 * KIB)
#define LIMIT_INSTRUCTION_GLOBS   ((size_t)64 * KIB)

/* extend: what settings add to the system prompt: a name, and words for every commit. */
#define LIMIT_LANGUAGE    64
#define LIMIT_ATTRIBUTION 1024

/* extend: lines of announcements that settings have shown, and the bytes of one. */
#define LIMIT_ANNOUNCEMENTS 20
#define LIMIT_ANNOUNCEMENT  500

/* extend: tools of the user's own, and what describes one. */
#define LIMIT_USER_TOOLS     100
#define LIMIT_USER_TOOL_FILE (256 * KIB)

/* core: what is asked of git at the start, and what the model is shown of it. */
#define LIMIT_GIT_POINTER      (8 * KIB)   /* a file that names a folder of git's */
#define LIMIT_GIT_OVERRIDES    256         /* settings that are disarmed one by one */
#define LIMIT_GIT_KEPT         (256 * KIB) /* of what a command prints; the rest is counted */
#define LIMIT_GIT_STATUS       2000        /* bytes shown */
#define LIMIT_GIT_STATUS_LINES 40
#define LIMIT_GIT_LINE         200 /* bytes of one line: a name, a subject */

/* core: what the model sees of a result that is kept in a file, and how many models a
 * session's note of its costs may name; the names of tools that can be loaded. */
#define LIMIT_RESULT_PREVIEW ((size_t)2000)
#define LIMIT_RESULTS        ((size_t)200000) /* of the results of one reply, together */
#define LIMIT_COST_MODELS    256
#define LIMIT_DEFERRED_NAMES (16 * KIB) /* of tools that are not loaded */

/* store, transcripts: one line; what a resumed session takes of its past; where
 * notes about it are looked for; lines beside the chain that may yet turn out to
 * belong to it. */
#define LIMIT_TRANSCRIPT_LINE   (64 * MIB)
#define LIMIT_TRANSCRIPT_TAIL   (1 * MIB)
#define LIMIT_TRANSCRIPT_HEAD   (64 * KIB)
#define LIMIT_TRANSCRIPT_STRAYS 4096
#define LIMIT_CLEANUP           1000 /* old sessions removed at a time */
#define LIMIT_RESUME_BYTES      (8 * MIB)
#define LIMIT_RESUME_RECORDS    65536
/* Prompts that waited in vain, told of when their session is taken up again; bytes of each. */
#define LIMIT_QUEUED_TOLD  8
#define LIMIT_QUEUED_SHOWN 2000

/* extend, repositories: the index of one, and how many inside each other. */
#define LIMIT_GIT_INDEX  (64 * MIB)
#define LIMIT_GIT_NESTED 4

/* store, settings: a file of them, the files of a policy, what is told of one that is
 * wrong, and what is shown of a key or a value in that. */
#define LIMIT_SETTINGS        (1 * MIB)
#define LIMIT_SETTINGS_GLOBAL (64 * MIB) /* ~/.claude.json, which holds much else */
#define LIMIT_POLICY          (4 * MIB)  /* all files of it */
#define LIMIT_SETTINGS_NOTES  20
#define LIMIT_SETTINGS_SHOWN  80
/* How long others may take who change settings before us, and how often we begin anew when
 * somebody who does not wait his turn (an editor) has written the file meanwhile. */
#define LIMIT_TURN_MS     10000
#define LIMIT_STALE_TRIES 100

/* perm: rules of one kind, and what one decision may cost; past that a rule that
 * forbids holds. */
#define LIMIT_ASKED         (4 * KIB)  /* of the user's prompt, for the judge in mode auto */
#define LIMIT_TRUST         (4 * MIB)  /* the record of trusted projects */
#define LIMIT_TRUST_SCRIPTS 1000       /* that commands of one file name */
#define LIMIT_TRUST_READ    (32 * MIB) /* of them in all */
#define LIMIT_PERM_RULES    10000
#define LIMIT_PERM_STEPS    (16 * 1000000)
#define LIMIT_PERM_GLOB     1000  /* names that one glob in a command stands for */
#define LIMIT_PERM_TREE     20000 /* names below directories that are looked at for one call */
#define LIMIT_PERM_SUSPECTS 30000 /* words looked up as if they named files */
#define LIMIT_PERM_RUNS     5000  /* commands in a command line, those inside others counted */
#define LIMIT_PERM_TEXT     (512 * KIB) /* read as commands, that inside others counted again */
#define LIMIT_PERM_NAMES    256         /* variables of a command line that are looked at */
#define LIMIT_PERM_TURNS    64          /* of loops that are gone through one by one */
#define LIMIT_PERM_LOOPED   500         /* commands that such a loop may come to */
#define LIMIT_PERM_DEPTH    32          /* of commands inside commands */

/* front: one line of input, and the output that waits for its reader before events
 * are no longer made. */
#define LIMIT_INPUT_LINE   (64 * MIB)
#define LIMIT_FRONT_OUTPUT (1 * MIB)

/* cli: what standard input may add to a prompt, and how far a misspelt word may
 * be from the one suggested. */
#define LIMIT_PROMPT           (10 * MIB)
#define LIMIT_SUGGEST_DISTANCE 3

#endif

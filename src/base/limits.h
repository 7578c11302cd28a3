/* limits.h - every cap in the program. Every input from a model, a child process, the
 * network or a file has its limit here, and nowhere else. */
#ifndef AWL_BASE_LIMITS_H
#define AWL_BASE_LIMITS_H

#include <stddef.h>

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

/* A longer string means that its producer lacks a cap: str.c aborts. */
#define LIMIT_STR (2 * GIB)

/* base: the text of one log line. */
#define LIMIT_LOG_TEXT (16 * KIB)

/* text: documents, nesting depth, one event of a stream, one pattern. */
#define LIMIT_JSON_DOC        (64 * MIB)
#define LIMIT_JSON_DEPTH      512
#define LIMIT_JSON_POOLED     (64 * KIB) /* largest text whose memory a json_pool keeps */
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
#define LIMIT_MARKDOWN_GROWTH 32             /* bytes of events per byte of text */
#define LIMIT_MARKDOWN_STEPS  300000000      /* lines times links in a paragraph */
#define LIMIT_IGNORE_BYTES    (4 * MIB)      /* total of all ignore files of a tree */
#define LIMIT_IGNORE_STEPS    (16 * 1000000) /* per decision about one path */
#define LIMIT_UNDO_FILE       (256 * MIB)    /* a file in the history, whatever the settings say */
#define LIMIT_UNDO_SMALL      (256 * KIB)    /* a file that shares a pack with others */
#define LIMIT_UNDO_PACKING    (1 * MIB)      /* that wait to be written to the pack */
#define LIMIT_UNDO_LOG        (256 * MIB)
#define LIMIT_UNDO_ENTRIES    200000  /* files and directories below a root that a scan visits */
#define LIMIT_UNDO_SHOWN      100     /* files that a list of changes names */
#define LIMIT_BLAME_LINES     8000000 /* whose authors are remembered, of all contents of a file */
#define LIMIT_DIFF_INPUT      (64 * MIB)
#define LIMIT_DIFF_LINES      2000000        /* in the part of a text that differs */
#define LIMIT_DIFF_STEPS      (64 * 1000000) /* total over all searches of one diff */
#define LIMIT_DIFF_COST       4096 /* edits searched for before falling back to a coarser diff */
#define LIMIT_WORD_DIFF       512  /* tokens in a pair of lines compared word by word */
#define LIMIT_HTML            (16 * MIB)
#define LIMIT_HTML_MEMORY     (256 * MIB) /* for the tree; unused pages cost nothing */
#define LIMIT_HTML_GROWTH     128         /* bytes of tree per byte of text */
#define LIMIT_HTML_DEPTH      256
#define LIMIT_HTML_ATTRIBUTES 1024 /* per element */
#define LIMIT_URL             2048
#define LIMIT_SH_TEXT         (128 * KIB) /* one command line */
#define LIMIT_SH_NODES        20000       /* commands, words and parts of one command line */
#define LIMIT_SH_COMMANDS     2000        /* simple commands of one command line */
#define LIMIT_SH_WORDS        10000       /* words produced by brace expansion */
#define LIMIT_SH_TOKENS       60000       /* in the text passed to tree-sitter */
#define LIMIT_SH_PIPES        200  /* commands of one pipe; tree-sitter takes quadratic time */
#define LIMIT_SH_LOOKS        100  /* tree-sitter parses per piece of text */
#define LIMIT_SH_NAME         1024 /* an unquoted command name */
#define LIMIT_SH_BRACED       4096 /* one word with braces */
#define LIMIT_SH_DEPTH        200

/* sys: buffered output of a child, its input and arguments, directories and watches. */
#define LIMIT_CHILD_BUFFER (256 * KIB)
#define LIMIT_CHILD_INPUT  (64 * MIB)
#define LIMIT_CHILD_ARGS   (1536 * KIB)
#define LIMIT_CHILDREN     4096
#define LIMIT_WALK_DEPTH   128
#define LIMIT_DIR_ENTRIES  1000000 /* per directory */
#define LIMIT_WATCH_NAMES  4096    /* changed names not reported yet */
#define LIMIT_PATH         4096

/* sandbox: the paths in a policy, and the mounts that enforce it. */
#define LIMIT_SANDBOX_PATHS     1024
#define LIMIT_SANDBOX_MOUNTS    512
#define LIMIT_SANDBOX_PROCESSES 4096  /* at a time, unless a policy sets another number */
#define LIMIT_SANDBOX_FILES     65536 /* open files per sandbox */

/* sandbox: the files scanned for pattern matches before a command runs, the steps that
 * matching may take, and the mounts that may result. */
#define LIMIT_SANDBOX_SEEN  50000
#define LIMIT_SANDBOX_NEAR  10000 /* files scanned when the policy has no patterns */
#define LIMIT_SANDBOX_STEPS (20 * MIB)
#define LIMIT_SANDBOX_FOUND 320

/* net: a response body, the part buffered for its reader, and its header. */
#define LIMIT_HTTP_BODY   (1 * GIB)
#define LIMIT_HTTP_BUFFER (64 * KIB)
#define LIMIT_HTTP_HEAD   (256 * KIB)
#define LIMIT_HTTP_URL    (64 * KIB)
#define LIMIT_HTTP_CA     (16 * MIB) /* a certificate file */
#define LIMIT_WS_QUEUE    (32 * MIB) /* that a server has not read */
#define LIMIT_HTTP_ERROR  (1 * MIB)  /* read from a response that is not an event stream */

/* net, the HTTP server: a request and the open connections. */
#define LIMIT_SERVER_HEAD        (64 * KIB)
#define LIMIT_SERVER_HEADERS     128
#define LIMIT_SERVER_LINE        (4 * KIB) /* a chunk size line or a trailer line */
#define LIMIT_SERVER_BODY        (64 * MIB)
#define LIMIT_SERVER_EARLY       (64 * KIB) /* read ahead from the next request */
#define LIMIT_SERVER_CONNECTIONS 1024

/* sandbox, the proxy that sandboxed commands use: a request, the buffer of a connection,
 * and the number of connections. */
#define LIMIT_PROXY_HEAD        (64 * KIB)
#define LIMIT_PROXY_BUFFER      (64 * KIB) /* per direction */
#define LIMIT_PROXY_CONNECTIONS 256
#define LIMIT_PROXY_ADDRESSES   8    /* addresses tried per host name */
#define LIMIT_PROXY_HOSTS       1024 /* answers remembered, one per host */

/* model: the blocks of one response, the total size of blocks that are still open, and
 * the models that a provider may list. */
#define LIMIT_MODEL_BLOCKS 4096
#define LIMIT_MODEL_OPEN   (128 * MIB)
#define LIMIT_MODEL_LIST   4096
#define LIMIT_MODEL_LISTED (8 * MIB)  /* size of a model list */
#define LIMIT_MODEL_ERROR  (64 * KIB) /* read from an error response */
#define LIMIT_MODEL_WHOLE  (64 * MIB) /* a response that is not streamed */
#define LIMIT_MODEL_SECRET (64 * KIB) /* output of a key helper */
#define LIMIT_CACHE_WATCH  64         /* conversations watched at a time */

/* model, for providers that send tool calls as text or interleaved. */
#define LIMIT_MODEL_CALLS    256       /* per response */
#define LIMIT_MODEL_EMBEDDED (4 * MIB) /* text withheld because it looks like tool calls */
#define LIMIT_MODEL_BLANKS   (4 * KIB) /* white space before a text */

/* model, scripted and recorded: the script, a text that it repeats, a whole recording,
 * and the excerpt shown of a request that differs from its recording. */
#define LIMIT_SCRIPT         (4 * MIB)
#define LIMIT_SCRIPT_REPLIES 4096
#define LIMIT_SCRIPT_TEXT    (128 * MIB)
#define LIMIT_RECORDING      (512 * MIB)
#define LIMIT_REPLAY_DIFF    (4 * KIB)

/* model, cloud providers: the headers of one message of an AWS stream, a credentials
 * file, the response of a token server. */
#define LIMIT_AWS_HEADERS (128 * KIB)
#define LIMIT_CLOUD_FILE  (1 * MIB)
#define LIMIT_CLOUD_TOKEN (64 * KIB)

/* mcp, servers on the network: what a headersHelper prints, a session id, and the longest pause that a
 * server may ask for (milliseconds). */
#define LIMIT_MCP_HEADERS     (64 * KIB)
#define LIMIT_MCP_SESSION     (4 * KIB)
#define LIMIT_MCP_RETRY_MS    (10 * 60 * 1000)
#define LIMIT_MCP_CREDENTIALS (1 * MIB)  /* the file with all tokens */
#define LIMIT_MCP_METADATA    (64 * KIB) /* of an authorization server, and its other answers */

/* model, login commands: their output, and the excerpt shown of one line. */
#define LIMIT_LOGIN_OUTPUT (256 * KIB)
#define LIMIT_HELPER_LINE  (4 * KIB)

/* tool, files: what Read shows, what Edit accepts, and how much of a change is reported
 * to the front end. */
#define LIMIT_READ_WHOLE    (16 * MIB) /* a bigger file is streamed and not hashed */
#define LIMIT_READ_LINES    2000       /* default; the call may ask for more */
#define LIMIT_READ_LINE     2000       /* characters shown per line */
#define LIMIT_READ_RESULT   (100 * KIB)
#define LIMIT_FILES_SEEN    1000
#define LIMIT_LINE_RANGES   16 /* separate ranges remembered per file */
#define LIMIT_EDIT_FILE     (1 * GIB)
#define LIMIT_EDIT_NOTE     (4 * KIB) /* who changed a file last */
#define LIMIT_EDIT_LOCK_MS  ((int64_t)2000)
#define LIMIT_EDIT_LINEWISE (64 * MIB)  /* in bigger files only exact matches are searched for */
#define LIMIT_EDIT_STEPS    (256 * MIB) /* bytes examined again to compare indentation */
#define LIMIT_EDIT_PLACES   1000000     /* matches per edit */
#define LIMIT_EDIT_NEAREST  100000      /* votes for the position of the nearest text */
#define LIMIT_ORIGINAL      (256 * KIB) /* text before a change */
#define LIMIT_PREVIEW \
	(256 * KIB) /* a file whose change is worked out before the question about it */
#define LIMIT_PATCH       (256 * KIB) /* the hunks of a change as JSON */
#define LIMIT_PATCH_WORDS 200         /* line pairs compared word by word */
#define LIMIT_PATCH_PARTS 256         /* sections in one apply_patch */
#define LIMIT_PATCH_FILES (64 * MIB)  /* total of the files in one apply_patch */
#define LIMIT_IMAGE       3932160     /* 3.75 MiB: 5 MiB in base64 */
#define LIMIT_IMAGE_SIDE  8000        /* pixels per side */
#define LIMIT_CELL_OUTPUT (10 * KIB)  /* shown per output of a notebook cell */
#define LIMIT_PDF         (10 * MIB)  /* sent to a model unchanged */
#define LIMIT_PDF_PAGES   20          /* pages per call */
#define LIMIT_PDF_TEXT    (400 * KIB) /* read from pdftotext, whose output is mostly blanks */

/* tool, Bash: the output shown, the output saved to a file, and the amount of output
 * after which the command is killed. */
#define LIMIT_BASH_HEAD       14500 /* head, tail and a note fit in 30000 characters */
#define LIMIT_BASH_TAIL       14500
#define LIMIT_BASH_PREVIEW    1000       /* per end, when a file has the whole output */
#define LIMIT_BASH_LINE       (16 * KIB) /* a longer line is not a progress bar */
#define LIMIT_BASH_FILE       (64 * MIB)
#define LIMIT_BASH_TOTAL      (256 * MIB)
#define LIMIT_BASH_PROGRESS   (4 * KIB)  /* shown at a time while the command runs */
#define LIMIT_BACKGROUND      16         /* background commands at a time */
#define LIMIT_BACKGROUND_FILE (64 * MIB) /* output of one background command */
#define LIMIT_BACKGROUND_READ 30000      /* characters read from that output at a time */
#define LIMIT_BASH_PIECE      (96 * KIB) /* part of a command per argument; Linux allows 128 KiB */
#define LIMIT_BASH_SHOWN      150000     /* characters; no setting can raise this */
#define LIMIT_SNAPSHOT        (96 * KIB) /* aliases and functions of the user's shell */
#define LIMIT_FEED_LINE       500        /* bytes reported per line of a watched command */
#define LIMIT_FEED_TEXT       (4 * KIB)  /* bytes reported at a time */
#define LIMIT_NOTES           (32 * KIB) /* notes waiting for the next request */

/* core, compaction: what a conversation keeps when a summary replaces it. */
#define LIMIT_COMPACT_NAMES      200           /* files that were used, by name */
#define LIMIT_COMPACT_FILES      5             /* with their content */
#define LIMIT_COMPACT_FILE       (20 * KIB)    /* of each: 5,000 tokens */
#define LIMIT_COMPACT_PROMPT     (256 * KIB)   /* the latest prompt, word for word */
#define LIMIT_SKILL_FOLDERS      64            /* below a project */
#define LIMIT_SUMMARY_CALLS      ((size_t)100) /* that one line of the small model is about */
#define LIMIT_COMPACT_SKILLS     16            /* that were used */
#define LIMIT_COMPACT_SKILL      (20 * KIB)    /* of each: 5,000 tokens */
#define LIMIT_COMPACT_ALL_SKILLS (100 * KIB)

/* context, the memory of a project: bytes of a file, and files that are listed. */
#define LIMIT_MEMORY_FILE   (1 * MIB)
#define LIMIT_MEMORY_TOPICS 200

/* store, the ledger of what was spent: bytes read at a time, a few million requests. */
#define LIMIT_LEDGER (64 * MIB)

/* core, the copy of a transcript for the host: bytes at a time, and of a session that is forked. */
#define LIMIT_MIRROR_BATCH (256 * KIB)
#define LIMIT_MIRROR_FILE  (64 * MIB)

/* core, control requests: a file that a host reads, and what is typed to find one. */
#define LIMIT_HOST_FILE          (4 * MIB)
#define LIMIT_SUGGESTION_ENTRIES 100000
#define LIMIT_SUGGESTION_QUERY   1000

/* tool, Glob, Grep and LS: entries visited, results kept, results shown. */
#define LIMIT_WALK_ENTRIES   1000000
#define LIMIT_GLOB_SHOWN     100
#define LIMIT_LS_SHOWN       1000
#define LIMIT_GREP_TEXT      (1 * MIB)
#define LIMIT_GREP_UNSORTED  (4 * MIB) /* results that arrive unsorted */
#define LIMIT_GREP_LINE      (8 * KIB)
#define LIMIT_GREP_COMPLAINT (4 * KIB)
#define LIMIT_GREP_FILE      (64 * MIB)  /* for the built-in search; ripgrep has no limit */
#define LIMIT_GREP_STEPS     (256 * MIB) /* built-in search: pattern steps per file */

/* tool, web: a page as received, the text passed to the model, redirects, cached pages,
 * and the results of a search. */
#define LIMIT_WEB_BODY    (10 * MIB)
#define LIMIT_WEB_TEXT    (100 * KIB)
#define LIMIT_WEB_HOPS    10
#define LIMIT_WEB_CACHED  32
#define LIMIT_WEB_SEARCH  (4 * MIB) /* response of a search engine */
#define LIMIT_WEB_RESULTS 10
#define LIMIT_WEB_SNIPPET 400
#define LIMIT_WEB_DOMAINS 64

/* tool, the task list: tasks, their dependencies, and the size of the file. */
#define LIMIT_TASKS      1000
#define LIMIT_TASK_EDGES 4000
#define LIMIT_TASK_LIST  (1 * MIB)

/* context: one instruction file, the total per session, the depth of imports, notices
 * about skipped files, and the patterns that exclude files. */
#define LIMIT_INSTRUCTION_FILE    (256 * KIB)
#define LIMIT_INSTRUCTIONS        (1 * MIB)
#define LIMIT_INSTRUCTION_FILES   200
#define LIMIT_INSTRUCTION_IMPORTS 100 /* per file */
#define LIMIT_INSTRUCTION_DEPTH   4
#define LIMIT_INSTRUCTION_NOTES   (16 * KIB)
#define LIMIT_INSTRUCTION_GLOBS   ((size_t)64 * KIB)

/* context: what settings add to the system prompt: a language, and an attribution for
 * commits. */
#define LIMIT_LANGUAGE    64
#define LIMIT_ATTRIBUTION 1024

/* context: announcements shown from settings, and the bytes of one. */
#define LIMIT_ANNOUNCEMENTS 20
#define LIMIT_ANNOUNCEMENT  500

/* tool: user-defined tools, and the file that describes one. */
#define LIMIT_USER_TOOLS     100
#define LIMIT_USER_TOOL_FILE (256 * KIB)

/* mcp, the configuration: a file, the servers in it, the name of one, and all text of one with
 * variables expanded. */
#define LIMIT_MCP_FILE    (1 * MIB)
#define LIMIT_MCP_SERVERS 500
#define LIMIT_MCP_NAME    100
#define LIMIT_MCP_PAIRS   1000 /* variables or headers of one */
#define LIMIT_MCP_ENTRY   (1 * MIB)

/* git at session start: what awl reads, and what the model sees. */
#define LIMIT_GIT_POINTER      (8 * KIB)   /* a file that points to a git directory */
#define LIMIT_GIT_REFLOG       (64 * KIB)  /* read of the end of the log of HEAD */
#define LIMIT_GIT_PACKED       (256 * KIB) /* branches in one file; with more, git is asked */
#define LIMIT_GIT_OVERRIDES    256         /* settings overridden one by one */
#define LIMIT_GIT_KEPT         (256 * KIB) /* kept of the output; the rest is counted */
#define LIMIT_GIT_STATUS       2000        /* bytes shown */
#define LIMIT_GIT_STATUS_LINES 40
#define LIMIT_GIT_LINE         200 /* bytes per line: a name, a subject */

/* core: the preview of a result that is saved to a file, the models in a session's cost
 * record, and the names of tools that can be loaded. */
#define LIMIT_RESULT_PREVIEW ((size_t)2000)
#define LIMIT_RESULTS        ((size_t)200000) /* total of all results for one response */
#define LIMIT_COST_MODELS    256
#define LIMIT_DEFERRED_NAMES (16 * KIB) /* names of tools that are not loaded */

/* extend: files and folders that a search for commands, agents or styles visits. A link may lead anywhere. */
#define LIMIT_SEARCH_ENTRIES 10000

/* extend: commands and skills; a file and what becomes of it, its one-line values, the words of its
 * arguments, and the commands in its text. */
#define LIMIT_COMMANDS          500
#define LIMIT_COMMAND_TEXT      (256 * KIB)
#define LIMIT_COMMAND_NAME      100
#define LIMIT_COMMAND_LINE      ((size_t)1536)
#define LIMIT_COMMAND_ARGUMENTS 100
#define LIMIT_COMMAND_SHELLS    20
#define LIMIT_COMMAND_FILES     20        /* that a text refers to with @ */
#define LIMIT_COMMAND_NOTES     (4 * KIB) /* about files that are skipped */

/* What prompts mention with @: how many, the bytes of all of them, of a file of which some lines are wanted, and the
 * names in a directory. */
#define LIMIT_MENTIONS        20
#define LIMIT_MENTIONED       (400 * KIB)
#define LIMIT_MENTIONED_FILE  (4 * MIB)
#define LIMIT_MENTIONED_NAMES 500

/* Plugins and marketplaces: how many, their names and JSON files, and what one may have on disk. */
#define LIMIT_PLUGINS            200
#define LIMIT_PLUGIN_NAME        64
#define LIMIT_PLUGIN_OPTIONS     64
#define LIMIT_PLUGIN_OPTION      ((size_t)8 * KIB) /* the value of one */
#define LIMIT_PLUGIN_NEEDS       64 /* plugins that one plugin names, or that one installation adds */
#define LIMIT_PLUGIN_FILE        (4 * MIB)
#define LIMIT_PLUGIN_TREE_FILES  20000
#define LIMIT_PLUGIN_TREE        (512 * MIB)
#define LIMIT_PLUGIN_DOWNLOAD    (64 * MIB)
#define LIMIT_PLUGIN_FETCH_MS    120000 /* of git, npm and downloads */
#define LIMIT_PLUGIN_FETCH_LINES ((size_t)2000)
#define LIMIT_PLUGIN_ORPHAN_MS   ((int64_t)14 * 24 * 3600 * 1000) /* files of a replaced version */
#define LIMIT_MARKETPLACES       100

/* Scheduled prompts: how many, one of them, how much of it is shown, their file, and how long they recur. */
#define LIMIT_SCHEDULE        50
#define LIMIT_SCHEDULE_PROMPT (32 * KIB)
#define LIMIT_SCHEDULE_SHOWN  ((size_t)200)
#define LIMIT_SCHEDULE_FILE   (4 * MIB)
#define LIMIT_SCHEDULE_MS     ((int64_t)7 * 24 * 60 * 60 * 1000)

/* Output styles. */
#define LIMIT_STYLES     100
#define LIMIT_STYLE_TEXT (64 * KIB)

/* Definitions of agents. */
#define LIMIT_AGENTS            500
#define LIMIT_AGENTS_RECALLED   500 /* of earlier runs of a session */
#define LIMIT_AGENT_META        (16 * KIB)
#define LIMIT_AGENT_NAMES       ((size_t)100) /* tools or skills that one lists */
#define LIMIT_AGENT_DESCRIPTION (4 * KIB)
#define LIMIT_LOCAL_CONNECTIONS 8 /* of a socket for other programs of the user */
#define LIMIT_LOCAL_LINE        (64 * KIB)
#define LIMIT_PEER_SESSIONS     64 /* that are listed */
#define LIMIT_PEER_MESSAGE      (32 * KIB)
#define LIMIT_PEER_WAITING      20 /* messages that a session has not read */
#define LIMIT_PEER_MS           ((int64_t)2000)
#define LIMIT_PEER_LIST_MS      ((int64_t)300)
#define LIMIT_PEER_SILENT       5 /* that do not answer, before a list ends */
#define LIMIT_AGENT_NAME        80
#define LIMIT_AGENT_INBOX       100 /* messages that an agent has not read */
#define LIMIT_AGENT_MS          ((int64_t)24 * 60 * 60 * 1000)

/* store: a plan, and the words that name its file. */
#define LIMIT_PLAN      (256 * KIB)
#define LIMIT_PLAN_SLUG 100

/* store, transcripts: one line, the history that a resumed session reads, the parts of
 * the file searched for session metadata, and records off the chain that may turn out to
 * belong to it. */
#define LIMIT_TRANSCRIPT_LINE   (64 * MIB)
#define LIMIT_TRANSCRIPT_TAIL   (1 * MIB)
#define LIMIT_TRANSCRIPT_HEAD   (64 * KIB)
#define LIMIT_TRANSCRIPT_STRAYS 4096
#define LIMIT_CLEANUP           1000       /* old sessions removed at a time */
#define LIMIT_INDEX_LINE        (4 * MIB)  /* longer lines of a transcript cannot be searched */
#define LIMIT_INDEX_BATCH       (16 * MIB) /* bytes of transcripts per transaction of the index */
#define LIMIT_INDEX_RESULT      2000       /* bytes of a tool's input or result that are searched */
#define LIMIT_SEARCH_WORDS      16         /* of a search for sessions */
#define LIMIT_SEARCH_SCAN       (1024 * MIB) /* bytes that are searched without the index */
#define LIMIT_RESUME_BYTES      (8 * MIB)
#define LIMIT_RESUME_RECORDS    65536
/* Unsent queued prompts reported when their session is resumed, and the bytes shown of
 * each. */
#define LIMIT_QUEUED_REPORTED 8
#define LIMIT_QUEUED_SHOWN    2000

/* git: the index of a repository, and the depth of nested repositories. */
#define LIMIT_GIT_OUTPUT (16 * MIB)
#define LIMIT_GIT_INDEX  (64 * MIB)

#define LIMIT_LSP_FILE     (4 * MIB) /* sent to a language server */
#define LIMIT_LSP_START_MS 600000
#define LIMIT_LSP_RESTARTS 20
#define LIMIT_LSP_NEWS     (8 * KIB) /* of it, after edits: no further server is asked */

/* Worktrees: the name of one, and what .worktreeinclude may bring into it. */
#define LIMIT_WORKTREE_NAME  64
#define LIMIT_WORKTREE_FILES 10000
#define LIMIT_WORKTREE_FILE  (64 * MIB)
#define LIMIT_WORKTREE_PATHS 256 /* of sparsePaths and symlinkDirectories */
#define LIMIT_GIT_NESTED     4

/* store, settings: one settings file, all managed settings files, notices about invalid
 * ones, and the excerpt of a key or value in a notice. */
#define LIMIT_SETTINGS         (1 * MIB)
#define LIMIT_SETTINGS_GLOBAL  (64 * MIB) /* ~/.claude.json, which also contains much else */
#define LIMIT_POLICY           (4 * MIB)  /* total of all managed settings files */
#define LIMIT_SETTINGS_NOTES   20
#define LIMIT_SETTINGS_CHECKED 1000 /* the same for `awl config check` */
#define LIMIT_SETTINGS_SHOWN   80
/* How long to wait for another process that holds the settings lock, and how often to
 * retry when a program that ignores the lock (an editor) changed the file meanwhile. */
#define LIMIT_TURN_MS     10000
#define LIMIT_STALE_TRIES 100

/* perm: rules of one kind, and the cost of one decision. When a decision costs more,
 * deny rules apply. */
#define LIMIT_HOOK_FILES    100        /* files that hooks watch */
#define LIMIT_STOP_BLOCKS   8          /* times in a row that Stop hooks send a turn on */
#define LIMIT_GOAL          4000       /* the condition of /goal, and why it is not met */
#define LIMIT_GOAL_ROUNDS   50         /* times in a row that a goal sends a turn on */
#define LIMIT_GOAL_TAIL     (48 * KIB) /* part of the conversation shown to the judge of a goal */
#define LIMIT_GOAL_TEXT     (4 * KIB)  /* ... and of one text in it */
#define LIMIT_ASKED         (4 * KIB) /* part of the user's prompt shown to the judge in auto mode */
#define LIMIT_REVIEWED      (16 * KIB) /* calls of an agent shown to the judge at its end */
#define LIMIT_TRUST         (4 * MIB)  /* the record of trusted projects */
#define LIMIT_APPROVED      (16 * MIB) /* the record of rules that the user gave in awl */
#define LIMIT_TRUST_SCRIPTS 1000       /* scripts named by the commands of one file */
#define LIMIT_TRUST_READ    (32 * MIB) /* total size of those scripts */
#define LIMIT_PERM_RULES    10000
#define LIMIT_PERM_STEPS    (16 * 1000000)
#define LIMIT_PERM_GLOB     1000        /* names matched by one glob in a command */
#define LIMIT_PERM_TREE     20000       /* names visited below directories for one call */
#define LIMIT_PERM_SEARCHED 2000        /* names looked at for secrets that a search may show */
#define LIMIT_PERM_SECRET   (64 * KIB)  /* of such a file */
#define LIMIT_PERM_SUSPECTS 3000        /* words looked up as possible file names */
#define LIMIT_PERM_RUNS     1000        /* commands in a command line, nested ones included */
#define LIMIT_PERM_TEXT     (512 * KIB) /* text parsed as commands; nested text counts again */
#define LIMIT_PERM_NAMES    256         /* variables tracked per command line */
#define LIMIT_PERM_TURNS    64          /* loop iterations analysed one by one */
#define LIMIT_PERM_LOOPED   500         /* commands that such a loop may expand to */
#define LIMIT_PERM_DEPTH    32          /* nesting of commands inside commands */

/* hook: what is kept of the output of one hook, the longest timeout, what the model gets of a text
 * (in characters), and the handlers that run for one event. */
#define LIMIT_HOOK_OUTPUT   (8 * MIB)
#define LIMIT_HOOK_ERRORS   (64 * KIB)
#define LIMIT_HOOK_SECONDS  3600
#define LIMIT_HOOK_TEXT     ((size_t)10000)
#define LIMIT_HOOK_HANDLERS 256

/* The output of the command of the status line, the prompts of earlier sessions that are read back (bytes, from the
 * end of the file), and one of them that is written down. */
#define LIMIT_STATUS_LINE    (64 * KIB)
#define LIMIT_PROMPTS_READ   MIB
#define LIMIT_PROMPT_WRITTEN (64 * KIB)

/* mcp: one message, what is kept of a server's stderr, the items of one list and its pages, the tools of a
 * session, the texts of a server that the model is sent (in characters; instructions also all together),
 * retries of a call that needs input, and how long things may take. */
#define LIMIT_MCP_MESSAGE          (16 * MIB)
#define LIMIT_MCP_STDERR           (16 * KIB)
#define LIMIT_MCP_ITEMS            10000
#define LIMIT_MCP_ARGUMENT         64   /* bytes of the name of an argument: what services take */
#define LIMIT_MCP_ARGUMENTS        1000 /* of a tool whose alternatives are merged */
#define LIMIT_MCP_SCHEMA_PARTS     64
#define LIMIT_MCP_STATE            (64 * MIB) /* what awl --mcp-cli reads about a session */
#define LIMIT_MCP_PINS             (4 * MIB)  /* the file with the tools that were accepted */
#define LIMIT_MCP_PAGES            1000
#define LIMIT_MCP_DESCRIPTION      2048
#define LIMIT_MCP_SCHEMA           (128 * KIB) /* of the input of a tool */
#define LIMIT_MCP_NAMED            4096        /* names of tools that come during a session */
#define LIMIT_MCP_INSTRUCTIONS     2048
#define LIMIT_MCP_ALL_INSTRUCTIONS (16 * KIB)
#define LIMIT_MCP_ROUNDS           10
#define LIMIT_MCP_SAMPLE_TOKENS    8192 /* that a server may have the model write at once */
#define LIMIT_MCP_LOG_LINE         2000
#define LIMIT_MCP_WATCHED          100    /* resources of one server */
#define LIMIT_MCP_PAGE_ID          1000   /* bytes of the id of a page to visit */
#define LIMIT_MCP_MENTIONS         20     /* resources that a prompt names */
#define LIMIT_MCP_MENTION          100000 /* bytes of each */
#define LIMIT_MCP_MENTION_MS       30000
#define LIMIT_MCP_COMPLETE_MS      5000
#define LIMIT_CHANNEL_MESSAGE      (64 * KIB)
#define LIMIT_CHANNEL_WAITING      100 /* messages that wait for the model */
#define LIMIT_MCP_DISCOVER_MS      3000

/* term: an escape sequence from the terminal, and what the editor remembers. */
#define LIMIT_KEY_SEQUENCE  4096
#define LIMIT_EDITOR_STEPS  1000
#define LIMIT_EDITOR_KILLS  16
#define LIMIT_EDITOR_FOLDED 1000
#define LIMIT_MENU          200 /* completions */
#define LIMIT_MENU_COMMANDS 1000
#define LIMIT_MENU_MODELS   100
#define LIMIT_KEPT_ANSWERS  20
#define LIMIT_CLIPBOARD     (64 * 1024) /* bytes that terminals take */
#define LIMIT_KEYBINDINGS   MIB
#define LIMIT_VIM_COUNT     9999
#define LIMIT_VIM_REPEAT    (1 << 20) /* bytes that one command may insert by its count */

/* front: one line of input, and the unread output after which no more events are
 * produced. */
#define LIMIT_INPUT_LINE   (64 * MIB)
#define LIMIT_FRONT_CORKED (64 * KIB) /* text that a front end collects before it writes */
#define LIMIT_FRONT_OUTPUT (1 * MIB)

/* Background sessions: how many are listed and how many run at a time; clients of their supervisor, what waits for one that
 * does not read, and what is kept of a session: its last text, and a question that clients are sent with the list. */
#define LIMIT_JOBS         1000
#define LIMIT_JOBS_LIVE    128
#define LIMIT_JOB_FILE     (1 * MIB)
#define LIMIT_JOB_TEXT     (4 * KIB)
#define LIMIT_JOB_QUESTION (256 * KIB)
#define LIMIT_PEERS        64
#define LIMIT_PEER_OUTPUT  (32 * MIB)

/* cli: what stdin may add to a prompt, and the edit distance up to which a word is
 * suggested for a misspelt one. */
#define LIMIT_PROMPT           (10 * MIB)
#define LIMIT_SUGGEST_DISTANCE 3

#endif

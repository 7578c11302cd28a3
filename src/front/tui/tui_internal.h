/* tui_internal.h - private to the files of the terminal front end.
 *
 *   tui.c           the life of the front end: terminal, signals, start, the ways out
 *   tui_frame.c     when the screen is drawn, and the writing of finished rows
 *   tui_show.c      events of the session become finished rows (view.h) and state
 *   tui_news.c      notices, retries, commands in the background; the welcome
 *   tui_notify.c    the title of the window, and notifications
 *   tui_resume.c    the conversation of a session that is resumed
 *   tui_transcript.c  the whole conversation on the alternate screen (pager.h)
 *   tui_agent.c     the list of agents, and the screen of one: to read along and to write to it
 *   tui_tips.c      tips and words while the user waits
 *   tui_live.c      the state becomes the rows at the bottom
 *   tui_keys.c      what the keys at the prompt mean: actions, vim, submitting, modes
 *   tui_cost.c      what the session costs, and how full its context is
 *   tui_edit.c      pastes
 *   tui_image.c     images in a prompt
 *   tui_memory.c    lines for the instruction files: "# use tabs", and /memory
 *   tui_mcp.c       the MCP servers: a list, and what can be done with one
 *   tui_plugins.c   the plugins: a list, and what can be done with one
 *   tui_menu.c      the menu of completions
 *   tui_list.c      a list to choose from, in the place of the prompt
 *   tui_picker.c    the picker of sessions; tui_picker_draw.c has its rows
 *   tui_command.c   slash commands that the screen carries out itself
 *   tui_btw.c       a question beside the conversation
 *   tui_context.c   what fills the model's window
 *   tui_copy.c      answers go to the clipboard
 *   tui_history.c   earlier prompts, also of other sessions
 *   tui_search.c    the search of earlier prompts
 *   tui_settings.c  what the user has configured about the screen and the keys
 *   tui_compose.c   writing a prompt in the user's own editor
 *   tui_prompt.c    prompts on their way to the session: sent, queued, taken back
 *   tui_first_run.c  no model is set up yet
 *   tui_start.c     questions before the session begins
 *   tui_status_line.c  what the user's own command prints below the prompt
 *   tui_shell.c     the user's own commands: "! make"
 *   tui_form.c      the questions of the model: a form to fill in
 *   tui_fields.c    the questions of MCP servers: fields to fill in, or a page to open
 *   tui_question.c  an open question (dialog.h): its rows, and the keys that answer it
 *
 * Events and keys only change the state and ask for a frame; drawing only reads it. */
#ifndef AWL_FRONT_TUI_INTERNAL_H
#define AWL_FRONT_TUI_INTERNAL_H

#include "base/uuid.h"
#include "base/vec.h"
#include "front/client.h"
#include "front/dialog.h"
#include "front/edit_key.h"
#include "front/local_server.h"
#include "front/trust.h"
#include "front/tui/keymap.h"
#include "front/tui/tui.h"
#include "front/tui/view/lookups.h"
#include "front/tui/view/pager.h"
#include "front/tui/view/todos.h"
#include "front/tui/view/view.h"
#include "proto/input.h"
#include "term/editor/editor.h"
#include "term/editor/line_history.h"
#include "term/editor/vim.h"
#include "term/markdown/markdown_stream.h"

/* A call that has begun and has no result yet. */
struct tui_call {
	struct str id, tool;
	struct json_doc *input;
	struct str tail; /* the end of its output */
	int64_t started;
};

/* A prompt that waits for the session to take it. */
struct tui_queued {
	struct uuid uuid;
	struct str text;
};

/* The menu of completions (tui_menu.c). */
enum menu_kind { MENU_NONE, MENU_COMMANDS, MENU_FILES, MENU_ARGUMENTS };

struct menu_item {
	struct str name, help;
	int score;
};

struct menu_command {
	struct str name, hint, help;
};

struct tui_menu {
	enum menu_kind kind;
	size_t from;      /* where the word that is completed begins */
	struct str query; /* the word without its mark */
	VEC(struct menu_item) items;
	size_t selected;
	VEC(struct menu_command) commands; /* all that there are */
	unsigned request;                  /* the newest for files */
	struct str dismissed;              /* the text for which the user closed the menu */
};

/* A list to choose from (tui_list.c). */
struct list_item {
	struct str value, name, detail;
};

struct tui;
/* The user has chosen the item with this value, or nothing. */
typedef void tui_list_fn(struct tui *t, bool is_chosen, struct sv value);

struct tui_list {
	bool is_open;
	const char *title;
	VEC(struct list_item) items;
	struct str filter;
	size_t selected; /* of those that match the filter */
	tui_list_fn *chosen;
};

/* The picker of sessions (tui_picker.c). */
struct picker_row {
	const struct awl_session_info *info; /* of the list */
	size_t forks;                        /* that belong below this row */
	bool is_fork;
	size_t place;
};

typedef VEC(struct str) tui_words;

struct tui_picker {
	bool is_open;
	bool has_all;     /* sessions of all directories */
	bool has_branch;  /* only those of `branch` */
	bool is_renaming; /* `title` is being typed */
	bool is_dirty;    /* something else is wanted than the search that runs */
	bool is_indexed;  /* as far as possible */
	struct str query, branch, tag, title;
	struct awl_session_list *list; /* NULL: nothing was read yet */
	VEC(struct picker_row) rows;
	size_t selected;
	tui_words tags;                      /* that sessions of the list have */
	tui_words unfolded;                  /* roots of the forks that are shown */
	struct op *search, *update, *rename; /* NULL: not running */
	struct picker_search *job;
	struct picker_update *indexing;
	struct picker_rename *renaming;
};

/* The user has left the editor; `text` is what a file of ours contains now. NULL where nobody wants to know. */
typedef void tui_composed_fn(struct tui *t, struct sv text);

/* The user has chosen this option. */
typedef void tui_start_fn(struct tui *t, size_t option);

/* An image that prompts can refer to (tui_image.c): the newest ones. */
enum { TUI_IMAGES = 10 };

struct tui_image {
	size_t number;
	const char *media_type;
	struct str data; /* base64 */
};

struct tui_server {
	struct str url, model;
};

/* A question before the session begins (tui_start.c). */
struct tui_start {
	bool is_open, is_shown, shows_more;
	const char *title;
	struct str text, more; /* lines; `more` is shown instead on demand */
	VEC(struct str) options;
	size_t exit; /* the option that leaves */
	tui_start_fn *chosen;
	struct awl_project *project; /* that the user is asked to trust; NULL: none */
	struct local_search *search; /* for a server; NULL: none runs */
	VEC(struct tui_server) servers;
};

struct tui_mcp_server {
	struct str name, status;
	bool is_remote;
};

struct tui_model {
	struct str value, name, help;
};

/* The status line (tui_status_line.c). */
struct tui_status_line {
	bool is_on, hides_vim;
	size_t padding;
	int64_t refresh_ms; /* 0: no timer */
	struct op *timer;   /* until the command runs; NULL: not running */
	struct op *refresh; /* likewise, at the user's own interval */
	unsigned request;   /* the newest */
	struct str command;
	struct str text; /* what it has printed */
	struct str seen; /* the state that it was or will be told */
	size_t messages; /* so far */
};

/* An agent that the session has started (tui_agent.c). */
struct tui_agent {
	struct str id, type, task, step; /* step: what it does now; may be empty */
	enum command_status status;
};

/* What the keys are for. */
enum tui_focus {
	TUI_PROMPT,
	TUI_OPTIONS, /* of a question: a list to choose from */
	TUI_REPLY,   /* to a question: a line of text in `reply` */
	TUI_FORM,    /* the questions of AskUserQuestion */
	TUI_FIELDS,  /* the form of an MCP server */
};

/* What was printed last. Blocks have an empty row between them, but notices stand together. */
enum tui_block { TUI_NOTHING, TUI_BLOCK, TUI_NOTICE };

/* A command or an agent in the background. */
struct tui_task {
	struct str id, description;
	struct str summary; /* what it does, if it works for long; else empty */
};

/* A hook that runs. */
struct tui_hook {
	struct str id, label;
	int64_t since;
};

struct tui {
	const struct chat_opts *opts;
	const char *first; /* the prompt of the command line, until it is sent */
	struct client client;
	struct str cwd;

	/* The terminal (tui.c). */
	struct tty *tty;
	struct tty_info info;
	struct screen *screen;
	const struct theme *theme;
	struct theme own_theme;    /* of the user's own, if that is the one */
	struct str theme_problems; /* with its file, not told yet */
	struct key_decoder decoder;
	struct ready *input;
	struct task take_input;
	struct op *escape_timer;        /* ends the wait after an ESC; NULL: not running */
	struct op *resizes, *continues; /* SIGWINCH, SIGCONT */
	bool awaits_replies;            /* to the queries about the terminal */
	bool is_unfocused;              /* the user looks at another window */
	struct {
		struct op *timer; /* until a recap is wanted; NULL: not running */
		bool is_sent;     /* nothing has happened since the last one */
	} away;
	struct str title;          /* of the window; empty: not set */
	struct str channel;        /* of notifications, as the setting names it */
	bool is_still, is_verbose; /* settings: nothing moves; nothing is folded */

	/* Frames (tui_frame.c). */
	struct task frame;
	struct op *frame_timer; /* NULL: not running */
	int64_t last_frame;
	bool awaits_output; /* a frame waits until the terminal has taken the last one */
	bool is_burst;      /* it had very many finished rows */
	struct op *pulse;   /* a sign of life while a turn runs; NULL: not running */
	struct {
		size_t columns, rows;        /* of the terminal, as the kernel said last */
		bool can_ask;                /* the terminal has answered queries */
		bool waits;                  /* a frame was wanted while a reply was missing */
		bool is_fresh;               /* the terminal was asked just now */
		size_t probes;               /* left, until the terminal has that size too */
		size_t late;                 /* replies that nobody waits for any more */
		size_t missed;               /* deadlines, one after the other */
		int64_t settles_at;          /* nothing is written before */
		int64_t changed_at;          /* when the size did */
		void (*then)(struct tui *t); /* once no reply is missing; usually NULL */
		struct op *deadline;         /* of the reply that is missing; NULL: none is */
	} size;
	bool is_for_key;  /* the next frame was asked for by a key */
	struct page done; /* finished rows for the next frame */
	struct page open; /* rows of the answer that may change, as of the last frame */
	struct page live; /* scratch */
	enum tui_block last_block;

	/* The conversation (tui_show.c). */
	struct markdown_stream answer;
	bool is_answering; /* `answer` has text of the block that arrives */
	struct str thought;
	int64_t thought_since; /* 0: no thought arrives */
	VEC(struct tui_call) calls;
	struct lookups lookups; /* the run that is not finished */
	struct todos todos;
	bool hides_todos, todos_changed; /* in this turn */
	VEC(struct tui_task) tasks;
	VEC(struct tui_hook) hooks;
	struct str trouble; /* why nothing arrives; empty: no reason is known */
	int64_t retry_at;   /* when the request is sent again; 0: not waiting for that */
	bool was_interrupted, had_prompt;
	bool is_compacting; /* the conversation is being summarised */
	int64_t turn_since; /* 0: no turn runs */
	size_t turns;       /* so far */
	struct str
		agent_step; /* what the agent of a skill that was typed does; empty: none works */
	tui_words tips, verbs; /* to show while the user waits; `verbs` is usually empty */
	size_t streamed;       /* bytes of the replies of this turn */
	bool was_long;         /* the last turn had very many of them */
	double cost_limit;     /* what it may cost until the user is told; -1: never */
	struct str cost_title;
	double cost; /* of the session so far, with what it cost before it was resumed */
	struct {
		int64_t tokens; /* of the last request and its response; 0: not known */
		int64_t window; /* of the model that was asked; 0: not known */
	} context;

	/* The user (tui_keys.c, tui_prompt.c). */
	struct editor *editor;
	struct keymap *keymap;
	struct str unfold_key; /* that shows what is folded */
	struct vim *vim;       /* NULL: the user does not want it */
	bool vim_is_set;       /* by the setting, when it was last read */
	struct line_history *history;
	int64_t history_since; /* when this session was opened */
	bool has_history;      /* the prompts of other sessions are part of it */
	struct str stash;      /* a prompt that was put aside */
	int64_t clear_until;   /* a second Escape until then clears the prompt, or opens /rewind */
	struct {
		struct str target; /* the prompt to go back to: its number and its uuid */
		struct str prompt; /* its text, for the editor; empty: it stays as it is */
	} rewind;
	struct str paste; /* that arrives */
	size_t pastes;    /* folded so far */
	struct {
		VEC(struct tui_image) kept;
		size_t count;     /* so far */
		struct op *op;    /* asks the clipboard; NULL: nothing is under way */
		struct str bytes; /* of it */
	} images;
	struct str btw;    /* a question beside the conversation, until it is answered; else empty */
	struct str memory; /* a line for an instruction file, until the user has chosen one */
	VEC(struct tui_queued) queue;
	int64_t leave_until; /* a second key to leave leaves until then */
	struct str note;     /* instead of the footer, until the next key; may be empty */

	struct tui_menu menu;
	struct tui_list list;
	struct tui_picker picker;
	VEC(struct tui_model) models; /* that can be chosen */
	VEC(struct str) answers;      /* the newest last */
	struct {
		VEC(struct tui_mcp_server) servers; /* of the list */
		struct str chosen;
		struct op *timer; /* NULL: no server of the list is being connected */
	} mcp;
	struct {
		struct str chosen; /* a plugin or a marketplace */
		struct str
			asking; /* "install NAME": was shown, and waits for the user's consent; may be empty */
	} plugins;
	struct {
		struct op *op; /* NULL: nothing is under way */
		struct str text;
		bool leaves; /* when it is done */
	} copy;
	struct str *next; /* the session to go on with after this one; empty: none */
	bool *again;      /* the session is to be opened once more: its settings count now */
	struct tui_start start;
	struct tui_status_line status_line;

	bool shows_keys; /* in the place of the footer (tui_help.c) */

	/* The search of earlier prompts (tui_search.c). */
	struct {
		bool is_open, is_missing; /* no prompt contains the text */
		struct str needle, draft;
		size_t found;
	} search;

	/* The user's own command (tui_shell.c). */
	struct {
		struct uuid id; /* empty: none runs */
		struct str command, tail;
		int64_t since;
	} shell;

	/* The user's own editor (tui_compose.c). */
	struct {
		struct op *op;        /* NULL: it does not run */
		struct str dir, file; /* without a directory, the file is the user's own */
		tui_composed_fn *done;
	} compose;

	/* The transcript (tui_transcript.c). */
	bool is_paging;   /* it is on the screen */
	struct str paged; /* the file that is shown; empty: of this session */
	struct pager pager;

	/* The agents (tui_agent.c). */
	struct {
		VEC(struct tui_agent) list; /* the oldest first */
		struct str viewed;          /* the id of the one on the screen; empty: none */
		struct editor *editor;      /* NULL: none was viewed yet */
		bool is_stale;              /* it has done something since it was read */
		bool follows;               /* its end is on the screen */
	} agents;

	/* The question (tui_question.c). */
	enum tui_focus focus;
	struct dialog dialog;
	bool is_shown;  /* the question is on the screen: keys can answer it */
	bool is_typing; /* the user was writing when it appeared, and has not paused since */
	int64_t last_key;
	size_t option; /* that is selected */
	bool shows_all;
	size_t scroll; /* rows that are scrolled past, plus one; 0: the beginning and the end */
	struct str explanation; /* of the rules, instead of the call; usually empty */
	struct editor *reply;
	struct str words;    /* of a no: shown below the call, once that has ended */
	enum answer replies; /* what `reply` goes with: a yes, or ANSWER_NO_BECAUSE */
	struct {
		size_t at;      /* of the questions that came at once: which is open */
		size_t waiting; /* how many had no answer when it was drawn last, with that one */
	} asked;
	struct {
		bool is_review; /* all answers are shown before they are sent */
		bool is_tight;  /* there is no room for empty rows and descriptions */
		size_t field; /* of an MCP server: the selected one; behind the last are the answers */
	} form;
};

/* tui_start.c */
/* Opens a question if one has to be answered before the session begins; false: none has. */
bool tui_start(struct tui *t);
void tui_start_open(struct tui *t, const char *title, tui_start_fn *chosen, size_t exit);
void tui_start_add(struct tui *t, const char *option);
void tui_start_key(struct tui *t, const struct key *key);
void tui_draw_start(struct tui *t, struct page *page, size_t max_rows);
void tui_start_clear(struct tui *t);

/* tui_first_run.c */
/* Asks what to do without a model; false: there is one. */
bool tui_first_run(struct tui *t);

/* tui.c */
/* Begins the session: the welcome, and what is resumed. */
void tui_begin(struct tui *t);
void tui_view(const struct tui *t, struct view *view);
void tui_leave(struct tui *t, int status);
/* The user wants to leave: does it, unless commands still run in the background and this is the first time. */
void tui_ask_to_leave(struct tui *t, int status);
void tui_suspend(struct tui *t);
void tui_interrupt(struct tui *t);
/* Leaves the terminal to another program, and takes it back. */
void tui_lend(struct tui *t);
void tui_return(struct tui *t);
/* Takes all keys that have been typed so far. */
void tui_catch_up(struct tui *t);
bool tui_is_busy(const struct tui *t);    /* a turn runs or is about to */
bool tui_is_working(const struct tui *t); /* that, or the user's own command */
int64_t tui_now(const struct tui *t);

/* tui_frame.c */
void tui_frame_init(struct tui *t);
void tui_frame_stop(struct tui *t);
void tui_redraw(struct tui *t);     /* soon, together with other changes */
void tui_redraw_now(struct tui *t); /* after this step: a key was pressed */
void tui_draw(struct tui *t);       /* in this step */
void tui_frame_on_written(void *arg);
/* A reply to one of the queries about the terminal. */
void tui_frame_on_reply(struct tui *t, const struct key_event *event);
/* Whether another program can have the terminal now. If a reply would reach that program, `fn` is called when the reply
 * has come; if the terminal is slow to take what was written, the user has to try again. */
bool tui_frame_can_lend(struct tui *t, void (*fn)(struct tui *t));
/* Begins a block of finished rows, which are then added to the page. */
struct page *tui_begin_block(struct tui *t);
/* The same for a notice or a call of a single row, which follow their like without an empty row. */
struct page *tui_begin_row(struct tui *t, enum tui_block kind);
/* Finishes a run of lookups. */
void tui_end_lookups(struct tui *t);

/* tui_show.c */
void tui_on_event(void *arg, const struct event *event, struct sv line);
void tui_show_welcome(struct tui *t);
void tui_show_prompt(struct tui *t, struct sv text);
/* Finishes the rows of the answer that cannot change any more. */
void tui_show_answer(struct tui *t, size_t max_open, struct page *open);
void tui_forget_calls(struct tui *t);
/* The time of this call, and of those after it, counts from now on: the user was asked about it. */
void tui_begin_calls_anew(struct tui *t, struct sv id);
void tui_toggle_todos(struct tui *t);

/* tui_news.c: what the user should know that is not part of the conversation. */
/* Appends the branch of the repository that has `dir`; nothing if it is in none. */
void tui_find_branch(struct str *out, struct sv dir);
void tui_show_notice(struct tui *t, struct style style, struct sv text);
void tui_show_aside(struct tui *t, struct sv text);
void tui_on_news(struct tui *t, const struct event *event);
void tui_on_tasks(struct tui *t, const struct event *event);
void tui_forget_tasks(struct tui *t);
/* NULL: it does not run in the background. */
struct tui_task *tui_find_task(struct tui *t, struct sv id);
/* Something arrives again. */
void tui_end_trouble(struct tui *t);

/* tui_hooks.c */
void tui_on_hook(struct tui *t, const struct event *event);
void tui_forget_hooks(struct tui *t);
/* One that has run for so long that the user should know; NULL: none has. */
const struct tui_hook *tui_felt_hook(const struct tui *t);

/* tui_notify.c */
void tui_set_title(struct tui *t);
void tui_drop_title(struct tui *t);
/* Tells a user who looks at another window. `text` is one of ours: no sequence can be in it. */
void tui_notify(struct tui *t, const char *text);
/* The same with a text of the model, which the conversation shows, too. */
void tui_notify_of(struct tui *t, struct sv text);

/* tui_resume.c */
void tui_resume(struct tui *t);

/* tui_transcript.c */
void tui_transcript_open(struct tui *t);
/* The same for the file of another session. */
void tui_transcript_open_file(struct tui *t, const char *path, const char *title);
void tui_transcript_close(struct tui *t);
void tui_transcript_key(struct tui *t, const struct key *key);
void tui_draw_transcript(struct tui *t);

/* Appends the path of the file that is shown, or else of the session's. */
void tui_transcript_find(const struct tui *t, struct str *path);

/* tui_agent.c */
void tui_agents_on_event(struct tui *t, const struct event *event);
/* Lets the user choose an agent; false: there is none. */
bool tui_agents_open(struct tui *t);
void tui_agents_clear(struct tui *t);
bool tui_agent_is_open(const struct tui *t);
void tui_agent_key(struct tui *t, const struct key *key);
void tui_draw_agent(struct tui *t);
bool tui_agent_on_reply(struct tui *t, const struct control_reply *reply);

/* tui_tips.c */
void tui_tips_load(struct tui *t);
void tui_tips_clear(struct tui *t);
/* What the model is said to be doing while nothing is known. */
struct sv tui_verb(const struct tui *t);
/* A turn has taken so long. */
void tui_draw_tip(struct tui *t, struct page *page, int64_t ms);

/* tui_live.c */
/* Takes into account what has arrived of the answer. */
void tui_advance_answer(struct tui *t);
void tui_draw_live(struct tui *t, struct page *page, struct screen_cursor *cursor);
void tui_draw_rule(struct tui *t, struct page *page, struct style style);

/* tui_keys.c */
void tui_on_key(void *arg, const struct key_event *event);
void tui_keys_submit(struct tui *t);
void tui_begin_draft(struct tui *t); /* an empty prompt */

/* tui_edit.c */
void tui_edit_paste(struct tui *t);

/* tui_settings.c */
void tui_settings_load(struct tui *t);
void tui_settings_follow(struct tui *t); /* they may have changed */
void tui_keys_load(struct tui *t);
void tui_choose_theme(struct tui *t); /* by the setting and the background */
/* Uses the theme of this name; false: there is none. */
bool tui_use_theme(struct tui *t, struct sv name);
void tui_use_vim(struct tui *t, bool is_wanted);

/* The value of a setting, to be freed; NULL: not set. */
struct json_doc *tui_setting(struct tui *t, const char *key);

/* tui_status_line.c */
void tui_status_line_load(struct tui *t);   /* the settings */
void tui_status_line_begin(struct tui *t);  /* the session has begun */
void tui_status_line_reload(struct tui *t); /* the settings may have changed */
void tui_status_line_on_event(struct tui *t, const struct event *event);
void tui_status_line_on_reply(struct tui *t, const struct control_reply *reply);
/* Runs the command soon, if what it is told has changed. */
void tui_status_line_follow(struct tui *t);
void tui_status_line_stop(struct tui *t);
void tui_status_line_clear(struct tui *t);
void tui_draw_status_line(struct tui *t, struct page *page);

/* tui_image.c */
/* Takes a paste that names images; false: it is a text like any other. */
bool tui_image_paste(struct tui *t, struct sv text);
void tui_image_from_clipboard(struct tui *t);
/* The images that a prompt refers to; how many. They are borrowed. */
size_t tui_images_of(const struct tui *t, struct sv prompt, struct input_image *out, size_t max);
void tui_images_clear(struct tui *t);

/* tui_memory.c */
/* Whether a prompt is a line for an instruction file. */
bool tui_memory_is_entry(struct sv text);
/* Asks which file gets it; false: it is a prompt like any other. */
bool tui_memory(struct tui *t, struct sv text);
void tui_command_memory(struct tui *t, struct sv rest);

/* tui_menu.c */
void tui_menu_load(struct tui *t,
		   struct json reply); /* the commands, from the reply to chat_begin() */
void tui_menu_on_reply(struct tui *t, const struct control_reply *reply);
void tui_menu_follow(struct tui *t); /* the text or the cursor has changed */
bool tui_menu_is_open(const struct tui *t);
void tui_menu_close(struct tui *t);
void tui_menu_clear(struct tui *t);
void tui_menu_previous(struct tui *t);
void tui_menu_next(struct tui *t);
void tui_menu_accept(struct tui *t);
void tui_menu_dismiss(struct tui *t);
/* Enter: completes what is selected. False: the prompt can be sent. */
bool tui_menu_enter(struct tui *t);
void tui_draw_menu(struct tui *t, struct page *page, size_t max_rows);

/* --- the keys in short (tui_help.c) --------------------------------------------------- */

/* Whether the key asked for them; any other key hides them. */
bool tui_help_key(struct tui *t, const struct key *key);
/* False: they are not shown. */
bool tui_draw_help(struct tui *t, struct page *page, size_t max_rows);

/* tui_list.c */
void tui_list_open(struct tui *t, const char *title, tui_list_fn *chosen);
void tui_list_add(struct tui *t, struct sv value, struct sv name, struct sv detail);
void tui_list_close(struct tui *t);
void tui_list_key(struct tui *t, const struct key *key);
void tui_draw_list(struct tui *t, struct page *page, size_t max_rows);
/* A row with something to choose. */
void tui_draw_item(struct tui *t, struct page *page, struct sv name, struct sv detail,
		   bool is_selected);

/* tui_picker.c */
void tui_choose_session(struct tui *t);
void tui_picker_stop(struct tui *t); /* also what runs for it */
void tui_picker_key(struct tui *t, const struct key *key);
/* The row that is selected; NULL: there is none. */
const struct picker_row *tui_picker_row(const struct tui *t);
void tui_draw_picker(struct tui *t, struct page *page, size_t max_rows);

/* tui_command.c */
/* Carries out a command of the screen; false: the text is for the session. */
bool tui_command(struct tui *t, struct sv text);
/* Resumes another session in place of this one. */
void tui_switch_session(struct tui *t, struct sv session);
void tui_choose_model(struct tui *t);
void tui_models_load(struct tui *t, struct json reply);
void tui_forget_models(struct tui *t);

/* tui_cost.c */
void tui_cost_begin(struct tui *t, double usd); /* that the session has cost before */
void tui_cost_on_event(struct tui *t, const struct event *event);
void tui_cost_check(struct tui *t); /* a turn has ended */
/* Appends "$0.25 · 12% context · ", as far as it is known. */
void tui_cost_add_facts(const struct tui *t, struct str *out);
/* Appends " · $0.25": what the turn has cost so far. */
void tui_cost_add_turn(const struct tui *t, struct str *out);

/* tui_copy.c */
void tui_copy(struct tui *t, struct sv rest);
/* Copies a text to the clipboard, and leaves after that if `leaves` is set. */
void tui_copy_text(struct tui *t, struct sv text, bool leaves);
void tui_keep_answer(struct tui *t, struct sv text);
void tui_forget_answers(struct tui *t);

/* tui_history.c */
void tui_history_init(struct tui *t);
void tui_history_add(struct tui *t, struct sv text); /* it is on its way */
void tui_history_load(struct tui *t);                /* the user looks for an earlier one */

/* tui_search.c */
void tui_search_begin(struct tui *t);
void tui_search_key(struct tui *t, const struct key *key);
void tui_draw_search(struct tui *t, struct page *page);

/* tui_compose.c */
void tui_compose(struct tui *t);
void tui_edit_keybindings(struct tui *t);
/* Lets the user edit a text of ours in a file of this name, or a file of theirs. */
void tui_compose_text(struct tui *t, struct sv text, const char *name, tui_composed_fn *done);
void tui_compose_file(struct tui *t, struct sv path, tui_composed_fn *done);
void tui_compose_forget(struct tui *t);

/* tui_prompt.c */
void tui_submit(struct tui *t, struct sv text);

/* tui_away.c */
/* The terminal has got or lost the focus, or the session rests. */
void tui_away_follow(struct tui *t);
bool tui_away_on_reply(struct tui *t, const struct control_reply *reply);

/* tui_btw.c */
void tui_btw(struct tui *t, struct sv rest);
bool tui_btw_on_reply(struct tui *t, const struct control_reply *reply);
void tui_draw_btw(struct tui *t, struct page *page);

/* tui_context.c */
void tui_context_open(struct tui *t, struct sv text);
bool tui_context_on_reply(struct tui *t, const struct control_reply *reply);

/* tui_mcp.c */
void tui_mcp_open(struct tui *t);
bool tui_mcp_on_reply(struct tui *t, const struct control_reply *reply);
void tui_mcp_clear(struct tui *t);

/* tui_plugins.c */
void tui_plugins_open(struct tui *t);
/* /plugin was answered. */
void tui_plugins_on_result(struct tui *t, bool failed);
void tui_plugins_clear(struct tui *t);

/* tui_rewind.c */
/* Lets the user choose an earlier prompt to go back to. */
void tui_rewind_open(struct tui *t);
bool tui_rewind_on_reply(struct tui *t, const struct control_reply *reply);
/* /rewind was answered: the prompt before which the conversation continues can be edited. */
void tui_rewind_on_result(struct tui *t, bool failed);
void tui_rewind_clear(struct tui *t);
void tui_on_prompt_state(struct tui *t, struct sv uuid, enum prompt_state state);
/* Takes the newest prompt that waits back into the editor; false: none waits. */
bool tui_take_back(struct tui *t);
void tui_forget_queue(struct tui *t);

/* tui_shell.c */
/* Runs a prompt that begins with an exclamation mark; false: it does not. */
bool tui_shell(struct tui *t, struct sv text);
void tui_draw_shell(struct tui *t, struct page *page);
void tui_shell_clear(struct tui *t);
bool tui_shell_runs(const struct tui *t);
/* False: it is not of the command that runs. */
bool tui_shell_on_output(struct tui *t, struct sv id, struct sv text);
bool tui_shell_on_reply(struct tui *t, const struct control_reply *reply);
/* How the prompt looks while it is such a command. */
void tui_shell_look(const struct tui *t, struct editor_look *look);

/* tui_form.c */
void tui_form_begin(struct tui *t);
void tui_form_key(struct tui *t, const struct key *key);
/* Where a paste goes, and that it is there. */
struct editor *tui_form_paste(struct tui *t);
void tui_form_pasted(struct tui *t);
void tui_draw_form(struct tui *t, struct page *page, struct screen_cursor *cursor, size_t max_rows);
/* Append text of others: wrapped, each row after `before`. */
void tui_form_wrap(struct tui *t, struct page *page, struct sv text, const char *before,
		   struct style style);
/* Append both parts as far as there is room: of the first the rows that the user scrolled to, of the second those around
 * the rows from `first` to `end`. */
void tui_form_fit(struct tui *t, struct page *page, const struct page *head,
		  const struct page *body, size_t space, struct screen_cursor *cursor, size_t first,
		  size_t end);
void tui_form_scroll(struct tui *t, const struct key *key);

/* tui_fields.c */
void tui_fields_begin(struct tui *t);
void tui_fields_key(struct tui *t, const struct key *key);
struct editor *tui_fields_paste(struct tui *t);
void tui_fields_pasted(struct tui *t);
void tui_draw_fields(struct tui *t, struct page *page, struct screen_cursor *cursor,
		     size_t max_rows);

/* tui_question.c */
void tui_ask(struct tui *t, struct sv id, const struct permission_question *question);
void tui_ask_form(struct tui *t, struct sv id, const struct elicitation *asked);
void tui_withdraw(struct tui *t);
void tui_draw_question(struct tui *t, struct page *page, struct screen_cursor *cursor,
		       size_t max_rows);
void tui_question_key(struct tui *t, const struct key *key);
/* Rows of a question: its lines, the first one bold; as many of those as fit, or those that the user scrolled to; an
 * answer to choose, perhaps cut at the width. */
void tui_draw_text(struct tui *t, struct page *page, struct sv text);
void tui_draw_fitting(struct tui *t, struct page *page, const struct page *rows, size_t max_rows);
void tui_draw_option(struct tui *t, struct page *page, struct sv number, struct sv text,
		     bool is_selected, bool is_cut);
/* False: it is the reply to another request. */
bool tui_question_on_reply(struct tui *t, const struct control_reply *reply);

#endif

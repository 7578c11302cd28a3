/* session_internal.h - a session from inside: for session*.c, commands*.c, perm_update.c. */
#ifndef AWL_CORE_SESSION_SESSION_INTERNAL_H
#define AWL_CORE_SESSION_SESSION_INTERNAL_H

#include "context/instructions.h"
#include "core/commands/command_run.h"
#include "core/compaction/context_edit.h"
#include "core/extend/session_plugins.h"
#include "core/schedule/schedule.h"
#include "core/session/session.h"
#include "core/session/session_records.h"
#include "core/side/session_goal.h"
#include "core/side/session_tool_summary.h"
#include "core/toolset/user_tool.h"
#include "extend/agent_list.h"
#include "extend/command_list.h"
#include "extend/style_list.h"
#include "proto/input.h"
#include "store/settings/settings.h"
#include "tool/shell/background.h"

enum session_state {
	SESSION_IDLE,
	SESSION_EXPANDING, /* a slash command becomes a prompt */
	SESSION_OPENING, /* finding the model, looking up the environment; before the first turn */
	SESSION_PROMPTING, /* hooks look at the prompt */
	SESSION_TURN,
	SESSION_CLOSING, /* waiting for what is in flight; no event is emitted any more */
	SESSION_GONE
};

/* Whether the hooks have seen a prompt that arrived during a turn. One that starts a turn is shown to
 * them in SESSION_PROMPTING. */
enum session_check { CHECK_NONE, CHECK_RUNS, CHECK_PASSED };

/* A prompt or command that waits for its turn. */
struct session_waiting {
	struct str blocks;  /* content blocks, joined by commas */
	struct str uuid;    /* may be empty */
	struct str command; /* of ours; usually empty */
	struct str typed;   /* the command that it was expanded from; usually empty */
	struct str channel; /* the MCP server that sent it; usually empty */
	bool silent;        /* expects no answer */
	bool is_later;      /* waits for the end of the turn and for all that are not */
	bool is_notice;     /* the harness wrote it: a command has ended */
	bool is_named;      /* the host chose the uuid, so it is told what becomes of it */
	bool is_taken;      /* its turn has begun */
	bool is_fork;       /* it is a skill that an agent of its own runs, instead of a turn */
	enum session_check check;
	struct str context; /* what a hook adds for the model; usually empty */
	struct str
		origin; /* JSON: who says it; empty: the user, or the harness if it is a notice */
};

/* What the session is on disk. Another one begins with session_reset(). */
struct conversation {
	struct uuid id;
	struct transcript *transcript; /* NULL: the session is not saved */
	char *path;                    /* of the transcript; NULL likewise */
	char *results_dir, *tasks_dir; /* NULL likewise */
	struct str title;              /* may be empty */
	struct str branch;             /* of the repository; may be empty */
	struct str environment;        /* as the model was told of it; may be empty */
	struct fs_lock *lock;          /* taken before loading; then it belongs to the transcript */
	bool is_broken;                /* the last record could not be written */
	bool owes_sync;                /* a record has to be on disk before it is relied on */
	struct str unsaved;            /* why a record of this turn is not saved */
	enum transcript_cut cut;       /* how the resumed conversation ended */
	struct uuid forked_from;       /* the session that another process has open; or empty */
};

/* The prompts that a host named and the turn answers. */
struct session_answering {
	VEC(struct sv) uuids; /* owned texts, the newest last */
	bool is_told;         /* a reply has named them */
	bool is_notice;       /* the turn began because a command ended */
	struct str channel;   /* or because this MCP server sent a message; usually empty */
	int64_t nresults;     /* of the session, so far */
};

/* What the transcript got and the host has not yet. */
struct session_mirror {
	bool is_on;
	struct str path, entries; /* of the file; JSON, separated by commas */
};

/* How much the model and the user know already. */
struct session_sent {
	bool init;           /* to the user: a first turn has begun, so somebody listens */
	bool price_warning;  /* to the user */
	bool environment;    /* to the model */
	bool plan_mode;      /* to the model */
	size_t instructions; /* files, to the model */
	struct map skills;   /* their names, to the model */
	size_t omitted;      /* bytes of the notes about omitted files, to the user */
	struct rate_limit limit;
	struct rate_limit five_hour, seven_day; /* the newest of each; without a type: none yet */
};

/* Texts that wait for somebody to hear them. */
struct session_pending {
	struct str warnings;      /* for the user, with initialize or when the first turn begins */
	struct str announcements; /* for the user, then or with the first local answer */
	struct str notes;         /* for the model, with its next request */
	VEC(struct str) ran;      /* commands of the user and their output, likewise */
};

/* The commands that users have written, and the one that runs. */
struct session_commands {
	struct command_list list; /* as of the last look */
	bool is_loaded;
	bool is_stale; /* a folder was found since then */
	bool is_off;   /* there are none */
	VEC(char *)
	nested; /* directories below the project's with skills, where a file was touched */
	struct map searched;    /* directories that were looked at */
	struct map awake;       /* names of skills for certain paths, one of which was touched */
	struct str told;        /* the list as the host knows it; empty: it was never told */
	struct command_run run; /* the one that becomes a prompt */
	bool is_forking;        /* ... or that an agent runs now, in SESSION_TURN */
	/* Of this turn, if a command has chosen them, and as they were before. */
	struct str model, model_before; /* empty: no difference */
	bool has_effort;
	enum model_effort effort, effort_before;
	/* Of a command that the engine answers and that takes time. */
	struct str answer;
	bool is_refused; /* the answer says why nothing was done, or what is wrong */
	void *job;       /* may be NULL */
	void (*free_job)(void *job);
};

/* What the user has chosen for the session, whatever the agent that leads it wants. */
struct session_lead_opts {
	bool has_model, has_effort, has_mode;
	bool continues; /* an older conversation */
};

/* The definitions of agents. */
struct session_agents {
	struct agent_list list; /* as of the last look */
	bool is_loaded;
	struct str notes; /* what is wrong with files, as the user knows it */
	struct str told;  /* the list as the model knows it */
	struct str lead;  /* the one that leads the conversation; empty: none */
	struct str
		awaited; /* the one that is to lead it once the host has defined it; empty: none */
	struct session_lead_opts lead_opts;
};

/* The output styles. */
struct session_styles {
	struct style_list list; /* as of the last look; empty: nobody has looked */
	struct str chosen;      /* by the user in this session; empty: the setting applies */
	struct str name;        /* of the one in use; empty: the default */
};

/* What the host has asked for when it initialized the session. */
struct session_wishes {
	struct json_doc *agents; /* an object of their definitions; NULL: none */
	struct json_doc *skills; /* an array: the only ones that there are; NULL: all */
	bool suggests;           /* what the user may want to say next */
	bool forwards_text;      /* of sub-agents, not only what they do */
	bool summarizes_agents;  /* lines about what sub-agents do */
	bool spares_tasks;       /* an interrupt does not end commands in the background */
};

/* A skill that was used, as the model has read it. */
struct session_skill {
	struct str name, text;
};

/* The notes that are kept beside the conversation. */
struct session_notes {
	struct str path; /* of their file; empty: none are kept */
	struct str text; /* as they are now; may be empty */
	size_t covered;  /* the first messages of the conversation, which they are about; 0: none */
	struct uuid checkpoint; /* the last record of those */
	/* The update that is under way. */
	struct op *op;
	struct str answer;
	size_t next;
	struct uuid next_checkpoint;
	bool is_stale;  /* the conversation was replaced meanwhile */
	int64_t tokens; /* of the conversation at the last one */
};

/* What a tool has done about the plan since the last request. */
enum plan_news { PLAN_NO_NEWS, PLAN_BEGUN, PLAN_ACCEPTED };

/* Plan mode, and the plan that it leads to. */
struct session_plan {
	struct str slug, path; /* of the file of the plan, real; empty: none yet */
	enum perm_mode before; /* the mode that plan mode has replaced */
	enum plan_news news;   /* to be recorded */
	struct str workflow;   /* how to plan, in the words of the host; usually empty */
};

/* Where settings come from besides the files every session reads. */
struct session_sources {
	struct op *watch; /* NULL: not yet, or not wanted */
	bool is_watched;
	struct str flag, flag_root; /* what the host made of --settings; usually empty */
	struct str vouched_for;     /* digest of the project's files at the start; may be empty */
};

struct session {
	struct engine *engine;
	struct session *next;
	struct control_wait *control_waits; /* control requests whose reply takes time */
	enum session_state state;
	struct op *step; /* what the state waits for: environment, hook, turn */
	bool is_interrupted; /* in EXPANDING, OPENING or PROMPTING: the turn ends as soon as it begins */
	struct agent *agent;
	struct conversation conversation;
	struct session_sent sent;
	struct session_pending pending;
	struct session_plan plan;
	struct session_commands commands;
	struct session_agents agents;
	struct session_plugins plugins;
	struct session_styles styles;
	struct session_goal goal;
	struct session_schedule schedule; /* prompts for later */
	struct subagents *subagents;      /* agents that work for it */
	struct session_wishes wishes;
	struct {
		int failures;                     /* in a row */
		bool has_warned;                  /* that the window is nearly full */
		VEC(struct session_skill) skills; /* the newest last */
	} compaction;
	struct {
		struct op *op; /* the question to the model; NULL: none */
		struct str text;
	} suggestion;
	struct session_tool_summary tool_summary;
	struct {
		struct op *op; /* the question to the model; NULL: none */
		struct str about, answer;
		bool is_settled; /* the conversation has one, or was asked for one */
	} title;
	VEC(struct session_waiting) waiting;
	struct session_answering answering;
	struct session_mirror mirror;
	bool answers_tasks;        /* a command that ends in the background starts a turn */
	struct map seen;           /* uuids of prompts that were taken */
	struct prompt_point point; /* of the prompts in SESSION_PROMPTING */
	struct op *sync;           /* of the transcript, beside OPENING */
	struct op *check;          /* the hooks that look at prompts which arrived during a turn */
	struct prompt_point check_point;

	struct settings *settings; /* that apply in its directory */
	struct model_rules rules;  /* which models they allow */
	struct session_sources sources;
	struct perm_policy policy;
	struct session_sandbox *sandbox; /* NULL: none */
	struct host_queue host;
	int64_t opened_ms;
	int64_t compact_window; /* of --autocompact, in tokens; 0: as the settings say */
	bool is_initialized;    /* by a host */
	bool is_ending;         /* the host wants no more of it */
	bool owes_idle;         /* front ends are told that it rests once hooks are over */
	bool has_user;          /* somebody answers questions */
	bool is_bare;           /* opens no connection ahead of a request */
	bool is_resumed;        /* it continues an older conversation */
	bool may_bypass;        /* the mode bypassPermissions may be chosen */
	bool is_coordinator;    /* its own agent only directs others */
	bool is_led;            /* by an agent with a prompt of its own (--agent) */
	bool suggests;          /* what the user may want to say next, whatever the host wishes */
	struct costs costs;
	struct budget budget;
	int64_t answered_ms;            /* when the model last answered; 0: never */
	struct hook_points hooks;       /* who takes part in the work of its agents */
	struct session_hooks *handlers; /* the hooks of the user and of the host */
	struct session_mcp *mcp;        /* its MCP servers */
	struct session_peers *peers;    /* other sessions can reach it; NULL: not yet, or never */
	struct session_undo *undo;      /* what its calls change can be undone (session_undo.h) */
	struct session_lsp *lsp;        /* its language servers */
	struct session_worktree *worktree; /* that it works in (worktree/session_worktree.h) */
	struct str prompt_id;              /* of the prompt that the turn answers; may be empty */

	struct tool_session shared; /* with the tools of its agents */
	struct tool_services services;
	env_list child_env;     /* of commands, as the settings have it */
	VEC(env_list) old_envs; /* from before a change; commands that start may still use them */
	struct user_toolset user_tools;
	struct instructions *instructions;
	struct str memory_dir; /* real; empty: the project has no memory */
	struct session_notes notes;
	struct session_records records;
	struct context_drops drops;   /* what the user has taken out of the conversation */
	char *prompt, *append_prompt; /* of the system; NULL: none */
	char *append_more;            /* given by the host later; NULL: none */
	char *append_subagents;       /* for its sub-agents; NULL: none */

	session_event_fn *on_event;
	void *arg;
	void (*on_gone)(void *arg);
};

/* --- session.c --- */

void session_emit(struct session *s, const struct event *event);
/* The same with this uuid; `arg` is the session, for its agents. */
void session_emit_as(void *arg, const struct event *event, struct sv uuid);
void session_emit_state(struct session *s, enum session_activity state);
/* Running or idle, whatever the session does. */
void session_emit_activity(struct session *s);
/* Hooks have refused a prompt. */
void session_inform_refusal(struct session *s, struct sv why);
void session_inform(struct session *s, enum notice_level level, struct sv text);
/* Where the credential comes from: "ANTHROPIC_API_KEY", "none". */
struct sv session_key_source(const struct session *s);
/* For the agents of the session. */
struct agent_listener session_listener(struct session *s);
/* The only place where the state changes. */
void session_enter(struct session *s, enum session_state next);
/* Begins with the prompt that waits first. */
void session_prompt_next(struct session *s);
/* Drops the prompts of the point, which a hook has refused, and says why. */
void session_refuse_prompts(struct session *s);
void session_emit_init(struct session *s);
/* Does what can be done now; `worked`: something has just ended. */
void session_run(struct session *s, bool worked);
/* Starts what waits, when nothing is under way. */
void session_pump(struct session *s);
/* The same after something has ended: front ends are told if the session comes to rest. */
void session_continue(struct session *s);
/* Ends the turn because another prompt replaces it. */
void session_supersede(struct session *s);
/* The model has lost what it was sent besides the conversation; all of it is sent again. */
void session_forget_sent(struct session *s);
/* Starts another conversation: the model knows nothing of the old one. Only when idle. */
void session_reset(struct session *s);
/* The host has ended the session: tells front ends once it is idle. */
void session_announce_end(struct session *s);
/* Frees a closing session once nothing of it is in flight. */
void session_settle(struct session *s);
/* For the model, with its next request. The oldest notes are dropped when there are too many. */
void session_append_note(struct session *s, struct sv text);
/* A warning for the user, emitted when somebody listens; and emitting all of them. */
void session_add_notice(struct session *s, struct sv text);
void session_emit_notices(struct session *s);
void session_emit_announcements(struct session *s);

/* The same in a turn of its own, or with the next request of the one that runs. Without text the turn answers what
 * the conversation ends with. */
void session_wake(struct session *s, struct sv text);
/* The same with a message of an MCP server. */
void session_wake_from(struct session *s, struct sv channel, struct sv text);
/* The same with who it comes from, as JSON. */
void session_wake_by(struct session *s, struct sv origin, struct sv text);
/* A prompt before all others that wait. */
void session_prompt_first(struct session *s, struct sv text);

/* --- session_open.c --- */

/* A resumed conversation that ended inside a turn: asks the model to continue it, with the next prompt or,
 * without a user and if CLAUDE_CODE_RESUME_INTERRUPTED_TURN is set, at once. A prompt without an answer is sent as it
 * is. */
void session_resume_turn(struct session *s);

/* --- session_opening.c --- */

/* In SESSION_OPENING. */
void session_start_opening(struct session *s);
/* The session rests: makes durable what was recorded outside a turn. */
void session_sync_rest(struct session *s);
/* Starts the turn of somebody who has interrupted it already. */
void session_start_interrupted(struct session *s);
/* Connects ahead of the first request, now or as soon as there is time. */
void session_connect_ahead(struct session *s, void (*prepare)(struct engine *e, struct sv model));

/* --- session_settings.c --- */

/* When the conversation is made shorter, as the settings and variables have it. */
void session_settings_compact(struct session *s);

/* --- session_hooks.c --- */

struct session_hooks;
/* Once; nothing runs before session_hooks_load(). */
void session_hooks_open(struct session *s);
/* The settings have changed or, if `host` exists, the host has registered its hooks. */
void session_hooks_load(struct session *s, struct json host);
/* Emit how all hooks fare, not only those of the start. */
void session_hooks_want_events(struct session *s, bool wanted);
/* Skip the hooks of the settings files of user and project; before session_hooks_load(). */
void session_hooks_skip_found(struct session *s, bool skips);
void session_hooks_cancel(struct session *s);
bool session_hooks_are_quiet(const struct session *s);
/* Ends the hooks that the next turn waits for. */
void session_hooks_interrupt(struct session *s);
/* Whether hooks run that the next turn waits for. */
bool session_hooks_bar(const struct session *s);
/* Only when they are quiet. NULL is fine. */
void session_hooks_free(struct session_hooks *hooks);

/* --- hooks_prompt.c --- */

struct turn_outcome;
/* A turn is over; if the service failed, hooks are told before the next one. */
void hooks_report_failure(struct session *s, const struct turn_outcome *out);
/* Gives the session a title that a hook has chosen; nothing if it is empty. */
void hooks_take_title(struct session *s, struct sv title);
/* A command is about to become a prompt; the answer is in `s->point`. NULL: there are no hooks. */
struct op *hooks_expand(struct session *s, const struct command_file *file, struct sv arguments,
			struct then then);

/* --- hooks_session.c --- */

/* `source`: startup, resume, fork or clear. `setup` runs its hooks first; NULL: none. The next turn
 * waits for the hooks. */
void hooks_start_session(struct session *s, const char *source, const char *setup);
/* Runs the SessionStart hooks once more, for a conversation that begins anew. NULL: there are none. */
struct op *hooks_restart(struct session *s, const char *source, struct then then);
/* The session closes: runs the hooks once, returns whether they are over. */
bool hooks_end_session(struct session *s);
/* The conversation ends; hooks_start_session() with the source "clear" follows. */
void hooks_clear_session(struct session *s);
/* The user should look here. */
void hooks_notify(struct session *s, const char *type, struct sv message);
/* The session has come to rest: if it stays so, the user is reminded. */
void hooks_rest(struct session *s);
void hooks_notify_question(struct session *s, const struct host_request *request);

/* --- hooks_model.c --- */

/* Asks the hooks about the model with this name; `source`: command or sdk. `*refusal` gets what they
 * say against it. NULL: there is nothing to ask. */
struct op *hooks_check_model(struct session *s, struct sv name, const char *source,
			     struct str *refusal, struct then then);
/* Whether hooks have a say in which model is used. */
bool hooks_guard_model(const struct session *s);
/* For the command /model: whether it has to wait for hooks, which are started here; the session is
 * pumped when they are over. Then hooks_allow_model() says once what they have decided. */
bool hooks_delay_model(struct session *s, struct sv name);
must_use bool hooks_allow_model(struct session *s, struct err *err);
/* The model before a switch. */
struct model_before {
	struct str id;
	int64_t context_tokens;
};
void model_before_read(struct model_before *out, const struct session *s);
void model_before_clear(struct model_before *before);
/* The model may be another one now. */
void hooks_report_model(struct session *s, const struct model_before *before, struct sv name,
			const char *source);

/* --- hooks_watch.c --- */

/* Settings files have changed; session_take_settings() follows unless a hook refuses. `sources`: a
 * bit for each. */
void hooks_check_config(struct session *s, unsigned sources);
/* A file of a skill or command has changed; nothing if the path is empty. */
void hooks_report_skill(struct session *s, struct sv path);
/* Instruction files [from, to) are sent to the model. */
void hooks_report_instructions(struct session *s, size_t from, size_t to);
/* A working directory was added, and by whom. */
void hooks_report_directory(struct session *s, struct sv path, const char *source);
/* Whether the agent has moved to another directory; between two requests. */
void hooks_check_cwd(struct session *s);

/* --- session_lsp.c --- */

/* The services of the tool LSP; with `arg` as that of tool_services. */
bool session_lsp_check(void *arg, const struct tool_call *call, struct err *err);
struct op *session_lsp_ask(void *arg, struct tool_call *call, struct then then);
/* Files that calls have edited are checked by their language servers, if there are any. What is new reaches the model
 * with the results. */
void session_lsp_install(struct hook_points *points);
/* Ends the servers. */
void session_lsp_close(struct session *s);
bool session_lsp_is_quiet(const struct session *s);
/* Only when they are quiet. NULL is fine. */
void session_lsp_free(struct session_lsp *lsp);

/* --- worktree/session_worktree.c --- */

/* The worktree that is the working directory; NULL: there is none. */
const char *session_worktree_dir(const struct session *s);

/* --- session_host.c --- */

/* Whether a person types at a terminal: what is typed may change the user's files. */
bool session_is_at_terminal(const struct session *s);
/* `is_parallel`: several questions may be open at once. */
void session_open_host(struct session *s, bool is_parallel);

/* --- session_settings.c --- */

struct project;
/* Finds the files that apply to the session. */
void session_settings_look(struct session *s, struct project *out);
/* Takes the settings as they are in the files now, if they can be used. */
void session_settings_renew(struct session *s);
/* Settings files have changed, and nobody objects. */
void session_take_settings(struct session *s);
/* Appends the path of a settings file; nothing if that source has none. */
void session_settings_path(struct session *s, enum settings_source source, struct str *out);

/* Reads the settings files and applies them. */
must_use bool session_read_settings(struct session *s, const struct awl_session_options *options,
				    struct err *err);
/* Each member replaces what --settings says (null: removes it). Permissions change at once; when
 * it fails, nothing changes. */
must_use bool session_change_settings(struct session *s, struct json changes, struct err *err);
/* From now on a change of the files takes effect at once. */
void session_watch_settings(struct session *s);
enum model_cache session_setting_cache(const struct session *s);

/* --- session_status.c --- */

/* What the session is and works with, for people: facts in `arena`, and how many. Empty values are
 * not known. */
size_t session_status(struct session *s, const struct reply_fact **out, struct arena *arena);
/* Whether the user trusts the project, a phrase. */
const char *session_trust(struct session *s);

/* --- session_model.c --- */

/* Which model a session starts with, and how it answers. */
struct session_model {
	struct agent_model_spec spec;
	struct str id, fallbacks; /* what the spec borrows */
};
#define SESSION_MODEL_INIT                                    \
	{                                                     \
		.spec = { .id = SV_INIT("") }, .id = STR_INIT \
	}
must_use bool session_choose_first_model(struct session *s,
					 const struct awl_session_options *options,
					 struct session_model *out, struct err *err);
void session_model_clear(struct session_model *model);
must_use bool session_read_rules(const struct session *s, const struct settings *settings,
				 struct model_rules *out, struct err *err);
/* Whether the settings allow a request to this provider and model now. */
must_use bool session_check_model(const struct session *s, struct err *err);
/* Whether the model is still to be found at the server, and what to do when it has been. */
bool session_lacks_model(const struct session *s);
must_use bool session_take_model(struct session *s, struct sv id, struct err *err);
/* The rules have changed: replaces a model that they no longer allow. */
void session_follow_rules(struct session *s);

/* --- session_open.c --- */

/* The parts of session_new(). */
must_use bool session_configure(struct session *s, const struct awl_session_options *options,
				struct err *err);
/* Writes the system prompt: the one the session was started with, or `custom`, and then `append`;
 * both may be NULL. */
/* Writes the system prompt. `custom` and `append` of the host count from now on; NULL: no change. */
void session_write_prompt(struct session *s, const char *custom, const char *append);
/* Chooses the path of a conversation by its id. */
void session_place(struct session *s);
void session_open_transcript(struct session *s);

/* --- session_append.c --- */

/* Appends what has arrived since the last request: instructions, the mode, notes, and the first
 * `nprompts` of the prompts that wait. */
void session_append_pending(struct session *s, size_t nprompts);
/* Appends a text of the harness that front ends do not show; nothing if it is empty. */
void session_append_meta(struct session *s, struct sv text);
/* How many prompts can be appended to the history together: those before the first command, which
 * waits for the end of the turn, that the hooks have passed or, if none was shown to them, all. */
size_t session_prompts_waiting(const struct session *s);
/* How many of the first that wait are being expanded, or looked at by hooks. */
size_t session_prompts_busy(const struct session *s);
/* During a turn: shows the hooks prompts that they have not seen. */
void session_check_prompts(struct session *s);
void session_point_clear(struct prompt_point *point);
/* The first `n` that wait, or `n` from `first` on, have been dealt with. */
void session_drop_waiting(struct session *s, size_t n);
void session_drop_waiting_at(struct session *s, size_t first, size_t n);

/* --- session_skills.c --- */

/* Appends the skills that the model does not know yet; `fresh`: as they are now. */
void session_skills_append(struct session *s, bool fresh);
/* Whether the model may load a command or skill. */
bool session_skills_offers(const struct session *s, const struct command_file *file);
/* A command with a text of ours, as if it were a file; views are in `arena`. */
struct slash_command;
struct command_file session_skills_ours(const struct slash_command *command, struct arena *arena);
/* Services of the Skill tool; `arg` is the session. */
enum skill_kind session_skills_check(void *arg, struct sv name, struct err *err);
struct op *session_skills_run(void *arg, struct tool_call *call, struct sv name,
			      struct sv arguments, struct then then);

/* A file was read or written: skills that are for it, and those in a folder beside it, are listed from the next
 * request on. */
void session_skills_touch(struct session *s, struct sv path);

/* --- session_styles.c --- */

/* The style in use, which is looked up; NULL: the default. Valid until the next call. */
const struct style *session_style(struct session *s);
/* Its name: "default". */
struct sv session_style_name(const struct session *s);
/* The setting or a file has changed: the next request has the style that applies now. */
void session_styles_follow(struct session *s);
struct reply_styles session_styles_reply(struct session *s, struct arena *arena);
void session_styles_clear(struct session_styles *styles);

/* --- session_receipts.c --- */

/* A prompt waits; its turn begins; the turn of all that began is over. */
void session_receive_prompt(struct session *s, const struct session_waiting *w);
void session_begin_prompt(struct session *s, struct session_waiting *w);
void session_end_prompts(struct session *s);
/* A prompt is dropped; nothing if its turn had begun. */
void session_forget_prompt(struct session *s, const struct session_waiting *w);
/* Withdraws prompts before their turn: the one with this uuid, or all (SV_EMPTY). Those that hooks
 * look at or that the turn has taken stay. Returns how many; the ids of those that a host named
 * are appended to `uuids`. */
typedef VEC(struct sv) session_uuids;
size_t session_withdraw_prompts(struct session *s, struct sv uuid, session_uuids *uuids,
				struct arena *arena);
/* Names the prompts that the turn answers in an event that should, and whether this one should. */
bool session_names_prompts(const struct session *s, const struct event *event);
void session_name_prompts(struct session *s, struct event *event);
/* How many prompts wait. */
int64_t session_count_waiting(const struct session *s);

/* --- session_estimate.c --- */

/* Tells the user what carrying out the plan will roughly cost, if the price of the model is known. */
void session_estimate_plan(struct session *s, struct sv plan);

/* --- session_suggest.c --- */

/* A turn has been completed: suggests the next prompt, if the host wants it. */
void session_suggest(struct session *s);

/* --- session_tasks.c --- */

/* A background command has begun or ended; and has ended without being stopped. */
void session_on_background_change(void *arg, const struct background_command *command);
void session_on_background_end(void *arg, const struct background_command *command);
/* Emits all that run. */
void session_emit_tasks(struct session *s);
/* The user wants one that runs to end, or all of them. */
void session_stop_task(struct session *s, const struct background_command *command);
void session_stop_tasks(struct session *s);

/* --- session_transcript.c --- */

/* A record could not be written: warns, and keeps the reason. Returns false. */
bool session_report_unsaved(struct session *s, const struct err *err);

/* A line was written to the transcript; and tells the host of all since the last time. */
void session_mirror_line(void *arg, const char *path, struct sv line);
void session_mirror_flush(struct session *s);
/* The host of a forked session gets a copy of all its lines. */
void session_mirror_file(struct session *s);
bool session_on_record(void *arg, const struct transcript_record *record);
void session_on_rewind(void *arg, struct sv uuid);
/* Records a slash command that awl answered by itself, for readers of the file; the model does not
 * see it. Nothing if the conversation has not begun or a turn runs. */
void session_record_command(struct session *s, struct sv name, struct sv arguments,
			    struct sv answer);
/* Repeats the title near the end of the file, where lists of sessions look for it. */
void session_record_title(struct session *s);
/* Makes durable what has to be; at the end of a turn with its costs and the title (agent.h). */
struct op *session_on_save(void *arg, bool is_last, struct then then);
void session_on_saved(void *arg, const struct err *why);

/* --- session_plan.c --- */

/* The file of the plan, which is chosen now if it was not before; NULL: no plan can be kept. */
const char *session_plan_file(struct session *s);
/* Appends the plan; false: there is none. */
bool session_plan_read(const struct session *s, struct str *out);
/* Continues with the plan of a transcript; a copy of the session gets a copy of the plan. A plan
 * whose file is gone is restored from the transcript. */
void session_plan_adopt(struct session *s, const struct transcript_loaded *loaded, bool is_copy);
/* A prompt, as content blocks: if it begins a conversation with a plan that was accepted in another
 * one, appends the plan to `*plan` and keeps it in a file of this session. */
void session_plan_carry_out(struct session *s, struct sv blocks, struct str *plan);
/* The next plan gets another file. */
void session_plan_forget(struct session *s);
void session_plan_clear(struct session_plan *plan);
/* Appends what the model does not know yet about plan mode; with a prompt of the user, that it is
 * still on. */
void session_append_mode(struct session *s, bool has_prompt);
/* Enters plan mode, unless it is on, and appends what the model has to know to `out`. */
void session_plan_begin(struct session *s, struct str *out);
/* The plan is accepted: the mode from before returns, unless another was chosen already. */
void session_plan_end(struct session *s);

/* --- session_memory.c --- */

/* Finds the memory of the project, after the agent was made. */
void session_memory_open(struct session *s);
/* Appends what the model is told about it; nothing if there is none. */
void session_memory_write(const struct session *s, struct str *out);
/* Adds a line to an instruction file: "project use tabs". False: `out` says why not. */
bool session_memory_add(struct session *s, struct sv rest, struct str *out);
/* Appends a list of what is in it, for people. */
void session_memory_list(const struct session *s, struct str *out);

/* --- session_notes.c --- */

/* Finds the notes of the conversation, if it has any. */
void session_notes_open(struct session *s);
/* Brings them up to date beside the work, if enough has happened. Between two requests, or when a turn is over. */
void session_notes_update(struct session *s, bool is_turn_over);
/* The conversation was replaced: the notes no longer say where they end. */
void session_notes_forget(struct session *s);
void session_notes_clear(struct session_notes *notes);
/* Appends previews of the notes of earlier sessions, for the model. */
void session_notes_write_past(const struct session *s, struct str *out);

/* --- session_services.c --- */

void session_offer_services(struct session *s);
/* The provider's small model, if one is known and allowed; else the model of the session. */
struct sv session_small_model(const struct session *s);

/* --- session_result.c --- */

struct turn_outcome;
void session_emit_result(struct session *s, const struct turn_outcome *out);
void session_emit_local_result(struct session *s, struct sv command, struct sv text);
/* A turn that could not even begin. */
void session_emit_failure(struct session *s, struct sv why);
/* Answers without a model: emits the text as the assistant's, then a result. */
void session_answer_locally(struct session *s, struct sv command, struct sv text);
/* Refuses a slash command: a result that is an error. */
void session_refuse_locally(struct session *s, struct sv command, struct sv why);

/* --- agents/agent_defs.c --- */

/* The agents that can be started, in `arena`; how many. */
size_t session_agents(struct session *s, const struct reply_agent **out, struct arena *arena);

/* --- control_initialize.c --- */

void session_wishes_clear(struct session_wishes *wishes);
/* Takes definitions that are not the host's; what the host defines replaces them. Fails, naming the
 * agent, if one has no description or prompt. */
must_use bool session_take_agents(struct session *s, struct sv json, struct err *err);

/* --- control_report.c --- */

struct reply_context session_context_report(const struct session *s, struct arena *arena);

/* --- session_commands.c --- */

/* The commands and skills of the user and the project; `fresh`: as they are now. If they are not
 * what a host was told, it is told. */
const struct command_list *session_command_files(struct session *s, bool fresh);
/* In SESSION_EXPANDING: makes a prompt of the first command that waits, one of those, and goes on
 * with it, now or when `step` is done. */
void session_expand(struct session *s);
/* What a command has allowed and which model it has chosen ends with its turn. */
void session_commands_end_turn(struct session *s);
void session_commands_clear(struct session_commands *commands);
/* In SESSION_TURN: an agent of its own runs the command that was expanded last. */
void session_start_fork(struct session *s);
/* The command that is being expanded stands for this text, or cannot be expanded. */
void session_commands_take(struct session *s, struct sv text, const struct err *why);
/* Appends a file that may be read without a question, at most `max` bytes long; false: nothing. */
bool session_add_file(struct session *s, struct str *out, struct sv written, size_t max);

/* --- commands.c --- */

/* Appends what the session has used so far, for people. */
void session_write_usage(const struct session *s, struct str *out);
/* Appends the tasks that are not done, a line each. */
void session_list_open_tasks(struct session *s, struct str *out);

/* Cuts "/name rest" in two; false when there is no such name. */
bool session_cut_command(struct sv text, struct sv *name, struct sv *rest);
/* Whether a prompt is a slash command. If it was `typed`, so is a typing mistake that must not reach
 * the model: a slash and an unknown name. A path is neither. */
bool session_is_command(struct session *s, struct sv text, bool typed);
/* Whether such a command becomes a prompt: a file of the user, or a text of ours. */
bool session_is_prompt_command(struct session *s, struct sv text);
/* The text of ours that it becomes; empty: there is none. */
struct sv session_command_text(struct sv name);
/* Whether such a command is answered although a turn runs. */
bool session_is_immediate_command(const struct session *s, struct sv text);
/* Whether a command of ours has to wait for hooks, which are started here. */
bool session_delays_command(struct session *s, struct sv text);
/* Whether the engine answers such a command, but not at once. */
bool session_is_slow_command(struct session *s, struct sv text);
/* In SESSION_EXPANDING: does so with the first that waits. */
void session_start_command(struct session *s);
/* Runs any other command, or reports that it does not exist. */
void session_command(struct session *s, struct sv text);
/* All of them, in `arena`; returns how many. */
size_t session_commands(struct session *s, const struct reply_command **out, struct arena *arena);

#endif

/* chat.h - what the interactive front ends have in common: how they are started, and what they say of a turn. */
#ifndef AWL_FRONT_CHAT_H
#define AWL_FRONT_CHAT_H

#include <awl.h>

#include "front/client.h"
#include "proto/event.h"

/* What a user wants who has no model yet. */
struct chat_request {
	enum { CHAT_LEAVE, CHAT_TOUR, CHAT_SERVER } kind;
	struct str url, model; /* of the server */
};

/* A session that the user wants to continue in the background. */
struct chat_handover {
	bool is_wanted;
	struct str session, mode, prompt; /* prompt: the next one; may be empty */
};

struct chat_opts {
	struct awl *awl;
	/* send_questions and send_partial_messages are set by the front end. */
	const struct awl_session_options *session;
	/* Of the directory, to ask whether it is trusted; NULL: nobody is asked. */
	const struct awl_project_options *project;
	/* No model is configured, and this gets what the user wants to do about it; NULL: go on. */
	struct chat_request *request;
	/* A session that runs elsewhere, with `session` as what is known of its options; NULL: one is opened. */
	const struct remote_session_start *remote;
	struct chat_handover *handover; /* what the user wants; NULL: it is not possible */
	const char *notice;             /* to show after the welcome; may be NULL */
	const char *prompt;             /* the first one; may be NULL */
	bool is_script;                 /* a script answers, not a model: awl_is_demo() */
	bool chooses_session;           /* the user wants to choose one to resume */
	bool leaves_at_once; /* as soon as it could take a prompt: to measure the start */
};

/* Whether a prompt says that the user wants to leave. */
bool chat_is_farewell(struct sv prompt);

/* Whether a prompt is a command for the shell: "!ls". */
bool chat_is_shell(struct sv prompt);
/* How earlier prompts begin that the user looks for: while a command for the shell is being typed, only those are. */
struct sv chat_history_prefix(struct sv draft);
/* Asks the session to run it; the reply has this id. False: it does not take it, awl_last_error() says why. */
must_use bool chat_run_shell(struct client *client, struct sv prompt, struct sv id);

/* Asks the session to begin. Its reply comes after what it has to announce; chat_is_begun() recognizes it. */
void chat_begin(struct client *client);
bool chat_is_begun(const struct event *event);

/* Writes a prompt of the user's down for later sessions (prompt_history.h), unless that is not wanted, the session is not
 * saved or a script answers. */
must_use bool chat_keep_prompt(const struct chat_opts *opts, const struct client *client,
			       struct sv text, int64_t time_ms, struct err *err);

struct line_history;
/* Puts the prompts of other sessions, and those of this one before `since_ms`, in front of the ones in `*history`, which is
 * replaced; `max` remain. On failure they are as they were. */
must_use bool chat_load_prompts(struct line_history **history, const struct chat_opts *opts,
				const struct client *client, int64_t since_ms, size_t max,
				struct err *err);

/* Appends "$0.0006" or "$1.25". */
void chat_add_money(struct str *out, double usd);
/* What was sent, from the cache or not. */
int64_t chat_tokens_in(const struct usage_counts *usage);
/* Appends what a turn took, without the time for which it waited for the user: "1.2k tokens in (0% cached), 10 out, $0.0006,
 * 0.1 s". Appends nothing if the model was not asked, or said nothing. */
void chat_add_cost(struct str *out, const struct event_result *result, double spent,
		   int64_t waited_ms, bool is_script);

#endif

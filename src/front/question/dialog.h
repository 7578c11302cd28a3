/* dialog.h - the question of the engine that is open, and the ways to answer it, for front ends with a user.
 *
 * The front end shows `text` and the choices, or, for AskUserQuestion, what choices_add() gives, and calls one of the
 * functions that answer. An MCP server's question is a form, `fields`, or a page to open, `url`. One question is open at a
 * time. */
#ifndef AWL_FRONT_QUESTION_DIALOG_H
#define AWL_FRONT_QUESTION_DIALOG_H

#include "front/client.h"
#include "front/question/choices.h"
#include "front/question/fields.h"
#include "front/question/question.h"

struct dialog {
	struct client *client; /* borrowed */
	bool is_open;
	bool is_choice;           /* of AskUserQuestion: `choices` has it */
	struct str request, call; /* ids: of the question, and of the call that it is about */
	struct str tool, input;   /* of the call; the input is JSON */
	struct arena arena;       /* of what `replies` offers */
	struct question_choices replies;
	struct str text;                  /* what the call would do */
	struct str whole;                 /* the same, complete; empty: `text` is */
	struct str plan;                  /* that the question presents; usually empty */
	struct str file;                  /* `text` shows how this one changes; usually empty */
	bool is_edited;                   /* the user has changed the plan */
	struct str remark;                /* of the user, which goes with a yes; usually empty */
	const struct input_image *images; /* that go with it, until the answer is sent */
	size_t nimages;
	/* What the plan needs commands for, as rules in `arena`; NULL: nothing. */
	const struct permission_change *needs;
	struct choices choices;
	bool is_form;      /* of an MCP server: `server` asks `text` */
	struct str server; /* its name */
	struct str url;    /* the page that it wants to be opened; empty: it wants `fields` */
	struct fields fields;
	size_t field; /* the one that is asked for, where lines are typed */
	struct str complaint;
	int64_t patience_ms; /* how long the question waits; 0: for ever */
	int64_t since;       /* when it was opened */
	int64_t waited_ms;   /* for the user, in this turn */
	struct str declined; /* ids of calls the user said no to in this turn, a line each */
};

/* A zeroed dialog with a client is closed. */
void dialog_clear(struct dialog *dialog);

/* Opens a question. Paths below `cwd` are shown without it. */
void dialog_open(struct dialog *dialog, struct sv request,
		 const struct permission_question *question, struct sv cwd);
/* Opens the question of an MCP server. */
void dialog_open_form(struct dialog *dialog, struct sv request, const struct elicitation *asked);
/* The engine no longer wants an answer. */
void dialog_withdraw(struct dialog *dialog);

/* Sends an answer, and closes the question: every one but ANSWER_UNCLEAR, ANSWER_NO_BECAUSE and ANSWER_SHOW_ALL,
 * which are for the front end. Returns false with awl_last_error() if it could not be sent. */
must_use bool dialog_answer(struct dialog *dialog, enum answer answer);
/* The same for a yes, with a remark of the user that the model reads beside the result. */
must_use bool dialog_remark(struct dialog *dialog, enum answer answer, struct sv remark,
			    const struct input_image *images, size_t n);
/* No, and why: for the model; may be NULL. A form is left without an answer. */
void dialog_decline(struct dialog *dialog, const char *why);
/* No, with a message in the user's words (empty: none) and images. */
must_use bool dialog_object(struct dialog *dialog, struct sv message,
			    const struct input_image *images, size_t n);
/* Sends the answers to the questions of AskUserQuestion as they are. Returns false with awl_last_error(). */
must_use bool dialog_submit(struct dialog *dialog);

/* For front ends that read lines: appends the open question of AskUserQuestion, or the next field of an MCP server, and
 * takes a line for it; see choices_take(). The last one sends the answers. */
void dialog_add_question(struct str *out, const struct dialog *dialog);
enum choice dialog_choose(struct dialog *dialog, struct sv line, const char **complaint);

/* Answers an MCP server. A form is sent as it is: whoever calls this has checked it. A page is opened. Returns false
 * with a text to show if the answer could not be sent, or the page not be opened. */
must_use bool dialog_elicited(struct dialog *dialog, enum elicited action, struct err *err);
/* The host of the page, for the user to judge it. */
struct sv dialog_url_host(const struct dialog *dialog);

/* The user has changed the plan: a yes sends it. */
void dialog_change_plan(struct dialog *dialog, struct sv plan);

/* Appends how the rules of the directory `cwd` see the call, part by part, as 'awl why' does. Fails with a text to show. */
must_use bool dialog_explain(const struct dialog *dialog, const char *cwd, const char *config_dir,
			     struct str *out, struct err *err);

/* Whether the user said no to this call in this turn: nobody has to tell them that it failed. */
bool dialog_was_declined(const struct dialog *dialog, struct sv call);
void dialog_end_turn(struct dialog *dialog);

#endif

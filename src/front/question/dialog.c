#include "front/question/dialog.h"

#include "base/mem.h"
#include "front/question/form_lines.h"
#include "net/browser.h"
#include "proto/message.h"
#include "text/json/json_write.h"
#include "text/url.h"

void dialog_clear(struct dialog *d)
{
	str_clear(&d->request);
	str_clear(&d->call);
	str_clear(&d->tool);
	str_clear(&d->input);
	arena_clear(&d->arena);
	str_clear(&d->text);
	str_clear(&d->whole);
	str_clear(&d->plan);
	str_clear(&d->file);
	str_clear(&d->remark);
	choices_clear(&d->choices);
	str_clear(&d->server);
	str_clear(&d->url);
	str_clear(&d->complaint);
	fields_clear(&d->fields);
	str_clear(&d->declined);
}

static void dialog_read_replies(struct dialog *d, const struct permission_question *question)
{
	const struct permission_change *offer = question_offer(question);

	arena_reset(&d->arena);
	d->replies = (struct question_choices){
		.offer = offer ? permission_changes_copy(&d->arena, offer, 1) : NULL,
		.may_deny_always = offer && question_is_about_host(question),
		.is_plan = offer && question_plan(question).len,
		.is_leave = question_is_about_plan(question) && !question_plan(question).len,
		.offers_clear = question->offers_clear,
	};
	str_set(&d->plan, question_plan(question));
	d->needs = NULL;
	for (size_t i = 0; d->plan.len && i < question->nsuggestions; i++)
		if (question->suggestions[i].kind == PERMISSION_ADD_RULES)
			d->needs = permission_changes_copy(&d->arena, &question->suggestions[i], 1);
	d->is_edited = false;
}

static void dialog_describe(struct dialog *d, const struct permission_question *question,
			    struct sv cwd)
{
	defer(str_clear) struct str before = STR_INIT;
	struct question_view view = { .cwd = cwd };

	str_set(&d->file, question_changed_file(question));
	view.has_before = question_read_before(&before, question);
	view.before = sv_of(&before);
	str_truncate(&d->text, 0);
	str_truncate(&d->whole, 0);
	if (question_add(&d->text, question, &view))
		return;
	d->replies.may_show_all = true;
	view.is_whole = true;
	question_add(&d->whole, question, &view);
}

static void dialog_keep_input(struct dialog *d, struct json input)
{
	struct jw w;

	str_truncate(&d->input, 0);
	jw_init(&w, &d->input, JW_COMPACT);
	jw_value(&w, input);
	jw_done(&w);
}

void dialog_open(struct dialog *d, struct sv request, const struct permission_question *question,
		 struct sv cwd)
{
	d->is_open = true;
	d->is_form = false;
	d->since = loop_now(d->client->loop);
	str_set(&d->request, request);
	str_set(&d->call, question->id);
	str_set(&d->tool, question->tool);
	dialog_keep_input(d, question->input_value);
	d->patience_ms = question->patience_ms;
	d->is_choice = choices_begin(&d->choices, question);
	if (d->is_choice)
		return;
	dialog_read_replies(d, question);
	dialog_describe(d, question, cwd);
}

void dialog_open_form(struct dialog *d, struct sv request, const struct elicitation *asked)
{
	d->is_open = d->is_form = true;
	d->since = loop_now(d->client->loop);
	d->is_choice = false;
	d->patience_ms = 0;
	str_set(&d->request, request);
	str_set(&d->call, SV_EMPTY);
	str_set(&d->server, asked->server);
	str_set(&d->text, asked->message);
	str_set(&d->url, asked->url);
	fields_begin(&d->fields, asked->schema_value);
	d->field = 0;
}

struct sv dialog_url_host(const struct dialog *d)
{
	return url_split(sv_of(&d->url)).host;
}

static void dialog_end(struct dialog *d)
{
	if (d->is_open)
		d->waited_ms += loop_now(d->client->loop) - d->since;
	d->is_open = false;
}

void dialog_withdraw(struct dialog *d)
{
	dialog_end(d);
}

/* --- answers ------------------------------------------------------------------- */

static void dialog_close(struct dialog *d, bool allow)
{
	dialog_end(d);
	if (!allow)
		str_addf(&d->declined, "%s\n", str_c(&d->call));
}

static bool dialog_send(struct dialog *d, const struct str *json, bool allow)
{
	dialog_close(d, allow);
	return client_send(d->client, sv_of(json));
}

bool dialog_elicited(struct dialog *d, enum elicited action, struct err *err)
{
	defer(str_clear) struct str json = STR_INIT, content = STR_INIT;
	struct url url = url_split(sv_of(&d->url));
	bool is_page = d->url.len && action == ELICITED_ACCEPT;

	if (is_page && !url_is_web(&url))
		return err_set(err, ERR_INVALID, "awl opens only http and https addresses.");
	if (action == ELICITED_ACCEPT && !d->url.len)
		fields_write(&content, &d->fields);
	host_request_write_elicited(&json, sv_of(&d->request), action, sv_of(&content));
	if (!dialog_send(d, &json, true))
		return err_set(err, ERR_INVALID, "%s", awl_last_error());
	return !is_page || browser_open(sv_of(&d->url), NULL, err);
}

void dialog_decline(struct dialog *d, const char *why)
{
	struct err ignored = ERR_INIT;

	if (d->is_form) {
		(void)!dialog_elicited(d, ELICITED_CANCEL, &ignored);
		return;
	}
	dialog_close(d, false);
	client_decline(d->client, str_c(&d->request), why);
}

/* Append the input of the call with the plan as the user left it. */
static void dialog_add_input(struct dialog *d, struct str *out)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(&d->input), 0, &err);
	struct json_iter it = json_each(json_root(doc));
	struct json value;
	struct sv key;
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	while (json_next(&it, &key, &value))
		if (!sv_is(key, "plan")) {
			jw_key(&w, key);
			jw_value(&w, value);
		}
	jw_put_str(&w, "plan", sv_of(&d->plan));
	jw_end(&w);
	jw_done(&w);
}

static bool dialog_allow_with(struct dialog *d, const struct permission_change *changes, size_t n)
{
	defer(str_clear) struct str json = STR_INIT, input = STR_INIT;

	if (d->is_edited)
		dialog_add_input(d, &input);
	permission_write_allow(&json, sv_of(&d->request),
			       &(struct permission_yes){ .updated_input = sv_of(&input),
							 .changes = changes,
							 .nchanges = n,
							 .remark = sv_of(&d->remark),
							 .images = d->images,
							 .nimages = d->nimages });
	return dialog_send(d, &json, true);
}

/* Yes, with the change that is offered, and with what a plan needs. */
static bool dialog_allow_always(struct dialog *d)
{
	struct permission_change changes[2] = { *d->replies.offer };

	if (d->needs)
		changes[1] = *d->needs;
	return dialog_allow_with(d, changes, d->needs ? 2 : 1);
}

void dialog_change_plan(struct dialog *d, struct sv plan)
{
	if (sv_eq(sv_trim(plan), sv_trim(sv_of(&d->plan))) || !sv_trim(plan).len)
		return;
	str_set(&d->plan, plan);
	d->is_edited = true;
}

/* The rule that would allow it denies it from now on. */
static bool dialog_deny_always(struct dialog *d)
{
	struct permission_change change = *d->replies.offer;
	defer(str_clear) struct str json = STR_INIT;

	change.behavior = BEHAVIOR_DENY;
	permission_write_deny(&json, sv_of(&d->request), &change, 1);
	return dialog_send(d, &json, false);
}

/* The plan is all that the next conversation knows. */
static bool dialog_begin_with_plan(struct dialog *d)
{
	defer(mem_freep) char *mode = sv_dup(d->replies.offer->mode);
	defer(str_clear) struct str prompt = STR_INIT, json = STR_INIT;
	bool ok;

	str_addf(&prompt, "Implement the following plan:\n\n%s", str_c(&d->plan));
	if (d->needs) {
		permission_write_deny(&json, sv_of(&d->request), d->needs, 1);
		if (!dialog_send(d, &json, false))
			return false;
	} else {
		dialog_decline(d, "The user carries the plan out in a new conversation.");
	}
	client_interrupt(d->client);
	ok = client_set_mode(d->client, mode);
	client_prompt(d->client, "/clear");
	client_prompt(d->client, prompt.ptr);
	return ok;
}

bool dialog_answer(struct dialog *d, enum answer answer)
{
	static const struct permission_change ask = { .kind = PERMISSION_SET_MODE,
						      .mode = SV_INIT("default") };

	switch (answer) {
	case ANSWER_YES: return dialog_allow_with(d, &ask, d->replies.is_leave ? 1 : 0);
	case ANSWER_NO: dialog_decline(d, NULL); break;
	case ANSWER_ALWAYS: return dialog_allow_always(d);
	case ANSWER_PLAN_ASK: return dialog_allow_with(d, &ask, 1);
	case ANSWER_NEVER: return dialog_deny_always(d);
	case ANSWER_PLAN_ANEW: return dialog_begin_with_plan(d);
	case ANSWER_UNCLEAR:
	case ANSWER_NO_BECAUSE:
	case ANSWER_SHOW_ALL: BUG("not an answer to send");
	}
	return true;
}

bool dialog_remark(struct dialog *d, enum answer answer, struct sv remark,
		   const struct input_image *images, size_t n)
{
	bool ok;

	str_set(&d->remark, sv_trim(remark));
	d->images = images;
	d->nimages = n;
	ok = dialog_answer(d, answer);
	str_truncate(&d->remark, 0);
	d->nimages = 0;
	return ok;
}

bool dialog_object(struct dialog *d, struct sv message, const struct input_image *images, size_t n)
{
	defer(str_clear) struct str why = STR_INIT, json = STR_INIT;

	message = sv_trim(message);
	if (message.len)
		str_addf(&why,
			 MESSAGE_DECLINED ", and it was not run. " MESSAGE_DECLINED_WORDS "%.*s",
			 SV_ARG(message));
	permission_write_refusal(
		&json, sv_of(&d->request),
		&(struct permission_no){ .message = sv_of(&why), .images = images, .nimages = n });
	return dialog_send(d, &json, false);
}

bool dialog_submit(struct dialog *d)
{
	defer(str_clear) struct str json = STR_INIT;

	choices_answer(&json, &d->choices, sv_of(&d->request));
	return dialog_send(d, &json, true);
}

void dialog_add_question(struct str *out, const struct dialog *d)
{
	if (d->is_form)
		form_lines_add(out, d);
	else
		choices_add(out, &d->choices);
}

enum choice dialog_choose(struct dialog *d, struct sv line, const char **complaint)
{
	enum choice choice;

	if (d->is_form)
		return form_lines_take(d, line, complaint);
	choice = choices_take(&d->choices, line, complaint);
	if (choice == CHOICE_DECLINED)
		dialog_decline(d, NULL);
	else if (choice == CHOICE_LAST && !dialog_submit(d))
		BUG("%s", awl_last_error());
	return choice;
}

bool dialog_was_declined(const struct dialog *d, struct sv call)
{
	struct sv rest = sv_of(&d->declined), line;

	while (sv_cut_line(&rest, &line))
		if (call.len && sv_eq(line, call))
			return true;
	return false;
}

void dialog_end_turn(struct dialog *d)
{
	str_truncate(&d->declined, 0);
	d->waited_ms = 0;
}

/* --- why it is asked ------------------------------------------------------------------ */

static void dialog_add_answer(struct str *out, const struct awl_why_answer *why)
{
	static const char *const words[] = {
		[AWL_ALLOW] = "allowed", [AWL_ASK] = "asked about", [AWL_DENY] = "denied"
	};

	str_addf(out, "%s: %s\n", words[why->decision], why->reason);
	for (size_t i = 0; i < why->nparts; i++) {
		const struct awl_why_part *part = awl_why_part_at(why, i);

		str_addf(out, "  %*s%s\n  %*s  %s: %s\n", (int)(2 * part->depth), "", part->text,
			 (int)(2 * part->depth), "", words[part->decision], part->reason);
	}
	for (size_t i = 0; i < why->nrules; i++)
		str_addf(out, "%s%s\n", i ? "  " : "These rules, together, would allow it:\n  ",
			 awl_why_rule_at(why, i));
}

bool dialog_explain(const struct dialog *d, const char *cwd, const char *config_dir,
		    struct str *out, struct err *err)
{
	struct awl_project_options options = AWL_PROJECT_OPTIONS_INIT;
	struct awl_why_question question = AWL_WHY_QUESTION_INIT;
	const struct awl_why_answer *why;
	struct awl_project *project;

	options.cwd = cwd;
	options.config_dir = config_dir;
	if (awl_project_open(&project, &options) != AWL_OK)
		return err_set(err, ERR_INVALID, "%s", awl_last_error());
	question.tool = str_c(&d->tool);
	question.input = str_c(&d->input);
	question.permission_mode = client_mode(d->client);
	if (awl_why(project, &question, &why) == AWL_OK)
		dialog_add_answer(out, why);
	else
		err_set(err, ERR_INVALID, "%s", awl_last_error());
	awl_project_close(project);
	return out->len > 0;
}

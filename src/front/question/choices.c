#include "front/question/choices.h"

#include "front/display.h"

enum { LINE_CELLS = 200 };

void choices_clear(struct choices *c)
{
	json_doc_free(c->doc);
	for (size_t i = 0; i < c->replies.n; i++)
		str_clear(&c->replies.at[i].own);
	vec_clear(&c->replies);
	*c = (struct choices)CHOICES_INIT;
}

/* --- what is asked ------------------------------------------------------------------ */

static struct json choices_question(const struct choices *c, size_t question)
{
	return json_at(json_get(json_root(c->doc), "questions"), question);
}

static struct json choices_options_of(const struct choices *c, size_t question)
{
	return json_get(choices_question(c, question), "options");
}

static struct sv choices_text_of(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

bool choices_begin(struct choices *c, const struct permission_question *question)
{
	size_t n;

	choices_clear(c);
	if (!sv_is(question->tool, "AskUserQuestion") || !question->needs_user)
		return false;
	c->doc = json_copy(question->input_value);
	n = json_len(json_get(json_root(c->doc), "questions"));
	for (size_t i = 0; i < n && i < CHOICES_MOST_QUESTIONS; i++)
		(void)vec_add(&c->replies);
	return n > 0;
}

size_t choices_count(const struct choices *c)
{
	return c->replies.n;
}

static size_t choices_count_options(const struct choices *c, size_t question)
{
	size_t n = json_len(choices_options_of(c, question));

	return n < CHOICES_MOST_OPTIONS ? n : CHOICES_MOST_OPTIONS;
}

size_t choices_options(const struct choices *c)
{
	return choices_count_options(c, c->at);
}

struct sv choices_text(const struct choices *c)
{
	return choices_text_of(choices_question(c, c->at), "question");
}

struct sv choices_header(const struct choices *c, size_t question)
{
	return choices_text_of(choices_question(c, question), "header");
}

struct sv choices_label(const struct choices *c, size_t option)
{
	return choices_text_of(json_at(choices_options_of(c, c->at), option), "label");
}

struct sv choices_description(const struct choices *c, size_t option)
{
	return choices_text_of(json_at(choices_options_of(c, c->at), option), "description");
}

struct sv choices_preview(const struct choices *c, size_t option)
{
	return choices_text_of(json_at(choices_options_of(c, c->at), option), "preview");
}

bool choices_is_multiple(const struct choices *c)
{
	return json_bool_or(json_get(choices_question(c, c->at), "multiSelect"), false);
}

/* --- replies ------------------------------------------------------------------------ */

static void choices_forget_options(struct choices_reply *reply)
{
	memset(reply->is_chosen, 0, sizeof(reply->is_chosen));
}

bool choices_is_chosen(const struct choices *c, size_t option)
{
	return c->replies.at[c->at].is_chosen[option];
}

void choices_choose(struct choices *c, size_t option)
{
	struct choices_reply *reply = &c->replies.at[c->at];

	if (choices_is_multiple(c)) {
		reply->is_chosen[option] = !reply->is_chosen[option];
		return;
	}
	choices_forget_options(reply);
	str_clear(&reply->own);
	reply->is_chosen[option] = true;
}

struct sv choices_own(const struct choices *c)
{
	return sv_of(&c->replies.at[c->at].own);
}

void choices_set_text(struct choices *c, struct sv words)
{
	struct choices_reply *reply = &c->replies.at[c->at];

	words = sv_trim(words);
	str_set(&reply->own, words);
	if (words.len && !choices_is_multiple(c))
		choices_forget_options(reply);
}

bool choices_is_answered(const struct choices *c, size_t question)
{
	const struct choices_reply *reply = &c->replies.at[question];

	for (size_t i = 0; i < CHOICES_MOST_OPTIONS; i++)
		if (reply->is_chosen[i])
			return true;
	return reply->own.len > 0;
}

static void choices_join(struct str *out, size_t start, struct sv text)
{
	str_adds(out, out->len > start ? ", " : "");
	str_add(out, text);
}

void choices_add_answer(struct str *out, const struct choices *c, size_t question)
{
	const struct choices_reply *reply = &c->replies.at[question];
	struct json options = choices_options_of(c, question);
	size_t start = out->len;

	for (size_t i = 0; i < CHOICES_MOST_OPTIONS; i++)
		if (reply->is_chosen[i])
			choices_join(out, start, choices_text_of(json_at(options, i), "label"));
	if (reply->own.len)
		choices_join(out, start, sv_of(&reply->own));
}

static void choices_put_answers(struct jw *w, const struct choices *c)
{
	jw_put_object(w, "answers");
	for (size_t i = 0; i < c->replies.n; i++) {
		defer(str_clear) struct str answer = STR_INIT;

		if (!choices_is_answered(c, i))
			continue;
		choices_add_answer(&answer, c, i);
		jw_key(w, choices_text_of(choices_question(c, i), "question"));
		jw_str(w, sv_of(&answer));
	}
	jw_end(w);
}

void choices_answer(struct str *out, const struct choices *c, struct sv request_id)
{
	defer(str_clear) struct str input = STR_INIT;
	struct json_iter it = json_each(json_root(c->doc));
	struct json value;
	struct sv key;
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_object(&w);
	while (json_next(&it, &key, &value)) {
		if (sv_is(key, "answers"))
			continue;
		jw_key(&w, key);
		jw_value(&w, value);
	}
	choices_put_answers(&w, c);
	jw_end(&w);
	jw_done(&w);
	permission_write_allow(out, request_id,
			       &(struct permission_yes){ .updated_input = sv_of(&input) });
}

/* --- as lines ----------------------------------------------------------------------- */

static void choices_add_line(struct str *out, const char *before, struct sv text)
{
	str_adds(out, before);
	display_line(out, text, LINE_CELLS);
}

void choices_add(struct str *out, const struct choices *c)
{
	if (c->replies.n > 1)
		str_addf(out, "(%zu of %zu) ", c->at + 1, c->replies.n);
	display_text(out, choices_text(c));
	str_addc(out, '\n');
	for (size_t i = 0; i < choices_options(c); i++) {
		str_addf(out, "  %zu) ", i + 1);
		choices_add_line(out, "", choices_label(c, i));
		if (choices_description(c, i).len)
			choices_add_line(out, " - ", choices_description(c, i));
		str_addc(out, '\n');
	}
	str_adds(out, choices_is_multiple(c)
			      ? "Type one or more numbers, or your own answer; 0 to decline\n"
			      : "Type a number, or your own answer; 0 to decline\n");
}

static bool choices_next_word(struct sv *rest, struct sv *word)
{
	size_t n = 0;

	while (rest->len && (rest->ptr[0] == ',' || rest->ptr[0] == ' ' || rest->ptr[0] == '\t'))
		*rest = sv_skip(*rest, 1);
	while (n < rest->len && rest->ptr[n] != ',' && rest->ptr[n] != ' ' && rest->ptr[n] != '\t')
		n++;
	*word = sv_slice(*rest, 0, n);
	*rest = sv_skip(*rest, n);
	return n > 0;
}

/* How many numbers the line has; 0 if it has anything else. */
static size_t choices_count_numbers(struct sv line)
{
	struct sv word;
	int64_t number;
	size_t n = 0;

	for (; choices_next_word(&line, &word); n++)
		if (!sv_to_int(word, &number))
			return 0;
	return n;
}

static bool choices_have_all(const struct choices *c, struct sv line)
{
	struct sv word;
	int64_t number;

	while (choices_next_word(&line, &word))
		if (!sv_to_int(word, &number) || number < 1 || number > (int64_t)choices_options(c))
			return false;
	return true;
}

static void choices_take_numbers(struct choices *c, struct sv line)
{
	struct choices_reply *reply = &c->replies.at[c->at];
	struct sv word;
	int64_t number;

	while (choices_next_word(&line, &word))
		if (sv_to_int(word, &number))
			reply->is_chosen[number - 1] = true;
}

enum choice choices_take(struct choices *c, struct sv line, const char **complaint)
{
	size_t numbers;

	line = sv_trim(line);
	numbers = choices_count_numbers(line);
	if (sv_is(line, "0"))
		return CHOICE_DECLINED;
	*complaint = !line.len                                ? "Please answer, or type 0."
		     : numbers > 1 && !choices_is_multiple(c) ? "Please choose only one."
		     : numbers && !choices_have_all(c, line)
			     ? "There is no option with that number."
			     : NULL;
	if (*complaint)
		return CHOICE_UNCLEAR;
	if (numbers)
		choices_take_numbers(c, line);
	else
		choices_set_text(c, line);
	return ++c->at < c->replies.n ? CHOICE_TAKEN : CHOICE_LAST;
}

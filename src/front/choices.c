#include "front/choices.h"

#include "front/display.h"

enum { LINE_CELLS = 200, MOST_OPTIONS = 9 };

void choices_clear(struct choices *c)
{
	json_doc_free(c->doc);
	str_clear(&c->answers);
	*c = (struct choices)CHOICES_INIT;
}

static struct json choices_questions_of(const struct choices *c)
{
	return json_get(json_root(c->doc), "questions");
}

static struct json choices_open_question(const struct choices *c)
{
	return json_at(choices_questions_of(c), c->at);
}

static struct sv choices_text_of(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

bool choices_begin(struct choices *c, const struct permission_question *question)
{
	defer(str_clear) struct str input = STR_INIT;
	struct err err = ERR_INIT;
	struct jw w;

	choices_clear(c);
	if (!sv_is(question->tool, "AskUserQuestion") || !question->needs_user)
		return false;
	jw_init(&w, &input, JW_COMPACT);
	jw_value(&w, question->input_value);
	jw_done(&w);
	c->doc = json_parse(sv_of(&input), 0, &err);
	return json_len(choices_questions_of(c)) > 0;
}

static void choices_add_line(struct str *out, const char *before, struct sv text)
{
	str_adds(out, before);
	display_line(out, text, LINE_CELLS);
}

void choices_add(struct str *out, const struct choices *c)
{
	struct json question = choices_open_question(c), option;
	struct json_iter it = json_each(json_get(question, "options"));
	bool several = json_bool_or(json_get(question, "multiSelect"), false);

	display_text(out, choices_text_of(question, "question"));
	str_addc(out, '\n');
	for (size_t i = 1; json_next(&it, NULL, &option) && i <= MOST_OPTIONS; i++) {
		str_addf(out, "  %zu) ", i);
		choices_add_line(out, "", choices_text_of(option, "label"));
		if (choices_text_of(option, "description").len)
			choices_add_line(out, " - ", choices_text_of(option, "description"));
		str_addc(out, '\n');
	}
	str_adds(out, several ? "Type one or more numbers, or your own answer; 0 to decline\n"
			      : "Type a number, or your own answer; 0 to decline\n");
}

/* --- replies ---------------------------------------------------------------------------- */

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

/* Add the labels of these numbers, each once and in the order of the list. False when a number
 * has no option. */
static bool choices_add_labels(struct str *out, struct json options, struct sv line)
{
	bool chosen[MOST_OPTIONS] = { false };
	size_t n = min_of(json_len(options), (size_t)MOST_OPTIONS);
	struct sv word;
	int64_t number;

	while (choices_next_word(&line, &word)) {
		if (!sv_to_int(word, &number) || number < 1 || number > (int64_t)n)
			return false;
		chosen[number - 1] = true;
	}
	for (size_t i = 0; i < n; i++) {
		if (!chosen[i])
			continue;
		str_adds(out, out->len ? ", " : "");
		str_add(out, choices_text_of(json_at(options, i), "label"));
	}
	return true;
}

static void choices_note_answer(struct choices *c, struct sv answer)
{
	struct jw w;

	if (c->answers.len)
		str_addc(&c->answers, ',');
	jw_init(&w, &c->answers, JW_COMPACT);
	jw_str(&w, choices_text_of(choices_open_question(c), "question"));
	jw_done(&w);
	str_addc(&c->answers, ':');
	jw_init(&w, &c->answers, JW_COMPACT);
	jw_str(&w, answer);
	jw_done(&w);
}

enum choice choices_take(struct choices *c, struct sv line, const char **complaint)
{
	struct json question = choices_open_question(c), options = json_get(question, "options");
	bool several = json_bool_or(json_get(question, "multiSelect"), false);
	defer(str_clear) struct str labels = STR_INIT;
	size_t numbers;

	line = sv_trim(line);
	numbers = choices_count_numbers(line);
	if (sv_is(line, "0"))
		return CHOICE_DECLINED;
	*complaint = !line.len                 ? "Please answer, or type 0."
		     : numbers > 1 && !several ? "Please choose only one."
		     : numbers && !choices_add_labels(&labels, options, line)
			     ? "There is no option with that number."
			     : NULL;
	if (*complaint)
		return CHOICE_UNCLEAR;
	choices_note_answer(c, numbers ? sv_of(&labels) : line);
	return ++c->at < json_len(choices_questions_of(c)) ? CHOICE_TAKEN : CHOICE_LAST;
}

void choices_answer(struct str *out, const struct choices *c, struct sv request_id)
{
	defer(str_clear) struct str answers = STR_INIT, input = STR_INIT;
	struct json_iter it = json_each(json_root(c->doc));
	struct json value;
	struct sv key;
	struct jw w;

	str_addf(&answers, "{%s}", str_c(&c->answers));
	jw_init(&w, &input, JW_COMPACT);
	jw_object(&w);
	while (json_next(&it, &key, &value)) {
		if (sv_is(key, "answers"))
			continue;
		jw_key(&w, key);
		jw_value(&w, value);
	}
	jw_put_raw(&w, "answers", sv_of(&answers));
	jw_end(&w);
	jw_done(&w);
	permission_write_allow(out, request_id, sv_of(&input), NULL, 0);
}

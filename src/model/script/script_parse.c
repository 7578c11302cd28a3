#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "model/script/script.h"
#include "model/script/script_check.h"
#include "model/script/script_words.h"
#include "net/server.h"
#include "text/json/json.h"
#include "text/nearest.h"

struct parser {
	struct script *script;
	struct script_words words;
	struct script_reply *reply; /* the current reply; NULL before the first */
};

/* --- conditions ---------------------------------------------------------- */

static bool script_parse_read_when(struct parser *p, struct err *err)
{
	do {
		struct script_check c;

		if (!script_check_read(&p->words, &c, err))
			return false;
		vec_push(&p->reply->when, c);
	} while (script_accept(&p->words, "and"));
	return true;
}

static bool script_parse_read_expect(struct parser *p, struct err *err)
{
	struct script_check c;

	if (!script_check_read(&p->words, &c, err))
		return false;
	vec_push(&p->reply->expect, c);
	return true;
}

/* --- lines of a reply ---------------------------------------------------- */

static struct script_step *script_parse_add_step(struct parser *p, enum script_step_kind kind)
{
	struct script_step *step = vec_add(&p->reply->steps);

	*step = (struct script_step){ .kind = kind, .times = 1 };
	return step;
}

/* VALUE [times N] */
static bool script_parse_read_step_text(struct parser *p, struct script_step *step, struct err *err)
{
	int64_t times = 1;

	if (!script_value(&p->words, "the text", &step->text, err))
		return false;
	if (script_accept(&p->words, "times") &&
	    !script_number(&p->words, "the number of times", 100000000, &times, err))
		return false;
	if (times == 0 || (step->text.len && (size_t)times > LIMIT_SCRIPT_TEXT / step->text.len))
		return script_fail(&p->words, err, "a text cannot be repeated %lld times here",
				   (long long)times);
	step->times = (size_t)times;
	return true;
}

static bool script_parse_read_text(struct parser *p, struct err *err)
{
	return script_parse_read_step_text(p, script_parse_add_step(p, SCRIPT_TEXT), err);
}

static bool script_parse_read_thinking(struct parser *p, struct err *err)
{
	struct script_step *step = script_parse_add_step(p, SCRIPT_THINKING);

	step->name = SV("c2NyaXB0ZWQ="); /* "scripted": a signature is opaque */
	if (!script_parse_read_step_text(p, step, err))
		return false;
	return !script_accept(&p->words, "signature") ||
	       script_value(&p->words, "the signature", &step->name, err);
}

static bool script_parse_read_object(struct parser *p, struct sv *out, struct err *err)
{
	struct script_words *w = &p->words;
	size_t line = w->line;
	struct err why = ERR_INIT;
	struct json_doc *doc;
	bool fits;

	if (!script_remainder(w, "a JSON object", out, err))
		return false;
	doc = json_parse(*out, 0, &why);
	fits = json_is(json_root(doc), JSON_OBJECT);
	json_doc_free(doc);
	if (fits)
		return true;
	w->line = line; /* where the object begins */
	return script_fail(w, err, "not a JSON object: %s",
			   why.kind ? why.text : "it is another value");
}

/* NAME {...} | NAME "anything", for models that cannot write JSON */
static bool script_parse_read_tool(struct parser *p, struct err *err)
{
	struct script_step *step = script_parse_add_step(p, SCRIPT_TOOL);

	if (!script_value(&p->words, "the name of the tool", &step->name, err))
		return false;
	if (sv_starts(sv_trim(p->words.left), SV("\"")))
		return script_value(&p->words, "its input", &step->text, err);
	return script_parse_read_object(p, &step->text, err);
}

static bool script_parse_read_block(struct parser *p, struct err *err)
{
	return script_parse_read_object(p, &script_parse_add_step(p, SCRIPT_BLOCK)->text, err);
}

static bool script_parse_read_event(struct parser *p, struct err *err)
{
	struct script_step *step = script_parse_add_step(p, SCRIPT_EVENT);

	return script_value(&p->words, "the name of the event", &step->name, err) &&
	       script_remainder(&p->words, "its data", &step->text, err);
}

/* TYPE ["text"] */
static bool script_parse_read_error(struct parser *p, struct err *err)
{
	struct script_step *step = script_parse_add_step(p, SCRIPT_ERROR);

	if (!script_value(&p->words, "the type of the error", &step->name, err))
		return false;
	step->text = step->name;
	return !sv_starts(sv_trim(p->words.left), SV("\"")) ||
	       script_value(&p->words, "its text", &step->text, err);
}

static bool script_parse_read_raw(struct parser *p, struct err *err)
{
	return script_parse_read_step_text(p, script_parse_add_step(p, SCRIPT_RAW), err);
}

static bool script_parse_read_garbage(struct parser *p, struct err *err)
{
	return script_parse_read_step_text(p, script_parse_add_step(p, SCRIPT_GARBAGE), err);
}

static bool script_parse_read_begin(struct parser *p, __attribute__((unused)) struct err *err)
{
	script_parse_add_step(p, SCRIPT_BEGIN);
	return true;
}

static bool script_parse_read_wait(struct parser *p, struct err *err)
{
	struct script_step *step = script_parse_add_step(p, SCRIPT_WAIT);

	step->ms = -1;
	return script_accept(&p->words, "forever") || script_duration(&p->words, &step->ms, err);
}

static bool script_parse_read_pace(struct parser *p, struct err *err)
{
	return script_duration(&p->words, p->reply ? &p->reply->pace : &p->script->pace, err);
}

/* [after N [bytes]]: without it, at this point. */
static bool script_parse_read_ending(struct parser *p, bool reset, struct err *err)
{
	int64_t n;

	if (!script_accept(&p->words, "after")) {
		script_parse_add_step(p, reset ? SCRIPT_RESET : SCRIPT_CUT);
		return true;
	}
	if (!script_number(&p->words, "the number of bytes", INT64_MAX, &n, err))
		return false;
	script_accept(&p->words, "bytes");
	p->reply->faults.end_at = (size_t)n;
	p->reply->faults.end_by_reset = reset;
	return true;
}

static bool script_parse_read_cut(struct parser *p, struct err *err)
{
	return script_parse_read_ending(p, false, err);
}

static bool script_parse_read_reset(struct parser *p, struct err *err)
{
	return script_parse_read_ending(p, true, err);
}

/* every N | N ... [pause TIME] */
static bool script_parse_read_split(struct parser *p, struct err *err)
{
	struct script_faults *f = &p->reply->faults;
	bool every = script_accept(&p->words, "every");
	size_t before = f->splits.n;
	int64_t n;

	while (script_peek(&p->words).len && !sv_is(script_peek(&p->words), "pause")) {
		if (!script_number(&p->words, "the place of a split", INT64_MAX, &n, err))
			return false;
		if (n == 0 || (f->splits.n && (size_t)n <= *vec_last(&f->splits)))
			return script_fail(&p->words, err,
					   "splits must be ascending and greater than 0");
		vec_push(&f->splits, (size_t)n);
	}
	if (f->splits.n == before || (every && f->splits.n != before + 1))
		return script_fail(&p->words, err, "write 'split 7 20' or 'split every 7'");
	if (every)
		f->split_every = vec_pop(&f->splits);
	return !script_accept(&p->words, "pause") ||
	       script_duration(&p->words, &f->split_pause, err);
}

static bool script_parse_read_status(struct parser *p, struct err *err)
{
	int64_t n;

	if (!script_number(&p->words, "the status", 599, &n, err))
		return false;
	if (n < 200)
		return script_fail(&p->words, err, "the status must be one from 200 to 599");
	p->reply->status = (int)n;
	return true;
}

static bool script_parse_add_header(struct parser *p, struct sv name, struct sv value,
				    struct err *err)
{
	struct http_header h = { .name = arena_dup(&p->script->arena, name),
				 .value = arena_dup(&p->script->arena, sv_trim(value)) };

	if (!server_header_is_sound(&h))
		return script_fail(&p->words, err,
				   "not a valid header, or one that the server sets itself");
	vec_push(&p->reply->headers, h);
	return true;
}

/* NAME: VALUE, to the end of the line */
static bool script_parse_read_header(struct parser *p, struct err *err)
{
	struct sv line = sv_trim(p->words.left), name;

	if (sv_find_char(line, ':') == SIZE_MAX || !sv_cut(&line, ':', &name))
		return script_fail(&p->words, err, "a header is written 'name: value'");
	p->words.left = SV_EMPTY;
	return script_parse_add_header(p, name, line, err);
}

static bool script_parse_read_usage(struct parser *p, struct err *err)
{
	struct script_usage *u = &p->reply->usage;
	const struct {
		const char *name;
		int64_t *at;
	} counts[] = {
		{ "input", &u->input },
		{ "output", &u->output },
		{ "cache_read", &u->cache_read },
		{ "cache_write", &u->cache_write },
		{ "cache_write_1h", &u->cache_write_1h },
		{ "thinking", &u->thinking },
	};
	struct sv word;

	u->given = true;
	while ((word = script_word(&p->words)).len) {
		int64_t *at = NULL;

		for (size_t i = 0; i < countof(counts); i++)
			if (sv_is(word, counts[i].name))
				at = counts[i].at;
		if (!at || !sv_starts(p->words.left, SV("=")))
			return script_fail(&p->words, err,
					   "usage must be input=N, output=N, cache_read=N, "
					   "cache_write=N, cache_write_1h=N or thinking=N");
		p->words.left = sv_skip(p->words.left, 1);
		if (!script_number(&p->words, "a count of tokens", INT64_MAX, at, err))
			return false;
	}
	return true;
}

static bool script_parse_read_stop(struct parser *p, struct err *err)
{
	return script_value(&p->words, "the reason", &p->reply->stop, err) &&
	       (!sv_trim(p->words.left).len ||
		script_parse_read_object(p, &p->reply->stop_details, err));
}

struct directive {
	char name[16];
	bool (*read)(struct parser *p, struct err *err);
};

static const struct directive lines[] = {
	{ "begin", script_parse_read_begin },   { "block", script_parse_read_block },
	{ "cut", script_parse_read_cut },       { "delay", script_parse_read_wait },
	{ "error", script_parse_read_error },   { "event", script_parse_read_event },
	{ "expect", script_parse_read_expect }, { "garbage", script_parse_read_garbage },
	{ "header", script_parse_read_header }, { "pace", script_parse_read_pace },
	{ "raw", script_parse_read_raw },       { "reset", script_parse_read_reset },
	{ "split", script_parse_read_split },   { "stall", script_parse_read_wait },
	{ "status", script_parse_read_status }, { "stop", script_parse_read_stop },
	{ "text", script_parse_read_text },     { "thinking", script_parse_read_thinking },
	{ "tool", script_parse_read_tool },     { "usage", script_parse_read_usage },
};

/* --- replies ------------------------------------------------------------- */

/* repeat N | forever | otherwise | when ... | and, of a failure, NAME=VALUE */
static bool script_parse_read_terms(struct parser *p, struct err *err)
{
	struct script_words *w = &p->words;
	struct script_reply *r = p->reply;
	struct sv word, value;

	while ((word = script_word(w)).len) {
		if (sv_is(word, "forever")) {
			r->uses = -1;
		} else if (sv_is(word, "otherwise")) {
			r->uses = -1;
			r->otherwise = true;
		} else if (sv_is(word, "repeat")) {
			if (!script_number(w, "the number of times", INT64_MAX, &r->uses, err))
				return false;
		} else if (sv_is(word, "when")) {
			if (!script_parse_read_when(p, err))
				return false;
		} else if (r->fails && sv_starts(w->left, SV("="))) {
			w->left = sv_skip(w->left, 1);
			if (!script_value(w, "the value of the header", &value, err) ||
			    !script_parse_add_header(p, word, value, err))
				return false;
		} else {
			return script_fail(w, err,
					   "'%.*s' is not understood; a reply continues with "
					   "'when', 'repeat N', 'forever' or 'otherwise'",
					   SV_ARG(sv_slice(word, 0, 40)));
		}
	}
	if (r->otherwise && r->when.n)
		return script_fail(w, err, "'otherwise' and 'when' exclude each other");
	return true;
}

static bool script_parse_begin_reply(struct parser *p, struct err *err)
{
	if (p->script->replies.n >= LIMIT_SCRIPT_REPLIES)
		return script_fail(&p->words, err, "there are more than %d replies",
				   LIMIT_SCRIPT_REPLIES);
	p->reply = vec_add(&p->script->replies);
	p->reply->line = p->words.line;
	p->reply->status = 200;
	p->reply->uses = 1;
	p->reply->pace = p->script->pace;
	p->reply->faults.end_at = SIZE_MAX;
	return true;
}

static bool script_parse_read_reply(struct parser *p, struct err *err)
{
	return script_parse_begin_reply(p, err) && script_parse_read_terms(p, err);
}

/* STATUS TYPE ["text"] [NAME=VALUE ...] */
static bool script_parse_read_fail(struct parser *p, struct err *err)
{
	if (!script_parse_begin_reply(p, err))
		return false;
	p->reply->fails = true;
	return script_parse_read_status(p, err) && script_parse_read_error(p, err) &&
	       script_parse_read_terms(p, err);
}

static bool script_parse_read_model(struct parser *p, struct err *err)
{
	struct sv name;

	if (!script_value(&p->words, "the name of the model", &name, err))
		return false;
	vec_push(&p->script->models, name);
	return true;
}

static bool script_parse_read_script_pace(struct parser *p, struct err *err)
{
	p->reply = NULL; /* for all replies after it */
	return script_parse_read_pace(p, err);
}

static const struct directive statements[] = {
	{ "fail", script_parse_read_fail },
	{ "model", script_parse_read_model },
	{ "pace", script_parse_read_script_pace },
	{ "reply", script_parse_read_reply },
};

static bool script_parse_read_directive(struct parser *p, const struct directive *table, size_t n,
					struct err *err)
{
	struct nearest best = NEAREST_INIT;
	struct sv word = script_word(&p->words);

	for (size_t i = 0; i < n; i++) {
		if (sv_is(word, table[i].name))
			return table[i].read(p, err) && script_end_of_line(&p->words, err);
		nearest_offer(&best, word, sv_cstr(table[i].name));
	}
	return script_fail_near(&p->words, err, word, "is not understood", &best);
}

static bool script_parse_read_line(struct parser *p, struct err *err)
{
	if (!p->words.indented)
		return script_parse_read_directive(p, statements, countof(statements), err);
	if (!p->reply)
		return script_fail(
			&p->words, err,
			"an indented line must belong to a reply, but no reply precedes it");
	return script_parse_read_directive(p, lines, countof(lines), err);
}

static bool script_parse_check_text(struct sv text, const char *name, struct err *err)
{
	size_t bad, line = 1;

	if (text.len > LIMIT_SCRIPT)
		return err_set(err, ERR_TOO_BIG, "%s:1: the script is longer than %zu MiB", name,
			       LIMIT_SCRIPT / MIB);
	if (utf8_valid(text, &bad))
		return true;
	for (size_t i = 0; i < bad; i++)
		line += text.ptr[i] == '\n';
	return err_set(err, ERR_PARSE, "%s:%zu: the text is not UTF-8", name, line);
}

struct script *script_parse(struct sv text, const char *name, struct err *err)
{
	defer(script_freep) struct script *s = xnew(struct script);
	struct parser p = { .script = s, .words = { .name = name, .rest = text } };

	if (!script_parse_check_text(text, name, err))
		return NULL;
	s->name = arena_dup(&s->arena, sv_cstr(name)).ptr;
	p.words.arena = &s->arena;
	while (script_line(&p.words))
		if (!script_parse_read_line(&p, err))
			return NULL;
	return move(s);
}

void script_free(struct script *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->replies.n; i++) {
		struct script_reply *r = &s->replies.at[i];

		vec_clear(&r->when);
		vec_clear(&r->expect);
		vec_clear(&r->headers);
		vec_clear(&r->steps);
		vec_clear(&r->faults.splits);
	}
	vec_clear(&s->replies);
	vec_clear(&s->models);
	arena_clear(&s->arena);
	free(s);
}

void script_freep(struct script **s)
{
	script_free(*s);
	*s = NULL;
}

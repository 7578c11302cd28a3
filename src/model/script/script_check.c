#include "model/script/script_check.h"

static const char subjects[][12] = {
	[SCRIPT_REQUEST] = "request",       [SCRIPT_PATH] = "path",
	[SCRIPT_HEADER] = "header",         [SCRIPT_MODEL] = "model",
	[SCRIPT_SYSTEM] = "system",         [SCRIPT_PROMPT] = "prompt",
	[SCRIPT_TOOLS] = "tools",           [SCRIPT_TOOL_RESULT] = "tool_result",
	[SCRIPT_TOOL_ERROR] = "tool_error", [SCRIPT_RESULT_OF] = "result_of",
};

/* --- reading ------------------------------------------------------------- */

static bool script_check_read_subject(struct script_words *w, struct script_check *c,
				      struct err *err)
{
	struct nearest best = NEAREST_INIT;
	struct sv word = script_word(w);

	for (size_t i = 0; i < countof(subjects); i++) {
		if (sv_is(word, subjects[i])) {
			c->about = (enum script_about)i;
			return c->about != SCRIPT_HEADER ||
			       script_value(w, "the name of the header", &c->header, err);
		}
		nearest_offer(&best, word, sv_cstr(subjects[i]));
	}
	return script_fail_near(w, err, word, "is not part of a request", &best);
}

static bool script_check_read_test(struct script_words *w, struct script_check *c, struct err *err)
{
	c->negated = script_accept(w, "not");
	if (script_accept(w, "contains")) {
		c->test = SCRIPT_CONTAINS;
	} else if (c->negated) {
		return script_fail(w, err, "'not' must be followed by 'contains'");
	} else if (script_accept(w, "is")) {
		c->test = SCRIPT_IS;
		c->negated = script_accept(w, "not");
	} else {
		c->test = SCRIPT_EXISTS;
		return true;
	}
	return script_value(w, "what to compare with", &c->text, err);
}

bool script_check_read(struct script_words *w, struct script_check *out, struct err *err)
{
	struct script_check c = { .line = w->line };
	struct sv before = sv_trim(w->left);
	bool none = script_accept(w, "no");

	if (!script_check_read_subject(w, &c, err) || !script_check_read_test(w, &c, err))
		return false;
	if (none && c.test != SCRIPT_EXISTS)
		return script_fail(w, err, "'no' must be followed by a subject only");
	c.negated |= none;
	c.source = arena_dup(w->arena,
			     sv_trim(sv_slice(before, 0, before.len - sv_trim(w->left).len)));
	*out = c;
	return true;
}

/* --- holding ------------------------------------------------------------- */

static bool script_check_compare(const struct script_check *c, struct sv text)
{
	switch (c->test) {
	case SCRIPT_EXISTS: return text.len > 0;
	case SCRIPT_CONTAINS: return sv_find(text, c->text) != SIZE_MAX;
	case SCRIPT_IS: return sv_eq(text, c->text);
	}
	BUG("test %d", (int)c->test);
}

/* A list of names contains whole names, and equals those names joined by blanks. */
static bool script_check_compare_names(const struct script_check *c,
				       const struct script_names *names)
{
	defer(str_clear) struct str joined = STR_INIT;

	for (size_t i = 0; i < names->of.n; i++) {
		if (c->test == SCRIPT_CONTAINS && sv_eq(names->of.at[i], c->text))
			return true;
		if (i)
			str_addc(&joined, ' ');
		str_add(&joined, names->of.at[i]);
	}
	return c->test != SCRIPT_CONTAINS && script_check_compare(c, sv_of(&joined));
}

static struct sv script_check_header_value(const struct server_request *http, struct sv name)
{
	for (size_t i = 0; i < http->nheaders; i++)
		if (sv_eq_nocase(http->headers[i].name, name))
			return http->headers[i].value;
	return SV_EMPTY;
}

static bool script_holds_check(const struct script_check *c, const struct script_request *r)
{
	switch (c->about) {
	case SCRIPT_REQUEST: return script_check_compare(c, r->http->body);
	case SCRIPT_PATH: return script_check_compare(c, r->http->path);
	case SCRIPT_HEADER:
		return script_check_compare(c, script_check_header_value(r->http, c->header));
	case SCRIPT_MODEL: return script_check_compare(c, r->model);
	case SCRIPT_SYSTEM: return script_check_compare(c, sv_of(&r->system));
	case SCRIPT_PROMPT: return script_check_compare(c, sv_of(&r->prompt));
	case SCRIPT_TOOLS: return script_check_compare_names(c, &r->tools);
	case SCRIPT_TOOL_RESULT: return script_check_compare(c, sv_of(&r->results));
	case SCRIPT_TOOL_ERROR: return script_check_compare(c, sv_of(&r->errors));
	case SCRIPT_RESULT_OF: return script_check_compare_names(c, &r->result_of);
	}
	BUG("subject %d", (int)c->about);
}

bool script_check_holds(const struct script_check *c, const struct script_request *r)
{
	return script_holds_check(c, r) != c->negated;
}

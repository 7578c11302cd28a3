#include "text/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/limits.h"
#include "base/mem.h"

enum { ASK_EVERY = 4096 }; /* steps */

struct regex {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *limits;
};

/* Callouts are what makes a match that takes too long stop. */
static uint32_t options_of(struct regex_opts opts)
{
	return PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C |
	       PCRE2_AUTO_CALLOUT | (opts.nocase ? PCRE2_CASELESS : 0) |
	       (opts.dotall ? PCRE2_DOTALL : 0);
}

static pcre2_code *compile(struct sv pattern, struct regex_opts opts, struct err *err)
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	unsigned char reason[128];
	pcre2_code *code;
	PCRE2_SIZE at;
	int number;

	if (!context)
		BUG("PCRE2 is out of memory");
	pcre2_set_newline(context, PCRE2_NEWLINE_LF);
	code = pcre2_compile((PCRE2_SPTR)pattern.ptr, pattern.len, options_of(opts), &number, &at,
			     context);
	pcre2_compile_context_free(context);
	if (code)
		return code;
	pcre2_get_error_message(number, reason, sizeof(reason));
	err_set(err, ERR_PARSE, "regex parse error: at byte %zu of the pattern: %s", at, reason);
	return NULL;
}

/* One step of a match. A positive answer makes only this way fail, a negative one all. */
static int on_step(__attribute__((unused)) pcre2_callout_block *block, void *arg)
{
	struct regex_budget *budget = arg;

	if (budget->steps == 0)
		return PCRE2_ERROR_CALLOUT;
	budget->steps--;
	if (budget->steps % ASK_EVERY == 0 && budget->go_on && !budget->go_on(budget->arg))
		return PCRE2_ERROR_CALLOUT;
	return 0;
}

struct regex *regex_new(struct sv pattern, struct regex_opts opts, struct err *err)
{
	struct regex *re;
	pcre2_code *code;

	if (pattern.len > LIMIT_PATTERN) {
		err_set(err, ERR_TOO_BIG, "a pattern of %zu bytes; the limit is %zu", pattern.len,
			LIMIT_PATTERN);
		return NULL;
	}
	code = compile(pattern, opts, err);
	if (!code)
		return NULL;
	re = xnew(struct regex);
	re->code = code;
	re->match = pcre2_match_data_create(1, NULL);
	re->limits = pcre2_match_context_create(NULL);
	if (!re->match || !re->limits)
		BUG("PCRE2 is out of memory");
	pcre2_set_match_limit(re->limits, LIMIT_PATTERN_STEPS);
	pcre2_set_heap_limit(re->limits, LIMIT_PATTERN_HEAP / KIB);
	return re;
}

void regex_free(struct regex *re)
{
	if (!re)
		return;
	pcre2_match_context_free(re->limits);
	pcre2_match_data_free(re->match);
	pcre2_code_free(re->code);
	free(re);
}

void regex_freep(struct regex **re)
{
	regex_free(*re);
}

enum regex_found regex_find(struct regex *re, struct sv text, size_t from,
			    struct regex_budget *budget, struct regex_match *out)
{
	const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(re->match);
	int n;

	if (budget->go_on && !budget->go_on(budget->arg))
		return REGEX_GAVE_UP;
	pcre2_set_callout(re->limits, on_step, budget);
	n = pcre2_match(re->code, (PCRE2_SPTR)text.ptr, text.len, from, PCRE2_NO_UTF_CHECK,
			re->match, re->limits);
	if (n < 0)
		return n == PCRE2_ERROR_NOMATCH ? REGEX_NONE : REGEX_GAVE_UP;
	/* \K can put the start anywhere. */
	out->end = max_of(ends[1], from);
	out->start = min_of(max_of(ends[0], from), out->end);
	return REGEX_FOUND;
}

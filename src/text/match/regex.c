#include "text/match/regex.h"

#include "base/limits.h"
#include "base/mem.h"
#include "text/match/pcre.h"

enum { ASK_EVERY = 4096 }; /* steps */

struct regex {
	struct pcre pcre;
};

/* Callouts can stop a match that takes too long. */
static uint32_t regex_options_of(struct regex_opts opts)
{
	return PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C |
	       PCRE2_AUTO_CALLOUT | (opts.nocase ? PCRE2_CASELESS : 0) |
	       (opts.dotall ? PCRE2_DOTALL : 0);
}

/* One step of a match. A positive result makes only this branch fail, a negative one the
 * whole match. */
static int regex_on_step(__attribute__((unused)) pcre2_callout_block *block, void *arg)
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
	const struct pcre_how how = { .options = regex_options_of(opts),
				      .newline = PCRE2_NEWLINE_LF,
				      .kind = ERR_PARSE,
				      .complaint = "regex parse error: at byte" };
	struct pcre pcre;
	struct regex *re;

	if (!pcre_init(&pcre, pattern, how, err))
		return NULL;
	re = xnew(struct regex);
	re->pcre = pcre;
	pcre2_set_match_limit(re->pcre.limits, LIMIT_PATTERN_STEPS);
	return re;
}

void regex_free(struct regex *re)
{
	if (!re)
		return;
	pcre_clear(&re->pcre);
	free(re);
}

void regex_freep(struct regex **re)
{
	regex_free(*re);
}

enum regex_found regex_find(struct regex *re, struct sv text, size_t from,
			    struct regex_budget *budget, struct regex_match *out)
{
	const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(re->pcre.match);
	int n;

	if (budget->go_on && !budget->go_on(budget->arg))
		return REGEX_GAVE_UP;
	pcre2_set_callout(re->pcre.limits, regex_on_step, budget);
	n = pcre2_match(re->pcre.code, (PCRE2_SPTR)text.ptr, text.len, from, PCRE2_NO_UTF_CHECK,
			re->pcre.match, re->pcre.limits);
	if (n < 0)
		return n == PCRE2_ERROR_NOMATCH ? REGEX_NONE : REGEX_GAVE_UP;
	/* \K can move the start anywhere. */
	out->end = max_of(ends[1], from);
	out->start = min_of(max_of(ends[0], from), out->end);
	return REGEX_FOUND;
}

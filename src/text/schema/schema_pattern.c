#include "text/schema/schema_pattern.h"

#include "base/mem.h"
#include "text/match/pcre.h"

struct schema_pattern {
	struct sv source;
	struct pcre pcre;
};

/* Match JavaScript's syntax and meaning: \u0041, [] and [^], `$` only at the very end, a
 * group that took no part matches as empty. */
enum {
	OPTIONS = PCRE2_UTF | PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS | PCRE2_DOLLAR_ENDONLY |
		  PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C,
};

struct schema_pattern *schema_pattern_new(struct sv source, struct err *err)
{
	const struct pcre_how how = { .options = OPTIONS,
				      .extra = PCRE2_EXTRA_ALT_BSUX,
				      .kind = ERR_INVALID,
				      .complaint = "invalid pattern at offset" };
	struct schema_pattern *pattern;
	struct pcre pcre;

	if (!pcre_init(&pcre, source, how, err))
		return NULL;
	pattern = xnew(struct schema_pattern);
	pattern->source = source;
	pattern->pcre = pcre;
	return pattern;
}

void schema_pattern_free(struct schema_pattern *pattern)
{
	if (!pattern)
		return;
	pcre_clear(&pattern->pcre);
	free(pattern);
}

struct sv schema_pattern_source(const struct schema_pattern *pattern)
{
	return pattern->source;
}

bool schema_pattern_is_anchored(const struct schema_pattern *pattern)
{
	uint32_t options = 0;

	pcre2_pattern_info(pattern->pcre.code, PCRE2_INFO_ALLOPTIONS, &options);
	return options & PCRE2_ANCHORED;
}

enum schema_match schema_pattern_match(const struct schema_pattern *pattern, struct sv text,
				       uint32_t steps)
{
	int n;

	pcre2_set_match_limit(pattern->pcre.limits, steps);
	n = pcre2_match(pattern->pcre.code, (PCRE2_SPTR)text.ptr, text.len, 0, 0,
			pattern->pcre.match, pattern->pcre.limits);
	if (n >= 0)
		return SCHEMA_MATCH;
	return n == PCRE2_ERROR_NOMATCH ? SCHEMA_NO_MATCH : SCHEMA_TOO_COSTLY;
}

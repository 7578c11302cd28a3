#include "text/match/pcre.h"

#include "base/limits.h"
#include "base/mem.h"

static pcre2_code *pcre_compile(struct sv pattern, struct pcre_how how, struct err *err)
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	unsigned char reason[128];
	pcre2_code *code;
	PCRE2_SIZE at;
	int number;

	if (!context)
		BUG("PCRE2 is out of memory");
	if (how.newline)
		pcre2_set_newline(context, how.newline);
	pcre2_set_compile_extra_options(context, how.extra);
	code = pcre2_compile((PCRE2_SPTR)pattern.ptr, pattern.len, how.options, &number, &at,
			     context);
	pcre2_compile_context_free(context);
	if (code)
		return code;
	pcre2_get_error_message(number, reason, sizeof(reason));
	err_set(err, how.kind, "%s %zu: %s", how.complaint, at, reason);
	return NULL;
}

bool pcre_init(struct pcre *out, struct sv pattern, struct pcre_how how, struct err *err)
{
	struct pcre pcre = { .code = NULL };

	if (pattern.len > LIMIT_PATTERN)
		return err_set(err, ERR_TOO_BIG,
			       "pattern of %zu bytes is too long; the limit is %zu", pattern.len,
			       LIMIT_PATTERN);
	pcre.code = pcre_compile(pattern, how, err);
	if (!pcre.code)
		return false;
	pcre.match = pcre2_match_data_create(1, NULL);
	pcre.limits = pcre2_match_context_create(NULL);
	if (!pcre.match || !pcre.limits)
		BUG("PCRE2 is out of memory");
	pcre2_set_heap_limit(pcre.limits, LIMIT_PATTERN_HEAP / KIB);
	*out = pcre;
	return true;
}

void pcre_clear(struct pcre *pcre)
{
	pcre2_match_context_free(pcre->limits);
	pcre2_match_data_free(pcre->match);
	pcre2_code_free(pcre->code);
}

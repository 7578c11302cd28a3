#include "text/schema_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/limits.h"
#include "base/mem.h"

struct schema_pattern {
	struct sv source;
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *limits;
};

/* What JavaScript writes and means: \u0041, [] and [^], `$` only at the very end,
 * a group that took no part matching as empty. */
enum {
	OPTIONS = PCRE2_UTF | PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS | PCRE2_DOLLAR_ENDONLY |
		  PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C,
};

static pcre2_code *compile(struct sv source, struct err *err)
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	unsigned char reason[128];
	pcre2_code *code;
	PCRE2_SIZE at;
	int number;

	if (!context)
		BUG("PCRE2 is out of memory");
	pcre2_set_compile_extra_options(context, PCRE2_EXTRA_ALT_BSUX);
	code = pcre2_compile((PCRE2_SPTR)source.ptr, source.len, OPTIONS, &number, &at, context);
	pcre2_compile_context_free(context);
	if (code)
		return code;
	pcre2_get_error_message(number, reason, sizeof(reason));
	err_set(err, ERR_INVALID, "the pattern is wrong at offset %zu: %s", at, reason);
	return NULL;
}

struct schema_pattern *schema_pattern_new(struct sv source, struct err *err)
{
	struct schema_pattern *pattern;
	pcre2_code *code;

	if (source.len > LIMIT_PATTERN) {
		err_set(err, ERR_TOO_BIG, "a pattern of %zu bytes; the limit is %zu", source.len,
			LIMIT_PATTERN);
		return NULL;
	}
	code = compile(source, err);
	if (!code)
		return NULL;
	pattern = xnew(struct schema_pattern);
	pattern->source = source;
	pattern->code = code;
	pattern->match = pcre2_match_data_create(1, NULL);
	pattern->limits = pcre2_match_context_create(NULL);
	if (!pattern->match || !pattern->limits)
		BUG("PCRE2 is out of memory");
	pcre2_set_heap_limit(pattern->limits, LIMIT_PATTERN_HEAP / KIB);
	return pattern;
}

void schema_pattern_free(struct schema_pattern *pattern)
{
	if (!pattern)
		return;
	pcre2_match_context_free(pattern->limits);
	pcre2_match_data_free(pattern->match);
	pcre2_code_free(pattern->code);
	free(pattern);
}

struct sv schema_pattern_source(const struct schema_pattern *pattern)
{
	return pattern->source;
}

bool schema_pattern_is_anchored(const struct schema_pattern *pattern)
{
	uint32_t options = 0;

	pcre2_pattern_info(pattern->code, PCRE2_INFO_ALLOPTIONS, &options);
	return options & PCRE2_ANCHORED;
}

enum schema_match schema_pattern_match(const struct schema_pattern *pattern, struct sv text,
				       uint32_t steps)
{
	int n;

	pcre2_set_match_limit(pattern->limits, steps);
	n = pcre2_match(pattern->code, (PCRE2_SPTR)text.ptr, text.len, 0, 0, pattern->match,
			pattern->limits);
	if (n >= 0)
		return SCHEMA_MATCH;
	return n == PCRE2_ERROR_NOMATCH ? SCHEMA_NO_MATCH : SCHEMA_TOO_COSTLY;
}

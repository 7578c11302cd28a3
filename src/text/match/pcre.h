/* pcre.h - private to src/text: a compiled PCRE2 pattern and the data to match it. */
#ifndef AWL_TEXT_MATCH_PCRE_H
#define AWL_TEXT_MATCH_PCRE_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/err.h"
#include "base/str.h"

struct pcre {
	pcre2_code *code;
	pcre2_match_data *match; /* for the whole match only, without groups */
	pcre2_match_context *limits;
};

struct pcre_how {
	uint32_t options, extra; /* PCRE2_..., PCRE2_EXTRA_... */
	uint32_t newline;        /* PCRE2_NEWLINE_...; 0: the library's own */
	enum err_kind kind;      /* kind of the error for an invalid pattern */
	const char *complaint;   /* start of that error's text; "N: why" follows */
};

/* Also fails with ERR_TOO_BIG past LIMIT_PATTERN. Matching may use LIMIT_PATTERN_HEAP of
 * memory; the caller limits the number of steps. */
must_use bool pcre_init(struct pcre *out, struct sv pattern, struct pcre_how how, struct err *err);
void pcre_clear(struct pcre *pcre);

#endif

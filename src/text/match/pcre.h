/* pcre.h - private to src/text: a pattern of PCRE2's, compiled and with what matching it takes. */
#ifndef AWL_TEXT_MATCH_PCRE_H
#define AWL_TEXT_MATCH_PCRE_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/err.h"
#include "base/str.h"

struct pcre {
	pcre2_code *code;
	pcre2_match_data *match; /* of the whole alone, no groups */
	pcre2_match_context *limits;
};

struct pcre_how {
	uint32_t options, extra; /* PCRE2_..., PCRE2_EXTRA_... */
	uint32_t newline;        /* PCRE2_NEWLINE_...; 0: the library's own */
	enum err_kind kind;      /* of the error about a wrong one, */
	const char *complaint;   /* which begins so; "N: why" follows */
};

/* Fails also with ERR_TOO_BIG, past LIMIT_PATTERN. Matching may take LIMIT_PATTERN_HEAP; how many
 * steps, the caller says. */
must_use bool pcre_init(struct pcre *out, struct sv pattern, struct pcre_how how, struct err *err);
void pcre_clear(struct pcre *pcre);

#endif

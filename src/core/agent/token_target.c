#include "core/agent/token_target.h"

#include <stdlib.h>

#include "base/ascii.h"

enum { MAX_DIGITS = 9 };

/* Cut the next word off the front. */
static bool token_target_word(struct sv *rest, struct sv *word)
{
	size_t n = 0;

	*rest = sv_trim(*rest);
	while (n < rest->len && !ascii_is_space(rest->ptr[n]))
		n++;
	*word = sv_slice(*rest, 0, n);
	*rest = sv_skip(*rest, n);
	return n > 0;
}

/* "500k", "1.5M", "2m"; 0: not an amount. A plain number is more likely to mean something else. */
static int64_t token_target_amount(struct sv text)
{
	double unit = sv_ends(text, SV("k")) || sv_ends(text, SV("K"))   ? 1e3
		      : sv_ends(text, SV("m")) || sv_ends(text, SV("M")) ? 1e6
									 : 0;
	struct sv number = sv_slice(text, 0, text.len - min_of(text.len, (size_t)1));
	char digits[MAX_DIGITS + 1];
	size_t points = 0;

	if (unit == 0 || !number.len || number.len > MAX_DIGITS || !ascii_is_digit(number.ptr[0]))
		return 0;
	for (size_t i = 0; i < number.len; i++) {
		points += number.ptr[i] == '.';
		if (points > 1 || (number.ptr[i] != '.' && !ascii_is_digit(number.ptr[i])))
			return 0;
	}
	memcpy(digits, number.ptr, number.len);
	digits[number.len] = '\0';
	return (int64_t)(strtod(digits, NULL) * unit);
}

/* "+500k". */
static int64_t token_target_plus(struct sv word)
{
	return sv_starts(word, SV("+")) ? token_target_amount(sv_skip(word, 1)) : 0;
}

int64_t token_target(struct sv prompt)
{
	struct sv rest = prompt, before = SV_EMPTY, amount = SV_EMPTY, word, last = SV_EMPTY;
	int64_t first = 0;

	while (token_target_word(&rest, &word)) {
		if (!last.len)
			first = token_target_plus(word);
		if ((sv_eq_nocase(before, SV("use")) || sv_eq_nocase(before, SV("spend"))) &&
		    sv_starts(word, SV("tokens")) && token_target_amount(amount))
			return token_target_amount(amount);
		before = amount;
		amount = last = word;
	}
	return first ? first : token_target_plus(last);
}

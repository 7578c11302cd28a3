/* utf8.h - bytes to characters, and characters to terminal cells. */
#ifndef AWL_BASE_UTF8_H
#define AWL_BASE_UTF8_H

#include "base/str.h"

#define UTF8_REPLACEMENT SV("\xef\xbf\xbd")

/* Decodes the character at the start of `s` (not empty) and returns its length. For
 * malformed bytes, returns minus the length of the part to replace: the longest prefix
 * of a valid sequence, as the Unicode standard recommends. */
int utf8_decode(struct sv s, uint32_t *out);

/* Appends one scalar value; any other value becomes U+FFFD. */
void utf8_encode(struct str *out, uint32_t rune);

/* Whether all of `s` is UTF-8. If not, `*bad_at` (unless NULL) is the offset of the
 * first invalid byte. */
bool utf8_valid(struct sv s, size_t *bad_at);

bool utf8_is_ascii(struct sv s);

/* Appends `s` and replaces every malformed part with U+FFFD. */
void utf8_repair(struct str *out, struct sv s);

/* Appends `s` in the form in which case-insensitive file systems compare names:
 * composed, in lower case and without characters of zero width. Appends text that is not
 * UTF-8 unchanged. */
void utf8_fold(struct str *out, struct sv s);

/* The longest prefix of `s`, at most `max` bytes, that does not cut a character. */
struct sv utf8_prefix(struct sv s, size_t max);

/* Length in bytes of the first user-perceived character (`s` is not empty) and the
 * number of terminal cells it takes: 0, 1 or 2. Malformed bytes count as the U+FFFD that
 * will replace them. */
size_t utf8_cluster(struct sv s, int *cells);

/* Cells of the whole text; control characters count as 0. */
size_t utf8_cells(struct sv s);

#endif

/* sha1.h - SHA-1 (FIPS 180-4), for protocols that prescribe it as a checksum. It protects nothing: use digest.h
 * where somebody could forge the input. */
#ifndef AWL_TEXT_SHA1_H
#define AWL_TEXT_SHA1_H

#include "base/str.h"

enum { SHA1_SIZE = 20 };

void sha1(uint8_t out[SHA1_SIZE], struct sv bytes);

#endif

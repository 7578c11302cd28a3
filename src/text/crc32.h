/* crc32.h - the CRC-32 of IEEE 802.3, as zip, PNG and AWS event streams use it. */
#ifndef AWL_TEXT_CRC32_H
#define AWL_TEXT_CRC32_H

#include "base/str.h"

/* Continues `crc`, the result for the bytes before these; pass 0 at the start. */
uint32_t crc32_add(uint32_t crc, struct sv bytes);

#endif

#include "text/crc32.h"

/* Slicing by eight: row k contains the effect of a byte that k more bytes follow. A CRC
 * is linear, so the effects of the eight bits span a row. Those effects are, in turn,
 * the 64 states of the polynomial's shift register. */
#define SPAN_2(v, a)                 (v), (v) ^ (a)
#define SPAN_4(v, a, b)              SPAN_2(v, a), SPAN_2((v) ^ (b), a)
#define SPAN_8(v, a, b, c)           SPAN_4(v, a, b), SPAN_4((v) ^ (c), a, b)
#define SPAN_16(v, a, b, c, d)       SPAN_8(v, a, b, c), SPAN_8((v) ^ (d), a, b, c)
#define SPAN_32(v, a, b, c, d, e)    SPAN_16(v, a, b, c, d), SPAN_16((v) ^ (e), a, b, c, d)
#define SPAN_64(v, a, b, c, d, e, f) SPAN_32(v, a, b, c, d, e), SPAN_32((v) ^ (f), a, b, c, d, e)
#define SPAN_128(v, a, b, c, d, e, f, g) \
	SPAN_64(v, a, b, c, d, e, f), SPAN_64((v) ^ (g), a, b, c, d, e, f)
#define SPAN(a, b, c, d, e, f, g, h) \
	SPAN_128(0, a, b, c, d, e, f, g), SPAN_128(h, a, b, c, d, e, f, g)

static const uint32_t effect[8][256] = {
	{ SPAN(0x77073096, 0xee0e612c, 0x076dc419, 0x0edb8832, 0x1db71064, 0x3b6e20c8, 0x76dc4190,
	       0xedb88320) },
	{ SPAN(0x191b3141, 0x32366282, 0x646cc504, 0xc8d98a08, 0x4ac21251, 0x958424a2, 0xf0794f05,
	       0x3b83984b) },
	{ SPAN(0x01c26a37, 0x0384d46e, 0x0709a8dc, 0x0e1351b8, 0x1c26a370, 0x384d46e0, 0x709a8dc0,
	       0xe1351b80) },
	{ SPAN(0xb8bc6765, 0xaa09c88b, 0x8f629757, 0xc5b428ef, 0x5019579f, 0xa032af3e, 0x9b14583d,
	       0xed59b63b) },
	{ SPAN(0x3d6029b0, 0x7ac05360, 0xf580a6c0, 0x30704bc1, 0x60e09782, 0xc1c12f04, 0x58f35849,
	       0xb1e6b092) },
	{ SPAN(0xcb5cd3a5, 0x4dc8a10b, 0x9b914216, 0xec53826d, 0x03d6029b, 0x07ac0536, 0x0f580a6c,
	       0x1eb014d8) },
	{ SPAN(0xa6770bb4, 0x979f1129, 0xf44f2413, 0x33ef4e67, 0x67de9cce, 0xcfbd399c, 0x440b7579,
	       0x8816eaf2) },
	{ SPAN(0xccaa009e, 0x4225077d, 0x844a0efa, 0xd3e51bb5, 0x7cbb312b, 0xf9766256, 0x299dc2ed,
	       0x533b85da) },
};

static uint32_t crc32_load_le32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint32_t crc32_add(uint32_t crc, struct sv bytes)
{
	const uint8_t *p = (const uint8_t *)bytes.ptr;
	size_t n = bytes.len;

	crc = ~crc;
	for (; n >= 8; n -= 8, p += 8) {
		uint32_t low = crc ^ crc32_load_le32(p);

		crc = effect[7][low & 255] ^ effect[6][low >> 8 & 255] ^
		      effect[5][low >> 16 & 255] ^ effect[4][low >> 24] ^ effect[3][p[4]] ^
		      effect[2][p[5]] ^ effect[1][p[6]] ^ effect[0][p[7]];
	}
	for (; n > 0; n--, p++)
		crc = crc >> 8 ^ effect[0][(crc ^ *p) & 255];
	return ~crc;
}

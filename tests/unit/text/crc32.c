#include "text/crc32.h"

#include "test.h"

TEST(crc32_gives_the_well_known_checksums)
{
	CHECK_INT(crc32_add(0, SV("")), 0);
	CHECK_INT(crc32_add(0, SV("a")), 0xe8b7be43);
	CHECK_INT(crc32_add(0, SV("123456789")), 0xcbf43926);
	CHECK_INT(crc32_add(0, SV("The quick brown fox jumps over the lazy dog")), 0x414fa339);
	CHECK_INT(crc32_add(0, SV("IEND")), 0xae426082); /* the last chunk of every PNG */
}

/* A bit at a time, straight from the definition. */
static uint32_t crc32_by_bits(struct sv bytes)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < bytes.len; i++) {
		crc ^= (unsigned char)bytes.ptr[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

TEST(crc32_agrees_with_the_definition_for_every_byte_at_every_place)
{
	char bytes[24] = { 0 };

	for (size_t at = 0; at < sizeof(bytes); at++) {
		for (int value = 0; value < 256; value++) {
			bytes[at] = (char)value;
			CHECK_INT(crc32_add(0, sv_from(bytes, sizeof(bytes))),
				  crc32_by_bits(sv_from(bytes, sizeof(bytes))));
		}
		bytes[at] = (char)(at * 37);
	}
}

TEST(crc32_does_not_depend_on_how_the_bytes_are_split)
{
	struct sv text = SV("The quick brown fox jumps over the lazy dog");

	for (size_t cut = 0; cut <= text.len; cut++)
		CHECK_INT(crc32_add(crc32_add(0, sv_slice(text, 0, cut)), sv_skip(text, cut)),
			  0x414fa339);
}

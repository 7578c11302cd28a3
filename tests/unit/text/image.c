#include "text/image.h"

#include "base/mem.h"
#include "test.h"

struct image_case {
	struct sv bytes;
	const char *type; /* NULL: none */
	uint32_t width, height;
};

#define PNG  "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x01\x02\0\0\0\x03"
#define RIFF "RIFF\0\0\0\0WEBP"

static const struct image_case cases[] = {
	{ SV_INIT(PNG), "image/png", 258, 3 },
	{ SV_INIT("GIF89a\x02\x01\x03\0"), "image/gif", 258, 3 },
	{ SV_INIT("GIF87a\x01\0\x01\0"), "image/gif", 1, 1 },
	/* An application segment, filling, a progressive frame. */
	{ SV_INIT("\xff\xd8\xff\xe0\0\x04xx\xff\xff\xc2\0\x11\x08\0\x03\x01\x02\x03"), "image/jpeg",
	  258, 3 },
	/* A table is no frame, though its mark lies between theirs. */
	{ SV_INIT("\xff\xd8\xff\xc4\0\x09"
		  "1234567\xff\xc0\0\x11\x08\0\x07\0\x05"),
	  "image/jpeg", 5, 7 },
	{ SV_INIT(RIFF "VP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x02\x01\x03\0"), "image/webp", 258, 3 },
	{ SV_INIT(RIFF "VP8L\0\0\0\0\x2f\x01\x81\0\0\0\0\0\0\0"), "image/webp", 258, 3 },
	{ SV_INIT(RIFF "VP8X\0\0\0\0\0\0\0\0\x01\x01\0\x02\0\0"), "image/webp", 258, 3 },
	{ SV_INIT(RIFF "ALPH\0\0\0\0\0\0\0\0\x01\x01\0\x02\0\0"), "image/webp", 0, 0 },
	{ SV_INIT(""), NULL, 0, 0 },
	{ SV_INIT("PNG"), NULL, 0, 0 },
	{ SV_INIT("RIFF\0\0\0\0WAVE"), NULL, 0, 0 },
	{ SV_INIT("\x7f"
		  "ELF"),
	  NULL, 0, 0 },
};

TEST(an_image_is_known_by_its_first_bytes)
{
	for (size_t i = 0; i < countof(cases); i++) {
		struct image image = { .media_type = NULL };

		CHECK_INT(image_of(cases[i].bytes, &image), cases[i].type != NULL);
		if (!cases[i].type)
			continue;
		CHECK_STR(image.media_type, cases[i].type);
		CHECK_INT(image.width, cases[i].width);
		CHECK_INT(image.height, cases[i].height);
	}
}

/* The copy has no byte too many, so that a sanitizer sees a read past its end. */
TEST(an_image_cut_off_anywhere_has_its_size_or_none)
{
	for (size_t i = 0; i < countof(cases); i++) {
		for (size_t n = 0; n < cases[i].bytes.len; n++) {
			defer(mem_freep) char *bytes = xmemdup(cases[i].bytes.ptr, n);
			struct image image;

			if (image_of(sv_from(bytes, n), &image) && image.width)
				CHECK_INT(image.width, cases[i].width);
		}
	}
}

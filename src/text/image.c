#include "text/image.h"

static uint32_t image_byte_at(struct sv bytes, size_t at)
{
	return at < bytes.len ? (uint8_t)bytes.ptr[at] : 0;
}

/* `n` bytes, the most significant first. */
static uint32_t image_big_endian(struct sv bytes, size_t at, size_t n)
{
	uint32_t value = 0;

	for (size_t i = 0; i < n; i++)
		value = value << 8 | image_byte_at(bytes, at + i);
	return value;
}

static uint32_t image_little_endian(struct sv bytes, size_t at, size_t n)
{
	uint32_t value = 0;

	while (n-- > 0)
		value = value << 8 | image_byte_at(bytes, at + n);
	return value;
}

static void image_measure_png(struct sv bytes, struct image *out)
{
	if (bytes.len < 24 || !sv_starts(sv_skip(bytes, 12), SV("IHDR")))
		return;
	out->width = image_big_endian(bytes, 16, 4);
	out->height = image_big_endian(bytes, 20, 4);
}

static void image_measure_gif(struct sv bytes, struct image *out)
{
	if (bytes.len < 10)
		return;
	out->width = image_little_endian(bytes, 6, 2);
	out->height = image_little_endian(bytes, 8, 2);
}

/* Skips segments up to the one that starts a frame. */
static void image_measure_jpeg(struct sv bytes, struct image *out)
{
	size_t at = 2;

	while (at + 9 <= bytes.len && image_byte_at(bytes, at) == 0xff) {
		uint32_t mark = image_byte_at(bytes, at + 1),
			 length = image_big_endian(bytes, at + 2, 2);
		bool frame = mark >= 0xc0 && mark <= 0xcf && mark != 0xc4 && mark != 0xc8 &&
			     mark != 0xcc;

		if (frame) {
			out->height = image_big_endian(bytes, at + 5, 2);
			out->width = image_big_endian(bytes, at + 7, 2);
			return;
		}
		at += mark == 0xff ? 1 : 2 + length; /* 0xff: padding */
	}
}

static void image_measure_webp(struct sv bytes, struct image *out)
{
	struct sv kind = sv_slice(bytes, 12, 16);
	uint32_t bits = image_little_endian(bytes, 21, 4);

	if (bytes.len < 30)
		return;
	if (sv_is(kind, "VP8 ")) {
		out->width = image_little_endian(bytes, 26, 2) & 0x3fff;
		out->height = image_little_endian(bytes, 28, 2) & 0x3fff;
	} else if (sv_is(kind, "VP8L")) {
		out->width = 1 + (bits & 0x3fff);
		out->height = 1 + (bits >> 14 & 0x3fff);
	} else if (sv_is(kind, "VP8X")) {
		out->width = 1 + image_little_endian(bytes, 24, 3);
		out->height = 1 + image_little_endian(bytes, 27, 3);
	}
}

/* Only GIF starts like a text; all formats have a zero byte soon after. */
static bool is_gif(struct sv bytes)
{
	return (sv_starts(bytes, SV("GIF87a")) || sv_starts(bytes, SV("GIF89a"))) &&
	       sv_find_char(bytes, '\0') != SIZE_MAX;
}

bool image_of(struct sv bytes, struct image *out)
{
	struct image image = { .media_type = NULL };

	if (sv_starts(bytes, SV("\x89PNG\r\n\x1a\n"))) {
		image.media_type = "image/png";
		image_measure_png(bytes, &image);
	} else if (sv_starts(bytes, SV("\xff\xd8\xff"))) {
		image.media_type = "image/jpeg";
		image_measure_jpeg(bytes, &image);
	} else if (is_gif(bytes)) {
		image.media_type = "image/gif";
		image_measure_gif(bytes, &image);
	} else if (sv_starts(bytes, SV("RIFF")) && sv_is(sv_slice(bytes, 8, 12), "WEBP")) {
		image.media_type = "image/webp";
		image_measure_webp(bytes, &image);
	}
	if (!image.media_type)
		return false;
	*out = image;
	return true;
}

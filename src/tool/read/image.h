/* image.h - what kind of image some bytes are, and its size, from their first bytes:
 * PNG, JPEG, GIF and WebP, as models take them. Pure. */
#ifndef AWL_TOOL_READ_IMAGE_H
#define AWL_TOOL_READ_IMAGE_H

#include "base/str.h"

struct image {
	const char *media_type; /* "image/png" */
	uint32_t width, height; /* in pixels; both 0 when the bytes do not tell */
};

/* False when it is none of them, whatever its name says. */
bool image_of(struct sv bytes, struct image *out);

#endif

/* image.h - recognises images that models accept (PNG, JPEG, GIF and WebP) and their size by their
 * first bytes. Pure. */
#ifndef AWL_TEXT_IMAGE_H
#define AWL_TEXT_IMAGE_H

#include "base/str.h"

struct image {
	const char *media_type; /* "image/png" */
	uint32_t width, height; /* in pixels; both 0 if unknown */
};

/* Returns false for anything else, whatever the file is called. */
bool image_of(struct sv bytes, struct image *out);

#endif

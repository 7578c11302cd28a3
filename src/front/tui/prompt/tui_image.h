/* tui_image.h - images in a prompt. */
#ifndef AWL_FRONT_TUI_PROMPT_TUI_IMAGE_H
#define AWL_FRONT_TUI_PROMPT_TUI_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct input_image;
struct tui;

/* How many prompts can refer to: the newest ones. */
enum { TUI_IMAGES = 10 };

/* Takes a paste that names images; false: it is a text like any other. */
bool tui_image_paste(struct tui *t, struct sv text);
void tui_image_from_clipboard(struct tui *t);
/* The images that a prompt refers to; how many. They are borrowed. */
size_t tui_images_of(const struct tui *t, struct sv prompt, struct input_image *out, size_t max);

/* Called by tui.c. */
void tui_images_init(struct tui *t);
void tui_images_stop(struct tui *t);
void tui_images_free(struct tui *t);

#endif

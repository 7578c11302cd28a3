/* Images in a prompt. One that is dropped or pasted as the name of its file, or taken from the clipboard, is a chip in
 * the text, "[Image #1]", and goes to the model with every prompt that has the chip. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/limits.h"
#include "front/tui/prompt/tui_image.h"

#include "front/tui/question/tui_question.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "sys/child.h"
#include "sys/fs.h"
#include "text/base64.h"
#include "text/image.h"
#include "text/shell_words.h"

/* An image that prompts can refer to. */
struct tui_image {
	size_t number;
	const char *media_type;
	struct str data; /* base64 */
};

struct tui_images {
	VEC(struct tui_image) kept; /* the newest ones */
	size_t count;               /* so far */
	struct op *op;              /* asks the clipboard; NULL: nothing is under way */
	struct str bytes;           /* of it */
};

enum { CLIPBOARD_MS = 5000, PATH_BYTES = 8192 };

static void tui_image_label(struct str *out, size_t number)
{
	str_addf(out, "[Image #%zu]", number);
}

/* Whether it is an image that models take; `note` says why not. */
static bool tui_image_check(struct tui *t, struct sv bytes, struct image *image)
{
	if (!image_of(bytes, image))
		return false;
	if (bytes.len > LIMIT_IMAGE)
		str_set(&t->note, SV("The image is too large: at most 3.75 MiB can be sent."));
	else if (image->width > LIMIT_IMAGE_SIDE || image->height > LIMIT_IMAGE_SIDE)
		str_addf(&t->note, "The image is too large: at most %d pixels a side can be sent.",
			 LIMIT_IMAGE_SIDE);
	return true;
}

static void tui_image_add(struct tui *t, struct sv bytes, const struct image *image)
{
	struct editor *editor = t->question.focus == TUI_REPLY ? t->question.reply : t->editor;
	defer(str_clear) struct str label = STR_INIT;
	struct tui_image *kept;

	if (t->note.len)
		return;
	if (t->images->kept.n == TUI_IMAGES) {
		str_clear(&t->images->kept.at[0].data);
		vec_remove(&t->images->kept, 0);
	}
	kept = vec_add(&t->images->kept);
	kept->number = ++t->images->count;
	kept->media_type = image->media_type;
	base64_encode(&kept->data, bytes, BASE64_STD);
	tui_image_label(&label, kept->number);
	editor_insert_folded(editor, sv_of(&label), sv_of(&label));
	editor_insert(editor, SV(" "));
}

/* --- names of files ------------------------------------------------------------------- */

/* The path in a word of a paste; NULL: it is not an absolute one. */
static const char *tui_image_path(const char *word)
{
	if (sv_starts(sv_cstr(word), SV("file://")))
		word += strlen("file://");
	return word && *word == '/' ? word : NULL;
}

/* Read the images that the words name; false: one of them is none. */
static bool tui_image_take(struct tui *t, const char *const *words, bool is_trial)
{
	for (; *words; words++) {
		defer(str_clear) struct str bytes = STR_INIT;
		const char *path = tui_image_path(*words);
		struct err err = ERR_INIT;
		struct fs_info info;
		struct image image;

		if (!path || !fs_info(&info, path, true, &err) || info.kind != FS_FILE ||
		    !fs_read(&bytes, path, 2 * LIMIT_IMAGE, &err) ||
		    !tui_image_check(t, sv_of(&bytes), &image))
			return false;
		if (!is_trial)
			tui_image_add(t, sv_of(&bytes), &image);
	}
	return true;
}

bool tui_image_paste(struct tui *t, struct sv text)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const char *const *words;
	struct err err = ERR_INIT;

	text = sv_trim(text);
	if (!text.len || text.len > PATH_BYTES || sv_find_char(text, '\n') != SIZE_MAX ||
	    !shell_words_split(&words, &arena, text, &err) || !tui_image_path(words[0]) ||
	    !tui_image_take(t, words, true))
		return false;
	(void)tui_image_take(t, words, false);
	return true;
}

/* --- the clipboard -------------------------------------------------------------------- */

static void tui_image_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct tui *t = owner;

	if (from == CHILD_OUT)
		str_add(&t->images->bytes, bytes);
}

static void tui_image_done(__attribute__((unused)) struct op *op, void *owner,
			   const struct err *why)
{
	struct tui *t = owner;
	struct image image;

	t->images->op = NULL;
	if (t->client.is_leaving)
		return;
	if (why && why->kind == ERR_NOT_FOUND)
		str_set(&t->note, SV("Install wl-paste or xclip to paste images, or drop a file."));
	else if (why || !tui_image_check(t, sv_of(&t->images->bytes), &image))
		str_set(&t->note, SV("There is no image in the clipboard."));
	else
		tui_image_add(t, sv_of(&t->images->bytes), &image);
	str_clear(&t->images->bytes);
	tui_redraw_now(t);
}

void tui_image_from_clipboard(struct tui *t)
{
	static const char *const wayland[] = { "wl-paste", "--type", "image/png", NULL };
	static const char *const x11[] = { "xclip",     "-selection", "clipboard", "-target",
					   "image/png", "-out",       NULL };

	if (t->images->op)
		return;
	if (!getenv("WAYLAND_DISPLAY") && !getenv("DISPLAY")) {
		str_set(&t->note, SV("There is no desktop's clipboard here; drop a file or paste "
				     "its path."));
		return;
	}
	t->images->op =
		child_start(t->client.loop,
			    &(struct child_opts){ .argv = getenv("WAYLAND_DISPLAY") ? wayland : x11,
						  .max_output = LIMIT_IMAGE,
						  .deadline_ms = CLIPBOARD_MS,
						  .on_data = tui_image_on_data },
			    THEN(tui_image_done, t));
}

/* --- prompts --------------------------------------------------------------------------- */

size_t tui_images_of(const struct tui *t, struct sv prompt, struct input_image *out, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < t->images->kept.n && n < max; i++) {
		const struct tui_image *image = &t->images->kept.at[i];
		defer(str_clear) struct str label = STR_INIT;

		tui_image_label(&label, image->number);
		if (sv_find(prompt, sv_of(&label)) != SIZE_MAX)
			out[n++] = (struct input_image){ .media_type = sv_cstr(image->media_type),
							 .data = sv_of(&image->data) };
	}
	return n;
}

/* --- init and free ----------------------------------------------------------------- */

void tui_images_init(struct tui *t)
{
	t->images = xnew(struct tui_images);
}

void tui_images_stop(struct tui *t)
{
	op_cancel(t->images->op);
}

void tui_images_free(struct tui *t)
{
	for (size_t i = 0; i < t->images->kept.n; i++)
		str_clear(&t->images->kept.at[i].data);
	vec_clear(&t->images->kept);
	str_clear(&t->images->bytes);
	free(t->images);
}

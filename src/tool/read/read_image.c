#include "base/limits.h"
#include "text/base64.h"
#include "text/json/json_write.h"
#include "tool/read/read_kinds.h"

static void read_image_report_block(struct tool_result *result, const struct image *image,
				    struct sv base64)
{
	struct jw w;

	jw_init(&w, &result->blocks, JW_COMPACT);
	jw_array(&w);
	jw_object(&w);
	jw_put_str(&w, "type", SV("image"));
	jw_put_object(&w, "source");
	jw_put_str(&w, "type", SV("base64"));
	jw_put_str(&w, "media_type", sv_cstr(image->media_type));
	jw_put_str(&w, "data", base64);
	jw_end(&w);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static void read_image_report_data(struct tool_result *result, const struct image *image,
				   struct sv base64, size_t size)
{
	struct jw w;

	jw_init(&w, &result->data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("image"));
	jw_put_object(&w, "file");
	jw_put_str(&w, "base64", base64);
	jw_put_str(&w, "type", sv_cstr(image->media_type));
	jw_put_uint(&w, "originalSize", size);
	jw_put_object(&w, "dimensions");
	jw_put_uint(&w, "originalWidth", image->width);
	jw_put_uint(&w, "originalHeight", image->height);
	jw_put_uint(&w, "displayWidth", image->width);
	jw_put_uint(&w, "displayHeight", image->height);
	jw_end(&w);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

bool read_image(struct file_job *f, struct sv bytes, const struct image *image)
{
	struct tool_result *result = &f->job.call->result;
	defer(str_clear) struct str base64 = STR_INIT;

	if (!f->job.call->ctx->has_vision)
		return tool_fail(result,
				 "%s is a binary file (%s), and this model takes only text. Use "
				 "Bash with a program that describes its content.",
				 file_name(f), image->media_type);
	if (!image->width || !image->height)
		return tool_fail(result, "%s is damaged: the image (%s) has no readable size.",
				 file_name(f), image->media_type);
	if (bytes.len > LIMIT_IMAGE || image->width > LIMIT_IMAGE_SIDE ||
	    image->height > LIMIT_IMAGE_SIDE)
		return tool_fail(result,
				 "%s is an image of %zu bytes and %u x %u pixels; at most %d bytes "
				 "and %d pixels a side can be shown. Make a smaller copy with Bash "
				 "(ImageMagick's convert -resize 1568x1568), and read that.",
				 file_name(f), bytes.len, image->width, image->height, LIMIT_IMAGE,
				 LIMIT_IMAGE_SIDE);
	base64_encode(&base64, bytes, BASE64_STD);
	str_addf(&result->text, "[%s, %zu bytes]", image->media_type, bytes.len);
	read_image_report_block(result, image, sv_of(&base64));
	read_image_report_data(result, image, sv_of(&base64), bytes.len);
	return true;
}

#include "mcp/content.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/vec.h"
#include "sys/fs.h"
#include "text/base64.h"
#include "text/json/json_write.h"
#include "tool/result_cap.h"

struct content {
	struct tool_call *call;
	struct sv server;
	struct str images; /* for the model: blocks, each with a comma before it */
	struct str shown;  /* for hosts and hooks: all blocks, likewise */
	struct str saved;  /* the file with the bytes that were added last; empty: there is none */
	size_t nfiles;
};

static struct sv content_text(struct json block, const char *key)
{
	return json_str_or(json_get(block, key), SV_EMPTY);
}

/* Add a block of text that only hosts and hooks get. */
static void content_show(struct content *c, struct sv text)
{
	struct jw w;

	str_addc(&c->shown, ',');
	jw_init(&w, &c->shown, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("text"));
	jw_put_str(&w, "text", text);
	jw_end(&w);
	jw_done(&w);
}

static void content_add_line(struct content *c, struct sv text)
{
	struct str *out = &c->call->result.text;

	if (out->len)
		str_addc(out, '\n');
	str_add(out, text);
	content_show(c, text);
}

/* --- bytes ------------------------------------------------------------------------------ */

/* The end of a file's name by its type: "png" for image/png. */
static struct sv content_extension(struct sv type)
{
	static const struct {
		char type[24], extension[8];
	} known[] = {
		{ "image/png", "png" },       { "image/jpeg", "jpg" },
		{ "image/gif", "gif" },       { "image/webp", "webp" },
		{ "image/svg+xml", "svg" },   { "audio/wav", "wav" },
		{ "audio/mpeg", "mp3" },      { "audio/ogg", "ogg" },
		{ "application/pdf", "pdf" }, { "application/json", "json" },
		{ "application/zip", "zip" }, { "text/plain", "txt" },
		{ "text/html", "html" },      { "application/gzip", "gz" },
	};

	for (size_t i = 0; i < countof(known); i++)
		if (sv_eq_nocase(type, sv_cstr(known[i].type)))
			return sv_cstr(known[i].extension);
	return SV("bin");
}

/* A new file for this call. */
static void content_path(struct content *c, struct sv type, struct str *out)
{
	const char *dir = c->call->ctx->session->results_dir;
	defer(str_clear) struct str name = STR_INIT;

	str_adds(&name, "mcp-");
	for (size_t i = 0; i < c->call->id.len && name.len < 100; i++) {
		char letter = c->call->id.ptr[i];

		str_addc(&name, ascii_is_word(letter) || letter == '-' ? letter : '_');
	}
	do {
		str_truncate(out, 0);
		fs_join(out, sv_cstr(dir), sv_of(&name));
		str_addf(out, "-%zu.%.*s", ++c->nfiles, SV_ARG(content_extension(type)));
	} while (fs_exists(str_c(out)));
}

/* Save what base64 says; `*size` is how much that is. */
static bool content_save(struct content *c, struct sv base64, struct sv type, size_t *size,
			 struct err *err)
{
	const char *dir = c->call->ctx->session->results_dir;
	defer(str_clear) struct str bytes = STR_INIT, path = STR_INIT;

	str_truncate(&c->saved, 0);
	if (!base64_decode(&bytes, base64, BASE64_STD, err))
		return err_context(err, "it is not valid base64");
	*size = bytes.len;
	if (!dir)
		return err_set(err, ERR_UNSUPPORTED, "this session saves nothing to disk");
	content_path(c, type, &path);
	if (!fs_mkdirs(dir, 0700, err) ||
	    !fs_write(str_c(&path), sv_of(&bytes), (struct fs_write){ .mode = 0600 }, err))
		return false;
	str_add(&c->saved, sv_of(&path));
	return true;
}

static bool content_is_picture(struct sv type)
{
	return sv_is(type, "image/png") || sv_is(type, "image/jpeg") || sv_is(type, "image/gif") ||
	       sv_is(type, "image/webp");
}

static void content_write_image(struct str *out, struct sv base64, struct sv type)
{
	struct jw w;

	str_addc(out, ',');
	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("image"));
	jw_put_object(&w, "source");
	jw_put_str(&w, "type", SV("base64"));
	jw_put_str(&w, "media_type", type);
	jw_put_str(&w, "data", base64);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

/* Add something that is not text: `what` names it. */
static void content_add_bytes(struct content *c, const char *what, struct sv base64, struct sv type)
{
	defer(str_clear) struct str line = STR_INIT;
	struct err err = ERR_INIT;
	size_t size = 0;
	bool is_saved = content_save(c, base64, type, &size, &err);
	bool is_image = content_is_picture(type) && size && size <= LIMIT_IMAGE;
	bool is_shown = is_image && c->call->ctx->has_vision;

	if (is_image)
		content_write_image(&c->shown, base64, type);
	if (is_shown)
		content_write_image(&c->images, base64, type);
	str_addf(&line, "[%s%s%.*s, %zu bytes", what, type.len ? ", " : "",
		 SV_ARG(sv_slice(type, 0, 100)), size);
	if (is_saved)
		str_addf(&line, ", saved to %s]", str_c(&c->saved));
	else
		str_addf(&line, "%s%s]", is_shown ? ", not saved: " : ", dropped: ", err.text);
	content_add_line(c, sv_of(&line));
}

/* --- blocks ------------------------------------------------------------------------------ */

static void content_add_resource(struct content *c, struct json resource)
{
	defer(str_clear) struct str line = STR_INIT;
	struct sv uri = content_text(resource, "uri"), text;

	str_addf(&line, "[Resource from %.*s at %.*s] ", SV_ARG(c->server), SV_ARG(uri));
	if (json_str(json_get(resource, "text"), &text)) {
		str_add(&line, text);
		content_add_line(c, sv_of(&line));
		return;
	}
	content_add_line(c, sv_trim(sv_of(&line)));
	content_add_bytes(c, "Resource", content_text(resource, "blob"),
			  content_text(resource, "mimeType"));
}

static void content_add_link(struct content *c, struct json link)
{
	defer(str_clear) struct str line = STR_INIT;
	struct sv about = content_text(link, "description");

	str_addf(&line, "[Resource link: %.*s] %.*s", SV_ARG(content_text(link, "name")),
		 SV_ARG(content_text(link, "uri")));
	if (about.len)
		str_addf(&line, " (%.*s)", SV_ARG(about));
	content_add_line(c, sv_of(&line));
}

/* Add a block; a kind that we do not know is added as JSON, which the model may make sense of. */
static void content_add_block(struct content *c, struct json block, bool without_text)
{
	struct sv type = content_text(block, "type");
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	if (sv_is(type, "text")) {
		if (without_text)
			content_show(c, content_text(block, "text"));
		else
			content_add_line(c, content_text(block, "text"));
	} else if (sv_is(type, "image")) {
		content_add_bytes(c, "Image", content_text(block, "data"),
				  content_text(block, "mimeType"));
	} else if (sv_is(type, "audio")) {
		content_add_bytes(c, "Audio", content_text(block, "data"),
				  content_text(block, "mimeType"));
	} else if (sv_is(type, "resource")) {
		content_add_resource(c, json_get(block, "resource"));
	} else if (sv_is(type, "resource_link")) {
		content_add_link(c, block);
	} else {
		jw_init(&w, &json, JW_COMPACT);
		jw_value(&w, block);
		jw_done(&w);
		content_add_line(c, sv_of(&json));
	}
}

static void content_clear(struct content *c)
{
	str_clear(&c->images);
	str_clear(&c->shown);
	str_clear(&c->saved);
}

/* Make blocks of the text and the images, if there are any. */
static void content_finish(struct content *c, size_t max)
{
	struct tool_result *result = &c->call->result;
	struct jw w;

	if (max && result->text.len > max)
		result_replace(c->call, max);
	if (c->images.len) {
		str_addc(&result->blocks, '[');
		jw_init(&w, &result->blocks, JW_COMPACT);
		jw_object(&w);
		jw_put_str(&w, "type", SV("text"));
		jw_put_str(&w, "text", sv_of(&result->text));
		jw_end(&w);
		jw_done(&w);
		str_add(&result->blocks, sv_of(&c->images));
		str_addc(&result->blocks, ']');
	}
	content_clear(c);
}

/* Give hosts and hooks all of it: the blocks, together with the structured content if there is some. */
static void content_write_data(const struct content *c, struct json structured)
{
	defer(str_clear) struct str blocks = STR_INIT;
	struct str *out = &c->call->result.data;
	struct jw w;

	str_addf(&blocks, "[%s]", c->shown.len ? c->shown.ptr + 1 : "");
	if (!json_exists(structured)) {
		str_add(out, sv_of(&blocks));
		return;
	}
	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_raw(&w, "content", sv_of(&blocks));
	jw_put_value(&w, "structuredContent", structured);
	jw_end(&w);
	jw_done(&w);
}

void mcp_content_take(struct tool_call *call, struct sv server, struct json result, size_t max)
{
	struct content c = { .call = call, .server = server };
	struct json structured = json_get(result, "structuredContent"), block;
	struct json_iter it = json_each(json_get(result, "content"));
	bool is_structured = json_is(structured, JSON_OBJECT) || json_is(structured, JSON_ARRAY);
	struct jw w;

	call->result.is_error = json_bool_or(json_get(result, "isError"), false);
	if (is_structured && !call->result.is_error) {
		jw_init(&w, &call->result.text, JW_COMPACT);
		jw_value(&w, structured);
		jw_done(&w);
	}
	while (json_next(&it, NULL, &block))
		content_add_block(&c, block, is_structured && !call->result.is_error);
	content_write_data(&c, structured);
	if (!call->result.text.len)
		content_add_line(&c, call->result.is_error
					     ? SV("The tool failed without saying why.")
					     : SV("(no content)"));
	content_finish(&c, max);
}

/* Write what hosts and hooks get of a resource, which was added just now. */
static void content_write_resource(struct jw *w, const struct content *c, struct json resource)
{
	struct json type = json_get(resource, "mimeType"), text = json_get(resource, "text");

	jw_object(w);
	jw_put_str(w, "uri", content_text(resource, "uri"));
	if (json_is(type, JSON_STRING))
		jw_put_value(w, "mimeType", type);
	if (json_is(text, JSON_STRING))
		jw_put_value(w, "text", text);
	else if (c->saved.len)
		jw_put_str(w, "blobSavedTo", sv_of(&c->saved));
	jw_end(w);
}

void mcp_content_take_resource(struct tool_call *call, struct sv server, struct json result,
			       size_t max)
{
	struct content c = { .call = call, .server = server };
	struct json_iter it = json_each(json_get(result, "contents"));
	struct json resource;
	struct jw w;

	jw_init(&w, &call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_array(&w, "contents");
	while (json_next(&it, NULL, &resource)) {
		content_add_resource(&c, resource);
		content_write_resource(&w, &c, resource);
	}
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	if (!call->result.text.len)
		content_add_line(&c, SV("The resource is empty."));
	content_finish(&c, max);
}

void mcp_content_take_prompt(struct tool_context *ctx, struct sv server, struct json result,
			     struct str *text, struct str *images)
{
	struct tool_call call = { .ctx = ctx, .id = SV("prompt") };
	struct content c = { .call = &call, .server = server };
	struct json_iter it = json_each(json_get(result, "messages"));
	struct json message;

	while (json_next(&it, NULL, &message)) {
		if (call.result.text.len)
			str_addc(&call.result.text, '\n'); /* an empty line between them */
		content_add_block(&c, json_get(message, "content"), false);
	}
	str_add(text, sv_of(&call.result.text));
	str_add(images, sv_of(&c.images));
	content_clear(&c);
	tool_result_clear(&call.result);
}

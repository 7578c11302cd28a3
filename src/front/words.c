#include "front/words.h"

#include <stdio.h>

#include "base/utf8.h"
#include "text/invisible.h"

enum { CALL_CELLS = 100 };

/* A carriage return lets a terminal write over what it has shown. */
static bool is_unfit(uint32_t rune)
{
	return rune == '\r' || unseen_is(rune);
}

void words_add(struct str *out, struct sv text)
{
	unseen_spell(out, text, is_unfit);
}

void words_add_exact(struct str *out, struct sv text)
{
	unseen_spell(out, text, unseen_misleads);
}

void words_add_name(struct str *out, struct sv text)
{
	unseen_spell(out, text, unseen_misleads_within);
}

void words_add_line(struct str *out, struct sv text, size_t cells)
{
	defer(str_clear) struct str clean = STR_INIT;
	struct sv rest = sv_trim(text), line = SV_EMPTY, fits;
	size_t width = 0;
	bool more;

	sv_cut_line(&rest, &line);
	words_add_exact(&clean, line);
	fits = sv_of(&clean);
	for (size_t at = 0; at < clean.len;) {
		int wide;
		size_t n = utf8_cluster(sv_skip(sv_of(&clean), at), &wide);

		width += (size_t)wide;
		if (width > cells) {
			fits = sv_slice(fits, 0, at);
			break;
		}
		at += n;
	}
	more = rest.len || fits.len < clean.len;
	str_add(out, fits);
	if (more)
		str_adds(out, fits.len && fits.len == clean.len ? " ..." : "...");
}

struct sv words_path(struct sv path, struct sv cwd)
{
	if (cwd.len && sv_starts(path, cwd) && path.len > cwd.len + 1 && path.ptr[cwd.len] == '/')
		return sv_skip(path, cwd.len + 1);
	return path;
}

void words_add_call(struct str *out, struct sv tool, struct json input, struct sv cwd)
{
	/* The member that says most of what a call does, whatever the tool. */
	static const char *const telling[] = { "file_path", "notebook_path", "command", "pattern",
					       "url",       "query",         "path",    "skill",
					       "name",      "description",   "prompt" };
	struct sv text;

	words_add_line(out, tool, CALL_CELLS);
	for (size_t i = 0; i < countof(telling); i++) {
		if (!json_str(json_get(input, telling[i]), &text) || !sv_trim(text).len)
			continue;
		str_addc(out, ' ');
		words_add_line(out, words_path(text, cwd), CALL_CELLS);
		return;
	}
}

static void words_add_retry(struct str *out, struct json event)
{
	words_add_line(out,
		       json_str_or(json_get(event, "awl_text"),
				   json_str_or(json_get(event, "error"), SV("the request failed"))),
		       SIZE_MAX);
	str_addf(out, "; trying again in %.1f s (attempt %lld of %lld)",
		 json_real_or(json_get(event, "retry_delay_ms"), 0) / 1000,
		 (long long)json_int_or(json_get(event, "attempt"), 0),
		 (long long)json_int_or(json_get(event, "max_retries"), 0));
}

static void words_add_stall(struct str *out, struct json event)
{
	str_addf(out, "nothing has come for %lld s; giving up after %lld s",
		 (long long)json_int_or(json_get(event, "silent_ms"), 0) / 1000,
		 (long long)json_int_or(json_get(event, "limit_ms"), 0) / 1000);
}

static void words_add_content(struct str *out, struct json event)
{
	words_add(out, sv_trim(json_str_or(json_get(event, "content"), SV_EMPTY)));
}

bool words_add_notice(struct str *out, const char *subtype, struct json event)
{
	static const struct {
		const char *subtype;
		void (*add)(struct str *out, struct json event);
	} notices[] = {
		{ "api_retry", words_add_retry },
		{ "awl_stall", words_add_stall },
		{ "model_fallback", words_add_content },
		{ "informational", words_add_content },
	};

	for (size_t i = 0; i < countof(notices); i++) {
		if (!sv_is(sv_cstr(subtype), notices[i].subtype))
			continue;
		notices[i].add(out, event);
		return true;
	}
	return false;
}

void complain_v(const char *fmt, va_list args)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str line = STR_INIT;

	str_vaddf(&text, fmt, args);
	words_add(&line, sv_of(&text));
	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] == '\n')
			line.ptr[i] = ' ';
	fprintf(stderr, "awl: %s\n", str_c(&line));
}

void complain(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	complain_v(fmt, args);
	va_end(args);
}

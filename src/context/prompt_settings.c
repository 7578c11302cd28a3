#include "context/prompt_settings.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "context/visible_text.h"

/* The text of git_guide.md, embedded by the build. */
extern const char git_guide_page[];
extern const size_t git_guide_page_size;

/* Appends the visible text of `raw` on one line, cut to `max`. */
static void prompt_add_line(struct str *out, struct sv raw, size_t max)
{
	defer(str_clear) struct str text = STR_INIT;
	size_t start = out->len;

	visible_text(&text, raw);
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] < ' ' || text.ptr[i] == 0x7f)
			text.ptr[i] = ' ';
	str_add(out, sv_trim(utf8_prefix(sv_trim(sv_of(&text)), max)));
	while (out->len > start && out->ptr[out->len - 1] == ' ')
		str_truncate(out, out->len - 1);
}

/* --- language -------------------------------------------------------------------- */

static void prompt_add_language(struct str *out, const struct settings *settings)
{
	defer(str_clear) struct str language = STR_INIT;

	prompt_add_line(&language, sv_cstr(settings_str(settings, "language")), LIMIT_LANGUAGE);
	if (!language.len)
		return;
	str_addf(out,
		 "# Language\n\nAlways answer in this language: %s. Keep code, comments, commits "
		 "and quotations in their own language.\n",
		 language.ptr);
}

/* --- who made it ------------------------------------------------------------------ */

/* Returns the text that the settings give; missing: none. */
static struct json prompt_own_words(const struct settings *settings, const char *what)
{
	return json_get(settings_get(settings, "attribution"), what);
}

/* Returns whether to add an attribution; "attribution" overrides the old key. */
static bool is_attributed(const struct settings *settings)
{
	struct json attribution = settings_get(settings, "attribution");

	return json_exists(attribution) ? json_bool_or(attribution, true)
					: settings_bool(settings, "includeCoAuthoredBy");
}

static void prompt_add_model(struct str *out, const struct prompt_settings_opts *o)
{
	prompt_add_line(out, o->model_name.len ? o->model_name : o->model_id, LIMIT_LANGUAGE);
}

/* Appends the author of the model. Only its vendor has an address. */
static void prompt_add_trailer(struct str *out, const struct prompt_settings_opts *o)
{
	bool is_claude = sv_find_nocase(o->model_id, SV("claude")) != SIZE_MAX;

	str_adds(out, is_claude ? "Co-Authored-By: " : "Assisted-By: ");
	prompt_add_model(out, o);
	str_adds(out, is_claude ? " <noreply@anthropic.com>" : "");
}

static void prompt_add_pull_request_line(struct str *out, const struct prompt_settings_opts *o)
{
	str_adds(out, "Made with awl and ");
	prompt_add_model(out, o);
	str_addc(out, '.');
}

/* Appends the text as an indented block, which no text can end. */
static void prompt_add_block(struct str *out, struct sv text)
{
	struct sv line;

	str_addc(out, '\n');
	while (sv_cut_line(&text, &line))
		str_addf(out, "%s%.*s\n", sv_trim(line).len ? "      " : "", SV_ARG(line));
}

static void prompt_add_attribution(struct str *out, const struct prompt_settings_opts *o,
				   const char *where, const char *what,
				   void (*usual)(struct str *, const struct prompt_settings_opts *))
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv own;

	if (json_str(prompt_own_words(o->settings, what), &own))
		visible_text(&text, utf8_prefix(own, LIMIT_ATTRIBUTION));
	else if (is_attributed(o->settings))
		usual(&text, o);
	if (!sv_trim(sv_of(&text)).len) {
		str_addf(out, "- Do not mention in %s who or what made it.\n", where);
		return;
	}
	str_addf(out, "- End %s with these lines, after an empty line:\n", where);
	prompt_add_block(out, sv_trim(sv_of(&text)));
}

static void prompt_add_git(struct str *out, const struct prompt_settings_opts *o)
{
	str_adds(out, out->len ? "\n" : "");
	str_add(out, sv_from(git_guide_page, git_guide_page_size));
	prompt_add_attribution(out, o, "a commit message", "commit", prompt_add_trailer);
	prompt_add_attribution(out, o, "the text of a pull request", "pr",
			       prompt_add_pull_request_line);
}

void prompt_settings_write(struct str *out, const struct prompt_settings_opts *opts)
{
	prompt_add_language(out, opts->settings);
	if (opts->can_commit && settings_bool(opts->settings, "includeGitInstructions"))
		prompt_add_git(out, opts);
}

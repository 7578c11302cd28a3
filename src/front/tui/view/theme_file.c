/* Themes of the user's own. The names of the colours are those of Claude Code; those for which awl has no use are
 * accepted. */
#include "base/ascii.h"
#include "front/tui/view/theme.h"
#include "text/json/json.h"

struct theme_token {
	const char *name;
	size_t style; /* offset in the theme */
	bool is_background;
};

#define STYLE(member) offsetof(struct theme, member)

static const struct theme_token tokens[] = {
	{ "claude", STYLE(accent), false },
	{ "claude", STYLE(prompt), false },
	{ "text", STYLE(text), false },
	{ "inactive", STYLE(dim), false },
	{ "suggestion", STYLE(selected), false },
	{ "success", STYLE(success), false },
	{ "error", STYLE(error), false },
	{ "error", STYLE(bypass), false },
	{ "warning", STYLE(warning), false },
	{ "promptBorder", STYLE(border), false },
	{ "planMode", STYLE(plan), false },
	{ "autoAccept", STYLE(accept_edits), false },
	{ "fastMode", STYLE(fast), false },
	{ "diffAdded", STYLE(added), true },
	{ "diffRemoved", STYLE(removed), true },
	{ "diffAddedWord", STYLE(added_mark), true },
	{ "diffRemovedWord", STYLE(removed_mark), true },
	{ "userMessageBackground", STYLE(user), true },
};

static const char unused[][18] = {
	"inverseText",
	"subtle",
	"permission",
	"remember",
	"merged",
	"bashBorder",
	"ide",
	"diffAddedDimmed",
	"diffRemovedDimmed",
	"selectionBg",
	"rate_limit_fill",
	"rate_limit_empty",
	"secondaryBorder",
};

bool theme_is_slug(struct sv slug)
{
	for (size_t i = 0; i < slug.len; i++)
		if (!ascii_is_alnum(slug.ptr[i]) && !ascii_is_one_of(slug.ptr[i], "-_"))
			return false;
	return slug.len > 0;
}

static bool theme_knows(struct sv name)
{
	for (size_t i = 0; i < countof(tokens); i++)
		if (sv_is(name, tokens[i].name))
			return true;
	for (size_t i = 0; i < countof(unused); i++)
		if (sv_is(name, unused[i]))
			return true;
	return sv_ends(name, SV("_FOR_SUBAGENTS_ONLY")) || sv_starts(name, SV("fast"));
}

static void theme_override(struct theme *theme, struct sv name, struct color color)
{
	for (size_t i = 0; i < countof(tokens); i++) {
		struct style style;
		char *at = (char *)theme + tokens[i].style;

		if (!sv_is(name, tokens[i].name))
			continue;
		memcpy(&style, at, sizeof(style));
		*(tokens[i].is_background ? &style.bg : &style.fg) = color;
		memcpy(at, &style, sizeof(style));
	}
}

void theme_read(struct theme *theme, struct sv json, enum tty_background background,
		struct str *problems)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, &err);
	struct json_iter it = json_each(json_get(json_root(doc), "overrides"));
	struct json value;
	struct sv name;

	*theme = *theme_find(json_str_or(json_get(json_root(doc), "base"), SV_EMPTY), background);
	if (!doc)
		str_addf(problems, "%s\n", err.text);
	while (json_next(&it, &name, &value)) {
		struct color color;

		if (!theme_knows(name))
			str_addf(problems, "there is no colour \"%.*s\"\n",
				 SV_ARG(sv_slice(name, 0, 40)));
		else if (!color_parse(json_str_or(value, SV_EMPTY), &color))
			str_addf(problems,
				 "%.*s: a colour is \"#rrggbb\", \"#rgb\", \"rgb(r,g,b)\", "
				 "\"ansi256(n)\" or \"ansi:name\"\n",
				 SV_ARG(name));
		else
			theme_override(theme, name, color);
	}
}

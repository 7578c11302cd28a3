#include "context/system_prompt.h"

#include "context/visible_text.h"

/* The text of system_prompt.md, embedded by the build. */
extern const char system_prompt_page[];
extern const size_t system_prompt_page_size;

static void prompt_add_part(struct str *out, struct sv part)
{
	part = sv_trim(part);
	if (out->len > 0 && part.len > 0)
		str_adds(out, "\n\n");
	str_add(out, part);
}

/* Who the model is when an output style replaces the instructions about coding. */
static const char prompt_styled_intro[] =
	"You are awl, an agent. You work in a terminal, on the user's machine, with the tools you "
	"are given, and help in the way that the output style below describes.";

/* Whether a section of awl's page is omitted: a style has its own idea of length and tone, and most
 * styles that users write are about something else than coding. */
static bool prompt_omits(const struct prompt_style *style, struct sv section)
{
	return style->text.len && (sv_starts(section, SV("# Tone\n")) ||
				   (!style->keeps_coding && sv_starts(section, SV("# Work\n"))));
}

/* Cut the first section of a page: the text up to the next heading. */
static struct sv prompt_cut_section(struct sv *page)
{
	size_t end = sv_find(*page, SV("\n# "));
	struct sv section = sv_slice(*page, 0, end == SIZE_MAX ? page->len : end + 1);

	*page = sv_skip(*page, section.len);
	return section;
}

static void prompt_add_page(struct str *out, const struct prompt_style *style)
{
	struct sv page = sv_from(system_prompt_page, system_prompt_page_size);
	struct sv intro = prompt_cut_section(&page);

	prompt_add_part(out, style->text.len && !style->keeps_coding ? sv_cstr(prompt_styled_intro)
								     : intro);
	while (page.len) {
		struct sv section = prompt_cut_section(&page);

		if (!prompt_omits(style, section))
			prompt_add_part(out, section);
	}
}

static void prompt_add_style(struct str *out, const struct prompt_style *style)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!style->text.len)
		return;
	str_addf(&text, "# Output style: %.*s\n\n", SV_ARG(style->name));
	visible_text(&text, style->text);
	prompt_add_part(out, sv_of(&text));
}

void prompt_system(struct str *out, const struct prompt_opts *opts)
{
	if (opts->custom) {
		prompt_add_part(out, sv_cstr(opts->custom));
	} else {
		prompt_add_page(out, &opts->style);
		prompt_add_part(out, opts->settings);
		prompt_add_style(out, &opts->style);
	}
	prompt_add_part(out, sv_cstr(opts->append));
	prompt_add_part(out, sv_cstr(opts->append_more));
}

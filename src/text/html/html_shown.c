#include "text/html/html_shown.h"

static bool html_is_content(GumboTag tag)
{
	switch ((int)tag) {
	case GUMBO_TAG_HEAD:
	case GUMBO_TAG_SCRIPT:
	case GUMBO_TAG_STYLE:
	case GUMBO_TAG_NOSCRIPT:
	case GUMBO_TAG_TEMPLATE:
	case GUMBO_TAG_NAV:
	case GUMBO_TAG_MENU:
	case GUMBO_TAG_BUTTON:
	case GUMBO_TAG_SELECT:
	case GUMBO_TAG_DATALIST:
	case GUMBO_TAG_INPUT:
	case GUMBO_TAG_TEXTAREA:
	case GUMBO_TAG_IFRAME:
	case GUMBO_TAG_OBJECT:
	case GUMBO_TAG_EMBED:
	case GUMBO_TAG_APPLET:
	case GUMBO_TAG_CANVAS:
	case GUMBO_TAG_AUDIO:
	case GUMBO_TAG_VIDEO:
	case GUMBO_TAG_MAP:
	case GUMBO_TAG_SVG: return false;
	default: return true;
	}
}

/* "0", "0px", "0.0em", ".0%" */
static bool is_zero(struct sv value)
{
	size_t n = 0;

	while (n < value.len && (value.ptr[n] == '0' || value.ptr[n] == '.'))
		n++;
	return n > 0 && (n == value.len || value.ptr[n] < '0' || value.ptr[n] > '9');
}

/* A position far outside the window: at least four digits, as authors write it. */
static bool is_far(struct sv value)
{
	size_t n = 1;

	while (n < value.len && value.ptr[n] >= '0' && value.ptr[n] <= '9')
		n++;
	return sv_starts(value, SV("-")) && n > 3;
}

static bool html_is_word(struct sv value, const char *word)
{
	return sv_eq_nocase(value, sv_cstr(word));
}

static bool html_declaration_hides(struct sv name, struct sv value)
{
	static const char sizes[][11] = { "font-size", "opacity",    "width",
					  "height",    "max-height", "max-width" };
	static const char *const places[] = { "left", "top", "text-indent", "margin-left" };

	value = sv_trim(sv_slice(value, 0, sv_find_char(value, '!')));
	if (html_is_word(name, "display"))
		return html_is_word(value, "none");
	if (html_is_word(name, "visibility"))
		return html_is_word(value, "hidden") || html_is_word(value, "collapse");
	if (html_is_word(name, "color"))
		return html_is_word(value, "transparent");
	if (html_is_word(name, "clip"))
		return sv_find_nocase(value, SV("rect(0")) == 0 ||
		       sv_find_nocase(value, SV("rect(1px")) == 0;
	for (size_t i = 0; i < countof(sizes); i++)
		if (html_is_word(name, sizes[i]))
			return is_zero(value);
	for (size_t i = 0; i < countof(places); i++)
		if (html_is_word(name, places[i]))
			return is_far(value);
	return false;
}

static void html_drop_comments(struct str *out, struct sv css)
{
	size_t begin, end;

	while ((begin = sv_find(css, SV("/*"))) != SIZE_MAX) {
		str_add(out, sv_slice(css, 0, begin));
		css = sv_skip(css, begin + 2);
		end = sv_find(css, SV("*/"));
		css = end == SIZE_MAX ? SV_EMPTY : sv_skip(css, end + 2);
	}
	str_add(out, css);
}

/* Whether a `style` attribute hides its element. */
static bool html_style_hides(struct sv style)
{
	defer(str_clear) struct str plain = STR_INIT;
	struct sv rest, declaration, name;

	html_drop_comments(&plain, style);
	rest = sv_of(&plain);
	while (sv_cut(&rest, ';', &declaration))
		if (sv_cut(&declaration, ':', &name) && declaration.ptr &&
		    html_declaration_hides(sv_trim(name), sv_trim(declaration)))
			return true;
	return false;
}

/* Compare the name, because old versions of gumbo have no number for this element. */
static bool is_dialog(const GumboNode *node)
{
	GumboStringPiece name = node->v.element.original_tag;

	gumbo_tag_from_original_text(&name);
	return sv_eq_nocase(sv_from(name.data, name.length), SV("dialog"));
}

bool html_is_shown(const GumboNode *node)
{
	struct sv role = html_attribute(node, "role");

	if (!html_is_element(node) || !html_is_content(node->v.element.tag))
		return false;
	if (is_dialog(node) && !html_has_attribute(node, "open"))
		return false;
	if (html_has_attribute(node, "hidden") ||
	    sv_eq_nocase(html_attribute(node, "aria-hidden"), SV("true")))
		return false;
	if (sv_eq_nocase(role, SV("navigation")) || sv_eq_nocase(role, SV("search")))
		return false;
	return !html_style_hides(html_attribute(node, "style"));
}

#include "context/summary.h"

extern const char summary_page[];

void summary_request(struct str *out, struct sv focus)
{
	str_add(out, sv_trim(sv_cstr(summary_page)));
	if (focus.len)
		str_addf(out, "\n\nKeep this above all: %.*s", SV_ARG(focus));
}

/* --- the answer --------------------------------------------------------------------------- */

/* Cut what stands between two tags out of `text`. Without an end it is all that follows. */
static bool summary_find(struct sv text, struct sv open, struct sv close, size_t *from, size_t *to)
{
	size_t start = sv_find(text, open), length;

	if (start == SIZE_MAX)
		return false;
	*from = start + open.len;
	length = sv_find(sv_skip(text, *from), close);
	*to = length == SIZE_MAX ? text.len : *from + length;
	return true;
}

bool summary_read(struct str *out, struct sv answer)
{
	size_t before = out->len, from, to;

	if (summary_find(answer, SV("<summary>"), SV("</summary>"), &from, &to)) {
		str_add(out, sv_trim(sv_slice(answer, from, to)));
	} else if (summary_find(answer, SV("<analysis>"), SV("</analysis>"), &from, &to)) {
		str_add(out, sv_trim(sv_slice(answer, 0, from - strlen("<analysis>"))));
		str_add(out, sv_trim(sv_skip(answer, to + strlen("</analysis>"))));
	} else {
		str_add(out, sv_trim(answer));
	}
	return out->len > before;
}

/* --- the message ---------------------------------------------------------------------------- */

#define SUMMARY_INTRO \
	"This conversation continues an earlier one that became too long for the window. "
#define SUMMARY_FILES "Files that were read or changed:"

static void summary_add_part(struct str *out, const char *title, struct sv text)
{
	if (text.len)
		str_addf(out, "\n\n%s\n%.*s", title, SV_ARG(sv_trim(text)));
}

void summary_write(struct str *out, const struct summary_facts *facts)
{
	str_adds(out, SUMMARY_INTRO "This is what it was about:");
	summary_add_part(out, "Summary:", facts->summary);
	summary_add_part(out, "Tasks that are not done yet:", facts->todos);
	summary_add_part(out, "The plan:", facts->plan);
	summary_add_part(out, SUMMARY_FILES, facts->files);
	if (facts->transcript.len)
		str_addf(
			out,
			"\n\nIf a detail from before is missing here (a passage of code, an error "
			"message, something you wrote), look it up in the whole conversation: %.*s",
			SV_ARG(facts->transcript));
	if (facts->is_automatic)
		str_adds(out, "\n\nGo on with the work where it stopped, as if there had been no "
			      "interruption. Do not ask the user what to do, do not mention this "
			      "summary, and do not repeat it.");
}

/* The last such heading: the summary may contain the same words. */
bool summary_find_files(struct sv text, struct sv *files)
{
	static const struct sv heading = SV_INIT("\n\n" SUMMARY_FILES "\n");
	bool any = false;
	size_t at;

	if (!sv_starts(text, SV(SUMMARY_INTRO)))
		return false;
	while ((at = sv_find(text, heading)) != SIZE_MAX) {
		text = sv_skip(text, at + heading.len);
		any = true;
	}
	if (any)
		*files = text;
	return any;
}

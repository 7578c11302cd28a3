#include "context/notes.h"

#include "base/limits.h"
#include "sys/fs.h"

extern const char notes_template_page[];
extern const char notes_prompt_page[];

enum { SECTION_TOKENS = 2000, BYTES_PER_TOKEN = 4, PREVIEW_LINES = 8 };

/* Append the user's own text, or ours. */
static void notes_page(struct str *out, struct sv config_dir, const char *name, const char *ours)
{
	defer(str_clear) struct str path = STR_INIT, own = STR_INIT;
	struct err ignored = ERR_INIT;

	str_addf(&path, "%.*s/session-memory/config/%s", SV_ARG(config_dir), name);
	if (config_dir.len && fs_read(&own, path.ptr, LIMIT_MEMORY_FILE, &ignored) &&
	    sv_trim(sv_of(&own)).len)
		str_add(out, sv_of(&own));
	else
		str_adds(out, ours);
}

void notes_template(struct str *out, struct sv config_dir)
{
	notes_page(out, config_dir, "template.md", notes_template_page);
}

/* Append `text` with the first `name` in it replaced. */
static void notes_replace(struct str *text, struct sv name, struct sv value)
{
	size_t at = sv_find(sv_of(text), name);

	if (at != SIZE_MAX)
		str_splice(text, at, at + name.len, value);
}

/* Whether a line begins a section. */
static bool notes_is_heading(struct sv line)
{
	return sv_starts(line, SV("# "));
}

/* Append a line for each section that is too long. */
static void notes_warn(struct str *out, struct sv notes)
{
	struct sv rest = notes, line, title = SV_EMPTY;
	size_t bytes = 0;
	bool is_more = true;

	while (is_more) {
		is_more = sv_cut_line(&rest, &line);
		if (is_more && !notes_is_heading(line)) {
			bytes += line.len + 1;
			continue;
		}
		if (bytes / BYTES_PER_TOKEN > SECTION_TOKENS)
			str_addf(out,
				 "\n- Condense the section \"%.*s\": it has about %zu tokens, and "
				 "%d are allowed.",
				 SV_ARG(sv_trim(title)), bytes / BYTES_PER_TOKEN, SECTION_TOKENS);
		title = is_more ? sv_skip(line, 2) : SV_EMPTY;
		bytes = 0;
	}
}

void notes_request(struct str *out, struct sv config_dir, struct sv notes, struct sv path)
{
	defer(str_clear) struct str page = STR_INIT, warnings = STR_INIT;

	notes_page(&page, config_dir, "prompt.md", notes_prompt_page);
	notes_replace(&page, SV("{{notesPath}}"), path);
	notes_replace(&page, SV("{{currentNotes}}"), sv_trim(notes));
	notes_warn(&warnings, notes);
	str_add(out, sv_trim(sv_of(&page)));
	if (warnings.len)
		str_addf(out, "\n%s", warnings.ptr);
}

bool notes_read(struct str *out, struct sv answer)
{
	size_t from = sv_find(answer, SV("<notes>")), to;
	struct sv text;

	if (from == SIZE_MAX)
		return false;
	text = sv_skip(answer, from + strlen("<notes>"));
	to = sv_find(text, SV("</notes>"));
	text = sv_trim(sv_slice(text, 0, to));
	if (to == SIZE_MAX || !text.len) /* it was cut off */
		return false;
	str_add(out, text);
	str_addc(out, '\n');
	return true;
}

bool notes_preview(struct str *out, struct sv notes, size_t *more)
{
	struct sv rest = notes, line;
	size_t n = 0;

	*more = 0;
	while (sv_cut_line(&rest, &line)) {
		line = sv_trim(line);
		if (!line.len || notes_is_heading(line) ||
		    (sv_starts(line, SV("_")) && sv_ends(line, SV("_"))))
			continue;
		if (n++ < PREVIEW_LINES)
			str_addf(out, "%s%.*s", out->len ? "\n" : "", SV_ARG(line));
		else
			++*more;
	}
	return n > 0;
}

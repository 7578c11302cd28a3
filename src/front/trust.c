#include "front/trust.h"

#include <stdlib.h>

#include "front/display.h"
#include "text/secret_mask.h"

enum { TRUST_SPACES = 40 }; /* in a row: more of them could hide the rest of a line */

/* Append a line in which nothing is out of sight at the far end. */
static void trust_add_line(struct str *out, struct sv line)
{
	str_adds(out, "  | ");
	while (line.len) {
		size_t n = 0;

		while (n < line.len && line.ptr[n] == ' ')
			n++;
		if (n > TRUST_SPACES) {
			str_addf(out, "[%zu blanks]", n);
		} else {
			n += n < line.len;
			str_add(out, sv_slice(line, 0, n));
		}
		line = sv_skip(line, n);
	}
	str_addc(out, '\n');
}

static void trust_add_file(struct str *out, const struct awl_trust_file *file)
{
	struct sv rest = sv_cstr(file->text), line;

	str_addf(out, "%s:\n", file->path);
	while (sv_cut_line(&rest, &line))
		trust_add_line(out, line);
	rest = sv_cstr(file->scripts);
	while (sv_cut_line(&rest, &line))
		str_addf(out, "  a command in it names the script %.*s\n", SV_ARG(line));
}

static void trust_add_clean(struct str *out, struct sv text)
{
	defer(str_clear) struct str masked = STR_INIT;

	secret_mask(&masked, text);
	display_text(out, sv_of(&masked));
}

void trust_add_files(struct str *out, const struct awl_project *project)
{
	defer(str_clear) struct str text = STR_INIT;
	const struct awl_trust_file *file;

	for (size_t i = 0; (file = awl_trust_file_at(project, i)); i++)
		trust_add_file(&text, file);
	trust_add_clean(out, sv_of(&text));
}

void trust_add_summary(struct str *out, const struct awl_project *project, bool is_outdated)
{
	struct sv rest = sv_cstr(awl_trust_pending(project)), line;
	defer(str_clear) struct str text = STR_INIT;
	const struct awl_trust_file *file;

	str_addf(&text,
		 is_outdated ? "The files of %s have changed since you trusted them.\n"
			     : "The files of %s can make awl run programs and allow calls.\n",
		 awl_project_dir(project));
	str_adds(&text, "\nWhat takes effect once you trust them:\n");
	while (sv_cut_line(&rest, &line))
		str_addf(&text, "  %.*s\n", SV_ARG(line));
	str_adds(&text, "\nTrust is in these files as they are now, and ends when one changes:\n");
	for (size_t i = 0; (file = awl_trust_file_at(project, i)); i++)
		str_addf(&text, "  %s\n", file->path);
	trust_add_clean(out, sv_of(&text));
}

bool trust_is_needed(struct awl_project **out, const struct awl_project_options *options,
		     bool *is_outdated)
{
	enum awl_trust state;

	*out = NULL;
	/* Only a person can trust a project, and a session that awl runs is none. */
	if (getenv("CLAUDE_CODE_CHILD_SESSION") || awl_project_open(out, options) != AWL_OK)
		return false;
	if (awl_trust_look(*out, &state) == AWL_OK && *awl_trust_pending(*out) &&
	    (state == AWL_TRUST_NEVER_GIVEN || state == AWL_TRUST_OUTDATED)) {
		*is_outdated = state == AWL_TRUST_OUTDATED;
		return true;
	}
	awl_project_close(*out);
	*out = NULL;
	return false;
}

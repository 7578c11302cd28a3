#include "context/system_prompt.h"

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

void prompt_system(struct str *out, const struct prompt_opts *opts)
{
	if (opts->custom) {
		prompt_add_part(out, sv_cstr(opts->custom));
	} else {
		prompt_add_part(out, sv_from(system_prompt_page, system_prompt_page_size));
		prompt_add_part(out, opts->settings);
	}
	prompt_add_part(out, sv_cstr(opts->append));
	prompt_add_part(out, sv_cstr(opts->append_more));
}

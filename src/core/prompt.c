#include "core/prompt.h"

/* prompt.md, put into the program by the build. */
extern const char core_prompt_page[];
extern const size_t core_prompt_page_size;

void prompt_system(struct str *out, const struct prompt_opts *opts)
{
	struct sv page = sv_from(core_prompt_page, core_prompt_page_size);
	struct sv text = sv_trim(opts->custom ? sv_cstr(opts->custom) : page);
	struct sv append = sv_trim(sv_cstr(opts->append));

	str_add(out, text);
	if (text.len > 0 && append.len > 0)
		str_adds(out, "\n\n");
	str_add(out, append);
}

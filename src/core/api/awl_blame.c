/* awl_sessions.h: whose lines these are. */
#include <awl_sessions.h>
#include <stdlib.h>

#include "core/api/awl_int.h"
#include "store/undo/blame.h"
#include "sys/fs.h"

struct awl_blame {
	struct blame blame;
	VEC(struct awl_blame_prompt) prompts;
	VEC(struct sv) lines; /* views of the text */
};

void awl_blame_close(struct awl_blame *b)
{
	if (!b)
		return;
	vec_clear(&b->prompts);
	vec_clear(&b->lines);
	blame_clear(&b->blame);
	free(b);
}

static void awl_blame_fill(struct awl_blame *b)
{
	struct sv rest = sv_of(&b->blame.text), line;

	for (size_t i = 0; i < b->blame.prompts.n; i++) {
		const struct blame_prompt *p = &b->blame.prompts.at[i];

		vec_push(&b->prompts, ((struct awl_blame_prompt){ .session = p->session,
								  .uuid = p->uuid,
								  .title = p->title,
								  .time_ms = p->wall_ms,
								  .lines = p->nlines }));
	}
	while (rest.len && sv_cut(&rest, '\n', &line))
		vec_push(&b->lines, line);
}

enum awl_result awl_blame_open(struct awl_blame **out, struct awl *awl, const char *path)
{
	defer(str_clear) struct str file = STR_INIT;
	struct awl_blame *b = xnew(struct awl_blame);
	struct err err = ERR_INIT;

	*out = NULL;
	if (!fs_realpath(&file, path, &err) ||
	    !blame_file(&b->blame, sv_cstr(awl->engine->config_dir), file.ptr, &err)) {
		awl_blame_close(b);
		return awl_fail(&err);
	}
	awl_blame_fill(b);
	*out = b;
	return AWL_OK;
}

bool awl_blame_line(const struct awl_blame *b, size_t i, struct awl_blame_line *out)
{
	uint32_t prompt;

	if (i >= b->lines.n || i >= b->blame.lines.n)
		return false;
	prompt = b->blame.lines.at[i];
	*out = (struct awl_blame_line){ .text = b->lines.at[i].ptr,
					.length = b->lines.at[i].len,
					.prompt = prompt == BLAME_UNKNOWN
							  ? NULL
							  : &b->prompts.at[prompt] };
	return true;
}

const struct awl_blame_prompt *awl_blame_prompt(const struct awl_blame *b, size_t i)
{
	return i < b->prompts.n ? &b->prompts.at[i] : NULL;
}

#include "mcp/names.h"

#include "base/ascii.h"

static const struct sv name_prefix = SV_INIT("mcp__"), name_gap = SV_INIT("__");

void mcp_name_add(struct str *out, struct sv name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];

		if ((c & 0xc0) == 0x80) /* one '_' for a character, however many bytes it has */
			continue;
		str_addc(out, ascii_is_word(c) || c == '-' ? c : '_');
	}
}

void mcp_name_join(struct str *out, struct sv server, struct sv item)
{
	str_add(out, name_prefix);
	mcp_name_add(out, server);
	str_add(out, name_gap);
	mcp_name_add(out, item);
}

bool mcp_name_is(struct sv name, struct sv original)
{
	defer(str_clear) struct str made = STR_INIT;

	mcp_name_add(&made, original);
	return sv_eq(name, sv_of(&made));
}

bool mcp_name_cut(struct sv name, struct sv *server, struct sv *item)
{
	struct sv rest = sv_skip(name, name_prefix.len);
	size_t gap = sv_find(rest, name_gap);

	if (!sv_starts(name, name_prefix) || gap == SIZE_MAX || gap == 0)
		return false;
	*server = sv_slice(rest, 0, gap);
	*item = sv_skip(rest, gap + name_gap.len);
	return item->len > 0;
}

#include "text/bash/option_variable.h"

#include "base/ascii.h"

void option_variable(struct str *out, struct sv key)
{
	str_adds(out, "CLAUDE_PLUGIN_OPTION_");
	for (size_t i = 0; i < key.len; i++) {
		char c = key.ptr[i];

		if (c >= 'a' && c <= 'z')
			c = (char)(c - 'a' + 'A');
		str_addc(out, ascii_is_alnum(c) ? c : '_');
	}
}

void option_variable_rewrite(struct str *out, struct sv command)
{
	static const struct sv mark = SV_INIT("${user_config.");
	size_t at, end;

	while ((at = sv_find(command, mark)) != SIZE_MAX) {
		str_add(out, sv_slice(command, 0, at));
		command = sv_skip(command, at + mark.len);
		end = sv_find_char(command, '}');
		str_adds(out, "${");
		if (end == SIZE_MAX) {
			str_adds(out, "user_config.");
			break;
		}
		option_variable(out, sv_slice(command, 0, end));
		command = sv_skip(command, end);
	}
	str_add(out, command);
}

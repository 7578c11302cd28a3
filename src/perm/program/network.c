/* Network clients: arguments that name files. */
#include "perm/program/special.h"

static bool network_is_file_mark(char c)
{
	return c == '@' || c == '<';
}

/* "@file", "name=@file", "name@file" send a file. */
static void network_curl_value(struct invocation *inv, const struct given_option *option)
{
	size_t at = 0;

	while (at < option->value.len && !network_is_file_mark(option->value.ptr[at]))
		at++;
	if (at < option->value.len)
		inv_path(inv, option->value_arg, sv_skip(option->value, at + 1), OPERAND_READ);
}

/* All operands are addresses. */
static void network_note_addresses(struct invocation *inv)
{
	for (size_t i = 1; i < inv->operands.n; i++)
		vec_push(&inv->use->leads, inv->operands.at[i]);
}

void network_curl(struct invocation *inv)
{
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];
		bool is_cookie = option->row->tag == CURL_COOKIE;

		if (is_cookie && sv_find_char(option->value, '=') == SIZE_MAX)
			inv_path(inv, option->value_arg, option->value, OPERAND_READ);
		else if (!is_cookie)
			network_curl_value(inv, option);
		if (option->row->tag == CURL_FORMAT &&
		    (!option->known || sv_find(option->value, SV("%output")) != SIZE_MAX))
			inv_escalates(inv, option->arg, SV("--write-out"), "writes a file");
	}
	network_note_addresses(inv);
	for (size_t i = 0; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];
		struct sv url = inv->argv[arg].text, scheme = SV("file:");

		if (sv_eq_nocase(sv_slice(url, 0, scheme.len), scheme))
			inv_path(inv, arg, sv_skip(url, scheme.len), OPERAND_READ);
	}
}

/* Without -O, wget names the file after the last part of the address. */
void network_wget(struct invocation *inv)
{
	network_note_addresses(inv);
	if (inv_option(inv, WGET_OUTPUT))
		return;
	inv_path(inv, 0, SV("."), OPERAND_WRITE);
	for (size_t i = 0; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];
		struct sv url = inv->argv[arg].text, name = sv_basename(url);

		if (name.len)
			inv_path(inv, arg, name, OPERAND_WRITE);
	}
}

void network_scp(struct invocation *inv)
{
	size_t n = inv->operands.n;

	for (size_t i = 0; i < n; i++) {
		size_t arg = inv->operands.at[i];

		if (sv_find_char(inv->argv[arg].text, ':') == SIZE_MAX)
			inv_operand(inv, arg, i > 0 && i + 1 == n ? OPERAND_WRITE : OPERAND_READ);
	}
}

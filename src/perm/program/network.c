/* Network clients: arguments that name files. */
#include "base/ascii.h"
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

/* --- names of hosts in filters ------------------------------------------------------------- */

/* Whether it has to be looked up, which tells the network: not "127.0.0.1:80", "[::1]", "*". */
static bool network_is_name(struct sv host)
{
	size_t colons = 0, letters = 0;

	for (size_t i = 0; i < host.len; i++) {
		char c = host.ptr[i];

		if (!ascii_is_one_of(c, "0123456789abcdefABCDEF.:/[]*%"))
			return true;
		colons += c == ':';
		letters += c >= 'A';
	}
	return letters > 0 && colons < 2;
}

void network_lsof(struct invocation *inv)
{
	for (size_t i = 1; i < inv->n; i++) {
		struct sv text = inv->argv[i].text, host;
		size_t at = sv_find_char(text, '@');

		if (at == SIZE_MAX)
			continue;
		host = sv_skip(text, at + 1);
		if (!sv_starts(host, SV("[")))
			host = sv_slice(host, 0, min_of(sv_find_char(host, ':'), host.len));
		inv->use->network |= network_is_name(host);
	}
}

/* Whether the word of a filter for sockets is part of its language, a port or an address. */
static bool network_is_filter_word(struct sv word)
{
	static const char words[][13] = {
		"state",       "exclude",   "dst",      "src",        "sport",        "dport",
		"and",         "or",        "not",      "eq",         "ne",           "neq",
		"lt",          "le",        "leq",      "gt",         "ge",           "geq",
		"all",         "connected", "big",      "bucket",     "listen",       "listening",
		"established", "syn-sent",  "syn-recv", "fin-wait-1", "fin-wait-2",   "time-wait",
		"close-wait",  "last-ack",  "closed",   "closing",    "synchronized",
	};

	return sv_starts(word, SV(":")) || sv_is_among(word, words) || !network_is_name(word);
}

void network_ss(struct invocation *inv)
{
	for (size_t i = 0; i < inv->operands.n; i++) {
		struct sv text = inv_operand_text(inv, i);
		size_t from = 0;

		for (size_t at = 0; at <= text.len; at++) {
			if (at < text.len && !ascii_is_one_of(text.ptr[at], " \t=!<>()&|,"))
				continue;
			inv->use->network |= !network_is_filter_word(sv_slice(text, from, at));
			from = at + 1;
		}
	}
}

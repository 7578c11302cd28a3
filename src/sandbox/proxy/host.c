#include "sandbox/proxy/host.h"

#include <arpa/inet.h>

#include "base/limits.h"

static bool host_is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

static bool host_is_number(struct sv label)
{
	size_t n = sv_starts(label, SV("0x")) ? 2 : 0;

	for (size_t i = n; i < label.len; i++)
		if (!(label.ptr[i] >= '0' && label.ptr[i] <= '9') &&
		    !(n && label.ptr[i] >= 'a' && label.ptr[i] <= 'f'))
			return false;
	return true;
}

/* Labels separated by single dots. The last one is not a number, because some resolvers would take
 * the whole name for an address. */
static bool host_is_name(struct sv name)
{
	enum { LABEL_MAX = 63 };
	struct sv rest = name, label = SV_EMPTY;

	if (sv_ends(name, SV(".")))
		return false;
	while (sv_cut(&rest, '.', &label)) {
		if (!label.len || label.len > LABEL_MAX || label.ptr[0] == '-')
			return false;
		for (size_t i = 0; i < label.len; i++)
			if (!host_is_name_char(label.ptr[i]))
				return false;
	}
	return label.len && !host_is_number(label);
}

/* An address that embeds an IPv4 address is refused: it has another spelling. */
static bool host_read_v6(struct proxy_host *host, struct sv name)
{
	char text[INET6_ADDRSTRLEN + 1] = "";
	struct in6_addr address;

	if (name.len >= sizeof(text))
		return false;
	memcpy(text, name.ptr, name.len);
	if (strlen(text) != name.len || inet_pton(AF_INET6, text, &address) != 1)
		return false;
	if (IN6_IS_ADDR_V4MAPPED(&address) || IN6_IS_ADDR_V4COMPAT(&address))
		return false;
	inet_ntop(AF_INET6, &address, host->name, sizeof(host->name));
	return true;
}

static bool host_lower(struct proxy_host *host, struct sv name)
{
	if (!name.len || name.len >= sizeof(host->name))
		return false;
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];

		host->name[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
	}
	host->name[name.len] = '\0';
	return strlen(host->name) == name.len;
}

static bool host_read(struct proxy_host *host, struct sv name)
{
	struct in_addr address;

	if (sv_starts(name, SV("[")) && sv_ends(name, SV("]")))
		name = sv_slice(name, 1, name.len - 1);
	host->is_address = true;
	if (sv_find_char(name, ':') != SIZE_MAX)
		return host_read_v6(host, name);
	if (!host_lower(host, name))
		return false;
	if (inet_pton(AF_INET, host->name, &address) == 1)
		return true;
	host->is_address = false;
	return host_is_name(sv_cstr(host->name));
}

bool proxy_host_read(struct proxy_host *out, struct sv name, int port, struct err *err)
{
	struct proxy_host host = { .port = port };

	if (!host_read(&host, name))
		return err_set(err, ERR_INVALID, "this is not a valid host name");
	if (port < 1 || port > UINT16_MAX)
		return err_set(err, ERR_INVALID, "%d is not a valid port", port);
	*out = host;
	return true;
}

/* Cuts off ":port". False when it is not a valid port. An IPv6 address contains colons, and has
 * brackets when a port follows. */
static bool host_cut_port(struct sv *entry, int *port)
{
	size_t colon = sv_rfind_char(*entry, ':');
	int64_t n;

	*port = 0;
	if (colon == SIZE_MAX || sv_ends(*entry, SV("]")) ||
	    (sv_find_char(*entry, ':') != colon && !sv_starts(*entry, SV("["))))
		return true;
	if (!sv_to_int(sv_skip(*entry, colon + 1), &n) || n < 1 || n > UINT16_MAX)
		return false;
	*port = (int)n;
	*entry = sv_slice(*entry, 0, colon);
	return true;
}

static bool is_below(struct sv name, struct sv domain)
{
	return name.len > domain.len + 1 && sv_ends(name, domain) &&
	       name.ptr[name.len - domain.len - 1] == '.';
}

bool proxy_host_matches(const struct proxy_host *host, struct sv entry, bool wide, bool *exact)
{
	struct proxy_host named = { .port = 0 };
	struct err ignored;
	int port;
	bool stars;

	if (exact)
		*exact = false;
	if (!host_cut_port(&entry, &port) || (port && port != host->port))
		return false;
	if (wide && sv_is(entry, "*"))
		return true;
	stars = sv_starts(entry, SV("*."));
	if (!proxy_host_read(&named, stars ? sv_skip(entry, 2) : entry, host->port, &ignored))
		return false;
	if (!stars) {
		if (exact)
			*exact = strcmp(named.name, host->name) == 0;
		return strcmp(named.name, host->name) == 0;
	}
	if (named.is_address || host->is_address || (!wide && !strchr(named.name, '.')))
		return false;
	return is_below(sv_cstr(host->name), sv_cstr(named.name));
}

bool proxy_host_is_named(const char *name, struct sv entry)
{
	struct proxy_host host;
	struct err ignored;
	int port;

	return host_cut_port(&entry, &port) && proxy_host_read(&host, entry, 1, &ignored) &&
	       strcmp(host.name, name) == 0;
}

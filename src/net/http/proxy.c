#include "net/http/proxy.h"

#include <arpa/inet.h>

/* The address in network byte order. Returns its length in bytes; 0: it is not an address. */
static size_t proxy_to_address(struct sv text, uint8_t out[16])
{
	char name[INET6_ADDRSTRLEN];

	if (text.len >= sizeof(name))
		return 0;
	memcpy(name, text.ptr, text.len);
	name[text.len] = '\0';
	if (inet_pton(AF_INET, name, out) == 1)
		return 4;
	return inet_pton(AF_INET6, name, out) == 1 ? 16 : 0;
}

static bool proxy_in_network(struct sv network, struct sv prefix, struct sv host)
{
	uint8_t a[16], b[16];
	size_t len = proxy_to_address(network, a);
	int64_t bits;
	uint8_t rest;

	if (!len || proxy_to_address(host, b) != len || !sv_to_int(prefix, &bits))
		return false;
	if (bits < 0 || bits > (int64_t)len * 8 || memcmp(a, b, (size_t)bits / 8) != 0)
		return false;
	rest = (uint8_t)(0xff00 >> (bits % 8));
	return bits % 8 == 0 || ((a[bits / 8] ^ b[bits / 8]) & rest) == 0;
}

/* "example.org" and ".example.org" both mean this name and everything below it. */
static bool proxy_in_domain(struct sv domain, struct sv host)
{
	if (sv_starts(domain, SV(".")))
		domain = sv_skip(domain, 1);
	if (domain.len == 0 || domain.len > host.len)
		return false;
	if (!sv_eq_nocase(sv_skip(host, host.len - domain.len), domain))
		return false;
	return domain.len == host.len || host.ptr[host.len - domain.len - 1] == '.';
}

/* Cuts ":port" off `*entry`; false when it is not the port of `url`. */
static bool proxy_port_matches(struct sv *entry, const struct http_url *url)
{
	size_t colon = sv_rfind_char(*entry, ':');
	bool address = sv_find_char(*entry, ':') != colon && !sv_starts(*entry, SV("["));
	int64_t port;

	if (colon == SIZE_MAX || address || !sv_to_int(sv_skip(*entry, colon + 1), &port))
		return true;
	*entry = sv_slice(*entry, 0, colon);
	return port == http_url_port(url);
}

static bool proxy_excepts(struct sv entry, const struct http_url *url)
{
	size_t slash = sv_find_char(entry, '/');

	if (sv_is(entry, "*"))
		return true;
	if (slash != SIZE_MAX)
		return proxy_in_network(sv_slice(entry, 0, slash), sv_skip(entry, slash + 1),
					url->host);
	if (!proxy_port_matches(&entry, url))
		return false;
	if (sv_starts(entry, SV("[")) && sv_ends(entry, SV("]")))
		entry = sv_slice(entry, 1, entry.len - 1);
	if (sv_starts(entry, SV("*.")))
		entry = sv_skip(entry, 1);
	return proxy_in_domain(entry, url->host);
}

const char *proxy_for(const struct proxy_rules *rules, const struct http_url *url)
{
	const char *proxy = url->tls ? rules->for_https : rules->for_http;
	struct sv rest = sv_cstr(rules->except), part, entry;

	if (!proxy || !*proxy)
		return NULL;
	while (sv_cut(&rest, ',', &part))
		while (sv_cut(&part, ' ', &entry))
			if (proxy_excepts(sv_trim(entry), url))
				return NULL;
	return proxy;
}

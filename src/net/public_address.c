#include "net/public_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

struct block4 {
	uint32_t first;
	int bits;
};

#define IP4(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (d))

static bool public_v4(uint32_t address)
{
	static const struct block4 blocks[] = {
		{ IP4(0, 0, 0, 0), 8 },        /* this network */
		{ IP4(10, 0, 0, 0), 8 },       /* private */
		{ IP4(100, 64, 0, 0), 10 },    /* carrier-grade NAT; metadata of a cloud */
		{ IP4(127, 0, 0, 0), 8 },      /* loopback */
		{ IP4(168, 63, 129, 16), 32 }, /* services of a cloud */
		{ IP4(169, 254, 0, 0), 16 },   /* link-local; metadata of clouds */
		{ IP4(172, 16, 0, 0), 12 },    /* private */
		{ IP4(192, 0, 0, 0), 24 },     /* protocol assignments; metadata of a cloud */
		{ IP4(192, 0, 2, 0), 24 },     /* documentation */
		{ IP4(192, 88, 99, 0), 24 },   /* 6to4 relays */
		{ IP4(192, 168, 0, 0), 16 },   /* private */
		{ IP4(198, 18, 0, 0), 15 },    /* benchmarks */
		{ IP4(198, 51, 100, 0), 24 },  /* documentation */
		{ IP4(203, 0, 113, 0), 24 },   /* documentation */
		{ IP4(224, 0, 0, 0), 3 },      /* multicast, reserved, broadcast */
	};

	for (size_t i = 0; i < countof(blocks); i++)
		if (((address ^ blocks[i].first) >> (32 - blocks[i].bits)) == 0)
			return false;
	return true;
}

static uint32_t address_v4_at(const uint8_t *bytes)
{
	return IP4(bytes[0], bytes[1], bytes[2], bytes[3]);
}

/* Whether the address begins with these bits. */
static bool address_in_v6(const uint8_t *address, const uint8_t *first, int bits)
{
	int whole = bits / 8, rest = bits % 8;

	return memcmp(address, first, (size_t)whole) == 0 &&
	       (!rest || (address[whole] ^ first[whole]) >> (8 - rest) == 0);
}

/* Only 2000::/3 is assigned at all. Parts of it are not reachable by anybody, and some addresses
 * embed an IPv4 address. */
static bool public_v6(const uint8_t *a)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	static const uint8_t translated[12] = { 0x00, 0x64, 0xff, 0x9b };
	static const uint8_t global[1] = { 0x20 };
	static const struct {
		uint8_t first[4];
		int bits;
	} blocks[] = {
		{ { 0x20, 0x01, 0x00, 0x00 }, 23 }, /* protocols, Teredo */
		{ { 0x20, 0x01, 0x0d, 0xb8 }, 32 }, /* documentation */
		{ { 0x3f, 0xff, 0x00, 0x00 }, 20 }, /* documentation */
	};

	if (address_in_v6(a, mapped, 96) || address_in_v6(a, translated, 96))
		return public_v4(address_v4_at(a + 12));
	if (a[0] == 0x20 && a[1] == 0x02) /* 6to4 */
		return public_v4(address_v4_at(a + 2));
	for (size_t i = 0; i < countof(blocks); i++)
		if (address_in_v6(a, blocks[i].first, blocks[i].bits))
			return false;
	return address_in_v6(a, global, 3);
}

bool public_address(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET)
		return public_v4(ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr));
	if (address->sa_family == AF_INET6)
		return public_v6(((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr);
	return false;
}

static bool address_ends_nocase(struct sv host, struct sv suffix)
{
	return host.len >= suffix.len && sv_eq_nocase(sv_skip(host, host.len - suffix.len), suffix);
}

static bool public_name(struct sv name)
{
	static const char *const near[] = { ".localhost", ".local", ".internal" };

	for (size_t i = 0; i < countof(near); i++)
		if (address_ends_nocase(name, sv_cstr(near[i])))
			return false;
	return !sv_eq_nocase(name, SV("localhost"));
}

bool public_host(struct sv host)
{
	char name[INET6_ADDRSTRLEN + 1] = "";
	struct in_addr v4;
	struct in6_addr v6;

	host = sv_slice(host, 0, sv_find_char(host, '%')); /* the zone of an IPv6 address */
	if (sv_ends(host, SV(".")))
		host.len--;
	if (host.len < sizeof(name)) {
		memcpy(name, host.ptr, host.len);
		if (inet_pton(AF_INET6, name, &v6) == 1)
			return public_v6(v6.s6_addr);
		if (inet_aton(name, &v4) == 1)
			return public_v4(ntohl(v4.s_addr));
	}
	return public_name(host);
}

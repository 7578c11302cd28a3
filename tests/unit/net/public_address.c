#include "net/public_address.h"

#include <stdio.h>

#include "net/http/fetch.h"
#include "net/http/peer.h"
#include "test.h"

TEST(addresses_near_us_or_of_nobody_are_not_public_however_spelt)
{
	static const char *const near[] = {
		"0.0.0.0",
		"10.1.2.3",
		"100.64.0.1",
		"100.100.100.200",
		"127.0.0.1",
		"127.255.255.255",
		"127.1",
		"0x7f000001",
		"017700000001",
		"2130706433",
		"168.63.129.16",
		"169.254.169.254",
		"172.16.0.1",
		"172.31.255.255",
		"192.0.0.192",
		"192.0.2.1",
		"192.168.0.1",
		"198.18.0.1",
		"198.19.255.255",
		"198.51.100.1",
		"203.0.113.1",
		"224.0.0.1",
		"240.0.0.1",
		"255.255.255.255",
		"::",
		"::1",
		"::127.0.0.1",
		"::ffff:127.0.0.1",
		"::ffff:a9fe:a9fe",
		"64:ff9b::7f00:1",
		"2002:7f00:1::",
		"2001::1",
		"2001:db8::1",
		"3fff::1",
		"fc00::1",
		"fd00:ec2::254",
		"fe80::1",
		"fe80::1%eth0",
		"fec0::1",
		"ff02::1",
		"100::1",
		"localhost",
		"LocalHost.",
		"a.localhost",
		"printer.local",
		"metadata.google.internal",
	};

	for (size_t i = 0; i < countof(near); i++)
		CHECK(!public_host(sv_cstr(near[i])));
}

TEST(addresses_of_the_world_and_names_are_public)
{
	static const char *const far[] = {
		"1.1.1.1",
		"9.255.255.255",
		"11.0.0.0",
		"100.63.255.255",
		"100.128.0.0",
		"126.255.255.255",
		"128.0.0.1",
		"168.63.129.17",
		"169.253.255.255",
		"172.15.255.255",
		"172.32.0.0",
		"192.167.255.255",
		"198.17.255.255",
		"198.20.0.0",
		"223.255.255.255",
		"::ffff:1.1.1.1",
		"64:ff9b::101:101",
		"2002:101:101::",
		"2001:200::1",
		"2606:4700:4700::1111",
		"example.com",
		"local",
		"mylocalhost",
		"10.example.com",
		"",
	};

	for (size_t i = 0; i < countof(far); i++)
		CHECK(public_host(sv_cstr(far[i])));
}

TEST(an_address_of_no_network_is_not_public)
{
	CHECK(!public_address(&(struct sockaddr){ .sa_family = AF_UNIX }));
}

TEST(a_request_for_public_addresses_does_not_connect_to_near_ones)
{
	PEER(peer, DO(ACCEPT), DO(HANGUP));
	FETCH(f, &peer);

	fetch_start(&f, &(struct http_request){
				.url = peer.url, .public_only = true, .total_ms = 20000 });
	fetch_run(&f);
	CHECK_ERR(f.why, ERR_ACCESS, "not an address of the public network");
	CHECK_INT(f.heads, 0);
	http_freep(&f.http);
	peer_stop(&peer);
	CHECK_INT(peer.accepted, 0);
}

/* A name that looks public and resolves to this machine: the trick that a check of
 * the URL alone does not see. The machine's own name serves for one. */
TEST(the_address_counts_that_a_name_resolves_to)
{
	char name[256], url[300];
	PEER(peer, DO(ACCEPT), DO(HANGUP));
	FETCH(f, &peer);

	CHECK_INT(gethostname(name, sizeof(name)), 0);
	snprintf(url, sizeof(url), "http://%s:%d/", name, peer.port);
	CHECK(public_host(sv_cstr(name)));
	fetch_start(&f,
		    &(struct http_request){ .url = url, .public_only = true, .total_ms = 20000 });
	fetch_run(&f);
	if (f.why.kind != ERR_DNS) /* a machine that cannot resolve itself */
		CHECK_ERR(f.why, ERR_ACCESS, "public network");
	http_freep(&f.http);
	peer_stop(&peer);
	CHECK_INT(peer.accepted, 0);
}

TEST(a_connection_that_is_open_already_is_not_used_where_none_may_be_made)
{
	char name[256], url[300];
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
	     DO(HANGUP));
	FETCH(f, &peer);

	CHECK_INT(gethostname(name, sizeof(name)), 0);
	snprintf(url, sizeof(url), "http://%s:%d/", name, peer.port);
	fetch_start(&f, &(struct http_request){ .url = url });
	fetch_run(&f);
	if (f.why.kind == ERR_DNS)
		return;
	CHECK_SV(sv_of(&f.body), "hi");
	fetch_start(&f,
		    &(struct http_request){ .url = url, .public_only = true, .total_ms = 20000 });
	fetch_run(&f);
	CHECK_ERR(f.why, ERR_ACCESS, "public network");
	CHECK_INT(f.heads, 0);
	http_freep(&f.http);
	peer_stop(&peer);
	CHECK(sv_find(sv_skip(sv_of(&peer.seen), 1), SV("GET ")) == SIZE_MAX);
}

/* public_address.h - which addresses belong to the world at large, and
 * which to this machine, the network around it or nobody. Pure. */
#ifndef AWL_NET_PUBLIC_ADDRESS_H
#define AWL_NET_PUBLIC_ADDRESS_H

#include <sys/socket.h>

#include "base/str.h"

/* False for loopback, private, link-local, multicast and reserved addresses, the
 * services that clouds run for their machines, IPv6 addresses that wrap one of
 * these, and other families. */
bool public_address(const struct sockaddr *address);

/* The same for an address in any spelling that a resolver takes ("127.1",
 * "0x7f000001", "::1"). A name is public unless it can only mean something near:
 * "localhost", or one that ends in .localhost, .local or .internal. */
bool public_host(struct sv host);

#endif

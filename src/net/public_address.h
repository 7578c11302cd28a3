/* public_address.h - which addresses are public, and which belong to this machine, to a private
 * network or to nobody. Pure. */
#ifndef AWL_NET_PUBLIC_ADDRESS_H
#define AWL_NET_PUBLIC_ADDRESS_H

#include <sys/socket.h>

#include "base/str.h"

/* False for loopback, private, link-local, multicast and reserved addresses, for the services that
 * clouds offer to their machines, for IPv6 addresses that embed one of these, and for other address
 * families. */
bool public_address(const struct sockaddr *address);

/* The same for an address in any spelling that a resolver accepts ("127.1", "0x7f000001", "::1"). A
 * name is public unless it can only be a private one: "localhost", or a name that ends in
 * .localhost, .local or .internal. */
bool public_host(struct sv host);

#endif

/* rsa.h - RSA signatures, by OpenSSL's libcrypto, which is loaded when the first
 * one is wanted and never by a command that needs none. Blocks for about a
 * millisecond. */
#ifndef AWL_NET_RSA_H
#define AWL_NET_RSA_H

#include "base/err.h"
#include "base/str.h"

#define RSA_LIBRARY "libcrypto.so.3"

/* Appends the RSASSA-PKCS1-v1_5 signature with SHA-256 (the RS256 of JWT) of
 * `message` by the private key `pem`. `library` is RSA_LIBRARY, as dlopen() takes
 * it. Fails with ERR_UNSUPPORTED when that is missing, naming the package to
 * install; with ERR_INVALID when the key is no unencrypted RSA key of at least
 * 2048 bits; then `out` is unchanged. No text has anything of the key. */
must_use bool rsa_sign_sha256(struct str *out, const char *library, struct sv pem,
			      struct sv message, struct err *err);

#endif

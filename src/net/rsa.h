/* rsa.h - RSA signatures by libcrypto of OpenSSL, which is loaded for the first signature and never
 * by a command that needs none. Blocks for about a millisecond. */
#ifndef AWL_NET_RSA_H
#define AWL_NET_RSA_H

#include "base/err.h"
#include "base/str.h"

#define RSA_LIBRARY "libcrypto.so.3"

/* Appends the RSASSA-PKCS1-v1_5 signature with SHA-256 (RS256 in JWT) of `message` by the private
 * key `pem`. `library` is RSA_LIBRARY, as for dlopen(). Fails with ERR_UNSUPPORTED when that is
 * missing; the error names the package to install. Fails with ERR_INVALID when the key is not an
 * unencrypted RSA key of at least 2048 bits. Then `out` is unchanged. No message contains any part
 * of the key. */
must_use bool rsa_sign_sha256(struct str *out, const char *library, struct sv pem,
			      struct sv message, struct err *err);

#endif

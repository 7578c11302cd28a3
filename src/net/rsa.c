#include "net/rsa.h"

#include <dlfcn.h>

/* Declared here instead of including the headers of OpenSSL, which nothing else needs. These
 * functions belong to its stable 3.x interface. */
struct bio;
struct evp_pkey;
struct evp_md;
struct evp_md_ctx;
typedef int password_fn(char *out, int size, int writing, void *arg);

struct crypto {
	struct bio *(*bio_new_mem_buf)(const void *bytes, int size);
	int (*bio_free)(struct bio *bio);
	struct evp_pkey *(*pem_read_private_key)(struct bio *bio, struct evp_pkey **key,
						 password_fn *password, void *arg);
	int (*pkey_type)(const struct evp_pkey *key);
	int (*pkey_bits)(const struct evp_pkey *key);
	void (*pkey_free)(struct evp_pkey *key);
	const struct evp_md *(*sha256)(void);
	struct evp_md_ctx *(*ctx_new)(void);
	void (*ctx_free)(struct evp_md_ctx *ctx);
	int (*sign_init)(struct evp_md_ctx *ctx, void *pkey_ctx, const struct evp_md *md,
			 void *engine, struct evp_pkey *key);
	int (*sign)(struct evp_md_ctx *ctx, unsigned char *out, size_t *size,
		    const unsigned char *message, size_t len);
	void (*clear_errors)(void);
};

static const struct {
	char name[32];
	size_t at;
} functions[] = {
	{ "BIO_new_mem_buf", offsetof(struct crypto, bio_new_mem_buf) },
	{ "BIO_free", offsetof(struct crypto, bio_free) },
	{ "PEM_read_bio_PrivateKey", offsetof(struct crypto, pem_read_private_key) },
	{ "EVP_PKEY_get_base_id", offsetof(struct crypto, pkey_type) },
	{ "EVP_PKEY_get_bits", offsetof(struct crypto, pkey_bits) },
	{ "EVP_PKEY_free", offsetof(struct crypto, pkey_free) },
	{ "EVP_sha256", offsetof(struct crypto, sha256) },
	{ "EVP_MD_CTX_new", offsetof(struct crypto, ctx_new) },
	{ "EVP_MD_CTX_free", offsetof(struct crypto, ctx_free) },
	{ "EVP_DigestSignInit", offsetof(struct crypto, sign_init) },
	{ "EVP_DigestSign", offsetof(struct crypto, sign) },
	{ "ERR_clear_error", offsetof(struct crypto, clear_errors) },
};

enum { PKEY_RSA = 6 /* NID_rsaEncryption */, LEAST_BITS = 2048, MOST_BITS = 16384 };

/* The library stays in memory, because it has registered exit handlers. */
static bool rsa_load(struct crypto *out, const char *library, struct err *err)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);

	for (size_t i = 0; i < countof(functions); i++) {
		void **slot = (void **)((char *)out + functions[i].at);

		*slot = handle ? dlsym(handle, functions[i].name) : NULL;
		if (!*slot) {
			err_set(err, ERR_UNSUPPORTED,
				"cannot sign: %s %s%s; install the package libssl3", library,
				handle ? "has no " : "cannot be loaded",
				handle ? functions[i].name : "");
			return false;
		}
	}
	return true;
}

/* Without this OpenSSL would ask for a password on the terminal. */
static int rsa_no_password(__attribute__((unused)) char *out, __attribute__((unused)) int size,
			   __attribute__((unused)) int writing, __attribute__((unused)) void *arg)
{
	return -1;
}

static struct evp_pkey *rsa_read_key(const struct crypto *c, struct sv pem)
{
	struct bio *bio = pem.len <= INT32_MAX ? c->bio_new_mem_buf(pem.ptr, (int)pem.len) : NULL;
	struct evp_pkey *key = NULL;

	if (bio)
		key = c->pem_read_private_key(bio, NULL, rsa_no_password, NULL);
	c->bio_free(bio);
	return key;
}

static bool rsa_sign_with(struct str *out, const struct crypto *c, struct evp_pkey *key,
			  struct sv message)
{
	struct evp_md_ctx *ctx = c->ctx_new();
	unsigned char signature[MOST_BITS / 8];
	size_t size = sizeof(signature);
	bool ok = ctx && c->sign_init(ctx, NULL, c->sha256(), NULL, key) == 1 &&
		  c->sign(ctx, signature, &size, (const unsigned char *)message.ptr, message.len) ==
			  1;

	if (ok)
		str_add(out, sv_from((const char *)signature, size));
	c->ctx_free(ctx);
	return ok;
}

bool rsa_sign_sha256(struct str *out, const char *library, struct sv pem, struct sv message,
		     struct err *err)
{
	struct crypto crypto;
	struct evp_pkey *key;
	bool fits, ok;

	if (!rsa_load(&crypto, library, err))
		return false;
	key = rsa_read_key(&crypto, pem);
	fits = key && crypto.pkey_type(key) == PKEY_RSA && crypto.pkey_bits(key) >= LEAST_BITS &&
	       crypto.pkey_bits(key) <= MOST_BITS;
	ok = fits && rsa_sign_with(out, &crypto, key, message);
	crypto.pkey_free(key);
	crypto.clear_errors();
	if (ok)
		return true;
	return fits ? err_set(err, ERR_IO, "OpenSSL cannot sign with this private key")
		    : err_set(err, ERR_INVALID,
			      "the private key is not an unencrypted RSA key (PEM) of at least %d "
			      "bits",
			      LEAST_BITS);
}

#include "text/digest.h"

#include "base/mem.h"
#include "test.h"
#include "text/hex.h"

static void check_digest(struct digest digest, const char *expected)
{
	defer(str_clear) struct str hex = STR_INIT;

	hex_encode(&hex, digest_sv(&digest));
	CHECK_STR(str_c(&hex), expected);
}

/* FIPS 180-4 examples and the NIST byte-oriented vectors. */
TEST(sha256_gives_the_digests_of_the_standard)
{
	static const struct {
		struct sv in;
		const char *digest;
	} vectors[] = {
		{ SV_INIT(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ SV_INIT("abc"),
		  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ SV_INIT("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
		{ SV_INIT("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
			  "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
		  "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
		{ SV_INIT("\xbd"),
		  "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b" },
		{ SV_INIT("\xc9\x8c\x8e\x55"),
		  "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504" },
	};

	for (size_t i = 0; i < countof(vectors); i++)
		check_digest(sha256(vectors[i].in), vectors[i].digest);
}

TEST(sha256_matches_the_standard_for_a_million_letters)
{
	struct sha256 hash;

	sha256_init(&hash);
	for (int i = 0; i < 100000; i++)
		sha256_add(&hash, SV("aaaaaaaaaa"));
	check_digest(sha256_end(&hash),
		     "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Lengths around both block ends, each in two pieces cut everywhere. */
TEST(sha256_does_not_depend_on_how_the_bytes_are_split)
{
	char bytes[200];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 7);
	for (size_t n = 0; n <= sizeof(bytes); n++) {
		struct digest whole = sha256(sv_from(bytes, n));

		for (size_t cut = 0; cut <= n; cut++) {
			struct sha256 hash;
			struct digest split;

			sha256_init(&hash);
			sha256_add(&hash, sv_from(bytes, cut));
			sha256_add(&hash, sv_from(bytes + cut, n - cut));
			split = sha256_end(&hash);
			CHECK_SV_EQ(digest_sv(&split), digest_sv(&whole));
		}
	}
}

static struct sv repeated(char *buffer, char c, size_t n)
{
	memset(buffer, c, n);
	return sv_from(buffer, n);
}

/* RFC 4231, test cases 1 to 4, 6 and 7. */
TEST(hmac_gives_the_codes_of_rfc_4231)
{
	char key[131], data[50];

	check_digest(hmac_sha256(repeated(key, 0x0b, 20), SV("Hi There")),
		     "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
	check_digest(hmac_sha256(SV("Jefe"), SV("what do ya want for nothing?")),
		     "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	check_digest(hmac_sha256(repeated(key, (char)0xaa, 20), repeated(data, (char)0xdd, 50)),
		     "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
	for (size_t i = 0; i < 25; i++)
		key[i] = (char)(i + 1);
	check_digest(hmac_sha256(sv_from(key, 25), repeated(data, (char)0xcd, 50)),
		     "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
	check_digest(hmac_sha256(repeated(key, (char)0xaa, 131),
				 SV("Test Using Larger Than Block-Size Key - Hash Key First")),
		     "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
	check_digest(
		hmac_sha256(repeated(key, (char)0xaa, 131),
			    SV("This is a test using a larger than block-size key and a larger "
			       "than block-size data. The key needs to be hashed before being "
			       "used by the HMAC algorithm.")),
		"9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

TEST(hmac_takes_its_message_in_pieces)
{
	struct hmac mac;

	hmac_init(&mac, SV("Jefe"));
	hmac_add(&mac, SV("what do ya want "));
	hmac_add(&mac, SV(""));
	hmac_add(&mac, SV("for nothing?"));
	check_digest(hmac_end(&mac),
		     "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

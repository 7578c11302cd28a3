#include "net/rsa.h"

#include "net/rsa_key.h"
#include "test.h"
#include "text/hex.h"

/* Made by: openssl dgst -sha256 -sign key.pem */
static const char hello_signed[] =
	"a4166127dee0b9f25e4bb27a9a2b229f1684d76a3205aa42cfb9515a3d09665524823f90772f"
	"d91e968aee74b1f8da160c5bee6bde85c5c7046fabae7c85ba55e3cd8db7ccbc42ab29ddda04"
	"1159bd49fb20bc3a7c3632908f5fa41e90cd272e8ae5c9c50a08f88cbacf5f154314e52d9989"
	"9d9abf44f8a56b1162100c650b56f180371afc4cc8cdbdb2bebfa4baeb82419918b780b60c80"
	"70aabe2fdb09f73d3e4ccf05b226041367d050854722f32feba5f1231a33d6bc7567e4999ffe"
	"06b70c60b74a937d78e65c7fe2b76fcc531e4357234c5a2aa664b96109ea41a2ca31eed0d9b3"
	"51ead4dd88accacdad4ca924e3519d085ae996b45d7977b784e04346";

TEST(rsa_signs_as_the_openssl_program_does)
{
	defer(str_clear) struct str out = STR_INIT, hex = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(rsa_sign_sha256(&out, RSA_LIBRARY, SV(RSA_KEY_PEM), SV("hello"), &err), err);
	hex_encode(&hex, sv_of(&out));
	CHECK_STR(str_c(&hex), hello_signed);
}

static const char small_key[] = "-----BEGIN PRIVATE KEY-----\n"
				"MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBALQM71PVb3+Me0nZ\n"
				"14AVHeHLBa2dX8UXiQfrRe6jTWREc33w1Gg8C5nK5haPTkK/Zs1qsEdz7b91D5c3\n"
				"zIrhpkd6N1go6FVCfuI8dven1x8SswnNFtkW/JDszuTT/LESPMwnyqeACQ0X0BqE\n"
				"/KNTcUs5jIdBSYswzEgd1NnbP+JjAgMBAAECgYEAn8fmz1/WrbtOYdBXRMv4k7rm\n"
				"lBbXuYFUUtnAWrFC6dsxHq+M39+Bb/62R4jvK57NrTejrhU8BC7vIgQbmZf8RW7n\n"
				"HtXPuXRNQMYM8/sqvKhOIPYblNKbnQEa80x5PUvHMybt37npH9gqS4JJ0ChTV+br\n"
				"QpAeu4F6fQBsrpkkSiECQQDe5oVs7plkh6QCwp1PKTPdHZxb4v3HfG2BfQV6iwHG\n"
				"DW3nLXC+GOVUti5Ei4n7gqa3FonbiDSL3ogLf/tcwHRxAkEAzsl9JbzceHRYHXJV\n"
				"73LTjeM+lJOse/FevPV1+X9OAZP3LTYQu2S1r4oUjSY14ReZhHDi2DdnOGC1Quft\n"
				"IXIeEwJAMjwdwekcJO305rJZpaeRirnLrWHA9B50x4QXogCGC86nADzbddxCgw7z\n"
				"6nrQRCCz1ft8Yj+WKBek7YKQcdzl4QJACpYABR2M/9Gc7Sz8PzzWna3jd0G0E8hA\n"
				"fFXoizQ8LxJ/Fd5trtox/uGHuc4Z9gL6RfBtfHohm54/yUQMPKkV5wJAffDa4eu8\n"
				"Z4POf2OSh8qALW5IeCRkvEX7fs/ccQOmkcy5jt4EtILVP0BNaMI2bN5eLANDQMIK\n"
				"xZcMfYNl661rLA==\n"
				"-----END PRIVATE KEY-----\n";

static const char ec_key[] = "-----BEGIN PRIVATE KEY-----\n"
			     "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzz5iksJ43iKqMgKo\n"
			     "B3SDt1seA8/tFbaNI+rjr8qDdNmhRANCAAQlfW9rDQ/x3LnGam0nUqYFSWCVKNXf\n"
			     "n/M8Z6mhW00I/AJzE8DFLxIywgcz9a4Q253HQkiDvKo/PNYNUoAhltsE\n"
			     "-----END PRIVATE KEY-----\n";

static const char encrypted_key[] =
	"-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
	"MIIFLTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIiAC2ijCrr40CAggA\n"
	"MAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBCFxDrAHvYD2ovBcLLqyt6YBIIE\n"
	"0HyED0Zc7gLXoY3dEwAnMQ+F3TM0YyUm1KF+Sl4V9DTs3IAq0zx6iLCS+cc0hJz2\n"
	"HomzvO8q85j63Ti3e0uIWNmM2Go5sw9prcDxOrJNLRpPo1nzkRN2YJsYaD4IJXmB\n"
	"ULHVaf/Xclq7jaTa21wLt6pCLUX7oVIsd3x3hD5ZsXkQM/fUI44SpDtASWqOWo/F\n"
	"+I0qfW31GV40QlHQ1lLZnApL9OrVQe3LoCbonVB6GUrjzeIMnR2AntWW4djWHrRS\n"
	"eOp0+MwjVUQ+zhvHsVRfNo2ZtsElhnvh1NqrRdisAUiBdphic4h+Sfl4C0fgACkq\n"
	"tZyGyvdtmimIRtXfVYtyeQp/YOU5sA43wEOsibuG1O6B/yVvunLO8rcqXIfle6hA\n"
	"ds0Y/74pJytyUPJbjaRQzXoekTHiwi01fvMrTOxfRWUbcg+McWi5WnWZTyeOpojO\n"
	"9w1OySa/ddkKGc5jOWRVFjpLQ4BNSRSM5siHQJD6Hj14Qd5eNvwbrq6yxrgnZSWO\n"
	"1DQYGO7Jog4kGpd5VaAAjZYErLooXdH4DhFvQ3HGh2sjIqh/t5PL035FZmjEGlUp\n"
	"tOb6EegbdZstHqm7SIVelT0RUMI2hcaSaxFEpFpOtOiAEKnht5dkPbslxe9fwWJ2\n"
	"/8sMJuAqA5DB3WEY7beIKABJBLIDTFLKhnW5n+eN4QYCEG32WQYDl/fQjlrXI/zg\n"
	"9J1cXzS3QycoPovmwFonvLMimaLJbZOgkUVwm7U0AylNWHCKrYcsQKLbWhvN+x8S\n"
	"FJZN6FYnlQlLv2biaBnj+MygnqanXFhip0fgwtWNyZicsF9xmnspEm5aXElfQ12h\n"
	"f7tY+4zV3BSLIZQJtFGtrtEILB0pdUlnFTCtIkUoI2Ai+QoN1ecammBQpUbKn/iY\n"
	"V85j277aarIczsg1yyEbO0iNZG1WaDgN0CxFbEUy47Nv7bNEgQS9LXaNtcuggxR7\n"
	"eecOZzt9MKClTiuggVpGJIw7ZE0YimzcPRMzsg3lZyNyjZs8Ka4eiY6NZxVGykgi\n"
	"wLdTIAUMfbICkO3H2IaGoSIMMNlNX/rQItGmVCpmWsnj15iFGFUdpa3KUndT6CIc\n"
	"4hO8ZMg4Whv6kFi1tc4YOwAzPnfjUWVUIFZA0O+MaYdrmJm0dTldjlFr2qWG5orQ\n"
	"zxzeMftSHEVlc397hWKEcnOyCILW79ZSk2d7lGqzQFjL35DYwfdoSSSmh2ihJ99W\n"
	"SZPncWfcBqyMZrMdJee4bqDa5Nb73/KkjSBn9bzAbTTECcnmaAQwpcZvrnFAUj8y\n"
	"dlt3ZkcSTczbb2DlhsZQ7c7zMVxNWqB00HhIe9zOyYF9byINFIppspZpiInKW/Gu\n"
	"XfAEABlmPPtMMYv38MBNNOB0fSBk8WoxQ09pIKO1J1opAmP2IO6NFu7C5EynuSra\n"
	"lI/qRVzGjN7pdaX/YlFV1Co2sOTfiNr82GAEAPzoC7u/hC2elAu10Q9KAPUW3XXu\n"
	"S9qAXtaHKmXkhVpQUxPZuJHbgXFqciWDNM3m3wclUIvbqvKHeCfWSMbEqfOnO2J9\n"
	"VNPfwPnln9okRXbqkl2YDNXUqs7P9yL1B/BKDynNIaYomzr9ebTJe7H7pfsnasav\n"
	"8laV7DjiQnSJm6pCQBco0Fcitu8FI8dEDw07uOw6qPQ4\n";

static void check_refused(const char *library, struct sv pem, enum err_kind kind, const char *why)
{
	defer(str_clear) struct str out = STR_INIT;
	struct err err = ERR_INIT;

	str_adds(&out, "before");
	CHECK(!rsa_sign_sha256(&out, library, pem, SV("hello"), &err));
	CHECK_ERR(err, kind, why);
	CHECK_SV(sv_of(&out), "before");
}

TEST(rsa_refuses_what_is_no_plain_rsa_key)
{
	static const char *const why = "not an unencrypted RSA key (PEM) of at least 2048 bits";
	struct sv pem = SV(RSA_KEY_PEM);

	check_refused(RSA_LIBRARY, SV(""), ERR_INVALID, why);
	check_refused(RSA_LIBRARY, SV("garbage"), ERR_INVALID, why);
	check_refused(RSA_LIBRARY, sv_cstr(small_key), ERR_INVALID, why);
	check_refused(RSA_LIBRARY, sv_cstr(ec_key), ERR_INVALID, why);
	check_refused(RSA_LIBRARY, sv_cstr(encrypted_key), ERR_INVALID, why);
	for (size_t n = 0; n + 27 < pem.len; n += 97)
		check_refused(RSA_LIBRARY, sv_slice(pem, 0, n), ERR_INVALID, why);
}

TEST(rsa_without_its_library_names_the_package_to_install)
{
	check_refused("libnone.so.9", SV(RSA_KEY_PEM), ERR_UNSUPPORTED,
		      "libnone.so.9 cannot be loaded; install the package libssl3");
	check_refused("libc.so.6", SV(RSA_KEY_PEM), ERR_UNSUPPORTED, "has no BIO_new_mem_buf");
}

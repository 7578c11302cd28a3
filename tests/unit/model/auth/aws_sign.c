#include "model/auth/aws_sign.h"

#include "test.h"

enum { AT_2015_08_30_12_36 = 1440938160 };

/* The credentials and the moment of Amazon's published signing tests. */
static const struct credential example = {
	.auth = MODEL_AUTH_AWS,
	.aws_id = SV_INIT("AKIDEXAMPLE"),
	.aws_secret = SV_INIT("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
};

static const struct aws_scope example_scope = {
	.region = SV_INIT("us-east-1"),
	.service = SV_INIT("service"),
	.wall_ms = AT_2015_08_30_12_36 * 1000LL,
};

static struct sv header(const struct wire *wire, const char *name)
{
	const struct http_header *found = wire_find_header(wire, name);

	return found ? found->value : SV_EMPTY;
}

/* That the request is signed with these headers and this signature. */
static void check_signed(struct wire *wire, const char *method, const struct credential *credential,
			 const struct aws_scope *scope, const char *names, const char *signature)
{
	defer(str_clear) struct str expected = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(aws_sign(wire, method, credential, scope, &err), err);
	str_addf(&expected,
		 "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/%.*s/%.*s/aws4_request, "
		 "SignedHeaders=%s, Signature=%s",
		 SV_ARG(scope->region), SV_ARG(scope->service), names, signature);
	CHECK_SV_EQ(header(wire, "authorization"), sv_of(&expected));
	CHECK_SV(header(wire, "x-amz-date"), "20150830T123600Z");
}

/* aws-sig-v4-test-suite: get-vanilla, get-vanilla-query-order-key-case, get-
 * vanilla-empty-query-key, post-vanilla, get-utf8, get-space. */
TEST(requests_are_signed_as_amazons_published_tests_say)
{
	static const struct {
		const char *method, *url, *signature;
	} vectors[] = {
		{ "GET", "https://example.amazonaws.com/",
		  "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31" },
		{ "GET", "https://example.amazonaws.com",
		  "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31" },
		{ "GET", "https://example.amazonaws.com/?Param2=value2&Param1=value1",
		  "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500" },
		{ "GET", "https://example.amazonaws.com?Param1=value1",
		  "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb" },
		{ "POST", "https://example.amazonaws.com/",
		  "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b" },
		{ "GET", "https://example.amazonaws.com/\xe1\x88\xb4",
		  "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85" },
		{ "GET", "https://example.amazonaws.com/example space/",
		  "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741" },
	};

	for (size_t i = 0; i < countof(vectors); i++) {
		defer(wire_clear) struct wire wire = WIRE_INIT;

		wire.url = vectors[i].url;
		check_signed(&wire, vectors[i].method, &example, &example_scope, "host;x-amz-date",
			     vectors[i].signature);
	}
}

/* post-x-www-form-urlencoded, its body in every pair of slices. */
TEST(the_body_is_hashed_over_its_slices)
{
	struct sv body = SV("Param1=value1");

	for (size_t cut = 0; cut <= body.len; cut++) {
		defer(wire_clear) struct wire wire = WIRE_INIT;

		wire.url = "https://example.amazonaws.com/";
		wire_header(&wire, "Content-Type", SV("application/x-www-form-urlencoded"));
		wire_body(&wire, sv_slice(body, 0, cut));
		wire_body(&wire, sv_skip(body, cut));
		check_signed(&wire, "POST", &example, &example_scope,
			     "content-type;host;x-amz-date",
			     "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a");
	}
}

/* post-sts-header-before. */
TEST(a_session_token_is_sent_and_signed)
{
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct credential credential = example;

	credential.aws_token = SV(
		"AQoDYXdzEPT//////////"
		"wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTfl"
		"fKD8YUuwthAx7mSEI/qkPpKPi/"
		"kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx"
		"6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+"
		"scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==");
	wire.url = "https://example.amazonaws.com/";
	check_signed(&wire, "POST", &credential, &example_scope,
		     "host;x-amz-date;x-amz-security-token",
		     "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead");
	CHECK_SV_EQ(header(&wire, "x-amz-security-token"), credential.aws_token);
}

/* The worked example of the IAM documentation. */
TEST(the_example_of_the_documentation_comes_out)
{
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct aws_scope scope = example_scope;

	scope.service = SV("iam");
	wire.url = "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08";
	wire_header(&wire, "content-type", SV("application/x-www-form-urlencoded; charset=utf-8"));
	check_signed(&wire, "GET", &example, &scope, "content-type;host;x-amz-date",
		     "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7");
}

/* Recomputed independently: the path is signed as "...-v1%253A0/...". */
TEST(a_model_id_with_a_colon_is_encoded_once_more_than_sent)
{
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct aws_scope scope = example_scope;

	scope.service = SV("bedrock");
	wire.url = "https://bedrock-runtime.us-east-1.amazonaws.com/model/"
		   "us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream";
	wire_header(&wire, "content-type", SV("application/json"));
	wire_header(&wire, "accept", SV("application/vnd.amazon.eventstream"));
	wire_body(&wire, SV("{\"a\":1}"));
	check_signed(&wire, "POST", &example, &scope, "content-type;host;x-amz-date",
		     "159e8b1719cdb3d1757cfbb2801cfd77aa1ebcce1ff16e7321c7be40aa63705b");
}

/* What the signature of `url` is, with `name: value` beside, if given. */
static void sign_url(struct str *out, const char *url, const char *name, struct sv value)
{
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct err err = ERR_INIT;

	wire.url = url;
	if (name)
		wire_header(&wire, name, value);
	CHECK_OK(aws_sign(&wire, "GET", &example, &example_scope, &err), err);
	str_add(out, header(&wire, "authorization"));
}

static bool same_signature(const char *url_a, const char *url_b)
{
	defer(str_clear) struct str a = STR_INIT;
	defer(str_clear) struct str b = STR_INIT;

	sign_url(&a, url_a, NULL, SV_EMPTY);
	sign_url(&b, url_b, NULL, SV_EMPTY);
	return sv_eq(sv_of(&a), sv_of(&b));
}

TEST(host_and_port_are_signed_as_they_are_sent)
{
	CHECK(same_signature("https://h.example:443/x", "https://h.example/x"));
	CHECK(same_signature("http://h.example:80/x", "http://h.example/x"));
	CHECK(same_signature("https://user:pass@h.example/x", "https://h.example/x"));
	CHECK(same_signature("https://h.example/x#part", "https://h.example/x"));
	CHECK(!same_signature("http://h.example:443/x", "http://h.example/x"));
	CHECK(!same_signature("http://h.example:8080/x", "http://h.example/x"));
	CHECK(!same_signature("https://h.example/x?", "https://h.example/y"));
	CHECK(!same_signature("https://h.example/x?a=1", "https://h.example/x"));
}

TEST(only_headers_that_no_proxy_changes_are_signed)
{
	defer(str_clear) struct str plain = STR_INIT;
	defer(str_clear) struct str agent = STR_INIT;
	defer(str_clear) struct str amz = STR_INIT;
	defer(str_clear) struct str blanks = STR_INIT;

	sign_url(&plain, "https://h/", NULL, SV_EMPTY);
	sign_url(&agent, "https://h/", "user-agent", SV("awl"));
	sign_url(&amz, "https://h/", "X-Amz-Date-Of-Birth", SV("a b"));
	sign_url(&blanks, "https://h/", "X-Amz-Date-Of-Birth", SV("  a    b "));
	CHECK_SV_EQ(sv_of(&agent), sv_of(&plain));
	CHECK(sv_find(sv_of(&amz), SV("SignedHeaders=host;x-amz-date;x-amz-date-of-birth,")) !=
	      SIZE_MAX);
	CHECK_SV_EQ(sv_of(&blanks), sv_of(&amz));
}

TEST(without_a_key_or_a_host_nothing_is_signed)
{
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct credential none = { .auth = MODEL_AUTH_AWS };
	struct err err = ERR_INIT;

	wire.url = "https://h/";
	CHECK(!aws_sign(&wire, "POST", &none, &example_scope, &err));
	CHECK_ERR(err, ERR_ACCESS, "no AWS access key");
	wire.url = "https:///x";
	CHECK(!aws_sign(&wire, "POST", &example, &example_scope, &err));
	CHECK_ERR(err, ERR_INVALID, "without a host");
	wire.url = "nowhere";
	CHECK(!aws_sign(&wire, "POST", &example, &example_scope, &err));
	CHECK_ERR(err, ERR_INVALID, "without a URL");
	CHECK_INT(wire.headers.n, 0);
}

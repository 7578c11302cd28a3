#include "base/uuid.h"

#include "test.h"

TEST(every_identifier_has_its_version_and_variant)
{
	struct rng r;

	rng_seed(&r, 1);
	for (int i = 0; i < 1000; i++) {
		struct uuid v4 = uuid_v4(&r);

		CHECK(uuid_valid(sv_cstr(v4.text)));
		CHECK(v4.text[14] == '4');
		CHECK(strchr("89ab", v4.text[19]));
	}
}

TEST(identifiers_come_from_the_given_generator)
{
	struct rng a, b;

	rng_seed(&a, 9);
	rng_seed(&b, 9);
	CHECK_STR(uuid_v4(&a).text, uuid_v4(&b).text);
	CHECK(strcmp(uuid_v4(&a).text, uuid_v4(&a).text) != 0);
}

TEST(only_the_canonical_form_is_valid)
{
	static const struct sv good = SV_INIT("017f22e2-79b0-7cc3-98c4-DC0C0C07398F");

	CHECK(uuid_valid(good));
	CHECK(!uuid_valid(SV("")));
	CHECK(!uuid_valid(SV("{17f22e2-79b0-7cc3-98c4-dc0c0c07398}")));
	CHECK(!uuid_valid(SV("017f22e279b07cc398c4dc0c0c07398f")));
	CHECK(!uuid_valid(sv_slice(good, 0, 35)));
	/* Every single byte counts. */
	for (size_t i = 0; i < good.len; i++) {
		char text[37];

		memcpy(text, good.ptr, sizeof(text));
		text[i] = text[i] == '-' ? '0' : '-';
		CHECK(!uuid_valid(sv_cstr(text)));
		text[i] = 'g';
		CHECK(!uuid_valid(sv_cstr(text)));
		text[i] = '\0';
		CHECK(!uuid_valid(sv_from(text, 36)));
	}
}

#include "store/git/git_index.h"

#include "test.h"

enum { FILE_MODE = 0100644, LINK_MODE = 0160000 };

/* An index that is being written. */
struct sample {
	struct str bytes;
	uint32_t version;
	size_t hash;
	struct str last; /* path */
};

static void put_number(struct str *out, uint32_t number, int bytes)
{
	while (bytes-- > 0)
		str_addc(out, (char)(number >> bytes * 8));
}

static void put_zeros(struct str *out, size_t n)
{
	while (n-- > 0)
		str_addc(out, '\0');
}

static struct sample begin(uint32_t version, size_t hash, uint32_t entries)
{
	struct sample s = { .bytes = STR_INIT, .version = version, .hash = hash, .last = STR_INIT };

	str_adds(&s.bytes, "DIRC");
	put_number(&s.bytes, version, 4);
	put_number(&s.bytes, entries, 4);
	return s;
}

static void put_entry(struct sample *s, uint32_t mode, struct sv path)
{
	size_t from = s->bytes.len;
	bool is_extended = s->version == 3;

	put_zeros(&s->bytes, 24);
	put_number(&s->bytes, mode, 4);
	put_zeros(&s->bytes, 12 + s->hash);
	put_number(&s->bytes,
		   (uint32_t)min_of(path.len, (size_t)0xfff) | (is_extended ? 0x4000 : 0), 2);
	put_zeros(&s->bytes, is_extended ? 2 : 0);
	if (s->version == 4) {
		CHECK(s->last.len < 128);
		put_number(&s->bytes, (uint32_t)s->last.len, 1);
		str_truncate(&s->last, 0);
		str_add(&s->last, path);
	}
	str_add(&s->bytes, path);
	put_zeros(&s->bytes, s->version == 4 ? 1 : 8 - (s->bytes.len - from) % 8);
}

static void put_extension(struct sample *s, const char *name, struct sv content)
{
	str_adds(&s->bytes, name);
	put_number(&s->bytes, (uint32_t)content.len, 4);
	str_add(&s->bytes, content);
}

static void end(struct sample *s)
{
	str_clear(&s->bytes);
	str_clear(&s->last);
}

static bool is_wanted(void *arg, struct sv path, bool is_submodule)
{
	return is_submodule && sv_eq(path, *(struct sv *)arg);
}

static bool finds(struct sv index, struct sv path)
{
	return git_index_any(index, is_wanted, &path);
}

static void put_samples(struct sample *s, struct sv link)
{
	put_entry(s, FILE_MODE, SV("a"));
	put_entry(s, LINK_MODE, link);
	put_entry(s, FILE_MODE, SV("z/some/file.c"));
	put_extension(s, "TREE", SV("some bytes"));
	put_zeros(&s->bytes, s->hash);
}

TEST(repositories_inside_are_found_in_every_version_and_with_both_hashes)
{
	static const size_t hashes[] = { 20, 32 };

	for (uint32_t version = 2; version <= 4; version++)
		for (size_t i = 0; i < countof(hashes); i++) {
			struct sample s = begin(version, hashes[i], 3);

			put_samples(&s, SV("lib/sub"));
			CHECK(finds(sv_of(&s.bytes), SV("lib/sub")));
			CHECK(!finds(sv_of(&s.bytes), SV("a")));
			CHECK(!finds(sv_of(&s.bytes), SV("z/some/file.c")));
			end(&s);
		}
}

/* An entry for short hashes whose path holds the rest of one for long hashes; an extension fills
 * the longer hash at the end. */
TEST(index_that_can_be_read_in_two_ways_counts_with_both)
{
	static const char inner[] = "aaaaaaaaaa\0\x03"
				    "sub";
	struct sample s = begin(2, 20, 1);

	put_entry(&s, LINK_MODE, sv_from(inner, sizeof(inner) - 1));
	put_extension(&s, "XXXX", SV("four"));
	put_zeros(&s.bytes, s.hash);
	CHECK(finds(sv_of(&s.bytes), SV("sub")));
	CHECK(finds(sv_of(&s.bytes), sv_from(inner, sizeof(inner) - 1)));
	CHECK(!finds(sv_of(&s.bytes), SV("other")));
	end(&s);
}

TEST(path_longer_than_its_field_can_say_is_read_to_its_end)
{
	for (size_t len = 4090; len < 4110; len++) {
		struct sample s = begin(2, 20, 3);
		defer(str_clear) struct str path = STR_INIT;

		while (path.len < len)
			str_addc(&path, 'x');
		put_samples(&s, sv_of(&path));
		CHECK(finds(sv_of(&s.bytes), sv_of(&path)));
		CHECK(!finds(sv_of(&s.bytes), SV("x")));
		end(&s);
	}
}

TEST(index_that_ends_anywhere_else_may_hold_anything)
{
	for (uint32_t version = 2; version <= 4; version++) {
		struct sample s = begin(version, 20, 1);

		put_entry(&s, LINK_MODE, SV("lib/sub"));
		put_zeros(&s.bytes, s.hash);
		for (size_t n = 0; n < s.bytes.len; n++)
			CHECK(finds(sv_slice(sv_of(&s.bytes), 0, n), SV("none")));
		CHECK(!finds(sv_of(&s.bytes), SV("none")));
		put_zeros(&s.bytes, 1);
		CHECK(finds(sv_of(&s.bytes), SV("none")));
		end(&s);
	}
}

TEST(index_whose_rest_is_in_another_file_may_hold_anything)
{
	struct sample s = begin(2, 20, 1);

	put_entry(&s, FILE_MODE, SV("a"));
	put_extension(&s, "TREE", SV("some bytes"));
	put_extension(&s, "link", SV("0123456789abcdefghij"));
	put_zeros(&s.bytes, s.hash);
	CHECK(finds(sv_of(&s.bytes), SV("none")));
	end(&s);
}

#include "base/utf8.h"

#include "base/rng.h"
#include "test.h"

/* An independent reading of the standard's table 3-7: every well-formed sequence
 * as ranges of its bytes. */
static const struct row {
	int len;
	unsigned char low[4], high[4];
} well_formed[] = {
	{ 1, { 0x00 }, { 0x7f } },
	{ 2, { 0xc2, 0x80 }, { 0xdf, 0xbf } },
	{ 3, { 0xe0, 0xa0, 0x80 }, { 0xe0, 0xbf, 0xbf } },
	{ 3, { 0xe1, 0x80, 0x80 }, { 0xec, 0xbf, 0xbf } },
	{ 3, { 0xed, 0x80, 0x80 }, { 0xed, 0x9f, 0xbf } },
	{ 3, { 0xee, 0x80, 0x80 }, { 0xef, 0xbf, 0xbf } },
	{ 4, { 0xf0, 0x90, 0x80, 0x80 }, { 0xf0, 0xbf, 0xbf, 0xbf } },
	{ 4, { 0xf1, 0x80, 0x80, 0x80 }, { 0xf3, 0xbf, 0xbf, 0xbf } },
	{ 4, { 0xf4, 0x80, 0x80, 0x80 }, { 0xf4, 0x8f, 0xbf, 0xbf } },
};

/* How many bytes of `p` fit the row. */
static int fits(const struct row *row, const unsigned char *p, int n)
{
	int i = 0;

	while (i < n && i < row->len && p[i] >= row->low[i] && p[i] <= row->high[i])
		i++;
	return i;
}

/* The length of the first character, or minus that of its maximal subpart. */
static int reference(const unsigned char *p, int n)
{
	int longest = 1;

	for (size_t r = 0; r < countof(well_formed); r++) {
		int fit = fits(&well_formed[r], p, n);

		if (fit == well_formed[r].len)
			return fit;
		longest = max_of(longest, fit);
	}
	return -longest;
}

static void check_decode(const unsigned char *bytes, int n)
{
	static const uint32_t lead_bits[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	int expected = reference(bytes, n);
	uint32_t rune = 0xdead, value;

	if (utf8_decode(sv_from((const char *)bytes, (size_t)n), &rune) != expected)
		fail_msg("%02x %02x %02x (%d bytes)", bytes[0], bytes[1], bytes[2], n);
	if (expected < 0) {
		CHECK(rune == 0xdead); /* outputs are untouched on failure */
		return;
	}
	value = bytes[0] & lead_bits[expected];
	for (int i = 1; i < expected; i++)
		value = value << 6 | (bytes[i] & 0x3f);
	CHECK(rune == value);
}

TEST(every_sequence_of_one_to_three_bytes_decodes_as_the_standard_says)
{
	for (unsigned i = 0; i < 1u << 24; i++) {
		unsigned char bytes[3] = { (unsigned char)(i >> 16), (unsigned char)(i >> 8),
					   (unsigned char)i };

		check_decode(bytes, 3);
		if ((i & 0xff) == 0)
			check_decode(bytes, 2);
		if ((i & 0xffff) == 0)
			check_decode(bytes, 1);
	}
}

TEST(sequences_of_four_bytes_decode_as_the_standard_says)
{
	static const unsigned char edges[] = { 0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f,
					       0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xf0, 0xff };

	for (int lead = 0xe0; lead < 256; lead++) {
		for (size_t i = 0; i < countof(edges) * countof(edges) * countof(edges); i++) {
			unsigned char bytes[4] = { (unsigned char)lead, edges[i % countof(edges)],
						   edges[i / countof(edges) % countof(edges)],
						   edges[i / countof(edges) / countof(edges)] };

			check_decode(bytes, 4);
		}
	}
}

TEST(every_scalar_value_survives_encoding_and_decoding)
{
	defer(str_clear) struct str s = STR_INIT;

	for (uint32_t rune = 0; rune < 0x110000; rune++) {
		uint32_t back;

		if (rune >= 0xd800 && rune < 0xe000)
			continue;
		str_truncate(&s, 0);
		utf8_encode(&s, rune);
		CHECK_INT(utf8_decode(sv_of(&s), &back), (int)s.len);
		CHECK(back == rune);
	}
}

TEST(invalid_scalar_values_are_encoded_as_the_replacement)
{
	static const uint32_t bad[] = { 0xd800,   0xdbff,      0xdc00,    0xdfff,
					0x110000, 0x80000000u, UINT32_MAX };

	for (size_t i = 0; i < countof(bad); i++) {
		defer(str_clear) struct str s = STR_INIT;

		utf8_encode(&s, bad[i]);
		CHECK_SV(sv_of(&s), "\xef\xbf\xbd");
	}
}

#define R "\xef\xbf\xbd"

/* The first six are the examples of chapter 3 of the Unicode standard. */
static const struct {
	struct sv in, out;
	size_t bad_at; /* SIZE_MAX: valid */
} repairs[] = {
	{ SV_INIT("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41"), SV_INIT(R R R R R R R R "A"), 0 },
	{ SV_INIT("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41"), SV_INIT(R R R R R R R R "A"), 0 },
	{ SV_INIT("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42"), SV_INIT(R R R R R "A" R R "B"), 0 },
	{ SV_INIT("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"), SV_INIT(R R R R "A"), 0 },
	{ SV_INIT("\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64"),
	  SV_INIT("a" R R R "b" R "c" R R "d"), 1 },
	{ SV_INIT("\xe2\x98\x41\xe2\x98"), SV_INIT(R "A" R), 0 },
	{ SV_INIT(""), SV_INIT(""), SIZE_MAX },
	{ SV_INIT("plain ASCII of more than eight bytes"),
	  SV_INIT("plain ASCII of more than eight bytes"), SIZE_MAX },
	{ SV_INIT("12345678\xff"), SV_INIT("12345678" R), 8 },
	{ SV_INIT("\0\xf0\x9f\x98\x80"), SV_INIT("\0\xf0\x9f\x98\x80"), SIZE_MAX },
	{ SV_INIT("abc\xf0\x9f\x98"), SV_INIT("abc" R), 3 },
};

TEST(repair_replaces_each_maximal_subpart)
{
	for (size_t i = 0; i < countof(repairs); i++) {
		defer(str_clear) struct str out = STR_INIT;
		size_t bad_at = SIZE_MAX;

		utf8_repair(&out, repairs[i].in);
		CHECK_SV_EQ(sv_of(&out), repairs[i].out);
		CHECK(utf8_valid(repairs[i].in, &bad_at) == (repairs[i].bad_at == SIZE_MAX));
		CHECK(bad_at == repairs[i].bad_at);
		CHECK(utf8_valid(sv_of(&out), NULL));
	}
}

TEST(the_first_bad_byte_is_found_at_every_offset)
{
	for (size_t at = 0; at < 40; at++) {
		char text[41];
		size_t bad_at = 99;

		memset(text, 'x', sizeof(text));
		text[at] = (char)0x80;
		CHECK(!utf8_valid(sv_from(text, sizeof(text)), &bad_at));
		CHECK_INT(bad_at, at);
		CHECK(utf8_valid(sv_from(text, at), NULL));
	}
}

TEST(repaired_random_bytes_stay_valid)
{
	struct rng r;

	rng_seed(&r, 3);
	for (int round = 0; round < 20000; round++) {
		defer(str_clear) struct str once = STR_INIT;
		defer(str_clear) struct str twice = STR_INIT;
		char bytes[24];

		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (char)(rng_below(&r, 3) ? 0x80 + rng_below(&r, 0x80) : 'a');
		utf8_repair(&once, sv_from(bytes, sizeof(bytes)));
		utf8_repair(&twice, sv_of(&once));
		CHECK(utf8_valid(sv_of(&once), NULL));
		CHECK_SV_EQ(sv_of(&twice), sv_of(&once));
	}
}

/* Where the last whole unit (character or part to replace) within `max` ends. */
static size_t last_boundary(struct sv s, size_t max)
{
	size_t at = 0;

	while (at < s.len) {
		uint32_t rune;
		size_t n = (size_t)abs(utf8_decode(sv_skip(s, at), &rune));

		if (at + n > max)
			break;
		at += n;
	}
	return at;
}

TEST(prefixes_are_the_longest_that_cut_no_character)
{
	static const struct sv texts[] = {
		SV_INIT("a\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80z"),
		SV_INIT("\xf0\x9f\x98\x80\xf0\x9f\x98\x80"),
		SV_INIT("\x80\x80\x80\x80\x80\x80\x80\x80"),
		SV_INIT("\xe4\xb8\xad\x80\x80\xf0\x9f\x98\x41\xff"),
		SV_INIT("\xf0\x9f\x98"),
		SV_INIT(""),
	};

	for (size_t t = 0; t < countof(texts); t++) {
		for (size_t max = 0; max <= texts[t].len + 2; max++) {
			struct sv prefix = utf8_prefix(texts[t], max);

			CHECK_SV_EQ(prefix, sv_slice(texts[t], 0, last_boundary(texts[t], max)));
		}
	}
}

static const struct {
	const char *text;
	const char *clusters; /* the cells of each in turn */
} widths[] = {
	{ "", "" },
	{ "plain", "11111" },
	{ "\u00e9e\u0301", "11" },            /* precomposed, combining */
	{ "\u4e2d\u6587", "22" },             /* CJK */
	{ "\ud55c\u1112\u1161\u11ab", "22" }, /* Hangul, and the same in jamo */
	{ "\uff8a\uff9f\u304c", "22" },       /* half-width kana with its mark; wide kana */
	{ "\u3000\uff21", "22" },             /* ideographic space, full-width A */
	{ "\u0e01\u0e33\u0e44", "21" },       /* Thai sara am stands beside its letter */
	/* Devanagari, without a conjunct: Unicode 15.1 joins what 15.0 parted. */
	{ "\u0915\u093f\u0928\u092e\u0924\u0947", "1111" },
	{ "\U0001f600", "2" },
	{ "\U0001f44d\U0001f3fd", "2" },                                       /* skin tone */
	{ "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", "2" }, /* family */
	{ "\U0001f3f3\ufe0f\u200d\U0001f308", "2" },                           /* rainbow flag */
	{ "\u2764\u2764\ufe0f", "12" },                       /* text heart, emoji heart */
	{ "1\ufe0f\u20e3", "2" },                             /* keycap */
	{ "\u231a", "2" },                                    /* emoji by default */
	{ "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", "22" }, /* two flags */
	{ "\U0001f1e9\U0001f1ea\U0001f1eb", "21" },           /* and half of one */
	{ "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "2" },
	{ "\u200b\u2060", "00" }, /* zero-width space, word joiner */
	{ "\u0301", "0" },        /* combining nothing */
	{ "\ufe0f", "0" },        /* a selector with nothing to select */
	{ "a\tb\x1b\x7f", "10100" },
	{ "\r\n\n", "00" },
	{ "\xff\xe4\xb8", "11" }, /* two replacements */
	{ "\xed\xa0\x80", "111" },
	{ "a\u0300\u0301\u0302\u0303\u0304\u0305\u0306b", "11" }, /* stacked marks */
};

TEST(clusters_have_the_width_that_terminals_use)
{
	for (size_t i = 0; i < countof(widths); i++) {
		defer(str_clear) struct str seen = STR_INIT;
		struct sv text = sv_cstr(widths[i].text);
		size_t total = 0;

		while (text.len > 0) {
			int cells = -1;
			size_t n = utf8_cluster(text, &cells);

			CHECK(n > 0 && n <= text.len);
			str_addc(&seen, (char)('0' + cells));
			total += (size_t)cells;
			text = sv_skip(text, n);
		}
		CHECK_STR(str_c(&seen), widths[i].clusters);
		CHECK_INT(utf8_cells(sv_cstr(widths[i].text)), total);
	}
}

TEST(width_of_a_text_is_the_sum_of_its_clusters)
{
	for (size_t i = 0; i < countof(widths); i++) {
		defer(str_clear) struct str text = STR_INIT;

		str_addf(&text, "ab %s yz", widths[i].text);
		/* A leading mark joins the space; nothing else changes. */
		CHECK_INT(utf8_cells(sv_of(&text)),
			  6 + utf8_cells(sv_cstr(widths[i].text)) +
				  (strcmp(widths[i].text, "\ufe0f") == 0));
	}
}

TEST(names_that_a_file_system_treats_as_equal_fold_alike)
{
	static const struct {
		const char *text, *folded;
	} cases[] = {
		{ "README.md", "readme.md" },
		{ "cafe\xcc\x81", "caf\xc3\xa9" },
		{ "CAF\xc3\x89", "caf\xc3\xa9" },
		{ ".v\xc5\xbf"
		  "code",
		  ".vscode" },                  /* a long s */
		{ ".g\xe2\x80\x8cit", ".git" }, /* what takes no place */
		{ "\xff"
		  "A",
		  "\xff"
		  "A" },
		{ "", "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str folded = STR_INIT;

		utf8_fold(&folded, sv_cstr(cases[i].text));
		CHECK_SV_EQ(sv_of(&folded), sv_cstr(cases[i].folded));
	}
}

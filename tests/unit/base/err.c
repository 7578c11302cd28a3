#include "base/err.h"

#include <errno.h>
#include <stdio.h>

#include "base/utf8.h"
#include "test.h"

TEST(every_kind_has_a_name_of_its_own)
{
	for (int a = 0; a < ERR_KINDS; a++) {
		CHECK(err_kind_name((enum err_kind)a) != NULL);
		for (int b = 0; b < a; b++)
			assert_string_not_equal(err_kind_name((enum err_kind)a),
						err_kind_name((enum err_kind)b));
	}
	CHECK_STR(err_kind_name(ERR_TIMEOUT_FIRST_BYTE), "timeout-first-byte");
}

TEST(setting_an_error_returns_false)
{
	struct err err = ERR_INIT;

	CHECK(!err_set(&err, ERR_PARSE, "line %d: bad", 3));
	CHECK_ERR(err, ERR_PARSE, "line 3: bad");
}

TEST(system_errors_get_the_fitting_kind_and_words)
{
	static const struct {
		int errnum;
		enum err_kind kind;
		const char *words;
	} cases[] = {
		{ ENOENT, ERR_NOT_FOUND, "f: No such file or directory" },
		{ ENOTDIR, ERR_NOT_FOUND, "f: " },
		{ EEXIST, ERR_EXISTS, "f: File exists" },
		{ EACCES, ERR_ACCESS, "f: Permission denied" },
		{ EROFS, ERR_ACCESS, "f: " },
		{ ENOSPC, ERR_FULL, "f: No space left" },
		{ EMFILE, ERR_FULL, "f: " },
		{ EAGAIN, ERR_BUSY, "f: " },
		{ ENAMETOOLONG, ERR_TOO_BIG, "f: " },
		{ EISDIR, ERR_INVALID, "f: " },
		{ ENOSYS, ERR_UNSUPPORTED, "f: " },
		{ ETIMEDOUT, ERR_TIMEOUT, "f: " },
		{ ECONNREFUSED, ERR_REFUSED, "f: " },
		{ EPIPE, ERR_RESET, "f: " },
		{ EIO, ERR_IO, "f: Input/output error" },
		{ 9999, ERR_IO, "f: " },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct err err = ERR_INIT;

		CHECK(!err_sys(&err, cases[i].errnum, "%s", "f"));
		CHECK_ERR(err, cases[i].kind, cases[i].words);
	}
}

TEST(context_goes_before_the_text_and_keeps_the_kind)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_BUSY, "locked");
	CHECK(!err_context(&err, "session %d", 7));
	CHECK(!err_context(&err, "cannot resume"));
	CHECK_ERR(err, ERR_BUSY, "cannot resume: session 7: locked");
}

TEST(context_may_contain_the_text_itself)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_BUSY, "x");
	err_context(&err, "<%s>", err.text);
	CHECK_STR(err.text, "<x>: x");
}

TEST(long_texts_are_cut_between_characters)
{
	static const char *const characters[] = { "x", "\xc3\xa9", "\xe4\xb8\xad",
						  "\xf0\x9f\x98\x80" };

	for (size_t c = 0; c < countof(characters); c++) {
		size_t size = strlen(characters[c]);

		/* Every phase of the cut against the character. */
		for (size_t shift = 0; shift < 4; shift++) {
			defer(str_clear) struct str text = STR_INIT;
			size_t fit = (ERR_TEXT_SIZE - 1 - shift) / size * size + shift;
			struct err err = ERR_INIT;

			str_add(&text, sv_slice(SV("..."), 0, shift));
			while (text.len < 2 * ERR_TEXT_SIZE)
				str_adds(&text, characters[c]);
			err_set(&err, ERR_IO, "%s", text.ptr);
			CHECK_SV_EQ(sv_cstr(err.text), sv_slice(sv_of(&text), 0, fit));
		}
	}
}

TEST(texts_that_just_fit_are_whole)
{
	char text[ERR_TEXT_SIZE];
	struct err err = ERR_INIT;

	memset(text, 'x', sizeof(text) - 4);
	memcpy(text + sizeof(text) - 4, "\xe4\xb8\xad", 4);
	err_set(&err, ERR_IO, "%s", text);
	CHECK_STR(err.text, text);
}

TEST(a_system_error_with_a_long_text_is_cut)
{
	char text[ERR_TEXT_SIZE + 1] = "";

	for (size_t n = ERR_TEXT_SIZE - 30; n <= ERR_TEXT_SIZE; n++) {
		defer(str_clear) struct str wanted = STR_INIT;
		struct err err = ERR_INIT;

		memset(text, 'x', n);
		str_addf(&wanted, "%s: Input/output error", text);
		str_truncate(&wanted, min_of(wanted.len, (size_t)ERR_TEXT_SIZE - 1));
		CHECK(!err_sys(&err, EIO, "%s", text));
		CHECK_ERR(err, ERR_IO, wanted.ptr);
	}
}

TEST(an_unknown_system_error_shows_its_number)
{
	struct err err = ERR_INIT;

	CHECK(!err_sys(&err, 99999, "f"));
	CHECK_ERR(err, ERR_IO, "f: Unknown error 99999");
}

TEST(error_text_is_always_utf8)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_IO, "a%sb%s", "\xff", "\xe4\xb8");
	CHECK_STR(err.text, "a?b??");
	for (int first = 0x80; first < 256; first++) {
		char text[2 * ERR_TEXT_SIZE];

		memset(text, first, sizeof(text) - 1);
		text[sizeof(text) - 1] = '\0';
		err_set(&err, ERR_IO, "%s", text);
		CHECK(utf8_valid(sv_cstr(err.text), NULL));
		CHECK(strlen(err.text) > ERR_TEXT_SIZE - 6);
	}
}

/* test.h - unit tests over cmocka that register themselves.
 *
 *   TEST(sv_trim_drops_blanks_at_both_ends)
 *   {
 *           CHECK_SV(sv_trim(SV(" a ")), "a");
 *   }
 *
 * A test's name is a sentence about behaviour; the file it is in is its group. */
#ifndef AWL_TESTS_UNIT_TEST_H
#define AWL_TESTS_UNIT_TEST_H

/* cmocka wants these before itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/str.h"

struct test {
	const char *file, *name;
	CMUnitTestFunction run;
	struct test *next;
};

void test_register(struct test *test);

#define TEST(test_name)                                                     \
	static void test_name(void **cmocka_state);                         \
	static __attribute__((constructor)) void register_##test_name(void) \
	{                                                                   \
		static struct test test = { .file = __FILE__,               \
					    .name = #test_name,             \
					    .run = test_name };             \
		test_register(&test);                                       \
	}                                                                   \
	static void test_name(__attribute__((unused)) void **cmocka_state)

#define CHECK(condition)              assert_true(condition)
#define CHECK_INT(actual, expected)   assert_int_equal(actual, expected)
#define CHECK_STR(actual, expected)   assert_string_equal(actual, expected)
#define CHECK_SV(actual, expected)    test_check_sv(actual, SV(expected), __FILE__, __LINE__)
#define CHECK_SV_EQ(actual, expected) test_check_sv(actual, expected, __FILE__, __LINE__)

/* That a call failed for this reason, with a text that contains `part`. */
#define CHECK_ERR(err, err_kind, part) test_check_err(&(err), err_kind, part, __FILE__, __LINE__)
/* That a call succeeded; shows its error when not. */
#define CHECK_OK(call, err) test_check_ok(call, &(err), #call, __FILE__, __LINE__)

void test_check_sv(struct sv actual, struct sv expected, const char *file, int line);
void test_check_err(const struct err *err, enum err_kind kind, const char *part, const char *file,
		    int line);
void test_check_ok(bool ok, const struct err *err, const char *call, const char *file, int line);

#endif

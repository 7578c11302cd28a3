/* Runs every registered test, or those whose name or file contains an argument,
 * and reports in TAP. A test that hangs ends the program and is named. */
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "test.h"
#include "time_limit.h"

static struct test *tests;

void test_register(struct test *test)
{
	struct test **at = &tests;

	/* By file, then in the order of the file. */
	while (*at && strcmp((*at)->file, test->file) <= 0)
		at = &(*at)->next;
	test->next = *at;
	*at = test;
}

void test_check_sv(struct sv actual, struct sv expected, const char *file, int line)
{
	if (sv_eq(actual, expected))
		return;
	print_error("\"%.*s\" (%zu bytes) is not \"%.*s\" (%zu bytes)\n", SV_ARG(actual),
		    actual.len, SV_ARG(expected), expected.len);
	_fail(file, line);
}

void test_check_err(const struct err *err, enum err_kind kind, const char *part, const char *file,
		    int line)
{
	if (err->kind == kind && strstr(err->text, part))
		return;
	print_error("got %s \"%s\", expected %s \"...%s...\"\n", err_kind_name(err->kind),
		    err->text, err_kind_name(kind), part);
	_fail(file, line);
}

void test_check_ok(bool ok, const struct err *err, const char *call, const char *file, int line)
{
	if (ok)
		return;
	print_error("%s failed: %s: %s\n", call, err_kind_name(err->kind), err->text);
	_fail(file, line);
}

static bool is_wanted(const struct test *test, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strstr(test->name, argv[i]) || strstr(test->file, argv[i]))
			return true;
	return argc < 2;
}

static int start_clock(void **state)
{
	time_limit_start(*state);
	return 0;
}

static int stop_clock(__attribute__((unused)) void **state)
{
	time_limit_stop();
	return 0;
}

/* Runs the tests of the file that `*at` is in, and moves past them. */
static int run_group(struct test **at, int argc, char **argv)
{
	const char *file = (*at)->file;
	VEC(struct CMUnitTest) group = VEC_INIT;
	int failed = 0;

	for (; *at && strcmp((*at)->file, file) == 0; *at = (*at)->next)
		if (is_wanted(*at, argc, argv))
			vec_push(&group,
				 ((struct CMUnitTest){ .name = (*at)->name,
						       .test_func = (*at)->run,
						       .setup_func = start_clock,
						       .teardown_func = stop_clock,
						       .initial_state = (void *)(*at)->name }));
	if (group.n)
		failed = _cmocka_run_group_tests(file, group.at, group.n, NULL, NULL);
	vec_clear(&group);
	return failed;
}

int main(int argc, char **argv)
{
	struct test *at = tests;
	int failed = 0;

	cmocka_set_message_output(CM_OUTPUT_TAP);
	while (at)
		failed += run_group(&at, argc, argv);
	return failed ? 1 : 0;
}

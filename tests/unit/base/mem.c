#include "base/mem.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/limits.h"
#include "test.h"

/* What the child says on stderr before it aborts, as it must. */
static void check_aborts(void (*run)(void), const char *expected)
{
	int fds[2], status;
	char text[512] = "";
	size_t len = 0;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		signal(SIGABRT, SIG_DFL);
		dup2(fds[1], STDERR_FILENO);
		run();
		_exit(0);
	}
	close(fds[1]);
	for (ssize_t n; len < sizeof(text) - 1; len += (size_t)n)
		if ((n = read(fds[0], text + len, sizeof(text) - 1 - len)) <= 0)
			break;
	close(fds[0]);
	CHECK_INT(waitpid(pid, &status, 0), pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	if (!strstr(text, expected))
		fail_msg("\"%s\" does not say \"%s\"", text, expected);
}

static void overflow_realloc(void)
{
	free(xrealloc(NULL, SIZE_MAX / 2, 3));
}

static void break_an_invariant(void)
{
	BUG_ON(1 + 1 == 2);
}

static void overflow_string(void)
{
	struct str s = STR_INIT;

	str_reserve(&s, SIZE_MAX);
}

static void overflow_arena(void)
{
	struct arena a = ARENA_INIT;

	memset(arena_calloc(&a, SIZE_MAX / 4, 8), 0, 1);
}

static void oversize_arena(void)
{
	struct arena a = ARENA_INIT;

	memset(arena_alloc(&a, SIZE_MAX - 3), 0, 1);
}

TEST(sizes_that_overflow_and_broken_invariants_abort_with_a_message)
{
	check_aborts(overflow_realloc, "awl: out of memory");
	check_aborts(break_an_invariant, "mem.c:");
	check_aborts(break_an_invariant, "1 + 1 == 2");
	check_aborts(overflow_string, "its producer has no cap");
	check_aborts(overflow_arena, "arena array of");
	check_aborts(oversize_arena, "arena object of");
}

TEST(empty_allocations_are_real_objects)
{
	defer(mem_freep) void *a = xmalloc(0);
	defer(mem_freep) void *b = xcalloc(0, 8);
	defer(mem_freep) void *c = xrealloc(NULL, 0, 8);
	defer(mem_freep) void *d = xmemdup(NULL, 0);

	CHECK(a && b && c && d);
}

TEST(copies_match_and_zeroed_objects_are_zero)
{
	defer(mem_freep) char *text = xstrdup("abc");
	defer(mem_freep) char *bytes = xmemdup("a\0b", 3);
	defer(mem_freep) struct err *zeroed = xnew(struct err);
	void *gone = xmalloc(1);

	CHECK_STR(text, "abc");
	CHECK(memcmp(bytes, "a\0b", 3) == 0);
	CHECK(zeroed->kind == ERR_NONE && zeroed->text[0] == '\0');
	mem_freep(&gone);
	CHECK(gone == NULL);
	mem_freep(&gone);
}

TEST(move_leaves_null_behind)
{
	char *text = xstrdup("abc");
	defer(mem_freep) char *taken = move(text);

	CHECK(text == NULL);
	CHECK_STR(taken, "abc");
}

#include "sys/process.h"

#include "sys/temp_dir.h"

TEST(a_detached_program_runs_in_a_session_of_its_own_and_is_not_our_child)
{
	TEMP_DIR(dir);
	PATH_IN(fifo, dir, "fifo");
	const char *const argv[] = { "/bin/sh",
				     "-c",
				     "read -r _ _ _ parent _ session _ < /proc/$$/stat; "
				     "echo \"$1 $GIVEN $parent $session\" > \"$0\"",
				     fifo,
				     "a word",
				     NULL };
	const char *const env[] = { "GIVEN=yes", "PATH=/usr/bin:/bin", NULL };
	struct err err = ERR_INIT;
	char text[200], word[100], given[10];
	int parent = 0, session = 0, fd;
	ssize_t n;

	CHECK_INT(mkfifo(fifo, 0600), 0);
	CHECK_OK(process_start_detached(argv, env, &err), err);
	fd = open(fifo, O_RDONLY); /* waits for the writer */
	CHECK(fd >= 0);
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	CHECK(n > 0);
	text[n] = '\0';
	CHECK_INT(sscanf(text, "a %99s %9s %d %d", word, given, &parent, &session), 4);
	CHECK_STR(word, "word");
	CHECK_STR(given, "yes");
	CHECK(parent != getpid());
	CHECK(session != getsid(0));
}

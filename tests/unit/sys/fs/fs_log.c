/* Files shared with other processes: logs and locks. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>

#include "base/limits.h"
#include "sys/small_disk.h"
#include "sys/temp_dir.h"

TEST(fs_log_appends_records_across_openings)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "log");
	struct fs_info info;
	struct err err;

	for (int i = 0; i < 3; i++) {
		defer(fs_log_closep) struct fs_log *log = fs_log_open(path, 0600, &err);

		CHECK_OK(log != NULL, err);
		CHECK_OK(fs_log_add(log, SV("one\n"), &err), err);
		CHECK_OK(fs_log_add(log, SV(""), &err), err);
		CHECK_OK(fs_log_add(log, SV("two\n"), &err), err);
		CHECK_OK(fs_log_sync(log, &err), err);
		CHECK_OK(fs_log_sync(log, &err), err);
	}
	CHECK_FILE(path, "one\ntwo\none\ntwo\none\ntwo\n");
	CHECK_OK(fs_info(&info, path, false, &err), err);
	CHECK_INT(info.mode, 0600);
	fs_log_close(NULL);
}

TEST(fs_log_goes_where_a_link_leads)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "log");
	PATH_IN(link, dir, "link");
	defer(fs_log_closep) struct fs_log *log = NULL;
	struct err err;

	CHECK_OK(fs_symlink("log", link, &err), err);
	log = fs_log_open(link, 0600, &err);
	CHECK_OK(log != NULL, err);
	CHECK_OK(fs_log_add(log, SV("x"), &err), err);
	CHECK_FILE(path, "x");
}

TEST(fs_log_refuses_what_is_no_regular_file)
{
	TEMP_DIR(dir);
	PATH_IN(fifo, dir, "fifo");
	PATH_IN(nowhere, dir, "no/log");
	struct err err;

	CHECK_INT(mkfifo(fifo, 0600), 0);
	CHECK(fs_log_open(fifo, 0600, &err) == NULL);
	CHECK_ERR(err, ERR_INVALID, fifo);
	CHECK(fs_log_open(str_c(&dir), 0600, &err) == NULL);
	CHECK_ERR(err, ERR_INVALID, "is a directory");
	CHECK(fs_log_open("/dev/null", 0600, &err) == NULL);
	CHECK_ERR(err, ERR_INVALID, "/dev/null");
	CHECK(fs_log_open(nowhere, 0600, &err) == NULL);
	CHECK_ERR(err, ERR_NOT_FOUND, nowhere);
}

enum { WRITERS = 4, RECORDS = 300, RECORD = 9000 }; /* over a page each */

static _Noreturn void write_records(const char *path, char letter)
{
	defer(str_clear) struct str record = STR_INIT;
	struct err err;
	struct fs_log *log = fs_log_open(path, 0600, &err);

	for (int i = 0; i < RECORD - 1; i++)
		str_addc(&record, letter);
	str_addc(&record, '\n');
	for (int i = 0; log && i < RECORDS; i++)
		if (!fs_log_add(log, sv_of(&record), &err))
			_exit(1);
	_exit(log ? 0 : 1);
}

TEST(fs_log_records_of_several_writers_do_not_mix)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "log");
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest, line;
	struct err err;
	int status, lines = 0;

	for (int i = 0; i < WRITERS; i++)
		if (fork() == 0)
			write_records(path, (char)('a' + i));
	for (int i = 0; i < WRITERS; i++) {
		CHECK(waitpid(-1, &status, 0) > 0);
		CHECK_INT(status, 0);
	}
	CHECK_OK(fs_read(&text, path, 64 * MIB, &err), err);
	rest = sv_of(&text);
	for (; sv_cut_line(&rest, &line); lines++) {
		CHECK_INT(line.len, RECORD - 1);
		for (size_t i = 1; i < line.len; i++)
			if (line.ptr[i] != line.ptr[0])
				CHECK(false);
	}
	CHECK_INT(lines, WRITERS * RECORDS);
}

/* Returns 0, or which of its checks failed. */
static int fill_disk_with_records(const char *dir)
{
	static const char record[5000] = "record";
	struct fs_log *log;
	struct err err;
	struct fs_info before, after;
	enum err_kind full = small_disk(dir);
	int added = 0;

	if (chdir(dir) < 0 || !(log = fs_log_open("log", 0600, &err)))
		return 1;
	while (fs_log_add(log, sv_from(record, sizeof(record)), &err))
		added++;
	if (err.kind != full || !strstr(err.text, "log"))
		return 2;
	if (!fs_info(&before, "log", true, &err) || before.size != added * (int)sizeof(record))
		return 3;
	/* What fits still can be added, at the place where the torn one was. */
	if (!fs_log_add(log, SV("fits"), &err) || !fs_info(&after, "log", true, &err))
		return 4;
	fs_log_close(log);
	return after.size == before.size + 4 ? 0 : 5;
}

TEST(fs_log_on_a_full_disk_has_no_torn_record)
{
	TEMP_DIR(dir);
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(fill_disk_with_records(str_c(&dir)));
	CHECK_INT(waitpid(pid, &status, 0), pid);
	CHECK_INT(status, 0);
}

/* --- locks --------------------------------------------------------------------------- */

static int lock_in_another_process(const char *path)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct err err;
		struct fs_lock *lock = fs_lock(path, &err);

		_exit(lock ? 0 : err.kind == ERR_BUSY ? 1 : 2);
	}
	CHECK_INT(waitpid(pid, &status, 0), pid);
	return WEXITSTATUS(status);
}

TEST(fs_lock_excludes_other_processes_and_other_locks_here)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "lock");
	struct fs_lock *lock;
	struct err err;

	lock = fs_lock(path, &err);
	CHECK_OK(lock != NULL, err);
	CHECK(fs_lock(path, &err) == NULL);
	CHECK_ERR(err, ERR_BUSY, path);
	CHECK_INT(lock_in_another_process(path), 1);
	fs_unlock(lock);
	CHECK_INT(lock_in_another_process(path), 0); /* and its end has released it */
	lock = fs_lock(path, &err);
	CHECK_OK(lock != NULL, err);
	fs_unlock(lock);
	fs_unlock(NULL);
}

TEST(fs_lock_is_released_though_a_forked_process_lives_on)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "lock");
	struct err err;
	struct fs_lock *lock = fs_lock(path, &err);
	int ends[2];
	char c;
	pid_t pid;

	CHECK_INT(pipe(ends), 0);
	pid = fork();
	if (pid == 0) { /* holds what it inherited until told */
		close(ends[1]);
		_exit(read(ends[0], &c, 1) == 0 ? 0 : 1);
	}
	close(ends[0]);
	fs_unlock(lock);
	lock = fs_lock(path, &err);
	CHECK_OK(lock != NULL, err);
	fs_unlock(lock);
	close(ends[1]);
	CHECK_INT(waitpid(pid, NULL, 0), pid);
}

TEST(fs_lock_on_a_file_removed_meanwhile_is_on_the_new_one)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "lock");
	struct err err;
	struct fs_lock *old = fs_lock(path, &err);
	struct fs_lock *new;

	CHECK_OK(fs_remove(path, &err), err);
	new = fs_lock(path, &err);
	CHECK_OK(new != NULL, err);
	CHECK_INT(lock_in_another_process(path), 1);
	fs_unlock(old);
	CHECK_INT(lock_in_another_process(path), 1);
	fs_unlock(new);
}

TEST(fs_lock_needs_a_regular_file)
{
	TEMP_DIR(dir);
	PATH_IN(fifo, dir, "fifo");
	PATH_IN(nowhere, dir, "no/lock");
	struct err err;

	CHECK_INT(mkfifo(fifo, 0600), 0);
	CHECK(fs_lock(fifo, &err) == NULL);
	CHECK_ERR(err, ERR_INVALID, fifo);
	CHECK(fs_lock(nowhere, &err) == NULL);
	CHECK_ERR(err, ERR_NOT_FOUND, nowhere);
}

TEST(who_waits_for_a_lock_gets_it_when_the_holder_dies)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "lock");
	struct fs_lock *lock;
	struct err err = ERR_INIT;
	int ready[2];
	pid_t pid;
	char c;

	CHECK(pipe(ready) == 0);
	pid = fork();
	if (pid == 0) {
		lock = fs_lock(path, &err);
		_exit(lock && write(ready[1], "x", 1) == 1 ? 0 : 1);
	}
	CHECK_INT(read(ready[0], &c, 1), 1);
	lock = fs_lock_within(path, 60000, &err);
	CHECK_OK(lock != NULL, err);
	fs_unlock(lock);
	CHECK_INT(waitpid(pid, NULL, 0), pid);
	close(ready[0]);
	close(ready[1]);
}

static void *wait_for_lock(void *path)
{
	struct err err;

	return fs_lock_within(path, 60000, &err);
}

/* Whether somebody waits in line for a lock on the file. */
static bool is_waited_for(ino_t inode)
{
	defer(str_clear) struct str locks = STR_INIT;
	struct sv rest, line;
	char name[32];
	struct err err;

	snprintf(name, sizeof(name), ":%llu ", (unsigned long long)inode);
	CHECK_OK(fs_read(&locks, "/proc/locks", 1 << 20, &err), err);
	for (rest = sv_of(&locks); sv_cut_line(&rest, &line);)
		if (sv_find(line, SV("->")) != SIZE_MAX && sv_find(line, sv_cstr(name)) != SIZE_MAX)
			return true;
	return false;
}

/* The holder removes the file before it lets go, as a session does at its end. */
TEST(who_waits_for_a_lock_whose_file_is_removed_gets_the_lock_on_the_new_file)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "lock");
	struct fs_lock *old;
	struct stat st;
	pthread_t thread;
	struct err err;
	void *new = NULL;

	old = fs_lock(path, &err);
	CHECK_INT(stat(path, &st), 0);
	CHECK_INT(pthread_create(&thread, NULL, wait_for_lock, path), 0);
	while (!is_waited_for(st.st_ino))
		sched_yield();
	CHECK_OK(fs_remove(path, &err), err);
	fs_unlock(old);
	CHECK_INT(pthread_join(thread, &new), 0);
	CHECK(new != NULL);
	CHECK_INT(lock_in_another_process(path), 1);
	fs_unlock(new);
}

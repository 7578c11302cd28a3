#include "base/log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

struct place {
	char dir[32], path[48];
};

static void place_clear(struct place *p)
{
	log_close();
	unlink(p->path);
	rmdir(p->dir);
}

static struct place place_make(void)
{
	struct place p = { .dir = "/tmp/awl-log-XXXXXX" };

	assert_non_null(mkdtemp(p.dir));
	snprintf(p.path, sizeof(p.path), "%s/log", p.dir);
	return p;
}

static struct str slurp(const char *path)
{
	struct str text = STR_INIT;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char buf[4096];

	assert_true(fd >= 0);
	for (ssize_t n; (n = read(fd, buf, sizeof(buf))) > 0;)
		str_add(&text, sv_from(buf, (size_t)n));
	close(fd);
	return text;
}

/* What follows the time, when `line` is "2024-01-31T23:59:59.999Z level folder session text". */
static struct sv after_time(struct sv line)
{
	static const char shape[] = "dddd-dd-ddTdd:dd:dd.dddZ ";

	CHECK(line.len > sizeof(shape) - 1);
	for (size_t i = 0; i < sizeof(shape) - 1; i++) {
		bool digit = line.ptr[i] >= '0' && line.ptr[i] <= '9';

		CHECK(shape[i] == 'd' ? digit : line.ptr[i] == shape[i]);
	}
	return sv_skip(line, sizeof(shape) - 1);
}

TEST(lines_carry_time_level_and_text)
{
	defer(place_clear) struct place p = place_make();
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct sv rest, line;

	CHECK_OK(log_open(p.path, LOG_DEBUG, NULL, &err), err);
	log_error("one %d", 1);
	log_warn("two");
	log_info("three");
	log_debug("%s", "");
	log_close();
	text = slurp(p.path);
	rest = sv_of(&text);
	CHECK(sv_cut_line(&rest, &line));
	CHECK_SV(after_time(line), "error log.c - one 1");
	CHECK(sv_cut_line(&rest, &line));
	CHECK_SV(after_time(line), "warn log.c - two");
	CHECK(sv_cut_line(&rest, &line));
	CHECK_SV(after_time(line), "info log.c - three");
	CHECK(sv_cut_line(&rest, &line));
	CHECK_SV(after_time(line), "debug log.c - ");
	CHECK(!sv_cut_line(&rest, &line));
}

TEST(less_urgent_lines_are_not_even_formatted)
{
	defer(place_clear) struct place p = place_make();
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	int evaluated = 0;

	log_error("nothing is open: %d", ++evaluated);
	CHECK_OK(log_open(p.path, LOG_WARN, NULL, &err), err);
	log_info("hidden %d", ++evaluated);
	log_warn("shown");
	log_close();
	log_error("closed again: %d", ++evaluated);
	CHECK_INT(evaluated, 0);
	text = slurp(p.path);
	CHECK_SV(after_time(sv_trim(sv_of(&text))), "warn log.c - shown");
}

TEST(control_characters_cannot_forge_lines_or_reach_a_terminal)
{
	defer(place_clear) struct place p = place_make();
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(log_open(p.path, LOG_INFO, NULL, &err), err);
	log_info("a\nb\r\x1b[2J\x7f\tc%cd", 0);
	log_info("%s", "csi \xc2\x9b pad \xc2\x80 nbsp \xc2\xa0 \xc3\x9b end \xc2");
	log_close();
	text = slurp(p.path);
	CHECK(sv_find(sv_of(&text), SV("info log.c - a?b??[2J??c?d\n")) != SIZE_MAX);
	CHECK(sv_ends(sv_of(&text),
		      SV("info log.c - csi ?? pad ?? nbsp \xc2\xa0 \xc3\x9b end \xc2\n")));
}

TEST(log_file_is_appended_to_and_private)
{
	defer(place_clear) struct place p = place_make();
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct stat st;

	for (int i = 0; i < 2; i++) {
		CHECK_OK(log_open(p.path, LOG_INFO, NULL, &err), err);
		log_info("run %d", i);
		log_close();
	}
	CHECK_INT(stat(p.path, &st), 0);
	CHECK_INT(st.st_mode & 0777, 0600);
	text = slurp(p.path);
	CHECK(sv_find(sv_of(&text), SV("run 0\n")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&text), SV("run 1\n")) != SIZE_MAX);
}

TEST(failure_to_open_a_log_keeps_the_old_one)
{
	defer(place_clear) struct place p = place_make();
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(log_open(p.path, LOG_INFO, NULL, &err), err);
	CHECK(!log_open("/nonexistent/log", LOG_DEBUG, NULL, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "cannot open the log file /nonexistent/log");
	CHECK_INT(log_threshold, LOG_INFO);
	log_info("still here");
	text = slurp(p.path);
	CHECK(sv_ends(sv_of(&text), SV("still here\n")));
}

/* Were a line more than one write, the parts of four writers would mix. */
TEST(lines_of_several_processes_do_not_mix)
{
	enum { WRITERS = 4, LINES = 300, LENGTH = 9000 };
	defer(place_clear) struct place p = place_make();
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct sv rest, line;
	size_t lines = 0;

	CHECK_OK(log_open(p.path, LOG_INFO, NULL, &err), err);
	for (int w = 0; w < WRITERS; w++) {
		if (fork() == 0) {
			char filler[LENGTH + 1];

			memset(filler, 'a' + w, LENGTH);
			filler[LENGTH] = '\0';
			for (int i = 0; i < LINES; i++)
				log_info("%s", filler);
			_exit(0);
		}
	}
	for (int w = 0; w < WRITERS; w++)
		CHECK(wait(&(int){ 0 }) > 0);
	text = slurp(p.path);
	for (rest = sv_of(&text); sv_cut_line(&rest, &line); lines++) {
		struct sv filler = sv_skip(after_time(line), strlen("info log.c - "));

		CHECK_INT(filler.len, LENGTH);
		for (size_t i = 1; i < filler.len; i++)
			CHECK(filler.ptr[i] == filler.ptr[0]);
	}
	CHECK_INT(lines, WRITERS * LINES);
}

TEST(full_disk_turns_logging_off)
{
	struct err err = ERR_INIT;

	CHECK_OK(log_open("/dev/full", LOG_INFO, NULL, &err), err);
	log_info("lost");
	CHECK_INT(log_threshold, LOG_OFF);
}

TEST(filter_selects_lines_by_folder)
{
	static const struct {
		const char *filter;
		bool core, perm, model;
	} rows[] = {
		{ NULL, true, true, true },
		{ "", true, true, true },
		{ "core", true, false, false },
		{ " perm , model", false, true, true },
		{ "!core", false, true, true },
		{ "api", false, false, true },
		{ "core,!core", false, false, false },
	};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < countof(rows); i++) {
		defer(place_clear) struct place p = place_make();
		defer(str_clear) struct str text = STR_INIT;

		CHECK_OK(log_open(p.path, LOG_DEBUG, rows[i].filter, &err), err);
		log_line(LOG_DEBUG, "../../src/core/agent/turn.c", "one");
		log_line(LOG_DEBUG, "src/perm/rule/rule.c", "two");
		log_line(LOG_DEBUG, "../src/model/client.c", "three");
		text = slurp(p.path);
		CHECK((sv_find(sv_of(&text), SV("debug core - one\n")) != SIZE_MAX) ==
		      rows[i].core);
		CHECK((sv_find(sv_of(&text), SV("debug perm - two\n")) != SIZE_MAX) ==
		      rows[i].perm);
		CHECK((sv_find(sv_of(&text), SV("debug model - three\n")) != SIZE_MAX) ==
		      rows[i].model);
	}
}

TEST(unknown_filter_word_is_reported_in_the_log)
{
	defer(place_clear) struct place p = place_make();
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(log_open(p.path, LOG_DEBUG, "statsig", &err), err);
	log_line(LOG_DEBUG, "src/core/agent/turn.c", "shown all the same");
	text = slurp(p.path);
	CHECK(sv_find(sv_of(&text), SV("names no part of awl: statsig; the parts are: cli")) !=
	      SIZE_MAX);
	CHECK(sv_find(sv_of(&text), SV("shown all the same")) != SIZE_MAX);
}

TEST(log_line_names_the_current_session)
{
	defer(place_clear) struct place p = place_make();
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(log_open(p.path, LOG_DEBUG, NULL, &err), err);
	log_session = 0x1a2b3c4d;
	log_info("busy");
	log_session = 0;
	text = slurp(p.path);
	CHECK(sv_find(sv_of(&text), SV(" 1a2b3c4d busy\n")) != SIZE_MAX);
}

static void keep_line(void *arg, enum log_level level, struct sv line)
{
	str_addf(arg, "%d %.*s|", (int)level, SV_ARG(line));
}

TEST(keys_and_passwords_are_hidden)
{
	defer(str_clear) struct str text = STR_INIT;

	log_to(keep_line, &text, LOG_INFO);
	log_info("child start: curl http://user:hunter2@host %s", "ghp_abcdefghijklmnopqrstuvwxyz");
	log_close();
	CHECK(sv_ends(sv_of(&text), SV(" child start: curl http://user:[secret]@host [secret]|")));
}

static void log_for_another_session(void)
{
	log_as(2);

	log_info("inner");
}

TEST(log_as_names_a_session_until_the_end_of_the_block)
{
	defer(place_clear) struct place p = place_make();
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(log_open(p.path, LOG_DEBUG, NULL, &err), err);
	log_session = 1;
	log_for_another_session();
	log_info("outer");
	log_session = 0;
	text = slurp(p.path);
	CHECK(sv_find(sv_of(&text), SV(" 00000002 inner\n")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&text), SV(" 00000001 outer\n")) != SIZE_MAX);
}

TEST(sink_receives_the_lines)
{
	defer(str_clear) struct str text = STR_INIT;

	log_to(keep_line, &text, LOG_INFO);
	log_debug("hidden");
	log_info("seen");
	log_close();
	log_info("closed");
	CHECK(sv_starts(sv_of(&text), SV("3 ")));
	CHECK(sv_ends(sv_of(&text), SV(" info log.c - seen|")));
}

TEST(long_log_text_is_cut)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str big = STR_INIT;

	for (int i = 0; i < 20000; i++)
		str_addc(&big, 'x');
	log_to(keep_line, &text, LOG_INFO);
	log_info("%s", str_c(&big));
	log_close();
	CHECK(text.len < 17000);
	CHECK(sv_ends(sv_of(&text), SV("x...|")));
}

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/secret_mask.h"

/* The folders of src that write lines, by the names that filters use; script/lint compares them
 * with the tree. No filter hides what the log says about itself, so base is not among them. */
static const char log_folders[][8] = { "cli",  "front", "core", "context", "extend", "lsp",
				       "mcp",  "tool",  "hook", "store",   "model",  "sandbox",
				       "perm", "proto", "net",  "sys" };

/* Names that other tools of this kind use for parts of the log. */
static const struct {
	const char *word, *folder;
} log_aliases[] = { { "api", "model" }, { "hooks", "hook" }, { "file", "store" } };

enum log_level log_threshold = LOG_OFF;
_Thread_local uint32_t log_session;

static struct {
	int fd;
	log_sink_fn *sink;
	void *arg;
	unsigned folders; /* one bit for each of log_folders whose lines are written */
} log_out = { .fd = -1 };

/* The bit of a folder, or 0 for an unknown name. */
static unsigned log_folder_bit(struct sv word)
{
	for (size_t i = 0; i < countof(log_aliases); i++)
		if (sv_is(word, log_aliases[i].word))
			word = sv_cstr(log_aliases[i].folder);
	for (size_t i = 0; i < countof(log_folders); i++)
		if (sv_is(word, log_folders[i]))
			return 1U << i;
	return 0;
}

/* Read the filter and collect unknown folder names in `unknown`. */
static unsigned log_read_filter(struct sv filter, struct str *unknown)
{
	unsigned wanted = 0, excluded = 0, bit;
	bool names_some = false;
	struct sv word;

	while (sv_cut(&filter, ',', &word)) {
		bool excludes = sv_starts(sv_trim(word), SV("!"));

		word = sv_trim(sv_skip(sv_trim(word), excludes));
		if (!word.len)
			continue;
		bit = log_folder_bit(word);
		if (!bit)
			str_addf(unknown, " %.*s", SV_ARG(word));
		*(excludes ? &excluded : &wanted) |= bit;
		names_some |= !excludes && bit;
	}
	return (names_some ? wanted : ~0U) & ~excluded;
}

const char *log_folder_name(size_t i)
{
	return i < countof(log_folders) ? log_folders[i] : NULL;
}

static void log_report_unknown(struct sv words)
{
	defer(str_clear) struct str known = STR_INIT;

	for (size_t i = 0; i < countof(log_folders); i++)
		str_addf(&known, " %s", log_folders[i]);
	log_warn("the debug filter names no part of awl:%.*s; the parts are:%s", SV_ARG(words),
		 str_c(&known));
}

bool log_open(const char *path, enum log_level level, const char *filter, struct err *err)
{
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600)
		      : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	defer(str_clear) struct str unknown = STR_INIT;

	if (fd < 0)
		return err_sys(err, errno, "cannot open the log file %s", path ? path : "");
	log_close();
	log_out.fd = fd;
	log_out.folders = log_read_filter(sv_cstr(filter ? filter : ""), &unknown);
	log_threshold = level;
	if (unknown.len)
		log_report_unknown(sv_of(&unknown));
	return true;
}

void log_to(log_sink_fn *sink, void *arg, enum log_level level)
{
	log_close();
	log_out.sink = sink;
	log_out.arg = arg;
	log_out.folders = ~0U;
	log_threshold = level;
}

void log_close(void)
{
	if (log_out.fd >= 0)
		close(log_out.fd);
	log_out.fd = -1;
	log_out.sink = NULL;
	log_threshold = LOG_OFF;
}

/* Use real time on purpose: people read a log side by side with the logs of other
 * programs. */
static void log_add_time(struct str *line)
{
	struct timespec now;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	str_addf(line, "%04d-%02d-%02dT%02d:%02d:%02d.%03ldZ ", tm.tm_year + 1900, tm.tm_mon + 1,
		 tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, now.tv_nsec / 1000000);
}

/* "core" for "../../src/core/agent/turn.c"; the file name for a file that is not below src. */
static struct sv log_folder_of(const char *file)
{
	struct sv path = sv_cstr(file), folder;
	size_t at = sv_find(path, SV("src/"));

	if (at == SIZE_MAX)
		return sv_basename(path);
	path = sv_skip(path, at + 4);
	sv_cut(&path, '/', &folder);
	return folder;
}

/* No filter hides lines of base, and of tests, which are outside src. */
static bool log_is_wanted(struct sv folder)
{
	unsigned bit = log_folder_bit(folder);

	return !bit || (log_out.folders & bit);
}

/* Keep control characters away from the terminal that shows the log: those of ASCII, and
 * those of C1, which are C2 followed by a byte from 80 to 9F. */
static void log_defuse(struct str *line, size_t from)
{
	for (size_t i = from; i < line->len; i++) {
		unsigned char c = (unsigned char)line->ptr[i];
		unsigned char next = (unsigned char)line->ptr[i + 1];

		if (c == 0xc2 && next >= 0x80 && next < 0xa0)
			memset(line->ptr + i++, '?', 2);
		else if (c < ' ' || c == 0x7f)
			line->ptr[i] = '?';
	}
}

static void log_write(enum log_level level, struct str *line)
{
	if (log_out.sink) {
		log_out.sink(log_out.arg, level, sv_of(line));
		return;
	}
	str_addc(line, '\n');
	if (write(log_out.fd, line->ptr, line->len) < 0)
		log_close(); /* a full disk must not slow down the program */
}

void log_line(enum log_level level, const char *file, const char *fmt, ...)
{
	static const char *const names[] = { "off", "error", "warn", "info", "debug" };
	defer(str_clear) struct str line = STR_INIT, raw = STR_INIT;
	struct sv folder = log_folder_of(file);
	size_t text;
	va_list args;

	if (!log_is_wanted(folder))
		return;
	log_add_time(&line);
	str_addf(&line, "%s %.*s ", names[level], SV_ARG(folder));
	if (log_session)
		str_addf(&line, "%08x ", log_session);
	else
		str_adds(&line, "- ");
	text = line.len;
	va_start(args, fmt);
	str_vaddf(&raw, fmt, args);
	va_end(args);
	secret_mask(&line, sv_of(&raw));
	if (line.len > text + LIMIT_LOG_TEXT) {
		str_truncate(&line, text + LIMIT_LOG_TEXT);
		str_adds(&line, "...");
	}
	log_defuse(&line, text);
	log_write(level, &line);
}

/* banned.h - functions that awl must not use. The build includes this into every file; a
 * use is a compile error that names the replacement. */
#ifndef AWL_BASE_BANNED_H
#define AWL_BASE_BANNED_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic error "-Wdeprecated-declarations"

#define BANNED(instead) __attribute__((deprecated("banned here; use " instead)))

/* Unbounded or silently truncating. */
char *strcpy(char *, const char *) BANNED("struct str");
char *strcat(char *, const char *) BANNED("struct str");
char *strncpy(char *, const char *, size_t) BANNED("struct str");
char *strncat(char *, const char *, size_t) BANNED("struct str");
int sprintf(char *, const char *, ...) BANNED("str_addf or snprintf");
int vsprintf(char *, const char *, va_list) BANNED("str_vaddf");

/* Hidden state, shared between callers. */
char *strtok(char *, const char *) BANNED("sv_cut");
struct tm *localtime(const time_t *) BANNED("localtime_r");
struct tm *gmtime(const time_t *) BANNED("gmtime_r");
char *ctime(const time_t *) BANNED("strftime");
char *asctime(const struct tm *) BANNED("strftime");

/* These report no errors: use sv_to_int. libc defines them inline, so poison their
 * names. */
#pragma GCC poison atoi atol atof

/* Time and random numbers come from the loop, so that tests can control them. */
time_t time(time_t *) BANNED("loop_wall");
int rand(void) BANNED("rng_next");
long random(void) BANNED("rng_next");
unsigned int sleep(unsigned int) BANNED("timer_start");
int usleep(useconds_t) BANNED("timer_start");

/* Never pass a composed string to a shell. */
int system(const char *) BANNED("child_start");
FILE *popen(const char *, const char *) BANNED("child_start");

/* File names that another process can take first. */
char *tmpnam(char[L_tmpnam]) BANNED("fs_temp_dir");
char *mktemp(char *) BANNED("fs_temp_dir");

/* Nobody checks allocations that can fail. */
void *malloc(size_t) BANNED("xmalloc");
void *calloc(size_t, size_t) BANNED("xcalloc");
void *realloc(void *, size_t) BANNED("xrealloc");
char *strdup(const char *) BANNED("xstrdup");
char *strndup(const char *, size_t) BANNED("sv_dup");

#endif

/* time_limit.h - ends a test program whose test hangs, and names the test. */
#ifndef AWL_TESTS_UNIT_TIME_LIMIT_H
#define AWL_TESTS_UNIT_TIME_LIMIT_H

/* The test `name`, which must stay valid, has begun. If it takes more than TIME_LIMIT_S seconds, the
 * program writes "not ok - NAME" and ends. */
enum { TIME_LIMIT_S = 300 };
void time_limit_start(const char *name);
void time_limit_stop(void);

#endif

/* A line from a client of the supervisor of background sessions. Whatever it is, it is refused or read; what was read can be
 * written, and reading that gives the same message again. */
#include "proto/background.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_pool pool = JSON_POOL_INIT, again = JSON_POOL_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str once = STR_INIT, twice = STR_INIT;
	struct background_message first, second;
	struct err err = ERR_INIT;

	if (!background_message_read(&first, sv_from((const char *)data, size), &pool, &arena,
				     &err)) {
		BUG_ON(err.kind == ERR_NONE);
	} else if (first.kind != BACKGROUND_UNKNOWN) {
		background_message_write(&once, &first);
		BUG_ON(!background_message_read(&second, sv_of(&once), &again, &arena, &err));
		BUG_ON(second.kind != first.kind);
		background_message_write(&twice, &second);
		BUG_ON(!sv_eq(sv_of(&once), sv_of(&twice)));
	}
	json_pool_clear(&pool);
	json_pool_clear(&again);
	return 0;
}

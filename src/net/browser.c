#include "net/browser.h"

#include "base/arena.h"
#include "base/vec.h"
#include "net/env_var.h"
#include "sys/process.h"
#include "text/shell_words.h"

bool browser_open(struct sv url, const char *const *env, struct err *err)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const char *given = env_var(env, "BROWSER");
	const char *const *words = NULL;
	VEC(const char *) argv = VEC_INIT;
	bool ok;

	if (!shell_words_split(&words, &arena, sv_cstr(given ? given : "xdg-open"), err))
		return err_context(err, "$BROWSER");
	for (size_t i = 0; words[i]; i++)
		vec_push(&argv, words[i]);
	vec_push(&argv, arena_dup(&arena, url).ptr);
	vec_push(&argv, NULL);
	ok = process_start_detached(argv.at, env, err);
	vec_clear(&argv);
	return ok;
}

/* Settings that another program changes at the same moment. */
#include "machine/sim.h"
#include "store/settings/settings.h"
#include "test.h"

#define FILE_PATH "/home/.claude/settings.json"

TEST(change_of_settings_is_made_again_when_another_program_was_faster)
{
	const struct settings_opts opts = { .config_dir = "/home/.claude", .project_dir = "/w" };

	for (size_t k = 1;; k++) {
		defer(sim_freep) struct sim *w = sim_new();
		struct err err = ERR_INIT;
		size_t before;

		sim_put(w, FILE_PATH, SV("{\n  \"model\": \"opus\"\n}\n"));
		sim_put_dir(w, "/w");
		before = sim_ops_counted(w);
		sim_fail_at(w, before + k, ERR_STALE);
		CHECK_OK(settings_set(&opts, SETTINGS_USER, JSON_STEPS(SV("model")),
				      SV("\"haiku\""), &err),
			 err);
		CHECK_SV(sim_get(w, FILE_PATH), "{\n  \"model\": \"haiku\"\n}\n");
		if (sim_ops_counted(w) < before + k)
			break;
	}
}

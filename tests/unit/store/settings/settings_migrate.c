#include "store/settings/settings_migrate.h"

#include "store/settings/settings_rig.h"

#define GLOBAL "global.json"

static void check_file(const struct rig *r, const char *name, const char *expected)
{
	defer(mem_freep) char *path = rig_path(r, name);
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(fs_read(&text, path, 1 << 20, &err), err);
	CHECK_STR(str_c(&text), expected);
}

static void migrate(struct rig *r, const char *expected)
{
	defer(mem_freep) char *global = rig_path(r, GLOBAL);
	defer(str_clear) struct str notes = STR_INIT;

	r->opts.global_file = global;
	settings_migrate(&r->opts, &notes);
	r->opts.global_file = NULL;
	rig_shorten(r, &notes);
	CHECK_STR(str_c(&notes), expected);
}

TEST(settings_are_brought_up_to_date_once_and_in_one_line)
{
	static const char global[] = "{\"bypassPermissionsModeAccepted\": true, "
				     "\"replBridgeEnabled\": false, \"autoUpdates\": false}";
	RIG(r);

	rig_write(&r, USER, "{\n  // mine\n  \"model\": \"claude-opus-4-1\"\n}\n");
	rig_write(&r, GLOBAL, global);
	migrate(&r, "Updated DIR/config/settings.json once for this version: model is now opus, "
		    "skipDangerousModePermissionPrompt is true, remoteControlAtStartup is false, "
		    "env.DISABLE_AUTOUPDATER is 1.\n");
	LOAD(r);
	CHECK_SETTING(r, "",
		      "{\"model\":\"opus\",\"skipDangerousModePermissionPrompt\":true,"
		      "\"remoteControlAtStartup\":false,\"env\":{\"DISABLE_AUTOUPDATER\":\"1\"}}");
	check_file(&r, GLOBAL, global);
	rig_write(&r, USER, "{\"model\": \"claude-opus-4-1\"}");
	migrate(&r, "");
	check_file(&r, USER, "{\"model\": \"claude-opus-4-1\"}");
}

TEST(what_is_set_already_stays)
{
	static const char text[] = "{\"model\": \"sonnet\", \"remoteControlAtStartup\": true,"
				   "\"skipDangerousModePermissionPrompt\": false,"
				   "\"env\": {\"DISABLE_AUTOUPDATER\": \"0\"}}";
	RIG(r);

	rig_write(&r, USER, text);
	rig_write(&r, GLOBAL,
		  "{\"bypassPermissionsModeAccepted\": true, \"replBridgeEnabled\": false, "
		  "\"autoUpdates\": false}");
	migrate(&r, "");
	check_file(&r, USER, text);
}

TEST(nothing_is_made_for_a_user_without_a_configuration)
{
	RIG(r);

	migrate(&r, "");
	CHECK(!fs_exists(r.config));
}

TEST(a_file_that_cannot_be_changed_is_tried_again)
{
	RIG(r);

	rig_write(&r, USER, "{ broken");
	rig_write(&r, GLOBAL, "{\"bypassPermissionsModeAccepted\": true}");
	migrate(&r, "");
	check_file(&r, USER, "{ broken");
	rig_write(&r, USER, "{}");
	migrate(&r, "Updated DIR/config/settings.json once for this version: "
		    "skipDangerousModePermissionPrompt is true.\n");
}

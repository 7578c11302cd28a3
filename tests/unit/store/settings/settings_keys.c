#include "store/settings/settings_keys.h"

#include "test.h"
#include "text/json/json_write.h"

TEST(the_table_of_settings_is_sorted_so_that_it_can_be_searched)
{
	for (size_t i = 1; i < settings_table_size; i++)
		if (strcmp(settings_table[i - 1].name, settings_table[i].name) >= 0)
			fail_msg("%s stands after %s", settings_table[i].name,
				 settings_table[i - 1].name);
	for (size_t i = 0; i < settings_table_size; i++)
		CHECK(setting_find(sv_cstr(settings_table[i].name)) == &settings_table[i]);
	CHECK(!setting_find(SV("")) && !setting_find(SV("~")) && !setting_find(SV("mode")));
}

static const struct setting *parent_of(const struct setting *row)
{
	struct sv name = sv_cstr(row->name);
	size_t dot = sv_rfind_char(name, '.');

	return dot == SIZE_MAX ? NULL : setting_find(sv_slice(name, 0, dot));
}

TEST(every_row_of_the_table_makes_sense)
{
	for (size_t i = 0; i < settings_table_size; i++) {
		const struct setting *row = &settings_table[i], *parent = parent_of(row);
		unsigned all = row->type | row->type >> SETTING_TYPES;
		bool is_word = all & SETTING_WORD, is_string = all & SETTING_STRING;
		bool sane = *row->help && !sv_ends(sv_cstr(row->help), SV("."));

		sane = sane && (!parent || (parent->type & SETTING_OBJECT));
		sane = sane && (parent || !strchr(row->name, '.'));
		/* who may not set an object may not set what is in it */
		sane = sane && (!parent || parent->from <= row->from);
		sane = sane && is_word == (*row->words != '\0') && !(is_word && is_string);
		sane = sane && !((row->type >> SETTING_TYPES) & SETTING_OBJECT);
		sane = sane && row->min <= row->max;
		if (row->merge == SETTING_TRUE || row->merge == SETTING_FALSE)
			sane = sane && row->type == SETTING_BOOL;
		if (row->merge == SETTING_LOWEST)
			sane = sane && row->type == SETTING_WORD;
		if (row->restricts && row->type == SETTING_BOOL)
			sane = sane && (row->merge == SETTING_TRUE || row->merge == SETTING_FALSE);
		if (*row->same_as)
			sane = sane && setting_find(sv_cstr(row->same_as)) &&
			       setting_find(sv_cstr(row->same_as))->type == row->type;
		if (!sane)
			fail_msg("%s", row->name);
	}
}

TEST(every_default_of_the_table_is_what_its_row_expects)
{
	size_t n = 0;

	for (size_t i = 0; i < settings_table_size; i++) {
		const struct setting *row = &settings_table[i];
		defer(json_doc_freep) struct json_doc *doc = NULL;
		struct err err = ERR_INIT;

		if (!*row->fallback)
			continue;
		doc = json_parse(sv_cstr(row->fallback), 0, &err);
		if (!doc || json_exists(setting_misfit(row, json_root(doc))))
			fail_msg("%s: %s", row->name, row->fallback);
		n++;
	}
	CHECK(n > 40);
}

TEST(every_text_of_the_table_fits_into_its_row)
{
	for (size_t i = 0; i < settings_table_size; i++) {
		const struct setting *row = &settings_table[i];

#define FITS(member) (strnlen(row->member, sizeof(row->member)) < sizeof(row->member))
		if (!FITS(name) || !FITS(help) || !FITS(words) || !FITS(project_words) ||
		    !FITS(restricting_words) || !FITS(fallback) || !FITS(same_as))
			fail_msg("%.40s", row->name);
#undef FITS
	}
}

/* What nobody may take from a repository, whatever it is: the mode, helpers, approvals. */
TEST(what_could_send_a_key_away_or_choose_the_mode_never_comes_from_a_repository)
{
	static const char *const keys[] = {
		"apiKeyHelper",
		"awsAuthRefresh",
		"awsCredentialExport",
		"gcpAuthRefresh",
		"otelHeadersHelper",
		"proxyAuthHelper",
		"skipDangerousModePermissionPrompt",
		"skipAutoPermissionPrompt",
		"useAutoModeDuringPlan",
		"autoMode.allow",
		"sandbox.credentials.envVars",
		"sandbox.network.httpProxyPort",
		"autoUploadSessions",
		"remoteControlAtStartup",
	};

	for (size_t i = 0; i < countof(keys); i++) {
		const struct setting *row = setting_find(sv_cstr(keys[i]));

		CHECK(row != NULL);
		CHECK(!setting_may_be_from(row, SETTINGS_PROJECT));
		CHECK(!setting_may_be_from(row, SETTINGS_LOCAL));
		CHECK(setting_may_be_from(row, SETTINGS_USER));
		CHECK(setting_may_be_from(row, SETTINGS_FLAG));
		CHECK(setting_may_be_from(row, SETTINGS_POLICY));
	}
}

TEST(what_has_no_effect_says_so_and_an_object_is_as_its_members_are)
{
	static const struct {
		const char *key;
		bool has_effect;
	} rows[] = {
		{ "model", true },
		{ "permissions", true },
		{ "permissions.deny", true },
		{ "sandbox", true },
		{ "sandbox.network", true },
		{ "sandbox.network.tlsTerminate", false },
		{ "timeZone", false },
		{ "voice", false },
		{ "additionalMarketplaces", true },
		{ "attribution.sessionUrl", false },
	};

	for (size_t i = 0; i < countof(rows); i++)
		if ((setting_applies(setting_find(sv_cstr(rows[i].key))) != SETTING_NO_EFFECT) !=
		    rows[i].has_effect)
			fail_msg("%s", rows[i].key);
	for (size_t i = 0; i < settings_table_size; i++)
		if (settings_table[i].no_effect &&
		    (settings_table[i].type & SETTING_OBJECT || *settings_table[i].same_as))
			fail_msg("%s: its mark says nothing", settings_table[i].name);
}

static bool restricts(const char *key, const char *json)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(json), 0, &err);

	CHECK_OK(doc != NULL, err);
	return setting_only_restricts(setting_find(sv_cstr(key)), json_root(doc));
}

TEST(only_what_takes_power_away_holds_without_trust)
{
	CHECK(restricts("permissions.deny", "[\"Bash\"]"));
	CHECK(restricts("permissions.ask", "[\"Bash\"]"));
	CHECK(restricts("permissions.disableBypassPermissionsMode", "\"disable\""));
	CHECK(restricts("permissions.blockWritesOutsideWorkingDirectories", "true"));
	CHECK(!restricts("permissions.blockWritesOutsideWorkingDirectories", "false"));
	CHECK(restricts("sandbox.allowUnsandboxedCommands", "false"));
	CHECK(!restricts("sandbox.allowUnsandboxedCommands", "true"));
	CHECK(restricts("sandbox.network.deniedDomains", "[]"));
	CHECK(!restricts("permissions.allow", "[]"));
	CHECK(restricts("permissions.defaultMode", "\"plan\""));
	CHECK(restricts("permissions.defaultMode", "\"dontAsk\""));
	CHECK(!restricts("permissions.defaultMode", "\"default\"")); /* the user's may be plan */
	CHECK(!restricts("permissions.defaultMode", "\"acceptEdits\""));
	CHECK(!restricts("permissions.defaultMode", "\"bypassPermissions\""));
	CHECK(!restricts("permissions.additionalDirectories", "[]"));
	/* would switch off guards of the user's */
	CHECK(!restricts("disableAllHooks", "true"));
	/* a sandbox brings "needs no question" with it */
	CHECK(!restricts("sandbox.enabled", "true"));
	/* would leave a weaker model */
	CHECK(!restricts("deniedModels", "[\"opus\"]"));
	CHECK(!restricts("maxEffortLevel", "\"low\""));
	CHECK(!restricts("env", "{}"));
	CHECK(!restricts("hooks", "{}"));
}

static void check_steps(const char *key, const char *expected)
{
	struct sv steps[SETTING_STEPS];
	size_t n = setting_steps(sv_cstr(key), steps);
	defer(str_clear) struct str text = STR_INIT;

	for (size_t i = 0; i < n; i++)
		str_addf(&text, "[%.*s]", SV_ARG(steps[i]));
	CHECK_STR(str_c(&text), expected);
}

TEST(a_dotted_key_leads_into_objects_and_is_one_name_inside_a_map)
{
	check_steps("model", "[model]");
	check_steps("permissions.deny", "[permissions][deny]");
	check_steps("sandbox.network.tlsTerminate.caCertPath",
		    "[sandbox][network][tlsTerminate][caCertPath]");
	check_steps("enabledPlugins.a.b@c.d", "[enabledPlugins][a.b@c.d]");
	check_steps("modelPricing.overrides.claude-4.5", "[modelPricing][overrides][claude-4.5]");
	check_steps("unknown.thing.x", "[unknown][thing][x]");
	check_steps("a.b.c.d.e.f.g.h.i.j", "[a][b][c][d][e][f][g][h.i.j]");
	check_steps("additionalMarketplaces.x", "[extraKnownMarketplaces][x]");
	check_steps("", "");
}

TEST(a_misspelt_key_is_known_by_its_nearest)
{
	CHECK_SV(setting_nearest(SV("permisions.deny")), "permissions.deny");
	CHECK_SV(setting_nearest(SV("AllwaysThinkingEnabled")), "alwaysThinkingEnabled");
	CHECK_SV(setting_nearest(SV("excludedCommands")), "sandbox.excludedCommands");
	CHECK_SV(setting_nearest(SV("qqqqqqqq")), "");
}

TEST(the_page_about_settings_names_every_key)
{
	defer(str_clear) struct str page = STR_INIT;

	settings_docs(&page);
	for (size_t i = 0; i < settings_table_size; i++) {
		defer(str_clear) struct str cell = STR_INIT;

		str_addf(&cell, "| `%s` |", settings_table[i].name);
		if (sv_find(sv_of(&page), sv_of(&cell)) == SIZE_MAX)
			fail_msg("%s", settings_table[i].name);
	}
}

TEST(a_key_says_when_its_change_applies)
{
	static const struct {
		const char *key;
		enum setting_applies when;
	} rows[] = {
		{ "permissions.deny", SETTING_APPLIES_NOW },
		{ "permissions", SETTING_APPLIES_NOW },
		{ "permissions.defaultMode", SETTING_NEXT_SESSION },
		{ "sandbox.network.allowedDomains", SETTING_APPLIES_NOW },
		{ "env", SETTING_APPLIES_NOW },
		{ "language", SETTING_NEXT_SESSION },
		{ "hooks", SETTING_APPLIES_NOW },
		{ "timeZone", SETTING_NO_EFFECT },
	};

	for (size_t i = 0; i < countof(rows); i++)
		CHECK_INT(setting_applies(setting_find(sv_cstr(rows[i].key))), rows[i].when);
}

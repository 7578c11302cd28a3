#include "extend/plugins/dependency.h"

#include "extend/plugins/plugin.h"
#include "test.h"

struct needs_case {
	struct plugin_set set;
	plugin_needs needs;
	struct str notes;
};

static void needs_clear(struct needs_case *c)
{
	plugin_set_clear(&c->set);
	vec_clear(&c->needs);
	str_clear(&c->notes);
}

static struct json needs_json(struct needs_case *c, const char *text)
{
	struct err err = ERR_INIT;

	vec_push(&c->set.docs, json_parse(sv_cstr(text), 0, &err));
	return json_root(vec_last(&c->set.docs)[0]);
}

static void needs_add(struct needs_case *c, const char *id, const char *version, const char *needs)
{
	struct sv text = sv_cstr(id);
	struct plugin p = { .id = text,
			    .name = sv_slice(text, 0, sv_find_char(text, '@')),
			    .version = sv_cstr(version) };

	plugin_needs_read(&p.needs, needs_json(c, needs), id, &c->notes);
	vec_push(&c->set.all, p);
}

TEST(dependencies_that_make_no_sense_are_skipped_with_a_note)
{
	defer(needs_clear) struct needs_case c = { .set = PLUGIN_SET_INIT };

	plugin_needs_read(&c.needs,
			  needs_json(&c,
				     "[\"a\",{\"name\":\"b\",\"version\":\"^1\",\"marketplace\":"
				     "\"m\"},7,\"../x\",{\"name\":\"c\",\"version\":\"latest\"},{},"
				     "\"d@n\"]"),
			  "f", &c.notes);
	CHECK_INT(c.needs.n, 3);
	CHECK_SV(c.needs.at[1].marketplace, "m");
	CHECK_SV(c.needs.at[1].range, "^1");
	CHECK_SV(c.needs.at[2].marketplace, "n");
	CHECK_STR(str_c(&c.notes),
		  "f: \"dependencies\": an entry must be a name, or an object with a \"name\" "
		  "(skipped)\n"
		  "f: \"dependencies\": ../x is not the name of a plugin (skipped)\n"
		  "f: \"dependencies\": c: \"latest\" is not a range of versions (skipped)\n"
		  "f: \"dependencies\": an entry must be a name, or an object with a \"name\" "
		  "(skipped)\n");
	str_truncate(&c.notes, 0);
	plugin_needs_read(&c.needs, needs_json(&c, "\"a\""), "f", &c.notes);
	CHECK_STR(str_c(&c.notes), "f: \"dependencies\" must be a list; it is ignored\n");
}

TEST(a_plugin_without_what_it_needs_is_dropped_and_so_are_those_that_need_it)
{
	defer(needs_clear) struct needs_case c = { .set = PLUGIN_SET_INIT };

	needs_add(&c, "top@m", "1.0.0", "[\"middle\"]");
	needs_add(&c, "middle@m", "1.0.0", "[{\"name\":\"low\",\"version\":\"^2\"}]");
	needs_add(&c, "low@m", "3.0.0", "[]");
	needs_add(&c, "other@m", "1.0.0", "[\"low\"]");
	plugin_set_check_needs(&c.set);
	CHECK_INT(c.set.all.n, 2);
	CHECK_SV(c.set.all.at[0].id, "low@m");
	CHECK_SV(c.set.all.at[1].id, "other@m");
	CHECK_INT(c.set.failed, 2);
	CHECK(sv_find(sv_of(&c.set.notes),
		      SV("middle@m is not loaded: it needs the plugin low ^2, but version "
			 "3.0.0 is installed")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&c.set.notes),
		      SV("top@m is not loaded: it needs the plugin middle, which "
			 "is not loaded")) != SIZE_MAX);
}

TEST(plugins_may_need_each_other_and_a_named_directory_stands_for_any_marketplace)
{
	defer(needs_clear) struct needs_case c = { .set = PLUGIN_SET_INIT };

	needs_add(&c, "a@m", "1.0.0", "[\"b\"]");
	needs_add(&c, "b@inline", "", "[\"a@m\"]");
	needs_add(&c, "c@n", "1.0.0", "[\"a\"]");
	plugin_set_check_needs(&c.set);
	CHECK_INT(c.set.all.n, 2);
	CHECK_SV(c.set.all.at[1].id, "b@inline");
}

#include "extend/plugins/marketplace.h"
#include "test.h"

static bool source_may_be(const char *url, const char *allowed, const char *blocked)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct err err;
	defer(json_doc_freep) struct json_doc *yes = json_parse(sv_cstr(allowed), 0, &err);
	defer(json_doc_freep) struct json_doc *no = json_parse(sv_cstr(blocked), 0, &err);
	const struct plugin_policy policy = { json_root(yes), json_root(no) };
	struct plugin_source source;

	return plugin_source_parse(&source, sv_cstr(url), "/", &arena, &err) &&
	       plugin_policy_allows(&policy, &source, &err);
}

#define GOOD "[{\"source\":\"hostPattern\",\"hostPattern\":\"^good\\\\.com$\"}]"

TEST(plugin_policies_mean_the_host_that_is_asked)
{
	static const char *const good[] = {
		"https://good.com/x.git",       "https://Good.com:443/x",
		"https://me:secret@good.com/x", "ssh://git@good.com:22/x.git",
		"git@good.com:owner/x.git",     "https://me@evil.com@good.com/x",
	};
	static const char *const evil[] = {
		"https://good.com:x@evil.com/x", "https://good.com@evil.com/x",
		"https://evil.com/good.com",     "https://evil.com:1/@good.com",
		"git@evil.com:good.com/x",       "ssh://good.com:22@evil.com/x",
		"https://evil.com/x@good.com:1",
	};

	for (size_t i = 0; i < countof(good); i++) {
		CHECK(source_may_be(good[i], GOOD, "[]"));
		CHECK(!source_may_be(good[i], "[\"x\"]", "[]"));
		CHECK(!source_may_be(good[i], GOOD, GOOD));
	}
	for (size_t i = 0; i < countof(evil); i++)
		CHECK(!source_may_be(evil[i], GOOD, "[]"));
}

TEST(addresses_that_programs_could_read_differently_are_refused)
{
	static const char *const urls[] = {
		"https://evil.com\\@good.com/x",
		"https://evil.com?@good.com/x",
		"https://evil.com%2f.good.com/x",
		"https:///x",
		"ssh://-oProxyCommand=id/x",
		"git@-oProxyCommand=id:x",
		"ext::sh -c id",
		"--upload-pack=id",
		"git@good.com/x\n:y",
	};
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct plugin_source source;
	struct err err;

	for (size_t i = 0; i < countof(urls); i++)
		CHECK(!plugin_source_parse(&source, sv_cstr(urls[i]), "/", &arena, &err));
}

#include "cli/demo.h"

#include "sys/fs.h"

const char demo_tour_prompt[] = "Show me the tour of awl.";
const char demo_settings[] = "{\"sandbox\":{\"enabled\":true}}";

static const struct {
	const char *name, *text;
} demo_files[] = {
	{ "add.sh", "# add A B prints the sum of two numbers.\n"
		    "add() {\n"
		    "\techo $(($1 - $2))\n"
		    "}\n" },
	{ "test.sh", ". ./add.sh\n"
		     "\n"
		     "n=0 failed=0\n"
		     "check() { # check A B SUM\n"
		     "\tn=$((n + 1))\n"
		     "\tgot=$(add \"$1\" \"$2\")\n"
		     "\tif [ \"$got\" = \"$3\" ]; then\n"
		     "\t\techo \"ok $n - add $1 $2\"\n"
		     "\telse\n"
		     "\t\techo \"not ok $n - add $1 $2: expected $3, got $got\"\n"
		     "\t\tfailed=$((failed + 1))\n"
		     "\tfi\n"
		     "}\n"
		     "\n"
		     "check 3 0 3\n"
		     "check 2 2 4\n"
		     "check 5 7 12\n"
		     "echo \"$failed of $n failed\"\n"
		     "[ $failed = 0 ]\n" },
};

static bool demo_write(struct sv dir, const char *name, const char *text, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	fs_join(&path, dir, sv_cstr(name));
	return fs_write(str_c(&path), sv_cstr(text), (struct fs_write){ .mode = 0600 }, err);
}

/* The tour runs awl itself, whatever PATH has. */
static bool demo_link(struct sv dir, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT, self = STR_INIT;

	fs_join(&path, dir, SV("awl"));
	return fs_realpath(&self, "/proc/self/exe", err) &&
	       fs_symlink(str_c(&self), str_c(&path), err);
}

bool demo_prepare(struct str *scratch, struct str *dir, struct err *err)
{
	if (!fs_temp_dir(scratch, err))
		return err_context(err, "the demo's scratch directory");
	str_truncate(dir, 0);
	fs_join(dir, sv_of(scratch), SV("tour"));
	if (!fs_mkdirs(str_c(dir), 0700, err) || !demo_link(sv_of(dir), err))
		return false;
	for (size_t i = 0; i < countof(demo_files); i++)
		if (!demo_write(sv_of(dir), demo_files[i].name, demo_files[i].text, err))
			return false;
	return true;
}

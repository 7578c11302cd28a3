/* Between the decision about a path and its use something is put in its place: whatever
 * it is, at whatever part of the path, for whatever tool, nothing behind it is touched. */
#include <pthread.h>
#include <stdatomic.h>

#include "tool_rig.h"

#define NOTEBOOK                                                                    \
	"{\"cells\":[{\"cell_type\":\"code\",\"source\":\"ours\",\"outputs\":[]}]," \
	"\"metadata\":{},\"nbformat\":4,\"nbformat_minor\":4}"

/* The files that there are, here and in the trap: a swap is noticed by nothing else. */
static const struct {
	const char *name;
	struct sv bytes;
} files[] = {
	{ "f", SV_INIT("ours\n") },
	{ "f.ipynb", SV_INIT(NOTEBOOK) },
	{ "f.pdf", SV_INIT("%PDF-1.7\n") },
};

static void put_files(struct tool_rig *r, const char *dir)
{
	PATH_IN(path, r->dir, dir);
	struct err err;

	CHECK_OK(fs_mkdirs(path, 0700, &err), err);
	for (size_t i = 0; i < countof(files); i++) {
		defer(str_clear) struct str name = STR_INIT;

		str_addf(&name, "%s/%s", dir, files[i].name);
		tool_rig_put(r, str_c(&name), files[i].bytes);
	}
}

static void check_files(struct tool_rig *r, const char *dir)
{
	PATH_IN(path, r->dir, dir);

	CHECK_INT(entries_in(path), (int)countof(files));
	for (size_t i = 0; i < countof(files); i++) {
		defer(str_clear) struct str name = STR_INIT;

		str_addf(&name, "%s/%s", dir, files[i].name);
		tool_rig_check(r, str_c(&name), files[i].bytes);
	}
}

/* What happens between the decision and the use; all is allowed. */
typedef bool decide_fn(struct tool_rig *r, const struct perm_request *perm_request);

/* Moves `name` aside and links it to where it is in the trap. */
static void swap(struct tool_rig *r, const char *name, const char *to)
{
	PATH_IN(path, r->dir, name);
	PATH_IN(aside, r->dir, "aside");
	struct err err;

	if (fs_exists(path))
		CHECK_OK(fs_rename(path, aside, &err), err);
	CHECK_OK(fs_symlink(to, path, &err), err);
}

static bool swap_first(struct tool_rig *r,
		       __attribute__((unused)) const struct perm_request *perm_request)
{
	swap(r, "a", "trap");
	return true;
}

static bool swap_middle(struct tool_rig *r,
			__attribute__((unused)) const struct perm_request *perm_request)
{
	swap(r, "a/b", "../trap/b");
	return true;
}

static bool swap_file(struct tool_rig *r,
		      __attribute__((unused)) const struct perm_request *perm_request)
{
	swap(r, "a/b/f", "../../trap/b/f");
	swap(r, "a/b/f.ipynb", "../../trap/b/f.ipynb");
	swap(r, "a/b/f.pdf", "../../trap/b/f.pdf");
	return true;
}

static bool swap_missing(struct tool_rig *r,
			 __attribute__((unused)) const struct perm_request *perm_request)
{
	swap(r, "a/new", "../trap/b");
	return true;
}

/* The link by which the path was named leads elsewhere, the file itself is as it was. */
static bool turn_link(struct tool_rig *r,
		      __attribute__((unused)) const struct perm_request *perm_request)
{
	PATH_IN(link, r->dir, "link");
	struct err err;

	CHECK_OK(fs_remove(link, &err), err);
	CHECK_OK(fs_symlink("trap/b", link, &err), err);
	return true;
}

struct door_case {
	const struct tool *tool;
	const char *input; /* with the directory for %s */
	const char *name;  /* of the file, to name both paths by */
};

#define PATCH(text) "{'input':'*** Begin Patch\\n" text "*** End Patch'}"

static const struct door_case cases[] = {
	{ &tool_read, "{'file_path':'%s/f'}", "f" },
	{ &tool_read, "{'file_path':'%s/f.ipynb'}", "f.ipynb" },
	{ &tool_read, "{'file_path':'%s/f.pdf'}", "f.pdf" },
	{ &tool_edit, "{'file_path':'%s/f','old_string':'ours','new_string':'x'}", "f" },
	{ &tool_multi_edit, "{'file_path':'%s/f','edits':[{'old_string':'ours','new_string':'x'}]}",
	  "f" },
	{ &tool_write, "{'file_path':'%s/f','content':'x'}", "f" },
	{ &tool_notebook_edit, "{'notebook_path':'%s/f.ipynb','cell_id':'cell-0','new_source':'x'}",
	  "f.ipynb" },
	{ &tool_apply_patch, PATCH("*** Update File: %s/f\\n@@\\n-ours\\n+x\\n"), "f" },
	{ &tool_apply_patch, PATCH("*** Delete File: %s/f\\n"), "f" },
	{ &tool_apply_patch, PATCH("*** Update File: %s/f\\n*** Move to: g\\n@@\\n-ours\\n+x\\n"),
	  "f" },
};

/* These would make a file. */
static const struct door_case makers[] = {
	{ &tool_write, "{'file_path':'%s/g','content':'x'}", "g" },
	{ &tool_edit, "{'file_path':'%s/g','old_string':'','new_string':'x'}", "g" },
	{ &tool_multi_edit, "{'file_path':'%s/g','edits':[{'old_string':'','new_string':'x'}]}",
	  "g" },
	{ &tool_apply_patch, PATCH("*** Add File: %s/g\\n+x\\n"), "g" },
};

static void call_in(struct tool_rig *r, const struct door_case *c, const char *dir)
{
	defer(str_clear) struct str input = STR_INIT;
	struct sv rest = sv_cstr(c->input);
	size_t at;

	while ((at = sv_find(rest, SV("%s"))) != SIZE_MAX) {
		str_add(&input, sv_slice(rest, 0, at));
		str_adds(&input, dir);
		rest = sv_skip(rest, at + 2);
	}
	str_add(&input, rest);
	tool_rig_call(r, c->tool, str_c(&input));
}

/* That the refusal names where it leads now and what was decided. */
static void check_named(struct tool_rig *r, const char *now, const char *decided, const char *name)
{
	defer(str_clear) struct str expected = STR_INIT;

	str_addf(&expected, " now resolves to %s/%s/%s, but permission was given for %s/%s/%s: ",
		 str_c(&r->dir), now, name, str_c(&r->dir), decided, name);
	tool_rig_check_text(r, true, str_c(&expected));
}

static void read_all(struct tool_rig *r, const char *dir)
{
	static const char *const inputs[] = { "{'file_path':'%s/f'}",
					      "{'file_path':'%s/f.ipynb'}" };

	for (size_t i = 0; i < countof(inputs); i++) {
		call_in(r, &(struct door_case){ &tool_read, inputs[i], "" }, dir);
		CHECK(!r->call.result.is_error);
	}
}

static void check_case(const struct door_case *c, decide_fn *decide, const char *dir,
		       const char *decided)
{
	TOOL_RIG(r);
	PATH_IN(link, r.dir, "link");
	struct err err;

	put_files(&r, "a/b");
	put_files(&r, "trap/b");
	CHECK_OK(fs_symlink("a/b", link, &err), err);
	read_all(&r, "a/b");
	r.decide = decide;
	call_in(&r, c, dir);
	check_named(&r, "trap/b", decided, c->name);
	check_files(&r, "trap/b");
}

TEST(a_link_in_place_of_any_part_of_a_decided_path_leads_nowhere)
{
	static decide_fn *const swaps[] = { swap_first, swap_middle, swap_file };

	for (size_t i = 0; i < countof(cases); i++)
		for (size_t k = 0; k < countof(swaps); k++)
			check_case(&cases[i], swaps[k], "a/b", "a/b");
}

TEST(a_link_that_is_turned_after_the_decision_is_not_followed)
{
	for (size_t i = 0; i < countof(cases); i++)
		check_case(&cases[i], turn_link, "link", "a/b");
	for (size_t i = 0; i < countof(makers); i++)
		check_case(&makers[i], turn_link, "link", "a/b");
}

TEST(a_link_in_place_of_a_directory_to_be_made_leads_nowhere)
{
	for (size_t i = 0; i < countof(makers); i++) {
		check_case(&makers[i], swap_first, "a/b", "a/b");
		check_case(&makers[i], swap_middle, "a/b", "a/b");
		check_case(&makers[i], swap_missing, "a/new", "a/new");
	}
}

/* As long as it is the same file, a path may be named in any way. */
TEST(what_was_decided_is_done)
{
	static const char *const dirs[] = { "a/b", "link", "./a/../link" };

	for (size_t i = 0; i < countof(cases) + countof(makers); i++)
		for (size_t k = 0; k < countof(dirs); k++) {
			const struct door_case *c =
				i < countof(cases) ? &cases[i] : &makers[i - countof(cases)];
			bool takes_away = sv_find(sv_cstr(c->input), SV("Delete")) != SIZE_MAX ||
					  sv_find(sv_cstr(c->input), SV("Move")) != SIZE_MAX;
			TOOL_RIG(r);
			PATH_IN(link, r.dir, "link");
			struct err err;

			put_files(&r, "a/b");
			CHECK_OK(fs_symlink("a/b", link, &err), err);
			read_all(&r, dirs[k]);
			call_in(&r, c, dirs[k]);
			if (sv_is(sv_cstr(c->name), "f.pdf"))
				continue; /* there may be nothing to read it with */
			CHECK_INT(r.call.result.is_error, 0);
			if (takes_away) {
				PATH_IN(gone, r.dir, "a/b/f");

				CHECK(!fs_exists(gone));
			}
		}
}

/* --- the race --------------------------------------------------------------------------- */

struct race {
	char *dir, *aside;
	atomic_bool over;
};

static void *keep_swapping(void *arg)
{
	struct race *race = arg;

	while (!atomic_load(&race->over)) {
		rename(race->dir, race->aside);
		symlink("trap", race->dir);
		unlink(race->dir);
		rename(race->aside, race->dir);
	}
	return NULL;
}

/* The trap is forbidden. */
static bool outside_trap(struct tool_rig *r, const struct perm_request *perm_request)
{
	PATH_IN(trap, r->dir, "trap");
	bool inside = sv_starts(perm_request->path, sv_cstr(trap));

	for (size_t i = 0; i < perm_request->n_more; i++)
		inside |= sv_starts(perm_request->more_paths[i], sv_cstr(trap));
	return !inside;
}

TEST(no_call_ever_gets_behind_a_link_that_comes_and_goes)
{
	TOOL_RIG(r);
	PATH_IN(dir, r.dir, "a");
	PATH_IN(aside, r.dir, "aside");
	struct race race = { .dir = dir, .aside = aside };
	pthread_t thread;

	put_files(&r, "a/b");
	put_files(&r, "trap/b");
	read_all(&r, "a/b");
	r.decide = outside_trap;
	CHECK_INT(pthread_create(&thread, NULL, keep_swapping, &race), 0);
	for (int i = 0; i < 300; i++) {
		const struct door_case *c = &cases[i % 7];

		call_in(&r, i % 3 ? c : &makers[i % 4], "a/b");
	}
	atomic_store(&race.over, true);
	pthread_join(thread, NULL);
	check_files(&r, "trap/b");
}

#include "store/git/git_refs.h"

#include "base/ascii.h"
#include "base/base.h"
#include "base/limits.h"
#include "store/git/git.h"
#include "sys/fs.h"

#define HEADS  SV("refs/heads/")
#define ORIGIN SV("refs/remotes/origin/")

struct reading {
	struct str dir;    /* the .git directory */
	struct str packed; /* packed-refs */
};

static void reading_clear(struct reading *r)
{
	str_clear(&r->dir);
	str_clear(&r->packed);
}

void git_refs_clear(struct git_refs *refs)
{
	str_clear(&refs->branch);
	str_clear(&refs->main_branch);
}

static bool git_refs_is(const struct reading *r, struct sv name, enum fs_kind kind)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info info;
	struct err ignored;

	fs_join(&path, sv_of(&r->dir), name);
	return fs_info(&info, str_c(&path), false, &ignored) && info.kind == kind;
}

/* Appends a small file. A missing one has no text. */
static bool git_refs_read_file(const struct reading *r, struct sv name, size_t max, struct str *out)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err;

	fs_join(&path, sv_of(&r->dir), name);
	return fs_read(out, str_c(&path), max, &err) || err.kind == ERR_NOT_FOUND;
}

/* Names that git would refuse, or read in another way, are not for us. */
static bool git_refs_is_plain(struct sv name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!ascii_is_alnum(name.ptr[i]) && !ascii_is_one_of(name.ptr[i], "-_+/."))
			return false;
	return name.len > 0 && sv_find(name, SV("..")) == SIZE_MAX &&
	       sv_find(name, SV("/.")) == SIZE_MAX && sv_find(name, SV("//")) == SIZE_MAX &&
	       !sv_starts(name, SV(".")) && !sv_starts(name, SV("/")) &&
	       !sv_starts(name, SV("-")) && !sv_ends(name, SV("/")) && !sv_ends(name, SV(".")) &&
	       !sv_ends(name, SV(".lock"));
}

static bool git_refs_exists(const struct reading *r, struct sv name)
{
	defer(str_clear) struct str line = STR_INIT;

	str_addf(&line, " %.*s\n", SV_ARG(name));
	return git_refs_is(r, name, FS_FILE) ||
	       sv_find(sv_of(&r->packed), sv_of(&line)) != SIZE_MAX;
}

/* Whether the short name could mean something else. git would not shorten it then. */
static bool git_refs_is_ambiguous(const struct reading *r, struct sv branch)
{
	static const struct {
		char before[16], after[8];
	} others[] = { { "", "" },
		       { "refs/", "" },
		       { "refs/tags/", "" },
		       { "refs/remotes/", "" },
		       { "refs/remotes/", "/HEAD" } };
	bool found = false;

	for (size_t i = 0; i < countof(others) && !found; i++) {
		defer(str_clear) struct str name = STR_INIT;

		str_addf(&name, "%s%.*s%s", others[i].before, SV_ARG(branch), others[i].after);
		found = git_refs_exists(r, sv_of(&name));
	}
	return found;
}

/* Reads the name after "ref: " and `prefix` in a file that names another ref. */
static bool git_refs_target(struct sv text, struct sv prefix, struct sv *name)
{
	if (!sv_starts(text, SV("ref: ")) || !sv_ends(text, SV("\n")))
		return false;
	text = sv_slice(text, SV("ref: ").len, text.len - 1);
	*name = sv_skip(text, prefix.len);
	return sv_starts(text, prefix) && git_refs_is_plain(*name);
}

static bool git_refs_is_hash(struct sv text)
{
	size_t digits = 0;

	while (digits < text.len && ascii_is_one_of(text.ptr[digits], "0123456789abcdef"))
		digits++;
	return (digits == 40 || digits == 64) && sv_is(sv_skip(text, digits), "\n");
}

/* git may read a link in place of a branch. */
static bool git_refs_is_unborn(const struct reading *r, struct sv branch)
{
	defer(str_clear) struct str name = STR_INIT;

	str_add(&name, HEADS);
	str_add(&name, branch);
	return !git_refs_exists(r, sv_of(&name)) && !git_refs_is(r, sv_of(&name), FS_LINK);
}

static bool git_refs_read_branch(const struct reading *r, struct git_refs *out)
{
	defer(str_clear) struct str head = STR_INIT;
	struct sv name;

	if (!git_refs_is(r, SV("HEAD"), FS_FILE) ||
	    !git_refs_read_file(r, SV("HEAD"), LIMIT_GIT_POINTER, &head))
		return false;
	if (git_refs_is_hash(sv_of(&head)))
		return true;
	if (!git_refs_target(sv_of(&head), HEADS, &name) || git_refs_is_ambiguous(r, name))
		return false;
	str_add(&out->branch, name);
	out->is_unborn = git_refs_is_unborn(r, name);
	return true;
}

static bool git_refs_read_main(const struct reading *r, struct str *out)
{
	static const char *const usual[] = { "main", "master", "trunk" };
	static const struct sv origin = SV_INIT("refs/remotes/origin/HEAD");
	defer(str_clear) struct str head = STR_INIT;
	struct sv name;

	if (!git_refs_read_file(r, origin, LIMIT_GIT_POINTER, &head) ||
	    (head.len > 0 && !git_refs_is(r, origin, FS_FILE)))
		return false;
	if (head.len > 0 && !git_refs_is_hash(sv_of(&head))) {
		if (!git_refs_target(sv_of(&head), ORIGIN, &name))
			return false;
		if (git_refs_exists(r, sv_slice(sv_of(&head), SV("ref: ").len, head.len - 1)))
			str_add(out, name);
	}
	for (size_t i = 0; i < countof(usual) && !out->len; i++) {
		defer(str_clear) struct str ref = STR_INIT;

		str_addf(&ref, "refs/heads/%s", usual[i]);
		if (git_refs_exists(r, sv_of(&ref)))
			str_adds(out, usual[i]);
	}
	return true;
}

static bool git_refs_collect(struct git_refs *out, const char *top)
{
	defer(reading_clear) struct reading r = { .dir = STR_INIT, .packed = STR_INIT };

	fs_join(&r.dir, sv_cstr(top), SV(".git"));
	return git_is_ours(top) && git_refs_is(&r, SV("."), FS_DIR) &&
	       git_refs_is(&r, SV("objects"), FS_DIR) && git_refs_is(&r, SV("refs"), FS_DIR) &&
	       !git_refs_is(&r, SV("commondir"), FS_FILE) &&
	       git_refs_read_file(&r, SV("packed-refs"), LIMIT_GIT_PACKED, &r.packed) &&
	       git_refs_read_branch(&r, out) && git_refs_read_main(&r, &out->main_branch);
}

bool git_refs_read(struct git_refs *out, const char *top)
{
	struct git_refs found = { .branch = STR_INIT };

	if (!git_refs_collect(&found, top)) {
		git_refs_clear(&found);
		return false;
	}
	*out = found;
	return true;
}

/* What a file keeps when its bytes are replaced. */
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/xattr.h>

#include "base/limits.h"
#include "sys/in_child.h"
#include "sys/small_disk.h"
#include "sys/temp_dir.h"

#define ACL         "system.posix_acl_access"
#define DEFAULT_ACL "system.posix_acl_default"

static void put(const char *path, const char *text)
{
	struct err err;

	CHECK_OK(fs_write(path, sv_cstr(text), (struct fs_write){ .mode = 0 }, &err), err);
}

/* An ACL as the kernel has it: the user 1234 may read, too. */
struct acl {
	uint32_t version;
	struct {
		uint16_t tag, perm;
		uint32_t id;
	} at[5];
};

static struct acl acl_with(uint16_t perm)
{
	uint32_t none = UINT32_MAX;

	return (struct acl){ 2,
			     { { 0x01, 6, none },
			       { 0x02, perm, 1234 },
			       { 0x04, 4, none },
			       { 0x10, 6, none },
			       { 0x20, 0, none } } };
}

/* False where the file system has none. */
static bool set(const char *path, const char *name, const void *value, size_t n)
{
	if (setxattr(path, name, value, n, 0) == 0)
		return true;
	CHECK_INT(errno, ENOTSUP);
	return false;
}

static void check_attr(const char *path, const char *name, const void *value, size_t n)
{
	char found[256];

	CHECK_INT(getxattr(path, name, found, sizeof(found)), (int)n);
	CHECK(memcmp(found, value, n) == 0);
}

TEST(fs_write_keeps_attributes_and_the_acl_of_what_it_replaces)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "file");
	struct acl acl = acl_with(4);
	struct stat before, after;
	bool has_user, has_acl;

	write_file(path, "old", 0640);
	has_user = set(path, "user.note", "by\0te", 5) && set(path, "user.empty", "", 0);
	has_acl = set(path, ACL, &acl, sizeof(acl));
	CHECK_INT(stat(path, &before), 0);
	put(path, "new");
	CHECK_FILE(path, "new");
	CHECK_INT(stat(path, &after), 0);
	CHECK(before.st_ino != after.st_ino);
	CHECK_INT(after.st_mode, before.st_mode);
	if (has_user) {
		check_attr(path, "user.note", "by\0te", 5);
		check_attr(path, "user.empty", "", 0);
	}
	if (has_acl)
		check_attr(path, ACL, &acl, sizeof(acl));
}

TEST(fs_write_gives_an_old_file_no_acl_that_its_directory_gives_to_new_ones)
{
	TEMP_DIR(dir);
	PATH_IN(old, dir, "old");
	PATH_IN(made, dir, "made");
	struct acl acl = acl_with(6);
	char found[256];

	write_file(old, "old", 0640);
	if (!set(str_c(&dir), DEFAULT_ACL, &acl, sizeof(acl)))
		return;
	put(old, "new");
	put(made, "new");
	CHECK_INT(getxattr(old, ACL, found, sizeof(found)), -1);
	CHECK_INT(errno, ENODATA);
	CHECK(getxattr(made, ACL, found, sizeof(found)) > 0);
}

TEST(fs_write_leaves_every_hard_link_the_same_file)
{
	static const char *const texts[] = { "longer than it was", "short", "", "again" };
	TEMP_DIR(dir);
	PATH_IN(a, dir, "a");
	PATH_IN(b, dir, "b");
	struct stat before, after;

	write_file(a, "old", 0751);
	CHECK_INT(link(a, b), 0);
	CHECK_INT(stat(a, &before), 0);
	for (size_t i = 0; i < countof(texts); i++) {
		defer(str_clear) struct str bytes = STR_INIT;
		struct err err;

		put(i % 2 ? a : b, texts[i]);
		CHECK_OK(fs_read(&bytes, i % 2 ? b : a, 100, &err), err);
		CHECK_STR(str_c(&bytes), texts[i]);
	}
	CHECK_INT(stat(b, &after), 0);
	CHECK(before.st_ino == after.st_ino && after.st_nlink == 2);
	CHECK_INT(after.st_mode, before.st_mode);
	CHECK_INT(entries_in(str_c(&dir)), 2);
}

/* Room for the old bytes and their copy, not for the new ones; then not even for the
 * copy. */
static void fill_disk(const char *dir)
{
	static const size_t old_sizes[] = { 8 * KIB, 20 * KIB };
	defer(mem_freep) char *bytes = xcalloc(1, 60 * KIB);
	enum err_kind full = small_disk(dir);
	struct err err;

	EXPECT(full != ERR_NONE && chdir(dir) == 0);
	for (size_t i = 0; i < countof(old_sizes); i++) {
		defer(str_clear) struct str found = STR_INIT;
		struct sv old = sv_from(bytes, old_sizes[i]);

		memset(bytes, 'o', 60 * KIB);
		EXPECT(fs_write("a", old, (struct fs_write){ .mode = 0 }, &err));
		EXPECT(link("a", "b") == 0);
		EXPECT(!fs_write("a", sv_from(bytes, 60 * KIB), (struct fs_write){ .sync = true },
				 &err));
		EXPECT(err.kind == full);
		EXPECT(fs_read(&found, "b", MIB, &err) && sv_eq(sv_of(&found), old));
		EXPECT(entries_in(".") == 2);
		EXPECT(unlink("a") == 0 && unlink("b") == 0);
	}
}

TEST(fs_write_over_hard_links_on_a_full_disk_changes_nothing)
{
	TEMP_DIR(dir);

	CHECK_INT(in_child(fill_disk, str_c(&dir)), 0);
}

/* A file that is a mount, as containers have them, cannot be renamed over. */
static void write_mount(const char *dir)
{
	struct err err;

	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return;
	EXPECT(chdir(dir) == 0);
	EXPECT(mount("outside", "inside", NULL, MS_BIND, NULL) == 0);
	EXPECT(fs_write("inside", SV("new"), (struct fs_write){ .sync = true }, &err));
	EXPECT(entries_in(".") == 2);
}

TEST(fs_write_to_a_file_that_is_a_mount_writes_what_is_mounted)
{
	TEMP_DIR(dir);
	PATH_IN(inside, dir, "inside");
	PATH_IN(outside, dir, "outside");

	write_file(inside, "under the mount", 0600);
	write_file(outside, "old", 0600);
	CHECK_INT(in_child(write_mount, str_c(&dir)), 0);
	CHECK_FILE(inside, "under the mount");
	if (getuid() == 0)
		CHECK_FILE(outside, "new");
}

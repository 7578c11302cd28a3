#include "store/transcript/transcript_path.h"

#include "base/utf8.h"
#include "store/transcript/transcript.h"
#include "sys/fs.h"

enum { KEY_MAX = 200 };

static bool transcript_path_is_plain(uint32_t rune)
{
	return (rune >= '0' && rune <= '9') || (rune >= 'A' && rune <= 'Z') ||
	       (rune >= 'a' && rune <= 'z');
}

/* The hash that other programs use for long keys: 31 times the previous value, plus the unit. */
static uint32_t transcript_path_add_unit(uint32_t hash, uint32_t unit)
{
	return hash * 31 + unit;
}

static void transcript_path_add_base36(struct str *out, uint32_t n)
{
	char digits[8];
	size_t at = sizeof(digits);

	do {
		digits[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[n % 36];
		n /= 36;
	} while (n);
	str_add(out, sv_from(digits + at, sizeof(digits) - at));
}

/* JavaScript programs made the existing names, so its characters count. */
static void transcript_path_add_key(struct str *out, struct sv cwd)
{
	size_t start = out->len;
	uint32_t hash = 0;

	while (cwd.len) {
		uint32_t rune = 0;
		int n = utf8_decode(cwd, &rune);

		if (n < 0)
			rune = 0xfffd;
		if (rune > 0xffff) {
			hash = transcript_path_add_unit(hash, 0xd7c0 + (rune >> 10));
			str_addc(out, '-');
			rune = 0xdc00 + (rune & 0x3ff);
		}
		hash = transcript_path_add_unit(hash, rune);
		str_addc(out, transcript_path_is_plain(rune) ? (char)rune : '-');
		cwd = sv_skip(cwd, (size_t)abs(n));
	}
	if (out->len - start <= KEY_MAX)
		return;
	str_truncate(out, start + KEY_MAX);
	str_addc(out, '-');
	transcript_path_add_base36(out, hash > INT32_MAX ? 0 - hash : hash);
}

void transcript_dir(struct str *out, struct sv config_dir, struct sv cwd)
{
	fs_join(out, config_dir, SV("projects/"));
	transcript_path_add_key(out, cwd);
}

void transcript_lock_path(struct str *out, struct sv config_dir, struct sv session_id)
{
	fs_join(out, config_dir, SV("awl/locks/"));
	str_add(out, session_id);
}

bool path_make_parents(const char *path, struct err *err)
{
	struct sv whole = sv_cstr(path);
	size_t slash = sv_rfind_char(whole, '/');
	defer(mem_freep) char *dir = NULL;

	if (slash == SIZE_MAX || slash == 0)
		return true;
	dir = sv_dup(sv_slice(whole, 0, slash));
	return fs_mkdirs(dir, 0700, err);
}

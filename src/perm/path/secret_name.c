#include "perm/path/secret_name.h"

#include "perm/rule/glob_star.h"
#include "text/match/wildmatch.h"

/* Patterns of the last component, in lower case. */
static const char *const secret_files[] = {
	"*.jks",         "*.kdbx",       "*.key",       "*.keystore",
	"*.p12",         "*.pem",        "*.pfx",       "*.ppk",
	"*credentials*", ".dockercfg",   ".env*",       ".git-credentials",
	".htpasswd",     ".netrc",       ".npmrc",      ".pgpass",
	".pypirc",       ".vault-token", "_netrc",      "id_dsa*",
	"id_ecdsa*",     "id_ed25519*",  "id_rsa*",     "secrets.json",
	"secrets.toml",  "secrets.yaml", "secrets.yml",
};

/* Files that are meant to be shown. */
static const char *const shown_files[] = { "*.example", "*.sample", "*.template", "*.dist",
					   "*.pub",     "*.c",      "*.h",        "*.md" };

static const char *const secret_parts[] = {
	"API_KEY",    "APIKEY",      "SECRET",     "TOKEN",      "PASSWORD", "PASSWD",
	"PASSPHRASE", "PRIVATE_KEY", "CREDENTIAL", "ACCESS_KEY", "AUTH_KEY",
};

static bool secret_matches_any(struct sv text, const char *const *patterns, size_t n)
{
	size_t steps = 100000;

	for (size_t i = 0; i < n; i++)
		if (glob_star_match(sv_cstr(patterns[i]), false, text, &steps))
			return true;
	return false;
}

static void secret_to_lower(struct str *out, struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		str_addc(out, (char)(text.ptr[i] >= 'A' && text.ptr[i] <= 'Z' ? text.ptr[i] + 32
									      : text.ptr[i]));
}

static bool is_process_memory(struct sv path)
{
	static const char *const patterns[] = { "/proc/*/environ", "/proc/*/mem", "/proc/kcore",
						"/dev/mem", "/dev/kmem" };

	return secret_matches_any(path, patterns, countof(patterns));
}

bool secret_is_file(struct sv path)
{
	defer(str_clear) struct str name = STR_INIT;

	if (is_process_memory(path))
		return true;
	secret_to_lower(&name, sv_basename(path));
	return secret_matches_any(sv_of(&name), secret_files, countof(secret_files)) &&
	       !secret_matches_any(sv_of(&name), shown_files, countof(shown_files));
}

static bool secret_glob_matches_any(struct sv glob, const char *const *names, size_t n)
{
	size_t steps = 100000;

	for (size_t i = 0; i < n; i++)
		if (wildmatch(glob, sv_cstr(names[i]), true, &steps))
			return true;
	return false;
}

static bool secret_is_simple_glob(struct sv glob)
{
	static const char *const secret[] = {
		".env",         ".env.local",   ".env.production", ".git-credentials",
		".htpasswd",    ".netrc",       ".npmrc",          ".pgpass",
		".pypirc",      ".vault-token", "credentials",     "credentials.json",
		"id_dsa",       "id_ecdsa",     "id_ed25519",      "id_rsa",
		"secrets.json", "secrets.toml", "secrets.yaml",    "secrets.yml",
		"server.jks",   "server.kdbx",  "server.key",      "server.keystore",
		"server.p12",   "server.pem",   "server.pfx",      "server.ppk",
	};
	static const char *const ordinary[] = { "Makefile",    "README.md",    "config.toml",
						"config.yaml", "config.yml",   "main.c",
						"notes.txt",   "package.json", "server.ts" };

	glob = sv_basename(glob);
	return secret_glob_matches_any(glob, secret, countof(secret)) &&
	       !secret_glob_matches_any(glob, ordinary, countof(ordinary));
}

bool secret_is_glob(struct sv glob)
{
	size_t open = sv_find_char(glob, '{'), close = sv_find_char(glob, '}');
	struct sv rest, one;

	if (sv_starts(glob, SV("!"))) /* it leaves these out */
		return false;
	if (open == SIZE_MAX || close == SIZE_MAX || close < open)
		return secret_is_simple_glob(glob);
	rest = sv_slice(glob, open + 1, close);
	while (sv_cut(&rest, ',', &one)) {
		defer(str_clear) struct str name = STR_INIT;

		str_addf(&name, "%.*s%.*s%.*s", SV_ARG(sv_slice(glob, 0, open)), SV_ARG(one),
			 SV_ARG(sv_skip(glob, close + 1)));
		if (secret_is_glob(sv_of(&name)))
			return true;
	}
	return false;
}

bool secret_is_variable(struct sv name)
{
	for (size_t i = 0; i < countof(secret_parts); i++)
		if (sv_find(name, sv_cstr(secret_parts[i])) != SIZE_MAX)
			return true;
	return false;
}

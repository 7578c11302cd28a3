#include "tool/shell/shell_env.h"

#include <unistd.h>

#include "base/log.h"
#include "perm/path/path.h"
#include "sandbox/sandbox.h"
#include "sys/fs.h"

/* Nobody can use a pager or an editor or answer a prompt. Programs may want to know who runs them.
 */
static const char extra_env[][28] = {
	"AI_AGENT=awl",    "AWL=1",         "CLAUDECODE=1",          "CLAUDE_CODE_CHILD_SESSION=1",
	"GIT_EDITOR=true", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "PAGER=cat",
};

/* Not passed to commands: start-up files that a shell would read by itself, variables that make a
 * reading command do something else, destinations of our own telemetry, and variables that only
 * this session may set. */
static const char kept_back[][24] = {
	"BASHOPTS=",
	"BASH_COMPAT=",
	"BASH_ENV=",
	"BASH_XTRACEFD=",
	"CDPATH=",
	"CLAUDE_CODE_SESSION_ID=",
	"CLAUDE_EFFORT=",
	"CLAUDE_PID=",
	"CLAUDE_PROJECT_DIR=",
	"ENV=",
	"EXECIGNORE=",
	"GIT_EXTERNAL_DIFF=",
	"GLOBIGNORE=",
	"GREP_OPTIONS=",
	"LESSCLOSE=",
	"LESSOPEN=",
	"OTEL_",
	"POSIXLY_CORRECT=",
	"PROMPT_COMMAND=",
	"PS4=",
	"RIPGREP_CONFIG_PATH=",
	"SHELLOPTS=",
	"TAR_OPTIONS=",
	"awl_rc=",
};

const char *shell_env_get(const struct tool_session *session, const char *name)
{
	size_t n = strlen(name);

	for (const char *const *var = session->env; var && *var; var++)
		if (strncmp(*var, name, n) == 0 && (*var)[n] == '=')
			return (*var)[n + 1] ? *var + n + 1 : NULL;
	return NULL;
}

bool shell_env_is_on(const struct tool_session *session, const char *name)
{
	const char *value = shell_env_get(session, name);

	return value && strcmp(value, "0") != 0 && strcmp(value, "false") != 0;
}

int64_t shell_env_ms(const struct tool_session *session, const char *name)
{
	const char *value = shell_env_get(session, name);
	int64_t ms;

	return value && sv_to_int(sv_cstr(value), &ms) && ms > 0 ? ms : 0;
}

static bool is_replaced(const char *variable)
{
	for (size_t i = 0; i < countof(kept_back); i++)
		if (sv_starts(sv_cstr(variable), sv_cstr(kept_back[i])))
			return true;
	for (size_t i = 0; i < countof(extra_env); i++) {
		size_t name = sv_find_char(sv_cstr(extra_env[i]), '=') + 1;

		if (strncmp(variable, extra_env[i], name) == 0)
			return true;
	}
	return false;
}

static void shell_env_add(shell_words *env, struct arena *arena, const char *name,
			  const char *value)
{
	if (value)
		vec_push(env, arena_printf(arena, "%s=%s", name, value).ptr);
}

/* Whether the project or a command could have put programs into this directory. */
static bool shell_env_is_worked_in(const struct tool_context *ctx, struct sv dir)
{
	const char *const *write =
		ctx->session->sandbox ? ctx->session->sandbox->config.policy.write : NULL;
	defer(str_clear) struct str path = STR_INIT, real = STR_INIT;
	struct err ignored;

	str_add(&path, dir);
	if (fs_realpath(&real, str_c(&path), &ignored))
		dir = sv_of(&real);
	for (; write && *write; write++)
		if (path_is_inside(dir, sv_cstr(*write)))
			return true;
	return ctx->session->root && path_is_inside(dir, sv_cstr(ctx->session->root));
}

/* Removes relative directories from a PATH: they mean another directory wherever a command runs.
 * With a context, also removes directories that commands can write to. */
static const char *shell_env_definite_path(struct sv path, const struct tool_context *ctx,
					   struct arena *arena)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv dir;

	while (sv_cut(&path, ':', &dir))
		if (sv_starts(dir, SV("/")) && !(ctx && shell_env_is_worked_in(ctx, dir)))
			str_addf(&text, "%s%.*s", text.len ? ":" : "PATH=", SV_ARG(dir));
	return arena_dup(arena, text.len ? sv_of(&text) : SV("PATH=/usr/bin:/bin")).ptr;
}

/* What comes after the user's PATH replaces none of the user's programs. */
static const char *shell_env_path(const struct tool_context *ctx, struct sv path,
				  struct arena *arena)
{
	const char *own = shell_env_definite_path(path, NULL, arena);
	const char *more = ctx->session->more_path;

	return more ? arena_printf(arena, "%s:%s", own, more).ptr : own;
}

void shell_env_make(shell_words *env, const struct tool_context *ctx, struct arena *arena)
{
	struct sv path = SV("PATH=");

	for (const char *const *var = ctx->session->env; var && *var; var++)
		if (sv_starts(sv_cstr(*var), path))
			vec_push(env, shell_env_path(ctx, sv_skip(sv_cstr(*var), path.len), arena));
		else if (!is_replaced(*var))
			vec_push(env, arena_dup(arena, sv_cstr(*var)).ptr);
	for (size_t i = 0; i < countof(extra_env); i++)
		vec_push(env, extra_env[i]);
	shell_env_add(env, arena, "CLAUDE_CODE_SESSION_ID", ctx->session->id);
	shell_env_add(env, arena, "CLAUDE_EFFORT", ctx->effort);
	shell_env_add(env, arena, "CLAUDE_PROJECT_DIR", ctx->session->project);
	vec_push(env, arena_printf(arena, "CLAUDE_PID=%d", (int)getpid()).ptr);
}

const char *const *shell_env_own(const struct tool_context *ctx, struct arena *arena)
{
	struct sv path = SV("PATH=");
	const char *const *all =
		ctx->session->env ? ctx->session->env : (const char *const *)environ;
	const char **env;
	size_t n = 0;

	while (all[n])
		n++;
	env = arena_calloc(arena, n + 1, sizeof(*env));
	for (size_t i = 0; i < n; i++) {
		struct sv variable = sv_cstr(all[i]);

		env[i] = sv_starts(variable, path)
				 ? shell_env_definite_path(sv_skip(variable, path.len), ctx, arena)
				 : all[i];
	}
	return env;
}

/* --- what the user says --------------------------------------------------------------- */

/* A name to look up in PATH, or an absolute path; never below the working directory. */
static bool is_definite(struct sv program)
{
	return sv_starts(program, SV("/")) || sv_find_char(program, '/') == SIZE_MAX;
}

void shell_env_shells(shell_words *names, const struct tool_context *ctx)
{
	const char *wanted = shell_env_get(ctx->session, "CLAUDE_CODE_SHELL");
	struct sv base = sv_cstr(wanted);

	base = sv_basename(base);
	if (wanted && is_definite(sv_cstr(wanted)) && (sv_is(base, "bash") || sv_is(base, "zsh")))
		vec_push(names, wanted);
	else if (wanted)
		log_warn("ignoring CLAUDE_CODE_SHELL, which is neither bash nor zsh: %s", wanted);
	vec_push(names, "bash");
	vec_push(names, "sh");
}

/* The path of the program may contain blanks: its arguments begin with the first " -". */
bool shell_env_prefix(shell_words *words, const struct tool_context *ctx, struct arena *arena,
		      struct err *err)
{
	struct sv prefix =
		sv_trim(sv_cstr(shell_env_get(ctx->session, "CLAUDE_CODE_SHELL_PREFIX")));
	size_t dash = sv_find(prefix, SV(" -"));
	struct sv program = sv_trim(sv_slice(prefix, 0, dash));
	struct sv rest = sv_skip(prefix, dash), word;

	if (!prefix.len)
		return true;
	if (!is_definite(program))
		return err_set(err, ERR_INVALID,
			       "CLAUDE_CODE_SHELL_PREFIX must name its program by an absolute "
			       "path, or by a name to look up in PATH");
	vec_push(words, arena_dup(arena, program).ptr);
	while (sv_cut(&rest, ' ', &word))
		if (word.len)
			vec_push(words, arena_dup(arena, word).ptr);
	return true;
}

const char *shell_env_file(const struct tool_context *ctx)
{
	const char *file = shell_env_get(ctx->session, "CLAUDE_ENV_FILE");

	if (ctx->session->hook_env_file)
		return ctx->session->hook_env_file;
	if (file && file[0] == '/')
		return file;
	if (file)
		log_warn("ignoring CLAUDE_ENV_FILE, which is not an absolute path: %s", file);
	return "";
}

/* Which variables a repository may set. Of the variables that awl reads, it may set only those
 * listed here: a later one could be dangerous. Of all others, it may set those that are not
 * listed here. */
#include "store/settings/settings_file.h"

/* Prefixes of the variables that awl reads. */
static const char *const own[] = { "ANTHROPIC_", "AWL_", "CLAUDE_", "OPENAI_" };

/* A '*' at either end matches anything. */
static const char own_but_harmless[] = "ANTHROPIC_CUSTOM_MODEL_OPTION* "
				       "ANTHROPIC_DEFAULT_* "
				       "ANTHROPIC_MODEL "
				       "ANTHROPIC_SMALL_FAST_MODEL "
				       "CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR "
				       "CLAUDE_CODE_AUTO_COMPACT_WINDOW "
				       "CLAUDE_CODE_DISABLE_* "
				       "CLAUDE_CODE_EFFORT_LEVEL "
				       "CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS "
				       "CLAUDE_CODE_GLOB_* "
				       "CLAUDE_CODE_MAX_* "
				       "CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT "
				       "CLAUDE_CODE_PROMPT_CACHE_TTL "
				       "CLAUDE_CODE_SUBAGENT_MODEL "
				       "CLAUDE_CODE_SUBAGENT_PROMPT_CACHE_TTL";

static const char harmful[] =
	/* where requests go, with which key, and whom awl trusts */
	"*SSL_CERT_DIR "
	"*SSL_CERT_FILE "
	"*_CA_BUNDLE "
	"*_PROXY "
	"AWS_* "
	"AZURE_* "
	"CLOUDSDK_* "
	"CLOUD_ML_REGION "
	"CURL_* "
	"GCE_* "
	"GCLOUD_* "
	"GNUTLS_* "
	"GOOGLE_* "
	"HOSTALIASES "
	"KRB5* "
	"LOCALDOMAIN "
	"NETRC "
	"NODE_EXTRA_CA_CERTS "
	"NODE_TLS_REJECT_UNAUTHORIZED "
	"OPENSSL_* "
	"RES_OPTIONS "
	"SSLKEYLOGFILE "
	"SSL_CERT_* "
	"VERTEX_* "
	/* variables that make a program load or run something */
	"*EDITOR "
	"*PAGER "
	"ANSIBLE_* "
	"AWKLIBPATH "
	"AWKPATH "
	"BASHOPTS "
	"BASH_ENV "
	"BASH_FUNC_* "
	"BASH_LOADABLES_PATH "
	"BASH_XTRACEFD "
	"BROWSER "
	"BUNDLE_* "
	"CARGO_* "
	"CDPATH "
	"CLASSPATH "
	"COMPLUS_* "
	"CORECLR_* "
	"COREPACK_* "
	"COR_PROFILER* "
	"DBUS_* "
	"DENO_* "
	"DOCKER_* "
	"DOTNET_ADDITIONAL_DEPS "
	"DOTNET_ROOT* "
	"DOTNET_STARTUP_HOOKS "
	"DYLD_* "
	"ENV "
	"ERL_* "
	"EXINIT "
	"FZF_* "
	"GCONV_PATH "
	"GEM_* "
	"GH_* "
	"GIO_* "
	"GIT_* "
	"GLIBC_TUNABLES "
	"GNUPGHOME "
	"GOENV "
	"GOFLAGS "
	"GOPROXY "
	"GOROOT "
	"GOTOOLCHAIN "
	"GRADLE_* "
	"GST_* "
	"GTK_* "
	"HISTFILE "
	"IFS "
	"INPUTRC "
	"JAVA_HOME "
	"JAVA_OPTS "
	"JAVA_TOOL_OPTIONS "
	"JDK_JAVA_OPTIONS "
	"JULIA_* "
	"KUBECONFIG "
	"LD_* "
	"LESS* "
	"LOCPATH "
	"LUA* "
	"MAKEFLAGS "
	"MALLOC_* "
	"MANOPT "
	"MAVEN_* "
	"NLSPATH "
	"NODE_OPTIONS "
	"NODE_PATH "
	"NODE_REPL_* "
	"NPM_CONFIG_* "
	"PATH "
	"PERL* "
	"PHPRC "
	"PHP_INI_SCAN_DIR "
	"PIP_* "
	"PROMPT_COMMAND "
	"PS0 "
	"PS1 "
	"PS2 "
	"PS4 "
	"PYTHONBREAKPOINT "
	"PYTHONEXECUTABLE "
	"PYTHONHOME "
	"PYTHONINSPECT "
	"PYTHONPATH "
	"PYTHONPLATLIBDIR "
	"PYTHONSTARTUP "
	"PYTHONUSERBASE "
	"PYTHONWARNINGS "
	"QT_* "
	"RIPGREP_CONFIG_PATH "
	"RSYNC_RSH "
	"RUBY* "
	"RUSTC* "
	"RUSTUP_* "
	"R_PROFILE* "
	"SHELL "
	"SHELLOPTS "
	"SSH_* "
	"SUDO_* "
	"SVN_SSH "
	"SYSTEMD_* "
	"TAR_OPTIONS "
	"TERMCAP "
	"TERMINFO* "
	"TF_CLI_* "
	"UV_* "
	"VIM "
	"VIMINIT "
	"VIMRUNTIME "
	"VISUAL "
	"WGETRC "
	"YARN_* "
	"_JAVA_OPTIONS "
	/* who and where the user is */
	"HOME "
	"IS_DEMO "
	"IS_SANDBOX "
	"LOGNAME "
	"TEMP "
	"TMP "
	"TMPDIR "
	"USER "
	"XDG_* "
	"ZDOTDIR "
	/* telemetry */
	"DEBUG "
	"OTEL_*";

static bool settings_env_starts(struct sv text, struct sv prefix)
{
	return text.len >= prefix.len && sv_eq_nocase(sv_slice(text, 0, prefix.len), prefix);
}

static bool settings_env_ends(struct sv text, struct sv suffix)
{
	return text.len >= suffix.len && sv_eq_nocase(sv_skip(text, text.len - suffix.len), suffix);
}

static bool settings_env_is_among(struct sv names, struct sv name)
{
	struct sv one;

	while (sv_cut(&names, ' ', &one)) {
		if (sv_eq_nocase(one, name) ||
		    (sv_ends(one, SV("*")) &&
		     settings_env_starts(name, sv_slice(one, 0, one.len - 1))) ||
		    (sv_starts(one, SV("*")) && settings_env_ends(name, sv_skip(one, 1))))
			return true;
	}
	return false;
}

bool settings_env_is_harmless(struct sv name)
{
	for (size_t i = 0; i < countof(own); i++)
		if (settings_env_starts(name, sv_cstr(own[i])))
			return settings_env_is_among(sv_cstr(own_but_harmless), name);
	return !settings_env_is_among(sv_cstr(harmful), name);
}

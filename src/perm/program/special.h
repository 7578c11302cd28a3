/* special.h - what the tables cannot say. A row names one of these functions as its `special`
 * when the meaning of an argument depends on others, or when an argument is a text in a language
 * of its own. The tags tell such a function which option was given. Tables include this header;
 * the functions of each section are in the file of that name. */
#ifndef AWL_PERM_PROGRAM_SPECIAL_H
#define AWL_PERM_PROGRAM_SPECIAL_H

#include "perm/program/invocation.h"

/* --- text.c: coreutils and searching ------------------------------------------------- */

enum text_tag {
	TEXT_NO_DEREFERENCE = 1, /* diff --no-dereference */
	TEXT_PS_OPTION,          /* any option of ps: its value may ask for the environment */
	TEXT_DIRECTORIES,        /* grep -d */
	TEXT_EXEC,               /* fd --exec */
	TEXT_PATTERN,            /* grep -e */
	TEXT_SELECTS,            /* grep --include: only such files are searched */
	TEXT_HIDDEN,             /* rg --hidden: hidden files, too */
	TEXT_IGNORED,            /* rg -u: files that .gitignore names, too */
	TEXT_SHOWS_ALL,          /* grep -v: also lines that do not match */
	TEXT_SHOWS_NAMES,        /* grep -l: nothing of the contents */
};

void text_diff(struct invocation *inv);
void text_date(struct invocation *inv);
void text_printenv(struct invocation *inv);
void text_ps(struct invocation *inv);
void text_tput(struct invocation *inv);
void text_who(struct invocation *inv);
void text_grep(struct invocation *inv);
void text_fd(struct invocation *inv);
void text_search(struct invocation *inv); /* rg, ag */

/* --- files.c -------------------------------------------------------------------------- */

enum files_tag {
	FILES_DIRECTORY = 1, /* install -d */
	FILES_PREFIX,        /* csplit --prefix */
	FILES_LISTS,         /* fdisk -l */
	FILES_ERASES,        /* wipefs -a */
};

void files_mv(struct invocation *inv);
void files_ln(struct invocation *inv);
void files_install(struct invocation *inv);
void files_chmod(struct invocation *inv);
void files_setfacl(struct invocation *inv);
void files_chattr(struct invocation *inv);
void files_dd(struct invocation *inv);
void files_split(struct invocation *inv);
void files_csplit(struct invocation *inv);
void files_mktemp(struct invocation *inv);
void files_patch(struct invocation *inv);
void files_partition(struct invocation *inv);
void files_wipefs(struct invocation *inv);

/* --- archive.c ------------------------------------------------------------------------ */

enum archive_tag {
	TAR_CREATE = 1,
	TAR_ALTER, /* --append, --delete */
	TAR_EXTRACT,
	TAR_LIST,
	TAR_COMPARE,
	TAR_FILE,
	TAR_STDOUT,
	TAR_LOCAL,     /* --force-local: a colon in the name does not mean a host */
	ZIP_READS,     /* unzip -l: writes nothing */
	PACK_PRINTS,   /* gzip -c: writes to standard output */
	PACK_READS,    /* gzip -l and -t, unless PACK_PACKS follows */
	PACK_PACKS,    /* gzip -d */
	RSYNC_DELETES, /* rsync --delete */
};

void archive_tar(struct invocation *inv);
void archive_zip(struct invocation *inv);
void archive_unzip(struct invocation *inv);
void archive_compress(struct invocation *inv);
void archive_cpio(struct invocation *inv);
void archive_rsync(struct invocation *inv);

/* --- network.c ------------------------------------------------------------------------ */

enum network_tag {
	CURL_DATA = 1, /* the value may name a file: "@file" */
	CURL_COOKIE,   /* the value is a file unless it has a "=" */
	CURL_FORMAT,   /* --write-out */
	WGET_OUTPUT,   /* -O */
};

void network_curl(struct invocation *inv);
void network_wget(struct invocation *inv);
void network_scp(struct invocation *inv);  /* also docker cp, aws s3 cp */
void network_lsof(struct invocation *inv); /* "-i @host" */
void network_ss(struct invocation *inv);   /* "dst host" */

/* --- database.c ----------------------------------------------------------------------- */

enum database_tag {
	DATABASE_TEXT = 1, /* the value is text in the language of the client */
	DATABASE_NAME,     /* the value may be an address */
};

void database_mysql(struct invocation *inv);
void database_psql(struct invocation *inv);
void database_sqlite(struct invocation *inv);

/* --- builtin.c ------------------------------------------------------------------------ */

enum builtin_tag {
	BUILTIN_NAME = 1,     /* the value is the name of a variable: read -a */
	BUILTIN_LISTS,        /* kill -l */
	BUILTIN_REFERS,       /* declare -n: the name stands for another variable */
	BUILTIN_CALLS,        /* mapfile -C: the value runs in this shell */
	BUILTIN_LISTS_VALUES, /* declare -a: the variable is an array */
};

void builtin_set_names(struct invocation *inv);        /* read, unset */
void builtin_set_option_names(struct invocation *inv); /* wait -p, printf -v */
void builtin_declare(struct invocation *inv);          /* declare, local, readonly */
void builtin_export(struct invocation *inv);
void builtin_getopts(struct invocation *inv);
void builtin_test(struct invocation *inv);
void builtin_test_extended(struct invocation *inv); /* [[ ]] */
void builtin_cd(struct invocation *inv);
void builtin_pushd(struct invocation *inv);
void builtin_set(struct invocation *inv);
void builtin_trap(struct invocation *inv);
void builtin_alias(struct invocation *inv);
void builtin_let(struct invocation *inv);
void builtin_kill(struct invocation *inv);

/* --- shell.c -------------------------------------------------------------------------- */

enum shell_tag {
	SHELL_TEXT = 1, /* -c */
	SHELL_MODE,     /* -o */
};

void shell_bash(struct invocation *inv);
void shell_sh(struct invocation *inv);
void shell_other(struct invocation *inv); /* shells whose syntax is not parsed */
void shell_eval(struct invocation *inv);

/* Whether `set -o NAME` only changes when a script gives up. */
bool shell_is_harmless_mode(struct sv name);

/* --- wrapper.c ------------------------------------------------------------------------ */

enum wrapper_tag {
	WRAPPER_DESCRIBES = 1, /* command -v: only says what would run */
	WRAPPER_XARGS,         /* any option of xargs */
	WRAPPER_UNSETS,        /* env -i, env -u */
	WRAPPER_CHDIR,         /* env -C, sudo -D */
	WRAPPER_SPLIT,         /* env -S */
	WRAPPER_SHELL,         /* sudo -s, sudo -i */
	WRAPPER_USER,          /* runuser -u */
	WRAPPER_EXEC,          /* watch --exec */
};

void wrapper_command(struct invocation *inv);
void wrapper_xargs(struct invocation *inv);
void wrapper_env(struct invocation *inv);
void wrapper_sudo(struct invocation *inv);
void wrapper_runuser(struct invocation *inv);
void wrapper_flock(struct invocation *inv);
void wrapper_watch(struct invocation *inv);
void wrapper_script(struct invocation *inv);
void wrapper_ssh(struct invocation *inv);
void wrapper_hyperfine(struct invocation *inv);
void wrapper_terminal(struct invocation *inv); /* tmux, screen */
void wrapper_parallel(struct invocation *inv);

/* --- git.c ---------------------------------------------------------------------------- */

#define REMERGES "may run a merge driver"

enum git_tag {
	GIT_FORMAT = 1, /* --format=: may ask for signatures */
	GIT_SUBMODULES, /* --submodule=: may compare files in submodules */
	GIT_MERGES,     /* --diff-merges=: may merge again */
	GIT_LINES,      /* -L 1,9:file */
	GIT_NO_INDEX,   /* --no-index: any files, not those of the repository */
	GIT_LISTS,      /* branch and tag: operands are patterns, not names to create */
	GIT_GETS,       /* config: --get, --list */
	GIT_SETS,       /* config: --add, --unset */
	GIT_FILE,       /* config: --file= */
	GIT_FOR_ALL,    /* config: --global */
	GIT_BLOB,       /* config: --blob= */
	GIT_INCLUDES,   /* config: --includes */
	GIT_CREATES,    /* checkout -b: the operand is where to begin */
	GIT_SIDES,      /* checkout --ours: the operands are files */
	GIT_STAGED,     /* restore --staged */
	GIT_WORKTREE,   /* restore --worktree */
	GIT_DRY,        /* clean --dry-run */
	GIT_NOT_DRY,
	GIT_OFFLINE,  /* remote show -n */
	GIT_STRATEGY, /* merge -s */
	GIT_CHECKS,   /* apply --check: changes nothing */
	GIT_APPLIES,  /* ... unless --apply is given, too */
	GIT_STDOUT,   /* format-patch --stdout */
	GIT_OUTPUT,   /* format-patch -o */
};

void git_objects(struct invocation *inv); /* revisions, "HEAD:file", or files that are read */
void git_grep(struct invocation *inv);
void git_diff(struct invocation *inv); /* ... or any two files or directories */
void git_reflog(struct invocation *inv);
void git_formats(struct invocation *inv); /* only --format matters */
void git_listing(struct invocation *inv); /* branch, tag */
void git_symbolic_ref(struct invocation *inv);
void git_config(struct invocation *inv);
void git_remote_show(struct invocation *inv);
void git_foreach(struct invocation *inv); /* submodule foreach: a shell reads the rest */
void git_strategy(struct invocation *inv);
void git_checkout(struct invocation *inv);
void git_restore(struct invocation *inv);
void git_clean(struct invocation *inv);
void git_push(struct invocation *inv);
void git_fetch(struct invocation *inv); /* pull, ls-remote and remote add as well */
void git_clone(struct invocation *inv);
void git_apply(struct invocation *inv);
void git_format_patch(struct invocation *inv);
void git_first_is_written(struct invocation *inv); /* bundle create FILE, worktree add DIR */

/* Whether a setting runs nothing, opens nothing and leads nowhere. */
bool git_is_harmless_setting(struct sv key);

/* --- dev.c: developers' tools ---------------------------------------------------------- */

enum dev_tag {
	DEV_PLUGIN = 1, /* pytest -p: "no:name" only switches one off */
	DEV_DEFINES,    /* cmake -D NAME=VALUE */
	DEV_LINKS,      /* go -ldflags, rustc -C: may name a linker */
	DEV_FLAGS,      /* gcc -fNAME */
	DEV_WARNINGS,   /* gcc -WNAME, -Wl,OPTIONS */
	DEV_S,          /* gcc -specs */
	DEV_W,          /* gcc -wrapper */
	DEV_X,          /* gcc -Xclang */
	DEV_DEPENDS,    /* gcc -MF file */
	DEV_METHOD,     /* gh api -X */
	DEV_FIELD,      /* gh api -F key=@file */
	DEV_FILTER,     /* gh pr view --jq */
	DEV_ENTERS,     /* make -C */
	DEV_WRITES,     /* prettier --write */
	DEV_FILE,       /* docker compose -f */
	DEV_LOCAL_FILE, /* man -l */
	DEV_MANIFEST,   /* kubectl -f: a file or an address */
	DEV_OUTPUT,     /* kubectl -o: may name the file of a template */
};

void dev_directory(struct invocation *inv); /* "-C DIR": a rule may not be for that project */
void dev_variables(struct invocation *inv); /* ... and operands "NAME=VALUE": make, rake */
void dev_cmake(struct invocation *inv);
void dev_pytest(struct invocation *inv);
void dev_links(struct invocation *inv); /* options that may name a linker: go, rustc */
void dev_java(struct invocation *inv);
void dev_dotnet(struct invocation *inv);
void dev_compiler(struct invocation *inv);
void dev_cargo(struct invocation *inv);
void dev_formatter(struct invocation *inv);
void dev_npm(struct invocation *inv);      /* "--config.NAME=VALUE" sets anything: pnpm */
void dev_packages(struct invocation *inv); /* "./x" and "git+https://x" are code, too */
void dev_pip(struct invocation *inv);
void dev_kubectl(struct invocation *inv);
void dev_starts(struct invocation *inv); /* an operand may be a program: npx, docker run */
void dev_compose(struct invocation *inv);
void dev_gh_api(struct invocation *inv);
void dev_gh_view(struct invocation *inv);
void dev_gh_clone(struct invocation *inv);
void dev_pager(struct invocation *inv);
void dev_editor(struct invocation *inv);
void dev_man(struct invocation *inv);

/* --- awl.c ---------------------------------------------------------------------------- */

enum awl_tag {
	AWL_INFORMS = 1, /* --help, --version */
	AWL_SHOWS,       /* trust --show */
};

void awl_reads(struct invocation *inv);
void awl_changes(struct invocation *inv);
void awl_config(struct invocation *inv);
void awl_trust(struct invocation *inv);
void awl_session(struct invocation *inv);

/* --- find.c, sed.c, awk.c, jq.c --------------------------------------------------------- */

enum language_tag {
	SED_SCRIPT = 1, /* sed -e */
	SED_IN_PLACE,   /* sed -i */
	AWK_SOURCE,     /* awk -e */
	YQ_IN_PLACE,    /* yq -i */
};

void find_arguments(struct invocation *inv);
void sed_arguments(struct invocation *inv);
void awk_arguments(struct invocation *inv);
void jq_arguments(struct invocation *inv);
void jq_yq_arguments(struct invocation *inv);

#endif

/* program_dev.h - private to program_dev*.c: what a table cannot say of build tools, compilers
 * and their like. Each of these is the `special` of rows in program_dev.c. */
#ifndef AWL_PERM_PROGRAM_DEV_H
#define AWL_PERM_PROGRAM_DEV_H

#include "perm/program/table.h"

enum dev_tag {
	DEV_NONE,
	DEV_PLUGIN,   /* pytest -p: "no:name" only switches one off */
	DEV_DEFINES,  /* cmake -D NAME=VALUE */
	DEV_LINKS,    /* go -ldflags, rustc -C: may name a linker */
	DEV_FLAGS,    /* gcc -fNAME */
	DEV_WARNINGS, /* gcc -WNAME, -Wl,OPTIONS */
	DEV_S,        /* gcc -specs */
	DEV_W,        /* gcc -wrapper */
	DEV_X,        /* gcc -Xclang */
	DEV_DEPENDS,  /* gcc -MF file */
	DEV_METHOD,   /* gh api -X */
	DEV_FIELD,    /* gh api -F key=@file */
	DEV_ENTERS,   /* make -C */
	DEV_WRITES,   /* prettier --write */
	DEV_FILE,     /* docker compose -f */
};

/* "-C DIR": the project there may not be the one a rule is for. */
void dev_directory(struct look *look);
/* ... and operands "NAME=VALUE" change what is run: make, rake. */
void dev_variables(struct look *look);
/* "--config.NAME=VALUE" sets anything: pnpm. */
void dev_npm(struct look *look);
void dev_cmake(struct look *look);
void dev_pytest(struct look *look);
void dev_links(struct look *look);
/* "-Dexec.executable=x", "-Dorg.gradle.jvmargs=x", "-Xplugin:x", "group:artifact:version:goal". */
void dev_java(struct look *look);
/* "-p:NAME=VALUE" and its spellings. */
void dev_dotnet(struct look *look);
void dev_compiler(struct look *look);
void dev_cargo(struct look *look);
/* "./x" and "git+https://x" are code, too. */
void dev_packages(struct look *look);
void dev_formatter(struct look *look);

/* "+CMD" is a command to begin with: less, vi. */
void dev_pager(struct look *look);
void dev_editor(struct look *look);

/* "-f -" and "-f https://x" are no files. */
void dev_compose(struct look *look);
/* An operand may be a program that it starts: npx, docker run. */
void dev_starts(struct look *look);
void dev_gh_api(struct look *look);
/* The rule must name the subcommand. */
void dev_runs(struct look *look);
void dev_loses(struct look *look);

#endif

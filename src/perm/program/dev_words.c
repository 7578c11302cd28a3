/* What the tables of build tools, compilers and editors cannot say: values and operands that
 * name programs. */
#include "perm/program/dev.h"

static struct sv operand(const struct look *look, size_t i)
{
	return look->argv[look->operands.at[i]].text;
}

static bool has(struct sv text, const char *part)
{
	return sv_find(text, sv_cstr(part)) != SIZE_MAX;
}

/* --- build tools ----------------------------------------------------------------------- */

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == ':' || c == '?' || c == '+' || c == '-';
}

/* The name in "NAME=VALUE", "NAME:=VALUE"; empty when it is something else. */
static struct sv variable_name(struct sv text)
{
	size_t equals = sv_find_char(text, '=');

	if (equals == SIZE_MAX)
		return SV("");
	for (size_t i = 0; i < equals; i++)
		if (!is_name_char(text.ptr[i]))
			return SV("");
	return sv_slice(text, 0, equals);
}

/* A switch or a number, which no recipe runs. */
static bool is_plain_value(struct sv value)
{
	static const char *const plain[] = { "yes",   "no",    "on",      "off",   "true",
					     "false", "Debug", "Release", "debug", "release" };

	for (size_t i = 0; i < countof(plain); i++)
		if (sv_is(value, plain[i]))
			return true;
	for (size_t i = 0; i < value.len; i++)
		if ((value.ptr[i] < '0' || value.ptr[i] > '9') && value.ptr[i] != '.')
			return false;
	return true;
}

void dev_directory(struct look *look)
{
	const struct seen *directory = look_seen(look, DEV_ENTERS);
	struct sv name;

	if (!directory)
		return;
	name = look->argv[directory->arg].text;
	look_acts(look, directory->arg, sv_slice(name, 0, sv_find_char(name, '=')),
		  "works on another project");
}

void dev_variables(struct look *look)
{
	dev_directory(look);
	for (size_t i = 0; i < look->operands.n; i++) {
		size_t arg = look->operands.at[i];
		struct sv name = variable_name(operand(look, i));
		struct sv value = sv_skip(operand(look, i), name.len + 1);

		bool is_known = look->argv[arg].known || look->argv[arg].is_tame;

		if (name.len > 0 && (!is_plain_value(value) || !is_known))
			look_acts(look, arg, name, "may name a program to run");
	}
}

static bool names_program(struct sv definition)
{
	static const char *const parts[] = { "COMPILER", "LAUNCHER",   "PROGRAM", "TOOLCHAIN",
					     "COMMAND",  "LINKER",     "EXECUT",  "INCLUDE",
					     "PATH",     "GENERATOR",  "SHELL",   "EMULATOR",
					     "RULE",     "CLANG_TIDY", "FETCH",   "FLAGS" };
	size_t equals = min_of(sv_find_char(definition, '='), definition.len);
	struct sv name = sv_slice(definition, 0, equals);

	if (is_plain_value(sv_skip(definition, equals + 1)))
		return false;
	for (size_t i = 0; i < countof(parts); i++)
		if (sv_find_nocase(name, sv_cstr(parts[i])) != SIZE_MAX)
			return true;
	return false;
}

void dev_cmake(struct look *look)
{
	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];

		if (seen->row->tag == DEV_DEFINES && (names_program(seen->value) || !seen->known))
			look_acts(look, seen->arg, look->argv[seen->arg].text,
				  "may name a program to run");
	}
}

/* "tests/test_a.py::test_b": code is loaded from there. */
void dev_pytest(struct look *look)
{
	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];

		if (seen->row->tag == DEV_PLUGIN && !sv_starts(seen->value, SV("no:")))
			look_acts(look, seen->arg, SV("-p"), "loads code");
	}
	for (size_t i = 0; i < look->operands.n; i++) {
		struct sv text = operand(look, i);

		look_path(look, look->operands.at[i], sv_slice(text, 0, sv_find(text, SV("::"))),
			  OPERAND_READ);
	}
}

void dev_links(struct look *look)
{
	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];

		if (seen->row->tag == DEV_LINKS &&
		    (has(seen->value, "extld") || has(seen->value, "link") || !seen->known))
			look_acts(look, seen->arg, look->argv[seen->arg].text, "runs a program");
	}
}

void dev_cargo(struct look *look)
{
	if (look->n > 1 && sv_starts(look->argv[1].text, SV("+")) &&
	    sv_find_char(look->argv[1].text, '/') != SIZE_MAX)
		look_acts(look, 1, look->argv[1].text, "runs a compiler from elsewhere");
}

static size_t count_colons(struct sv text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++)
		n += text.ptr[i] == ':';
	return n;
}

void dev_java(struct look *look)
{
	static const char *const parts[] = { "-Dexec.",
					     "-Dorg.gradle.",
					     "-DargLine",
					     "-Djvm",
					     "-Dmaven.ext.class.path",
					     "-J",
					     "-Xplugin",
					     "-Dmaven.multiModuleProjectDirectory" };

	for (size_t i = 1; i < look->n; i++)
		for (size_t k = 0; k < countof(parts); k++)
			if (sv_starts(look->argv[i].text, sv_cstr(parts[k])))
				look_acts(look, i, look->argv[i].text, "runs a program");
	for (size_t i = 0; i < look->operands.n; i++)
		if (sv_is(sv_cstr(look->row->name), "mvn") &&
		    (count_colons(operand(look, i)) > 1 ||
		     sv_starts(operand(look, i), SV("exec:"))))
			look_acts(look, look->operands.at[i], operand(look, i),
				  "runs code that is not the project's");
}

void dev_dotnet(struct look *look)
{
	static const char *const parts[] = {
		"-p:",  "/p:",      "-property:",         "--property:", "/property:",
		"--p:", "-logger:", "/logger:",           "-l:",         "/l:",
		"-dl:", "/dl:",     "-distributedlogger:"
	};

	for (size_t i = look->first; i < look->n; i++)
		for (size_t k = 0; k < countof(parts); k++)
			if (sv_starts(look->argv[i].text, sv_cstr(parts[k])))
				look_acts(look, i, look->argv[i].text, "brings in code");
}

void dev_npm(struct look *look)
{
	for (size_t i = 1; i < look->n && !sv_is(look->argv[i].text, "--"); i++)
		if (sv_starts(look->argv[i].text, SV("--config.")))
			look_acts(look, i, look->argv[i].text, "changes settings");
}

/* Where something else than a name is installed, its code is run. */
void dev_packages(struct look *look)
{
	dev_npm(look);
	for (size_t i = 0; i < look->operands.n; i++) {
		struct sv text = operand(look, i);

		if (has(text, "://") || sv_starts(text, SV("git+")))
			look_acts(look, look->operands.at[i], text, "brings in code");
		else if (sv_starts(text, SV(".")) || sv_starts(text, SV("/")))
			look_operand(look, look->operands.at[i], OPERAND_READ);
	}
}

void dev_formatter(struct look *look)
{
	enum operand_use use = look_seen(look, DEV_WRITES) ? OPERAND_WRITE : OPERAND_READ;

	for (size_t i = 0; i < look->operands.n; i++)
		look_operand(look, look->operands.at[i], use);
}

/* --- compilers ------------------------------------------------------------------------------ */

/* "-Wp,-MD,file", "-Wl,-Map=file", "-Wa,-ahl=file": for those it runs, which may write. */
static bool is_passed_on(struct sv value)
{
	return (sv_starts(value, SV("p,")) && has(value, "-M")) ||
	       (sv_starts(value, SV("a,")) && has(value, "=")) ||
	       (sv_starts(value, SV("l,")) && (has(value, "Map") || has(value, ",-o")));
}

static bool compiler_runs(const struct seen *seen)
{
	switch (seen->row->tag) {
	case DEV_FLAGS: return has(seen->value, "plugin") || sv_starts(seen->value, SV("use-ld=/"));
	case DEV_WARNINGS: return has(seen->value, "plugin") || is_passed_on(seen->value);
	case DEV_S: return sv_starts(seen->value, SV("pecs"));
	case DEV_W: return sv_starts(seen->value, SV("rapper"));
	case DEV_X: return has(seen->value, "clang") || has(seen->value, "plugin");
	default: return false;
	}
}

/* "-MF x" writes what a file depends on to x. */
static void compiler_depends(struct look *look, const struct seen *seen)
{
	if (seen->row->tag != DEV_DEPENDS || !sv_starts(seen->value, SV("F")))
		return;
	if (seen->value.len > 1)
		look_path(look, seen->arg, sv_skip(seen->value, 1), OPERAND_WRITE);
	else if (seen->arg + 1 < look->n)
		look_operand(look, seen->arg + 1, OPERAND_WRITE);
}

void dev_compiler(struct look *look)
{
	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];

		if (compiler_runs(seen))
			look_acts(look, seen->arg, look->argv[seen->arg].text, "runs a program");
		compiler_depends(look, seen);
	}
}

/* --- pagers and editors ------------------------------------------------------------------------ */

static void begin_with(struct look *look, enum operand_use use)
{
	for (size_t i = 0; i < look->operands.n; i++) {
		size_t arg = look->operands.at[i];
		struct sv text = operand(look, i), rest = sv_skip(text, 1);

		if (!sv_starts(text, SV("+")))
			look_operand(look, arg, use);
		else if (!is_plain_value(rest) && !sv_is(rest, "G") && !sv_is(rest, "F"))
			look_acts(look, arg, text, "is a command to begin with");
	}
}

void dev_pager(struct look *look)
{
	begin_with(look, OPERAND_READ);
}

void dev_editor(struct look *look)
{
	begin_with(look, OPERAND_WRITE);
}

/* --- those with subcommands ----------------------------------------------------------------------- */

void dev_compose(struct look *look)
{
	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];

		if (seen->row->tag == DEV_FILE &&
		    (sv_is(seen->value, "-") || has(seen->value, ":") || has(seen->value, "@")))
			look_acts(look, seen->arg, SV("--file"), "takes its rules from elsewhere");
	}
}

void dev_starts(struct look *look)
{
	dev_compose(look);
	for (size_t i = 0; i < look->operands.n && i < 4; i++)
		look_guess(look, look->operands.at[i]);
}

void dev_runs(struct look *look)
{
	look_acts(look, look->first - 1, sv_cstr(look->row->name), "reaches beyond the project");
}

void dev_loses(struct look *look)
{
	dev_compose(look);
	look_loses(look, look->first - 1, sv_cstr(look->row->name), "cannot be undone", true);
}

/* Any field makes it a POST. */
void dev_gh_api(struct look *look)
{
	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];
		size_t at = sv_find(seen->value, SV("=@"));

		if (seen->row->tag == DEV_METHOD && !sv_eq_nocase(seen->value, SV("get")))
			look_acts(look, seen->arg, SV("--method"), "changes things");
		if (seen->row->tag == DEV_FIELD && !look_seen(look, DEV_METHOD))
			look_acts(look, seen->arg, look->argv[seen->arg].text, "changes things");
		if (seen->row->tag == DEV_FIELD && at != SIZE_MAX)
			look_path(look, seen->value_arg, sv_skip(seen->value, at + 2),
				  OPERAND_READ);
	}
}

/* Developers' tools: build tools, compilers, package managers, containers, editors. A rule for one
 * trusts the project's code; these functions find the values and operands that bring in other
 * code or name a program. */
#include "base/ascii.h"
#include "perm/program/special.h"

static bool dev_has(struct sv text, const char *part)
{
	return sv_find(text, sv_cstr(part)) != SIZE_MAX;
}

/* --- build tools and package managers ------------------------------------------------------ */

static bool dev_is_name_char(char c)
{
	return ascii_is_word(c) || ascii_is_one_of(c, ".:?+-");
}

/* Return the name in "NAME=VALUE" or "NAME:=VALUE", or nothing for other texts. */
static struct sv dev_variable_name(struct sv text)
{
	size_t equals = sv_find_char(text, '=');

	if (equals == SIZE_MAX)
		return SV("");
	for (size_t i = 0; i < equals; i++)
		if (!dev_is_name_char(text.ptr[i]))
			return SV("");
	return sv_slice(text, 0, equals);
}

/* Whether the value is a switch or a number: it cannot name a program. */
static bool dev_is_plain_value(struct sv value)
{
	static const char plain[][8] = { "yes",   "no",    "on",      "off",   "true",
					 "false", "Debug", "Release", "debug", "release" };

	if (sv_is_among(value, plain))
		return true;
	for (size_t i = 0; i < value.len; i++)
		if (!ascii_is_digit(value.ptr[i]) && value.ptr[i] != '.')
			return false;
	return true;
}

void dev_directory(struct invocation *inv)
{
	const struct given_option *directory = inv_option(inv, DEV_ENTERS);
	struct sv name;

	if (!directory)
		return;
	name = inv->argv[directory->arg].text;
	inv_escalates(inv, directory->arg, sv_slice(name, 0, sv_find_char(name, '=')), LEAVES);
}

void dev_variables(struct invocation *inv)
{
	dev_directory(inv);
	for (size_t i = 0; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];
		struct sv name = dev_variable_name(inv_operand_text(inv, i));
		struct sv value = sv_skip(inv_operand_text(inv, i), name.len + 1);
		bool is_known = inv->argv[arg].known || inv->argv[arg].is_tame;

		if (name.len > 0 && (!dev_is_plain_value(value) || !is_known))
			inv_escalates(inv, arg, name, "may name a program to run");
	}
}

static bool dev_names_program(struct sv definition)
{
	static const char *const parts[] = { "COMPILER", "LAUNCHER",   "PROGRAM", "TOOLCHAIN",
					     "COMMAND",  "LINKER",     "EXECUT",  "INCLUDE",
					     "PATH",     "GENERATOR",  "SHELL",   "EMULATOR",
					     "RULE",     "CLANG_TIDY", "FETCH",   "FLAGS" };
	size_t equals = min_of(sv_find_char(definition, '='), definition.len);
	struct sv name = sv_slice(definition, 0, equals);

	if (dev_is_plain_value(sv_skip(definition, equals + 1)))
		return false;
	for (size_t i = 0; i < countof(parts); i++)
		if (sv_find_nocase(name, sv_cstr(parts[i])) != SIZE_MAX)
			return true;
	return false;
}

void dev_cmake(struct invocation *inv)
{
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (option->row->tag == DEV_DEFINES &&
		    (dev_names_program(option->value) || !option->known))
			inv_escalates(inv, option->arg, inv->argv[option->arg].text,
				      "may name a program to run");
	}
}

/* pytest loads code from its operands: "tests/test_a.py::test_b". */
void dev_pytest(struct invocation *inv)
{
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (option->row->tag == DEV_PLUGIN && !sv_starts(option->value, SV("no:")))
			inv_escalates(inv, option->arg, SV("-p"), "loads code");
	}
	for (size_t i = 0; i < inv->operands.n; i++) {
		struct sv text = inv_operand_text(inv, i);

		inv_path(inv, inv->operands.at[i], sv_slice(text, 0, sv_find(text, SV("::"))),
			 OPERAND_READ);
	}
}

void dev_links(struct invocation *inv)
{
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (option->row->tag == DEV_LINKS &&
		    (dev_has(option->value, "extld") || dev_has(option->value, "link") ||
		     !option->known))
			inv_escalates(inv, option->arg, inv->argv[option->arg].text, RUNS);
	}
}

void dev_cargo(struct invocation *inv)
{
	if (inv->n > 1 && sv_starts(inv->argv[1].text, SV("+")) &&
	    sv_find_char(inv->argv[1].text, '/') != SIZE_MAX)
		inv_escalates(inv, 1, inv->argv[1].text, "runs a compiler from elsewhere");
}

static size_t dev_count_colons(struct sv text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++)
		n += text.ptr[i] == ':';
	return n;
}

/* Arguments from `from` on that begin with one of `n` texts escalate. */
static void dev_escalate_starts(struct invocation *inv, size_t from, const char *const *starts,
				size_t n, const char *why)
{
	for (size_t i = from; i < inv->n; i++)
		for (size_t k = 0; k < n; k++)
			if (sv_starts(inv->argv[i].text, sv_cstr(starts[k])))
				inv_escalates(inv, i, inv->argv[i].text, why);
}

/* "-Dexec.executable=x", "-Xplugin:x", and for mvn "group:artifact:version:goal". */
void dev_java(struct invocation *inv)
{
	static const char *const starts[] = { "-Dexec.",
					      "-Dorg.gradle.",
					      "-DargLine",
					      "-Djvm",
					      "-Dmaven.ext.class.path",
					      "-J",
					      "-Xplugin",
					      "-Dmaven.multiModuleProjectDirectory" };

	dev_escalate_starts(inv, 1, starts, countof(starts), RUNS);
	for (size_t i = 0; i < inv->operands.n; i++)
		if (sv_is(sv_cstr(inv->row->name), "mvn") &&
		    (dev_count_colons(inv_operand_text(inv, i)) > 1 ||
		     sv_starts(inv_operand_text(inv, i), SV("exec:"))))
			inv_escalates(inv, inv->operands.at[i], inv_operand_text(inv, i),
				      "runs code that is not the project's");
}

/* "-p:NAME=VALUE" sets a property, and loggers are loaded. */
void dev_dotnet(struct invocation *inv)
{
	static const char *const starts[] = {
		"-p:",  "/p:",      "-property:",         "--property:", "/property:",
		"--p:", "-logger:", "/logger:",           "-l:",         "/l:",
		"-dl:", "/dl:",     "-distributedlogger:"
	};

	dev_escalate_starts(inv, inv->first, starts, countof(starts), LOADS);
}

void dev_npm(struct invocation *inv)
{
	for (size_t i = 1; i < inv->n && !sv_is(inv->argv[i].text, "--"); i++)
		if (sv_starts(inv->argv[i].text, SV("--config.")))
			inv_escalates(inv, i, inv->argv[i].text, "changes settings");
}

/* A package that comes from a file or a place of its own runs code that no registry has checked. */
static void dev_package(struct invocation *inv, size_t arg, struct sv text)
{
	static const char *const files[] = { "file:", "link:", "portal:" };
	static const char *const hosts[] = { "github:", "gitlab:", "bitbucket:",
					     "gist:",   "git@",    "git+" };

	for (size_t i = 0; i < countof(files); i++)
		if (sv_starts(text, sv_cstr(files[i])) && !dev_has(text, "://")) {
			inv_path(inv, arg, sv_skip(text, strlen(files[i])), OPERAND_READ);
			return;
		}
	for (size_t i = 0; i < countof(hosts); i++)
		if (sv_starts(text, sv_cstr(hosts[i])))
			inv_escalates(inv, arg, text, LOADS);
	if (dev_has(text, "://"))
		inv_escalates(inv, arg, text, LOADS);
	else if (sv_starts(text, SV(".")) || sv_starts(text, SV("/")) || sv_starts(text, SV("~")))
		inv_path(inv, arg, text, OPERAND_READ);
}

/* "name@place" is that place under another name; "owner/name" is a repository on GitHub. */
void dev_packages(struct invocation *inv)
{
	dev_npm(inv);
	for (size_t i = 0; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i], at, slash;
		struct sv text = inv_operand_text(inv, i);

		dev_package(inv, arg, text);
		slash = sv_find_char(text, '/');
		at = text.len ? sv_find_char(sv_skip(text, 1), '@') : SIZE_MAX;
		if (at != SIZE_MAX)
			dev_package(inv, arg, sv_skip(text, at + 2));
		else if (slash != SIZE_MAX && text.len && ascii_is_word(text.ptr[0]))
			inv_escalates(inv, arg, text, LOADS);
	}
}

/* Lists of packages and projects in development may be on a server, too. */
void dev_pip(struct invocation *inv)
{
	for (size_t i = 0; i < inv->operands.n; i++)
		dev_package(inv, inv->operands.at[i], inv_operand_text(inv, i));
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (option->row->tag == DEV_MANIFEST &&
		    (dev_has(option->value, "://") || sv_starts(option->value, SV("git+"))))
			inv_escalates(inv, option->value_arg, option->value, LOADS);
	}
}

/* A manifest may come from a server; "--from-file=key=path". */
void dev_kubectl(struct invocation *inv)
{
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];
		size_t equals = sv_find_char(option->value, '=');
		struct sv path =
			equals == SIZE_MAX ? option->value : sv_skip(option->value, equals + 1);

		if (option->row->tag == DEV_MANIFEST && dev_has(option->value, "://"))
			inv_escalates(inv, option->arg, option->value,
				      "takes objects from a server");
		else if (option->row->tag == DEV_MANIFEST ||
			 (option->row->tag == DEV_OUTPUT && dev_has(option->value, "-file=")))
			inv_path(inv, option->value_arg, path, OPERAND_READ);
	}
}

void dev_formatter(struct invocation *inv)
{
	inv_all_operands(inv, inv_option(inv, DEV_WRITES) ? OPERAND_WRITE : OPERAND_READ);
}

/* --- compilers ----------------------------------------------------------------------------- */

/* Options for the programs that a compiler runs, which may write files: "-Wp,-MD,file",
 * "-Wl,-Map=file", "-Wa,-ahl=file". */
static bool dev_is_passed_on(struct sv value)
{
	return (sv_starts(value, SV("p,")) && dev_has(value, "-M")) ||
	       (sv_starts(value, SV("a,")) && dev_has(value, "=")) ||
	       (sv_starts(value, SV("l,")) && (dev_has(value, "Map") || dev_has(value, ",-o")));
}

static bool dev_compiler_runs(const struct given_option *option)
{
	switch (option->row->tag) {
	case DEV_FLAGS:
		return dev_has(option->value, "plugin") || sv_starts(option->value, SV("use-ld=/"));
	case DEV_WARNINGS:
		return dev_has(option->value, "plugin") || dev_is_passed_on(option->value);
	case DEV_S: return sv_starts(option->value, SV("pecs"));
	case DEV_W: return sv_starts(option->value, SV("rapper"));
	case DEV_X: return dev_has(option->value, "clang") || dev_has(option->value, "plugin");
	default: return false;
	}
}

/* "-MF x" writes the dependencies of a file to x. */
static void dev_compiler_depends(struct invocation *inv, const struct given_option *option)
{
	if (option->row->tag != DEV_DEPENDS || !sv_starts(option->value, SV("F")))
		return;
	if (option->value.len > 1)
		inv_path(inv, option->arg, sv_skip(option->value, 1), OPERAND_WRITE);
	else if (option->arg + 1 < inv->n)
		inv_operand(inv, option->arg + 1, OPERAND_WRITE);
}

void dev_compiler(struct invocation *inv)
{
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (dev_compiler_runs(option))
			inv_escalates(inv, option->arg, inv->argv[option->arg].text, RUNS);
		dev_compiler_depends(inv, option);
	}
}

/* --- pagers and editors -------------------------------------------------------------------- */

/* "+CMD" is a command that a pager or an editor begins with. */
static void dev_begin_with(struct invocation *inv, enum operand_use use)
{
	for (size_t i = 0; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];
		struct sv text = inv_operand_text(inv, i), rest = sv_skip(text, 1);

		if (!sv_starts(text, SV("+")))
			inv_operand(inv, arg, use);
		else if (!dev_is_plain_value(rest) && !sv_is(rest, "G") && !sv_is(rest, "F"))
			inv_escalates(inv, arg, text, "is a command to run at the start");
	}
}

/* A name with a slash is a file, too. A page that is one may include any other file. */
void dev_man(struct invocation *inv)
{
	for (size_t i = 0; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];

		if (inv_option(inv, DEV_LOCAL_FILE) || !inv->argv[arg].known ||
		    sv_find_char(inv->argv[arg].text, '/') != SIZE_MAX) {
			inv_operand(inv, arg, OPERAND_READ);
			inv->changes = true;
		}
	}
}

void dev_pager(struct invocation *inv)
{
	dev_begin_with(inv, OPERAND_READ);
}

void dev_editor(struct invocation *inv)
{
	dev_begin_with(inv, OPERAND_WRITE);
}

/* --- containers and gh --------------------------------------------------------------------- */

/* "-f -" and "-f https://x" are not files. */
void dev_compose(struct invocation *inv)
{
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (option->row->tag == DEV_FILE &&
		    (sv_is(option->value, "-") || dev_has(option->value, ":") ||
		     dev_has(option->value, "@")))
			inv_escalates(inv, option->arg, SV("--file"), CONFIGURES);
	}
}

void dev_starts(struct invocation *inv)
{
	dev_compose(inv);
	for (size_t i = 0; i < inv->operands.n && i < 4; i++)
		inv_may_run_from(inv, inv->operands.at[i]);
}

/* A field makes the request a POST. */
void dev_gh_api(struct invocation *inv)
{
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];
		size_t at = sv_find(option->value, SV("=@"));

		if (option->row->tag == DEV_METHOD && !sv_eq_nocase(option->value, SV("get")))
			inv_escalates(inv, option->arg, SV("--method"), "changes data");
		if (option->row->tag == DEV_FIELD && !inv_option(inv, DEV_METHOD))
			inv_escalates(inv, option->arg, inv->argv[option->arg].text,
				      "changes data");
		if (option->row->tag == DEV_FIELD && at != SIZE_MAX)
			inv_path(inv, option->value_arg, sv_skip(option->value, at + 2),
				 OPERAND_READ);
	}
	for (size_t i = 0; i < inv->operands.n; i++)
		if (dev_has(inv_operand_text(inv, i), "://"))
			inv_escalates(inv, inv->operands.at[i], inv_operand_text(inv, i),
				      "may be another host");
}

/* REPOSITORY [DIRECTORY] [-- OPTIONS OF GIT] */
void dev_gh_clone(struct invocation *inv)
{
	size_t dashes = inv->first;

	while (dashes < inv->n && !sv_is(inv->argv[dashes].text, "--"))
		dashes++;
	if (dashes < inv->n)
		inv_escalates(inv, dashes, SV("--"), "passes options to git");
	if (inv->operands.n > 1 && inv->operands.at[1] < dashes)
		inv_operand(inv, inv->operands.at[1], OPERAND_WRITE);
}

/* Whether gh asks the host of this repository about the word: a number, a name, OWNER/REPO. A
 * longer path or an address may name another host. */
static bool is_of_host(const struct argument *arg)
{
	size_t slash = sv_find_char(arg->text, '/');

	for (size_t i = 0; i < arg->text.len; i++)
		if (!ascii_is_word(arg->text.ptr[i]) && !ascii_is_one_of(arg->text.ptr[i], "-.#/"))
			return false;
	return arg->known &&
	       (slash == SIZE_MAX || sv_find_char(sv_skip(arg->text, slash + 1), '/') == SIZE_MAX);
}

/* Reading from the repository's own host is like reading the repository: the user has logged in
 * there. */
void dev_gh_view(struct invocation *inv)
{
	bool is_own = true;

	for (size_t i = 0; i < inv->operands.n; i++)
		is_own &= is_of_host(&inv->argv[inv->operands.at[i]]);
	for (size_t i = 0; i < inv->options.n; i++)
		if (inv->options.at[i].row->tag == DEV_FILTER &&
		    sv_find_nocase(inv->options.at[i].value, SV("env")) != SIZE_MAX)
			inv_escalates(inv, inv->options.at[i].arg, SV("--jq"),
				      "may show the environment");
	inv->use->network = !is_own || inv->use->escalates;
}

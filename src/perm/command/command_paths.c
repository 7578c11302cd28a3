#include "perm/command/command_paths.h"

#include <ctype.h>

#include "perm/path/path.h"

enum {
	CLUSTER_MAX = 16,   /* short options in one argument */
	LINKS_MAX = 8,      /* of processes, in one path */
	SUSPECT_MAX = 4096, /* bytes at the end of an argument that may be a path */
	WORDS_MAX = 2000,   /* that are checked in the texts of programs */
};

static bool is_descriptor(struct sv path, struct sv dir)
{
	bool is_one = sv_starts(path, dir) && path.len > dir.len;

	for (size_t i = dir.len; is_one && i < path.len; i++)
		is_one = path.ptr[i] >= '0' && path.ptr[i] <= '9';
	return is_one;
}

/* Reading or writing them has no effect. */
static bool paths_is_inert(struct sv path, bool writes)
{
	static const char *const both[] = { "/dev/null", "/dev/stdin", "/dev/stdout",
					    "/dev/stderr" };
	static const char *const read[] = { "/dev/zero", "/dev/random", "/dev/urandom" };

	for (size_t i = 0; i < countof(both); i++)
		if (sv_is(path, both[i]))
			return true;
	for (size_t i = 0; i < countof(read) && !writes; i++)
		if (sv_is(path, read[i]))
			return true;
	return is_descriptor(path, SV("/dev/fd/")) || is_descriptor(path, SV("/proc/self/fd/"));
}

bool command_path_writes(const struct command_path *target)
{
	return target->use == OPERAND_WRITE || target->use == OPERAND_REMOVE ||
	       target->use == OPERAND_DEVICE;
}

/* --- where a path leads --------------------------------------------------------- */

enum leads { LEADS_THERE, LEADS_ON, LEADS_ANYWHERE };

/* Where a link of a process in `path` leads for a command in `dir` (empty: unknown): `*next`. */
static enum leads paths_follow_process(struct sv path, struct sv dir, struct sv *next,
				       struct arena *arena)
{
	size_t end;
	bool is_own;
	struct sv link;

	if (!path_is_of_process(path, &end, &is_own))
		return LEADS_THERE;
	link = sv_slice(path, 0, end);
	if (is_own && sv_ends(link, SV("/cwd")) && dir.len)
		*next = arena_printf(arena, "%.*s%.*s", SV_ARG(dir), SV_ARG(sv_skip(path, end)));
	else if (is_own && sv_ends(link, SV("/root")))
		*next = arena_printf(arena, "/%.*s", SV_ARG(sv_skip(path, end)));
	else
		return LEADS_ANYWHERE;
	return LEADS_ON;
}

bool command_path_resolve(struct sv dir, struct sv path, const struct perm_world *world,
			  struct arena *arena, struct sv *real)
{
	struct sv next = sv_starts(path, SV("/"))
				 ? path
				 : arena_printf(arena, "%.*s/%.*s", SV_ARG(dir), SV_ARG(path));

	for (int i = 0; i < LINKS_MAX; i++) {
		enum leads leads = paths_follow_process(next, dir, &next, arena);

		if (leads == LEADS_ANYWHERE)
			return false;
		if (leads == LEADS_ON)
			continue;
		*real = world ? world->real(world->arg, next, arena)
			      : path_join(SV("/"), next, arena);
		if (sv_eq(*real, next) || !sv_starts(*real, SV("/proc/")))
			return true;
		next = *real;
	}
	return false;
}

static struct sv paths_last_name(struct sv path)
{
	return sv_basename(path);
}

/* Whether it may name a link itself: with a slash at its end it names the target. */
static bool has_last_name(struct sv path)
{
	struct sv last = paths_last_name(path);

	return last.len && !sv_is(last, ".") && !sv_is(last, "..");
}

static bool paths_resolve_itself(struct sv dir, struct sv path, const struct perm_world *world,
				 struct arena *arena, struct sv *real)
{
	struct sv last = paths_last_name(path), parent;
	size_t name = path.len - last.len;

	if (!command_path_resolve(dir, name ? sv_slice(path, 0, name) : SV("."), world, arena,
				  &parent))
		return false;
	*real = path_join(parent, last, arena);
	return !sv_starts(*real, SV("/proc/")) ||
	       command_path_resolve(dir, path, world, arena, real);
}

/* Adds the path once for every directory that the command may run in. */
static void paths_add(command_path_list *out, struct command_path target, struct sv path,
		      const struct shell_command *command, const struct perm_world *world,
		      struct arena *arena)
{
	bool is_absolute = sv_starts(path, SV("/"));
	size_t n = is_absolute ? max_of(command->cwd.n, (size_t)1) : command->cwd.n;

	if (target.known && paths_is_inert(path, command_path_writes(&target)))
		return;
	target.is_itself &= has_last_name(path);
	if (!target.known || n == 0) {
		target.known = false;
		target.named = target.real = path;
		vec_push(out, target);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct command_path here = target;
		struct sv dir = command->cwd.n ? command->cwd.dirs[i] : SV_EMPTY;

		here.named = path_join(dir, path, arena);
		here.known = target.is_itself
				     ? paths_resolve_itself(dir, path, world, arena, &here.real)
				     : command_path_resolve(dir, path, world, arena, &here.real);
		if (!here.known)
			here.named = here.real = path;
		if (is_absolute && i > 0 && sv_eq(vec_last(out)->real, here.real))
			continue; /* the same from every directory */
		if (sv_eq(here.named, here.real) &&
		    paths_is_inert(here.named, command_path_writes(&target)))
			return; /* "/dev//null" */
		vec_push(out, here);
	}
}

/* --- what is written into a directory ------------------------------------------ */

static bool is_copier(const struct shell_command *command)
{
	static const char names[][8] = { "cp", "install", "ln", "mv" };

	return sv_is_among(shell_command_name(command), names);
}

static struct sv paths_last_component(struct sv path)
{
	while (path.len > 1 && sv_ends(path, SV("/")))
		path.len--;
	return sv_basename(path);
}

static bool is_dots(struct sv path)
{
	return sv_is(path, ".") || sv_is(path, "..") || sv_ends(path, SV("/.")) ||
	       sv_ends(path, SV("/.."));
}

static bool is_source(const struct command_path *t)
{
	return t->known && !t->is_redirect && (t->use == OPERAND_READ || t->use == OPERAND_REMOVE);
}

/* `cp a/b dir` writes dir/b, and `cp -r a/. dir` everything that is in a. */
static void paths_add_entry(command_path_list *out, const struct command_path *target,
			    const struct command_path *source, const struct shell_command *command,
			    const made_path_list *made, const struct perm_world *world,
			    struct arena *arena)
{
	struct command_path entry = *target;
	bool is_merged = source->arg < command->n && is_dots(command->argv[source->arg].text);

	if (!is_merged && (world->is_directory(world->arg, target->real) ||
			   made_paths_have(made, command->nmade, target->real))) {
		struct sv name = paths_last_component(source->named);

		entry.named = path_join(target->named, name, arena);
		entry.real = world->real(world->arg, path_join(target->real, name, arena), arena);
	}
	if (source->recursive && world->is_directory(world->arg, source->real))
		entry.copied = source->real;
	vec_push(out, entry);
}

static void paths_add_entries(command_path_list *out, const struct shell_command *command,
			      const made_path_list *made, const struct perm_world *world,
			      struct arena *arena)
{
	size_t n = out->n;

	for (size_t to = 0; world && is_copier(command) && to < n; to++) {
		struct command_path target = out->at[to];

		for (size_t from = 0; target.known && target.use == OPERAND_WRITE && from < n;
		     from++) {
			struct command_path source = out->at[from];

			if (is_source(&source))
				paths_add_entry(out, &target, &source, command, made, world, arena);
		}
	}
}

/* `git restore src` and `eslint --fix src` write everything in the directory, and `git diff src`
 * shows it. */
static void paths_note_trees(command_path_list *out, const struct shell_command *command,
			     const struct perm_world *world)
{
	bool is_git = sv_is(shell_command_name(command), "git");
	bool enters = is_git || !command->use.is_tool;

	for (size_t i = 0; world && enters && i < out->n; i++)
		if (out->at[i].known &&
		    (out->at[i].use == OPERAND_WRITE || (is_git && out->at[i].use == OPERAND_READ)))
			out->at[i].recursive |= world->is_directory(world->arg, out->at[i].real);
}

/* Whether it acts on a link itself rather than on its target. */
static bool paths_takes_links(const struct shell_command *command)
{
	static const char names[][7] = { "rm", "rmdir", "unlink" };

	return sv_is_among(shell_command_name(command), names);
}

/* Adds a path that starts at the top of the repository that git would use. */
static void paths_add_from_top(command_path_list *out, struct command_path target, struct sv path,
			       const struct shell_command *command, const struct perm_world *world,
			       struct arena *arena)
{
	for (size_t i = 0; i < command->cwd.n && world; i++) {
		struct sv dir = command->cwd.dirs[i],
			  top = world->repository(world->arg, dir, NULL, arena);

		if (top.len && !sv_eq(top, dir))
			paths_add(out, target,
				  arena_printf(arena, "%.*s/%.*s", SV_ARG(top), SV_ARG(path)),
				  command, world, arena);
	}
}

void command_paths_collect(command_path_list *out, const struct shell_command *command,
			   const made_path_list *made, const struct perm_world *world,
			   struct arena *arena)
{
	for (size_t i = 0; i < command->use.operands.n; i++) {
		const struct operand *o = &command->use.operands.at[i];
		struct command_path target = {
			.known = o->known,
			.ending = o->arg < command->n ? command->argv[o->arg].ending : SV_EMPTY,
			.use = o->use,
			.recursive = o->recursive,
			.pattern = o->pattern,
			.follows_links = o->follows_links,
			.arg = o->arg,
			.is_itself = o->use == OPERAND_REMOVE && paths_takes_links(command),
			.is_glob = o->arg < command->n && command->argv[o->arg].is_glob
		};

		if (!o->known || !sv_is(o->path, "-"))
			paths_add(out, target, o->path, command, world, arena);
		if (o->from_top && o->known)
			paths_add_from_top(out, target, o->path, command, world, arena);
	}
	paths_add_entries(out, command, made, world, arena);
	paths_note_trees(out, command, world);
	for (size_t i = 0; i < command->nredirections; i++) {
		struct command_path target = { .known = command->redirections[i].known,
					       .ending = command->redirections[i].ending,
					       .use = command->redirections[i].writes
							      ? OPERAND_WRITE
							      : OPERAND_READ,
					       .is_redirect = true };

		paths_add(out, target, command->redirections[i].path, command, world, arena);
	}
}

void command_paths_named(command_path_list *out, const struct shell_command *command,
			 const struct perm_world *world, struct arena *arena)
{
	for (size_t i = 1; world && i < command->n; i++) {
		struct sv path = command->argv[i].text;
		size_t before = out->n, n = before;

		if (sv_starts(path, SV("-")))
			path = sv_skip(path, min_of(sv_find_char(path, '='), path.len - 1) + 1);
		if (sv_starts(path, SV("file://")) || sv_starts(path, SV("fileb://")))
			path = sv_skip(path, sv_find(path, SV("//")) + 2);
		if (path.len && command->argv[i].known)
			paths_add(out, (struct command_path){ .known = true, .use = OPERAND_READ },
				  path, command, world, arena);
		for (size_t at = before; at < out->n; at++) /* "/api/v1" is not a file */
			if (!out->at[at].known ||
			    world->is_directory(world->arg, path_parent(out->at[at].real)))
				out->at[n++] = out->at[at];
		out->n = n;
	}
}

/* Whether a file name may start there in an argument: "if=x", "@x", "HEAD:x", "-fx". */
static bool paths_may_begin(struct sv text, size_t at)
{
	bool is_cluster = sv_starts(text, SV("-")) && at >= 2 && at <= CLUSTER_MAX;

	for (size_t i = 1; is_cluster && i < at; i++)
		is_cluster = (text.ptr[i] >= 'a' && text.ptr[i] <= 'z') ||
			     (text.ptr[i] >= 'A' && text.ptr[i] <= 'Z');
	return at == 0 || is_cluster || sv_find_char(SV("=@:,<"), text.ptr[at - 1]) != SIZE_MAX;
}

/* "HEAD:./x" is a file in the repository of git. */
static bool paths_may_be_object(const struct shell_command *command, struct sv text)
{
	return sv_is(shell_command_name(command), "git") && sv_find_char(text, ':') != SIZE_MAX;
}

bool command_is_plain_edit(const struct shell_command *command)
{
	const struct program_use *use = &command->use;
	struct sv option;

	if (!sv_is(shell_command_name(command), "sed") || !use->known || command->more_args ||
	    !use->escalates || use->also_escalating.n)
		return false;
	option = command->argv[use->escalating].text;
	return sv_starts(option, SV("--in")) ||
	       (sv_starts(option, SV("-")) && !sv_starts(option, SV("--")) &&
		sv_find_char(option, 'i') != SIZE_MAX);
}

/* Whether an argument may be a program of its own, which could do anything. */
static bool paths_holds_program(const struct shell_command *command)
{
	const struct program_use *use = &command->use;

	return (!use->known || use->escalates || (!use->is_tool && !use->read_only)) &&
	       !command_is_plain_edit(command);
}

/* Whether an interpreter reads its program from its input: `python3 -u`, `perl - x`, `node <(..)`. */
static bool command_reads_program_from_input(const struct shell_command *command)
{
	bool is_driven = command->use.is_interpreter && !command->use.escalates;

	for (size_t i = 1; i < command->n && is_driven; i++) {
		struct sv text = command->argv[i].text;

		if (sv_is(text, "-") || sv_starts(text, SV("/dev/")))
			break;
		is_driven = sv_starts(text, SV("-"));
	}
	return is_driven;
}

bool command_program_text(const struct shell_command *command, size_t i, struct sv *text)
{
	if (i < command->n ? !paths_holds_program(command)
			   : !command->input.len || !command_reads_program_from_input(command))
		return false;
	*text = i < command->n ? command->argv[i].text : command->input;
	return true;
}

/* perl -i. */
static bool paths_edits_in_place(const struct shell_command *command)
{
	bool found = false;

	for (size_t i = 1; i < command->n && command->use.is_interpreter; i++)
		found |= sv_starts(command->argv[i].text, SV("-")) &&
			 !sv_starts(command->argv[i].text, SV("--")) &&
			 sv_find_char(command->argv[i].text, 'i') != SIZE_MAX;
	return found;
}

/* Whether it may write files that its arguments name. The tables know that for build tools. */
static bool paths_may_write(const struct shell_command *command)
{
	return !command->use.known || command->use.escalates || paths_edits_in_place(command) ||
	       sv_ends(shell_command_name(command), SV("awk"));
}

/* Where a suspected file name was found. */
enum suspicion { IS_ARGUMENT, IS_DOUBTFUL, IS_IN_PROGRAM };

static void paths_add_suspect(command_path_list *out, const struct shell_command *command,
			      struct sv path, enum suspicion how, const struct perm_world *world,
			      struct arena *arena)
{
	struct command_path target = { .known = true,
				       .use = OPERAND_READ,
				       .is_doubtful = how != IS_ARGUMENT };

	paths_add(out, target, path, command, world, arena);
	if (how == IS_DOUBTFUL && sv_is(shell_command_name(command), "git"))
		paths_add_from_top(out, target, path, command, world, arena);
	target.use = OPERAND_WRITE;
	target.is_doubtful = true;
	if (how == IS_IN_PROGRAM || paths_may_write(command))
		paths_add(out, target, path, command, world, arena);
}

static bool is_in_path(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 ||
	       sv_find_char(SV("._/~+@%-"), c) != SIZE_MAX;
}

/* Words in the text of a program that may be file names: `open("x")`. */
static void paths_add_words(command_path_list *out, const struct shell_command *command,
			    struct sv text, size_t *left, const struct perm_world *world,
			    struct arena *arena)
{
	for (size_t at = 0, end; *left > 0 && at < text.len; at = end + 1) {
		for (end = at; end < text.len && is_in_path(text.ptr[end]);)
			end++;
		if (end == at || end - at == text.len)
			continue;
		paths_add_suspect(out, command, sv_slice(text, at, end), IS_IN_PROGRAM, world,
				  arena);
		--*left;
	}
}

/* There are more words than are checked, so any file may be meant. */
static void paths_add_everything(command_path_list *out)
{
	vec_push(out, ((struct command_path){ .named = SV("/"),
					      .real = SV("/"),
					      .known = true,
					      .use = OPERAND_WRITE,
					      .recursive = true,
					      .is_doubtful = true }));
}

/* The text from `at` on: all of it, and up to a ":" or "," as in "x:/there". */
static void paths_add_suspects(command_path_list *out, const struct shell_command *command,
			       struct sv text, size_t at, const struct perm_world *world,
			       struct arena *arena)
{
	struct sv path = sv_skip(text, at);
	size_t end = min_of(sv_find_char(path, ':'), sv_find_char(path, ','));
	bool is_doubtful = paths_may_be_object(command, text) || (at && text.ptr[at - 1] == ':');

	paths_add_suspect(out, command, path, is_doubtful ? IS_DOUBTFUL : IS_ARGUMENT, world,
			  arena);
	if (end != SIZE_MAX && end > 0)
		paths_add_suspect(out, command, sv_slice(path, 0, end), IS_DOUBTFUL, world, arena);
}

bool command_paths_suspects(command_path_list *out, const struct shell_command *command,
			    const struct perm_world *world, struct arena *arena, size_t *most)
{
	size_t left = WORDS_MAX, before = out->n, i;
	struct sv input;

	for (i = 1; i < command->n && out->n - before < *most; i++) {
		struct sv text = command->argv[i].text;

		if (!command->argv[i].known)
			continue;
		for (size_t at = text.len - min_of(text.len, (size_t)SUSPECT_MAX); at < text.len;
		     at++)
			if (paths_may_begin(text, at))
				paths_add_suspects(out, command, text, at, world, arena);
		if (command_program_text(command, i, &text))
			paths_add_words(out, command, text, &left, world, arena);
	}
	if (command_program_text(command, command->n, &input))
		paths_add_words(out, command, input, &left, world, arena);
	*most -= min_of(*most, out->n - before);
	if (left == 0)
		paths_add_everything(out);
	return i >= command->n;
}

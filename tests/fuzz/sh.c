/* A text gives the same tree each time; what the tree shows of it is in it; and a simple
 * command means the same when it is read alone. */
#include "../unit/text/bash/sh_dump.h"

#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_nodes(struct sv text, const struct sh_node *node);

static void check_inside(struct sv text, struct sv part)
{
	BUG_ON(sv_find(text, part) == SIZE_MAX);
}

static void check_parts(struct sv text, const struct sh_part *part)
{
	for (; part; part = part->next) {
		bool is_backquoted = part->kind == SH_COMMAND && sv_starts(part->text, SV("`"));

		if (part->kind != SH_TEXT && part->kind != SH_GLOB && part->kind != SH_TILDE)
			check_inside(text, part->text);
		if (part->script) /* without its backslashes that text is another */
			check_nodes(is_backquoted ? part->script->text : text, part->script);
		check_parts(text, part->parts);
	}
}

static void check_words(struct sv text, const struct sh_word *word)
{
	for (; word; word = word->next) {
		check_inside(text, word->written);
		check_parts(text, word->parts);
	}
}

/* Its here-documents are elsewhere; and "time" is the keyword only at the start. */
static bool stands_alone(const struct sh_node *node)
{
	for (const struct sh_redirect *r = node->redirects; r; r = r->next)
		if (r->kind == SH_HERE_DOC || r->kind == SH_HERE_LITERAL)
			return false;
	return !node->words || !sv_is(node->words->written, "time");
}

static void check_simple(const struct sh_node *node)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str here = STR_INIT, alone = STR_INIT;
	struct err err = ERR_INIT;
	struct sh_node *tree = sh_parse(node->text, &arena, &err);

	if (!tree) {
		BUG_ON(err.kind == ERR_NONE);
		return;
	}
	BUG_ON(!tree->kids || tree->kids->next);
	sh_dump_node(&here, node);
	sh_dump_node(&alone, tree->kids);
	BUG_ON(!sv_eq(sv_of(&here), sv_of(&alone)));
}

static void check_nodes(struct sv text, const struct sh_node *node)
{
	for (; node; node = node->next) {
		check_inside(text, node->text);
		check_inside(text, node->name);
		check_words(text, node->words);
		for (const struct sh_assign *a = node->assigns; a; a = a->next) {
			check_inside(text, a->name);
			check_words(text, a->index);
			check_words(text, a->value);
			check_words(text, a->elements);
		}
		for (const struct sh_redirect *r = node->redirects; r; r = r->next) {
			BUG_ON(!r->to || r->to->next);
			check_words(text, r->to);
		}
		if (node->kind == SH_SIMPLE && stands_alone(node))
			check_simple(node);
		check_nodes(text, node->kids);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	defer(mem_freep) char *copy = xmemdup(data, size); /* reading on is caught */
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str once = STR_INIT, again = STR_INIT;
	struct sv text = sv_from(copy, size);
	struct err err = ERR_INIT;
	struct sh_node *tree = sh_parse(text, &arena, &err), *same;

	BUG_ON((tree == NULL) == (err.kind == ERR_NONE));
	same = sh_parse(text, &arena, &err);
	BUG_ON((tree == NULL) != (same == NULL));
	if (!tree)
		return 0;
	sh_dump_node(&once, tree);
	sh_dump_node(&again, same);
	BUG_ON(!sv_eq(sv_of(&once), sv_of(&again)));
	check_nodes(text, tree);
	return 0;
}

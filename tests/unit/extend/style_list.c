#include "extend/style_list.h"

#include "base/limits.h"
#include "sys/fs.h"
#include "test.h"

struct place {
	struct str dir;
	struct style_list list;
};

static void place_put(struct place *p, const char *path, const char *text)
{
	defer(str_clear) struct str whole = STR_INIT;
	struct err err;

	fs_join(&whole, sv_of(&p->dir), sv_cstr(path));
	defer(mem_freep) char *parent =
		sv_dup(sv_slice(sv_of(&whole), 0, sv_rfind_char(sv_of(&whole), '/')));
	CHECK_OK(fs_mkdirs(parent, 0700, &err), err);
	CHECK_OK(fs_write(whole.ptr, sv_cstr(text), (struct fs_write){ 0 }, &err), err);
}

static void place_init(struct place *p)
{
	struct err err;

	*p = (struct place){ .list = STYLE_LIST_INIT };
	CHECK_OK(fs_temp_dir(&p->dir, &err), err);
}

static void place_clear(struct place *p)
{
	struct err err;

	style_list_clear(&p->list);
	CHECK_OK(fs_remove_tree(p->dir.ptr, &err), err);
	str_clear(&p->dir);
}

static void place_add(struct place *p, const char *dir, enum style_source source)
{
	defer(str_clear) struct str whole = STR_INIT, inside = STR_INIT;

	fs_join(&whole, sv_of(&p->dir), sv_cstr(dir));
	str_addf(&inside, "%s/", p->dir.ptr);
	style_list_add_dir(&p->list, whole.ptr, source, sv_of(&inside));
}

static void check_names(const struct place *p, const char *expected)
{
	defer(str_clear) struct str names = STR_INIT;

	for (size_t i = 0; i < p->list.styles.n; i++)
		str_addf(&names, "%s%.*s", i ? ", " : "", SV_ARG(p->list.styles.at[i].name));
	CHECK_STR(str_c(&names), expected);
}

TEST(the_styles_that_come_with_awl_keep_its_instructions_about_coding)
{
	defer(place_clear) struct place p;

	place_init(&p);
	style_list_add_builtins(&p.list);
	check_names(&p, "default, Proactive, Concise, Explanatory, Learning");
	for (size_t i = 0; i < p.list.styles.n; i++) {
		CHECK(p.list.styles.at[i].keeps_coding);
		CHECK(p.list.styles.at[i].description.len);
		CHECK(!i == !p.list.styles.at[i].text.len);
	}
	CHECK_STR(str_c(&p.list.notes), "");
}

TEST(a_file_is_a_style_with_what_its_front_matter_says)
{
	defer(place_clear) struct place p;
	const struct style *style;

	place_init(&p);
	place_put(&p, "u/output-styles/t.md",
		  "---\nname: Tea: chat\ndescription: >\n  Talks\n  a lot\n"
		  "keep-coding-instructions: yes\n---\n\nTalk.\n");
	place_put(&p, "u/output-styles/deep/plain.md", "Only text.\n");
	place_add(&p, "u", STYLE_USER);
	check_names(&p, "Tea: chat, plain");
	style = style_list_find(&p.list, SV("tea: CHAT"));
	CHECK(style && style->keeps_coding);
	CHECK_SV(style->description, "Talks a lot");
	CHECK_SV(style->text, "Talk.");
	style = style_list_find(&p.list, SV("plain"));
	CHECK(style && !style->keeps_coding && !style->description.len);
	CHECK_SV(style->text, "Only text.");
	CHECK(!style_list_find(&p.list, SV("other")));
}

TEST(the_stronger_source_and_the_nearer_file_win)
{
	defer(place_clear) struct place p;

	place_init(&p);
	place_put(&p, "user/output-styles/a.md", "user a");
	place_put(&p, "user/output-styles/b.md", "user b");
	place_put(&p, "near/output-styles/b.md", "near b");
	place_put(&p, "far/output-styles/b.md", "far b");
	place_put(&p, "user/output-styles/learning.md", "user learning");
	style_list_add_builtins(&p.list);
	place_add(&p, "near", STYLE_PROJECT);
	place_add(&p, "far", STYLE_PROJECT);
	place_add(&p, "user", STYLE_USER);
	check_names(&p, "default, Proactive, Concise, Explanatory, learning, a, b");
	CHECK_SV(style_list_find(&p.list, SV("b"))->text, "near b");
	CHECK_SV(style_list_find(&p.list, SV("Learning"))->text, "user learning");
	CHECK(strstr(str_c(&p.list.notes),
		     "far/output-styles/b.md: this output style is skipped: another file has the "
		     "same name\n"));
}

TEST(files_that_are_no_styles_are_skipped_with_a_note)
{
	defer(place_clear) struct place p;
	defer(str_clear) struct str huge = STR_INIT;
	struct err err;

	place_init(&p);
	for (size_t i = 0; i <= LIMIT_STYLE_TEXT; i++)
		str_addc(&huge, 'x');
	place_put(&p, "p/output-styles/bad.md", "---\n- [\n---\nText.\n");
	place_put(&p, "p/output-styles/empty.md", "---\nname: none\n---\n\n");
	place_put(&p, "p/output-styles/huge.md", huge.ptr);
	place_put(&p, "p/output-styles/default.md", "Mine.");
	place_put(&p, "p/output-styles/notes.txt", "Text.");
	place_put(&p, "p/output-styles/good.md", "Text.");
	defer(str_clear) struct str link = STR_INIT;
	fs_join(&link, sv_of(&p.dir), SV("p/output-styles/out.md"));
	CHECK_OK(fs_symlink("/etc/passwd", link.ptr, &err), err);
	style_list_add_builtins(&p.list);
	place_add(&p, "p", STYLE_PROJECT);
	check_names(&p, "default, Proactive, Concise, Explanatory, Learning, good");
	CHECK(strstr(str_c(&p.list.notes), "bad.md:2: this output style is skipped: "));
	CHECK(strstr(str_c(&p.list.notes),
		     "empty.md: this output style is skipped: it has no text"));
	CHECK(strstr(str_c(&p.list.notes), "huge.md"));
	CHECK(strstr(str_c(&p.list.notes), "out.md: this output style is skipped: it leads out"));
	CHECK(strstr(str_c(&p.list.notes), "the default style cannot be replaced"));
}

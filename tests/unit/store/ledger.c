#include "store/ledger.h"

#include "sys/fs.h"
#include "test.h"

enum { HOUR = 3600 * 1000 };

TEST(a_ledger_adds_up_what_several_processes_spend)
{
	defer(str_clear) struct str dir = STR_INIT;
	struct err err = ERR_INIT;
	struct ledger *one, *two, *other;

	CHECK_OK(fs_temp_dir(&dir, &err), err);
	one = ledger_new(sv_of(&dir), SV("/project"));
	two = ledger_new(sv_of(&dir), SV("/project"));
	other = ledger_new(sv_of(&dir), SV("/elsewhere"));
	CHECK_INT(ledger_day(one, HOUR), 0);
	CHECK_OK(ledger_add(one, 5, HOUR, &err), err);
	CHECK_OK(ledger_add(two, 7, HOUR, &err), err);
	CHECK_OK(ledger_add(other, 100, HOUR, &err), err);
	CHECK_INT(ledger_day(one, HOUR), 112);
	CHECK_INT(ledger_project(one), 12);
	CHECK_INT(ledger_project(two), 12);
	CHECK_INT(ledger_project(other), 100);
	CHECK_OK(ledger_add(two, 1, HOUR, &err), err);
	CHECK_INT(ledger_project(one), 13);
	ledger_free(one);
	ledger_free(two);
	ledger_free(other);
	CHECK_OK(fs_remove_tree(dir.ptr, &err), err);
}

TEST(a_day_of_a_ledger_begins_with_nothing)
{
	defer(str_clear) struct str dir = STR_INIT;
	struct err err = ERR_INIT;
	struct ledger *ledger;

	CHECK_OK(fs_temp_dir(&dir, &err), err);
	ledger = ledger_new(sv_of(&dir), SV("/project"));
	CHECK_OK(ledger_add(ledger, 5, HOUR, &err), err);
	CHECK_INT(ledger_day(ledger, HOUR + (int64_t)48 * HOUR), 0);
	CHECK_INT(ledger_day(ledger, HOUR), 5);
	CHECK_INT(ledger_project(ledger), 5);
	ledger_free(ledger);
	CHECK_OK(fs_remove_tree(dir.ptr, &err), err);
}

TEST(a_damaged_line_of_a_ledger_costs_only_itself)
{
	defer(str_clear) struct str dir = STR_INIT, path = STR_INIT;
	struct err err = ERR_INIT;
	struct ledger *ledger;

	CHECK_OK(fs_temp_dir(&dir, &err), err);
	ledger = ledger_new(sv_of(&dir), SV("/project"));
	CHECK_OK(ledger_add(ledger, 5, HOUR, &err), err);
	str_addf(&path, "%s/awl/spent/project--project", dir.ptr);
	CHECK_OK(fs_write(path.ptr, SV("5\n-9\nx\n9223372036854775807\n7\n8"),
			  (struct fs_write){ .mode = 0600 }, &err),
		 err);
	CHECK_INT(ledger_project(ledger), 12); /* the last line is not complete */
	ledger_free(ledger);
	CHECK_OK(fs_remove_tree(dir.ptr, &err), err);
}

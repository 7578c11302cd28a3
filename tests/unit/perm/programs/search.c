#include "perm/program/case.h"
#include "test.h"

TEST(grep_reads_its_files_and_with_r_all_below)
{
	static const struct program_case cases[] = {
		{ "grep -rn foo src", "ro read:src/.." },
		{ "grep -R key .", "ro read:./...." },
		{ "grep -r KEY", "ro read:./.." },
		{ "grep foo", "ro" },
		{ "grep foo a b", "ro read:a read:b" },
		{ "grep -e foo a", "ro read:a" },
		{ "grep -e foo -e bar a", "ro read:a" },
		{ "grep -f pats a", "ro read:pats read:a" },
		{ "grep -fpats a", "ro read:pats read:a" },
		{ "grep --file=pats a", "ro read:pats read:a" },
		{ "grep -n 'rm -rf /' scripts/clean.sh", "ro read:scripts/clean.sh" },
		{ "grep -5 foo a", "ro read:a" },
		{ "grep -n5 foo a", "ro read:a" },
		{ "grep -A3 -B 2 foo a", "ro read:a" },
		{ "grep -d recurse foo src", "ro read:src/.." },
		{ "grep -drec foo src", "ro read:src/.." },
		{ "grep -d skip foo src", "ro read:src" },
		{ "grep --directories=recurse foo src", "ro read:src/.." },
		{ "grep --include='*.c' -r foo src", "ro read:src/.." },
		{ "grep --exclude-from=x foo a", "ro read:x read:a" },
		{ "grep -P foo a", "ro read:a" },
		{ "grep -- -e a", "ro read:a" },
		{ "grep -re foo", "ro read:./.." },
		{ "grep --regexp=foo --recursive src", "ro read:src/.." },
		{ "grep --dereference-rec foo .", "ro read:./...." },
		{ "grep -Zlr foo .", "ro read:./.." },
		{ "grep -ie foo a", "ro read:a" },
		{ "grep \"$x\" a", "? read:a" },
		{ "grep -e \"$x\" a", "ro read:a" },
		{ "grep -- \"$x\" a", "ro read:a" },
		{ "grep -q --weird foo a", "rule acts:--weird is not known to be harmless read:a" },
		{ "egrep -o 'a|b' f", "ro read:f" },
		{ "fgrep x f", "ro read:f" },
	};

	program_check_all(cases, countof(cases));
}

TEST(search_program_is_read_only_until_it_runs_something)
{
	static const struct program_case cases[] = {
		{ "rg -n 'todo' src", "ro read:src/.." },
		{ "rg todo", "ro read:./.." },
		{ "rg --pre ./x foo", "rule acts:--pre runs a program read:./.." },
		{ "rg --pre=./x foo", "rule acts:--pre runs a program read:./.." },
		{ "rg -e --pre=./x src", "ro read:src/.." },
		{ "rg -e foo --pre=x src", "rule acts:--pre runs a program read:src/.." },
		{ "rg -- --pre=x src", "ro read:src/.." },
		{ "rg -nz foo", "rule acts:-z runs a program read:./.." },
		{ "rg --search-zip foo", "rule acts:--search-zip runs a program read:./.." },
		{ "rg --hostname-bin=./x foo",
		  "rule acts:--hostname-bin runs a program read:./.." },
		{ "rg --files", "ro read:./.." },
		{ "rg --files src", "ro read:src/.." },
		{ "rg -l foo -g '*.c' src", "ro read:src/.." },
		{ "rg -L foo", "ro read:./...." },
		{ "rg --follow foo src", "ro read:src/...." },
		{ "rg -f pats src", "ro read:pats read:src/.." },
		{ "rg --no-ignore --hidden foo", "ro read:./.." },
		{ "rg --type-add 'x:*.x' -tx foo", "ro read:./.." },
		{ "rg --pre-glob '*.x' foo", "ro read:./.." },
		{ "rg -uu -A3 foo", "ro read:./.." },
		{ "rg --no-heading foo src", "ro read:src/.." },
		{ "rg -C\"$n\" foo src", "ro read:src/.." },
		{ "rg \"$x\" src", "? read:src/.." },
		{ "rg --weird foo", "rule acts:--weird is not known to be harmless read:./.." },
		{ "ag foo src", "ro read:src/.." },
		{ "ag --pager ./x foo", "rule acts:--pager runs a program read:./.." },
		{ "ag -z foo", "rule acts:-z runs a program read:./.." },
		{ "fd foo", "ro list:./.." },
		{ "fd -e c . src", "ro list:src/.." },
		{ "fd -x rm", "rule acts:-x runs a command list:./.. run{rm}*" },
		{ "fd foo -X rm {}",
		  "rule acts:-X runs a command list:rm/.. list:{}/.. run{rm {}}*" },
		{ "fd -HX rm", "rule acts:-X runs a command list:./.. run{rm}*" },
		{ "fd --exec rm ';' x",
		  "rule acts:--exec runs a command list:;/.. list:x/.. run{rm}*" },
		{ "fd -l", "rule acts:-l runs a program list:./.." },
		{ "fd --list-details", "rule acts:--list-details runs a program list:./.." },
		{ "fd -L foo", "ro list:./...." },
		{ "fd --base-directory / foo",
		  "rule acts:--base-directory changes the directory enter:/ list:./.." },
		{ "fdfind foo", "ro list:./.." },
	};

	program_check_all(cases, countof(cases));
}

#include "perm/program/case.h"
#include "test.h"

TEST(pager_and_editor_escalate_when_started_with_a_command)
{
	static const struct program_case cases[] = {
		{ "man ls", "ro" },
		{ "man 3 printf", "ro" },
		{ "man -k x", "ro" },
		{ "man -P ./x ls", "rule escalates:-P runs a program" },
		{ "man -P./x ls", "rule escalates:-P runs a program" },
		{ "man --pager=./x ls", "rule escalates:--pager runs a program" },
		{ "man --pag ./x ls", "rule escalates:--pager runs a program" },
		{ "man -H./x ls", "rule escalates:-H runs a program" },
		{ "man --html=./x ls", "rule escalates:--html runs a program" },
		{ "man --ht ls", "rule escalates:--html runs a program" },
		{ "man -aP ./x ls", "rule escalates:-P runs a program" },
		{ "man -l ../x", "rule read:../x" },
		{ "man -C x ls", "rule escalates:-C uses another configuration" },
		{ "man -M x ls", "rule escalates:-M uses another configuration" },
		{ "man --unheard ls", "rule escalates:--unheard is not known to be harmless" },
		{ "less a", "rule read:a" },
		{ "less +F log", "rule read:log" },
		{ "less +20 a", "rule read:a" },
		{ "less '+!touch x' a",
		  "rule escalates:+!touch x is a command to run at the start read:a" },
		{ "less -o out a", "rule escalates:-o writes a file write:out read:a" },
		{ "less -k keys a", "rule escalates:-k uses another configuration read:a" },
		{ "more a", "rule read:a" },
		{ "vim a.c", "rule write:a.c" },
		{ "vim +12 a.c", "rule write:a.c" },
		{ "vim +q a.c", "rule escalates:+q is a command to run at the start write:a.c" },
		{ "vim -c '!touch x' a.c", "rule escalates:-c may run commands write:a.c" },
		{ "vim -es -S x a.c", "rule escalates:-e may run commands write:x write:a.c" },
		{ "vi --cmd x a", "rule escalates:--cmd may run commands write:a" },
		{ "nvim a", "rule write:a" },
		{ "emacs --batch --eval x", "rule escalates:--batch may run commands +2" },
		{ "emacs a", "rule write:a" },
		{ "nano a", "rule write:a" },
		{ "nano --speller=./x a", "rule escalates:--speller runs a program write:a" },
		{ "ed a", "rule escalates:ed runs the commands it is given write:a" },
	};

	program_check_all(cases, countof(cases));
}

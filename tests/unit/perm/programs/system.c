#include "perm/program/case.h"
#include "test.h"

TEST(program_of_the_system_needs_a_rule)
{
	static const struct program_case cases[] = {
		{ "kill 1", "rule" },
		{ "pkill x", "rule" },
		{ "killall x", "rule" },
		{ "systemctl restart x", "rule" },
		{ "systemctl status x", "ro" },
		{ "systemctl --user --no-pager status -l x", "ro" },
		{ "systemctl list-units --type=service --state=failed", "ro" },
		{ "systemctl show x", "rule" }, /* variables with secrets */
		{ "systemctl edit x", "rule" },
		{ "journalctl", "ro" },
		{ "journalctl -u x -n 50 --no-pager --since '1 hour ago'", "ro" },
		{ "journalctl -b -1 -p err -o json", "ro" },
		{ "systemctl -H evil.example status", "rule escalates:-H works on another system" },
		{ "systemctl --root=/x enable y", "rule escalates:--root works on another system" },
		{ "service x restart", "rule" },
		{ "mount /dev/sda1 /mnt", "rule" },
		{ "umount /mnt", "rule" },
		{ "apt install x", "rule net" },
		{ "apt-get -o APT::Update::Pre-Invoke::=./x update",
		  "rule net escalates:-o changes settings, which may run programs" },
		{ "apt -c x update",
		  "rule net escalates:-c changes settings, which may run programs" },
		{ "dpkg -l", "ro" },
		{ "dpkg --pre-invoke=./x -i a.deb", "rule escalates:--pre-invoke runs a program" },
		{ "dpkg --root=/x -i a.deb", "rule escalates:--root works on another project" },
	};

	program_check_all(cases, countof(cases));
}

#include "perm/decide/floor.h"

#include "perm/fake_world.h"
#include "test.h"

static void check_in_every_mode(const char *command, enum behavior expected)
{
	for (int mode = 0; mode < PERM_MODES; mode++) {
		struct perm_policy policy = fake_policy((enum perm_mode)mode, "Bash(*)", "", "");
		enum behavior behavior = fake_decide(&policy, command).behavior;

		/* These deny what is asked about. */
		if (expected == BEHAVIOR_ASK && mode == PERM_DONT_ASK)
			CHECK_INT(behavior, BEHAVIOR_DENY);
		else if (behavior < expected)
			print_error("%s in %s: %s\n", command, perm_mode_name((enum perm_mode)mode),
				    behavior_name(behavior));
		CHECK(behavior >= expected);
		perm_policy_clear(&policy);
	}
}

TEST(no_mode_or_rule_overrides_the_floor)
{
	static const char *const commands[] = {
		"rm -rf /",
		"rm -r -f -- /",
		"rm -rf //",
		"rm -rf /./",
		"rm -rf /etc",
		"rm -rf /etc/",
		"rm -rf /usr/..",
		"rm -rf /bin",
		"rm -rf ~",
		"rm -rf ~/",
		"rm -rf ~/*",
		"rm -rf /home/me",
		"rm -rf $HOME",
		"rm -rf /*",
		"rm -rf /etc/*",
		"rm -rf out/",
		"chmod -R 777 out",
		"rm -rf ../..",
		"cd / && rm -rf *",
		"cd ~ && rm -rf .",
		"cd ~; rm -rf *",
		"chmod -R 777 /",
		"chown -R x ~",
		"mv / /x",
		"mv ~ /tmp/x",
		"find / -delete",
		"find ~ -type f -delete",
		"find / -exec rm {} +",
		"sudo rm -rf /",
		"busybox rm -rf /",
		"sh -c 'rm -rf /'",
		"echo $(rm -rf ~)",
		"dd of=/dev/sda",
		"ls > /dev/nvme0n1",
		"tee /dev/sda1",
		"mkfs.ext4 /dev/sda",
		"cp x /dev/disk/by-id/y",
		":(){ :|:& };:",
		"xargs rm -rf /",
		"rm -rf src /",
		"rm -rf {src,/}",
		"rm -rf ~you",
		"rm -rf ~/..",
		"cd ~ && rm -rf ../",
		"rm -rf ~you/*",
		"cat x > /dev/zram0",
		"cp x /dev/block/8:0",
		"ln -s ~ h; rm -rf h/*",
		"ln -s ~ h; rm -rf h/",
	};

	for (size_t i = 0; i < countof(commands); i++)
		check_in_every_mode(commands[i], BEHAVIOR_DENY);
}

TEST(removal_of_unknown_files_is_asked_about_in_every_mode)
{
	static const char *const commands[] = {
		"rm -rf \"$D\"",    "rm -rf $D/*",
		"rm -rf ${HOME:?}", "chmod -R 777 $D",
		"find $D -delete",  "ls | xargs rm -rf",
		"rm -rf .",         "rm -rf ../pro",
		"find . -delete",   "find ~ -name x -delete",
		"rm -rf ~/$D",      "rm -rf /home/$USER",
		"rm -rf ../$D",     "mv \"$D\"/* x",
		"rm -rf /tmp",      "rm -rf /data/",
		"mv ${D}/usr x",    "mv $D/ x",
	};

	for (size_t i = 0; i < countof(commands); i++)
		check_in_every_mode(commands[i], BEHAVIOR_ASK);
}

TEST(ordinary_removals_are_above_the_floor)
{
	static const char *const commands[] = {
		"rm -rf build",      "rm -rf ./build/*",    "rm $f",
		"rm -rf build/$x",   "rm -rf /tmp/x",       "rm -rf ~/cache-*",
		"rm -rf ~/.cache",   "mv build lib2",       "find . -name '*.o' -delete",
		"ls | xargs rm -f",  "rm -rf /usr/local/x", "mv \"$f\" build/",
		"mv $D/x build",     "rm -rf /var/tmp/$D",  "rm -rf out",
		"rm -rf lib/../out", "rm -rf ./out src",    "rm evil",
	};
	struct perm_policy policy = fake_policy(PERM_BYPASS, "", "", "");

	for (size_t i = 0; i < countof(commands); i++) {
		struct verdict v = fake_decide(&policy, commands[i]);

		if (v.behavior != BEHAVIOR_ALLOW)
			print_error("%s: %s\n", commands[i], v.text);
		CHECK_INT(v.behavior, BEHAVIOR_ALLOW);
	}
	perm_policy_clear(&policy);
}

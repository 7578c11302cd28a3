#include "store/ledger.h"

#include <time.h>

#include "base/limits.h"
#include "base/mem.h"
#include "store/transcript/transcript.h"
#include "sys/fs.h"

/* One file, as far as it has been read. */
struct ledger_account {
	struct str path;
	int64_t at; /* bytes of it that `nano_usd` includes */
	int64_t nano_usd;
};

struct ledger {
	struct str dir;
	struct ledger_account day, project;
};

struct ledger *ledger_new(struct sv config_dir, struct sv cwd)
{
	struct ledger *ledger = xnew(struct ledger);
	defer(str_clear) struct str project = STR_INIT;

	transcript_dir(&project, config_dir, cwd);
	str_addf(&ledger->dir, "%.*s/awl/spent", SV_ARG(config_dir));
	str_addf(&ledger->project.path, "%s/project-%.*s", ledger->dir.ptr,
		 SV_ARG(sv_basename(sv_of(&project))));
	return ledger;
}

void ledger_free(struct ledger *ledger)
{
	if (!ledger)
		return;
	str_clear(&ledger->dir);
	str_clear(&ledger->day.path);
	str_clear(&ledger->project.path);
	free(ledger);
}

/* Choose the file of the day. */
static void ledger_turn_to(struct ledger *ledger, int64_t wall_ms)
{
	defer(str_clear) struct str path = STR_INIT;
	time_t seconds = (time_t)(wall_ms / 1000);
	char date[sizeof("-2147483648-12-31")];
	struct tm tm;

	if (!localtime_r(&seconds, &tm) || !strftime(date, sizeof(date), "%Y-%m-%d", &tm))
		return;
	str_addf(&path, "%s/day-%s", ledger->dir.ptr, date);
	if (sv_eq(sv_of(&path), sv_of(&ledger->day.path)))
		return;
	str_set(&ledger->day.path, sv_of(&path));
	ledger->day.at = 0;
	ledger->day.nano_usd = 0;
}

/* --- adding --------------------------------------------------------------------------------- */

static bool ledger_append(const char *path, struct sv line, struct err *err)
{
	defer(fs_log_closep) struct fs_log *log = fs_log_open(path, 0600, err);

	return log && fs_log_add(log, line, err);
}

bool ledger_add(struct ledger *ledger, int64_t nano_usd, int64_t wall_ms, struct err *err)
{
	defer(str_clear) struct str line = STR_INIT;

	ledger_turn_to(ledger, wall_ms);
	str_addf(&line, "%lld\n", (long long)nano_usd);
	return fs_mkdirs(ledger->dir.ptr, 0700, err) &&
	       ledger_append(str_c(&ledger->day.path), sv_of(&line), err) &&
	       ledger_append(ledger->project.path.ptr, sv_of(&line), err);
}

/* --- reading -------------------------------------------------------------------------------- */

/* Add up whole lines. What is not a sum of money, for instance after a crash, is skipped. */
static void ledger_take_lines(struct ledger_account *account, struct sv text)
{
	size_t end = sv_rfind_char(text, '\n');
	struct sv rest = sv_slice(text, 0, end == SIZE_MAX ? 0 : end + 1), line;
	int64_t amount;

	account->at += (int64_t)rest.len;
	while (sv_cut_line(&rest, &line))
		if (sv_to_int(line, &amount) && amount > 0 &&
		    amount <= INT64_MAX - account->nano_usd)
			account->nano_usd += amount;
}

static int64_t ledger_read(struct ledger_account *account)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored = ERR_INIT;
	int64_t size;
	defer(fs_closep) struct fs_file *file = fs_open(str_c(&account->path), &size, &ignored);

	if (!file)
		return account->nano_usd;
	if (size < account->at) { /* somebody has begun it anew */
		account->at = 0;
		account->nano_usd = 0;
	}
	size = min_of(size - account->at, (int64_t)LIMIT_LEDGER);
	str_reserve(&text, (size_t)size + 1);
	if (size && fs_read_at(file, account->at, text.ptr, (size_t)size, &ignored)) {
		text.len = (size_t)size;
		ledger_take_lines(account, sv_of(&text));
	}
	return account->nano_usd;
}

int64_t ledger_day(struct ledger *ledger, int64_t wall_ms)
{
	ledger_turn_to(ledger, wall_ms);
	return ledger_read(&ledger->day);
}

int64_t ledger_project(struct ledger *ledger)
{
	return ledger_read(&ledger->project);
}

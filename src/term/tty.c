#include "term/tty.h"

#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/mem.h"

/* No automatic wrapping (screen.h), bracketed paste, focus events, and keys with their modifiers: by the kitty
 * protocol, or by xterm's where there is only that. */
#define ENTER "\x1b[?7l\x1b[?2004h\x1b[?1004h\x1b[>4;1m\x1b[>1u"
#define LEAVE "\x1b[<u\x1b[>4;0m\x1b[?1004l\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[m"
/* For a program that reads lines: only bracketed paste. */
#define ENTER_LINES "\x1b[?2004h"
#define LEAVE_LINES "\x1b[?2004l"
/* A crash may have happened inside a frame. */
#define BREAK_OFF  "\x1b[?2026l"
#define LEAVE_VIEW "\x1b[?1049l"

enum { DEFAULT_COLUMNS = 80, DEFAULT_ROWS = 24 };

static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };

struct tty {
	int in, out;
	bool reads_lines; /* see tty_open_lines() */
	struct termios cooked;
	volatile sig_atomic_t is_raw, is_viewing;
	struct sigaction before[countof(crash_signals)];
};

/* For the signal handler, which gets no argument. */
static struct tty *volatile crashing;

static void tty_write(const struct tty *tty, struct sv bytes)
{
	while (bytes.len) {
		ssize_t n = write(tty->out, bytes.ptr, bytes.len);

		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return; /* the terminal is gone */
		if (n > 0)
			bytes = sv_skip(bytes, (size_t)n);
	}
}

static void tty_set_raw(struct tty *tty)
{
	struct termios raw = tty->cooked;

	if (tty->reads_lines) {
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
		raw.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
	} else {
		cfmakeraw(&raw);
	}
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	tcsetattr(tty->out, TCSADRAIN, &raw);
	tty_write(tty, tty->reads_lines ? SV(ENTER_LINES) : SV(ENTER));
	tty->is_raw = true;
}

static void tty_set_cooked(struct tty *tty)
{
	if (!tty->is_raw)
		return;
	tty->is_raw = false;
	tty_write(tty, tty->reads_lines ? SV(LEAVE_LINES) : SV(LEAVE));
	tcsetattr(tty->out, TCSADRAIN, &tty->cooked);
}

/* Only async-signal-safe calls. */
static void tty_on_crash(int signo)
{
	struct tty *tty = crashing;

	if (tty && tty->is_raw) {
		tty->is_raw = false;
		tty_write(tty, SV(BREAK_OFF));
		if (tty->is_viewing)
			tty_write(tty, SV(LEAVE_VIEW));
		tty_write(tty, SV(LEAVE "\r\n\x1b[J")); /* nothing stays below what comes next */
		tcflush(tty->in, TCIFLUSH); /* the terminal's replies are not for the shell */
		tcsetattr(tty->out, TCSANOW, &tty->cooked);
	}
	signal(signo, SIG_DFL);
	raise(signo);
}

static void tty_catch_crashes(struct tty *tty)
{
	struct sigaction action = { .sa_handler = tty_on_crash };

	crashing = tty;
	sigemptyset(&action.sa_mask);
	action.sa_flags = SA_NODEFER | SA_RESETHAND;
	for (size_t i = 0; i < countof(crash_signals); i++)
		sigaction(crash_signals[i], &action, &tty->before[i]);
}

/* Keys that were typed while the terminal was not ours yet are still to be read, but it has shown them already. */
static void tty_erase_echo(const struct tty *tty)
{
	int waiting = 0;

	if (!tty->reads_lines && (tty->cooked.c_lflag & ECHO) &&
	    ioctl(tty->in, FIONREAD, &waiting) == 0 && waiting > 0)
		tty_write(tty, SV("\r\x1b[K"));
}

static bool tty_begin(struct tty **out, int in_fd, int out_fd, bool reads_lines, struct err *err)
{
	struct tty *tty;

	BUG_ON(crashing);
	if (!isatty(in_fd) || !isatty(out_fd))
		return err_set(err, ERR_UNSUPPORTED,
			       "standard input and output are not a terminal");
	tty = xcalloc(1, sizeof(*tty));
	tty->in = in_fd;
	tty->out = out_fd;
	tty->reads_lines = reads_lines;
	if (tcgetattr(in_fd, &tty->cooked) != 0) {
		free(tty);
		return err_set(err, ERR_IO, "cannot read the modes of the terminal");
	}
	tty_catch_crashes(tty);
	tty_set_raw(tty);
	tty_erase_echo(tty);
	*out = tty;
	return true;
}

bool tty_open(struct tty **out, int in_fd, int out_fd, struct err *err)
{
	return tty_begin(out, in_fd, out_fd, false, err);
}

bool tty_open_lines(struct tty **out, int in_fd, int out_fd, struct err *err)
{
	return tty_begin(out, in_fd, out_fd, true, err);
}

void tty_close(struct tty *tty)
{
	if (!tty)
		return;
	tty_set_cooked(tty);
	for (size_t i = 0; i < countof(crash_signals); i++)
		sigaction(crash_signals[i], &tty->before[i], NULL);
	crashing = NULL;
	free(tty);
}

void tty_suspend(struct tty *tty)
{
	tty_set_cooked(tty);
}

void tty_resume(struct tty *tty)
{
	/* The user may have changed the modes in the shell meanwhile. */
	tcgetattr(tty->in, &tty->cooked);
	tty_set_raw(tty);
}

bool tty_was_taken(const struct tty *tty)
{
	struct termios now;

	return tcgetattr(tty->in, &now) == 0 && (now.c_lflag & (ICANON | ECHO | ISIG)) != 0;
}

void tty_set_view(struct tty *tty, bool is_on)
{
	tty->is_viewing = is_on;
}

void tty_size(const struct tty *tty, size_t *columns, size_t *rows)
{
	struct winsize size = { .ws_col = 0 };

	ioctl(tty->out, TIOCGWINSZ, &size);
	*columns = size.ws_col ? size.ws_col : DEFAULT_COLUMNS;
	*rows = size.ws_row ? size.ws_row : DEFAULT_ROWS;
}

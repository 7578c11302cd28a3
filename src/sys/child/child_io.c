#include "sys/child/child_io.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "base/limits.h"
#include "base/mem.h"
#include "sys/fd.h"

enum { READ_SIZE = 64 * 1024 };

static void child_io_on_ready(void *arg, int fd, int events);

static void child_io_channel_close(struct child_channel *ch)
{
	poll_free(move(ch->poll));
	fd_close(&ch->fd);
	ch->events = 0;
}

/* Takes `fd`. */
static void child_io_channel_open(struct child_channel *ch, int fd)
{
	ch->fd = fd;
	ch->poll = poll_new(ch->io->loop, fd, child_io_on_ready, ch);
	if (!ch->poll)
		BUG("a pipe cannot be polled");
}

static void child_io_channel_want(struct child_channel *ch, int events)
{
	if (ch->fd < 0 || ch->events == events)
		return;
	ch->events = events;
	poll_want(ch->poll, events);
}

static size_t io_space(const struct child_io *io)
{
	size_t waiting = io->out.unread.len + io->err.unread.len;

	return waiting < LIMIT_CHILD_BUFFER ? LIMIT_CHILD_BUFFER - waiting : 0;
}

/* Waits only for events that we can act on now. */
static void io_update(struct child_io *io)
{
	int out = io_space(io) > 0 ? POLL_READABLE : 0;
	int in = io->input_at < io->input.len ? POLL_WRITABLE : 0;

	if (io->stdin_to == &io->out)
		child_io_channel_want(&io->out, out | in);
	else
		child_io_channel_want(&io->out, out);
	child_io_channel_want(&io->err, out);
	child_io_channel_want(&io->in, in);
}

/* --- from the child --------------------------------------------------------- */

/* All of `bytes` count against the limit, which may cut off what is delivered. */
static void child_io_take(struct child_channel *ch, struct sv bytes)
{
	struct child_io *io = ch->io;
	size_t max = io->max_output ? io->max_output : SIZE_MAX;
	size_t space = max - min_of(io->seen, max);
	bool over = io->seen <= max && bytes.len > space;

	io->seen += bytes.len;
	if (!io->discard)
		str_add(&ch->unread, sv_slice(bytes, 0, space));
	if (ch->unread.len > 0)
		loop_post(io->loop, &io->deliver);
	if (over)
		io->on_overflow(io);
}

/* Reads once. A terminal whose other end is closed gives EIO. */
static void child_io_channel_read(struct child_channel *ch)
{
	char bytes[READ_SIZE];
	size_t want = min_of(io_space(ch->io), sizeof(bytes));
	ssize_t n;

	if (ch->io->draining)
		want = min_of(want, ch->rest);
	n = want > 0 ? read(ch->fd, bytes, want) : 0;
	if (n > 0) {
		ch->rest -= min_of((size_t)n, ch->rest);
		child_io_take(ch, sv_from(bytes, (size_t)n));
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR) || ch->io->draining) {
		child_io_channel_close(ch);
	}
}

/* Reads to the end, or as much as the owner has room for. */
static void child_io_channel_drain(struct child_channel *ch)
{
	while (ch->fd >= 0 && io_space(ch->io) > 0)
		child_io_channel_read(ch);
}

static void child_io_hand_over(struct child_channel *ch)
{
	struct child_io *io = ch->io;
	defer(str_clear) struct str bytes = STR_INIT;

	if (!ch->unread.len || io->paused)
		return;
	bytes = ch->unread;
	ch->unread = (struct str)STR_INIT;
	if (io->on_data && !io->discard)
		io->on_data(io->owner, ch->from, sv_of(&bytes));
}

static void child_io_run_deliver(struct task *task)
{
	struct child_io *io = container_of(task, struct child_io, deliver);

	child_io_hand_over(&io->out);
	child_io_hand_over(&io->err);
	if (io->draining) {
		child_io_channel_drain(&io->out);
		child_io_channel_drain(&io->err);
	}
	io_update(io);
	io->on_change(io);
}

/* --- to the child ----------------------------------------------------------- */

static bool is_pending(int signo)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, signo) == 1;
}

static ssize_t child_io_write_quietly(int fd, struct sv bytes)
{
	static const struct timespec at_once = { 0 };
	bool was_pending = is_pending(SIGPIPE);
	sigset_t broken_pipe, before;
	ssize_t n;

	sigemptyset(&broken_pipe);
	sigaddset(&broken_pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
	n = write(fd, bytes.ptr, bytes.len);
	if (n < 0 && errno == EPIPE) {
		if (!was_pending)
			sigtimedwait(&broken_pipe, NULL, &at_once);
		errno = EPIPE;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return n;
}

/* A terminal stays open, because we read from it too. */
static void child_io_close_input(struct child_io *io)
{
	io->input_gone = true;
	str_clear(&io->input);
	io->input_at = 0;
	if (!io->terminal)
		child_io_channel_close(&io->in);
}

static void io_write(struct child_io *io)
{
	struct sv rest = sv_skip(sv_of(&io->input), io->input_at);
	ssize_t n = rest.len ? child_io_write_quietly(io->stdin_to->fd, rest) : 0;

	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		child_io_close_input(io);
		return;
	}
	io->input_at += (size_t)max_of(n, (ssize_t)0);
	if (io->input_at < io->input.len)
		return;
	str_truncate(&io->input, 0);
	io->input_at = 0;
	if (io->input_closing)
		child_io_close_input(io);
}

static void child_io_on_ready(void *arg, __attribute__((unused)) int fd, int events)
{
	struct child_channel *ch = arg;
	struct child_io *io = ch->io;

	if (events & POLL_WRITABLE && ch == io->stdin_to)
		io_write(io);
	if (events & POLL_READABLE && ch != &io->in && ch->fd >= 0 && io_space(io) > 0)
		child_io_channel_read(ch);
	io_update(io);
	io->on_change(io);
}

bool child_io_write(struct child_io *io, struct sv bytes, struct err *err)
{
	size_t waiting = io->input.len - io->input_at;

	if (io->input_gone || io->input_closing)
		return true;
	if (bytes.len > LIMIT_CHILD_INPUT - waiting)
		return err_set(err, ERR_TOO_BIG,
			       "%zu bytes wait for the program to read them; no more than %zu may",
			       waiting, LIMIT_CHILD_INPUT);
	if (io->input_at > io->input.len / 2) { /* so each byte is moved at most once */
		str_consume(&io->input, io->input_at);
		io->input_at = 0;
	}
	str_add(&io->input, bytes);
	io_update(io);
	return true;
}

/* In a terminal the end of file is a key that only works at the beginning of a line; elsewhere it
 * takes two. */
static void child_io_type_end_of_file(struct child_io *io)
{
	bool at_start = !io->input.len || io->input.ptr[io->input.len - 1] == '\n';

	str_adds(&io->input, at_start ? "\004" : "\004\004");
}

void child_io_end_input(struct child_io *io)
{
	if (io->input_closing || io->input_gone)
		return;
	if (io->terminal) {
		child_io_type_end_of_file(io);
	} else {
		io->input_closing = true;
		if (io->in.fd >= 0 && io->input_at == io->input.len)
			child_io_close_input(io);
	}
	io_update(io);
}

/* --- opening and closing ----------------------------------------------------------------- */

static void child_io_channel_init(struct child_channel *ch, struct child_io *io,
				  enum child_stream from)
{
	*ch = (struct child_channel){ .io = io, .from = from, .fd = -1 };
}

void child_io_init(struct child_io *io, struct loop *loop, const struct child_opts *opts,
		   void *owner)
{
	*io = (struct child_io){ .loop = loop,
				 .on_data = opts->on_data,
				 .owner = owner,
				 .terminal = opts->pty,
				 .merge = opts->merge,
				 .keep_stdin = opts->keep_stdin,
				 .inherit = opts->inherit,
				 .input_closing = !opts->keep_stdin && !opts->pty,
				 .rows = opts->rows,
				 .cols = opts->cols,
				 .max_output = opts->max_output,
				 .deliver = { .run = child_io_run_deliver,
					      .session = log_session } };
	child_io_channel_init(&io->out, io, CHILD_OUT);
	child_io_channel_init(&io->err, io, CHILD_ERR);
	child_io_channel_init(&io->in, io, CHILD_OUT);
	io->stdin_to = opts->pty ? &io->out : &io->in;
	str_add(&io->input, opts->input);
}

void child_io_clear(struct child_io *io)
{
	str_clear(&io->out.unread);
	str_clear(&io->err.unread);
	str_clear(&io->input);
}

static bool child_io_open_terminal(struct child_io *io, int ends[3], struct err *err)
{
	defer(fd_close) int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	defer(fd_close) int slave = -1;

	if (master < 0 || unlockpt(master) < 0)
		return err_sys(err, errno, "cannot create a terminal");
	slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0)
		return err_sys(err, errno, "cannot open a terminal");
	ends[1] = fcntl(slave, F_DUPFD_CLOEXEC, 3);
	ends[2] = fcntl(slave, F_DUPFD_CLOEXEC, 3);
	ends[0] = fd_move(&slave);
	if (ends[1] < 0 || ends[2] < 0)
		return err_sys(err, errno, "cannot share a terminal");
	child_io_channel_open(&io->out, fd_move(&master));
	child_io_resize(io, io->rows, io->cols);
	return true;
}

/* `*theirs` is the child's end. Our end is non-blocking. */
static bool child_io_open_pipe(struct child_channel *ch, int *theirs, bool they_write,
			       struct err *err)
{
	int ends[2];
	int ours = they_write ? 0 : 1;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_sys(err, errno, "cannot create a pipe");
	fcntl(ends[ours], F_SETFL, O_NONBLOCK);
	*theirs = ends[1 - ours];
	child_io_channel_open(ch, ends[ours]);
	return true;
}

static bool child_io_open_stdin(struct child_io *io, int *theirs, struct err *err)
{
	if (io->input.len || io->keep_stdin)
		return child_io_open_pipe(&io->in, theirs, false, err);
	*theirs = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return *theirs >= 0 || err_sys(err, errno, "/dev/null");
}

static bool child_io_open_stderr(struct child_io *io, int ends[3], struct err *err)
{
	if (!io->merge)
		return child_io_open_pipe(&io->err, &ends[2], true, err);
	ends[2] = fcntl(ends[1], F_DUPFD_CLOEXEC, 3);
	return ends[2] >= 0 || err_sys(err, errno, "cannot share a pipe");
}

static bool child_io_open_pipes(struct child_io *io, int ends[3], struct err *err)
{
	return child_io_open_stdin(io, &ends[0], err) &&
	       child_io_open_pipe(&io->out, &ends[1], true, err) &&
	       child_io_open_stderr(io, ends, err);
}

static bool child_io_copy_ours(int ends[3], struct err *err)
{
	for (int fd = 0; fd <= 2; fd++) {
		ends[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		if (ends[fd] < 0)
			return err_sys(err, errno, "cannot share descriptor %d", fd);
	}
	return true;
}

static bool child_io_open_ends(struct child_io *io, int ends[3], struct err *err)
{
	if (io->inherit)
		return child_io_copy_ours(ends, err);
	return io->terminal ? child_io_open_terminal(io, ends, err)
			    : child_io_open_pipes(io, ends, err);
}

bool child_io_open(struct child_io *io, int ends[3], struct err *err)
{
	bool ok = child_io_open_ends(io, ends, err);

	if (!ok) {
		child_io_close(io);
		for (int i = 0; i < 3; i++)
			fd_close(&ends[i]);
		return false;
	}
	if (io->input_closing && !io->input.len)
		child_io_close_input(io);
	io_update(io);
	return true;
}

/* A process that escaped may write forever, so only what is there now counts. A terminal does not
 * say how much that is, but it holds no more than this. */
static void child_io_note_rest(struct child_channel *ch)
{
	int waiting = 0;

	ch->rest = LIMIT_CHILD_BUFFER;
	if (ch->fd >= 0 && !ch->io->terminal && ioctl(ch->fd, FIONREAD, &waiting) == 0)
		ch->rest = (size_t)max_of(waiting, 0);
}

void child_io_drain(struct child_io *io)
{
	child_io_close_input(io);
	child_io_note_rest(&io->out);
	child_io_note_rest(&io->err);
	io->draining = true;
	child_io_channel_drain(&io->out);
	child_io_channel_drain(&io->err);
	io_update(io);
}

void child_io_close(struct child_io *io)
{
	child_io_close_input(io);
	child_io_channel_close(&io->out);
	child_io_channel_close(&io->err);
}

void child_io_discard(struct child_io *io)
{
	io->discard = true;
	io->paused = false;
	str_clear(&io->out.unread);
	str_clear(&io->err.unread);
	io_update(io);
}

bool child_io_is_over(const struct child_io *io)
{
	return io->out.fd < 0 && io->err.fd < 0 && io->in.fd < 0 && !io->out.unread.len &&
	       !io->err.unread.len && !io->deliver.posted;
}

void child_io_pause(struct child_io *io, bool paused)
{
	io->paused = paused && !io->discard;
	if (!io->paused && (io->out.unread.len || io->err.unread.len))
		loop_post(io->loop, &io->deliver);
}

void child_io_resize(struct child_io *io, int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	io->rows = rows;
	io->cols = cols;
	if (io->terminal && io->out.fd >= 0)
		ioctl(io->out.fd, TIOCSWINSZ, &size);
}

/* Serves a stream of small JSON events over loopback HTTP as fast as the reader
 * takes it: `sse_server MEGABYTES`, then prints its port and answers every
 * connection until it is killed. The load of script/bench. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/str.h"

static const char head[] = "HTTP/1.1 200 OK\r\n"
			   "content-type: text/event-stream\r\n"
			   "connection: close\r\n\r\n";

/* About a megabyte of events like those of a model that writes prose. */
static void make_block(struct str *block)
{
	static const char *const words[] = { "the",   " quick", " brown", " fox", " jumps",
					     " over", " a",     " lazy",  " dog", ".\\n" };

	for (size_t i = 0; block->len < MIB; i++)
		str_addf(block,
			 "event: content_block_delta\n"
			 "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
			 "{\"type\":\"text_delta\",\"text\":\"%s\"}}\n\n",
			 words[i % countof(words)]);
}

static bool send_all(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		bytes += sent;
		n -= (size_t)sent;
	}
	return true;
}

static void serve(int fd, const struct str *block, size_t total)
{
	char request[4096];

	if (recv(fd, request, sizeof(request), 0) <= 0 || !send_all(fd, head, sizeof(head) - 1))
		return;
	for (size_t sent = 0; sent < total; sent += block->len)
		if (!send_all(fd, block->ptr, block->len))
			return;
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t size = sizeof(at);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	defer(str_clear) struct str block = STR_INIT;
	int64_t megabytes = 0;

	if (argc != 2 || !sv_to_int(sv_cstr(argv[1]), &megabytes))
		return 2;
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(listener, (struct sockaddr *)&at, size) < 0 || listen(listener, 8) < 0 ||
	    getsockname(listener, (struct sockaddr *)&at, &size) < 0)
		return 1;
	make_block(&block);
	printf("%d\n", ntohs(at.sin_port));
	fflush(stdout);
	for (;;) {
		int fd = accept(listener, NULL, NULL);

		if (fd < 0)
			return 1;
		serve(fd, &block, (size_t)megabytes * MIB);
		close(fd);
	}
}

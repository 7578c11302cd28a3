#include "sys/poll.h"

#include "base/mem.h"
#include "machine/world.h"

struct poll {
	struct loop *loop;
	struct sim_event notify;
	int fd;
	int ready, wanted; /* a notification is due when both have a bit */
	poll_fn *on_ready;
	void *arg;
	struct poll *next;
};

struct polls {
	struct sim_part part;
	struct poll *first;
};

static void polls_clear(struct sim_part *part)
{
	if (container_of(part, struct polls, part)->first)
		BUG("a poll is left over");
}

static const struct sim_part_type polls_type = { .size = sizeof(struct polls),
						 .clear = polls_clear };

static struct polls *polls(struct sim *w)
{
	return container_of(sim_part(w, &polls_type), struct polls, part);
}

static void on_notify(struct sim_event *event)
{
	struct poll *p = container_of(event, struct poll, notify);
	int now = p->ready & p->wanted;

	p->ready &= ~now;
	if (now)
		p->on_ready(p->arg, p->fd, now);
}

struct poll *poll_new(struct loop *loop, int fd, poll_fn *on_ready, void *arg)
{
	struct polls *all = polls(sim_world(loop));
	struct poll *p = xnew(struct poll);

	p->loop = loop;
	p->notify.fire = on_notify;
	p->fd = fd;
	p->on_ready = on_ready;
	p->arg = arg;
	p->next = all->first;
	all->first = p;
	return p;
}

void poll_want(struct poll *p, int events)
{
	p->wanted = events;
	if (p->ready & p->wanted)
		sim_arm(p->loop, &p->notify, 0);
}

void poll_free(struct poll *p)
{
	struct poll **at;

	if (!p)
		return;
	at = &polls(sim_world(p->loop))->first;
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	sim_disarm(p->loop, &p->notify);
	free(p);
}

void sim_poll_ready(struct sim *w, int fd, int events)
{
	for (struct poll *p = polls(w)->first; p; p = p->next) {
		if (p->fd != fd)
			continue;
		p->ready |= events;
		poll_want(p, p->wanted);
	}
}

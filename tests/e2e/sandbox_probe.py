"""Ways out of a sandbox. Each is a function that tries one and returns normally when it
worked; `python3 sandbox_probe.py NAME ARGUMENT...` exits with 0 then, and with 1 when the
system said no. Without a sandbox every one of them works."""

import ctypes
import fcntl
import os
import socket
import subprocess
import sys
import termios

libc = ctypes.CDLL(None, use_errno=True)


def checked(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def syscall(number, *args):
    return checked(libc.syscall(number, *args))


# --- files ---------------------------------------------------------------------------------


def write(path):
    with open(path, "a") as file:
        file.write("escaped")


def read(path):
    with open(path) as file:
        assert "secret" in file.read()


def content(path):
    with open(path) as file:
        return file.read()


def list_dir(path):
    assert os.listdir(path)


def write_pipe(path):
    """Not held by a read-only mount."""
    fd = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    os.write(fd, b"escaped")


def make(path):
    """A file with the directories on the way to it, whatever stands in their place."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    write(path)


def write_by_link(path):
    os.symlink(path, "link")
    write("link")


def write_by_hard_link(path):
    os.link(path, "hard")
    write("hard")


def write_by_race(path):
    """A link that points inside when it is looked at and outside when it is used."""
    os.mkdir("inside")
    changer = os.fork()
    if changer == 0:
        while True:
            for target in ("inside", os.path.dirname(path)):
                os.symlink(target, "next")
                os.rename("next", "race")
    tries = 30000
    while tries and "escaped" not in content(path):
        tries -= 1
        os.sched_yield()
        try:
            write("race/" + os.path.basename(path))
        except OSError:
            pass
    os.kill(changer, 9)
    os.waitpid(changer, 0)
    assert tries


def replace_dir(path):
    """Puts another directory in the place of a protected one."""
    os.rename(path, "aside")
    os.mkdir(path)
    write(path + "/settings.json")


def replace_parent(path):
    os.rename(os.path.dirname(path), "aside")
    make(path)


def replace_link(path):
    os.unlink(path)
    os.mkdir(path)
    write(path + "/settings.json")


def remove(path):
    os.unlink(path)


def replace_file(path):
    """A directory in the place of a file that says where a repository is."""
    os.unlink(path)
    make(path + "/config")


def move_away(path):
    """To where nobody would look for it the next time."""
    os.rename(os.path.dirname(path), "aside")


def change_mode(path):
    os.chmod(path, 0o777)


def change_times(path):
    os.utime(path, (0, 0))


def change_attribute(path):
    os.setxattr(path, "user.escaped", b"1")


def link_elsewhere(name, target):
    """A directory that may be written becomes one that may not."""
    os.rename(name, "aside")
    os.symlink(target, name)


def share_memory(name):
    write("/dev/shm/" + name)


def inherited():
    """Descriptors besides the usual three."""
    listed = [fd for fd in os.listdir("/proc/self/fd") if int(fd) > 2]
    assert [fd for fd in listed if os.path.lexists("/proc/self/fd/" + fd)]


def open_terminal(path):
    os.close(os.open(path, os.O_RDWR | os.O_NOCTTY))


def by_proc(path):
    write("/proc/self/root" + path)


def by_proc_cwd(path):
    write("/proc/self/cwd/" + os.path.relpath(path))


def by_proc_of(pid, path):
    write(f"/proc/{pid}/root{path}")


def environment_of(pid):
    with open(f"/proc/{pid}/environ", "rb") as file:
        assert file.read()


def program_of(pid):
    """The classic of containers: the program of a process outside, through its link."""
    fd = os.open(f"/proc/{pid}/exe", os.O_RDONLY)
    os.close(fd)


def read_device(path):
    """Devices are where somebody has made them, not only in /dev."""
    with open(path, "rb") as file:
        assert file.read(4) == bytes(4)


def raw_disk():
    disks = [d for d in os.listdir("/sys/class/block") if os.path.exists("/dev/" + d)]
    with open("/dev/" + disks[0], "rb") as file:
        file.read(512)


def kernel_setting():
    path = "/proc/sys/kernel/core_pattern"
    with open(path) as file:
        now = file.read()
    with open(path, "w") as file:
        file.write(now)


def mount(path):
    checked(libc.mount(b"none", path.encode(), b"tmpfs", 0, None))
    checked(libc.umount2(path.encode(), 0))


def unmount(path):
    checked(libc.umount2(path.encode(), 2))


def new_namespace():
    checked(libc.unshare(0x10000000))


def open_by_handle(path):
    class Handle(ctypes.Structure):
        _fields_ = [("size", ctypes.c_uint), ("type", ctypes.c_int), ("bytes", ctypes.c_byte * 128)]
    handle, mount_id = Handle(128, 0), ctypes.c_int()
    checked(libc.name_to_handle_at(-100, path.encode(), ctypes.byref(handle),
                                   ctypes.byref(mount_id), 0))
    where = os.open(os.path.dirname(path), os.O_RDONLY)
    checked(libc.open_by_handle_at(where, ctypes.byref(handle), os.O_WRONLY))


# --- processes --------------------------------------------------------------------------------


def trace(pid):
    checked(libc.ptrace(16, int(pid), None, None))
    os.waitpid(int(pid), 0x40000000)
    checked(libc.ptrace(17, int(pid), None, None))


def trace_first():
    trace(os.getppid())


def signal(pid):
    os.kill(int(pid), 0)


def signal_all():
    """Whoever is there to be signalled besides this process and its own."""
    os.kill(-1, 0)


def set_user():
    os.setuid(0 if os.getuid() else 1)


def run_set_uid(program):
    said = subprocess.run([program, "-u"], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "0"


def keys():
    syscall(250, 0, -3, 1)


def set_id(way, mode):
    """Makes a set-user-id or set-group-id file, by one of the system calls that can (x86-64)."""
    name, here, mode = b"made", -100, int(mode, 8)
    os.umask(0)
    if way.startswith(("chmod", "fchmod")):
        open(name, "w").close()
    fd = os.open(".", os.O_RDONLY)
    file = os.open(name, os.O_RDWR) if way == "fchmod" else -1
    how = (ctypes.c_uint64 * 3)(os.O_CREAT | os.O_RDWR, mode, 0)
    calls = {
        "chmod": (90, name, mode),
        "fchmod": (91, file, mode),
        "fchmodat": (268, here, name, mode),
        "fchmodat2": (452, here, name, mode, 0),
        "open": (2, name, os.O_CREAT | os.O_RDWR, mode),
        "openat": (257, fd, name, os.O_CREAT | os.O_RDWR, mode),
        "openat_tmpfile": (257, fd, b".", os.O_TMPFILE | os.O_RDWR, mode),
        "openat2": (437, here, name, ctypes.byref(how), ctypes.sizeof(how)),
        "creat": (85, name, mode),
        "mknod": (133, name, 0o100000 | mode, 0),
        "mknodat": (259, here, name, 0o100000 | mode, 0),
    }
    made = syscall(*calls[way])
    found = os.fstat(made) if way == "openat_tmpfile" else os.stat(name)
    assert found.st_mode & 0o6000 == mode & 0o6000, oct(found.st_mode)


def ring():
    os.close(syscall(425, 1, ctypes.create_string_buffer(256)))


def type_in():
    fcntl.ioctl(0, termios.TIOCSTI, b"x")


def type_in_masked():
    """The same with bits that a 64-bit comparison would stumble over."""
    checked(libc.syscall(16, 0, ctypes.c_ulong(0x100000000 | termios.TIOCSTI), b"x"))


def multiply(most):
    """More processes at a time than may be."""
    children = []
    try:
        for _ in range(int(most)):
            pid = os.fork()
            if pid == 0:
                while True:
                    signal_wait()
            children.append(pid)
    finally:
        for pid in children:
            os.kill(pid, 9)
        for pid in children:
            os.waitpid(pid, 0)


def storm():
    """Each process makes more, and none waits for any."""
    while True:
        try:
            if os.fork() == 0:
                os.setsid()
        except OSError:
            pass


def memory_of(pid):
    with open(f"/proc/{pid}/mem", "rb") as file, open(f"/proc/{pid}/maps") as maps:
        file.seek(int(maps.readline().split("-")[0], 16))
        assert file.read(16)


def queue(key):
    """Of messages, that another process has made."""
    checked(libc.msgget(int(key), 0))


def take_queue(number):
    """The same, known by its number, which anybody can see in /proc."""
    checked(libc.msgctl(int(number), 11, ctypes.create_string_buffer(256)))  # MSG_STAT


def take_semaphore(number):
    """By the call that is not the usual one."""
    class Step(ctypes.Structure):
        _fields_ = [("which", ctypes.c_ushort), ("by", ctypes.c_short), ("flags", ctypes.c_short)]
    checked(libc.semtimedop(int(number), ctypes.byref(Step(0, 1, 0)), 1, None))


def slow_down(pid):
    checked(libc.setpriority(0, int(pid), 19))


def limit_of(pid):
    checked(libc.prlimit(int(pid), 7, ctypes.byref((ctypes.c_ulong * 2)(100, 100)), None))


def disk():
    """All files, by way of what they are on."""
    with open("/proc/self/mountinfo") as mounts:
        numbers = [os.makedev(*map(int, line.split()[2].split(":"))) for line in mounts]
    for name in sorted(os.listdir("/sys/class/block")):
        with open(f"/sys/class/block/{name}/dev") as file:
            if os.makedev(*map(int, file.read().split(":"))) in numbers:
                with open("/dev/" + name, "rb") as device:
                    assert device.read(512)
                return
    raise OSError("no file system is on a disk")


def change_network():
    """The name of an interface; that of its own is put back."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        flags = fcntl.ioctl(s, 0x8913, b"lo".ljust(40, b"\0"))
        fcntl.ioctl(s, 0x8914, flags)


def signal_wait():
    libc.pause()


# --- network -----------------------------------------------------------------------------------


def connect_abstract(name):
    with socket.socket(socket.AF_UNIX) as s:
        s.connect("\0" + name)


def send_by_pair(path):
    """Pairs may be made; one of datagrams can be turned to any socket."""
    ours, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    ours.sendto(b"escaped", path)


def connect_by_pair(path):
    ours, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    ours.connect(path)
    ours.send(b"escaped")


def send_by_raw_pair(path):
    """The same by another name."""
    ours, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)
    ours.sendto(b"escaped", path)


def connect_unix(path):
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(path)


def connect_tcp(port):
    with socket.socket() as s:
        s.connect(("127.0.0.1", int(port)))


def send_udp(port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.connect(("127.0.0.1", int(port)))
        s.send(b"question")
        s.settimeout(20)
        assert s.recv(10) == b"answer"


def sniff():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close()


def crypto():
    """A family that nobody needs here stands for all of them."""
    socket.socket(38, socket.SOCK_SEQPACKET).close()


def main():
    try:
        globals()[sys.argv[1]](*sys.argv[2:])
    except (OSError, AssertionError) as why:
        print(f"{type(why).__name__}: {why}", file=sys.stderr)
        return 1
    print("escaped")
    return 0


if __name__ == "__main__":
    sys.exit(main())

// Loaded before a program's own libraries (LD_PRELOAD), this one makes a chosen write to a file go wrong.
// The tests that load it compile it (see FaultShim.swift).
//
// FAULT_AT     the number of the write, counted from 1 over all threads: pwrite, fsync, fdatasync, ftruncate, unlink
// FAULT_KIND   kill  the process is gone before the write
//              torn  half of it is written, then the process is gone
//              full  it fails, and all that follow, as on a full disk
//
// FAULT_SOCKETS  the process ends with 97 where it opens a socket
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_llong writes;

enum fault { NONE, KILL, TORN, FULL };

static enum fault next_fault(void) {
    const char *at = getenv("FAULT_AT");
    const char *kind = getenv("FAULT_KIND");
    if (!at || !kind) return NONE;
    long long number = atomic_fetch_add(&writes, 1) + 1;
    long long chosen = atoll(at);
    if (!strcmp(kind, "full")) return number >= chosen ? FULL : NONE;
    if (number != chosen) return NONE;
    return !strcmp(kind, "torn") ? TORN : KILL;
}

static void vanish(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static ssize_t faulty_write(const char *name, int file, const void *bytes, size_t count, off64_t offset) {
    ssize_t (*real)(int, const void *, size_t, off64_t) = (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, name);
    switch (next_fault()) {
    case NONE: break;
    case TORN: real(file, bytes, count / 2, offset); vanish(); break;
    case KILL: vanish(); break;
    case FULL: errno = ENOSPC; return -1;
    }
    return real(file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    return faulty_write("pwrite64", file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    return faulty_write("pwrite64", file, bytes, count, offset);
}

/* Returns -1 where the call has to fail. */
static int faulty_call(void) {
    switch (next_fault()) {
    case NONE: return 0;
    case TORN: case KILL: vanish(); break;
    case FULL: errno = ENOSPC; return -1;
    }
    return 0;
}

#define FAULTY(name, parameters, arguments) \
    int name parameters { \
        int (*real) parameters = (int (*) parameters)dlsym(RTLD_NEXT, #name); \
        return faulty_call() ? -1 : real arguments; \
    }

FAULTY(fsync, (int file), (file))
FAULTY(fdatasync, (int file), (file))
FAULTY(ftruncate64, (int file, off64_t size), (file, size))

/* Removing a file needs no room, so a full disk lets it pass. */
int unlink(const char *path) {
    int (*real)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
    enum fault fault = next_fault();
    if (fault == KILL || fault == TORN) vanish();
    return real(path);
}

static void refuse_network(void) {
    if (getenv("FAULT_SOCKETS")) _exit(97);
}

int socket(int domain, int type, int protocol) {
    int (*real)(int, int, int) = (int (*)(int, int, int))dlsym(RTLD_NEXT, "socket");
    refuse_network();
    return real(domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int ends[2]) {
    int (*real)(int, int, int, int *) = (int (*)(int, int, int, int *))dlsym(RTLD_NEXT, "socketpair");
    refuse_network();
    return real(domain, type, protocol, ends);
}

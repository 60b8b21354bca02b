// Preloaded into a command whose calls are to fail, so that what it makes has the same names each time:
// a new UUID is read from $KNOWN_BYTES in place of /dev/urandom, and the clock stands at $KNOWN_TIME,
// in seconds since 1970. strace finds a call by the path that it is done to, which must be known before.
//
//   gcc -shared -fPIC -o known-names.so known-names.c
//   strace -E LD_PRELOAD=known-names.so -E KNOWN_BYTES=… -E KNOWN_TIME=… …
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int bytes = -1;
static time_t now;

__attribute__((constructor)) static void read_environment(void) {
  bytes = open(getenv("KNOWN_BYTES"), O_RDONLY | O_CLOEXEC);
  now = atoll(getenv("KNOWN_TIME"));
}

int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  // Each goes on where the one before has stopped reading.
  if (bytes >= 0 && strcmp(path, "/dev/urandom") == 0) return fcntl(bytes, F_DUPFD_CLOEXEC, 0);
  return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (clock != CLOCK_REALTIME) return syscall(SYS_clock_gettime, clock, time);
  time->tv_sec = now;
  time->tv_nsec = 0;
  return 0;
}

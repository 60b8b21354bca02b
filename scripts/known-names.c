// Preloaded into a command whose calls are to fail. The names that it makes are then the same each
// time: a new UUID is read from $KNOWN_BYTES in place of /dev/urandom, and the clock stands at
// $KNOWN_TIME, in seconds since 1970. strace finds a call by its path, which must be known before.
//
// strace counts calls in each thread separately, so it cannot tell two threads' first calls apart.
// Here, among all calls named $FAULT_CALL (the kernel's name) on $FAULT_PATH, number $FAULT_PLACE
// fails with the error number $FAULT_ERROR, or ends the program if that is 0. Then $FAULT_MET gets
// a byte. Only the program $FAULT_PROGRAM is affected, not its children.
//
// With $NO_LINKS, no file can have two names, as on exFAT.
//
//   gcc -shared -fPIC -o known-names.so known-names.c
//   strace -E LD_PRELOAD=known-names.so -E KNOWN_BYTES=… -E KNOWN_TIME=… …
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int bytes = -1;
static time_t now;

typedef long (*any_call)(long, ...);

// Other libraries make calls before read_environment.
static any_call real(void) {
  static any_call known;
  if (!known) known = (any_call)dlsym(RTLD_NEXT, "syscall");
  return known;
}

static int has_no_links;
static const char *fault_call, *fault_path;
static int fault_place, fault_error, fault_met = -1;
static atomic_int count;

__attribute__((constructor)) static void read_environment(void) {
  bytes = open(getenv("KNOWN_BYTES"), O_RDONLY | O_CLOEXEC);
  now = atoll(getenv("KNOWN_TIME"));
  has_no_links = getenv("NO_LINKS") != NULL;
  const char *program = getenv("FAULT_PROGRAM");
  if (!program || strcmp(program, program_invocation_short_name) != 0) return;
  fault_path = getenv("FAULT_PATH");
  fault_place = atoi(getenv("FAULT_PLACE"));
  fault_error = atoi(getenv("FAULT_ERROR"));
  fault_met = open(getenv("FAULT_MET"), O_WRONLY | O_CLOEXEC);
  fault_call = getenv("FAULT_CALL");
}

static int is_named(int file, const char *path) {
  if (path && strcmp(path, fault_path) == 0) return 1;
  if (file < 0) return 0;
  char link[64], found[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  int before = errno;
  ssize_t size = readlink(link, found, sizeof found - 1);
  errno = before;
  return size > 0 && (found[size] = 0, strcmp(found, fault_path) == 0);
}

// Returns whether this call fails; sets errno then.
static int is_struck(const char *call, int file, const char *path, int other_file,
                     const char *other_path) {
  if (!fault_call || strcmp(call, fault_call) != 0) return 0;
  if (!is_named(file, path) && !is_named(other_file, other_path)) return 0;
  if (atomic_fetch_add(&count, 1) + 1 != fault_place) return 0;
  real()(SYS_write, fault_met, "1", 1);
  if (fault_error == 0) real()(SYS_kill, getpid(), SIGKILL);
  errno = fault_error;
  return 1;
}

#define CALL(name, number, file, path, other_file, other_path, ...) \
  (is_struck(name, file, path, other_file, other_path) ? -1 : real()(number, __VA_ARGS__))
#define MODE(flags, mode) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

int open(const char *path, int flags, ...) {
  MODE(flags, mode)
  // Each goes on where the previous one stopped reading.
  if (bytes >= 0 && strcmp(path, "/dev/urandom") == 0) return fcntl(bytes, F_DUPFD_CLOEXEC, 0);
  return CALL("openat", SYS_openat, -1, path, -1, NULL, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags, mode)
  return CALL("openat", SYS_openat, -1, path, -1, NULL, AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MODE(flags, mode)
  return CALL("openat", SYS_openat, folder, path, -1, NULL, folder, path, flags, mode);
}

ssize_t write(int file, const void *from, size_t size) {
  return CALL("write", SYS_write, file, NULL, -1, NULL, file, from, size);
}

ssize_t pwrite(int file, const void *from, size_t size, off_t place) {
  return CALL("pwrite64", SYS_pwrite64, file, NULL, -1, NULL, file, from, size, place);
}

ssize_t pwrite64(int file, const void *from, size_t size, off64_t place) {
  return CALL("pwrite64", SYS_pwrite64, file, NULL, -1, NULL, file, from, size, place);
}

ssize_t pwritev(int file, const struct iovec *from, int parts, off_t place) {
  return CALL("pwritev", SYS_pwritev, file, NULL, -1, NULL, file, from, parts, place, 0);
}

int fsync(int file) { return CALL("fsync", SYS_fsync, file, NULL, -1, NULL, file); }

int fdatasync(int file) { return CALL("fdatasync", SYS_fdatasync, file, NULL, -1, NULL, file); }

int ftruncate(int file, off_t size) {
  return CALL("ftruncate", SYS_ftruncate, file, NULL, -1, NULL, file, size);
}

int ftruncate64(int file, off64_t size) {
  return CALL("ftruncate", SYS_ftruncate, file, NULL, -1, NULL, file, size);
}

int fchmod(int file, mode_t mode) {
  return CALL("fchmod", SYS_fchmod, file, NULL, -1, NULL, file, mode);
}

#ifdef SYS_unlink
int unlink(const char *path) { return CALL("unlink", SYS_unlink, -1, path, -1, NULL, path); }
#endif

int unlinkat(int folder, const char *path, int flags) {
  return CALL("unlinkat", SYS_unlinkat, folder, path, -1, NULL, folder, path, flags);
}

int mkdirat(int folder, const char *path, mode_t mode) {
  return CALL("mkdirat", SYS_mkdirat, folder, path, -1, NULL, folder, path, mode);
}

int linkat(int folder, const char *path, int new_folder, const char *new_path, int flags) {
  if (has_no_links) {
    errno = EPERM;
    return -1;
  }
  return CALL(
      "linkat", SYS_linkat, folder, path, new_folder, new_path, folder, path, new_folder,
      new_path, flags);
}

#ifdef SYS_renameat
int renameat(int folder, const char *path, int new_folder, const char *new_path) {
  return CALL(
      "renameat", SYS_renameat, folder, path, new_folder, new_path, folder, path, new_folder,
      new_path);
}
#endif

long syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  long parts[6];
  for (int i = 0; i < 6; i++) parts[i] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_renameat2
      && is_struck("renameat2", (int)parts[0], (char *)parts[1], (int)parts[2], (char *)parts[3])) {
    return -1;
  }
  return real()(number, parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (clock != CLOCK_REALTIME) return real()(SYS_clock_gettime, clock, time);
  time->tv_sec = now;
  time->tv_nsec = 0;
  return 0;
}

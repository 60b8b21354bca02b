// Preloaded into a command as if its disk failed after a write: a call succeeds, and then reports
// EIO. This applies to calls named $LATE_CALL (unlinkat or renameat2) on names that contain
// $LATE_NAME, the first $LATE_TIMES times. With $NO_FLAG, renameat2 knows no flags, as on NFS.
//
//   gcc -shared -fPIC -o late-errors.so late-errors.c
//   LD_PRELOAD=late-errors.so LATE_CALL=unlinkat LATE_NAME=video_ LATE_TIMES=1 holdfast …
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long (*next_syscall)(long, ...);
static const char *late_call = "", *late_name = "";
static int times, knows_no_flag;

// Another library's constructor may call first.
static void find_next(void) {
  if (next_syscall == NULL) next_syscall = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
}

__attribute__((constructor)) static void read_environment(void) {
  // A worker has another environment.
  if (getenv("LATE_CALL") == NULL) return;
  late_call = getenv("LATE_CALL");
  late_name = getenv("LATE_NAME");
  times = atoi(getenv("LATE_TIMES"));
  knows_no_flag = getenv("NO_FLAG") != NULL;
}

static int is_late(const char *call, const char *name) {
  return strcmp(call, late_call) == 0 && strstr(name, late_name) != NULL
         && __atomic_fetch_sub(&times, 1, __ATOMIC_SEQ_CST) > 0;
}

static long answer(long result, const char *call, const char *name) {
  if (result != 0 || !is_late(call, name)) return result;
  errno = EIO;
  return -1;
}

int unlinkat(int folder, const char *name, int flags) {
  find_next();
  return answer(next_syscall(SYS_unlinkat, folder, name, flags), "unlinkat", name);
}

long syscall(long number, ...) {
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_renameat2 && knows_no_flag && a[4] != 0) {
    errno = EINVAL;
    return -1;
  }
  find_next();
  long result = next_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  return number == SYS_renameat2 ? answer(result, "renameat2", (const char *)a[1]) : result;
}

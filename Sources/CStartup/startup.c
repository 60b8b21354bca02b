#include "startup.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static void refuse(const char *what, rlim_t limit, rlim_t least, char option, const char *unit) {
  dprintf(
    STDERR_FILENO,
    "Error: the limit on %s is %llu%s, and Holdfast needs %llu%s; raise it (ulimit -%c %llu)\n",
    what, (unsigned long long)limit, unit, (unsigned long long)least, unit, option,
    (unsigned long long)least);
  _exit(EXIT_FAILURE);
}

// With less, libraries crash in the middle of their work: Dispatch without descriptors, and any
// thread without a stack. Swift's own main function would come too late.
__attribute__((constructor)) static void check_limits(void) {
  struct rlimit files, stack;
  if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < holdfast_least_files) {
    rlim_t limit = files.rlim_cur;
    files.rlim_cur = holdfast_least_files;
    if (files.rlim_max < holdfast_least_files || setrlimit(RLIMIT_NOFILE, &files))
      refuse("open files", limit, holdfast_least_files, 'n', "");
  }
  // A higher limit would not count for this process any more.
  if (!getrlimit(RLIMIT_STACK, &stack) && stack.rlim_cur < holdfast_least_stack)
    refuse("the stack", stack.rlim_cur >> 10, holdfast_least_stack >> 10, 's', " KiB");
}

#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <signal.h>

int holdfast_try_read_lease(int descriptor) {
  // The kernel notifies the holder of a lease with a signal when another process wants to write.
  // The usual signal ends the process; this one is ignored.
  fcntl(descriptor, F_SETSIG, SIGURG);
  if (fcntl(descriptor, F_SETLEASE, F_RDLCK) < 0) return errno;
  fcntl(descriptor, F_SETLEASE, F_UNLCK);
  return 0;
}

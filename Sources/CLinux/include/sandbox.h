#ifndef CLINUX_SANDBOX_H
#define CLINUX_SANDBOX_H

#include <linux/fs.h>
#include <linux/fsverity.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// glibc has no wrapper for Landlock, and Debian 12's headers have only its first rights. This is
// struct landlock_ruleset_attr of linux/landlock.h.
struct holdfast_landlock_rights {
  uint64_t files;    // from version 1
  uint64_t network;  // from version 4
  uint64_t scopes;   // from version 6
};

// Returns a negative number if the kernel has no Landlock.
static inline int holdfast_landlock_version(void) {
  const unsigned int version = 1; // LANDLOCK_CREATE_RULESET_VERSION
  return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, version);
}

// `size` is the size of the fields that the kernel's version knows.
static inline int holdfast_landlock_ruleset(
    const struct holdfast_landlock_rights *rights, size_t size) {
  return (int)syscall(SYS_landlock_create_ruleset, rights, size, 0);
}

// Restricts the calling thread, and the threads that it starts afterwards.
static inline int holdfast_landlock_restrict(int ruleset) {
  return (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
}

// Allows what is named by `rights` for a file, or for everything in a folder. This is
// landlock_add_rule with struct landlock_path_beneath_attr.
static inline int holdfast_landlock_allow(int ruleset, int place, uint64_t rights) {
  const int beneath = 1; // LANDLOCK_RULE_PATH_BENEATH
  struct { uint64_t rights; int32_t place; } __attribute__((packed)) rule = {rights, place};
  return (int)syscall(SYS_landlock_add_rule, ruleset, beneath, &rule, 0);
}

// Moves this process into a network without any interface. With `processes`, the processes that it
// starts afterwards see only each other. With `users`, it gets a namespace of users. Swift sees
// glibc without _GNU_SOURCE, which hides unshare.
static inline int holdfast_leave_network(int processes, int users) {
  const int flags =
      CLONE_NEWNET | (processes ? CLONE_NEWPID : 0) | (users ? CLONE_NEWUSER : 0);
  return (int)syscall(SYS_unshare, flags);
}

// Makes processes whose parent has ended children of this one.
static inline int holdfast_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

// Ends this process when its parent ends. The parent must have one thread only.
static inline int holdfast_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0); }

// Runs this process only when the processor and the disk have nothing else to do. glibc has no
// wrapper for ioprio_set.
static inline void holdfast_run_when_idle(void) {
  const int idle_scheduler = 5, process = 1, idle_disk = 3 << 13;
  const int priority = 0;
  syscall(SYS_sched_setscheduler, 0, idle_scheduler, &priority);
  syscall(SYS_ioprio_set, process, 0, idle_disk);
}

// prctl is variadic, and Swift cannot call variadic C functions.
static inline int holdfast_no_new_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}
static inline int holdfast_has_no_new_privileges(void) {
  return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
}
static inline int holdfast_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
static inline int holdfast_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

// In Swift, RLIMIT_… are values of an enumeration that setrlimit does not accept.
static const int holdfast_limit_address_space = RLIMIT_AS;
static const int holdfast_limit_core = RLIMIT_CORE;
static const int holdfast_limit_data = RLIMIT_DATA;
static const int holdfast_limit_processes = RLIMIT_NPROC;
static const int holdfast_limit_file_size = RLIMIT_FSIZE;
// The highest limit that the process may set. Its parent process may have lowered it.
static inline uint64_t holdfast_hard_limit(int resource) {
  struct rlimit limit;
  return getrlimit(resource, &limit) == 0 ? limit.rlim_max : RLIM_INFINITY;
}
static inline int holdfast_set_limit(int resource, uint64_t soft, uint64_t hard) {
  struct rlimit limit = {.rlim_cur = soft, .rlim_max = hard};
  return setrlimit(resource, &limit);
}

// Flags that `clone` always has for a thread, and never for a process.
static const uint64_t holdfast_clone_thread = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;
static const uint64_t holdfast_clone_user = CLONE_NEWUSER;
// F_SETOWN_EX, F_SETSIG, F_SETLEASE and F_NOTIFY, which are hidden like unshare.
static const uint64_t holdfast_set_owner = 15, holdfast_set_signal = 10;
static const uint64_t holdfast_set_lease = 1024, holdfast_notify = 1026;

// Swift sees glibc without _GNU_SOURCE, which hides closefrom. closefrom also works on old kernels.
static inline void holdfast_close_from(int first) {
  void closefrom(int);
  closefrom(first);
}

#endif

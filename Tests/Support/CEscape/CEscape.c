#define _GNU_SOURCE
#include "CEscape.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const victim = "/etc/passwd";

static long connect_to_loopback(void) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) return -1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // "Connection refused" without a listener is not a refusal by the kernel.
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return 0;
  return errno == ECONNREFUSED ? 0 : -1;
}

// A child that starts ends at once, which counts as success.
static long end_child(long child) {
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return child;
}

static long clone_a_process(void) {
  return end_child(syscall(SYS_clone, (long)SIGCHLD, 0, 0, 0, 0));
}

static long clone3_a_process(void) {
  struct clone_args arguments = {.exit_signal = SIGCHLD};
  return end_child(syscall(SYS_clone3, &arguments, sizeof arguments));
}

static long fork_raw(void) {
#ifdef SYS_fork
  return end_child(syscall(SYS_fork));
#else
  return clone_a_process();
#endif
}

static long execute(void) {
  char *const arguments[] = {"true", NULL};
  return syscall(SYS_execve, "/bin/true", arguments, arguments + 1);
}

static long execute_memory(void) {
  long file = syscall(SYS_memfd_create, "escape", 0);
  if (file < 0) return -1;
  char *const arguments[] = {"escape", NULL};
  return syscall(SYS_execveat, file, "", arguments, arguments + 1, AT_EMPTY_PATH);
}

static long open2(void) {
  uint64_t how[3] = {O_RDONLY, 0, 0};
  return syscall(SYS_openat2, AT_FDCWD, victim, how, sizeof how);
}

static long read_parent(void) {
  char byte;
  struct iovec here = {&byte, 1}, there = {(void *)0x400000, 1};
  return syscall(SYS_process_vm_readv, (long)getppid(), &here, 1, &there, 1, 0);
}

static long send_descriptor(void) {
  char byte = 0;
  struct iovec piece = {&byte, 1};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
  struct msghdr message = {
      .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control,
      .msg_controllen = sizeof control};
  return syscall(SYS_sendmsg, 0, &message, 0);
}

static long raise_limit(int resource) {
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  return syscall(SYS_prlimit64, 0, resource, &limit, NULL);
}

static long limit_parent(void) {
  struct rlimit limit;
  return syscall(SYS_prlimit64, (long)getppid(), RLIMIT_CORE, NULL, &limit);
}

#define EACH(attempt) \
  attempt("open", syscall(SYS_openat, AT_FDCWD, victim, O_RDONLY)) \
  attempt("open for writing", syscall(SYS_openat, AT_FDCWD, victim, O_WRONLY)) \
  attempt("open itself", syscall(SYS_openat, AT_FDCWD, "/proc/self/fd/0", O_RDWR)) \
  attempt("open a folder", syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY)) \
  attempt("open only a path", syscall(SYS_openat, AT_FDCWD, "/", O_PATH)) \
  attempt("openat2", open2()) \
  attempt("name_to_handle_at", syscall(SYS_name_to_handle_at, AT_FDCWD, victim, NULL, NULL, 0)) \
  attempt("stat", syscall(SYS_newfstatat, AT_FDCWD, victim, &(struct stat){0}, 0)) \
  attempt("stat past an empty path", \
          syscall(SYS_newfstatat, AT_FDCWD, victim, &(struct stat){0}, AT_EMPTY_PATH)) \
  attempt("stat by a new call", syscall(SYS_statx, AT_FDCWD, victim, 0, 0x7ff, (char[256]){0})) \
  attempt("send a descriptor", send_descriptor()) \
  attempt("take more memory", raise_limit(RLIMIT_AS)) \
  attempt("write larger files", raise_limit(RLIMIT_FSIZE)) \
  attempt("readlink", syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", (char[8]){0}, 8)) \
  attempt("unlink", syscall(SYS_unlinkat, AT_FDCWD, "/tmp/escape-no-such-file", 0)) \
  attempt("make a folder", syscall(SYS_mkdirat, AT_FDCWD, "/tmp/escape-folder", 0700)) \
  attempt("rename", syscall(SYS_renameat2, AT_FDCWD, victim, AT_FDCWD, "/etc/passwd.old", 1)) \
  attempt("link", syscall(SYS_linkat, AT_FDCWD, victim, AT_FDCWD, "/tmp/escape-link", 0)) \
  attempt("truncate", syscall(SYS_truncate, "/tmp/escape-no-such-file", 0L)) \
  attempt("change a mode", syscall(SYS_fchmodat, AT_FDCWD, victim, 0644)) \
  attempt("change the folder", syscall(SYS_chdir, "/")) \
  attempt("change the root", syscall(SYS_chroot, "/")) \
  attempt("socket of the internet", syscall(SYS_socket, AF_INET, SOCK_STREAM, 0)) \
  attempt("socket for datagrams", syscall(SYS_socket, AF_INET6, SOCK_DGRAM, 0)) \
  attempt("socket of this machine", syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0)) \
  attempt("socket of the kernel", syscall(SYS_socket, AF_NETLINK, SOCK_RAW, 0)) \
  attempt("pair of sockets", syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, (int[2]){0})) \
  attempt("connect to loopback", connect_to_loopback()) \
  attempt("connect its own socket", syscall(SYS_connect, 0, &(struct sockaddr_un){AF_UNIX}, 2)) \
  attempt("execute", execute()) \
  attempt("execute memory", execute_memory()) \
  attempt("fork", fork_raw()) \
  attempt("clone", clone_a_process()) \
  attempt("clone3", clone3_a_process()) \
  attempt("namespaces", syscall(SYS_unshare, CLONE_NEWUSER)) \
  attempt("trace", syscall(SYS_ptrace, 16L /* PTRACE_ATTACH */, (long)getppid(), 0, 0)) \
  attempt("read another's memory", read_parent()) \
  attempt("signal its parent", syscall(SYS_kill, (long)getppid(), 0)) \
  attempt("signal its parent's thread", syscall(SYS_tgkill, (long)getppid(), (long)getppid(), 0)) \
  attempt("have its parent signalled", syscall(SYS_fcntl, 0, F_SETOWN, (long)getppid())) \
  attempt("have signals sent", syscall(SYS_fcntl, 0, F_SETFL, O_ASYNC)) \
  attempt("move its parent", syscall(SYS_sched_setaffinity, (long)getppid(), 8L, &(long){1})) \
  attempt("ask for its parent's locks", \
          syscall(SYS_get_robust_list, (long)getppid(), &(long){0}, &(long){0})) \
  attempt("hold its parent", syscall(SYS_pidfd_open, (long)getppid(), 0)) \
  attempt("limit its parent", limit_parent()) \
  attempt("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0L, NULL)) \
  attempt("bpf", syscall(SYS_bpf, 0, NULL, 0)) \
  attempt("io_uring", syscall(SYS_io_uring_setup, 1, (char[256]){0})) \
  attempt("userfaultfd", syscall(SYS_userfaultfd, 0)) \
  attempt("perf events", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0)) \
  attempt("keys", syscall(SYS_keyctl, 0, -3, 1)) \
  attempt("shared memory", syscall(SYS_shmget, 0, 4096L, 01600)) \
  attempt("watch files", syscall(SYS_inotify_init1, 0)) \
  attempt("become somebody", syscall(SYS_setuid, 0L)) \
  attempt("personality", syscall(SYS_personality, 0x0400000L)) \
  attempt("seek privileges", syscall(SYS_prctl, 8L /* PR_SET_KEEPCAPS */, 1L, 0, 0, 0)) \
  attempt("be dumped", syscall(SYS_prctl, 4L /* PR_SET_DUMPABLE */, 1L, 0, 0, 0)) \
  attempt("device requests", syscall(SYS_ioctl, 0, 0x5412L /* TIOCSTI */, ""))

#define NAME(name, call) name,
static const char *const attempts[] = {EACH(NAME) NULL};

const char *const *escape_attempts_first(void) { return attempts; }

void escape_call_itself(const char *name) {
  syscall(SYS_prctl, 15L /* PR_SET_NAME */, name, 0, 0, 0);
}

void escape_crash(void) { *(volatile int *)8 = 1; }

int escape_try(const char *name) {
#define TRY(known, call) \
  if (!strcmp(name, known)) return (call) < 0 ? errno : 0;
  EACH(TRY)
  return -1;
}

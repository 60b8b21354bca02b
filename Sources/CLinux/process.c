#define _GNU_SOURCE
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

pid_t holdfast_fork(void) { return fork(); }

int holdfast_hold_signals(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int index = 0; index < count; index++) sigaddset(&set, signals[index]);
  if (sigprocmask(SIG_BLOCK, &set, NULL) < 0) return -1;
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

// Starts a program with no signal held back, unless the code says that a step before has failed. It
// inherits no descriptor from the first other one on. Releases the actions.
static int spawn(
  int code, const char *path, char *const *arguments, char *const *environment,
  posix_spawn_file_actions_t *actions, int first_other, short flags, pid_t *process) {
  posix_spawnattr_t attributes;
  sigset_t signals;
  posix_spawnattr_init(&attributes);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | flags);
  if (!code) code = posix_spawn_file_actions_addclosefrom_np(actions, first_other);
  if (!code) code = posix_spawn(process, path, actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(actions);
  return code;
}

int holdfast_spawn(
  const char *path, char *const *environment, int standard_input, pid_t *process) {
  char *const arguments[] = {(char *)path, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  int code = posix_spawn_file_actions_adddup2(&actions, standard_input, STDIN_FILENO);
  if (!code)
    code = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  if (!code) code = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  return spawn(
    code, path, arguments, environment, &actions, STDERR_FILENO + 1, POSIX_SPAWN_SETSIGDEF,
    process);
}

int holdfast_spawn_self(
  char *const *arguments, int standard_input, int answer, int answer_number, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  int code = posix_spawn_file_actions_adddup2(&actions, standard_input, STDIN_FILENO);
  if (!code) code = posix_spawn_file_actions_adddup2(&actions, answer, answer_number);
  return spawn(
    code, "/proc/self/exe", arguments, environ, &actions, answer_number + 1, 0, process);
}

int holdfast_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int holdfast_pidfd_kill(int descriptor, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0);
}

int holdfast_exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

int holdfast_end_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : -1; }

int holdfast_drop_capabilities(void) {
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  // Only a process with CAP_SETPCAP may do this. Without that capability the set has no effect,
  // because no program is started.
  for (int capability = 0; capability <= CAP_LAST_CAP; capability++)
    prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
  return (int)syscall(SYS_capset, &header, none);
}

int holdfast_load_filter(const struct sock_filter *instructions, unsigned short count) {
  struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)instructions};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

// Runs in a signal handler: system calls only.
static void answer(int number, siginfo_t *information, void *context) {
  (void)number;
  int saved = errno;
  mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
  greg_t *result = &machine->gregs[REG_RAX];
  long descriptor = machine->gregs[REG_RDI], status = machine->gregs[REG_RDX];
#elif defined(__aarch64__)
  unsigned long long *result = &machine->regs[0];
  long descriptor = machine->regs[0], status = machine->regs[2];
#else
#error "Which registers hold the arguments of a system call here?"
#endif
  long code = -1;
  errno = ENOSYS;
  if (information->si_syscall == SYS_newfstatat)
    code = syscall(SYS_fstat, (int)descriptor, (struct stat *)status);
  *result = code < 0 ? -errno : code;
  errno = saved;
}

int holdfast_answer_trapped_calls(void) {
  struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&action.sa_mask);
  return sigaction(SIGSYS, &action, NULL);
}

struct thread {
  char name[16];
  void (*work)(void *);
  void *context;
};

static void *run_thread(void *argument) {
  struct thread thread = *(struct thread *)argument;
  free(argument);
  pthread_setname_np(pthread_self(), thread.name);
  thread.work(thread.context);
  return NULL;
}

int holdfast_start_thread(const char *name, void (*work)(void *), void *context) {
  struct thread *thread = calloc(1, sizeof *thread);
  if (!thread) return ENOMEM;
  strncpy(thread->name, name, sizeof thread->name - 1);
  thread->work = work;
  thread->context = context;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t number;
  int code = pthread_create(&number, &attributes, run_thread, thread);
  pthread_attr_destroy(&attributes);
  if (code) free(thread);
  return code;
}

int holdfast_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

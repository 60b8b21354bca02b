#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Swift does not import fork, because it is safe only in a process with one thread.
pid_t holdfast_fork(void);

// Holds signals back, and returns a descriptor that becomes readable with the first signal, or -1.
// Swift does not import signalfd.
int holdfast_hold_signals(const int *signals, int count);

// Starts a program without arguments, with this standard input and every signal's usual action. Its
// output is discarded, and it inherits no other descriptor. Returns 0 or an error number. (Swift
// imports posix_spawn, but not the macros for its sets of signals.)
int holdfast_spawn(
  const char *path, char *const *environment, int standard_input, pid_t *process);

// Starts this process's own program with other arguments, with this standard input, a descriptor
// for its answer, and no signal held back. Returns 0 or an error number.
int holdfast_spawn_self(
  char *const *arguments, int standard_input, int answer, int answer_number, pid_t *process);

// Returns a descriptor that can be polled for the process's end and is closed on exec, or a
// negative number on failure. Debian 12's glibc has no pidfd_open.
int holdfast_pidfd_open(pid_t process);

// Sends a signal to exactly the process that the descriptor was opened for.
int holdfast_pidfd_kill(int descriptor, int signal);

// Swift cannot import the W…STATUS macros. The first returns -1 if the process did not exit by
// itself, the second if no signal ended it.
int holdfast_exit_status(int status);
int holdfast_end_signal(int status);

// Empties every set of capabilities, the bounding set only as far as the kernel allows it.
int holdfast_drop_capabilities(void);

// Puts a filter of `count` instructions on the system calls of this thread and the threads that it
// starts.
int holdfast_load_filter(const struct sock_filter *instructions, unsigned short count);

// Installs a handler that answers the calls that the filter traps (SECCOMP_RET_TRAP). newfstatat,
// which is fstat in the C library of some architectures, is answered for the descriptor alone, and
// ignores its path. Every other call fails with ENOSYS.
int holdfast_answer_trapped_calls(void);

// Starts a detached thread with this name. Returns 0 or an error number. (Swift has no
// pthread_setname_np, and Foundation's Thread does not say whether it has started.)
int holdfast_start_thread(const char *name, void (*work)(void *), void *context);

// Creates a file in memory, closed on exec. glibc hides memfd_create without _GNU_SOURCE.
int holdfast_memory_file(const char *name);

#endif

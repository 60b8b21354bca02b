#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Swift does not import fork: it is safe only in a process with one thread.
pid_t holdfast_fork(void);


// glibc of Debian 12 has no pidfd_open. The descriptor is closed on exec; it can be polled for the
// process's end. Negative on failure.
int holdfast_pidfd_open(pid_t process);

// Sends a signal to the very process that a descriptor was opened for.
int holdfast_pidfd_kill(int descriptor, int signal);

// Swift cannot import W…STATUS macros. -1 where the process was not ended by a signal.
int holdfast_exit_status(int status);
int holdfast_end_signal(int status);

// Empties every set of capabilities, the bounding set as far as it may be.
int holdfast_drop_capabilities(void);

// Puts a filter of `count` instructions on the system calls of this thread, and of those it makes.
int holdfast_load_filter(const struct sock_filter *instructions, unsigned short count);

// Answers calls that the filter traps (SECCOMP_RET_TRAP). newfstatat, which is fstat in the C
// library of some architectures, answers for the descriptor alone, whatever path it was given.
int holdfast_answer_trapped_calls(void);

// Starts a thread of this name that nobody waits for. Returns 0, or the number of the error. (Swift has no
// pthread_setname_np, and Foundation's Thread does not say whether it has started.)
int holdfast_start_thread(const char *name, void (*work)(void *), void *context);

// A file in memory, closed on exec. glibc hides memfd_create without _GNU_SOURCE.
int holdfast_memory_file(const char *name);

#endif

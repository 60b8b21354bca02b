// libseccomp as a Swift module, and the macros that Swift cannot import.
#ifndef CSECCOMP_H
#define CSECCOMP_H

#include <errno.h>
#include <seccomp.h>

static const uint32_t holdfast_scmp_allow = SCMP_ACT_ALLOW;
// A signal, whose handler answers.
static const uint32_t holdfast_scmp_trap = SCMP_ACT_TRAP;
// As a kernel that does not have the call: programs are written to fall back from that.
static const uint32_t holdfast_scmp_unknown = SCMP_ACT_ERRNO(ENOSYS);
// The call is there, and not for this process.
static const uint32_t holdfast_scmp_refuse = SCMP_ACT_ERRNO(EPERM);

#endif

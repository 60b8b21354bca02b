// libseccomp as a Swift module, and the macros that Swift cannot import.
#ifndef CSECCOMP_H
#define CSECCOMP_H

#include <errno.h>
#include <seccomp.h>

static const uint32_t holdfast_scmp_allow = SCMP_ACT_ALLOW;
// The call raises a signal, whose handler answers it.
static const uint32_t holdfast_scmp_trap = SCMP_ACT_TRAP;
// The call fails as on a kernel that does not have it. Programs are written to fall back from that.
static const uint32_t holdfast_scmp_unknown = SCMP_ACT_ERRNO(ENOSYS);
// The call exists, but this process may not make it.
static const uint32_t holdfast_scmp_refuse = SCMP_ACT_ERRNO(EPERM);
// The file's disk does not have what the call asks for.
static const uint32_t holdfast_scmp_unsupported = SCMP_ACT_ERRNO(EOPNOTSUPP);

#endif

#ifndef CLINUX_FILES_H
#define CLINUX_FILES_H

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

// Swift sees glibc without _GNU_SOURCE, which hides O_PATH.
static const int holdfast_o_path = __O_PATH;

// What a path may lead through: no symbolic link; nor out of its folder; nor onto anything mounted
// on the way, even from the same filesystem.
static const uint64_t holdfast_no_link = RESOLVE_NO_SYMLINKS;
static const uint64_t holdfast_beneath = RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH;
static const uint64_t holdfast_same_mount = RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH | RESOLVE_NO_XDEV;

// glibc has no wrapper for openat2.
static inline int holdfast_open(int directory, const char *path, int flags, uint64_t resolve) {
  struct open_how how = {.flags = (uint64_t)flags | O_CLOEXEC, .resolve = resolve};
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

// Swift sees glibc without _GNU_SOURCE, which hides renameat2.
static inline int holdfast_rename_no_replace(int from, const char *old_name, int to,
                                             const char *new_name) {
  const unsigned int no_replace = 1; // RENAME_NOREPLACE
  return (int)syscall(SYS_renameat2, from, old_name, to, new_name, no_replace);
}

// In Swift, `flock` is the struct of fcntl's locks.
static inline int holdfast_flock(int descriptor, int operation) {
  return flock(descriptor, operation);
}

// Swift imports `d_name` as a tuple of 256 bytes, but the entry may be shorter than that.
static inline const char *holdfast_entry_name(const struct dirent *entry) {
  return entry->d_name;
}

// glibc declares `syncfs` only with _GNU_SOURCE.
static inline int holdfast_sync_filesystem(int descriptor) {
  return (int)syscall(SYS_syncfs, descriptor);
}

// Swift cannot import `ioctl`, which takes any number of arguments.
static inline int holdfast_clone_file(int to, int from) {
  const unsigned long clone = 0x40049409; // FICLONE, _IOW(0x94, 9, int)
  return ioctl(to, clone, from);
}

// Swift cannot import `f_type`, whose width varies. The magic number has 32 bits. Returns a
// negative number on failure.
static inline int64_t holdfast_filesystem_type(int descriptor) {
  struct statfs status;
  return fstatfs(descriptor, &status) == 0 ? (int64_t)(uint32_t)status.f_type : -1;
}

// Takes a read lease and gives it back. The kernel grants one only while no process can write to
// the file. Returns 0 or an error number: EAGAIN if a process can write, others if leases are not
// supported. Swift sees glibc without _GNU_SOURCE, which hides F_SETLEASE.
int holdfast_try_read_lease(int descriptor);

// `makedev` is a macro.
static inline uint64_t holdfast_device(unsigned int major, unsigned int minor) {
  return makedev(major, minor);
}

#endif

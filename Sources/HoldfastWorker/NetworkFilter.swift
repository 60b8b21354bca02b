import CLinux
import CSeccomp
import Glibc

/// A filter for programs that are not ours, which may do everything but reach other processes: no
/// socket can be made except for a pair of connected ones.
///
/// Which calls such a program needs is not known, so this is a list of refused calls, unlike
/// ``SystemCallFilter``. Landlock keeps files from the program.
struct NetworkFilter {
  private static let refused = [
    "socket", "connect", "bind", "listen", "accept", "accept4", "mq_open", "msgget", "shmget",
    "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "bpf", "perf_event_open",
    "userfaultfd", "keyctl", "add_key", "request_key", "mount", "umount2", "move_mount",
    "open_tree", "fsopen", "unshare", "setns", "chroot", "pivot_root", "open_by_handle_at",
    "init_module", "finit_module", "kexec_load", "kexec_file_load",
  ]
  /// Calls for which programs fall back to others, whose arguments a filter can see.
  private static let unknown = [
    "clone3", "io_uring_setup", "io_uring_enter", "io_uring_register",
  ]

  private let instructions: [sock_filter]

  init() throws(LockdownError) {
    guard let filter = seccomp_init(holdfast_scmp_allow) else {
      throw LockdownError("make a filter of system calls", errno: ENOMEM)
    }
    defer { seccomp_release(filter) }
    for name in Self.refused { try SystemCallFilter.add(holdfast_scmp_refuse, name, to: filter) }
    for name in Self.unknown { try SystemCallFilter.add(holdfast_scmp_unknown, name, to: filter) }
    // Of a pair, a stream has no other address to send to. A datagram socket could send to any
    // socket with a path, such as the system's log.
    try Self.refuse(
      "socketpair", argument: 0, comparison: SCMP_CMP_NE, first: UInt64(AF_UNIX), in: filter)
    for type in 0...UInt64(0xF) where type != UInt64(SOCK_STREAM.rawValue) {
      try Self.refuse(
        "socketpair", argument: 1, comparison: SCMP_CMP_MASKED_EQ, first: 0xF, second: type,
        in: filter)
    }
    try Self.refuse("sendto", argument: 4, comparison: SCMP_CMP_NE, first: 0, in: filter)
    try Self.refuse(
      "clone", argument: 0, comparison: SCMP_CMP_MASKED_EQ, first: holdfast_clone_user,
      second: holdfast_clone_user, in: filter)
    instructions = try SystemCallFilter.export(filter)
  }

  /// Loads the filter for this process and all that it starts.
  func load() throws(LockdownError) {
    try LockdownError.check(
      holdfast_load_filter(instructions, UInt16(instructions.count)),
      "put a filter on system calls")
  }

  private static func refuse(
    _ name: String, argument: UInt32, comparison: scmp_compare, first: UInt64,
    second: UInt64 = 0, in filter: scmp_filter_ctx
  ) throws(LockdownError) {
    try SystemCallFilter.add(
      holdfast_scmp_refuse, name, to: filter,
      if: [scmp_arg_cmp(arg: argument, op: comparison, datum_a: first, datum_b: second)])
  }
}

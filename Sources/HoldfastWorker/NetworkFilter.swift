import CLinux
import CSeccomp
import Glibc

/// A filter for programs that are not ours, which may do everything but reach other processes and
/// change what belongs to a file beside its bytes. No socket can be made except for a pair of
/// connected ones.
///
/// Which calls such a program needs is not known, so this is a list of refused calls, unlike
/// ``SystemCallFilter``. Landlock keeps files from the program.
struct NetworkFilter {
  private static let refused = [
    "socket", "connect", "bind", "listen", "accept", "accept4", "mq_open", "mq_unlink", "msgget",
    "msgsnd", "msgrcv", "msgctl", "shmget", "shmat", "shmctl", "semget", "semop", "semtimedop",
    "semctl",
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease",
    "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "kcmp", "move_pages", "migrate_pages",
    "bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key", "request_key", "syslog",
    "mount", "umount2", "move_mount", "open_tree", "fsopen", "unshare", "setns", "chroot",
    "pivot_root", "open_by_handle_at", "init_module", "finit_module", "kexec_load",
    "kexec_file_load",
    // Landlock does not know these. A path needs no right to be opened for them.
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime",
    "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat",
    "removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr",
    "inotify_init", "inotify_init1", "inotify_add_watch", "fanotify_init", "fanotify_mark",
    // Landlock knows it from version 3 on. A program can open the file and change its length.
    "truncate",
  ]
  /// Requests that change a file's attributes, or which process gets its signals.
  private static let requests = [
    holdfast_set_flags, holdfast_set_flags_32, holdfast_set_attributes, holdfast_enable_verity,
    holdfast_set_socket_owner, holdfast_set_socket_group,
  ]
  /// Calls that change a process or a thread, which may only be the one that makes the call: 0.
  private static let ofItself = [
    "prlimit64", "sched_setscheduler", "sched_setparam", "sched_setattr", "sched_setaffinity",
  ]
  /// Calls that change a process, if their first argument is this number. The second one names it.
  private static let ofProcesses: [(name: String, process: UInt64)] = [
    ("setpriority", 0), ("ioprio_set", 1),
  ]
  private static let signals = ["kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"]
  /// Calls for which programs fall back to others, whose arguments a filter can see.
  private static let unknown = [
    "clone3", "openat2", "io_uring_setup", "io_uring_enter", "io_uring_register",
  ]

  private let instructions: [sock_filter]

  /// - Parameter process: The only process that it may send signals to; `nil` for any that the
  ///   other barriers allow.
  init(signalling process: pid_t?) throws(LockdownError) {
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
    for name in Self.ofItself {
      try Self.refuse(name, argument: 0, comparison: SCMP_CMP_NE, first: 0, in: filter)
    }
    for (name, kind) in Self.ofProcesses {
      try Self.refuse(name, argument: 0, comparison: SCMP_CMP_NE, first: kind, in: filter)
      try Self.refuse(name, argument: 1, comparison: SCMP_CMP_NE, first: 0, in: filter)
    }
    // It must end with its parent, and send no signal by a file.
    try Self.refuse("prctl", argument: 0, is: UInt64(PR_SET_PDEATHSIG), in: filter)
    for command in [UInt64(F_SETOWN), holdfast_set_owner, holdfast_set_signal] {
      try Self.refuse("fcntl", argument: 1, is: command, in: filter)
    }
    for request in Self.requests {
      try Self.refuse("ioctl", argument: 1, is: request, in: filter)
    }
    // Before version 3, Landlock lets a file be emptied that is opened only for reading.
    for (name, argument) in [("open", UInt32(1)), ("openat", 2)] {
      for mode in [O_RDONLY, O_ACCMODE] {
        try Self.refuse(
          name, argument: argument, comparison: SCMP_CMP_MASKED_EQ,
          first: UInt64(O_ACCMODE | O_TRUNC), second: UInt64(mode | O_TRUNC), in: filter)
      }
    }
    if let process {
      try SystemCallFilter.add(holdfast_scmp_refuse, "tkill", to: filter)
      for name in Self.signals {
        try Self.refuse(
          name, argument: 0, comparison: SCMP_CMP_NE, first: UInt64(process), in: filter)
      }
    }
    instructions = Self.unknownCalls + (try SystemCallFilter.export(filter))
  }

  /// Answers that the kernel lacks the calls after number 462. Some of them change what belongs to
  /// a file, and libseccomp may not know their names. All architectures have these numbers.
  private static let unknownCalls = [
    sock_filter(code: UInt16(BPF_LD | BPF_W | BPF_ABS), jt: 0, jf: 0, k: 0),
    sock_filter(code: UInt16(BPF_JMP | BPF_JGT | BPF_K), jt: 0, jf: 1, k: 462),
    sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: holdfast_scmp_unknown),
  ]

  /// Loads the filter for this process and all that it starts.
  func load() throws(LockdownError) {
    try LockdownError.check(
      holdfast_load_filter(instructions, UInt16(instructions.count)),
      "put a filter on system calls")
  }

  /// Refuses a call with an argument of 32 bits. The kernel ignores the others.
  private static func refuse(
    _ name: String, argument: UInt32, is value: UInt64, in filter: scmp_filter_ctx
  ) throws(LockdownError) {
    try refuse(
      name, argument: argument, comparison: SCMP_CMP_MASKED_EQ, first: UInt64(UInt32.max),
      second: value, in: filter)
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

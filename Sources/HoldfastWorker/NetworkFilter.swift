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
  /// Requests that programs make of terminals, pipes and files. A disk has others of its own, and
  /// some of these make and change files without Landlock's knowledge.
  private static let requests = [
    TCGETS, TIOCGWINSZ, TIOCGPGRP, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX,
  ]
  /// The letters of the requests of graphics drivers: NVIDIA's two, those of DRM and KFD, and what
  /// they share.
  private static let gpuLetters: [UInt32] = [0, 0x46, 0x64, 0x4B, 0x3E, 0x62]
  /// Calls that tell what belongs to a file beside its bytes, for which it need not be opened.
  private static let attributes = [
    "getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr",
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
    "clone3", "openat2", "io_uring_setup", "io_uring_enter", "io_uring_register", "io_setup",
  ]

  private let instructions: [sock_filter]

  /// - Parameters:
  ///   - process: The only process that it may send signals to; `nil` for any that the other
  ///     barriers allow.
  ///   - usesGPU: Whether it may make the requests of graphics drivers.
  init(signalling process: pid_t?, usesGPU: Bool) throws(LockdownError) {
    guard let filter = seccomp_init(holdfast_scmp_allow) else {
      throw LockdownError("make a filter of system calls", errno: ENOMEM)
    }
    defer { seccomp_release(filter) }
    for name in Self.refused { try SystemCallFilter.add(holdfast_scmp_refuse, name, to: filter) }
    for name in Self.unknown { try SystemCallFilter.add(holdfast_scmp_unknown, name, to: filter) }
    for name in Self.attributes {
      try SystemCallFilter.add(holdfast_scmp_unsupported, name, to: filter)
    }
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
    let commands = [
      UInt64(F_SETOWN), holdfast_set_owner, holdfast_set_signal, holdfast_set_lease,
      holdfast_notify,
    ]
    for command in commands { try Self.refuse("fcntl", argument: 1, is: command, in: filter) }
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
    instructions =
      Self.unknownCalls + Self.otherRequests(letters: usesGPU ? Self.gpuLetters : [])
      + (try SystemCallFilter.export(filter))
  }

  /// Answers that the kernel lacks the calls after number 462. Some of them change what belongs to
  /// a file, and libseccomp may not know their names. All architectures have these numbers.
  private static let unknownCalls = [
    sock_filter(code: UInt16(BPF_LD | BPF_W | BPF_ABS), jt: 0, jf: 0, k: 0),
    sock_filter(code: UInt16(BPF_JMP | BPF_JGT | BPF_K), jt: 0, jf: 1, k: 462),
    sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: holdfast_scmp_unknown),
  ]

  /// Refuses every request of `ioctl` but the listed ones, which libseccomp cannot say of a call.
  ///
  /// - Parameter letters: The letters of more requests that are not refused.
  private static func otherRequests(letters: [UInt32]) -> [sock_filter] {
    // The low half of the second argument. The kernel ignores the other one.
    let request: UInt32 = UInt32(1).bigEndian == 1 ? 28 : 24
    let load = sock_filter(code: UInt16(BPF_LD | BPF_W | BPF_ABS), jt: 0, jf: 0, k: request)
    let letter = sock_filter(code: UInt16(BPF_ALU | BPF_AND | BPF_K), jt: 0, jf: 0, k: 0xFF00)
    let numbers = requests.map { UInt32($0) }
    // After each comparison, that many instructions are left before the end.
    var tests: [sock_filter] = [
      sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: holdfast_scmp_refuse)
    ]
    func insertTests(of values: [UInt32]) {
      for value in values {
        tests.insert(
          sock_filter(
            code: UInt16(BPF_JMP | BPF_JEQ | BPF_K), jt: UInt8(tests.count), jf: 0, k: value),
          at: 0)
      }
    }
    insertTests(of: letters.map { $0 << 8 })
    if !letters.isEmpty { tests.insert(letter, at: 0) }
    insertTests(of: numbers)
    tests.insert(load, at: 0)
    let call = UInt32(bitPattern: seccomp_syscall_resolve_name("ioctl"))
    return [
      sock_filter(code: UInt16(BPF_LD | BPF_W | BPF_ABS), jt: 0, jf: 0, k: 0),
      sock_filter(
        code: UInt16(BPF_JMP | BPF_JEQ | BPF_K), jt: 0, jf: UInt8(tests.count), k: call),
    ] + tests
  }

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

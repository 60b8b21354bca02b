import CLinux
import CSeccomp
import Glibc

/// The system calls that a worker may make.
///
/// The filter applies as soon as it is loaded, to this thread and to those that it makes. Calls
/// that are not listed fail as if the kernel did not have them.
///
/// A list of allowed calls does not depend on what the next kernel adds. The filter is built once,
/// in the nursery, as instructions for the kernel. Building it takes three times as long as loading
/// it.
struct SystemCallFilter {
  /// The calls that are allowed with any arguments. None of them takes a path, a network address or
  /// a program, or changes another process.
  private static let allowed = [
    // Descriptors that came with the job, and the socket over which they came.
    "read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "pwritev", "lseek",
    "fstat",
    "ftruncate", "close", "poll", "ppoll", "recvmsg",
    // Memory.
    "brk", "mmap", "mprotect", "mremap", "munmap", "madvise", "membarrier",
    // Threads of this process, and its clocks.
    "futex", "futex_waitv", "set_robust_list", "rseq", "set_tid_address",
    "sched_yield", "sched_getaffinity", "sched_getparam", "sched_getscheduler",
    "sched_get_priority_max", "sched_get_priority_min", "getpid", "gettid", "clock_gettime",
    "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "getcpu", "getrusage",
    "sysinfo", "uname", "getrandom", "exit", "exit_group", "restart_syscall",
    // Its own signals.
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
  ]

  /// The calls that programs expect to be refused. A refusal is clearer to them than a missing
  /// call.
  ///
  /// (`clone3` is not listed. If it is missing, the C library uses `clone`, whose flags the filter
  /// can see.)
  private static let refused = [
    "open", "openat", "openat2", "creat", "open_by_handle_at", "socket", "socketpair", "connect",
    "bind", "listen", "accept", "accept4", "execve", "execveat", "fork", "vfork", "ptrace", "kill",
    "tkill", "tgkill", "sendmsg", "sendmmsg", "pidfd_open", "pidfd_getfd", "pidfd_send_signal",
    "process_vm_readv",
    "process_vm_writev", "mount", "umount2", "move_mount", "open_tree", "fsopen", "bpf",
    "perf_event_open", "io_uring_setup", "io_uring_enter", "io_uring_register", "userfaultfd",
    "keyctl", "add_key", "request_key", "unshare", "setns", "chroot", "pivot_root", "init_module",
    "finit_module", "kexec_load", "unlink", "unlinkat", "rename", "renameat", "renameat2", "link",
    "linkat", "symlink", "symlinkat", "mkdir", "mkdirat", "rmdir", "mknod", "mknodat", "truncate",
    "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat",
  ]

  private let instructions: [sock_filter]

  /// The corresponding C function is `seccomp_export_bpf`.
  init() throws(LockdownError) {
    guard let filter = seccomp_init(holdfast_scmp_unknown) else {
      throw LockdownError("make a filter of system calls", errno: ENOMEM)
    }
    defer { seccomp_release(filter) }
    for name in Self.allowed { try Self.add(holdfast_scmp_allow, name, to: filter) }
    for name in Self.refused { try Self.add(holdfast_scmp_refuse, name, to: filter) }
    try Self.addThreads(to: filter)
    // Not `F_SETOWN`, with which signals can be sent to any process, and no locks or leases.
    for command in [F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC] {
      try Self.add(
        holdfast_scmp_allow, "fcntl", to: filter,
        if: [scmp_arg_cmp(arg: 1, op: SCMP_CMP_EQ, datum_a: UInt64(command), datum_b: 0)])
    }
    // Only to the other end of its socket. `sendmsg`, which can send descriptors, is not allowed.
    try Self.add(
      holdfast_scmp_allow, "sendto", to: filter,
      if: [scmp_arg_cmp(arg: 4, op: SCMP_CMP_EQ, datum_a: 0, datum_b: 0)])
    try Self.addOwnProcess(to: filter)
    // This is `fstat` in the C library. A filter cannot read the path, so this process traps the
    // call and answers it.
    try Self.add(holdfast_scmp_trap, "newfstatat", to: filter)
    instructions = try Self.export(filter)
  }

  /// Loads the filter. The process must have given up privileges before. The corresponding C
  /// function is `seccomp`.
  func load() throws(LockdownError) {
    try LockdownError.check(holdfast_answer_trapped_calls(), "answer trapped system calls")
    try LockdownError.check(
      holdfast_load_filter(instructions, UInt16(instructions.count)),
      "put a filter on system calls")
  }

  /// Returns the filter as instructions for the kernel.
  ///
  /// libseccomp can only write them to a descriptor. A pipe is used, because it has room for all of
  /// them and no limit on file sizes applies to it.
  static func export(_ filter: scmp_filter_ctx) throws(LockdownError) -> [sock_filter] {
    var ends: [CInt] = [-1, -1]
    try LockdownError.check(pipe(&ends), "make a filter of system calls")
    defer { for end in ends { close(end) } }
    // A filter that is larger than the pipe must cause an error, not a wait.
    try LockdownError.check(fcntl(ends[1], F_SETFL, O_NONBLOCK), "make a filter of system calls")
    try check(seccomp_export_bpf(filter, ends[1]), "make a filter of system calls")
    let size = MemoryLayout<sock_filter>.stride
    var instructions = [sock_filter](repeating: sock_filter(), count: (1 << 16) / size)
    let bytes = read(ends[0], &instructions, instructions.count * size)
    guard bytes > 0, bytes % size == 0 else {
      throw LockdownError("read the filter of system calls", errno: errno)
    }
    return Array(instructions.prefix(bytes / size))
  }

  /// Allows only clones that are threads. Any other clone would be a process.
  private static func addThreads(to filter: scmp_filter_ctx) throws(LockdownError) {
    let thread = holdfast_clone_thread
    try add(
      holdfast_scmp_allow, "clone", to: filter,
      if: [scmp_arg_cmp(arg: 0, op: SCMP_CMP_MASKED_EQ, datum_a: thread, datum_b: thread)])
  }

  /// Allows limits and names to be set for this process only.
  ///
  /// (Signals are not allowed. The process's number is not known yet, and `abort` crashes without
  /// them too.)
  private static func addOwnProcess(to filter: scmp_filter_ctx) throws(LockdownError) {
    let itself = scmp_arg_cmp(arg: 0, op: SCMP_CMP_EQ, datum_a: 0, datum_b: 0)
    for name in ["prlimit64", "setrlimit", "getrlimit"] {
      try add(holdfast_scmp_allow, name, to: filter, if: name == "prlimit64" ? [itself] : [])
    }
    // The names of threads, and whether the doors are shut.
    for option in [PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_GET_NO_NEW_PRIVS] {
      try add(
        holdfast_scmp_allow, "prctl", to: filter,
        if: [scmp_arg_cmp(arg: 0, op: SCMP_CMP_EQ, datum_a: UInt64(option), datum_b: 0)])
    }
  }

  /// Adds a rule, unless this architecture never had the call.
  static func add(
    _ action: UInt32, _ name: String, to filter: scmp_filter_ctx, if conditions: [scmp_arg_cmp] = []
  ) throws(LockdownError) {
    let number = seccomp_syscall_resolve_name(name)
    guard number >= 0 else { return }
    try check(
      seccomp_rule_add_array(filter, action, number, UInt32(conditions.count), conditions),
      "filter \(name)")
  }

  private static func check(_ code: CInt, _ operation: String) throws(LockdownError) {
    guard code == 0 else { throw LockdownError(operation, errno: -code) }
  }
}

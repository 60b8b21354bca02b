internal import Foundation
internal import Glibc
internal import HoldfastModel

/// Nothing is written down about who holds a lock: the kernel knows, and what it says is never out of
/// date.
extension LockHolder {
  /// The process that holds the `flock` on a file; `nil` for one that cannot be seen from here, in
  /// another container or on another computer.
  ///
  /// - SeeAlso: proc_locks(5), proc_pid_stat(5)
  static func holding(_ file: OpenFile) -> LockHolder? {
    guard let identity = try? file.identity(), let locks = text("/proc/locks") else { return nil }
    let holders = locks.split(separator: "\n").compactMap(FileLock.init)
      .filter { $0.inode == identity.inode }
    // btrfs has another number for the device in there than anywhere else.
    let holder =
      holders.first { $0.device == identity.device }
      ?? holders.first { hasOpen(identity, process: $0.processID) }
    return holder.flatMap { LockHolder(process: $0.processID) }
  }

  private init?(process id: Int32) {
    // The program's name, which may hold anything, is the second field, in parentheses.
    guard let status = Self.text("/proc/\(id)/stat"), let open = status.firstIndex(of: "("),
      let close = status.lastIndex(of: ")"), open < close
    else { return nil }
    let name = status[status.index(after: open)..<close]
    let fields = status[status.index(after: close)...].split(separator: " ")
    self.init(
      processID: id, command: Self.command(id) ?? String(name),
      started: fields.count > 19 ? Self.moment(ticks: fields[19]) : nil,
      isStopped: ["T", "t"].contains(fields.first))
  }

  /// The program, and of Holdfast the word after it. What else stands in a command line is the
  /// person's own.
  private static func command(_ id: Int32) -> String? {
    let words = text("/proc/\(id)/cmdline")?.split(separator: "\0") ?? []
    guard let program = words.first?.split(separator: "/").last else { return nil }
    guard program == "holdfast", words.count > 1,
      words[1].allSatisfy({ $0.isASCII && $0.isLowercase || $0 == "-" }), words[1].first != "-"
    else { return String(program) }
    return "\(program) \(words[1])"
  }

  /// A moment that is given in ticks since the machine was started.
  private static func moment(ticks: Substring) -> Date? {
    guard let ticks = Double(ticks),
      let uptime = text("/proc/uptime")?.split(separator: " ").first.flatMap({ Double($0) })
    else { return nil }
    return Date(timeIntervalSinceNow: ticks / SystemCalls.ticksPerSecond - uptime)
  }

  private static func hasOpen(_ identity: FileIdentity, process id: Int32) -> Bool {
    guard let folder = try? SystemCalls.open(Place("/proc/\(id)/fd"), O_RDONLY | O_DIRECTORY),
      let entries = try? SystemCalls.entries(of: folder)
    else { return false }
    return entries.contains { entry in
      let place = Place(in: folder, entry.name)
      let open = try? SystemCalls.identity(of: place, followingLinks: true)
      return open?.isSameFile(as: identity) == true
    }
  }

  private static func text(_ path: String) -> String? {
    guard let file = try? SystemCalls.open(Place(path), O_RDONLY) else { return nil }
    return try? file.text()
  }
}

/// A line of /proc/locks: `1: FLOCK  ADVISORY  WRITE 1234 fe:00:6948171 0 EOF`. Whoever waits stands
/// there too, behind an arrow.
private struct FileLock {
  let processID: Int32
  let device: UInt64
  let inode: UInt64

  init?(_ line: Substring) {
    let words = line.split(separator: " ")
    guard words.count > 5, words[1] == "FLOCK", let id = Int32(words[4]) else { return nil }
    let file = words[5].split(separator: ":")
    guard file.count == 3, let major = UInt32(file[0], radix: 16),
      let minor = UInt32(file[1], radix: 16), let inode = UInt64(file[2])
    else { return nil }
    processID = id
    device = SystemCalls.device(major, minor)
    self.inode = inode
  }
}

import Foundation
import Glibc
import HoldfastModel

/// Asks the kernel who holds a lock. Holdfast keeps no record of it that could be out of date.
extension LockHolder {
  /// Returns the process that holds the `flock` on a file; `nil` if it is invisible from here: in
  /// another container, or on another computer.
  ///
  /// - SeeAlso: proc_locks(5), proc_pid_stat(5)
  static func holding(_ file: OpenFile) -> LockHolder? {
    guard let identity = try? file.identity(), let locks = Mount.text("/proc/locks")
    else { return nil }
    let holders = locks.split(separator: "\n").compactMap(FileLock.init)
      .filter { $0.inode == identity.inode }
    // btrfs shows a different device number in /proc/locks than everywhere else.
    let holder =
      holders.first { $0.device == identity.device }
      ?? holders.first { hasOpen(identity, process: $0.processID) }
    return holder.flatMap { LockHolder(process: $0.processID) }
  }

  private init?(process id: Int32) {
    // The second field is the program's name in parentheses. It may contain anything.
    guard let status = Mount.text("/proc/\(id)/stat"), let open = status.firstIndex(of: "("),
      let close = status.lastIndex(of: ")"), open < close
    else { return nil }
    let name = status[status.index(after: open)..<close]
    let fields = status[status.index(after: close)...].split(separator: " ")
    self.init(
      processID: id, command: Self.command(id) ?? String(name),
      started: fields.count > 19 ? Self.moment(ticks: fields[19]) : nil,
      isStopped: ["T", "t"].contains(fields.first))
  }

  /// Returns the program's name and, for Holdfast, the word after it. The rest of a command line is
  /// private to the person.
  private static func command(_ id: Int32) -> String? {
    let words = Mount.text("/proc/\(id)/cmdline")?.split(separator: "\0") ?? []
    guard let program = words.first?.split(separator: "/").last else { return nil }
    guard program == "holdfast", words.count > 1,
      words[1].allSatisfy({ $0.isASCII && $0.isLowercase || $0 == "-" }), words[1].first != "-"
    else { return String(program) }
    return "\(program) \(words[1])"
  }

  private static func moment(ticks: Substring) -> Date? {
    guard let ticks = Double(ticks),
      let uptime = Mount.text("/proc/uptime")?.split(separator: " ").first.flatMap({ Double($0) })
    else { return nil }
    return Date(timeIntervalSinceNow: ticks / SystemCalls.ticksPerSecond - uptime)
  }

  private static func hasOpen(_ identity: FileIdentity, process id: Int32) -> Bool {
    guard
      let folder = try? SystemCalls.open(
        DirectoryRelativePath("/proc/\(id)/fd"), O_RDONLY | O_DIRECTORY),
      let entries = try? SystemCalls.entries(of: folder)
    else { return false }
    return entries.contains { entry in
      let place = DirectoryRelativePath(in: folder, entry.name)
      let open = try? SystemCalls.identity(of: place, followingLinks: true)
      return open?.isSameFile(as: identity) == true
    }
  }
}

/// A line of /proc/locks: `1: FLOCK  ADVISORY  WRITE 1234 fe:00:6948171 0 EOF`. Waiting processes
/// are listed too, with an arrow, and are not parsed.
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

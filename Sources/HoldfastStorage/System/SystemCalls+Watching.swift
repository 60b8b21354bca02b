import CLinux
import Glibc
import HoldfastModel

struct WatchEvent: Sendable {
  /// What happened: a set of the kernel's bits.
  struct Kind: OptionSet, Sendable {
    let rawValue: UInt32

    static let closedAfterWriting = Kind(rawValue: 0x8)
    static let movedFrom = Kind(rawValue: 0x40)
    static let movedTo = Kind(rawValue: 0x80)
    static let created = Kind(rawValue: 0x100)
    static let selfDeleted = Kind(rawValue: 0x400)
    static let selfMoved = Kind(rawValue: 0x800)
    static let overflow = Kind(rawValue: 0x4000)
    static let watchEnded = Kind(rawValue: 0x8000)
    static let onlyFolders = Kind(rawValue: 0x0100_0000)
    static let throughNoLink = Kind(rawValue: 0x0200_0000)
    static let added = Kind(rawValue: 0x2000_0000)
    static let isFolder = Kind(rawValue: 0x4000_0000)

    /// The requested events of a folder whose files are watched.
    static let ofFolder: Kind = [
      .closedAfterWriting, .movedFrom, .movedTo, .created, .selfDeleted, .selfMoved,
    ]
    /// The requested events of a folder above a watched one. New entries in it may be many, and
    /// matter only if the watched folder is missing.
    static let ofAncestor: Kind = [.movedFrom, .movedTo, .selfDeleted, .selfMoved]
  }

  var watch: CInt
  var kind: Kind
  /// The name of what it happened to; empty for the folder itself.
  var name: [UInt8]
}

/// Watching folders, as inotify(7) describes it.
extension SystemCalls {
  /// Opens a queue of events. The corresponding C function is `inotify_init1`.
  static func watchQueue() throws(HoldfastError) -> OpenFile {
    let path = "/proc/sys/fs/inotify/max_user_instances"
    let number = try check("watch folders within the limit of", path) {
      inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    }
    return OpenFile(owning: number, path: path)
  }

  /// Watches a folder, but no link to one. If the folder is watched already, the events are added.
  /// Returns the watch's number, which is the same for each name of a folder.
  static func watch(
    _ path: SourcePath, for kinds: WatchEvent.Kind, in queue: OpenFile
  ) throws(HoldfastError) -> CInt {
    let place = DirectoryRelativePath(path.bytes)
    let name = try cString(place, "watch")
    let mask = kinds.union([.onlyFolders, .throughNoLink, .added]).rawValue
    return try check("watch", place.path) { inotify_add_watch(queue.descriptor, name, mask) }
  }

  static func endWatch(_ watch: CInt, in queue: OpenFile) {
    _ = inotify_rm_watch(queue.descriptor, watch)
  }

  /// Returns the events that are there now.
  static func events(in queue: OpenFile) throws(HoldfastError) -> [WatchEvent] {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var events: [WatchEvent] = []
    while true {
      let count: Int
      do throws(HoldfastError) {
        count = try check("read events of", queue.path) {
          Glibc.read(queue.descriptor, &buffer, buffer.count)
        }
      } catch let error where error.errno == EAGAIN {
        return events
      }
      buffer.withUnsafeBytes { bytes in
        // The header: the watch, the event, the cookie, and the length of the name with its NULs.
        var offset = 0
        while offset + 16 <= count {
          func number(_ index: Int) -> UInt32 {
            bytes.loadUnaligned(fromByteOffset: offset + 4 * index, as: UInt32.self)
          }
          let length = Int(number(3))
          events.append(
            WatchEvent(
              watch: CInt(bitPattern: number(0)), kind: WatchEvent.Kind(rawValue: number(1)),
              name: Array(bytes[offset + 16..<min(offset + 16 + length, count)].prefix { $0 != 0 }))
          )
          offset += 16 + length
        }
      }
      if count == 0 { return events }
    }
  }

  /// Waits until one of the files has something to read, or the mounts have changed.
  ///
  /// - Parameters:
  ///   - mounts: The list of mounts, which can always be read; `poll` reports a change as POLLPRI.
  ///   - milliseconds: The longest wait; `nil` for ever.
  /// - Returns: Whether each of the files has, and whether the mounts have changed.
  static func wait(
    for files: [CInt], orChangesOf mounts: OpenFile?, atMost milliseconds: Int?
  ) throws(HoldfastError) -> (files: [Bool], mounts: Bool) {
    var polled = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // `poll` ignores a negative descriptor.
    polled.append(pollfd(fd: mounts?.descriptor ?? -1, events: Int16(POLLPRI), revents: 0))
    let limit = milliseconds.map { CInt(clamping: max($0, 0)) } ?? -1
    _ = try check("wait for", "poll") { poll(&polled, nfds_t(polled.count), limit) }
    let isReady = polled.map { $0.revents != 0 }
    return (isReady.dropLast(), isReady.last == true)
  }

  /// Returns how long a file has been unchanged at least. The corresponding C function is
  /// `clock_gettime`.
  ///
  /// Time asleep does not count, nor does the time before the system started, as its clock may have
  /// been set since then.
  static func rest(of identity: FileIdentity) -> Duration {
    func now(_ clock: clockid_t) -> Int64 {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    let awake = now(CLOCK_MONOTONIC)
    let asleep = now(CLOCK_BOOTTIME) - awake
    return .nanoseconds(max(0, min(now(CLOCK_REALTIME) - identity.changed, awake) - asleep))
  }

  static let mountsPath = "/proc/self/mountinfo"
}

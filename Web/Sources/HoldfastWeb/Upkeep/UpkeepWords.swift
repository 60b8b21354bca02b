import Holdfast
import Synchronization

extension VerifyFinding {
  /// The finding in sentences, with its remedy.
  var sentences: String {
    let way =
      switch help {
      case .shorterImport: "; import its source again, shortened, and delete this one"
      case .edit: "; change it, or delete it, where you logged it"
      case .time: "; try again when the computer has less to do"
      case .backup, .compaction, nil: ""
      }
    let text = "\(path): \(detail)\(way)."
    let aboutBackups = help == .backup && !repair.isDone ? " A backup may have it." : ""
    return switch repair {
    case .none: text + aboutBackups
    case .possible(let words): "\(text) A repair would \(words).\(aboutBackups)"
    case .done(let words): "\(text) Repaired: \(words)."
    case .failed(let words): "\(text) Not repaired\(words.map { ": \($0)" } ?? "").\(aboutBackups)"
    }
  }
}

extension VerifySummary {
  func sentences(_ options: VerifyOptions) -> String {
    var text = "\(recordings.counted("recording")) checked"
    if options.isDeep || options.repairs { text += ", \(read) read whole (\(bytes.megabytes))" }
    if findings == 0 {
      text += ". Everything is as it should be."
    } else {
      text += ", \(findings.counted("thing")) found"
      text += options.repairs ? ", \(repaired) repaired." : "."
    }
    if lockTimeout != nil {
      text += " Another program was writing meanwhile: some of this may be work that it has begun."
    }
    return text
  }
}

/// The events of a backup, in words.
struct BackupWords {
  private(set) var summary = ""
  private(set) var details = ""
  private var (failed, removed) = (0, 0)
  private let folder: String
  private let library: String

  /// Uses the paths of the folder for backups and of the library.
  init(to folder: String, of library: String) {
    self.folder = folder
    self.library = library
  }

  /// Handles an event, and reports it if a person should know.
  mutating func apply(_ event: BackupEvent, _ tell: Run.Tell) {
    switch event {
    case .cleaned: tell(.line("What an interrupted backup had left was removed."))
    case .settled(let isFinished):
      tell(
        .line(
          isFinished
            ? "An interrupted update of the backup was finished."
            : "An interrupted update of the backup was undone. The backup is as it was before."))
    case .copied(let done, let total), .verified(let done, let total):
      tell(.progress(done, of: total))
    case .failed(let path, let error):
      failed += 1
      tell(.line("Not backed up: \(path): \(WebProblem(error).detail)."))
    case .unreadable(let name, let error):
      tell(
        .line(
          "The backup \(name) cannot be relied on: \(WebProblem(error).detail). Older ones are "
            + "kept until you have moved it away."
        ))
    case .removed: removed += 1
    case .found(let finding): tell(.line("\(finding.path): \(finding.detail)."))
    case .finished(let backup, let copied, let bytes):
      let verb = backup.recordings == 1 ? "is" : "are"
      let place = BackupState.name(of: folder, besides: library)
      summary = "\(backup.recordings.counted("recording")) \(verb) safe in “\(place)”."
      if failed > 0 { summary += " \(failed.counted("file")) could not be backed up." }
      if BackupState.isOneDisk(folder, library) { summary += " \(BackupState.warning)" }
      details = "\(backup.path): \(copied.counted("file")) copied, \(bytes.megabytes)."
      if removed > 0 { details += " \(removed.counted("old backup")) removed." }
    }
  }
}

/// A count that closures share.
final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func add() { count.withLock { $0 += 1 } }
}

extension Int64 {
  var megabytes: String {
    self < 500_000 && self > 0 ? "under 1 MB" : "\((self + 500_000) / 1_000_000) MB"
  }
}

import ArgumentParser
import Glibc
import Holdfast
import HoldfastConsole

/// The output of `holdfast` without a command on a terminal: the library, and what to do next.
enum Overview {
  private static let mostRecordings = 3

  /// Shows it on a terminal. Elsewhere it throws the help, as `CleanExit`.
  static func show() throws {
    guard isatty(STDOUT_FILENO) == 1 else { throw CleanExit.helpRequest(HoldfastCommand.self) }
    let common = try CommonOptions.parse([])
    let console = common.console
    let help = "holdfast --help lists all commands."
    let library: Library
    do { library = try common.openLibrary(for: .reading) } catch HoldfastError.Code.noLibrary {
      let path = try common.location().path.escapedForDisplay
      console.result(
        "There is no library in \(path).\n"
          + "If it is on a disk that is not connected, connect the disk. Else holdfast init makes "
          + "one.\n"
          + help)
      return
    }
    let place = library.path.escapedForDisplay
    let count = try library.count(matching: RecordingQuery())
    guard count > 0 else {
      console.result(
        "The library in \(place) has no recordings yet.\n"
          + "holdfast import FILE... imports recordings; the files stay where they are.\n\(help)")
      return
    }
    var query = RecordingQuery()
    query.limit = mostRecordings
    let recordings = try library.recordings(matching: query)
    console.result(
      "The library in \(place) has \(count.counted("recording"))"
        + (count > recordings.count ? ". The last ones are:" : ":"))
    console.result(
      RecordingTable.make(
        of: recordings[...], firstWords: try library.shownFirstWords(of: recordings)))
    console.result(
      "holdfast play ID plays one, and holdfast message next says something kind.\n\(help)")
    for reminder in try Reminder.reminders(of: library) {
      console.result("Due: \(reminder.sentence).")
    }
  }
}

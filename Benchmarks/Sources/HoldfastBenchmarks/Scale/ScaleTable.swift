/// The measurements of `scripts/bench scale`, as tables and as JSON.
struct ScaleTable: Encodable {
  /// One more import into a library.
  struct Growth: Encodable {
    var recordings: Int
    var seconds: Double
    var peakMemoryMB: Double
    /// How many times as long it takes as in an empty library.
    var timesEmpty: Double
  }

  /// The same work by a number of jobs.
  struct Jobs: Encodable {
    var what: String
    var jobs: Int
    var seconds: Double
    /// How many times as fast it is as one job.
    var speedUp: Double
    var peakMemoryMB: Double
    var mostMemoryMB: Double?
  }

  var machine: Machine
  var libraries: [Growth]
  var jobs: [Jobs]

  /// Both tables.
  var markdown: String {
    let growth = libraries.map { row in
      "| \(row.recordings) "
        + format("| %.1f | %.2f | %.0f |", row.seconds * 1000, row.timesEmpty, row.peakMemoryMB)
    }
    let work = jobs.map { row in
      let most = row.mostMemoryMB.map { format(" (at most %g)", $0) } ?? ""
      return "| \(row.what) | \(row.jobs) "
        + format("| %.2f | %.2f | %.0f", row.seconds, row.speedUp, row.peakMemoryMB) + "\(most) |"
    }
    let lines =
      ["| recordings | one more import, ms | times an empty library's | memory, MB |"]
      + ["| --- | --- | --- | --- |"] + growth
      + ["", "| | jobs | s | times as fast as one | memory of the largest process, MB |"]
      + ["| --- | --- | --- | --- | --- |"] + work
    return lines.joined(separator: "\n")
  }
}

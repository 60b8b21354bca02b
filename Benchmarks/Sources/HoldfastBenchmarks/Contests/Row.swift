/// A row of the table, or a few related rows.
enum Row: String, CaseIterable {
  case thumbnails
  case thumbnails4K = "thumbnails-4k"
  case copies = "import"
  case encode
  case encodeHDR = "encode-hdr"
  case voice
  case probe
  case verify
  case backup
  case list
  case startup

  /// All names, for a person to read.
  static let names = allCases.map(\.rawValue).joined(separator: " ")

  /// Makes the inputs, and returns the contests for them.
  func contests(on bench: Workbench, gigabytes: Double) throws -> [Contest] {
    switch self {
    case .thumbnails: try bench.thumbnailContests()
    case .thumbnails4K: try bench.thumbnail4KContests()
    case .copies: [try bench.copyContest()]
    case .encode: [try bench.encodeContest(.standard)]
    case .encodeHDR: [try bench.encodeContest(.highDynamicRange)]
    case .voice: [try bench.voiceContest()]
    case .probe: [try bench.probeContest()]
    case .verify: [try bench.verifyContest(gigabytes: gigabytes)]
    case .backup: try bench.backupContests(gigabytes: gigabytes)
    case .list: [try bench.listContest()]
    case .startup: [try bench.startupContest()]
    }
  }
}

import ArgumentParser
import Holdfast
import HoldfastConsole

/// The options that `import` and `watch` have in common.
struct ImportChoices: ParsableArguments {
  @Option(help: "Why the recordings are kept.")
  var purpose: RecordingPurpose = .motivational

  @Option(help: "Their title; at most \(Recording.longestTitle) characters.")
  var title: String?

  @Option(help: "Your notes about them; at most \(Recording.longestNotes) characters.")
  var notes: String?

  @Option(
    help: """
      What happens to a source longer than \(Int(RecordingLimit.seconds)) s: refuse; trim keeps \
      its first \(Int(RecordingLimit.seconds)) s; split makes several recordings from it.
      """)
  var overLimit: OverLimitPolicy = .refuse

  @Option(
    help: """
      auto copies what Apple players can play and encodes the rest, high dynamic range as HEVC; \
      copy refuses the rest; h264 and hevc encode every picture.
      """)
  var video: VideoPolicy = .auto

  @Option(
    help: """
      auto copies what Apple players can play and encodes the rest as AAC; aac encodes every \
      sound; alac keeps lossless sound of up to two channels lossless.
      """)
  var audio: AudioPolicy = .auto

  @Option(
    help: ArgumentHelp(
      "Scale down pictures higher than this many pixels, measured as they are shown.",
      valueName: "pixels"))
  var maxHeight: Int?

  @Flag(help: "Decode each new recording once, and report damage.")
  var verifyDecode = false

  @Flag(
    help: """
      Remove each source after its import, if the library then holds everything that a viewer or \
      listener would miss. A source is kept, with the reason, if a track was left out, if it is \
      damaged or was shortened, if encoding lost pixels, channels, samples per second, bits, \
      dynamic range or colours, if a spatial or 360° description was left out, or if the library \
      already had it.
      """)
  var move = false

  @Flag(help: "Keep the place and the device that a source names; by default they are left out.")
  var keepMetadata = false

  @Flag(help: "Import sources again that are already in the library.")
  var allowDuplicates = false

  @Flag(
    name: [.customLong("companions"), .customLong("include-live-photos")],
    help: """
      Also import files that belong to others: the movie of a Live Photo or a motion photo beside \
      its photo, a camera's small copy of a recording (.lrv, .lrf) beside it, and unfinished \
      downloads (.part, .crdownload).
      """)
  var includeLivePhotos = false

  @Option(
    help: "How many sources to work on at a time, from 1 to 256 (default: the number of cores).")
  var jobs: Int?

  func validate() throws {
    try JobCount.validate(jobs)
    // A picture with the 4:2:0 sampling of H.264 cannot be one line high.
    if let maxHeight, maxHeight < 2 { throw ValidationError("--max-height must be at least 2.") }
  }

  func options(
    remembersSources: Bool = false, share: ImportShare? = nil, isDryRun: Bool = false
  ) -> ImportOptions {
    ImportOptions(
      purpose: purpose, title: title, notes: notes,
      conversion: ConversionOptions(
        overLimit: overLimit, video: video, audio: audio, maxHeight: maxHeight,
        keepsMetadata: keepMetadata),
      verifiesDecode: verifyDecode, movesSources: move, allowsDuplicates: allowDuplicates,
      includesLivePhotos: includeLivePhotos, remembersSources: remembersSources,
      share: share, isDryRun: isDryRun, jobs: jobs)
  }
}

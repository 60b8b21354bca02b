import HoldfastModel
import HoldfastWire

// A person reads a worker's reports, and a worker that a hostile file has taken over can report
// anything.

extension MediaReport {
  /// Returns the report without anything that a terminal would act on; `nil` if it does not answer
  /// `job`, or holds figures that no file can have.
  func vetted(for job: MediaJob) -> MediaReport? {
    guard isPlausible else { return nil }
    return switch (job, self) {
    case (.probe, .probed(let info)): .probed(info.escapedForDisplay)
    case (.convert(let plan, _, _), .converted(let report)):
      .converted(report.escapedForDisplay(of: plan))
    case (.check, .checked), (.thumbnail, .drawn), (.waveform, .drawn),
      (.measureSound, .measured):
      self
    default: nil
    }
  }
}

extension MediaError {
  /// The codes that a worker may report. None of them alone makes an import try again.
  private static let reported: Set<Code> = [
    .notAFile, .empty, .notAccepted, .encrypted, .nothingToPlay, .tooLarge, .overLimit, .cannotCopy,
    .tooHighToCopy, .cannotSplit, .damaged, .checkFailed, .inputRefused, .outputRefused, .library,
    .memory,
  ]

  /// Returns the error without anything that a terminal would act on; `nil` if no worker reports
  /// such an error.
  ///
  /// The operation and the system's error number are left out, because the library acts on them. A
  /// stream is kept only if the job's plan has it.
  func vetted(for request: WorkerRequest) -> MediaError? {
    guard isPlausible, Self.reported.contains(code) else { return nil }
    var error = MediaError(
      code, reason.escapedForDisplay, detail: detail?.escapedForDisplay)
    if case .job(.convert(let plan, _, _)) = request, let stream,
      [plan.video?.index, plan.audio?.index].contains(stream)
    {
      error.stream = stream
    }
    return error
  }
}

extension MediaInfo {
  /// The description without anything that a terminal would act on.
  var escapedForDisplay: MediaInfo {
    var info = self
    info.container = container.escapedForDisplay
    info.warnings = warnings.map(\.escapedForDisplay)
    info.extras = extras?.map(\.escapedForDisplay)
    for index in info.streams.indices {
      info.streams[index].codec = streams[index].codec.escapedForDisplay
      info.streams[index].profile = streams[index].profile?.escapedForDisplay
      info.streams[index].copyObstacle = streams[index].copyObstacle?.escapedForDisplay
    }
    return info
  }
}

extension ConversionReport {
  /// Returns the report without anything that a terminal would act on, and with this process's own
  /// plan.
  func escapedForDisplay(of plan: ConversionPlan) -> ConversionReport {
    var report = self
    report.plan = plan
    report.settings = settings.map(\.escapedForDisplay)
    report.versions = [:]
    for (name, version) in versions {
      report.versions[name.escapedForDisplay] = version.escapedForDisplay
    }
    report.keptMetadata = keptMetadata?.map(\.escapedForDisplay)
    report.warnings = warnings.map(\.escapedForDisplay)
    return report
  }
}

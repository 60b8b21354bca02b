import HoldfastModel

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
      (.measureSound, .measured), (.decodeSound, .decoded), (.photo, .photo):
      self
    default: nil
    }
  }
}

extension MediaInfo {
  /// The description without anything that a terminal would act on.
  var escapedForDisplay: MediaInfo {
    var info = self
    info.container = container.escapedForDisplay
    info.warnings = warnings.map(\.escapedForDisplay)
    info.extras = extras?.map(\.escapedForDisplay)
    info.transcriptLoss = transcriptLoss?.escapedForDisplay
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

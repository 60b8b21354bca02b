internal import HoldfastModel

// What a worker says is shown to a person, and a worker that was taken over says anything.

extension MediaError {
  /// The error with nothing in it that a terminal would act upon.
  var escapedForDisplay: MediaError {
    var error = self
    error.code = Code(rawValue: code.rawValue.escapedForDisplay)
    error.reason = reason.escapedForDisplay
    error.operation = operation?.escapedForDisplay
    error.detail = detail?.escapedForDisplay
    return error
  }
}

extension MediaInfo {
  /// The description with nothing in it that a terminal would act upon.
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
  /// The report with nothing in it that a terminal would act upon, and with the plan that was made
  /// here.
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

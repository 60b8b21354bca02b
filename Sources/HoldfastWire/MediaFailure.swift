package import HoldfastModel

/// An error as a worker reports it. It has no error number of the system and no operation, because
/// the library acts on them.
package struct MediaFailure: Codable, Sendable {
  package var code: HoldfastError.Code
  package var reason: String
  package var stream: Int?
  package var detail: String?

  package init(_ error: HoldfastError) {
    code = error.code
    reason = error.reason
    stream = error.stream
    detail = error.detail
  }

  /// The codes that a worker may report. None of them makes an import try again.
  private static let reported: Set<HoldfastError.Code> =
    HoldfastError.Code.media.subtracting([.worker, .stalled, .overdue])

  /// The most characters of a text.
  private static let longest = 400

  /// Returns the error without anything that a terminal would act on; `nil` if no worker reports
  /// such an error. The stream is kept only if the job's plan has it.
  package func vetted(for request: WorkerRequest) -> HoldfastError? {
    guard Self.reported.contains(code) else { return nil }
    var error = HoldfastError(
      code, reason.cut(to: Self.longest).escapedForDisplay,
      detail: detail?.cut(to: Self.longest).escapedForDisplay)
    if case .job(.convert(let plan, _, _)) = request, let stream,
      [plan.video?.index, plan.audio?.index].contains(stream)
    {
      error.stream = stream
    }
    return error
  }
}

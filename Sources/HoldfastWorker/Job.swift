internal import HoldfastModel
internal import HoldfastWire

/// One job: what is asked, the files that it is asked of, and the means.
struct Job<Calls: MediaCalls> {
  private let request: WorkerRequest
  private let descriptors: [OwnDescriptor]
  private let calls: Calls
  private let outcome: Lockdown.Outcome
  private let progress: @Sendable (Double) -> Void

  init(
    _ order: (WorkerRequest, [OwnDescriptor]), calls: Calls, outcome: Lockdown.Outcome,
    progress: @escaping @Sendable (Double) -> Void
  ) {
    (request, descriptors) = order
    self.calls = calls
    self.outcome = outcome
    self.progress = progress
  }

  /// Does it.
  func run() -> WorkerReply {
    let files = zip(descriptors, request.files).map {
      OpenMedia(descriptor: $0.number, name: $1)
    }
    defer { withExtendedLifetime(descriptors) {} }
    outcome.limits.begin(outputBytes: outputBytes)
    do throws(MediaError) {
      switch request {
      case .probe(let depth, _):
        return .probed(try calls.probe(files[0], depth: depth))
      case .convert(let plan, _, _):
        return .converted(
          try calls.convert(plan, source: files[0], output: files[1], progress: progress))
      case .check(let report, _, _):
        return .checked(try calls.check(report, source: files[0], output: files[1]))
      case .thumbnail(let job, _, _):
        return .thumbnailed(try calls.thumbnail(job, source: files[0], output: files[1]))
      case .describe:
        return .described(
          WorkerDescription(
            libraries: calls.libraries(), doors: DoorCheck.all(landlock: outcome.landlock),
            landlock: outcome.landlock))
      case .cancel:
        return .failed(MediaError(.library, "there is nothing to cancel"))
      }
    } catch {
      return .failed(error)
    }
  }

  private var outputBytes: UInt64 {
    switch request {
    case .convert: JobLimits.outputBytes(of: descriptors[0].number)
    case .thumbnail: JobLimits.thumbnailBytes
    case .probe, .check, .describe, .cancel: 0
    }
  }
}

internal import HoldfastModel
internal import HoldfastSupport
internal import HoldfastWire

/// One job: the request, its files, and what is needed to do it.
struct Job<Calls: MediaCalls> {
  private let request: WorkerRequest
  private let descriptors: [OwnDescriptor]
  private let calls: Calls
  private let landlock: Int?
  private let progress: @Sendable (Double) -> Void

  init(
    _ order: (WorkerRequest, [OwnDescriptor]), calls: Calls, landlock: Int?,
    progress: @escaping @Sendable (Double) -> Void
  ) {
    (request, descriptors) = order
    self.calls = calls
    self.landlock = landlock
    self.progress = progress
  }

  /// Does the job, and returns its result or its error.
  func run() -> WorkerReply {
    let files = zip(descriptors, request.files).map {
      OpenMedia(descriptor: $0.number, name: $1)
    }
    defer { withExtendedLifetime(descriptors) {} }
    do throws(MediaError) {
      switch request {
      case .probe(let depth, _, _):
        return .probed(try calls.probe(files[0], depth: depth))
      case .convert(let plan, _, _):
        return .converted(
          try calls.convert(plan, source: files[0], output: files[1], progress: progress))
      case .check(let report, _, _):
        return .checked(try calls.check(report, source: files[0], output: files[1]))
      case .thumbnail(let job, _, _):
        return .thumbnailed(try calls.thumbnail(job, source: files[0], output: files[1]))
      case .measureSound: return .measured(try calls.soundProfile(of: files[0]))
      case .waveform(let job, _): return .drawn(try calls.waveform(job, output: files[0]))
      case .describe:
        return .described(
          WorkerDescription(
            libraries: calls.libraries(), doors: DoorCheck.all(landlock: landlock),
            landlock: landlock))
      }
    } catch {
      return .failed(error)
    }
  }
}

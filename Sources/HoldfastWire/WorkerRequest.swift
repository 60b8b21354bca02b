package import HoldfastModel

/// What the Library asks of a worker. The files of a job come as descriptors beside the frame, in the
/// order in which they are named.
package enum WorkerRequest: Codable, Sendable {
  /// ``MediaEngine/probe(_:depth:)``, and ``MediaEngine/probeAlone(_:depth:)``.
  case probe(depth: ProbeDepth, isAlone: Bool, source: String)
  /// ``MediaEngine/convert(_:source:output:progress:)``.
  case convert(ConversionPlan, source: String, output: String)
  /// ``MediaEngine/check(_:source:output:)``.
  case check(ConversionReport, source: String, output: String)
  /// ``MediaEngine/thumbnail(_:source:output:)``.
  case thumbnail(ThumbnailJob, source: String, output: String)
  /// ``MediaEngine/soundProfile(of:)``.
  case measureSound(source: String)
  /// ``MediaEngine/waveform(_:output:)``.
  case waveform(WaveformJob, output: String)
  /// What the worker is made of, and whether its doors are shut: it tries them.
  case describe

  /// The names of the files whose descriptors come along: hints at their formats, never opened.
  package var files: [String] {
    switch self {
    case .probe(_, _, let source), .measureSound(let source): [source]
    case .waveform(_, let output): [output]
    case .convert(_, let source, let output), .check(_, let source, let output),
      .thumbnail(_, let source, let output):
      [source, output]
    case .describe: []
    }
  }

  /// Whether the worker gets a file that it can write to and that becomes a recording.
  package var writesOutput: Bool {
    if case .convert = self { true } else { false }
  }

  /// Whether a worker may do more jobs after this one: the worst that it can do to them is a wrong
  /// description, figure or picture. What makes a recording, what checks it, and what decides whether a
  /// source may go has a worker of its own.
  package var sharesWorker: Bool {
    switch self {
    case .probe(_, let isAlone, _): !isAlone
    case .thumbnail, .measureSound, .waveform, .describe: true
    case .convert, .check: false
    }
  }
}

/// The first job of a worker, and what the worker may take for it and for those that follow.
package struct WorkerOrder: Codable, Sendable {
  /// The job.
  package var request: WorkerRequest
  /// How many pixels the pictures may have that the worker gets memory for.
  package var pixels: Int

  /// Makes an order.
  package init(_ request: WorkerRequest, pixels: Int) {
    self.request = request
    self.pixels = pixels
  }
}

package import HoldfastModel

/// A request from the pool to a worker.
///
/// The job's files are sent as descriptors beside the frame, in the order in which the request
/// names them.
package enum WorkerRequest: Codable, Sendable {
  /// Calls ``MediaEngine/probe(_:depth:)`` or ``MediaEngine/probeAlone(_:depth:)``.
  case probe(depth: ProbeDepth, isAlone: Bool, source: String)
  /// Calls ``MediaEngine/convert(_:source:output:progress:)``.
  case convert(ConversionPlan, source: String, output: String)
  /// Calls ``MediaEngine/check(_:source:output:)``.
  case check(ConversionReport, source: String, output: String)
  /// Calls ``MediaEngine/thumbnail(_:source:output:)``.
  case thumbnail(ThumbnailJob, source: String, output: String)
  /// Calls ``MediaEngine/soundProfile(of:)``.
  case measureSound(source: String)
  /// Calls ``MediaEngine/waveform(_:output:)``.
  case waveform(WaveformJob, output: String)
  /// Asks which libraries the worker uses and whether its doors are shut. The worker tries each
  /// door.
  case describe

  /// The names of the files whose descriptors are sent. They are hints at the formats and are never
  /// opened.
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

  /// Whether the worker can write to a file that becomes a recording.
  package var writesOutput: Bool {
    if case .convert = self { true } else { false }
  }

  /// Whether a worker may do more jobs after this one.
  ///
  /// The worst that such a worker can do to later jobs is to give a wrong description, figure or
  /// picture. A job that makes a recording, checks one, or decides whether a source may be deleted
  /// has a worker of its own.
  package var sharesWorker: Bool {
    switch self {
    case .probe(_, let isAlone, _): !isAlone
    case .thumbnail, .measureSound, .waveform, .describe: true
    case .convert, .check: false
    }
  }
}

/// A worker's first job, and the memory that the worker gets for it and all later jobs.
package struct WorkerOrder: Codable, Sendable {
  package var request: WorkerRequest
  /// The largest number of pixels in a picture for which the worker gets memory.
  package var pixels: Int

  package init(_ request: WorkerRequest, pixels: Int) {
    self.request = request
    self.pixels = pixels
  }
}

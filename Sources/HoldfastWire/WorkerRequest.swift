package import HoldfastModel

/// What the Library asks of a worker. The files of a job come as descriptors beside the frame, in the
/// order in which they are named.
package enum WorkerRequest: Codable, Sendable {
  /// ``MediaEngine/probe(_:depth:)``.
  case probe(depth: ProbeDepth, source: String)
  /// ``MediaEngine/convert(_:source:output:progress:)``.
  case convert(ConversionPlan, source: String, output: String)
  /// ``MediaEngine/check(_:source:output:)``.
  case check(ConversionReport, source: String, output: String)
  /// ``MediaEngine/thumbnail(_:source:output:)``.
  case thumbnail(ThumbnailJob, source: String, output: String)
  /// What the worker is made of, and whether its doors are shut: it tries them.
  case describe
  /// Gives the job up; the worker ends.
  case cancel

  /// The names of the files whose descriptors come along: hints at their formats, never opened.
  package var files: [String] {
    switch self {
    case .probe(_, let source): [source]
    case .convert(_, let source, let output), .check(_, let source, let output),
      .thumbnail(_, let source, let output):
      [source, output]
    case .describe, .cancel: []
    }
  }
}

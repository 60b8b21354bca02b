package import HoldfastModel

package enum WorkerRequest: Codable, Sendable {
  /// The descriptors of its files are sent beside the frame, in the order of ``MediaJob/files``.
  case job(MediaJob)
  /// Asks which libraries the worker uses and which doors are shut. It tries each door.
  case describe

  /// The number of descriptors that are sent beside the frame.
  package var fileCount: Int {
    if case .job(let job) = self { job.files.count } else { 0 }
  }

  /// Whether the worker can write to a file that becomes a recording.
  package var writesOutput: Bool {
    if case .job(.convert) = self { true } else { false }
  }

  /// Whether a worker may do more jobs after this one.
  ///
  /// The worst that such a worker can do to later jobs is to give a wrong description, figure or
  /// picture. A job that makes a recording, checks one, or decides whether a source may be deleted
  /// has a worker of its own.
  package var sharesWorker: Bool {
    switch self {
    case .job(.probe(_, _, let isAlone)): !isAlone
    case .job(.thumbnail), .job(.measureSound), .job(.waveform), .describe: true
    case .job(.convert), .job(.check), .job(.decodeSound), .job(.photo): false
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

/// Does the jobs of a ``MediaEngine`` on the calling thread.
///
/// A worker process does one job at a time.
package protocol MediaCalls: Sendable {
  /// How many times something has been read, decoded or written so far. While work is stalled, the
  /// number does not change.
  var steps: UInt64 { get }

  /// The number of the header that is being read; `nil` while none is.
  ///
  /// Nothing is decoded while a header is read. Reading the header of an honest file takes only a
  /// moment.
  var header: UInt64? { get }

  /// See ``MediaEngine/perform(_:progress:)``.
  func perform(
    _ job: MediaJob, progress: @escaping @Sendable (Double) -> Void
  ) throws(HoldfastError) -> MediaReport

  func libraries() -> MediaLibraries
}

// The start page of HoldfastMedia shows what follows; ArticleTests compares the two and runs it.

import Foundation
import HoldfastMedia
import HoldfastModel

/// Makes the recording that an import would make of a source.
///
/// - Parameters:
///   - source: The source, open for reading.
///   - name: The source's file name, such as `IMG_0412.MOV`.
///   - output: An empty file, open for reading and writing.
func convert(
  _ source: FileHandle, named name: String, into output: FileHandle
) async throws -> ConversionReport {
  let engine = FFmpegEngine()
  let source = OpenMedia(descriptor: source.fileDescriptor, name: name)
  let output = OpenMedia(descriptor: output.fileDescriptor, name: "recording.mov")
  let info = try await engine.probe(source, depth: .packets)
  let plan = try ConversionPlan(for: info)
  let report = try await engine.convert(plan, source: source, output: output) { _ in }
  _ = try await engine.check(report, source: source, output: output)
  return report
}

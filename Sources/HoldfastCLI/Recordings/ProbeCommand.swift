import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastWorkerPool

struct ProbeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Describe files, and what an import would do with them.",
    discussion: """
      The length is measured from the packets, not from the header. An MP4 or QuickTime file names \
      its packets in an index, which is trusted if the file holds them all. Nothing is written.
      """)

  @Argument(help: "Files.", completion: .file())
  var files: [String]

  @Flag(
    help: """
      Read every packet and try every decoder, as an import does. Only this finds damaged packets.
      """)
  var deep = false

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    try await engine.withEngine { try await run(with: $0) }
  }

  private func run(with engine: WorkerPool) async throws {
    let console = common.console
    var hasFailed = false
    let depth: ProbeDepth = deep ? .packets : .index
    try await withThrowingTaskGroup(of: (Int, Result<SourceProbe, any Error>).self) { group in
      var begun = 0
      var finished: [Int: Result<SourceProbe, any Error>] = [:]
      // As many files at a time as there are cores. Results are printed in the files' order.
      for index in files.indices {
        while begun < files.count, begun < index + ProcessInfo.processInfo.activeProcessorCount {
          let (number, file) = (begun, files[begun])
          begun += 1
          group.addTask {
            do {
              let probe = try await SourceProbe.run(file, depth: depth, engine: engine)
              return (number, .success(probe))
            } catch {
              return (number, .failure(error))
            }
          }
        }
        while finished[index] == nil, let (number, result) = try await group.next() {
          finished[number] = result
        }
        guard let result = finished.removeValue(forKey: index) else { continue }
        if try !tell(result, of: files[index], console) { hasFailed = true }
      }
    }
    if hasFailed { throw ExitCode.someFailed }
  }

  /// Prints the result for one file, and returns whether an import would accept it.
  private func tell(
    _ result: Result<SourceProbe, any Error>, of file: String, _ console: Console
  ) throws -> Bool {
    do {
      let probe = try result.get()
      if console.isJSON {
        var info = probe.info
        // Thousands of picture times, which only cutting needs.
        info.pictures = nil
        try console.json(ProbeOutput(file: file, info: info, recorded: probe.recorded))
      } else {
        console.result(ProbeText.describe(probe, file: file))
      }
      return true
    } catch let failure as HoldfastError {
      if console.isJSON {
        try console.json(
          ProbeOutput(file: file, code: failure.code.rawValue, error: failure.explained))
      } else {
        console.error("\(file.escapedForDisplay): \(failure.explained)")
      }
      return false
    }
  }
}

private struct ProbeOutput: Encodable {
  var file: String
  var info: MediaInfo?
  var recorded: RecordingTimestamp?
  var code: String?
  var error: String?
}

enum ProbeText {
  static func describe(_ probe: SourceProbe, file: String) -> String {
    let info = probe.info
    var lines = ["\(file.escapedForDisplay)"]
    let duration = (info.duration ?? 0).thousandths
    lines.append("  \(info.type?.rawValue ?? "nothing"), \(duration) s, \(info.container)")
    lines.append("  recorded \(probe.recorded.explained)")
    let device = [info.make, info.model].compactMap { $0?.escapedForDisplay }
    if !device.isEmpty { lines.append("  made by \(device.joined(separator: " "))") }
    if info.hasLocation {
      lines.append("  holds the place where it was made (left out without --keep-metadata)")
    }
    if info.contentIdentifier != nil { lines.append("  the movie half of a Live Photo") }
    for stream in info.streams { lines.append("  " + describe(stream, in: info)) }
    for warning in info.warnings { lines.append("  note: \(warning)") }
    do throws(HoldfastError) {
      lines.append("  an import would accept it: \(try ConversionPlan(for: info).explainedSummary)")
    } catch {
      lines.append("  an import would refuse it: \(error.explained)")
    }
    return lines.joined(separator: "\n")
  }

  private static func describe(_ stream: StreamInfo, in info: MediaInfo) -> String {
    var words = ["stream \(stream.index): \(stream.kind.rawValue), \(stream.codec)"]
    if let profile = stream.profile { words.append(profile) }
    if let picture = stream.picture {
      words.append("\(picture.width) × \(picture.height)")
      if picture.pixelAspectWidth != picture.pixelAspectHeight {
        words.append("pixels \(picture.pixelAspectWidth):\(picture.pixelAspectHeight)")
      }
      if picture.orientation != .upright {
        let mirrored = picture.orientation.isMirrored ? "mirrored, " : ""
        words.append("\(mirrored)turned \(picture.orientation.clockwise)°")
      }
      if let rate = picture.frameRate { words.append("\(rate.hundredths) fps") }
      if picture.dynamicRange != .sdr { words.append(picture.dynamicRange.rawValue.uppercased()) }
    }
    if let sound = stream.sound {
      words.append("\(sound.sampleRate) Hz, \(sound.channels) ch")
    }
    if stream.index != info.video, stream.index != info.audio { words.append("left out") }
    return words.joined(separator: ", ")
  }
}

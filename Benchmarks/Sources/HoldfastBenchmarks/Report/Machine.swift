import Foundation

/// The measured machine.
struct Machine: Encodable {
  /// The processor's model.
  var processor: String
  var cores: Int
  var system: String
  /// The version of the ffmpeg command.
  var ffmpeg: String

  /// Reads this machine's description.
  init(_ bench: Workbench) throws {
    let processors = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
    let system = try String(contentsOfFile: "/etc/os-release", encoding: .utf8)
    let ffmpeg = try bench.output(of: ["ffmpeg", "-version"])
    processor = processors.firstMatch(of: #/model name\s*:\s*(.*)/#).map { String($0.1) } ?? ""
    self.system = system.firstMatch(of: #/PRETTY_NAME="(.*)"/#).map { String($0.1) } ?? ""
    self.ffmpeg = ffmpeg.firstMatch(of: #/version (\S+)/#).map { String($0.1) } ?? ""
    cores = bench.cores
  }
}

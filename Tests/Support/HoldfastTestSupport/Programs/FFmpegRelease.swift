import Foundation

/// The release of FFmpeg that the tests run with, where releases differ.
public enum FFmpegRelease {
  /// The number before the first point, as in 5.1 and 7.1.
  public static let major: Int = {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["ffmpeg", "-version"]
    process.standardOutput = output
    guard (try? process.run()) != nil else { return 0 }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.firstMatch(of: /ffmpeg version \D*(\d+)\./).flatMap { Int($0.1) } ?? 0
  }()
}

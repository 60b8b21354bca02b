/// A JPEG file as djpeg decodes it.
public enum JPEGFile {
  /// A decoded picture.
  public struct Picture: Sendable {
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// Samples a pixel: 3 for colour, 1 for grey.
    public var channels: Int
    /// The samples, row by row from the top left.
    public var samples: [UInt8]

    /// The samples of one pixel: red, green and blue, or grey.
    public func pixel(x: Int, y: Int) -> [UInt8] {
      let start = (y * width + x) * channels
      return Array(samples[start..<start + channels])
    }
  }

  /// The picture's size in pixels.
  ///
  /// - Throws: ``CommandFailure`` when djpeg fails or warns.
  public static func dimensions(_ path: String) async throws -> (width: Int, height: Int) {
    let picture = try await picture(path)
    return (picture.width, picture.height)
  }

  /// The whole picture, decoded.
  ///
  /// - Throws: ``CommandFailure`` when djpeg fails or warns.
  public static func picture(_ path: String) async throws -> Picture {
    let result = try await Command.output(of: "djpeg", ["-pnm", path])
    // The head of a PNM file: P5 or P6, width, height and greatest sample, then one white space.
    let words = result.outputBytes.prefix(64).split(maxSplits: 4) { $0 == 0x0A || $0 == 0x20 }
    let figures = words.dropFirst().prefix(3).compactMap {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard result.errorOutput.isEmpty, words.count == 5, figures.count == 3, figures[2] == 255 else {
      throw CommandFailure(command: ["djpeg", "-pnm", path], result: result)
    }
    let samples = Array(result.outputBytes[words[4].startIndex...])
    let channels = words[0].elementsEqual("P6".utf8) ? 3 : 1
    guard samples.count == figures[0] * figures[1] * channels else {
      throw CommandFailure(command: ["djpeg", "-pnm", path], result: result)
    }
    return Picture(width: figures[0], height: figures[1], channels: channels, samples: samples)
  }
}

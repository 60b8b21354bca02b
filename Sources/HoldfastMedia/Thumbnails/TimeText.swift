import CFFmpeg
import HoldfastModel

/// A time drawn into a picture, white on a dark ground. It needs no font, because no file can be
/// opened where thumbnails are made.
struct TimeText {
  /// Seven rows for each character. The bits are the pixels, and the highest bit is leftmost.
  private static let glyphs: [Character: [UInt8]] = [
    "0": [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    "1": [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    "2": [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    "3": [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
    "4": [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    "5": [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    "6": [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    "7": [0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b01000, 0b01000],
    "8": [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    "9": [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
    ":": [0b0, 0b1, 0b1, 0b0, 0b1, 0b1, 0b0],
    ".": [0b0, 0b0, 0b0, 0b0, 0b0, 0b1, 0b1],
  ]
  private static let height = 7
  private static let ground: UInt8 = 16
  private static let ink: UInt8 = 255
  /// A picture is about this many times as high as its letters. They can then be read wherever the
  /// picture can be seen.
  private static let share = 14

  private let text: String
  /// The drawn width and height of each pixel of a character, in pixels.
  private let scale: Int

  /// Prepares the text of a time in seconds for a picture of a size.
  init(_ seconds: Double, hasTenths: Bool, for size: PictureSize) {
    text = hasTenths ? seconds.clockTenths : seconds.clockTime
    scale = max(1, min(size.width, size.height) / (Self.height * Self.share))
  }

  /// The size in pixels with a ground around the text, made even because of the chroma.
  var size: PictureSize {
    let widths = text.map { Self.width(of: $0) }
    let width = widths.reduce(0, +) + widths.count - 1
    return PictureSize(width: (width + 4) * scale + 1, height: (Self.height + 4) * scale + 1).even
  }

  /// Draws the text into a full-range 4:2:0 frame, with its lower left corner at a place with even
  /// coordinates. Draws nothing if it does not fit.
  func draw(in frame: borrowing Frame, left: Int, bottom: Int) {
    let (size, top) = (size, bottom - size.height)
    let canvas = frame.pointer.pointee
    guard left >= 0, top >= 0, left + size.width <= Int(canvas.width) else { return }
    fill(
      canvas, left: left, top: top, width: size.width, height: size.height, with: Self.ground)
    var x = left + 2 * scale
    for character in text {
      let width = Self.width(of: character)
      for (row, bits) in (Self.glyphs[character] ?? []).enumerated() {
        for column in 0..<width where bits >> (width - 1 - column) & 1 == 1 {
          fillLuma(
            canvas, left: x + column * scale, top: top + (2 + row) * scale, width: scale,
            height: scale, with: Self.ink)
        }
      }
      x += (width + 1) * scale
    }
  }

  private static func width(of character: Character) -> Int { ":.".contains(character) ? 1 : 5 }
}

/// Makes part of a 4:2:0 frame grey. The coordinates are even.
func fill(
  _ frame: AVFrame, left: Int, top: Int, width: Int, height: Int, with luma: UInt8
) {
  fillLuma(frame, left: left, top: top, width: width, height: height, with: luma)
  for (plane, stride) in [(frame.data.1, frame.linesize.1), (frame.data.2, frame.linesize.2)] {
    for row in 0..<(height + 1) / 2 {
      plane?.advanced(by: (top / 2 + row) * Int(stride) + left / 2)
        .update(repeating: 128, count: (width + 1) / 2)
    }
  }
}

func fillLuma(
  _ frame: AVFrame, left: Int, top: Int, width: Int, height: Int, with luma: UInt8
) {
  for row in 0..<height {
    frame.data.0?.advanced(by: (top + row) * Int(frame.linesize.0) + left)
      .update(repeating: luma, count: width)
  }
}

import CFFmpeg
import HoldfastModel

/// The frame on which the pictures of a contact sheet are placed side by side.
struct SheetCanvas: ~Copyable {
  /// The space between two pictures and around all of them, in pixels. It is even because of the
  /// chroma.
  static let margin = 4
  /// The longest side of a JPEG (libjpeg's JPEG_MAX_DIMENSION).
  private static let longestSide = 65_500
  /// The brightness between the pictures. It is dark, so that the pictures stand out.
  private static let ground: UInt8 = 24

  let frame: Frame
  private let sheet: ContactSheet
  private let cell: PictureSize

  /// Creates an empty sheet for pictures of a size. Throws if the sheet would be larger than can be
  /// written.
  init(_ sheet: ContactSheet, cell: PictureSize) throws(HoldfastError) {
    let (columns, rows) = (sheet.columns, sheet.rows)
    let width = columns * (cell.width + Self.margin) + Self.margin
    let height = rows * (cell.height + Self.margin) + Self.margin
    // The limit is as many pixels as the largest picture that is decoded. With what libjpeg keeps
    // of each pixel until the end, that is some 300 MB, which a worker has.
    guard max(width, height) <= Self.longestSide, width * height <= PictureLimit.pixels else {
      throw HoldfastError(
        .tooLarge,
        "its contact sheet would be \(width) × \(height); at most \(Self.longestSide) a side and "
          + "\(PictureLimit.pixels / 1_000_000) million pixels are made: choose fewer or smaller "
          + "pictures")
    }
    frame = try Self.ground(width: width, height: height)
    self.sheet = sheet
    self.cell = cell
  }

  /// Creates an empty frame in the ground's brightness.
  static func ground(width: Int, height: Int) throws(HoldfastError) -> Frame {
    let frame = try Frame()
    frame.pointer.pointee.format = AV_PIX_FMT_YUV420P.rawValue
    frame.pointer.pointee.width = CInt(width)
    frame.pointer.pointee.height = CInt(height)
    try check(av_frame_get_buffer(frame.pointer, 0), "lay out a picture")
    fill(frame.pointer.pointee, left: 0, top: 0, width: width, height: height, with: ground)
    return frame
  }

  static func checkShape(_ sheet: ContactSheet) throws(HoldfastError) {
    let range = ContactSheet.range
    guard range.contains(sheet.columns), range.contains(sheet.rows) else {
      throw HoldfastError(
        .tooLarge,
        "a contact sheet of \(sheet.columns) × \(sheet.rows) pictures is not made; choose "
          + "\(range.lowerBound) to \(range.upperBound) columns and rows")
    }
  }

  /// Copies a picture to its place, and draws its time into its lower left corner.
  func add(_ picture: borrowing ThumbnailPicture, number: Int, hasTenths: Bool) {
    let left = Self.margin + number % sheet.columns * (cell.width + Self.margin)
    let top = Self.margin + number / sheet.columns * (cell.height + Self.margin)
    let (from, to) = (picture.frame.pointer.pointee, frame.pointer.pointee)
    guard Int(from.width) == cell.width, Int(from.height) == cell.height else { return }
    copy((from.data.0, from.linesize.0), to: (to.data.0, to.linesize.0), left: left, top: top, cell)
    let half = PictureSize(width: cell.width / 2, height: cell.height / 2)
    copy(
      (from.data.1, from.linesize.1), to: (to.data.1, to.linesize.1), left: left / 2, top: top / 2,
      half)
    copy(
      (from.data.2, from.linesize.2), to: (to.data.2, to.linesize.2), left: left / 2, top: top / 2,
      half)
    let text = TimeText(picture.time, hasTenths: hasTenths, for: cell)
    guard text.size.width <= cell.width, text.size.height <= cell.height else { return }
    text.draw(in: frame, left: left, bottom: top + cell.height)
  }

  private func copy(
    _ from: (plane: UnsafeMutablePointer<UInt8>?, stride: CInt),
    to: (plane: UnsafeMutablePointer<UInt8>?, stride: CInt), left: Int, top: Int,
    _ size: PictureSize
  ) {
    guard let source = from.plane, let target = to.plane else { return }
    for row in 0..<size.height {
      (target + (top + row) * Int(to.stride) + left)
        .update(from: source + row * Int(from.stride), count: size.width)
    }
  }
}

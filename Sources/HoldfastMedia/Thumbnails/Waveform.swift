import CFFmpeg
import Glibc
import HoldfastModel

/// Draws sound as a picture, with a bar in each column as high as the sound is loud.
enum Waveform {
  /// The brightness of the bars. The ground has that of a contact sheet.
  private static let ink: UInt8 = 214
  /// The space above and below the highest bar, as a share of the height.
  private static let margin = 0.06
  /// A recording whose loudest peak is below this, of 255 at full scale, is not made to look
  /// louder.
  private static let quietest = 8.0

  static func run(
    _ job: WaveformJob, output: OpenMedia
  ) throws(HoldfastError) -> ThumbnailReport {
    guard WaveformJob.widths.contains(job.size.width), job.size.height > 0,
      job.size.height <= job.size.width, job.peaks.count <= SoundProfile.mostPeaks
    else {
      throw HoldfastError(
        .tooLarge,
        "a waveform of \(job.size.width) × \(job.size.height) pixels is not drawn; choose from "
          + "\(WaveformJob.widths.lowerBound) to \(WaveformJob.widths.upperBound) pixels of width")
    }
    let frame = try SheetCanvas.ground(width: job.size.width, height: job.size.height)
    draw(job.peaks, job.size, in: frame.pointer.pointee)
    let count: Int
    switch job.format {
    case .png: count = try PNG.write(luma: frame, to: output)
    case .jpeg(let quality):
      let jpeg = try JPEG(frame.pointer, quality: quality)
      try jpeg.write(to: output)
      count = jpeg.count
    }
    return ThumbnailReport(size: job.size, choice: nil, bytes: count)
  }

  private static func draw(_ peaks: [UInt8], _ size: PictureSize, in frame: AVFrame) {
    let loudest = max(quietest, Double(peaks.max() ?? 0))
    let room = Double(size.height) * (1 - 2 * margin)
    for column in 0..<size.width {
      let first = column * peaks.count / size.width
      let next = max(first + 1, (column + 1) * peaks.count / size.width)
      let peak = peaks[min(first, peaks.count)..<min(next, peaks.count)].max() ?? 0
      // Silence is drawn as a line.
      let height = max(1, Int((Double(peak) / loudest * room).rounded()))
      fillLuma(
        frame, left: column, top: (size.height - height) / 2, width: 1, height: height, with: ink)
    }
  }
}

/// A picture in shades of grey, written without loss.
enum PNG {
  /// Writes the first plane of a frame, and returns how many bytes were written.
  static func write(luma frame: borrowing Frame, to output: OpenMedia) throws(HoldfastError) -> Int
  {
    let codec = try check(avcodec_find_encoder(AV_CODEC_ID_PNG), "write a PNG")
    var opening = avcodec_alloc_context3(codec)
    defer { avcodec_free_context(&opening) }
    let context = try check(opening, "write a PNG")
    context.pointee.width = frame.pointer.pointee.width
    context.pointee.height = frame.pointer.pointee.height
    context.pointee.pix_fmt = AV_PIX_FMT_GRAY8
    context.pointee.time_base = AVRational(num: 1, den: 1)
    context.pointee.thread_count = 1
    try check(avcodec_open2(context, codec, nil), "write a PNG")
    frame.pointer.pointee.format = AV_PIX_FMT_GRAY8.rawValue
    try check(avcodec_send_frame(context, frame.pointer), "write a PNG")
    let packet = try Packet()
    try check(avcodec_receive_packet(context, packet.pointer), "write a PNG")
    let bytes = UnsafeRawBufferPointer(
      start: packet.pointer.pointee.data, count: Int(packet.pointer.pointee.size))
    try output.write(bytes)
    return bytes.count
  }
}

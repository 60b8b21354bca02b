import CFFmpeg
import HoldfastModel

/// A measure of how much a small picture shows, judged by its brightness. The picture that will
/// become a thumbnail is judged, so this takes a fraction of a millisecond.
struct PictureScore {
  /// The average brightness, from 0 to 255.
  let mean: Double
  /// The standard deviation of the brightness.
  let deviation: Double
  /// The difference between neighbouring pixels that one pixel in a hundred exceeds.
  let gradient: Double

  /// The thresholds, found on clips of phones and of test suites and on artificial ones.
  private enum Threshold {
    /// Dim rooms have a mean of 9 or more, but a deviation of 20. An evening may have a seventh of
    /// the usual contrast. A lens cap, a black intro and the first picture of a fade have a
    /// deviation below 4, noise included.
    static let dark = (mean: 28.0, deviation: 6.0)
    /// Snow and white paper have a mean of up to 247, but a deviation of 30, because something is
    /// on them.
    static let bright = (mean: 222.0, deviation: 6.0)
    /// A uniform colour has a deviation of 1 or 2 from noise. The plainest real picture found had
    /// 7.
    static let flatDeviation = 5.0
    /// An edge in focus makes steps of 11 and more, even in the evening. A blur of a tenth of the
    /// picture's height leaves steps of 3 at most.
    static let blurredGradient = 4.0
    /// From these values on, a picture has all the contrast, sharpness and distance from black and
    /// white that count. Ordinary clips reach or exceed each.
    static let full = (deviation: 48.0, gradient: 32.0, distance: 64.0)
  }

  /// Measures the luma of a full-range frame.
  init(_ frame: UnsafeMutablePointer<AVFrame>) {
    guard let plane = frame.pointee.data.0 else {
      (mean, deviation, gradient) = (0, 0, 0)
      return
    }
    let luma = cff_luma(
      plane, frame.pointee.linesize.0, frame.pointee.width, frame.pointee.height)
    mean = luma.mean
    deviation = max(0, luma.variance).squareRoot()
    gradient = Double(luma.gradient)
  }

  /// The picture's fault; `nil` if it shows something.
  var fault: FrameChoice.Reason? {
    if mean < Threshold.dark.mean, deviation < Threshold.dark.deviation { return .dark }
    if mean > Threshold.bright.mean, deviation < Threshold.bright.deviation { return .bright }
    if deviation < Threshold.flatDeviation { return .flat }
    if gradient < Threshold.blurredGradient { return .blurred }
    return nil
  }

  /// The score, from 0 (shows nothing) to 1. It combines contrast, sharpness and distance from
  /// black and white. None of these makes up for the lack of another.
  var value: Double {
    let full = Threshold.full
    let distance = min(mean, 255 - mean)
    let parts = [
      deviation / full.deviation, gradient / full.gradient, distance / full.distance,
    ]
    return parts.reduce(1) { $0 * min(max($1, 0), 1) }.squareRoot()
  }
}

internal import CFFmpeg
internal import HoldfastModel

/// How much a small picture shows, judged by its brightness: what is about to become a thumbnail is
/// looked at, so that the judgement costs a fraction of a millisecond.
struct PictureScore {
  /// The average brightness, from 0 to 255.
  let mean: Double
  /// How far brightness strays from the average (the root of the variance).
  let deviation: Double
  /// The step between neighbours that one pixel in a hundred exceeds.
  let gradient: Double

  /// The thresholds, found on clips of phones and of test suites and on made ones.
  private enum Threshold {
    /// Dim rooms have an average from 9 on, but stray by 20; an evening may have a seventh of the
    /// usual contrast. A lens cap, a black intro and the first picture of a fade stray by less than
    /// 4, noise and all.
    static let dark = (mean: 28.0, deviation: 6.0)
    /// Snow and white paper have an average of up to 247, but stray by 30: something stands on them.
    static let bright = (mean: 222.0, deviation: 6.0)
    /// A uniform colour strays by 1 or 2 with its noise; the plainest real picture met by 7.
    static let flatDeviation = 5.0
    /// An edge in focus makes steps of 11 and more, even in the evening. What a blur of a tenth of
    /// the picture's height leaves are steps of 3 at most.
    static let blurredGradient = 4.0
    /// From here on a picture has all the contrast, sharpness and distance from black and white
    /// that count: ordinary clips reach or pass each.
    static let full = (deviation: 48.0, gradient: 32.0, distance: 64.0)
  }

  /// Looks at the luma of a frame of full range.
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

  /// What is wrong with it; `nil` if it shows something.
  var fault: FrameChoice.Reason? {
    if mean < Threshold.dark.mean, deviation < Threshold.dark.deviation { return .dark }
    if mean > Threshold.bright.mean, deviation < Threshold.bright.deviation { return .bright }
    if deviation < Threshold.flatDeviation { return .flat }
    if gradient < Threshold.blurredGradient { return .blurred }
    return nil
  }

  /// From 0, nothing, to 1: contrast, sharpness and distance from black and white, of which none
  /// makes up for the lack of another.
  var value: Double {
    let full = Threshold.full
    let distance = min(mean, 255 - mean)
    let parts = [
      deviation / full.deviation, gradient / full.gradient, distance / full.distance,
    ]
    return parts.reduce(1) { $0 * min(max($1, 0), 1) }.squareRoot()
  }
}

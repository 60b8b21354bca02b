import CFFmpeg
import HoldfastModel

/// The largest values that come out of a decoder, in each respect. A header describes only the
/// beginning of a stream, and later frames may be larger.
final class DecodedFormat {
  private(set) var picture: PictureFormat?
  private(set) var sound: SoundFormat?

  func addPictures(_ shape: FrameShape) {
    let format = AVPixelFormat(rawValue: shape.format)
    let next = PictureFormat(
      width: Int(shape.width), height: Int(shape.height), pixelFormat: format.name,
      bitDepth: format.bitDepth, dynamicRange: .init(shape.colour.transfer),
      isWideGamut: FrameColour.widePrimaries.contains(shape.colour.primaries))
    picture = picture?.union(next) ?? next
  }

  func addSound(_ shape: FrameShape) {
    let next = SoundFormat(sampleRate: Int(shape.sampleRate), channels: Int(shape.channels))
    sound = sound?.union(next) ?? next
  }
}

extension FFprobe {
  /// One stream, as ffprobe sees it.
  public struct Stream: Decodable, Sendable {
    /// The index in the file.
    public var index: Int
    /// `video`, `audio`, `subtitle` or `data`.
    public var codecType: String?
    /// The codec, such as `h264`.
    public var codecName: String?
    /// The four characters that the container has for the codec, such as `hvc1`.
    public var codecTag: String?
    /// The codec's profile, such as `High`.
    public var profile: String?
    /// The stored width in pixels.
    public var width: Int?
    /// The stored height in pixels.
    public var height: Int?
    /// The shape of a pixel, such as `4:3`.
    public var sampleAspectRatio: String?
    /// The pixel format, such as `yuv420p`.
    public var pixelFormat: String?
    /// The transfer function, such as `bt709`.
    public var colorTransfer: String?
    /// The primaries, such as `bt709`.
    public var colorPrimaries: String?
    /// The lowest rate that tells all times apart, such as `30/1`.
    public var frameRate: String?
    /// The average rate, such as `30/1`.
    public var averageFrameRate: String?
    /// Samples a second.
    public var sampleRate: Int?
    /// Number of channels.
    public var channels: Int?
    /// Start in seconds.
    public var startTime: Double?
    /// Duration in seconds by the header.
    public var duration: Double?
    /// Number of packets read.
    public var packetCount: Int?
    /// Whether the stream is the default of its kind.
    public var isDefault: Bool
    /// Whether the stream is cover art.
    public var isAttachedPicture: Bool
    /// The turn in ffprobe's terms: counter-clockwise degrees, -90 for a phone held upright.
    public var rotation: Int?
    /// The display matrix as ffprobe prints it, mirror included.
    public var displayMatrix: String?
    /// The stream's metadata.
    public var tags: [String: String]

    /// The viewer's clockwise turn of the stored picture in degrees, from 0 to 359.
    ///
    /// A mirror left to right is 180 here, because ffprobe has no mirrors.
    public var clockwiseTurn: Int { ((-(rotation ?? 0) % 360) + 360) % 360 }

    private enum CodingKeys: String, CodingKey {
      case index, profile, width, height, channels, duration, disposition, tags
      case codecType = "codec_type"
      case codecName = "codec_name"
      case codecTag = "codec_tag_string"
      case sampleAspectRatio = "sample_aspect_ratio"
      case pixelFormat = "pix_fmt"
      case colorTransfer = "color_transfer"
      case colorPrimaries = "color_primaries"
      case frameRate = "r_frame_rate"
      case averageFrameRate = "avg_frame_rate"
      case sampleRate = "sample_rate"
      case startTime = "start_time"
      case packetCount = "nb_read_packets"
      case sideData = "side_data_list"
    }

    private struct SideData: Decodable {
      var rotation: Double?
      var displaymatrix: String?
    }

    /// Reads ffprobe's JSON, in which most figures are strings.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      index = try values.decode(Int.self, forKey: .index)
      codecType = values.text(.codecType)
      codecName = values.text(.codecName)
      codecTag = values.text(.codecTag)
      profile = values.text(.profile)
      width = values.figure(.width).map { Int($0) }
      height = values.figure(.height).map { Int($0) }
      sampleAspectRatio = values.text(.sampleAspectRatio)
      pixelFormat = values.text(.pixelFormat)
      colorTransfer = values.text(.colorTransfer)
      colorPrimaries = values.text(.colorPrimaries)
      frameRate = values.text(.frameRate)
      averageFrameRate = values.text(.averageFrameRate)
      sampleRate = values.figure(.sampleRate).map { Int($0) }
      channels = values.figure(.channels).map { Int($0) }
      startTime = values.figure(.startTime)
      duration = values.figure(.duration)
      packetCount = values.figure(.packetCount).map { Int($0) }
      let disposition =
        try values.decodeIfPresent([String: Int].self, forKey: .disposition) ?? [:]
      isDefault = disposition["default"] == 1
      isAttachedPicture = disposition["attached_pic"] == 1
      let sideData = try values.decodeIfPresent([SideData].self, forKey: .sideData) ?? []
      rotation = sideData.compactMap(\.rotation).first.map { Int($0.rounded()) }
      displayMatrix = sideData.compactMap(\.displaymatrix).first
      tags = try values.decodeIfPresent([String: String].self, forKey: .tags) ?? [:]
    }
  }

  /// One packet, as ffprobe sees it.
  public struct Packet: Decodable, Sendable {
    /// The stream it belongs to.
    public var streamIndex: Int
    /// When it is presented, in seconds after edit lists.
    public var presentationTime: Double?
    /// When it is decoded, in seconds after edit lists.
    public var decodeTime: Double?
    /// How long it lasts, in seconds.
    public var duration: Double?
    /// Number of bytes.
    public var size: Int
    /// `K` for a keyframe, `D` for a packet that is decoded but not presented.
    public var flags: String
    /// Samples at the packet's start, and beyond, that a player drops.
    public var skippedSamples: Double
    /// Samples at the packet's end that a player drops.
    public var paddingSamples: Double

    /// Whether decoding can begin here.
    public var isKeyframe: Bool { flags.contains("K") }

    private enum CodingKeys: String, CodingKey {
      case size, flags
      case streamIndex = "stream_index"
      case presentationTime = "pts_time"
      case decodeTime = "dts_time"
      case duration = "duration_time"
      case sideData = "side_data_list"
    }

    private struct SideData: Decodable {
      var skip_samples: Double?
      var discard_padding: Double?
    }

    /// Reads ffprobe's JSON, in which most figures are strings.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      streamIndex = try values.decode(Int.self, forKey: .streamIndex)
      presentationTime = values.figure(.presentationTime)
      decodeTime = values.figure(.decodeTime)
      duration = values.figure(.duration)
      size = values.figure(.size).map { Int($0) } ?? 0
      flags = values.text(.flags) ?? ""
      let sideData = try values.decodeIfPresent([SideData].self, forKey: .sideData) ?? []
      skippedSamples = sideData.compactMap(\.skip_samples).max() ?? 0
      paddingSamples = sideData.compactMap(\.discard_padding).max() ?? 0
    }
  }

  /// A container's own description.
  public struct Format: Decodable, Sendable {
    /// The demuxer's names, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    public var name: String
    /// Start in seconds.
    public var startTime: Double?
    /// Duration in seconds by the header, or guessed.
    public var duration: Double?
    /// The file's metadata.
    public var tags: [String: String]

    private enum CodingKeys: String, CodingKey {
      case duration, tags
      case name = "format_name"
      case startTime = "start_time"
    }

    /// Reads ffprobe's JSON, in which most figures are strings.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      name = try values.decode(String.self, forKey: .name)
      startTime = values.figure(.startTime)
      duration = values.figure(.duration)
      tags = try values.decodeIfPresent([String: String].self, forKey: .tags) ?? [:]
    }
  }
}

extension KeyedDecodingContainer {
  /// The text under a key; `nil` if there is none.
  fileprivate func text(_ key: Key) -> String? {
    try? decodeIfPresent(String.self, forKey: key)
  }

  /// The figure under a key, whether it is written as a number or as a string.
  fileprivate func figure(_ key: Key) -> Double? {
    if let number = try? decodeIfPresent(Double.self, forKey: key) { return number }
    return text(key).flatMap(Double.init)
  }
}

internal import Foundation

/// How messages are written into frames: as JSON.
package enum WireCoding {
  /// The bytes of a message.
  ///
  /// - Throws: ``WireError/malformed(_:)`` for a value that cannot be written.
  package static func encode(_ message: some Encodable) throws(WireError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do { return Array(try encoder.encode(message)) } catch {
      throw .malformed("it cannot be written")
    }
  }

  /// The message that `bytes` hold.
  ///
  /// - Throws: ``WireError/malformed(_:)`` when they hold none.
  package static func decode<Message: Decodable>(
    _ type: Message.Type, from bytes: [UInt8]
  ) throws(WireError) -> Message {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do { return try decoder.decode(type, from: Data(bytes)) } catch {
      throw .malformed("it is not what was to be expected")
    }
  }
}

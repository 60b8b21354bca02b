import Foundation

/// Writes messages into frames, and reads them, as JSON.
package enum WireCoding {
  package static func encode(_ message: some Encodable) throws(WireError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do { return Array(try encoder.encode(message)) } catch {
      throw .malformed("it cannot be written")
    }
  }

  package static func decode<Message: Decodable>(
    _ type: Message.Type, from bytes: [UInt8]
  ) throws(WireError) -> Message {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do { return try decoder.decode(type, from: Data(bytes)) } catch {
      throw .malformed("it is not the expected message")
    }
  }
}

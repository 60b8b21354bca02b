import Foundation
import Holdfast
import NIOCore
import NIOPosix

/// A socket that only this user can open, where a running server gives out links.
///
/// Without the folder of the user's session, the socket is missing, and each call starts another
/// server.
struct ControlSocket: Sendable {
  let path: String

  /// - Parameter library: The library's identity, which copies of the library share; `nil` without
  ///   a library.
  init?(
    for library: UUID?, at place: String,
    in environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
    let place = URL(filePath: place).resolvingSymlinksInPath().path(percentEncoded: false)
    let hash = SHA256Digest(hashing: Array("\(library?.uuidString ?? "none") \(place)".utf8))
    path = "\(folder)/holdfast-\(hash.hexadecimal.prefix(24)).socket"
    // A socket's name has at most 107 bytes.
    guard path.utf8.count <= 107 else { return nil }
  }

  func askForLink() async -> String? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .connectTimeout(.seconds(2))
        .connect(unixDomainSocketPath: path) { channel in
          channel.eventLoop.makeCompletedFuture {
            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
          }
        }
      // A server that is stopped does not answer.
      let limit = channel.channel.eventLoop.scheduleTask(in: .seconds(2)) {
        channel.channel.close(promise: nil)
      }
      defer { limit.cancel() }
      let text = try await channel.executeThenClose { inbound, _ in
        var text = ""
        for try await buffer in inbound { text += String(buffer: buffer) }
        return text
      }
      return text.hasPrefix("http://") ? text : nil
    } catch {
      // The server that made it has ended.
      return nil
    }
  }

  /// Gives a new link to each program of this user that asks, until the task is cancelled.
  func giveLinks(_ makeLink: @escaping @Sendable () -> String) async throws {
    let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await server.executeThenClose { inbound in
      for try await connection in inbound {
        try? await connection.executeThenClose { _, outbound in
          try await outbound.write(ByteBuffer(string: makeLink()))
          outbound.finish()
        }
      }
    }
  }
}

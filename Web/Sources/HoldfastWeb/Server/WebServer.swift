internal import Foundation
public import Holdfast
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization

/// A library as pages in a browser, on this computer only.
public struct WebServer: Sendable {
  private let options: WebOptions
  private let engine: any MediaEngine

  /// Makes a server, which ``run(started:)`` starts.
  ///
  /// - Parameters:
  ///   - options: How the library is served.
  ///   - engine: The engine that reads and makes media files.
  public init(_ options: WebOptions, engine: any MediaEngine) {
    self.options = options
    self.engine = engine
  }

  /// Serves until the process is told to end, or nobody has used it for a while.
  ///
  /// If another server has the library, the link leads there, and nothing more is done.
  ///
  /// - Parameter started: Takes the link that opens the library, once the server can be reached, and
  ///   whether the server was running already.
  /// - Throws: `LibraryError` when there is no library, and a system error when the port is taken.
  public func run(started: @escaping @Sendable (String, Bool) -> Void) async throws {
    let host = LibraryHost(at: options.location, options.journals, engine: engine)
    // Without a library, nobody should be sent to a page that only says so.
    let library = try await host.read { try $0.uuid() }
    let socket = ControlSocket(for: library, in: ProcessInfo.processInfo.environment)
    if let link = await socket?.askForLink() {
      started(link, true)
      return try await host.close()
    }
    let imports = Imports(host: host)
    let site = SiteBox()
    let idle = IdleWatch(after: options.idle)
    var logger = Logger(label: "holdfast-web")
    logger.logLevel = .error
    let application = Application(
      responder: SiteResponder(site: site, idle: idle),
      server: .http1(
        configuration: .init(
          idleTimeout: .seconds(60),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100))),
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: options.port), serverName: nil),
      services: [Links(socket: socket, site: site), EndOfImports(imports: imports)],
      onServerRunning: { channel in
        let address = ServerAddress(
          usesPlainHost: options.usesPlainHost, port: channel.localAddress?.port ?? options.port)
        let made = Site(host: host, imports: imports, address: address)
        site.set(made)
        started(made.newLink(), false)
      },
      logger: logger)
    try await idle.run { try await application.runService() }
    imports.cancelAll()
    try await host.close()
  }
}

/// Gives out links as long as the server runs.
private struct Links: Service {
  let socket: ControlSocket?
  let site: SiteBox

  func run() async throws {
    await cancelWhenGracefulShutdown {
      // Without it, a second server would only be another one.
      try? await socket?.giveLinks { site.value?.newLink() ?? "" }
    }
    try await gracefulShutdown()
  }
}

/// Undoes the imports that are in progress when the server ends, as Ctrl-C does with the command.
private struct EndOfImports: Service {
  let imports: Imports

  func run() async throws {
    try await gracefulShutdown()
    imports.cancelAll()
  }
}

/// The site, which is known once the server has its port.
final class SiteBox: Sendable {
  private let site = Mutex<Site?>(nil)

  func set(_ value: Site) { site.withLock { $0 = value } }
  var value: Site? { site.withLock { $0 } }
}

/// Answers each request by the site.
struct SiteResponder: HTTPResponder {
  let site: SiteBox
  let idle: IdleWatch

  func respond(to request: Request, context: WebContext) async throws -> Response {
    idle.touch()
    guard let site = site.value else {
      return WebProblem(.serviceUnavailable, "starting", "Holdfast is starting").pageResponse
    }
    return try await site.responder.respond(to: request, context: context)
  }
}

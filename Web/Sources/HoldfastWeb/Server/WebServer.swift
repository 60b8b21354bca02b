import Foundation
public import Holdfast
import HoldfastSupport
import Hummingbird
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Serves a library as pages for browsers on this computer.
public struct WebServer: Sendable {
  private let options: WebOptions
  private let engine: any MediaEngine

  /// Makes a server, which ``run(started:)`` starts.
  public init(_ options: WebOptions, engine: any MediaEngine) {
    self.options = options
    self.engine = engine
  }

  /// Serves until the process is told to end, or the server was idle for a while.
  ///
  /// If another server has the library, this only returns a link to that server.
  ///
  /// - Parameter started: Called with the link that opens the library, once the server can be
  ///   reached, and with whether the server was running already.
  /// - Throws: `HoldfastError` when the library is missing, and an error about the address when
  ///   another program has the port.
  public func run(started: @escaping @Sendable (String, Bool) -> Void) async throws {
    let host = LibraryHost(
      at: options.location,
      options.others.map { $0.journal } + options.journals.map { $0.journal }, engine: engine)
    let socket = try await socket(for: host)
    if let link = await socket?.askForLink() {
      started(link, true)
      return try await host.close()
    }
    // Imports and copies share one limit.
    let semaphore = AsyncSemaphore(Imports.most)
    let imports = Imports(host: host, semaphore: semaphore)
    let copies = Copies(host: host, semaphore: semaphore)
    let runs = Runs()
    let site = SiteBox()
    let idle = IdleWatch(after: options.idle) {
      imports.areRunning || copies.areRunning || runs.areRunning
    }
    var logger = Logger(label: "holdfast-web")
    logger.logLevel = .error
    let servers = LoopbackServers(
      port: options.port, responder: SiteResponder(site: site, idle: idle), logger: logger
    ) { port in
      let made = Site(
        host: host, imports: imports, copies: copies, runs: runs, options: options,
        address: ServerAddress(usesPlainHost: options.usesPlainHost, port: port))
      site.set(made)
      started(made.newLink(), false)
    }
    // Services end in the reverse order: imports stop first, then links.
    var services = ServiceGroupConfiguration(
      services: [
        .init(service: servers, successTerminationBehavior: .gracefullyShutdownGroup),
        .init(service: Links(host: host, socket: host.hasOpened ? nil : socket, site: site)),
        .init(
          service: EndOfUse(imports: imports, copies: copies, runs: runs, idle: idle),
          successTerminationBehavior: .gracefullyShutdownGroup),
      ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // A client that reads slowly, such as a paused player, must not keep the server running.
    services.maximumGracefulShutdownDuration = .seconds(3)
    do {
      try await ServiceGroup(configuration: services).run()
    } catch is CancellationError {
      // A client was still connected.
    }
    try await host.close()
  }

  /// The socket of the server of this library, or of this place without a library.
  private func socket(for host: LibraryHost) async throws -> ControlSocket? {
    do {
      let (library, place) = try await host.read { (try $0.uuid(), $0.path) }
      return ControlSocket(for: library, at: place)
    } catch is HoldfastError where options.startsWithoutLibrary {
      return ControlSocket(for: nil, at: options.location.path)
    }
  }
}

/// Gives out links while the server runs.
private struct Links: Service {
  let host: LibraryHost
  /// The socket while the library is missing.
  let socket: ControlSocket?
  let site: SiteBox

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await give(at: socket) }
        for await (library, place) in host.opened {
          group.addTask { await give(at: ControlSocket(for: library, at: place)) }
        }
      }
    }
    try await gracefulShutdown()
  }

  /// Without the socket, the next call just starts another server.
  private func give(at socket: ControlSocket?) async {
    try? await socket?.giveLinks { site.value?.newLink() ?? "" }
  }
}

/// Ends the server when it was idle for long. Imports and backups in progress are then undone, as
/// Ctrl-C does with the command.
private struct EndOfUse: Service {
  let imports: Imports
  let copies: Copies
  let runs: Runs
  let idle: IdleWatch

  func run() async throws {
    await cancelWhenGracefulShutdown { await idle.wait() }
    await copies.end()
    await runs.end()
    await imports.end()
  }
}

/// The site, which is known once the server has its port.
final class SiteBox: Sendable {
  private let site = Mutex<Site?>(nil)

  func set(_ value: Site) { site.withLock { $0 = value } }
  var value: Site? { site.withLock { $0 } }
}

/// Answers each request with the site.
struct SiteResponder: HTTPResponder {
  let site: SiteBox
  let idle: IdleWatch

  /// Up to this many bytes, an answer is sent at once.
  private static let short = 1 << 18

  func respond(to request: Request, context: WebContext) async throws -> Response {
    guard let site = site.value else {
      return WebProblem(.serviceUnavailable, code: "starting", detail: "Holdfast is starting")
        .pageResponse
    }
    // Only browsers that have opened a link keep the server running.
    let isUse = site.knows(request)
    if isUse { idle.begin() }
    defer { if isUse { idle.end() } }
    var response = try await site.responder.respond(to: request, context: context)
    if !isUse {
      let opensLink = response.status == .ok && response.headers[.setCookie] != nil
      if opensLink {
        idle.begin()
        idle.end()
      }
      return response
    }
    guard response.body.contentLength.map({ $0 > Self.short }) ?? true else { return response }
    // The server is in use while an answer is sent, however long that takes.
    let body = response.body
    response.body = ResponseBody(contentLength: body.contentLength) { writer in
      idle.begin()
      defer { idle.end() }
      try await body.write(writer)
    }
    return response
  }
}

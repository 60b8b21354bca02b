import Glibc
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The servers of both loopback addresses, which have one port and answer the same.
///
/// Browsers try `::1` first for a name below `localhost`. If another user's program had that port,
/// it would get the link's token and the cookie.
struct LoopbackServers: Service {
  /// The names of the addresses, as the system resolves them.
  private static let version4 = "127.0.0.1"
  private static let version6 = "::1"
  /// The most ports to try when any port may be used.
  private static let mostTries = 1000

  /// The port; 0 for any port that is free at both addresses.
  let port: Int
  let responder: SiteResponder
  let logger: Logger
  let started: @Sendable (Int) -> Void
  private let memory = MemoryReturn()

  init(
    port: Int, responder: SiteResponder, logger: Logger, started: @escaping @Sendable (Int) -> Void
  ) {
    self.port = port
    self.responder = responder
    self.logger = logger
    self.started = started
  }

  /// Serves until the group is told to end.
  func run() async throws {
    for _ in 1..<Self.mostTries where port == 0 {
      do {
        return try await serve()
      } catch let error as UnusableAddress where error.number == EADDRINUSE {
        // Another program has this port at the other address.
      }
    }
    try await serve()
  }

  private func serve() async throws {
    let (hosts, free) = try await Self.hosts()
    let port = port == 0 ? free : port
    let running = Atomic(0)
    let servers = hosts.map { host in
      LoopbackServer(
        host: host, port: port, responder: responder, logger: logger, memory: memory
      ) {
        let count = running.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
        if count == hosts.count { started(port) }
      }
    }
    // If one server cannot start, the other ends too.
    let services = servers.map { server in
      ServiceGroupConfiguration.ServiceConfiguration(
        service: server, successTerminationBehavior: .gracefullyShutdownGroup,
        failureTerminationBehavior: .gracefullyShutdownGroup)
    }
    try await ServiceGroup(configuration: .init(services: services, logger: logger)).run()
  }

  /// Returns the addresses of this computer, and a port that is free at the last one. Without IPv6,
  /// `::1` is missing.
  private static func hosts() async throws -> (hosts: [String], freePort: Int) {
    do {
      return ([version4, version6], try await freePort(at: version6))
    } catch let error as IOError where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.errnoCode) {
      return ([version4], try await freePort(at: version4))
    }
  }

  private static func freePort(at host: String) async throws -> Int {
    let socket = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .bind(host: host, port: 0).get()
    let port = socket.localAddress?.port
    try await socket.close()
    return port ?? 0
  }
}

private struct LoopbackServer: Service {
  let host: String
  let port: Int
  let responder: SiteResponder
  let logger: Logger
  let memory: MemoryReturn
  /// Called once the server can be reached.
  let running: @Sendable () -> Void

  func run() async throws {
    do { try await application.run() } catch let error as IOError {
      throw UnusableAddress(host: host, port: port, number: error.errnoCode)
    }
  }

  private var application: Application<SiteResponder> {
    Application(
      responder: responder,
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [ShortQueue(), EndOfConnection(memory)],
          idleTimeout: .seconds(60),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100))),
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port), serverName: nil),
      onServerRunning: { _ in running() }, logger: logger)
  }
}

/// A port that cannot be used at one of the two loopback addresses.
struct UnusableAddress: Error, CustomStringConvertible {
  let host: String
  let port: Int
  let number: CInt

  var description: String {
    let address = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    guard number == EADDRINUSE else {
      // SAFETY: the system's text is copied at once.
      return "could not serve at \(address): \(unsafe String(cString: strerror(number)))"
    }
    return "another program has \(address), and would see what a browser sends there; end it, or "
      + "use another --port"
  }
}

/// Keeps each connection's queue of unsent bytes short: many players pause for hours.
private final class ShortQueue: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Never

  func handlerAdded(context: ChannelHandlerContext) {
    let mark = ChannelOptions.Types.WriteBufferWaterMark(low: 1 << 12, high: 1 << 14)
    context.channel.setOption(.writeBufferWaterMark, value: mark).whenComplete { _ in }
  }
}

/// Notes the end of each connection.
private final class EndOfConnection: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Never
  private let memory: MemoryReturn

  init(_ memory: MemoryReturn) { self.memory = memory }

  func channelInactive(context: ChannelHandlerContext) {
    memory.noteEnd()
    context.fireChannelInactive()
  }
}

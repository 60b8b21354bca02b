// swift-tools-version: 6.2
import PackageDescription

/// The journals that have pages. Each is a target (`HoldfastFoodPages`), a line here, and one in
/// Sources/HoldfastWebProgram/Journals.swift; scripts/check-wall takes one away.
let journals: [String] = [
  "HoldfastFood",
  "HoldfastHabits",
  "HoldfastFaith",
]

// The library in a browser. It is a package of its own, so that nobody who only wants the command
// compiles a web server.
let package = Package(
  name: "holdfast-web",
  products: [
    .executable(name: "holdfast-web", targets: ["HoldfastWebProgram"]),
    .library(name: "HoldfastWeb", targets: ["HoldfastWeb"]),
  ],
  dependencies: [
    .package(name: "holdfast", path: ".."),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
  ],
  targets: [
    .systemLibrary(name: "CMalloc"),
    .target(
      name: "HoldfastWeb",
      dependencies: [
        "CMalloc",
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      resources: [
        .embedInCode("Resources/style.css"), .embedInCode("Resources/script.js"),
        .embedInCode("Resources/icon.svg"),
      ]),
    // The pages that every library has, besides those of its recordings.
    .target(
      name: "HoldfastCravingsPages",
      dependencies: [
        "HoldfastWeb",
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastCravings", package: "holdfast"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Mustache", package: "swift-mustache"),
      ]),
    .executableTarget(
      name: "HoldfastWebProgram",
      dependencies: [
        "HoldfastWeb", "HoldfastCravingsPages",
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "holdfast-worker", package: "holdfast"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ] + journals.map { .target(name: $0 + "Pages") }),
    .testTarget(
      name: "HoldfastWebTests",
      dependencies: [
        "HoldfastWeb",
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]),
  ]
)

for journal in journals {
  package.targets.append(
    .target(
      name: journal + "Pages",
      dependencies: [
        "HoldfastWeb",
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: journal, package: "holdfast"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Mustache", package: "swift-mustache"),
      ]))
}

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(), .treatAllWarnings(as: .error),
  ]
  // See the package of the library.
  if Context.environment["HOLDFAST_RELEASE_TESTS"] != nil, target.type != .test {
    target.swiftSettings?.append(.unsafeFlags(["-enable-testing"]))
  }
}

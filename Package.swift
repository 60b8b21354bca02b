// swift-tools-version: 6.2
import PackageDescription

/// The journals, which know the library, and which the library does not know. Each is a library of
/// its own (`HoldfastFood`), commands (`HoldfastFoodCommands`), tests (`HoldfastFoodTests`), a line
/// here, and one in Sources/HoldfastCLI/Journals.swift; scripts/check-wall takes one away.
let journals: [String] = [
  "HoldfastFood",
  "HoldfastHabits",
  "HoldfastFaith",
]

let package = Package(
  name: "holdfast",
  products: [
    .executable(name: "holdfast", targets: ["HoldfastProgram"]),
    .executable(name: "holdfast-worker", targets: ["HoldfastWorkerProgram"]),
    .library(
      name: "Holdfast",
      targets: ["Holdfast", "HoldfastModel", "HoldfastSupport", "HoldfastWorkerPool"]),
    // The values alone, for any platform that has Foundation.
    .library(name: "HoldfastModel", targets: ["HoldfastModel"]),
    .library(name: "HoldfastTesting", targets: ["HoldfastTesting"]),
    .library(name: "HoldfastMedia", targets: ["HoldfastMedia"]),
    .library(name: "HoldfastCravings", targets: ["HoldfastCravings"]),
  ] + journals.map { .library(name: $0, targets: [$0]) },
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: [
    // Thin C around the system's libraries.
    .target(
      name: "CFFmpeg",
      linkerSettings: [
        .linkedLibrary("avformat"), .linkedLibrary("avcodec"), .linkedLibrary("avfilter"),
        .linkedLibrary("avutil"), .linkedLibrary("swscale"),
      ]),
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "CLinux"),
    // Checks the limits on a program before it runs. Only programs link it.
    .target(name: "CStartup"),
    .target(name: "CNettle", linkerSettings: [.linkedLibrary("nettle")]),
    .target(name: "CSQLite"),
    .target(name: "CSeccomp", linkerSettings: [.linkedLibrary("seccomp")]),

    .target(name: "HoldfastModel"),
    .target(name: "HoldfastSupport", dependencies: ["HoldfastModel", "CLinux", "CNettle"]),
    .target(
      name: "HoldfastMedia",
      dependencies: ["HoldfastModel", "HoldfastSupport", "CFFmpeg", "CJPEG"]),
    .target(
      name: "HoldfastStorage",
      dependencies: [
        "HoldfastModel", "HoldfastSupport", "CLinux",
        // It takes paths apart that need not be text.
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .target(
      name: "HoldfastCatalog",
      dependencies: [
        "HoldfastModel", "HoldfastSupport", "CSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .target(name: "HoldfastWire", dependencies: ["HoldfastModel", "HoldfastSupport", "CLinux"]),
    .target(
      name: "HoldfastWorker",
      dependencies: ["HoldfastModel", "HoldfastSupport", "HoldfastWire", "CLinux", "CSeccomp"]),
    .target(
      name: "HoldfastWorkerPool",
      dependencies: [
        "HoldfastModel", "HoldfastSupport", "HoldfastWire", "CLinux",
      ]),
    .target(
      name: "Holdfast",
      dependencies: ["HoldfastModel", "HoldfastSupport", "HoldfastStorage", "HoldfastCatalog"]),
    // A library for the tests of a program that uses Holdfast.
    .target(name: "HoldfastTesting", dependencies: ["Holdfast"]),
    // Cravings, usage and kind messages, which every library has.
    .target(name: "HoldfastCravings", dependencies: ["Holdfast"]),
    // What the commands share, whether the core's or a journal's.
    .target(
      name: "HoldfastConsole",
      dependencies: [
        "Holdfast", "HoldfastModel", "HoldfastWorkerPool", "CLinux",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(
      name: "HoldfastCLI",
      dependencies: [
        "Holdfast", "HoldfastConsole", "HoldfastCravings", "HoldfastCravingsCommands",
        "HoldfastModel", "HoldfastSupport", "HoldfastWorkerPool", "CLinux",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ] + journals.map { .target(name: $0 + "Commands") }),
    .target(
      name: "HoldfastCravingsCommands",
      dependencies: [
        "Holdfast", "HoldfastConsole", "HoldfastCravings", "HoldfastModel",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(name: "HoldfastProgram", dependencies: ["HoldfastCLI", "CStartup"]),
    .executableTarget(
      name: "HoldfastWorkerProgram", dependencies: ["HoldfastWorker", "HoldfastMedia", "CStartup"]),

    .testTarget(
      name: "HoldfastModelTests",
      dependencies: ["HoldfastCravings", "HoldfastModel", "HoldfastTestSupport"]),
    .testTarget(
      name: "HoldfastMediaTests",
      dependencies: [
        "Holdfast", "HoldfastMedia", "HoldfastModel", "HoldfastTestSupport", "HoldfastWorkerPool",
      ]),
    .testTarget(
      name: "HoldfastStorageTests",
      dependencies: [
        "HoldfastStorage", "HoldfastModel", "HoldfastSupport", "HoldfastTestSupport",
      ]),
    .testTarget(
      name: "HoldfastCatalogTests",
      dependencies: [
        "HoldfastCatalog", "HoldfastCravings", "HoldfastModel", "HoldfastTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "HoldfastTests",
      dependencies: [
        "Holdfast", "HoldfastCravings", "HoldfastModel", "HoldfastStorage", "HoldfastTestSupport",
      ]),
    .testTarget(
      name: "HoldfastCravingsTests",
      dependencies: ["HoldfastCatalog", "HoldfastCravings", "HoldfastTestSupport"]),
    .testTarget(
      name: "HoldfastCLITests",
      dependencies: [
        "Holdfast", "HoldfastCLI", "HoldfastConsole", "HoldfastCravings",
        "HoldfastCravingsCommands", "HoldfastModel", "HoldfastProgram", "HoldfastStorage",
        "HoldfastSupport", "HoldfastTestSupport", "HoldfastWorkerPool", "HoldfastWorkerProgram",
      ]),
    .testTarget(
      name: "HoldfastWorkerTests",
      dependencies: [
        "CEscape", "Holdfast", "HoldfastMedia", "HoldfastModel", "HoldfastProgram",
        "HoldfastTestSupport",
        "HoldfastTestWorker", "HoldfastWire", "HoldfastWorkerPool", "HoldfastWorkerProgram",
      ]),
    // The code that the documentation shows. It sees what a package that uses the products sees.
    .testTarget(
      name: "HoldfastDocumentationTests",
      dependencies: [
        "Holdfast", "HoldfastCravings", "HoldfastMedia", "HoldfastModel", "HoldfastProgram",
        "HoldfastTesting", "HoldfastTestSupport", "HoldfastWorkerPool", "HoldfastWorkerProgram",
      ],
      packageAccess: false),
    // A worker that does what a decoder may do that a file has taken over.
    .executableTarget(
      name: "HoldfastTestWorker",
      dependencies: [
        "CEscape", "HoldfastMedia", "HoldfastModel", "HoldfastSupport", "HoldfastWire",
        "HoldfastWorker",
      ],
      path: "Tests/Support/HoldfastTestWorker"),
    .target(name: "CEscape", path: "Tests/Support/CEscape"),
    // What the test targets share: temporary folders, fixtures, and other people's programs.
    .target(
      name: "HoldfastTestSupport",
      dependencies: [
        "Holdfast", "HoldfastCravings", "HoldfastModel", "HoldfastSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/Support/HoldfastTestSupport"),
  ]
)

for journal in journals {
  package.targets += [
    .target(name: journal, dependencies: ["Holdfast"]),
    .target(
      name: journal + "Commands",
      dependencies: [
        "Holdfast", "HoldfastConsole", "HoldfastModel", .target(name: journal),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: journal + "Tests", dependencies: ["HoldfastTestSupport", .target(name: journal)]),
  ]
}

// The code that reads untrusted text, and the promises it must keep. The tests feed it some
// thousand damaged examples. scripts/fuzz-parsers builds HoldfastFuzzer, which feeds it as many as
// there is time for.
package.targets += [
  .target(
    name: "HoldfastFuzzTargets",
    dependencies: [
      "HoldfastCatalog", "HoldfastCravings", "HoldfastModel", "HoldfastStorage", "HoldfastWire",
    ],
    path: "Fuzzing/HoldfastFuzzTargets"),
  .testTarget(
    name: "HoldfastFuzzTests", dependencies: ["HoldfastFuzzTargets", "HoldfastTestSupport"]),
]
let isForFuzzer = Context.environment["HOLDFAST_FUZZER"] != nil
if isForFuzzer {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Fuzzing/CLibFuzzer"),
    .executableTarget(
      name: "HoldfastFuzzer", dependencies: ["HoldfastFuzzTargets", "CLibFuzzer"],
      path: "Fuzzing/HoldfastFuzzer"),
  ]
  // What libFuzzer learns from is our own code.
  for target in package.targets where target.name.hasPrefix("Holdfast") {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer"])]
  }
}

/// Targets that have no business with pointers.
let pointerFree =
  [
    "HoldfastModel", "HoldfastSupport", "HoldfastCatalog", "HoldfastWorkerPool", "Holdfast",
    "HoldfastTesting", "HoldfastConsole", "HoldfastCLI", "HoldfastProgram", "HoldfastWorkerProgram",
    "HoldfastCravings", "HoldfastCravingsCommands",
  ] + journals + journals.map { $0 + "Commands" }

/// Whether tests are to be built for a release, as .ci/run does. They then need what is internal in
/// it, and are not worth the time that their optimisation takes.
let hasReleaseTests = Context.environment["HOLDFAST_RELEASE_TESTS"] != nil

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  let isC = target.name.hasPrefix("C")
  guard !isC else { continue }
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .treatAllWarnings(as: .error),
    ] + (pointerFree.contains(target.name) ? [.strictMemorySafety()] : [])
  if hasReleaseTests {
    let isForTests = target.type == .test || target.path?.hasPrefix("Tests/") == true
    let flags =
      isForTests
      ? ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode", "-num-threads", "0"]
      : ["-enable-testing"]
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
  }
}

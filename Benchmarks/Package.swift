// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "holdfast-benchmarks",
  products: [
    .executable(name: "bench", targets: ["HoldfastBenchmarks"]),
    .executable(name: "bench-in-process", targets: ["HoldfastInProcess"]),
  ],
  dependencies: [
    // Without the name, its identity would be the name of the checkout's folder.
    .package(name: "holdfast", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    // It runs and times programs. It contains no part of Holdfast, so it builds quickly.
    .executableTarget(
      name: "HoldfastBenchmarks",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
    // `bench worker` compares the command with this.
    .executableTarget(
      name: "HoldfastInProcess",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastMedia", package: "holdfast"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
  ]
}

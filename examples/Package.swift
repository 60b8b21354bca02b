// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "keepsake",
  dependencies: [
    // In a package of your own, this is the URL of Holdfast and a version.
    .package(name: "holdfast", path: "..")
  ],
  targets: [
    .executableTarget(
      name: "keepsake",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastCravings", package: "holdfast"),
        .product(name: "holdfast-worker", package: "holdfast"),
      ]),
    .executableTarget(
      name: "sleepdiary",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastCravings", package: "holdfast"),
      ]),
  ]
)

/// The names of tags that say where and with what device a file was recorded, in lower case.
package enum OriginTag {
  private static let names: Set = [
    "make", "model", "software", "com.android.manufacturer", "com.android.model",
    "com.android.version", "com.apple.quicktime.make", "com.apple.quicktime.model",
    "com.apple.quicktime.software", "com.apple.quicktime.creationdate",
  ]

  package static func namesPlace(_ name: String) -> Bool {
    ["location", "gps", "iso6709"].contains { name.contains($0) }
  }

  package static func includes(_ name: String) -> Bool {
    namesPlace(name) || names.contains(name) || name.hasPrefix("com.apple.quicktime.camera.")
  }
}

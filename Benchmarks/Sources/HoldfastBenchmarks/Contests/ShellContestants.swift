import Foundation

extension Contestant {
  /// A shell script that does something with each file `$f`, one after the other.
  static func each(_ name: String, _ script: String, _ files: [String]) -> Contestant {
    let shell = ["bash", "-ec", "for f; do\n\(script)\ndone", "each"]
    return Contestant(name: name, command: shell + files, warmUp: shell + files.prefix(1))
  }
}

extension Workbench {
  /// The same script under GNU parallel, for as many files at a time as there are cores.
  func inParallel(_ name: String, _ script: String, _ files: [String]) throws -> Contestant {
    let file = try write("set -e\nf=$1\n\(script)\n", to: "parallel.\(UUID().uuidString).sh")
    let parallel = words("parallel --will-cite --halt now,fail=1 -j \(cores) bash") + [file, ":::"]
    return Contestant(name: name, command: parallel + files, warmUp: parallel + files.prefix(1))
  }
}

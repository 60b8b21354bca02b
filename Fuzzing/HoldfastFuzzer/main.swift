// Runs libFuzzer on one target: `HoldfastFuzzer TARGET [libFuzzer's own arguments]`.
//
// `HoldfastFuzzer seeds FOLDER` writes each target's examples and dictionary for libFuzzer to begin
// with, and prints the targets' names.

import CLibFuzzer
import Foundation
import HoldfastFuzzTargets

let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "seeds" {
  for target in FuzzTarget.allCases {
    try writeSeeds(of: target, in: "\(arguments[2])/\(target.rawValue)")
    print(target.rawValue)
  }
  exit(0)
}

func writeSeeds(of target: FuzzTarget, in folder: String) throws {
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  for (number, example) in try target.examples.enumerated() {
    try example.write(to: URL(filePath: "\(folder)/\(number)"))
  }
  let words = target.words.map { word in
    "\"" + word.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\"\n"
  }
  try Data(words.joined().utf8).write(to: URL(filePath: folder + ".dict"))
}

guard arguments.count > 1, let target = FuzzTarget(rawValue: arguments[1]) else {
  print("Name one of: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")).")
  exit(64)
}

// C calls back a function without context.
let fed = target
var count = CInt(arguments.count - 1)
var pointers: [UnsafeMutablePointer<CChar>?] =
  ([arguments[0]] + arguments.dropFirst(2)).map { strdup($0) } + [nil]
let status = pointers.withUnsafeMutableBufferPointer { buffer in
  var start = buffer.baseAddress
  return LLVMFuzzerRunDriver(&count, &start) { bytes, count in
    do {
      try fed.feed(Data(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
      fatalError("\(error)")
    }
    return 0
  }
}
exit(status)

import Foundation
import HoldfastMedia
import HoldfastModel

let engine = FFmpegEngine()
let out = CommandLine.arguments[1]
for path in CommandLine.arguments.dropFirst(2) {
  let fd = unsafe open(path, O_RDONLY | O_NONBLOCK)
  let media = OpenMedia(descriptor: fd, name: (path as NSString).lastPathComponent)
  defer { close(fd) }
  do {
    let info = try await engine.probe(media, depth: .packets)
    var plan = try ConversionPlan(for: info)
    let name = out + "/" + media.name + "." + plan.type.fileExtension
    func attempt() async throws -> (ConversionReport, CheckReport) {
      let o = unsafe open(name, O_RDWR | O_CREAT | O_TRUNC, 0o600)
      defer { close(o) }
      let om = OpenMedia(descriptor: o, name: "out." + plan.type.fileExtension)
      let report = try await engine.convert(plan, source: media, output: om, progress: { _ in })
      let check = try await engine.check(report, source: media, output: om)
      if plan.type == .video {
        let t = unsafe open(name + ".jpg", O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { close(t) }
        let r = try await engine.thumbnail(ThumbnailJob(), source: om, output: OpenMedia(descriptor: t, name: "t.jpg"))
        print("   thumb", r.size.width, r.size.height, r.seconds, r.bytes)
      }
      return (report, check)
    }
    var note = ""
    var result: (ConversionReport, CheckReport)
    do { result = try await attempt() } catch where plan.copiesAny {
      note = "COPY FAILED \(error); "
      plan = plan.encodingAll(because: "copy failed")
      result = try await attempt()
    }
    print("OK\t\(path)\t\(info.type!.rawValue)\t\(info.duration!)\t\(result.1.duration)\tv:\(plan.video.map { $0.encodedBecause ?? "copy" } ?? "-")\ta:\(plan.audio.map { $0.encodedBecause ?? "copy" } ?? "-")\t\(note)\(info.warnings + result.0.warnings)")
  } catch {
    print("NO\t\(path)\t\(error)")
  }
}

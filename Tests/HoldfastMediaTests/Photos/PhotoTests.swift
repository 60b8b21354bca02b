import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A photo", .temporaryFolder)
struct PhotoTests {
  private func temporary(_ name: String) -> String { "\(TemporaryFolder.current)/\(name)" }

  private func run(_ script: String, _ arguments: String...) async throws {
    _ = try await Command.output(of: "bash", ["-ec", script, "bash"] + arguments)
  }

  private func text(_ program: String, _ arguments: String...) async throws -> String {
    try await Command.output(of: program, arguments).output
  }

  private func write(
    _ path: String, to name: String = "photo.jpg"
  ) async throws -> (report: PhotoReport, path: String) {
    let output = temporary(name)
    let report = try await withMedia(path) { source in
      try await withMedia(output, flags: O_RDWR | O_CREAT | O_TRUNC) {
        try await engine.photo(source, to: $0)
      }
    }
    #expect(try Data(contentsOf: URL(filePath: output)).count == report.bytes)
    return (report, output)
  }

  /// The bytes from the first table or frame on, without the segments for applications.
  private func picture(in path: String) throws -> Data {
    let bytes = try Data(contentsOf: URL(filePath: path))
    var (index, rest) = (2, Data())
    while index + 3 < bytes.count, bytes[index] == 0xFF, bytes[index + 1] != 0xDA {
      let end = index + 2 + Int(bytes[index + 2]) << 8 + Int(bytes[index + 3])
      if !(0xE0...0xEF).contains(bytes[index + 1]), bytes[index + 1] != 0xFE {
        rest += bytes[index..<end]
      }
      index = end
    }
    return rest + bytes[index...]
  }

  @Test(
    "in JPEG keeps its coded data, its orientation and its colour profile, and nothing else",
    arguments: ["", "-progressive", "-grayscale", "-restart 1", "-arithmetic"])
  func copies(options: String) async throws {
    let source = temporary("source.jpg")
    try await run(
      """
      djpeg "$1" | cjpeg -quality 80 \(options) > "$2"
      exiftool -q -overwrite_original -Orientation=6 -n -Make=Apple -GPSLatitude=59.9 \
        -GPSLatitudeRef=N -XMP:Creator=Anna -IPTC:By-line=Anna -Comment=mine -Ducky:Comment=mine \
        "-ThumbnailImage<=$1" "$2"
      """, Fixtures.path("photo.jpg"), source)
    let (report, path) = try await write(source)
    #expect(report.isCopied)
    #expect(try picture(in: path) == picture(in: source))
    let pixels = try await text(
      "bash", "-c", "djpeg \(path) | sha256sum; djpeg \(source) | sha256sum")
    #expect(Set(pixels.split(separator: "\n")).count == 1)
    let tags = try await text(
      "exiftool", "-s", "-G", "-a", "-u", "--File:all", "--ExifTool:all", "--Composite:all", path)
    let names = tags.split(separator: "\n").map { $0.split(separator: " ").prefix(2).last ?? "" }
    #expect(
      names == ["JFIFVersion", "ResolutionUnit", "XResolution", "YResolution", "Orientation"],
      "\(tags)")
    #expect(try await text("exiftool", "-s3", "-n", "-Orientation", path) == "6\n")
    // Written again, it stays the same.
    let again = try await write(path, to: "again.jpg").path
    #expect(
      try Data(contentsOf: URL(filePath: again)) == Data(contentsOf: URL(filePath: path)))
  }

  @Test("keeps its colour profile byte for byte, and a marker of CMYK")
  func profile() async throws {
    let (source, icc) = (temporary("source.jpg"), temporary("profile.icc"))
    // More than one segment holds.
    let profile = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    try profile.write(to: URL(filePath: icc))
    try await run(
      """
      djpeg "$1" | cjpeg -icc "$3" > "$2"
      exiftool -q -overwrite_original -XMP:Creator=Anna "$2"
      """, Fixtures.path("photo.jpg"), source, icc)
    let path = try await write(source).path
    #expect(
      try await Command.output(of: "exiftool", ["-b", "-ICC_Profile", path]).outputBytes
        == Array(profile))
    #expect(try await text("exiftool", "-XMP:all", path).isEmpty)
    let info = try await withMedia(path) { try await engine.probe($0, depth: .metadata) }
    #expect(info.extras == ["colour profile"])
  }

  @Test(
    "with bytes between its parts, which may be anything, is kept without them",
    arguments: ["", "-progressive", "-grayscale", "-restart 1"])
  func strayBytes(options: String) async throws {
    let (source, plain) = (temporary("source.jpg"), temporary("plain.jpg"))
    try await run(
      """
      djpeg "$1" | cjpeg -quality 80 \(options) > "$3"
      exiftool -q -overwrite_original -Orientation=6 -n "$3"
      { head -c -2 "$3"; head -c 100 /dev/zero; printf 'a secret'; printf '\\xff\\xd9'; } > "$2"
      """, Fixtures.path("photo.jpg"), source, plain)
    let path = try await write(source).path
    let pixels = try await text(
      "bash", "-c", "djpeg \(path) | sha256sum; djpeg \(plain) | sha256sum")
    #expect(Set(pixels.split(separator: "\n")).count == 1)
    #expect(try await text("exiftool", "-s3", "-n", "-Orientation", path) == "6\n")
    #expect(!(try Data(contentsOf: URL(filePath: path))).contains(Data("secret".utf8)))
    let info = try await withMedia(path) { try await engine.probe($0, depth: .metadata) }
    #expect(info.extras == ["orientation"])
  }

  @Test("in PNG or WebP that is stored turned comes upright", arguments: ["png", "webp"])
  func turned(type: String) async throws {
    let source = temporary("source.\(type)")
    try await run(
      """
      ffmpeg -v error -f lavfi -i color=red:s=64x32,format=rgb24 \
        -vf drawbox=w=32:h=32:color=blue:t=fill -frames:v 1 "$1"
      exiftool -q -overwrite_original -Orientation=6 -n "$1"
      """, source)
    let (report, path) = try await write(source)
    #expect(report.size == PictureSize(width: 32, height: 64))
    // The left half is on top after a turn to the right.
    let top = try await pixel(of: path, x: 16, y: 8)
    #expect(top[2] > 200 && top[0] < 60, "\(top)")
    let info = try await withMedia(path) { try await engine.probe($0, depth: .metadata) }
    #expect(info.extras == [])
  }

  @Test(
    "that is transparent gets white behind it, as paper has",
    arguments: ["rgba png", "rgba64be png", "ya8 png", "bgra webp"])
  func transparent(format: String) async throws {
    let parts = format.split(separator: " ")
    let source = temporary("source.\(parts[1])")
    try await run(
      """
      ffmpeg -v error -f lavfi -i "color=black:s=64x32,format=rgba,\
        geq=r=0:g=0:b=0:a='if(lt(X,32),0,128)'" -pix_fmt \(parts[0]) -frames:v 1 "$1"
      """, source)
    let path = try await write(source).path
    #expect(try await pixel(of: path, x: 8, y: 16).allSatisfy { $0 > 250 })
    #expect(try await pixel(of: path, x: 48, y: 16).allSatisfy { (122...133).contains($0) })
  }

  private func pixel(of path: String, x: Int, y: Int) async throws -> [UInt8] {
    try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-i", path, "-vf", "format=rgb24,crop=1:1:\(x):\(y)", "-f", "rawvideo", "-",
      ]
    ).outputBytes
  }

  @Test("that has a video behind its picture, as a motion photo, is kept without it")
  func trailer() async throws {
    let source = temporary("source.jpg")
    try await run(
      #"{ cat "$1"; cat "$2"; } > "$3""#, Fixtures.path("photo.jpg"),
      Fixtures.path("portrait.mov"), source)
    let path = try await write(source).path
    let plain = try await write(Fixtures.path("photo.jpg"), to: "plain.jpg").path
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(contentsOf: URL(filePath: plain)))
  }

  @Test(
    "in PNG or WebP becomes an upright JPEG of the same size and colours",
    arguments: ["rgb24 png", "rgba png", "pal8 png", "gray png", "rgb48be png", "bgra webp"])
  func encodes(format: String) async throws {
    let parts = format.split(separator: " ")
    let source = temporary("source.\(parts[1])")
    try await run(
      """
      ffmpeg -v error -f lavfi -i testsrc=s=321x243 -frames:v 1 -pix_fmt \(parts[0]) \
        -lossless 1 "$1" || ffmpeg -v error -f lavfi -i testsrc=s=321x243 -frames:v 1 \
        -pix_fmt \(parts[0]) -y "$1"
      """, source)
    let (report, path) = try await write(source)
    #expect(!report.isCopied && report.size == PictureSize(width: 321, height: 243))
    let psnr = try await Command.output(
      of: "bash",
      [
        "-c",
        """
        ffmpeg -hide_banner -i "$1" -i "$2" \
          -lavfi '[0]format=gbrp[a];[1]format=gbrp[b];[a][b]psnr' -f null - 2>&1
        """, "bash", source, path,
      ]
    ).output
    let average = try #require(psnr.firstMatch(of: /average:([0-9.]+|inf)/)?.1)
    #expect(average == "inf" || (Double(average) ?? 0) > 34, "\(psnr)")
    let info = try await withMedia(path) { try await engine.probe($0, depth: .metadata) }
    #expect(info.extras == [])
  }

  @Test("that is no photo, damaged or too large is refused with a way out")
  func refuses() async throws {
    try await run(
      """
      cd "$1"
      head -c 700 "$2" > cut.jpg
      printf '\\xff\\xd8\\xff\\xd9' > empty.jpg
      truncate -s 50000001 large.jpg
      printf words > words.txt
      ffmpeg -v error -f lavfi -i color=s=8200x16 -frames:v 1 wide.png
      ffmpeg -v error -f lavfi -i testsrc2=s=64x64 -frames:v 1 good.png
      head -c 400 good.png > cut.png
      djpeg "$2" | cjpeg > bomb.jpg
      perl -0777 -pi -e 's/(\\xff\\xc0\\x00.\\x08)..../$1\\x75\\x30\\x75\\x30/s' bomb.jpg
      """, TemporaryFolder.current, Fixtures.path("photo.jpg"))
    for (name, reason) in [
      ("cut.jpg", "cut off"), ("empty.jpg", "without a picture"), ("large.jpg", "50 MB"),
      ("words.txt", "convert it to JPEG"), ("wide.png", "8200 × 16"),
      ("cut.png", "convert it to JPEG"), ("bomb.jpg", "30000 × 30000"),
    ] {
      let error = await #expect(throws: HoldfastError.self) { try await write(temporary(name)) }
      #expect(
        error.map { "\($0)".contains(reason) } == true, "\(name): \(String(describing: error))")
    }
    let error = await #expect(throws: HoldfastError.self) {
      try await write(Fixtures.path("photo.heic"))
    }
    #expect(error.map { "\($0)".contains("convert a photo to JPEG") } == true)
  }
}

import HoldfastModel
import Testing

@Suite("A picture's format")
struct PictureFormatTests {
  private typealias Size = PictureSize

  @Test("The shorter direction of a pixel is stretched, so that no line is lost")
  func squarePixels() {
    let wide = PictureFormat(width: 160, height: 120, pixelAspectWidth: 4, pixelAspectHeight: 3)
    #expect(wide.squarePixelSize == Size(width: 213, height: 120))
    let tall = PictureFormat(width: 160, height: 120, pixelAspectWidth: 2, pixelAspectHeight: 3)
    #expect(tall.squarePixelSize == Size(width: 160, height: 180))
    let cif = PictureFormat(width: 176, height: 144, pixelAspectWidth: 12, pixelAspectHeight: 11)
    #expect(cif.squarePixelSize == Size(width: 192, height: 144))
  }

  @Test(
    "An impossible pixel aspect counts as square", arguments: [(0, 1), (1, 0), (-4, 3), (4, -3)])
  func impossibleAspect(_ width: Int, _ height: Int) {
    let format = PictureFormat(
      width: 160, height: 90, pixelAspectWidth: width, pixelAspectHeight: height)
    #expect(format.pixelAspectWidth == 1)
    #expect(format.pixelAspectHeight == 1)
    #expect(format.squarePixelSize == Size(width: 160, height: 90))
  }

  @Test(
    "A quarter turn exchanges the sides",
    arguments: [(0, 320, 180), (90, 180, 320), (180, 320, 180), (270, 180, 320)])
  func turns(_ clockwise: Int, _ width: Int, _ height: Int) {
    for isMirrored in [false, true] {
      let turn = Orientation(clockwise: clockwise, isMirrored: isMirrored)
      let format = PictureFormat(width: 320, height: 180, orientation: turn)
      #expect(format.displaySize == Size(width: width, height: height))
    }
  }

  @Test(
    "A turn is the nearest right angle, within a full turn",
    arguments: [
      (0, 0), (90, 90), (180, 180), (270, 270), (360, 0), (-90, 270), (-360, 0), (450, 90),
      (44, 0), (46, 90), (89, 90), (359, 0), (-1, 0), (-89, 270),
    ])
  func rightAngles(_ given: Int, _ expected: Int) {
    #expect(Orientation(clockwise: given).clockwise == expected)
  }

  @Test(
    "Even sides are those that 4:2:0 can hold",
    arguments: [(161, 121, 160, 120), (160, 120, 160, 120), (1, 1, 2, 2), (0, 3, 2, 2)])
  func even(_ width: Int, _ height: Int, _ evenWidth: Int, _ evenHeight: Int) {
    #expect(Size(width: width, height: height).even == Size(width: evenWidth, height: evenHeight))
  }

  @Test(
    "A picture is scaled down to a height, and never up",
    arguments: [
      (1920, 1080, 720, 1280, 720), (1080, 1920, 1080, 608, 1080), (320, 180, 180, 320, 180),
      (320, 180, 1000, 320, 180), (1, 100_000, 2, 1, 2),
    ])
  func fittedHeight(
    _ width: Int, _ height: Int, _ most: Int, _ fittedWidth: Int, _ fittedHeight: Int
  ) {
    let fitted = Size(width: width, height: height).fitted(height: most)
    #expect(fitted == Size(width: fittedWidth, height: fittedHeight))
  }

  @Test(
    "A picture is scaled down to a side, and never up",
    arguments: [
      (1920, 1080, 480, 270), (1080, 1920, 270, 480), (480, 480, 480, 480), (320, 180, 320, 180),
      (481, 2, 480, 2), (100_000, 1, 480, 1), (1, 100_000, 1, 480),
    ])
  func fitted(_ width: Int, _ height: Int, _ fittedWidth: Int, _ fittedHeight: Int) {
    let fitted = Size(width: width, height: height).fitted(longSide: 480)
    #expect(fitted == Size(width: fittedWidth, height: fittedHeight))
  }
}

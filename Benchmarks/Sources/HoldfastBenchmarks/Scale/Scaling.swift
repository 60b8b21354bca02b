import Foundation

/// Work that several jobs can share.
private struct SharedWork {
  var what: String
  /// The most memory in MB.
  var mostMemory: Double?
  /// The command with this many jobs.
  var contestant: (_ jobs: Int) throws -> Contestant
}

extension Workbench {
  private var scaleRounds: Int { options.quick ? 1 : options.rounds }

  /// One more import in larger and larger libraries: one clip at a time goes into each in turn.
  func growingLibraries() throws -> [ScaleTable.Growth] {
    let clips = try clips("clips-scale", scaleRounds + 1, seconds: 2, pictures: 30)
    let sizes = options.quick ? [0, 1000] : [0, 1000, 10_000, 100_000]
    let libraries = try sizes.map { size in
      note("scale: a library of \(size)")
      return try makeScaleLibrary(size)
    }
    func importing(_ clip: String, into library: String) -> Contestant {
      Contestant(
        name: "holdfast import",
        command: [holdfast, "import", "--quiet", "--library", library, clip])
    }
    let memory = try libraries.map { try peakMemory(of: importing(clips[0], into: $0)) }
    var times: [[Double]] = sizes.map { _ in [] }
    for clip in clips.dropFirst() {
      for (index, library) in libraries.enumerated() {
        times[index].append(try seconds(importing(clip, into: library)))
      }
    }
    let medians = times.map(median)
    return sizes.indices.map { index in
      ScaleTable.Growth(
        recordings: sizes[index], seconds: medians[index], peakMemoryMB: memory[index],
        timesEmpty: medians[index] / medians[0])
    }
  }

  private func makeScaleLibrary(_ size: Int) throws -> String {
    let library = "\(folder)/scale-\(size)"
    guard size > 0 else {
      try freshLibrary(at: library)()
      return library
    }
    _ = try makeCatalog("scale-\(size)", recordings: size)
    // An import looks for the files of rows, one after the other, until it finds one: if it found
    // none, the disk would count as missing. Most of these rows have no file, so the first gets
    // one.
    try run([
      "bash", "-ec",
      #"""
      cd "$0"
      file=$(sqlite3 catalog.sqlite 'SELECT filePath FROM recording ORDER BY id LIMIT 1')
      others=(Recordings/*."${file##*.}")
      [ -e "$file" ] || cp "${others[0]}" "$file"
      """#, library,
    ])
    return library
  }

  /// The same work by 1 job, 2, and so on up to the number of cores.
  func moreJobs() throws -> [ScaleTable.Jobs] {
    let (clipCount, noteCount) = options.quick ? (3, 4) : (20, 50)
    let seconds = options.quick ? 2 : 30
    let clips1080 = try clips(
      "clips-30", thumbnailCount, seconds: options.quick ? 2 : 5, pictures: 30)
    var works = [
      imports(
        "import of \(clipCount) clips", mostMemory: 150,
        try clips("clips-import", clipCount, seconds: seconds, pictures: 30)),
      imports(
        "import of \(noteCount) voice notes", mostMemory: nil,
        try voiceNotes(noteCount, seconds: seconds)),
      thumbnails("1080p", mostMemory: nil, clips1080),
    ]
    if !options.quick {
      let clips4K = try hlgClips("clips-4k", thumbnailCount, seconds: 2)
      works.append(thumbnails("4K", mostMemory: 250, clips4K))
    }
    return try works.flatMap(measure)
  }

  private func imports(_ what: String, mostMemory: Double?, _ files: [String]) -> SharedWork {
    SharedWork(what: what, mostMemory: mostMemory) { jobs in
      var contestant = try importContestant(files)
      contestant.command += ["--jobs", "\(jobs)"]
      return contestant
    }
  }

  private func thumbnails(_ kind: String, mostMemory: Double?, _ clips: [String]) -> SharedWork {
    SharedWork(what: "thumbnails of \(clips.count) \(kind) clips", mostMemory: mostMemory) { jobs in
      try thumbnailContestant("scale-\(kind)", clips, jobs: jobs)
    }
  }

  private func measure(_ work: SharedWork) throws -> [ScaleTable.Jobs] {
    note("scale: \(work.what)")
    let contestants = try (1...cores).map(work.contestant)
    let memory = try contestants.map(peakMemory)
    var times: [[Double]] = contestants.map { _ in [] }
    for _ in 0..<scaleRounds {
      for (index, contestant) in contestants.enumerated() {
        times[index].append(try seconds(contestant))
      }
    }
    return contestants.indices.map { index in
      ScaleTable.Jobs(
        what: work.what, jobs: index + 1, seconds: median(times[index]),
        speedUp: median(zip(times[0], times[index]).map { $0 / $1 }), peakMemoryMB: memory[index],
        mostMemoryMB: work.mostMemory)
    }
  }
}

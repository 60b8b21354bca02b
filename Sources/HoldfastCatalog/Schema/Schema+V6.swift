extension Schema {
  /// Migration "v6": each recording's sound profile.
  ///
  /// A recording without a row here was not measured yet, or not since its file was remade. A
  /// recording without sound has a row without a loudness and a true peak.
  static let v6 = """
    CREATE TABLE sound (
      recordingId TEXT NOT NULL PRIMARY KEY REFERENCES recording (id) ON DELETE CASCADE,
      -- The integrated loudness in LUFS (EBU R 128); NULL for silence.
      loudness REAL
        CONSTRAINT "loudness goes from -70 to 30" CHECK (loudness BETWEEN -70 AND 30),
      -- The true peak in dBTP (ITU-R BS.1770-4); NULL for silence.
      truePeak REAL
        CONSTRAINT "truePeak goes from -200 to 60" CHECK (truePeak BETWEEN -200 AND 60),
      -- The highest sample of each 20 ms, from 0 to 255 at full scale.
      peaks BLOB NOT NULL
        CONSTRAINT "peaks has up to 6000 bytes" CHECK (length(peaks) <= 6000)
    ) STRICT;
    """
}

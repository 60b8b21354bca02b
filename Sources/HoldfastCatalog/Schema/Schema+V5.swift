extension Schema {
  /// Migration "v5": the codecs of a recording's streams, as strings of RFC 6381.
  ///
  /// NULL means that they are not known, as in rows of older versions, until the recording is
  /// decoded or its thumbnail is remade.
  static let v5 = """
    ALTER TABLE recording ADD COLUMN videoCodec TEXT
      CONSTRAINT "videoCodec has 1 to 64 characters" CHECK (length(videoCodec) BETWEEN 1 AND 64);
    ALTER TABLE recording ADD COLUMN audioCodec TEXT
      CONSTRAINT "audioCodec has 1 to 64 characters" CHECK (length(audioCodec) BETWEEN 1 AND 64);
    """
}

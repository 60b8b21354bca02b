extension Schema {
  /// Migration "v5": what a recording's streams are coded in, in RFC 6381's strings; NULL where that is not
  /// known, as in rows of older versions until they are decoded, or their thumbnails made, again.
  static let v5 = """
    ALTER TABLE recording ADD COLUMN videoCodec TEXT
      CONSTRAINT "videoCodec has 1 to 64 characters" CHECK (length(videoCodec) BETWEEN 1 AND 64);
    ALTER TABLE recording ADD COLUMN audioCodec TEXT
      CONSTRAINT "audioCodec has 1 to 64 characters" CHECK (length(audioCodec) BETWEEN 1 AND 64);
    """
}

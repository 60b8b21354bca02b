extension Schema {
  /// The messages that come with a library.
  ///
  /// They are short, kind and in the second person, in the style of motivational interviewing: they
  /// ask and affirm, and never blame or count. IDs and dates are the same in every library,
  /// so that another library can import what one library stores about them.
  static let v2Messages = """
    INSERT INTO message (id, content, category, isCustom, priority, createdAt, modifiedAt) VALUES
      ('1689F1EF-4BFB-45F8-96DD-E7FD40BE4006',
        'This urge is a wave: you can let it rise, and watch it pass.',
        'urge', 0, 1, '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000'),
      ('D2E29D6A-E94F-4797-A015-A8C8A5C4D46D',
        'You have your own good reasons. Which of them matters most to you right now?',
        'urge', 0, 2, '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000'),
      ('41208FB2-F4BE-409B-93D6-5F76CF01ECEF',
        'The next ten minutes are yours. What would you like them to be for?',
        'urge', 0, 3, '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000'),
      ('9B2ACF2B-CDDA-4D6D-86BB-12AD7681F1AB',
        'It makes sense that you feel uneasy. Breathe out slowly, and let your shoulders drop.',
        'anxiety', 0, 1, '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000'),
      ('80EC3319-19FA-40DA-87B8-5390377ED5EB',
        'You have come through worried moments before. What helped you then?',
        'anxiety', 0, 2, '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000'),
      ('005D9548-6979-47BA-AE35-88C29B0A2699',
        'An empty hour is yours to fill. What have you been meaning to try?',
        'boredom', 0, 1, '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000'),
      ('5672EB88-A756-4840-8D2B-C443BCC6CB7B',
        'Your restlessness is asking for something. What might it be?',
        'boredom', 0, 2, '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000'),
      ('D018DF0F-9C0E-43D7-A375-EA0858292B03',
        'You can enjoy the company, and still choose for yourself.',
        'social', 0, 1, '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000'),
      ('F8080134-2AA8-4445-93C2-9ADE7163C7E6',
        'You may step outside for a moment. Those who care for you will understand.',
        'social', 0, 2, '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000'),
      ('928A3D8F-40C1-4AF1-BCB9-41D0775D595B',
        'You made room for what matters to you. Take a moment to enjoy it.',
        'celebration', 0, 1, '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000'),
      ('9571A5E1-E340-4EEC-B171-AE5F43177DE1',
        'You did something kind for yourself. What made it possible?',
        'celebration', 0, 2, '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000');
    """
}

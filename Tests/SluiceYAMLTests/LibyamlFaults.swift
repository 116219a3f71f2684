/// What libyaml 0.2.5 itself gets wrong of the YAML test suite, by the reason; each text by its name in the suite.
enum LibyamlFaults {
    /// Texts whose events differ from those that the suite expects.
    static let different: [String: [String]] = [
        "a `?` that begins a plain key or text in a flow collection is taken for the sign of a key": [
            "652Z", "HM87/01",
        ],
        "a last line of blanks without a line break counts as a line of a block scalar": ["JEF9/02", "L24T/01"],
        "an anchor's name ends at `:`": ["Y2GN"],
    ]

    /// Valid texts that it calls syntax errors.
    static let refusesValid: [String: [String]] = [
        "a key may not be empty": [
            "2JQS", "CFD4", "FRK4", "NHX8", "NKF9", "S3PD", "SM9W/01", "UKK6/00", "M2N8/00", "6M2F",
        ],
        "a `:` that follows a key in a flow collection must be on the same line and followed by a blank": [
            "4ABK", "4MUZ/00", "4MUZ/01", "4MUZ/02", "5MUD", "5T43", "K3WX", "VJP3/01",
        ],
        "a key in a flow collection has one line": ["9SA2", "NJ66", "UT92"],
        "a plain text in a flow collection does not begin with `:`": ["58MP", "DBG4", "HM87/00"],
        "an anchor's name has letters, digits, `_` and `-` only": ["2SXE", "8XYN", "W5VH"],
        "a tab is no separation after `-` or before a value, nor on a line of its own": [
            "6BCT", "6CA3", "A2M4", "DK95/00", "DK95/03", "DK95/04", "Q5MG", "Y79Y/010",
        ],
        "the first line of a block scalar does not begin with a tab": ["96NN/00", "96NN/01", "R4YG", "Y79Y/001"],
        "a block scalar that is a document is indented": ["DK3J", "FP8R"],
        "a directive is `%YAML 1.1`, `%YAML 1.2` or `%TAG`, and no other is passed over": [
            "2LFX", "6LVF", "BEC7", "MUS6/05", "MUS6/06",
        ],
        "a document needs its `---` after the `...` of another, and `...` ends no empty one": [
            "7Z25", "HWV9", "M7A3", "QT73", "W4TN",
        ],
    ]

    /// Texts that break the rules of YAML and are read all the same.
    static let acceptsInvalid: [String: [String]] = [
        "lines of a flow collection or quoted text need no indentation": ["9C9N", "QB6E"],
        "a comment needs no blank before its `#`": ["9JBA", "CVW2", "MUS6/00", "SU5Z", "X4QW"],
        "a `-` in a flow collection is a text": ["G5U8", "YJV2"],
        "empty lines at the beginning of a block scalar may have more blanks than its text": ["S98Z"],
        "a tab may be part of the indentation within a flow collection": ["Y79Y/003"],
    ]
}

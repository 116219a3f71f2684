/// What fields of one type take and how a store keeps it, in words.
struct TypeProfile {
    let type: String
    /// The column's type and the form of what is in it.
    let stored: String
    /// Which values are taken, and what makes two of them equal where that is not plain.
    let takes: String
    /// Which values are refused though they look alike.
    let refuses: String

    private init(_ type: String, stored: String, takes: String, refuses: String) {
        self.type = type
        self.stored = stored
        self.takes = takes
        self.refuses = refuses
    }

    /// As an entry of a list in Markdown.
    var markdown: String { "- `\(type)`: \(stored). \(takes) Refused: \(refuses).\n" }

    /// All types, in the order in which messages name them.
    static let all = [
        TypeProfile(
            "string", stored: "TEXT", takes: "Text as it is; a number keeps its digits, so that 1.10 is `1.10`.",
            refuses: "truth values, lists, objects"),
        TypeProfile(
            "uuid", stored: "TEXT in lower case, with hyphens",
            takes: "Hexadecimal digits of either case in groups of 8-4-4-4-12 or without hyphens, of any version.",
            refuses: "braces, `urn:uuid:`"),
        TypeProfile(
            "url", stored: "TEXT, letter by letter as it came",
            takes:
                "An absolute URI (RFC 3986), with a fragment or without; characters beyond ASCII stand for themselves. `http`, `https`, `ws`, `wss` and `ftp` need a host.",
            refuses:
                "relative references, blanks and control characters, any of ``\"<>\\^`{|}``, brackets outside of an address, a `%` without two hexadecimal digits"
        ),
        TypeProfile(
            "enum", stored: "TEXT",
            takes: "One of `values`, letter by letter; of a number its digits. `map` comes first.",
            refuses: "anything else, another case too"),
        TypeProfile(
            "int", stored: "INTEGER of 64 bits",
            takes: "A number or text without a fraction: `12`, `\"12\"`, `1.0`, `1e3`.",
            refuses: "1.5, 2^63, `\"+1\"`, `\"007\"`, blanks"),
        TypeProfile(
            "double", stored: "REAL",
            takes: "A number, or text that is one; a fraction, or what has an exponent, is the nearest double.",
            refuses:
                "a whole number that a double would change, such as 9007199254740993, what is beyond its range, NaN"),
        TypeProfile(
            "decimal", stored: "TEXT, every digit",
            takes:
                "A number, or text that is one as JSON writes it. Digits stay as they were written (`9.50`); an exponent is written out (`25e-1` is `2.5`, beyond 40 digits `1.5e300`), and -0 is 0. Equal by value; in a primary key stored in the shortest form.",
            refuses: "`\"1,50\"`, `\".5\"`, `\"+1\"`, `\"007\"`, currencies, NaN"),
        TypeProfile(
            "bool", stored: "INTEGER, 0 or 1", takes: "`true` and `false`; for others there is `map`.",
            refuses: "0, 1, `\"true\"`"),
        TypeProfile(
            "date", stored: "TEXT, `YYYY-MM-DD`",
            takes:
                "A day of the calendar, alone (`1994-11-06`) or as the midnight that begins it, in whatever offset it is written (`1994-11-06T00:00:00+01:00`); by `format` in other spellings. A pattern such as `%d.%m.%Y %H:%M` leaves its time out.",
            refuses: "another time of the day"),
        TypeProfile(
            "datetime", stored: "TEXT, RFC 3339 in UTC, with a fraction where it is not zero",
            takes: "RFC 3339, by `format` other spellings; of the same moment one value.",
            refuses: "a time without its zone, unless `timezone` is given; leap seconds"),
        TypeProfile(
            "json", stored: "TEXT, compact, members and digits as they came",
            takes:
                "Any value; null is SQL's NULL. Equal whatever the order of members and the spelling of numbers; of a name that comes twice the last counts.",
            refuses: "nothing"),
        TypeProfile(
            "bytes", stored: "BLOB",
            takes: "Base64 with its padding (RFC 4648 section 4); line breaks count for nothing.",
            refuses: "base64url, blanks, missing padding, bits behind the last byte"),
    ]
}

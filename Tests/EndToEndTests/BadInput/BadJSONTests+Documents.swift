import TestSupport

/// Documents and records that are wrong.
extension BadJSONTests {
    private static func title(_ bytes: [UInt8]) -> [UInt8] {
        Array(#"[{"id": 1, "title": "a"#.utf8) + bytes + Array(#""}]"#.utf8)
    }

    /// What no document may have.
    static let refused: [Row] = [
        Row(
            "bytes that are no UTF-8", bytes: title([0xFF]),
            ["line 1, column 23", "not valid UTF-8", "must send UTF-8"]),
        Row("an overlong slash", bytes: title([0xC0, 0xAF]), ["line 1, column 23", "not valid UTF-8"]),
        Row("a surrogate in UTF-8", bytes: title([0xED, 0xA0, 0x80]), ["line 1, column 23", "not valid UTF-8"]),
        Row("half a character of UTF-8", bytes: title([0xE2, 0x82]), ["line 1, column 23", "not valid UTF-8"]),
        Row("a control character", bytes: title([0x01]), ["line 1, column 23", "control character", "`\\n`"]),
        Row(
            "an escape that is none", bytes: title(Array("\\x".utf8)),
            ["line 1, column 23", "not one of JSON's", "`\\\\`"]),
        Row("UTF-16", bytes: [0xFF, 0xFE, 0x5B, 0, 0x5D, 0], ["line 1, column 1", "must send UTF-8"]),
        Row(
            "NaN", "[{\"id\": 1},\n {\"id\": 2, \"price\": NaN}]", "line 2, column 21", "found `NaN`", "Write `null`"
        ),
        Row("Infinity", #"[{"id": 2, "price": -Infinity}]"#, "line 1, column 22", "no Infinity"),
        Row("a number with a plus", #"[{"id": +2}]"#, "line 1, column 9", "found `+2`"),
        Row("a number with a zero before it", #"[{"id": 02}]"#, "line 1, column 10", "number", "`-1.5e3`"),
        Row("a number without a fraction", #"[{"id": 2.}]"#, "line 1, column 11", "number", "`-1.5e3`"),
        Row(
            "a comma after the last record", #"[{"id": 1},]"#, "line 1, column 12", "found `]`",
            "Remove the comma before it"),
        Row(
            "a comma after the last member", #"[{"id": 1,}]"#, "line 1, column 11", "found `}`",
            "Remove the comma before it"),
        Row(
            "a comma that is missing", #"[{"id": 1} {"id": 2}]"#, "line 1, column 12", "found `{`",
            "A comma may be missing"),
        Row(
            "a comment at the end of a line", "[{\"id\": 1} // one\n]", "line 1, column 12", "found `//`",
            "JSON has no comments"),
        Row("a comment first", "/* books */ []", "line 1, column 1", "found `/*`", "JSON has no comments"),
        Row("single quotes", "[{'id': 1}]", "line 1, column 3", "double quotes"),
        Row("names without quotes", "[{id: 1}]", "line 1, column 3", "found `id`", "double quotes"),
        Row("a word that is none", #"[{"id": yes}]"#, "line 1, column 9", "found `yes`", "double quotes"),
        Row("True", #"[{"id": 1, "title": True}]"#, "line 1, column 21", "found `True`"),
        Row("two documents", #"[{"id": 1}] [{"id": 2}]"#, "line 1, column 13", "more text", "`format: jsonl`"),
        Row(
            "two documents on two lines", "{\"id\": 1}\n{\"id\": 2}\n", "line 2, column 1", "more text",
            "`format: jsonl`"),
        Row("a second byte order mark", bytes: [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x5B, 0x5D], ["line 1, column 4"]),
        Row(
            "a document that is cut off", #"[{"id": 1, "title": "a""#, "line 1, column 24",
            "before the value is complete", "cut off"),
        Row(
            "a text that is cut off", #"[{"id": 1, "title": "a"#, "line 1, column 23", "before the value is complete",
            "cut off"),
        Row("a list that is cut off", #"[{"id": 1},"#, "line 1, column 12", "cut off: fetch it again"),
        Row("nothing", "", "line 1, column 1", "the text is empty", "`[]`"),
        Row("blanks alone", " \n\n", "line 3, column 1", "the text is empty", "`[]`"),
        Row("null", "null", "line 1, column 1", "found null", "Check `records`"),
        Row("text like null", "nonsense", "line 1, column 1", "Expected `true`, `false` or `null` here", "`nonsense`"),
        Row("text like true", "trash", "line 1, column 1", "Expected `true`, `false` or `null` here"),
        Row("text like false", "forbidden", "line 1, column 1", "Expected `true`, `false` or `null` here", "forbidden"),
        Row("a text", #""books""#, "line 1, column 1", "found a string", "Check `records`"),
        Row("a number", "12", "line 1, column 1", "found a number", "Check `records`"),
        Row("HTML", "<html></html>", "line 1, column 1", "HTML", "an error page"),
        Row(
            "a record over the limit", #"[{"id": 1, "title": ""# + String(repeating: "x", count: 2000) + "\"}]",
            "line 1, column 2", "limit of 1000 bytes", "raise `max_record`"),
        Row(
            "gzip that is cut off", bytes: Array(Gzip.stored(Array("[]".utf8)).dropLast(9)),
            ["ends too early", "fetch it again"]),
        Row(
            "gzip that is damaged", bytes: Gzip.stored(Array("[]".utf8)).dropLast(8) + [UInt8](repeating: 1, count: 8),
            ["gzip data is damaged", "fetch it again"]),
    ]

    /// Records that cannot be taken, each with the reason and the place.
    static let records: [Row] = [
        Row("a number", "7", "not_an_object", "found a number"),
        Row("a text", #""x""#, "not_an_object", "found a string"),
        Row("null", "null", "not_an_object", "found null"),
        Row("a list", "[2]", "not_an_object", "end `records` with `[*]`"),
        Row("without a key", #"{"title": "a"}"#, "missing_key", "/id", "`id` is missing"),
        Row("with a null key", #"{"id": null}"#, "missing_key", "/id", "`id` is null"),
        Row(
            "with a key beyond 64 bits", #"{"id": 99999999999999999999}"#, "type_mismatch", "/id", "64 bits",
            "99999999999999999999"),
        Row("with a key beyond every number", #"{"id": 1e999999999}"#, "type_mismatch", "/id", "1e999999999"),
        Row("with a key that is a fraction", #"{"id": 1.5}"#, "type_mismatch", "/id", "1.5"),
        Row("with a key that is a truth value", #"{"id": true}"#, "type_mismatch", "/id", "a boolean"),
        Row(
            "with a value of another type", #"{"id": 2, "price": "much"}"#, "type_mismatch", "/price", "much",
            "a decimal number"),
        Row(
            "with a high surrogate alone", #"{"id": 2, "title": "\ud83d"}"#, "invalid_json", "surrogate",
            "both halves"),
        Row("with a low surrogate alone", #"{"id": 2, "title": "\ude00"}"#, "invalid_json", "both halves"),
        Row(
            "with surrogates in the wrong order", #"{"id": 2, "title": "\ude00\ud83d"}"#, "invalid_json",
            "both halves"),
        Row(
            "with half a surrogate for a key", #"{"id": "\ud83d", "title": "a"}"#, "invalid_json", "both halves"),
        Row(
            "with a value nested ten thousand deep",
            #"{"id": 2, "title": "# + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
                + "}",
            "invalid_json", "nested too deeply", "1024 levels"),
        Row("with a list for a text", #"{"id": 2, "title": ["a"]}"#, "type_mismatch", "/title", "text or a number"),
    ]
}

import SluicePipeline
import SluicePipelineFiles
import SluiceYAML
import Testing

/// The schema of each key says of many values what the checker says of them.
@Suite struct SchemaAgreementTests {
    static let values = [
        "~", "true", "false", "0", "1", "5", "-1", "101", "1.5", "1e3", "\"\"", "x", "X", "\"5\"", "\"true\"", "next",
        "a b", "_x", "1a", "a-b", "é", "\"a\\nb\"", "\"a\\tb\"", "\"a\\u0000b\"", "10s", "\"10s\"", "5m", "500ms", "10",
        "10x", "64MiB", "10MB", "5 MB", "1.5MB", "10%", "2.5%", "100%", "100.0%", "101%", "\"%\"", "5.%", "007%",
        "1.2.3%",
        "https://a.example/v1", "http://a.example:80", "https://a.example?x=1", "https://", "ftp://a.example",
        "https://u:p@a.example", "file:data", "file:/data", "file:///data", "file://host/data", "\"file:\"",
        "file:a b", "file:a%20b", "file:100%", "file:%2", "\"file:a\\tb\"", "http://a.example/b c",
        "HTTPS://a.b",
        "https://a.example#x", "sqlite:a.db", "\"sqlite:\"", "\"sqlite::memory:\"", "\"sqlite:file:a.db\"",
        "postgres://x", "/books", "books/*.json", "a.example:8080",
        "\"[::1]:9000\"", "a..b", ".a", "\"a.example:\"", "a.example:99999999", "\"{{ file.stem }}\"",
        "\"x {{file.stem}} {y}\"",
        "\"{{ file.name }}\"", "\"{{ file.stem\"", "rfc3339", "unix", "iso8601", "\"%d.%m.%Y\"", "UTC", "\"+01:00\"",
        "\"+1:00\"", "\"+24:00\"", "utc", "\"-09:30\"", ".a.b", "a.b", "$.a", "a[0]", "'.a == 1'", "' '",
        "http://proxy:3128", "socks5://u:p@h:1", "socks4://h", "http://h/x", "http://",
        "ignore", "hard", "soft", "merge", "json", "int", "string", "manual", "newest_wins", "content", "remote",
        "[]", "[1]", "[x]", "[x, y]", "[[x]]", "[[]]", "[~]", "[{}]", "[host]",
        "[{host: a.example, credentials: true}]",
        "[{host: a.example, credential: true}]", "{}", "{x: y}", "{x: 1}", "{x: ~}", "{x: [1]}", "{1: 2}",
        "{\"a b\": c}",
        "{mode: hard}", "{mode: x}", "{max_delete: 5}", "{type: none}", "{type: bearer}", "{type: bearer, token: 5}",
        "{type: bearer, token: x, y: z}", "{type: basic, username: a, password: b}", "{type: header_link, rel: \"\"}",
        "{type: header_link, rel: a}", "{type: x}", "{token: x}", "{type: page_number, start: 0, page_size: 5}",
        "{type: json_link}", "{type: json_link, path: a}", "{type: offset, total_path: a.b}", "{connect: 5s}",
        "{connect: 5}", "{max_attempts: 0}", "{max_attempts: 3}", "{base_url: \"https://a.example\"}", "{jq: .a}",
        "{jq: 5}",
        "{default: manual}", "{edit_edit: newest_wins}", "{edit_delete: newest_wins}", "{field: a}", "{fields: freeze}",
        "{on_conflict: fail}", "{Issue: {primary_key: id, fields: {id: int}}}",
        "{Issue: {primary_key: id, fields: {}}}",
        "{Issue: {fields: {id: int}}}", "{\"1\": {primary_key: id, fields: {id: int}}}", "{a: {type: int, from: x}}",
        "{a: {type: int, form: x}}", "{a: integer}", "[{name: a, entity: B}]", "[{name: a}]",
        "[{name: a b, entity: B}]",
        "[{name: a, entity: B, path: 5}]", "\"${env:A}\"", "${env:A}", "\"${var:a}\"", "\"a ${file:b} c\"",
        "\"$${env:A}\"",
    ]

    /// Pairs of a key and a value of which a schema cannot say what the checker says, by the reason.
    static func reason(_ key: KeySpec, _ value: String) -> String? {
        if value.contains("${") { return "what it stands for is not known before the file is loaded" }
        if key.value.hasGrammar { return "the grammar of a path, a program or a schedule is no regular expression" }
        if case .duration(let range) = key.value, range.lowerBound > 500, value == "500ms" {
            return "a pattern cannot say how long a duration is"
        }
        return nil
    }

    /// `defaults` has the keys of a stream.
    static let sections = SpecificationCatalog(keys: .all).sections.filter { !$0.path.hasPrefix("defaults") }
    static let keys = sections.flatMap { entry in
        entry.section.keys.map { (path: "\(entry.path).\($0.name)", key: $0) }
    }

    @Test func everyExampleFits() throws {
        for (path, key) in Self.keys {
            #expect(try accepts(key.example, validator: validator(of: key)), "\(path)")
        }
    }

    @Test(arguments: keys.indices)
    func agrees(index: Int) throws {
        let (path, key) = Self.keys[index]
        let validator = try validator(of: key)
        for value in Self.values where Self.reason(key, value) == nil {
            let isValid = key.problems(inValue: value).isEmpty
            let isAccepted = try accepts(value, validator: validator)
            #expect(isAccepted == isValid, "\(path): \(value)")
        }
    }

    @Test func referencesFitWhereverAValueMayBeFilledIn() throws {
        for (path, key) in Self.keys where key.problems(inValue: "${env:A}").isEmpty {
            #expect(try accepts("${env:A}", validator: validator(of: key)), "\(path)")
        }
    }

    private func validator(of key: KeySpec) throws -> SchemaValidator {
        try SchemaValidator(schema: PipelineSchema.jsonSchema(of: key))
    }

    private func accepts(_ text: String, validator: SchemaValidator) throws -> Bool {
        let document = YAMLDocument(reading: Array("value: \(text)\n".utf8))
        try #require(document.problems == [], "\(text)")
        return try validator.accepts(try #require(document.root?.mapping?.first?.value))
    }
}

extension ValueSpec {
    fileprivate var hasGrammar: Bool {
        switch self {
        case .string(.valuePath), .string(.recordsPath), .string(.program), .string(.cron), .string(.timeZone): true
        case .anyOf(let forms): forms.contains { $0.hasGrammar }
        default: false
        }
    }
}

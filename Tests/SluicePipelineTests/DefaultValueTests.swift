import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct DefaultValueTests {
    @Test(arguments: [
        ("string", "EUR", "\"EUR\""), ("string", "5", "\"5\""), ("string", "'tr\"ue\\'", "\"tr\\\"ue\\\\\""),
        ("string", "~", "null"), ("string", "\"a\\tb\\u0001\"", "\"a\\tb\\u0001\""),
        ("int", "-7", "-7"), ("int", "0o17", "15"), ("int", "007", "7"),
        ("double", ".5", "0.5"), ("double", "1.", "1"), ("double", "+1e3", "1e3"), ("double", "12", "12"),
        ("decimal", "0012.3400", "12.3400"),
        ("decimal", "123456789012345678901234567890", "123456789012345678901234567890"),
        ("decimal", "'-1.50'", "\"-1.50\""),
        ("bool", "True", "true"), ("json", "yes", "\"yes\""), ("json", "1.0", "1.0"), ("json", "false", "false"),
        ("date", "2024-02-29", "\"2024-02-29\""),
        ("datetime", "2024-02-29T10:00:00.5+02:00", "\"2024-02-29T10:00:00.5+02:00\""),
        ("uuid", "7F1C9A52-3d4e-4b6f-8a90-1b2c3d4e5f60", "\"7F1C9A52-3d4e-4b6f-8a90-1b2c3d4e5f60\""),
        ("url", "urn:isbn:1", "\"urn:isbn:1\""), ("bytes", "aGVsbG8=", "\"aGVsbG8=\""), ("bytes", "''", "\"\""),
    ])
    func fits(type: String, text: String, json: String) {
        let (definition, problems) = PipelineText.load(
            PipelineText.make(field: "x: {type: \(type), default: \(text)}"))
        #expect(Fixtures.render(problems) == "")
        #expect(definition?.entities.first?.fields.last?.defaultJSON == json)
    }

    @Test(arguments: [
        ("string", "true"), ("int", "1.0"), ("int", "'1'"), ("int", "1e3"), ("double", ".nan"), ("double", "1e999"),
        ("decimal", ".inf"), ("decimal", "'1,5'"), ("bool", "1"), ("bool", "on"), ("date", "2023-13-01"),
        ("date", "2023-1-1"), ("datetime", "2024-01-01"), ("datetime", "2024-01-01T25:00:00Z"),
        ("datetime", "2024-01-01T10:00:00+2:00"), ("uuid", "x"), ("url", "/a"), ("bytes", "abc"), ("json", ".inf"),
    ])
    func doesNotFit(type: String, text: String) {
        let (definition, problems) = PipelineText.load(
            PipelineText.make(field: "x: {type: \(type), default: \(text)}"))
        #expect(definition == nil)
        #expect(problems.map(\.code) == ["invalid_value"])
    }
}

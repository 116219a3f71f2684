import SluiceModel
import Testing

@testable import SluiceSQLiteStore

/// Values in the forms of other programs' tables.
@Suite struct ColumnFormTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let form: ColumnForm
        let stored: FieldValue
        let value: FieldValue
        var testDescription: String { "\(form.rawValue): \(stored)" }

        init(_ form: ColumnForm, _ stored: FieldValue, _ value: String) {
            (self.form, self.stored, self.value) = (form, stored, FieldValue(value))
        }

        init(_ form: ColumnForm, _ stored: String, _ value: String) {
            self.init(form, FieldValue(stored), value)
        }
    }

    @Test(arguments: [
        Case(.spaced, "2024-01-02 03:04:05", "2024-01-02T03:04:05Z"),
        Case(.spaced, "2024-01-02 03:04:05.120000", "2024-01-02T03:04:05.12Z"),
        Case(.spacedMicroseconds, "2024-01-02 03:04:05.000000", "2024-01-02T03:04:05Z"),
        Case(.spacedMicroseconds, "2024-01-02 03:04:05.000001", "2024-01-02T03:04:05.000001Z"),
        Case(.milliseconds, .integer(1_704_164_645_250), "2024-01-02T03:04:05.25Z"),
        Case(.milliseconds, .integer(0), "1970-01-01T00:00:00Z"),
        Case(.milliseconds, .integer(-1), "1969-12-31T23:59:59.999Z"),
        Case(.milliseconds, .integer(-62_167_219_200_000), "0000-01-01T00:00:00Z"),
        Case(.milliseconds, .integer(253_402_300_799_999), "9999-12-31T23:59:59.999Z"),
        Case(.seconds, .integer(951_782_400), "2000-02-29T00:00:00Z"),
        Case(.hexadecimal, "9b2f1f6e8c1e4a3f9f530a4f4e1f6c11", "9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11"),
        Case(.own, "2024-01-02 03:04:05", "2024-01-02 03:04:05"),
    ])
    func goBothWays(_ example: Case) {
        #expect(example.form.canonical(example.stored) == example.value)
        #expect(example.form.stored(example.value) == example.stored)
    }

    /// What was stored in another way than that of the column is read all the same.
    @Test(arguments: [
        Case(.milliseconds, "2024-01-02 03:04:05", "2024-01-02T03:04:05Z"),
        Case(.milliseconds, "2024-01-02T03:04:05.100+00:00", "2024-01-02T03:04:05.1Z"),
        Case(.spaced, "2024-01-02 03:04:05+01:00", "2024-01-02T03:04:05+01:00"),
        Case(.spaced, "2024-01-02 03:04:05.5Z", "2024-01-02T03:04:05.5Z"),
        Case(.spaced, "soon", "soon"), Case(.spaced, "2024-01-02", "2024-01-02"),
        Case(.spaced, "2024-01-02 03:04:05.", "2024-01-02 03:04:05."),
        Case(.spaced, "2024-01-02 03:04:05 CET", "2024-01-02 03:04:05 CET"),
        Case(.hexadecimal, "9B2F1F6E8C1E4A3F9F530A4F4E1F6C11", "9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11"),
        Case(.hexadecimal, "no UUID", "no UUID"),
        Case(.number, .integer(12), "12"), Case(.number, .real(12.5), "12.5"),
    ])
    func areRead(_ example: Case) {
        #expect(example.form.canonical(example.stored) == example.value)
    }

    @Test(arguments: [
        (ColumnForm.spaced, "2024-01-02T03:04:05.1234567Z", false), (.spaced, "2024-01-02T03:04:05.123456Z", true),
        (.milliseconds, "2024-01-02T03:04:05.1234Z", false), (.seconds, "2024-01-02T03:04:05.1Z", false),
        (.spaced, "no time", true), (.number, "0.1", true), (.number, "-123456789012.345", true),
        (.number, "1234567890123.456", false), (.number, "9223372036854775807", true),
        (.number, "9223372036854775808", false), (.number, "0.0000000000000000000000000000001", true),
        (.number, "1e400", false), (.number, "1e-400", false), (.number, "0e0", true),
        (.number, "1000000000000000000000", true), (.number, #"{"a":1}"#, true),
        (.number, #""12345678901234567890""#, true),
    ])
    func holdWhatTheyCan(form: ColumnForm, value: String, isHeld: Bool) {
        #expect((form.stored(FieldValue(value)) != nil) == isHeld)
    }

    @Test func timesOfAllYearsGoBothWays() throws {
        let seed = UInt64.random(in: .min ... .max)
        var state = seed
        for _ in 0..<5000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let count = Int64(state >> 1) % 315_569_520_000_000 - 62_167_219_200_000
            let value = ColumnForm.milliseconds.canonical(.integer(count))
            #expect(ColumnForm.milliseconds.stored(value) == .integer(count), "seed \(seed)")
            for form in [ColumnForm.spaced, .spacedMicroseconds] {
                let stored = try #require(form.stored(value))
                #expect(form.canonical(stored) == value, "seed \(seed)")
            }
        }
    }
}

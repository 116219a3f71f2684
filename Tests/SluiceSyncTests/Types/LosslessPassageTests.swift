import SluiceModel
import SluicePipeline
import SluiceReconcile
import SluiceStore
import Testing

/// Which values pass from one type to another without loss.
@Suite struct LosslessPassageTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let before: FieldType
        let value: FieldValue
        let now: FieldType
        let expected: FieldValue?
        var testDescription: String { "\(before) \(value) as \(now)" }
    }

    private static func numbers(_ numbers: [Int64]) -> [Case] {
        numbers.flatMap { number in
            let text = FieldValue(String(number))
            return [
                Case(before: .int, value: .integer(number), now: .string, expected: text),
                Case(before: .string, value: text, now: .int, expected: .integer(number)),
            ]
        }
    }

    static let cases =
        numbers([0, 1, -1, 42, 9_007_199_254_740_993, .max, .min])
        + ["007", "+5", "-0", "5.0", "1e3", " 5", "5 ", "", "x", "9223372036854775808", "\u{0665}"].map {
            Case(before: .string, value: FieldValue($0), now: .int, expected: nil)
        } + [
            Case(before: .int, value: .null, now: .string, expected: .null),
            Case(before: .string, value: .null, now: .int, expected: .null),
            Case(before: .int, value: .integer(1), now: .bool, expected: .integer(1)),
            Case(before: .int, value: .integer(2), now: .bool, expected: nil),
        ]

    @Test(arguments: cases)
    func whatPasses(test: Case) {
        func field(_ type: FieldType) -> RecordSchema.Field {
            RecordSchema.Field(name: "v", column: "v", type: type)
        }
        #expect(FieldConversion.lossless().value(test.value, field(test.before), field(test.now)) == test.expected)
    }
}

import SluicePipeline
import Testing

@testable import SluiceModel
@testable import SluiceReport

/// A value of the source, and what a field of some type makes of it.
struct TypeCase: CustomTestStringConvertible, Sendable {
    /// What becomes of the value.
    enum Outcome: Sendable {
        /// It is stored so.
        case stored(FieldValue)
        /// It is refused: the reason's name, and words of the message.
        case refused(String, String)
    }

    let name: String
    let json: String
    let outcome: Outcome
    var testDescription: String { name }

    /// A value that is stored as text.
    static func takes(_ name: String, _ json: String, _ text: String) -> TypeCase {
        TypeCase(name: name, json: json, outcome: .stored(FieldValue(text)))
    }

    /// A value that is stored as bytes.
    static func takes(_ name: String, _ json: String, bytes: [UInt8]) -> TypeCase {
        TypeCase(name: name, json: json, outcome: .stored(.blob(bytes)))
    }

    /// A value that is no value of the type.
    static func refuses(
        _ name: String, _ json: String, _ words: String, reason: String = "type_mismatch"
    ) -> TypeCase {
        TypeCase(name: name, json: json, outcome: .refused(reason, words))
    }

    /// Decodes the value as the engine does, and reads back what was stored.
    func check(_ field: FieldDefinition, isKey: Bool = false) throws {
        let decoding = Decoding(fields: [field], key: isKey ? [field.name] : [])
        let (outcomes, failures, batch) = try decoding.batch(of: "{\"\(field.name)\": \(json)}")
        switch outcome {
        case .stored(let value):
            #expect(outcomes == [.values([value])])
            guard outcomes == [.values([value])] else { return }
            // What a store gives back is the same to the merge.
            #expect(
                CanonicalValue().digest(of: value, type: field.type, comparison: .exact)
                    == batch.digest(record: 0, field: 0))
        case .refused(let reason, let words):
            #expect(
                outcomes == [.refused(reason: reason, pointer: "/\(field.name)", value: try Tree(json).compact)])
            #expect(failures.first?.message.contains(words) == true, "\(failures.first?.message ?? "")")
        }
    }
}

/// Two values, and whether they are one to the merge.
struct TypePair: CustomTestStringConvertible, Sendable {
    let left: String
    let right: String
    let isEqual: Bool
    var testDescription: String { "\(left.prefix(40)) \(isEqual ? "=" : "≠") \(right.prefix(40))" }

    init(_ left: String, _ right: String, isEqual: Bool) {
        self.left = left
        self.right = right
        self.isEqual = isEqual
    }

    /// Compares the digests of the values and of the rows that they make.
    func check(_ field: FieldDefinition) throws {
        let document = "[{\"\(field.name)\":\(left)},{\"\(field.name)\":\(right)}]"
        let batch = try Decoding(fields: [field]).batch(of: document).batch
        try #require(batch.count == 2)
        #expect((batch.digest(record: 0, field: 0) == batch.digest(record: 1, field: 0)) == isEqual)
        #expect((batch.rowHashes[0] == batch.rowHashes[1]) == isEqual)
    }
}

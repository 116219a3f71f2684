package import SluiceDecode
internal import SluiceModel
internal import SluiceStore

extension DecodePlan.Field {
    /// The path in the record at which its value stands, as pipelines write it; nil where none does.
    package var path: String? {
        if program != nil || template != nil || pointer.isEmpty { return nil }
        return pointer.dropFirst().split(separator: "/").joined(separator: ".")
            .replacing("~1", with: "/").replacing("~0", with: "~")
    }
}

extension TableRefusal {
    /// What to do, as a sentence that names the field and where its value stands, if the refusal is about one of the source.
    ///
    /// - Parameters:
    ///   - schema: The fields of the record.
    ///   - origins: For each field the path at which records have its value; nil where it stands at none.
    /// - Returns: The sentence.
    func remedy(_ schema: RecordSchema, from origins: [String?]) -> String {
        guard let nullColumn,
            let index = schema.fields.firstIndex(where: { $0.column.lowercased() == nullColumn.lowercased() }),
            !schema.references.contains(where: { $0.fields.contains(index) }), origins.indices.contains(index)
        else { return remedy(ofElement: schema) }
        let (field, column) = (schema.fields[index].name, schema.fields[index].column)
        guard let path = origins[index] else {
            return
                "The field `\(field)` has no value: let its `expr` end with `// \"…\"`, which stands in for null, or allow null in the column `\(column)`."
        }
        let example = Self.isPlain(path) ? " such as `.\(path) // \"…\"`" : ""
        return
            "The source sends null, or nothing, at `\(path)`: give the field `\(field)` an `expr`\(example), or allow null in the column `\(column)`."
    }

    /// The remedy of a record that may stand within another one: the filter of a stream leaves out whole records.
    private func remedy(ofElement schema: RecordSchema) -> String {
        guard schema.references.contains(where: { $0.onDangling == .owner }) else { return remedy }
        return remedy.replacing(
            "leave such records out with `filter`",
            with:
                "leave such elements out of their list with `records: {jq: …}`: `filter` leaves out all of the record around them"
        )
    }

    /// Whether a path is a program of jq behind a full stop.
    private static func isPlain(_ path: String) -> Bool {
        path.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { name in
            name.first?.isNumber == false
                && name.utf8.allSatisfy { byte in
                    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                }
        }
    }
}

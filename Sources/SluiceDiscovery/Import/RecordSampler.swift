internal import SluiceDecode
internal import SluiceJSON
internal import SluicePages
internal import SluicePipeline

/// Reads the first records of a source and keeps what they look like.
struct RecordSampler {
    private let place: RecordsPlace
    private let limit: Int?
    private let shape = ValueShape()
    private let names = ValueShape()
    private let parser = JSONParser()
    private var records = 0
    private var objects = 0
    private var firstOther: (kind: JSONKind, page: String)?
    /// Why the first record that is no JSON is none.
    private var firstFault: (error: JSONError, page: String)?
    private var pathWasFound = false
    private var pageName = ""

    init(place: RecordsPlace, limit: Int?) {
        self.place = place
        self.limit = limit
    }

    var isFull: Bool { limit.map { records >= $0 } ?? false }

    /// Looks at the records of a page.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - maximumRecordBytes: The most that a record may have.
    ///   - onCount: Is called now and then with how many records were looked at; what it throws ends the reading.
    /// - Throws: ``ImportError``, `SystemError` or what `onCount` throws.
    mutating func read(_ page: Page, maximumRecordBytes: Int, onCount: (Int) throws -> Void) throws {
        let bytes = try PageBytes(page)
        let reader = try place.format.makeReader(
            of: bytes, page: page.name, records: place.path, members: place.entries != nil,
            maximumRecordBytes: maximumRecordBytes, delimiter: place.delimiter, isTyped: true)
        pageName = page.name
        while !isFull, let record = try ImportInspection.unreadable(page, { try reader.next() }) {
            if records & 0xFF == 0 { try onCount(records) }
            records += 1
            // What is no JSON goes to quarantine when it is taken.
            do {
                let kind = try parser.withRoot(of: record) { root in
                    if root.kind == .object { shape.add(root, record: objects) }
                    return root.kind
                }
                if kind != .object {
                    firstOther = firstOther ?? (kind, page.name)
                    continue
                }
            } catch let error as JSONError {
                if firstFault == nil { firstFault = (reader.located(error, in: record), page.name) }
                continue
            }
            if let name = record.member { names.add(name: name, record: objects, parser: parser) }
            objects += 1
        }
        pathWasFound = pathWasFound || reader.pathWasFound || records > 0
    }

    /// The fields and how many records they are drawn from.
    ///
    /// - Throws: ``ImportError`` where there are no records to draw them from.
    func finish() throws(ImportError) -> (fields: [ImportedField], records: Int) {
        let isOnLines = place.format == .jsonl && place.path == nil
        let hint =
            isOnLines
            ? "If it is CSV, say `--input-format csv`; else say with `--records PATH` where the records are."
            : "Say with `--records PATH` where the records are."
        if !pathWasFound {
            throw ImportError(.failed, "\(pageName) has nothing at the path `\(place.text)`. \(hint)")
        }
        if objects == 0 {
            if let firstOther {
                let isList = firstOther.kind == .array && place.path != nil
                let hint = isList ? "If its elements are the records, say `--records '\(place.text)[*]'`." : hint
                throw ImportError(
                    .failed,
                    "The records of \(firstOther.page) at `\(place.text)` are no objects: the first is \(firstOther.kind). \(hint)"
                )
            }
            if let firstFault { throw unreadable(firstFault.error, firstFault.page) }
            throw ImportError(
                .failed, "There are no records at `\(place.text)` in \(pageName), so there is no type to infer.")
        }
        if shape.membersAreForgotten {
            throw ImportError(
                .failed,
                "The records at `\(place.text)` have more than \(ValueShape.maximumKeys) different keys, which is too many for a table. If the object is a map of records, name it with `--records`."
            )
        }
        let entryName = place.entries.map { (key: $0, shape: names) }
        let fields = SchemaInference.fields(
            of: shape, records: objects, entryName: entryName, hasTexts: place.format.hasRows)
        if fields.isEmpty {
            throw ImportError(.failed, "The records at `\(place.text)` in \(pageName) are empty objects.")
        }
        return (fields, objects)
    }

    /// Where no record is JSON: several values that are no lines look like that too.
    private func unreadable(_ error: JSONError, _ page: String) -> ImportError {
        let isOverLines = place.format == .jsonl && [.truncated, .trailingContent].contains(error.code)
        let hint =
            isOverLines
            ? " It holds several JSON values that do not stand on a line each; `jq -c .` puts them there." : ""
        return ImportError(.failed, "\(page) cannot be read: \(error)\(hint)")
    }
}

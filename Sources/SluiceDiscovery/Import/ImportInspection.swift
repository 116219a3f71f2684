package import SluiceDecode
internal import SluiceGzip
package import SluiceJSON
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
package import SluiceReport
package import SluiceSystem

/// What looking at the first records of a source tells.
package struct ImportInspection: Sendable {
    /// Where the records are.
    package let place: RecordsPlace
    /// The fields, in the order in which their keys were first seen.
    package private(set) var fields: [ImportedField]
    /// How many records were looked at.
    package let records: Int
    /// Whether there may be more than were looked at.
    package let isPartial: Bool
    /// The fields whose keys are absent in some records and null in none, by their names, with what to think of that.
    package var absences: [String: String] {
        // Rows have all their columns.
        if place.format.hasRows { return [:] }
        let left = fields.filter(\.mayBeLeftOut).map { field in
            (
                field.name,
                "absent in \(field.absent) of \(records) records: `on_missing: set_null` if that means that it is empty"
            )
        }
        return Dictionary(left) { first, _ in first }
    }

    /// What to say of fields in a pipeline that is written, by their names.
    package var notes: [String: String] {
        let nested = fields.compactMap { field in field.nested.map { (field.name, $0.note) } }
        let quoted = fields.filter(\.isQuotedDecimal).map { field in
            (field.name, "decimal numbers in quotes: `decimal` keeps their digits too, and compares them as numbers")
        }
        let dates = fields.compactMap { field in field.dateNote.map { (field.name, $0) } }
        return absences.merging(nested + quoted + dates) { "\($0); \($1)" }
    }

    /// Names for the records: that of their table, and those of their source and place.
    private let names: [String]

    /// Looks at a source.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - path: Where the records are, nil to find them.
    ///   - limit: How many records to look at, nil for all.
    ///   - table: The table that the records shall go to, nil where it has the source's name.
    ///   - cancellation: What stops it.
    ///   - onProgress: Is told now and then how many records were looked at.
    /// - Throws: ``ImportError``.
    package init(
        _ source: ImportSource, path: JSONPath?, limit: Int?, table: String? = nil, cancellation: Cancellation,
        onProgress: (RunProgress) -> Void = { _ in }
    ) throws(ImportError) {
        do {
            let place = try Self.findRecords(source, path: path, cancellation: cancellation)
            var sampler = RecordSampler(place: place, limit: limit)
            for page in source.fetched.pages where !sampler.isFull {
                try sampler.read(page, maximumRecordBytes: source.definition.maximumRecordBytes) { records in
                    try cancellation.check()
                    onProgress(RunProgress(stage: .inspecting, stream: table ?? "", records: records, total: limit))
                }
            }
            self.place = place
            isPartial = sampler.isFull
            names = [table, ImportPipeline.table(for: source.place), place.path?.lastName].compactMap { $0 }
            (fields, records) = try sampler.finish()
        } catch {
            throw ImportError(error, isCancelled: cancellation.isCancelled)
        }
    }

    // MARK: The place

    /// Where an outline is good enough when an object goes on for longer.
    private static let outlineBytes = 32 << 20

    static func findRecords(
        _ source: ImportSource, path: JSONPath?, cancellation: Cancellation
    ) throws -> RecordsPlace {
        guard let page = source.fetched.pages.first else {
            throw ImportError(.failed, "The source has nothing to read.")
        }
        if let rows = try RowFormatGuess(source, first: page).place {
            if path != nil {
                throw ImportError(
                    .usage, "`--records` leads into JSON, but the records of \(page.name) are its rows. Leave it out.")
            }
            return rows
        }
        let isAsked = source.form.format == .jsonl
        let hasLines = isAsked || source.form.format == nil && isLines(source.place)
        if path == nil, !hasLines, let sentence = PageComplaint.ofError(page) {
            throw ImportError(
                .failed, "\(page.name) is an error, and no records.\(sentence)".hiding(source.request?.secrets ?? []),
                remedy: "Should it be a record all the same, take it with `--records '$'`.")
        }
        let outline = try outline(of: page, cancellation)
        let finder = RecordsFinder(outline, sourceName: ImportPipeline.table(for: source.place))
        var place: RecordsPlace
        if let path {
            place = finder.place(at: path)
        } else if let found = finder.find() {
            place = found
        } else if outline.rootCount == 0 {
            throw ImportError(.failed, "\(page.name) is empty: there are no records to import.")
        } else {
            // Reading it gives the better message where it is no JSON at all.
            place = RecordsPlace(format: .json, reason: "")
        }
        if hasLines, place.entries == nil {
            if place.format != .jsonl, path == nil { place.path = nil }
            place.format = .jsonl
            if path == nil {
                place.reason = isAsked ? "as asked for" : "the name says that there is a value on each line"
            }
        }
        return place
    }

    private static func isLines(_ place: ImportSource.Place) -> Bool {
        [".jsonl", ".ndjson"].contains { place.fileName.hasSuffix($0) }
    }

    private static func outline(of page: Page, _ cancellation: Cancellation) throws -> DocumentOutline {
        var outline = DocumentOutline()
        let bytes = try PageBytes(page)
        while true {
            try cancellation.check()
            let part = try unreadable(page) { try bytes.read(upTo: 256 << 10) }
            outline.add(part)
            if part.isEmpty || outline.rootCount > 1 { return outline }
            // Of an array everything is known; of an object enough, once most of it can only be its records.
            if let root = outline.nodes.first, root.kind == .array { return outline }
            if outline.byteCount >= outlineBytes, outline.hasManyRecords { return outline }
        }
    }

    /// Names the page in errors about its bytes.
    package static func unreadable<Value>(_ page: Page, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as GzipError {
            throw ImportError(.failed, "\(page.name) cannot be read: \(error.message). Compress or fetch it again.")
        } catch let error as JSONError {
            throw ImportError(.failed, "\(page.name) cannot be read: \(error.advice)")
        }
    }
}

extension DocumentOutline {
    /// Whether some container holds so many objects that it is the place of the records.
    fileprivate var hasManyRecords: Bool { nodes.contains { $0.objects >= 1000 } }
}

extension ImportInspection {
    /// The same without examples that repeat a secret; they may be cut, so its beginning is enough.
    package func hiding(_ secrets: [String]) -> ImportInspection {
        var inspection = self
        for index in fields.indices {
            let example = fields[index].example ?? ""
            if secrets.contains(where: { example.contains($0.prefix(8)) }) {
                inspection.fields[index].example = "\"***\""
            }
        }
        return inspection
    }

    /// What could identify the records.
    package var keyCandidates: KeyCandidates { KeyCandidates(fields, records: records, names: names) }

    /// What speaks against a key, each as the end of a sentence.
    package func doubts(about key: [String]) -> [String] { [gap(in: key), sharing(of: key)].compactMap { $0 } }

    /// What the records that were looked at say of a key that some of them have not, as the end of a sentence; nil where all
    /// have it.
    package func gap(in key: [String]) -> String? {
        let field = fields.first { $0.empty > 0 && key.contains($0.name) }
        return field.map { field in
            "`\(field.name)` is empty in \(field.empty) of \(records) records; records without an identifier go to quarantine"
        }
    }

    /// What the records that were looked at say of a key that several of them have, as the end of a sentence; nil where none
    /// does.
    package func sharing(of names: [String]) -> String? {
        let key = names.compactMap { name in fields.first { $0.name == name } }
        guard let count = key.map(\.hashes.count).min(), count > 1 else { return nil }
        let hashes = (0..<count).map { record in key.reduce(UInt64(0)) { KeyHash.combine($0, $1.hashes[record]) } }
        let counts = hashes.reduce(into: [UInt64: Int]()) { $0[$1, default: 0] += 1 }
        let shared = counts.values.reduce(0) { $1 > 1 ? $0 + $1 : $0 }
        return shared == 0
            ? nil : "\(shared) of \(count) records share it with another one; a run would keep the last of these"
    }

    /// That several records have one key, as a sentence.
    ///
    /// - Parameters:
    ///   - names: The fields of the key.
    ///   - count: How many records share theirs with another one from which they differ.
    ///   - records: How many there are.
    ///   - hasAlike: Whether others share theirs and are alike.
    /// - Returns: The sentence.
    package static func sharing(
        _ names: [String], count: Int, of records: Int, besidesAlike hasAlike: Bool
    ) -> String {
        let field = names == ["id"] ? "" : " (\(names.map { "`\($0)`" }.joined(separator: ", ")))"
        let differ = hasAlike ? " and differ" : ""
        return "\(count) of \(records) records share an id\(field)\(differ); the last is kept."
    }
}

extension JSONPath {
    /// The last name on the path: `orders` of `$.data.orders[*]`.
    fileprivate var lastName: String? {
        steps.reversed().lazy.compactMap { if case .name(let name) = $0 { name } else { nil } }.first
    }
}

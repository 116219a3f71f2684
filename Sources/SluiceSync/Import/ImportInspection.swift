internal import SluiceGzip
public import SluiceJSON
internal import SluiceMerge
internal import SluicePipeline
public import SluiceSystem

/// What looking at the first records of a source tells.
public struct ImportInspection: Sendable {
    /// Where the records are.
    public let place: RecordsPlace
    /// The fields, in the order in which their keys were first seen.
    public private(set) var fields: [ImportedField]
    /// How many records were looked at.
    public let records: Int
    /// Whether there may be more than were looked at.
    public let isPartial: Bool

    /// Looks at a source.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - path: Where the records are, nil to find them.
    ///   - limit: How many records to look at, nil for all.
    ///   - cancellation: What stops it.
    /// - Throws: ``ImportError``.
    public init(
        _ source: ImportSource, path: JSONPath?, limit: Int?, cancellation: Cancellation
    ) throws(ImportError) {
        do {
            let place = try Self.findRecords(source, path: path, cancellation: cancellation)
            var sampler = RecordSampler(place: place, limit: limit)
            for page in source.fetched.pages where !sampler.isFull {
                try sampler.read(page, maximumRecordBytes: source.definition.maximumRecordBytes, cancellation)
            }
            self.place = place
            isPartial = sampler.isFull
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
        let outline = try outline(of: page, cancellation)
        let finder = RecordsFinder(outline)
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
        if isLines(source.place), place.entries == nil {
            if place.format != .jsonl, path == nil { place.path = nil }
            place.format = .jsonl
            if path == nil { place.reason = "the name says that there is a value on each line" }
        }
        return place
    }

    private static func isLines(_ place: ImportSource.Place) -> Bool {
        var name: Substring
        switch place {
        case .url(let url): name = url.prefix { $0 != "?" && $0 != "#" }
        case .file(let path): name = path[...]
        case .stream: return false
        }
        if name.hasSuffix(".gz") { name = name.dropLast(3) }
        return [".jsonl", ".ndjson"].contains { name.lowercased().hasSuffix($0) }
    }

    private static func outline(of page: Page, _ cancellation: Cancellation) throws -> DocumentOutline {
        var outline = DocumentOutline()
        let bytes = try PageBytes(page)
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            try cancellation.check()
            let count = try unreadable(page) {
                try unsafe buffer.withUnsafeMutableBytes { all in
                    let count = try unsafe bytes.read(into: all)
                    unsafe outline.add(UnsafeRawBufferPointer(rebasing: all[..<count]))
                    return count
                }
            }
            if count == 0 || outline.rootCount > 1 { return outline }
            // Of an array everything is known; of an object enough, once most of it can only be its records.
            if let root = outline.nodes.first, root.kind == .array { return outline }
            if outline.byteCount >= outlineBytes, outline.hasManyRecords { return outline }
        }
    }

    /// Names the page in errors about its bytes.
    static func unreadable<Value>(_ page: Page, _ body: () throws -> Value) throws -> Value {
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
    func hiding(_ secrets: [String]) -> ImportInspection {
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
    public var keyCandidates: KeyCandidates { KeyCandidates(fields, records: records) }

    /// What the records that were looked at say against a key, as sentences; nil where they say nothing.
    public func doubt(about names: [String]) -> String? {
        let key = names.compactMap { name in fields.first { $0.name == name } }
        let text = names.map { "`\($0)`" }.joined(separator: ", ")
        if let field = key.first(where: { $0.empty > 0 }) {
            return
                "`\(field.name)` is empty in \(field.empty) of \(records) records; records without an identifier go to quarantine."
        }
        guard let count = key.map(\.hashes.count).min(), count > 1 else { return nil }
        let hashes = (0..<count).map { record in key.reduce(UInt64(0)) { KeyHash.combine($0, $1.hashes[record]) } }
        let repeated = count - Set(hashes).count
        if repeated == 0 { return nil }
        return
            "Of the first \(count) records, \(repeated) have a value of \(text) that another one has: of each such value the last record is kept."
    }
}

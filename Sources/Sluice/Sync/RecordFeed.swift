internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport
internal import SluiceSystem

/// A file that was read piece by piece was changed meanwhile, or a piece of it could not be read.
struct PiecesLost: Error {}

/// The records of a sync, which can be read again from the start.
struct RecordFeed {
    /// Where the text of records is.
    enum Text {
        /// In memory.
        case pages([[UInt8]])
        /// In a file, which is read each time.
        case file(WatchedFile)

        /// How many texts there are.
        fileprivate var count: Int {
            switch self {
            case .pages(let pages): pages.count
            case .file: 1
            }
        }

        /// How long they are together.
        var byteCount: Int {
            switch self {
            case .pages(let pages): pages.reduce(0) { $0 + $1.count }
            case .file(let file): file.byteCount
            }
        }

        /// Refuses what was read of a file that was changed meanwhile: it may be of two times.
        fileprivate func check() throws {
            if case .file(let file) = self, !file.isAsOpened { throw PiecesLost() }
        }

        /// What reads the bytes of a text from its start, and gives how many there were, none at the end.
        fileprivate func source(of page: Int) -> (UnsafeMutableRawBufferPointer) throws -> Int {
            var position = 0
            switch self {
            case .pages(let pages):
                let page = pages[page]
                return { buffer in
                    let count = min(buffer.count, page.count - position)
                    unsafe buffer.copyBytes(from: page[position..<position + count])
                    position += count
                    return count
                }
            case .file(let file):
                return { buffer in
                    guard let count = unsafe try? file.read(into: buffer, at: position) else { throw PiecesLost() }
                    position += count
                    return count
                }
            }
        }
    }

    /// The texts that hold them.
    var text = Text.pages([])
    /// How many records of the same sync were read before these.
    var preceding = 0
    /// Whether the records are values of the model as a store keeps them, each on a line.
    var holdsStoredValues = false
    /// What could not be made a record.
    var failures: [DecodeFailure] = []
    /// How many records were left out.
    var skipped = 0
    /// What people should know of the records that these were made of.
    var problems: [RunProblem] = []
    /// The keys of those that have one: their source lists them, so they are not gone.
    var skippedKeys: [RecordKey] = []
    /// The records in quarantine that the pages are; nil for records of a source.
    var retried: RetriedEntries?

    init() {}
    init(text: Text) { self.text = text }
    init(pages: [[UInt8]]) { text = .pages(pages) }

    /// A mapping that decodes them.
    func plan(_ source: ModelSource) throws -> DecodePlan {
        let pipeline = holdsStoredValues ? try source.ofStoredValues() : source.pipeline
        let entity = pipeline.entities[0]
        let looks = source.description.looks
        var plan = try DecodePlan(
            entity: entity, schema: source.schema, entriesKey: holdsStoredValues ? nil : source.stream.entries,
            stream: source.stream,
            parts: try NestedTree(
                pipeline: pipeline, stream: source.stream, entity: entity)?
                .lookedAt(by: looks))
        plan.looks = looks[entity.name]
        return plan
    }

    /// Visits the records in their order.
    ///
    /// - Parameters:
    ///   - stream: Says where in a text they stand.
    ///   - body: Gets each record, which is readable during the call, and the number of its page; false ends the visit.
    /// - Throws: ``SluiceError`` where a text is no JSON, ``PiecesLost``, and what the body throws.
    func forEach(_ stream: StreamDefinition, _ body: (RawRecord, Int, Int) throws -> Bool) throws {
        let format = holdsStoredValues ? .jsonl : stream.format
        let path = holdsStoredValues ? nil : stream.records
        let hasNames = !holdsStoredValues && stream.entries != nil
        var first = 0
        for number in 0..<text.count {
            do {
                switch try visit(number, from: first, at: path, members: hasNames, format, body) {
                case .ended: return
                case .read(let next): first = next
                case .list:
                    // A path to a list means its elements.
                    let elements = path.map { JSONPath(steps: $0.steps + [.wildcard], text: $0.text + "[*]") }
                    guard
                        case .read(let next) = try visit(
                            number, from: first, at: elements, members: false, format, body)
                    else {
                        return
                    }
                    first = next
                }
            } catch {
                // What half of a change makes of records is none of their faults.
                try text.check()
                guard let error = error as? JSONError else { throw error }
                throw SluiceError(EngineFailure(error, in: name(number)))
            }
        }
    }

    /// How the visit of a page went.
    private enum Visit {
        /// To its end; the position of the next page's first record.
        case read(next: Int)
        /// Whoever visits wants no more.
        case ended
        /// Nothing was visited, since the path leads to a list.
        case list
    }

    private func visit(
        _ number: Int, from first: Int, at path: JSONPath?, members: Bool, _ format: StreamDefinition.Format,
        _ body: (RawRecord, Int, Int) throws -> Bool
    ) throws -> Visit {
        let source = unsafe text.source(of: number)
        let reader = try unsafe JSONRecordReader(
            records: path, members: members, format: format == .jsonl ? .jsonl : .json
        ) { buffer in try unsafe source(buffer) }
        var next = first
        while let record = try reader.next() {
            if path?.isSingular == true, !members, format == .json, record.copy.first == UInt8(ascii: "[") {
                return .list
            }
            next = first + record.ordinal + 1
            let goesOn: Bool
            do { goesOn = try body(record, number, first) } catch let error as JSONError {
                // It counts bytes from where the record begins.
                let place = "\(name(number)), record \(preceding + record.ordinal + 1),"
                throw SluiceError(EngineFailure(error, in: place))
            }
            if !goesOn {
                try text.check()
                return .ended
            }
        }
        try text.check()
        if !reader.pathWasFound {
            throw SluiceError(
                .invalidJSON,
                "\(name(number)) has nothing at `\(path?.text ?? "")`. Check `records`; nothing was written.")
        }
        return .read(next: next)
    }

    private func name(_ page: Int) -> String { text.count > 1 ? "Page \(page + 1) of the JSON" : "The JSON" }

    /// The texts of some records, by their positions.
    func texts(at ordinals: Set<Int>, _ stream: StreamDefinition) throws -> [Int: RecordText] {
        guard let last = ordinals.max() else { return [:] }
        var texts: [Int: RecordText] = [:]
        try forEach(stream) { record, page, first in
            let ordinal = first + record.ordinal
            if ordinals.contains(ordinal) {
                texts[ordinal] = RecordText(
                    bytes: record.copy, page: name(page), number: preceding + record.ordinal + 1, line: nil,
                    pointer: nil)
            }
            return ordinal < last
        }
        return texts
    }
}

extension RawRecord {
    /// The name of the member that it is, as JSON; that of nothing where it is none.
    var quotedName: [UInt8] {
        guard let name = unsafe memberName else { return Array(#""""#.utf8) }
        return Array(FieldJSON.quoted(unsafe Array(name)).utf8)
    }
}

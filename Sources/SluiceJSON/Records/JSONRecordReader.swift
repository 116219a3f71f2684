internal import CSluiceSimdjson

/// Splits a document that is read piece by piece into its records.
///
/// Only the present record and one piece of the document are in memory, however large the document is and whatever
/// stands beside the records. All that is not within a record is validated here; a record itself is followed to its
/// end, and the ``JSONParser`` validates it.
///
/// ```swift
/// let reader = try unsafe JSONRecordReader(records: JSONPath(parsing: "$.data[*]")) { buffer in
///     try unsafe file.read(into: buffer)
/// }
/// while let record = try reader.next() {
///     let element = try unsafe parser.parse(record.bytes)
/// }
/// ```
///
/// A path with a filter, a slice, a descendant segment, several selectors or a negative index cannot be followed that
/// way. For it each document, or each line, is read as a whole, up to a limit of its own, and then searched.
///
/// What counts as found: with a wildcard at the end of the path the container that it expands, otherwise the record.
/// A null where a container is expected holds no records and is not found; any other type there is an error. Where the
/// name of a member on the path occurs twice, both are followed.
@safe
package final class JSONRecordReader {
    /// How records stand in the document.
    package enum Format: Sendable, Hashable {
        /// One JSON document.
        case json
        /// A JSON document on each line; blank lines are skipped. With a path each line is searched for records.
        case jsonl
    }

    /// Reads the next bytes into a buffer and returns their number, 0 at the end; throws if it cannot.
    package typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

    /// The size of a record where nothing else is said: 16 MiB.
    package static let defaultMaximumRecordBytes = 16 << 20

    /// The size of a document that must be in memory as a whole where nothing else is said: 256 MiB.
    package static let defaultMaximumDocumentBytes = JSONParser.maximumByteCount

    /// How many records were found so far.
    package var recordCount: Int { search?.recordCount ?? splitter.recordCount }
    /// How many bytes were read so far.
    package var byteCount: Int { splitter.byteCount }
    /// Whether the path to the records led somewhere; complete only behind the last record. Lines without a path are
    /// their own container.
    package var pathWasFound: Bool { search?.pathWasFound ?? splitter.pathWasFound }

    // All that changes from record to record is one value, so that a call checks exclusive access once.
    private var splitter: RecordSplitter
    /// For a path that cannot be followed while the document streams past: what the splitter gives is searched.
    private var search: RecordSearch?
    private let maximumRecordBytes: Int
    private var outcome: Result<Void, any Error>?

    /// Makes a reader of a document that is in memory, whose records are the elements of an array, or lines.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - format: How records stand in it.
    ///   - maximumRecordBytes: The limit of one record.
    /// - Throws: ``JSONError`` if there is no memory.
    package convenience init(of document: [UInt8], format: Format, maximumRecordBytes: Int) throws(JSONError) {
        var position = 0
        try unsafe self.init(records: nil, format: format, maximumRecordBytes: maximumRecordBytes) { buffer in
            let count = min(buffer.count, document.count - position)
            unsafe buffer.copyBytes(from: document[position..<position + count])
            position += count
            return count
        }
    }

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - records: The path to the records; nil for the elements of an array, or an object as the one record.
    ///   - members: Whether the records are the members of the object at the path.
    ///   - format: How records stand in the document.
    ///   - maximumRecordBytes: The limit of one record; with lines and a path, of one line.
    ///   - maximumDocumentBytes: The limit of a document that must be in memory as a whole.
    ///   - maximumDepth: How deeply values outside records may be nested.
    ///   - bufferSize: The size of a piece.
    ///   - source: Reads the document.
    /// - Throws: ``JSONError`` if there is no memory.
    package init(
        records: JSONPath?, members: Bool = false, format: Format = .json,
        maximumRecordBytes: Int = defaultMaximumRecordBytes,
        maximumDocumentBytes: Int = defaultMaximumDocumentBytes, maximumDepth: Int = JSONParser.defaultMaximumDepth,
        bufferSize: Int = 256 << 10, source: @escaping Source
    ) throws(JSONError) {
        self.maximumRecordBytes = maximumRecordBytes
        if let records, RecordSearch.isNeeded(for: records) {
            search = RecordSearch(path: records, members: members, maximumDepth: maximumDepth)
            let limit = min(maximumDocumentBytes, JSONParser.maximumByteCount)
            splitter = try unsafe RecordSplitter(
                scanner: .make(
                    path: JSONPath(steps: [], text: "$"), members: false, maximumDepth: maximumDepth,
                    maximumNameLength: limit),
                mode: format == .json ? .document : .lines, path: nil, maximumRecordBytes: limit,
                bufferSize: max(64, bufferSize), source: source)
            return
        }
        splitter = try unsafe RecordSplitter(
            scanner: .make(
                path: records, members: members, maximumDepth: maximumDepth, maximumNameLength: maximumRecordBytes),
            mode: format == .json ? .document : records == nil && !members ? .lines : .searchedLines,
            path: records, maximumRecordBytes: maximumRecordBytes, bufferSize: max(64, bufferSize), source: source)
    }

    /// Reads up to the end of the next record.
    ///
    /// - Returns: The record, valid until the next call; nil at the end of the document.
    /// - Throws: ``JSONError`` with line and column if the document is not valid, if something else stands at the path,
    ///   or if a record is over the limit; whatever the source throws. The same again if called again.
    package func next() throws -> RawRecord? {
        if let outcome {
            try outcome.get()
            return nil
        }
        do {
            if let record = try search == nil ? splitter.next() : nextFound() { return record }
            outcome = .success(())
            return nil
        } catch {
            outcome = .failure(error)
            throw error
        }
    }

    private func nextFound() throws -> RawRecord? {
        while true {
            do throws(JSONError) {
                if let record = try search?.next(maximumRecordBytes: maximumRecordBytes) { return record }
            } catch {
                throw placedInDocument(error)
            }
            guard let document = try nextDocument() else { return nil }
            do throws(JSONError) {
                try search?.open(document)
            } catch {
                throw placedInDocument(error)
            }
        }
    }

    private func nextDocument() throws -> RawRecord? {
        do {
            return try splitter.next()
        } catch var error as JSONError where error.code == .recordTooLarge {
            error.code = .documentTooLarge
            error.message = """
                The path to the records needs the whole document in memory, and the document is larger than the limit \
                of \(splitter.maximumRecordBytes) bytes.
                """
            throw error
        }
    }

    private func placedInDocument(_ error: JSONError) -> JSONError {
        var error = error
        error.byteOffset += search?.documentOffset ?? 0
        return splitter.placed(error)
    }

    /// The same error with its place in the document, for one that was found within the present record.
    ///
    /// - Parameters:
    ///   - error: An error whose offset counts from the start of the record.
    ///   - record: The record that was returned last.
    /// - Returns: The error with line and column of the document.
    package func located(_ error: JSONError, in record: RawRecord) -> JSONError {
        var error = error
        error.byteOffset += record.byteOffset
        return splitter.placed(error)
    }

    /// The JSON pointer of the record that was returned last, within its document or line.
    package var pointer: String { search?.pointer ?? splitter.pointer }
}

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
/// What counts as found: with a wildcard at the end of the path the container that it expands, otherwise the record.
/// A null where a container is expected holds no records and is not found; any other type there is an error. Where the
/// name of a member on the path occurs twice, both are followed.
@safe
public final class JSONRecordReader {
    /// How records stand in the document.
    public enum Format: Sendable, Hashable {
        /// One JSON document.
        case json
        /// A JSON document on each line; blank lines are skipped. With a path each line is searched for records.
        case jsonl
    }

    /// Reads the next bytes into a buffer and returns their number, 0 at the end; throws if it cannot.
    public typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

    /// The size of a record where nothing else is said: 16 MiB.
    public static let defaultMaximumRecordBytes = 16 << 20

    /// How many records were found so far.
    public var recordCount: Int { splitter.recordCount }
    /// How many bytes were read so far.
    public var byteCount: Int { splitter.byteCount }
    /// Whether the path to the records led somewhere; complete only behind the last record. Lines without a path are
    /// their own container.
    public var pathWasFound: Bool { splitter.pathWasFound }

    // All that changes from record to record is one value, so that a call checks exclusive access once.
    private var splitter: RecordSplitter
    private var outcome: Result<Void, any Error>?

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - records: The path to the records; nil for the elements of an array, or an object as the one record.
    ///   - members: Whether the records are the members of the object at the path.
    ///   - format: How records stand in the document.
    ///   - maximumRecordBytes: The limit of one record; with lines and a path, of one line.
    ///   - maximumDepth: How deeply values outside records may be nested.
    ///   - bufferSize: The size of a piece.
    ///   - source: Reads the document.
    /// - Throws: ``JSONError`` if the path cannot be followed while the document streams past.
    public init(
        records: JSONPath?, members: Bool = false, format: Format = .json,
        maximumRecordBytes: Int = defaultMaximumRecordBytes, maximumDepth: Int = JSONParser.defaultMaximumDepth,
        bufferSize: Int = 256 << 10, source: @escaping Source
    ) throws(JSONError) {
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
    public func next() throws -> RawRecord? {
        if let outcome {
            try outcome.get()
            return nil
        }
        do {
            if let record = try splitter.next() { return record }
            outcome = .success(())
            return nil
        } catch {
            outcome = .failure(error)
            throw error
        }
    }

    /// The same error with its place in the document, for one that was found within the present record.
    ///
    /// - Parameters:
    ///   - error: An error whose offset counts from the start of the record.
    ///   - record: The record that was returned last.
    /// - Returns: The error with an offset from the start of the document, with line and column where they are known.
    public func located(_ error: JSONError, in record: RawRecord) -> JSONError {
        var error = error
        error.byteOffset += record.byteOffset
        return splitter.placed(error)
    }

    /// The JSON pointer of the record that was returned last, within its document or line.
    public var pointer: String { splitter.pointer }
}

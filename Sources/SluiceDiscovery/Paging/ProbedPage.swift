internal import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
internal import SluiceJSON
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline

/// A page as far as it helps to find the next one.
struct ProbedPage {
    let answer: ProbeAnswer
    /// A hash for each record: of its key where that is known, else of all of it.
    let prints: [UInt64]
    let envelope: Envelope
    /// The byte that the page begins with, by which an array and an object are told apart; nil for an empty one.
    let opening: UInt8?
    /// Whether the place of the records was there, and had records alone.
    let hasPlace: Bool
    var recordCount: Int { prints.count }

    private static let largestBody = 64 << 20

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - answer: What the source answered.
    ///   - stream: How its records are found.
    ///   - key: The path of what identifies a record, nil where that is not known.
    /// - Throws: `JSONError` and what reading throws.
    init(_ answer: ProbeAnswer, stream: StreamDefinition, key: JSONPath?) throws {
        self.answer = answer
        var prints: [UInt64] = []
        var others = 0
        var pathWasFound = answer.byteCount == 0
        let parser = JSONParser()
        if answer.byteCount > 0 {
            pathWasFound = try Self.records(of: answer, stream) { record in
                // A message in the place of records is none.
                guard record.firstByte == UInt8(ascii: "{") else {
                    others += 1
                    return
                }
                let value = try? key.flatMap { key in
                    try parser.withRoot(of: record) { root in key.first(in: root).flatMap { PageValue($0) } }
                }
                prints.append(value.map { FieldDigest.text(Array($0.json.utf8)) } ?? FieldDigest.text(of: record))
            }
        }
        self.prints = prints
        opening = answer.byteCount > 0 ? try PageBytes(answer.page).firstBytes().first : nil
        hasPlace = pathWasFound && others == 0
        let isEnvelope = stream.format == .json && stream.entries == nil && answer.byteCount > 0
        if isEnvelope, answer.byteCount <= Self.largestBody, stream.records?.steps.first != .wildcard {
            // What is too large once it is unpacked is read for its records alone.
            let bytes = try? PageBytes(answer.page).all(maximum: Self.largestBody, answer.page.name)
            envelope = try bytes.map { Envelope(try PageBody($0), records: stream.records) } ?? Envelope()
        } else {
            envelope = Envelope()
        }
    }

    /// The values of a field, in the order of the records; nil where a record has none.
    func values(at path: JSONPath, stream: StreamDefinition) throws -> [String?] {
        var values: [String?] = []
        if answer.byteCount == 0 { return [] }
        let parser = JSONParser()
        _ = try Self.records(of: answer, stream) { record in
            let value = try? parser.withRoot(of: record) { root in path.first(in: root).flatMap { PageValue($0) } }
            values.append(value?.plain)
        }
        return values
    }

    /// Goes through the records.
    ///
    /// - Returns: Whether the place where they stand is there.
    private static func records(
        of answer: ProbeAnswer, _ stream: StreamDefinition, _ body: (RawRecord) throws -> Void
    ) throws -> Bool {
        let reading = try RecordsReading(
            stream: stream, maximumRecordBytes: SourceDefinition(base: .file("/")).maximumRecordBytes,
            showsValues: true)
        let reader = try reading.makeReader(of: PageBytes(answer.page), answer.page)
        while let record = try reader.next() { try body(record) }
        return reader.pathWasFound || stream.records == nil
    }
}

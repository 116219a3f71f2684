package import SluiceDecode
internal import SluiceJSON
internal import SluicePipeline
package import SluiceReport
internal import SluiceSystem

extension DecodeStage {
    /// What decodes its records.
    package func makeDecoder() throws -> RecordDecoder {
        try RecordDecoder(
            plan: plan, entriesKey: stream.entries, filter: stream.filter, deletedWhen: stream.deletedWhen)
    }

    /// How the records of its pages are found.
    func makeReading() throws -> RecordsReading {
        try RecordsReading(
            stream: stream, maximumRecordBytes: maximumRecordBytes, showsValues: plan.redactor == nil)
    }

    /// The text and place of some records, by their positions within the stream; the pages are read once more for it.
    ///
    /// - Throws: What reading a page throws.
    package func texts(at ordinals: Set<Int>) throws -> [Int: RecordText] {
        guard let last = ordinals.max() else { return [:] }
        var texts: [Int: RecordText] = [:]
        var next = 0
        let reading = try makeReading()
        for (index, page) in pages.enumerated() where next <= last {
            try cancellation.check()
            let source = try PageBytes(page)
            let reader = try reading.makeReader(of: source, page)
            let first = next
            while next <= last, let record = try reader.next() {
                next = first + record.ordinal + 1
                guard ordinals.contains(next - 1) else { continue }
                // What a program yields has no place of its own in the page.
                let isOwn = stream.recordsProgram == nil
                let place = reader.located(JSONError(code: .internal, message: "", byteOffset: 0), in: record)
                let bytes = unsafe Array(record.bytes)
                texts[next - 1] = RecordText(
                    bytes: plan.redactor?.record(bytes) ?? bytes, page: page.name, pageIndex: index,
                    number: record.ordinal + 1,
                    line: isOwn ? place.line : nil,
                    pointer: isOwn && plan.redactor?.hidesMemberNames(stream.entries) != true ? reader.pointer : nil)
            }
        }
        return texts
    }
}

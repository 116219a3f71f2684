import SluiceJSON

/// A source that gives bytes in pieces of a certain size.
func source(_ bytes: [UInt8], pieces: Int = .max) -> JSONRecordReader.Source {
    var offset = 0
    return { buffer in
        let count = min(pieces, buffer.count, bytes.count - offset)
        for index in 0..<count { unsafe buffer[index] = bytes[offset + index] }
        offset += count
        return count
    }
}

/// The texts of all records.
func recordTexts(
    _ document: some Sequence<UInt8>, path: JSONPath? = nil, members: Bool = false,
    format: JSONRecordReader.Format = .json, pieces: Int = .max
) throws -> [String] {
    let reader = try unsafe JSONRecordReader(
        records: path, members: members, format: format, bufferSize: 64,
        source: source(Array(document), pieces: pieces))
    var texts: [String] = []
    while let record = try reader.next() {
        let text = unsafe String(decoding: record.bytes, as: UTF8.self)
        texts.append(record.member.map { "\($0)=\(text)" } ?? text)
    }
    return texts
}

import SluiceJSON

/// A JSON text: the parser, the writer, the reader of records and the decoders.
enum JSONTarget {
    private static let elsewhere = JSONPath(steps: [.index(1_000_000)], text: "$[1000000]")
    private static let paths: [(records: JSONPath?, members: Bool)] =
        [
            (nil, false), (JSONPath(steps: [], text: "$"), false), (JSONPath(steps: [], text: "$"), true),
            (JSONPath(steps: [.wildcard], text: "$[*]"), false),
            (JSONPath(steps: [.name("a"), .wildcard], text: "$.a[*]"), false),
            (JSONPath(steps: [.name("a"), .name("b")], text: "$.a.b"), true),
            (JSONPath(steps: [.wildcard, .index(0)], text: "$[*][0]"), false),
        ]
        + ["$..a", "$[-1:]", "$[?@.a]", "$['a','b'][*]"].compactMap { text in
            (try? JSONPath(parsing: text)).map { ($0, false) }
        }

    static func run(_ bytes: [UInt8]) {
        var chance = Chance(bytes)
        let parser = JSONParser()
        var isValid = false
        do throws(JSONError) {
            let root = try unsafe parser.parse(bytes)
            isValid = true
            writeAgain(root)
            _ = parser.position(of: root)
            _ = root.firstNestedDuplicateName
        } catch {
            require(error.code != .internal && (0...bytes.count).contains(error.byteOffset), "\(error)")
        }
        streamPast(bytes, isValid: isValid, &chance)
        for format in [JSONRecordReader.Format.json, .jsonl] {
            let (records, members) = paths[chance.below(paths.count)]
            let limit = chance.pick(1 << 20, 1 << 20, 100)
            func read(pieces: Int, buffer: Int) -> [String] {
                texts(bytes, records, members: members, format, limit: limit, pieces: pieces, buffer: buffer)
            }
            let whole = read(pieces: .max, buffer: 1 << 16)
            let torn = read(pieces: 1 + chance.below(9), buffer: 64 + chance.below(64))
            require(whole == torn, "records depend on the pieces:\n\(whole)\n\(torn)")
        }
        DecoderTarget.run(bytes)
        RecordTarget.run(bytes, &chance)
    }

    /// What was written is what was read, and the canonical form of it is its own.
    private static func writeAgain(_ root: JSONElement) {
        var plain: [UInt8] = []
        JSONWriter.append(root, to: &plain)
        var canonical: [UInt8] = []
        JSONWriter.appendCanonical(root, to: &canonical)
        let parser = JSONParser()
        for text in [plain, canonical] {
            guard let again = try? unsafe parser.parse(text) else {
                fatalError("what was written cannot be read: \(String(decoding: text, as: UTF8.self))")
            }
            var second: [UInt8] = []
            JSONWriter.appendCanonical(again, to: &second)
            require(second == canonical, "the canonical form moves: \(String(decoding: second, as: UTF8.self))")
        }
    }

    /// As something beside the records a text goes through another validator, which judges alike.
    private static func streamPast(_ bytes: [UInt8], isValid: Bool, _ chance: inout Chance) {
        // The depth of what is around it counts, and a byte order mark stands at the start alone.
        let wrapped = Array("[0,".utf8) + bytes + Array("]".utf8)
        let isWrappedValid = (try? unsafe JSONParser().parse(wrapped)) != nil
        var isAccepted = true
        let reader = try? unsafe JSONRecordReader(
            records: elsewhere, bufferSize: 64, source: source(wrapped, pieces: 1 + chance.below(9)))
        do { while try reader?.next() != nil {} } catch { isAccepted = false }
        require(isAccepted == isWrappedValid, "parser \(isWrappedValid), scanner \(isAccepted)")
    }

    /// The records, and how reading them ended.
    private static func texts(
        _ bytes: [UInt8], _ records: JSONPath?, members: Bool, _ format: JSONRecordReader.Format, limit: Int,
        pieces: Int, buffer: Int
    ) -> [String] {
        var texts: [String] = []
        do {
            let reader = try unsafe JSONRecordReader(
                records: records, members: members, format: format, maximumRecordBytes: limit, bufferSize: buffer,
                source: source(bytes, pieces: pieces))
            while let record = try reader.next() {
                let text = unsafe String(decoding: record.bytes, as: UTF8.self)
                texts.append("\(record.byteOffset) \(record.member ?? "") \(reader.pointer) \(text)")
            }
            texts.append("found: \(reader.pathWasFound)")
        } catch var error as JSONError {
            // What an error quotes may have left the buffer, which is smaller here than anywhere else.
            error.found = nil
            texts.append("\(error)")
        } catch {
            texts.append("\(error)")
        }
        return texts
    }

    /// A source that gives bytes in pieces of a certain size.
    static func source(_ bytes: [UInt8], pieces: Int = .max) -> JSONRecordReader.Source {
        var offset = 0
        return { buffer in
            let count = min(pieces, buffer.count, bytes.count - offset)
            unsafe buffer.copyBytes(from: bytes[offset..<offset + count])
            offset += count
            return count
        }
    }
}

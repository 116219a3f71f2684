import SluiceJSON
import Testing

@Suite struct RecordSplittingTests {
    @Test(arguments: UInt64(1)...60)
    func cuttingTheDocumentElsewhereChangesNothing(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let text = random.array(count: random.below(12))
        guard case .array(let expected) = try parsed(text.utf8) else { return }
        for piece in [1, 2, 3, 7, 64, 4096] {
            let records = try recordTexts(text.utf8, pieces: piece)
            #expect(records.map { ReferenceParser.parse($0.utf8) } == expected, "pieces of \(piece): \(text)")
        }
    }

    @Test(arguments: UInt64(1)...60)
    func wildcardsSelectWhatThePathSelectsInTheWholeDocument(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let text = #"{"a":"# + random.array(count: 4) + #","b":{"c":"# + random.value(depth: 3) + "},\"d\":1}"
        let path = try JSONPath(parsing: ["$.a[*]", "$.b.c", "$.*", "$.a[1]", "$.b.*"][random.below(5)])
        var expected: [ReferenceValue] = []
        try withElement(text) { root in path.forEach(in: root) { expected.append(ReferenceValue($0)) } }
        for piece in [1, 5, 4096] {
            let reader = try unsafe JSONRecordReader(
                records: path, bufferSize: 64, source: source(Array(text.utf8), pieces: piece))
            var found: [ReferenceValue?] = []
            while let record = try reader.next() { found.append(unsafe ReferenceParser.parse(record.bytes)) }
            #expect(found == expected, "\(path.text) in \(text)")
        }
    }

    /// What is wrong with a document does not depend on the pieces that it came in.
    @Test(arguments: [
        #"[x\{"a":1]"#, #"[x\}"#, #"[[x\]],3]"#, #"[{\"a":[1]}]"#, #"[{"a":\"]}]"#, #"[{\\"a":1}]"#, #"[{"a\":1}"#,
    ])
    func faultsAreTheSameInPieces(text: String) throws {
        let path = try JSONPath(parsing: "$..a")
        let filler = String(repeating: " ", count: 300)
        for document in [text, text.replacing("[", with: "[" + filler, maxReplacements: 1) + filler] {
            for path in [nil, path] {
                func outcome(_ pieces: Int) -> String {
                    do {
                        return "\(try recordTexts(document.utf8, path: path, pieces: pieces))"
                    } catch {
                        return "\(error)"
                    }
                }
                for pieces in [1, 3, 64, 65] { #expect(outcome(pieces) == outcome(.max), "\(document)") }
            }
        }
    }

    @Test(arguments: [50, 99, 100, 101, 150, 400])
    func aFaultBeyondTheLimitIsTheSameInPieces(place: Int) throws {
        let start = Array(("[\"" + String(repeating: "x", count: place)).utf8)
        let document = start + [0xFF] + Array((String(repeating: "y", count: 300) + "\"]").utf8)
        func outcome(_ pieces: Int) -> String {
            do {
                let reader = try unsafe JSONRecordReader(
                    records: nil, maximumRecordBytes: 100, bufferSize: pieces == .max ? 4096 : 64,
                    source: source(document, pieces: pieces))
                while try reader.next() != nil {}
                return "read"
            } catch {
                return "\(error)"
            }
        }
        for pieces in [1, 7, 64] { #expect(outcome(pieces) == outcome(.max)) }
    }

    /// Ends, escapes and quotes at each place of a block of 64 bytes.
    @Test func recordsEndWhereverTheyMay() throws {
        for padding in 0..<140 {
            let filler = String(repeating: "x", count: padding)
            let first = #"{"a":"\#(filler)\\\"]}","b":[[{}],{"c":"\#(filler)"}]}"#
            let second = #"["\#(filler)\\"]"#
            let text = "[\(first),\(second),\"\(filler)\"]"
            #expect(try recordTexts(text.utf8) == [first, second, "\"\(filler)\""])
        }
    }

    /// A source that never fills the buffer, as one that unpacks does, is no reason for a larger buffer.
    @Test(arguments: [1, 100, 200, 255, 256, 300, 511, 513, 700], [JSONRecordReader.Format.json, .jsonl])
    func shortReadsTakeNoMoreMemory(piece: Int, format: JSONRecordReader.Format) throws {
        let records = (0..<400).map { #"{"id": \#($0), "name": "record \#($0)"}"# }
        let lines = records.joined(separator: "\n")
        let bytes = Array((format == .json ? "[" + lines.replacing("\n", with: ",") + "]" : lines).utf8)
        let pieces = unsafe source(bytes, pieces: piece)
        var largest = 0
        let reader = try unsafe JSONRecordReader(records: nil, format: format, bufferSize: 1024) { buffer in
            largest = max(largest, buffer.count)
            return try unsafe pieces(buffer)
        }
        while try reader.next() != nil {}
        #expect(reader.recordCount == records.count)
        #expect(largest <= 1024)
    }

    @Test func aRecordOverTheLimitIsRefusedWithoutReadingOn() throws {
        let limit = 10_000
        for (format, start) in [(JSONRecordReader.Format.json, "[{}, [\""), (.jsonl, "{}\n\"")] {
            var sent = 0
            let reader = try unsafe JSONRecordReader(
                records: nil, format: format, maximumRecordBytes: limit, bufferSize: 256
            ) { buffer in
                let bytes = sent == 0 ? Array(start.utf8) : [UInt8](repeating: 0x78, count: buffer.count)
                unsafe buffer.copyBytes(from: bytes)
                sent += bytes.count
                return bytes.count
            }
            #expect(try reader.next() != nil)
            let error = #expect(throws: JSONError.self) { try reader.next() }
            #expect(error?.code == .recordTooLarge)
            #expect(error?.message.contains("\(limit) bytes") == true)
            #expect(sent < 3 * limit)
        }
    }

    @Test func theLimitIsExact() throws {
        func read(_ text: String) throws {
            let reader = try unsafe JSONRecordReader(
                records: nil, maximumRecordBytes: 6, source: source(Array(text.utf8)))
            while try reader.next() != nil {}
        }
        try read(#"[ "1234" ,[1,23],123456]"#)
        for record in [#""12345""#, "[1,234]", "1234567"] {
            let error = #expect(throws: JSONError.self) { try read("[1, \(record)]") }
            #expect(error?.code == .recordTooLarge)
            #expect(error?.byteOffset == 4)
        }
    }

    @Test func aMemberNameOverTheLimitIsRefused() throws {
        let text = #"{"\#(String(repeating: "n", count: 100))":1}"#
        let reader = try unsafe JSONRecordReader(
            records: nil, members: true, maximumRecordBytes: 99, source: source(Array(text.utf8)))
        let error = #expect(throws: JSONError.self) { try reader.next() }
        #expect(error?.code == .recordTooLarge)
    }

    @Test func depthOutsideOfRecordsIsBounded() throws {
        let text = #"{"a":\#(String(repeating: "[", count: 5000)),"d":[]}"#
        let path = try JSONPath(parsing: "$.d[*]")
        let error = #expect(throws: JSONError.self) { try recordTexts(text.utf8, path: path) }
        #expect(error?.code == .tooDeep)
        #expect(error?.byteOffset == 5 + 1023)
    }

    /// A sibling of many megabytes passes through a buffer that stays as it is.
    @Test func whatIsSkippedTakesNoMemory() throws {
        let chunk = Array((#""a longer text that is skipped","# + String(repeating: " ", count: 4000)).utf8)
        var remaining = 2000
        var sizes: Set<Int> = []
        var tail = Array(#"0],"d":[1]}"#.utf8)
        var head = Array(#"{"skipped":["#.utf8)
        let reader = try unsafe JSONRecordReader(records: JSONPath(parsing: "$.d[*]"), bufferSize: 4096) { buffer in
            sizes.insert(buffer.count)
            var bytes: [UInt8] = []
            if !head.isEmpty {
                swap(&bytes, &head)
            } else if remaining > 0 {
                remaining -= 1
                bytes = chunk
            } else {
                swap(&bytes, &tail)
            }
            unsafe buffer.copyBytes(from: bytes)
            return bytes.count
        }
        #expect(try reader.next()?.byteOffset == 12 + 2000 * chunk.count + 8)
        #expect(try reader.next() == nil)
        #expect((sizes.max() ?? 0) <= 4096)
    }
}

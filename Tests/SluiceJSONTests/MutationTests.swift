import SluiceJSON
import Testing

/// Damaged documents are refused or read, and never trapped on; parser, validator and reference agree on which.
@Suite struct MutationTests {
    @Test(arguments: UInt64(1)...40)
    func damagedDocumentsAreJudgedAlike(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let parser = JSONParser()
        let elsewhere = try JSONPath(parsing: "$[1000000]")
        let original = Array(random.document(depth: 4).utf8)
        for _ in 0..<100 {
            let bytes = mutated(original, &random)
            let expected = ReferenceParser.parse(bytes)
            var found: ReferenceValue?
            do {
                found = ReferenceValue(try unsafe parser.parse(bytes))
            } catch {
                #expect(error.code != .internal, "\(String(decoding: bytes, as: UTF8.self))")
                #expect((0...bytes.count).contains(error.byteOffset))
            }
            #expect(found == expected, "\(String(decoding: bytes, as: UTF8.self))")
            for piece in [1, 64] { _ = try? recordTexts(bytes, pieces: piece) }
            // As something beside the records it streams past the validating scanner.
            let wrapped = Array("[0,".utf8) + bytes + Array("]".utf8)
            let isAccepted = (try? recordTexts(wrapped, path: elsewhere, pieces: 5)) != nil
            #expect(
                isAccepted == (ReferenceParser.parse(wrapped) != nil), "\(String(decoding: wrapped, as: UTF8.self))")
        }
    }

    private func mutated(_ original: [UInt8], _ random: inout RandomJSON) -> [UInt8] {
        var bytes = original
        let alphabet = Array("{}[]\":,\\ u0e.-+tfn<".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC2, 0xE2, 0xED, 0xF4, 0xFF]
        for _ in 0...random.below(3) {
            let position = random.below(bytes.count + 1)
            switch random.below(5) {
            case 0: bytes.insert(alphabet[random.below(alphabet.count)], at: position)
            case 1 where position < bytes.count: bytes.remove(at: position)
            case 2 where position < bytes.count: bytes[position] = alphabet[random.below(alphabet.count)]
            case 3: bytes.removeLast(bytes.count - position)
            default:
                let start = random.below(bytes.count + 1)
                bytes.insert(contentsOf: bytes[min(start, position)..<max(start, position)].prefix(12), at: position)
            }
        }
        return bytes
    }
}

import SluiceModel
import TestSupport
import Testing

@Suite("Digests, the same in every process and version")
struct FieldDigestTests {
    @Test(arguments: [
        ("", 0xEF46_DB37_51D8_E999 as UInt64),
        ("a", 0xD24E_C4F1_A98C_6E5B),
        ("abc", 0x44BC_2CF5_AD77_0999),
        ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
    ])
    func textIsHashedByXXH64(_ text: String, _ digest: UInt64) {
        #expect(FieldDigest.text(Array(text.utf8)) == digest)
    }

    /// Lengths around every step of the algorithm: 4, 8 and 32 bytes. Byte `i` is `7 i + 3`.
    @Test(arguments: [
        (1, 0x1F25_C8D0_BC1F_4BB6 as UInt64), (3, 0x31D2_363F_52E5_64C9), (4, 0x9BB6_4B7D_66EE_9FDA),
        (5, 0xC760_8EFD_DB70_51FE), (7, 0x9A7B_1499_59CE_60D8), (8, 0xDAB9_9D95_C6F9_0092),
        (9, 0x170B_B6BF_975B_4C02), (12, 0xD52E_4078_33AF_5133), (15, 0x1B47_CB82_43CC_8E32),
        (16, 0x4348_5023_2B78_7BE2), (23, 0x36A3_4F92_FB02_05C0), (24, 0xC47C_71BD_4694_FF81),
        (25, 0xB13F_23E8_8418_6902), (31, 0xA2AA_5F33_CC4A_6119), (32, 0x23C3_C17E_F790_FD97),
        (33, 0x50A7_CFC7_BA58_8784), (36, 0xC0B5_2B0D_CC5E_3F7F), (40, 0xB620_306B_253D_76B6),
        (63, 0x5E3E_54B4_31C7_493C), (64, 0x0EB6_4B3E_F6EE_B01F), (65, 0xA383_B724_B2BD_12F1),
        (100, 0xA61F_8D4C_170F_E531), (1000, 0x5F23_5FA0_33F1_A3FB),
    ])
    func everyLengthIsHashedByXXH64(_ length: Int, _ digest: UInt64) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }
        #expect(FieldDigest.text(bytes) == digest)
        // Wherever the bytes lie in memory.
        let shifted = [0] + bytes
        let slice = unsafe shifted.withUnsafeBytes { unsafe FieldDigest.text(.init(rebasing: $0[1...])) }
        #expect(slice == digest)
    }

    @Test(
        arguments: [
            (0, 0xCA97_D94C_F756_EE5A as UInt64), (1, 0x2C5F_982C_C251_0F94), (-1, 0x53CF_5E63_56C9_D379),
            (42, 0x79C6_A86E_C6BD_0B1E), (Int64.max, 0x9990_AB81_A97F_42C9), (Int64.min, 0x03EF_AD97_9A44_2E53),
        ] as [(Int64, UInt64)])
    func integersKeepTheirDigest(_ value: Int64, _ digest: UInt64) {
        #expect(FieldDigest.integer(value) == digest)
    }

    @Test(arguments: [
        (0.0, 0xE8D6_5A48_9721_03A4 as UInt64), (-0.0, 0xE8D6_5A48_9721_03A4), (1.0, 0x4191_CBEB_AD71_7D6F),
        (-1.5, 0xD1FA_F348_2477_01CC), (1e308, 0x90B6_B6A8_2C06_C8B6), (.infinity, 0x682A_A75A_759A_8397),
    ])
    func doublesKeepTheirDigest(_ value: Double, _ digest: UInt64) {
        #expect(FieldDigest.real(value) == digest)
    }

    @Test(
        arguments: [
            ([], 0x1717_4BB1_3AC8_CE14 as UInt64), ([0x61], 0x5BF4_D5EA_2541_D78C),
            ([0x00, 0xFF], 0xCA21_AC76_FBA6_5B29),
        ] as [([UInt8], UInt64)])
    func blobsKeepTheirDigest(_ bytes: [UInt8], _ digest: UInt64) {
        #expect(unsafe bytes.withUnsafeBytes { unsafe FieldDigest.blob($0) } == digest)
    }

    @Test func nullKeepsItsDigest() { #expect(FieldDigest.null == 0x9E37_79B9_7F4A_7C15) }

    @Test func valuesOfDifferentKindsDiffer() {
        let digests = [
            FieldDigest.null, FieldDigest.integer(1), FieldDigest.real(1), FieldDigest.text(Array("1".utf8)),
            KeyHash.valueHash(.blob(Array("1".utf8))), FieldDigest.integer(0), FieldDigest.real(0),
            FieldDigest.text([]), KeyHash.valueHash(.blob([])),
        ]
        #expect(Set(digests).count == digests.count)
        #expect(!digests.contains(0))
    }

    @Test func manyIntegersHaveManyDigests() {
        #expect(Set((-20_000..<20_000 as Range<Int64>).map(FieldDigest.integer)).count == 40_000)
    }
}

@Suite("Hashes of records and keys")
struct RecordHashTests {
    static func schema(_ names: [String]) -> RecordSchema {
        RecordSchema(
            pipeline: "p", stream: "s", entity: "E", table: "e",
            fields: names.map { RecordSchema.Field(name: $0, column: $0, type: .string) }, keyFields: [0])
    }

    @Test func aRecordKeepsItsHash() {
        let digests = [FieldDigest.integer(7), FieldDigest.text(Array("Dune".utf8)), FieldDigest.null]
        #expect(Self.schema(["id", "title", "price"]).rowHash(digests: digests) == 0x46DD_B445_0859_C66C)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func theOrderOfFieldsChangesNothing(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let names = (0..<9).map { "field\($0)" }
        let digests = names.map { _ in Bool.random(using: &random) ? random.next() : 0 }
        let order = names.indices.shuffled(using: &random)
        #expect(
            Self.schema(names).rowHash(digests: digests)
                == Self.schema(order.map { names[$0] }).rowHash(digests: order.map { digests[$0] }))
    }

    @Test func aFieldWithoutAValueAddsNothing() {
        let digest = FieldDigest.integer(7)
        #expect(
            Self.schema(["id", "title"]).rowHash(digests: [digest, 0]) == Self.schema(["id"]).rowHash(digests: [digest])
        )
        #expect(
            Self.schema(["id", "title"]).rowHash(digests: [digest, FieldDigest.null])
                != Self.schema(["id"]).rowHash(digests: [digest]))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func valuesThatSwapTheirFieldsChangeTheHash(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let schema = Self.schema(["a", "b", "c"])
        let (first, second, third) = (random.next() | 1, random.next() | 1, random.next() | 1)
        #expect(schema.rowHash(digests: [first, second, third]) != schema.rowHash(digests: [second, first, third]))
        #expect(schema.rowHash(digests: [first, first, third]) != schema.rowHash(digests: [second, second, third]))
    }

    @Test func aKeyKeepsItsHash() {
        #expect(KeyHash.hash(RecordKey([.integer(7), FieldValue("Dune")])) == 0xDBE0_0065_0D32_C18A)
        #expect(KeyHash.hash(RecordKey([FieldValue("MIT")])) == 0x7408_0BAE_3126_E289)
    }

    @Test func theOrderOfAKeysValuesMatters() {
        #expect(
            KeyHash.hash(RecordKey([FieldValue("a"), FieldValue("b")]))
                != KeyHash.hash(RecordKey([FieldValue("b"), FieldValue("a")])))
    }

    @Test func keysAreTheirBytesAndNotTheirGraphemes() {
        let composed = RecordKey([FieldValue("\u{E9}")])
        let decomposed = RecordKey([FieldValue("e\u{301}")])
        #expect(composed != decomposed)
        #expect(KeyHash.hash(composed) != KeyHash.hash(decomposed))
    }

    @Test(
        arguments: [[], [0], [1, 2], [9, 10], [-3, 4], [-30, -4], [100, 200, 300], [5, Int64.max]] as [[Int64]])
    func integersOfASetAreDigestedLikeTheirTexts(numbers: [Int64]) {
        var scratch: [UInt8] = []
        let digest = FieldDigest.set(ofSorted: numbers, by: &scratch)
        #expect(digest == FieldDigest.set(numbers.map { Array(String($0).utf8) }))
        let text = IntegerSetText.text(of: numbers)
        #expect(text == Array("[\(numbers.map { String($0) }.joined(separator: ","))]".utf8))
    }
}

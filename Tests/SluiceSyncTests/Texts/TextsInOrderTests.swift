import Dispatch
import SluiceDecode
import SluiceModel
import SluiceStore
import TestSupport
import Testing

/// Texts that are compared with marks which somebody else reads.
@Suite("Marks of texts that are read beside a run")
struct TextsInOrderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// The keys of what has a mark, as they are handed over.
        let marks: [[Int64]]
        /// Whether the last marks are there; the reading breaks off otherwise.
        var isWhole = true
        /// The keys of the records, in batches.
        let batches: [[Int64]]
        /// The keys of those that are as they were, by batch; nil where the store has to be asked.
        let known: [[Int64]?]
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "all are as they were", marks: [[1, 2, 3]], batches: [[1, 2, 3]], known: [[1, 2, 3]]),
        Case(name: "no marks", marks: [[]], batches: [[1], [2]], known: [[], []]),
        Case(name: "marks between records", marks: [[1, 2, 5, 9]], batches: [[2, 9]], known: [[2, 9]]),
        Case(name: "records between marks", marks: [[2, 9]], batches: [[1, 2, 5, 9, 11]], known: [[2, 9]]),
        Case(
            name: "marks in pieces", marks: [[1], [2, 3], [], [7]], batches: [[1, 2], [3, 7]],
            known: [[1, 2], [3, 7]]),
        Case(
            name: "negative keys", marks: [[.min, -3, 0, .max]], batches: [[.min, -3], [.max]],
            known: [[.min, -3], [.max]]),
        Case(name: "a key that comes again", marks: [[1, 2]], batches: [[1, 1], [2]], known: [nil, nil]),
        Case(name: "another order", marks: [[1, 2, 3]], batches: [[2], [1], [3]], known: [[2], nil, nil]),
        Case(
            name: "the reading breaks off", marks: [[1], [2]], isWhole: false, batches: [[1], [2], [3]],
            known: [[1], [2], nil]),
        Case(name: "nothing is read", marks: [], isWhole: false, batches: [[1]], known: [nil]),
    ]

    @Test("Records", arguments: cases)
    func records(_ example: Case) {
        let source = TextsBeside()
        var texts = TextsInOrder(source)
        for (index, keys) in example.marks.enumerated() {
            let areLast = example.isWhole && index == example.marks.count - 1
            // There is room for a few, as there is for who does not fall behind.
            if index < 3 { source.push(Self.marks(keys), areLast: areLast) }
        }
        if !example.isWhole { source.close() }
        let rest = example.marks.dropFirst(3).map(Self.marks)
        let done = Gate()
        DispatchQueue(label: "reader").async {
            for (index, marks) in rest.enumerated() { source.push(marks, areLast: index == rest.count - 1) }
            done.open()
        }
        for (keys, known) in zip(example.batches, example.known) {
            let found = Self.find(keys, in: &texts)
            #expect(found?.known == known, "\(keys)")
            for key in found?.known ?? [] where key % 2 != 0 {
                #expect(found?.within[keys.firstIndex(of: key) ?? 0].map { Array($0) } == Self.within(key), "\(key)")
            }
        }
        source.close()
        #expect(done.wait())
    }

    @Test func anotherTextIsAnotherRecord() {
        let source = TextsBeside()
        source.push(Self.marks([1, 2]), areLast: true)
        var texts = TextsInOrder(source)
        #expect(texts.find(1, hash: Self.hash(1)) == .known && texts.find(2, hash: 7) == .other)
    }

    @Test func marksThatAreNotThereYetAreNotWaitedFor() {
        let source = TextsBeside()
        var texts = TextsInOrder(source)
        #expect(Self.find([1], in: &texts) == nil)
        source.push(Self.marks([1, 2]), areLast: true)
        #expect(Self.find([2], in: &texts)?.known == [2])
    }

    @Test func theFirstMarksMayBeWaitedFor() {
        let source = TextsBeside(isAwaited: true)
        DispatchQueue(label: "reader").async { source.push(Self.marks([1]), areLast: true) }
        var texts = TextsInOrder(source)
        #expect(Self.find([1], in: &texts)?.known == [1])
    }

    @Test func whoHasMoreToDoIsNotWaitedForLater() {
        let source = TextsBeside(isPrompt: false)
        var texts = TextsInOrder(source)
        source.push(Self.marks([1, 2]), areLast: false)
        #expect(Self.find([1], in: &texts)?.known == [1])
        for keys: [Int64] in [[2, 3], [4]] { #expect(Self.find(keys, in: &texts) == nil) }
        // What came too late is passed over.
        source.push(Self.marks([3, 4, 6, 8]), areLast: false)
        #expect(Self.find([6, 7], in: &texts)?.known == [6] && Self.find([8], in: &texts)?.known == [8])
        // Who is left behind for good need not go on.
        for key in Int64(9)..<30 { #expect(Self.find([key], in: &texts) == nil) }
        #expect(!source.push(Self.marks([30]), areLast: true))
    }

    @Test func whoGivesUpStandsInNobodysWay() {
        let source = TextsBeside()
        source.push(Self.marks([1, 2]), areLast: false)
        var texts = TextsInOrder(source)
        #expect(Self.find([2, 1], in: &texts) == nil)
        for _ in 0..<20 { #expect(!source.push(Self.marks([3]), areLast: false)) }
    }

    /// An object of which the same was said lately is not told again; another one, and children, are.
    @Test func whatWasSaidLatelyIsNoNews() {
        let source = TextsBeside()
        let mentions: [[TextFingerprint.Mention]] = [
            [.embedded(part: 0, key: 1, content: 7), .children(part: 1, count: 2)],
            [.embedded(part: 0, key: 1, content: 7), .children(part: 1, count: 2)],
            [.embedded(part: 0, key: 1, content: 8)], [.embedded(part: 1, key: 1, content: 7)],
            [.embedded(part: 0, key: 1, content: 8)],
            [.embedded(part: 2, key: 1, content: 8)], [.embedded(part: 2, key: 1, content: 8)],
        ]
        let news: [[TextFingerprint.Mention]] = [
            mentions[0], [.children(part: 1, count: 2)], mentions[2], mentions[3], [], mentions[5], mentions[6],
        ]
        var marks = TextMarks()
        for (index, all) in mentions.enumerated() {
            marks.within.add(Self.bytes(all), of: index)
            marks.append(Int64(index), hash: 1)
        }
        source.push(marks, areLast: true)
        var texts = TextsInOrder(source)
        var within = TextsWithin()
        for (index, all) in news.enumerated() {
            #expect(texts.find(Int64(index), hash: 1) == .known)
            #expect(texts.takeNews(of: index, partCount: 2, into: &within) == !all.isEmpty, "\(index)")
            #expect(within[index].map { Array($0) } == (all.isEmpty ? nil : Self.bytes(all)), "\(index)")
        }
    }

    // MARK: Batches

    /// The keys of a batch that are known, and what stands within them; nil where the store has to be asked.
    private static func find(
        _ keys: [Int64], in texts: inout TextsInOrder
    ) -> (known: [Int64], within: TextsWithin)? {
        var (known, within) = ([Int64](), TextsWithin())
        for (row, key) in keys.enumerated() {
            switch texts.find(key, hash: hash(key)) {
            case .untold:
                texts.endBatch(isCompared: false)
                return nil
            case .other: break
            case .known:
                known.append(key)
                _ = texts.takeNews(of: row, partCount: 1, into: &within)
            }
        }
        texts.endBatch(isCompared: true)
        return (known, within)
    }

    // MARK: Records

    private static func hash(_ key: Int64) -> UInt64 { UInt64(bitPattern: key) &* 31 &+ 5 }
    private static func within(_ key: Int64) -> [UInt8] {
        bytes([.embedded(part: 0, key: UInt64(bitPattern: key), content: 1)])
    }

    private static func bytes(_ mentions: [TextFingerprint.Mention]) -> [UInt8] {
        mentions.reduce(into: []) { TextFingerprint.append($1, to: &$0) }
    }

    /// Marks of which every other one has something within it.
    private static func marks(_ keys: [Int64]) -> TextMarks {
        var marks = TextMarks()
        for key in keys {
            if key % 2 != 0 { marks.within.add(within(key), of: marks.keys.count) }
            marks.append(key, hash: hash(key))
        }
        return marks
    }
}

/// Reads a file of the tz database, which begins with `TZif`.
///
/// See: RFC 9636, section 3
struct ZoneFile {
    private var rest: ArraySlice<UInt8>

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: Its content.
    ///   - name: The zone's name.
    /// - Returns: The zone, or nil where the content is none.
    static func zone(_ bytes: [UInt8], name: String) -> ZoneRules? {
        var reader = ZoneFile(rest: bytes[...])
        return reader.zone(name)
    }

    /// The counts that a block begins with.
    private struct Header {
        var version: UInt8 = 0
        var utcMarks = 0
        var standardMarks = 0
        var leapSeconds = 0
        var times = 0
        var types = 0
        var characters = 0
    }

    private mutating func zone(_ name: String) -> ZoneRules? {
        // The first block has times of four bytes for programs of old; the second one says all.
        guard let old = header(), old.version >= UInt8(ascii: "2"), skip(Self.length(old, timeSize: 4)),
            let header = header(), header.types > 0, rest.count >= Self.length(header, timeSize: 8)
        else { return nil }
        var moments: [Int64] = []
        for _ in 0..<header.times { moments.append(number(ofBytes: 8)) }
        let indexes = (0..<header.times).map { _ in Int(number(ofBytes: 1)) }
        var offsets: [Int64] = []
        for _ in 0..<header.types {
            offsets.append(Int64(Int32(truncatingIfNeeded: number(ofBytes: 4))))
            _ = skip(2)
        }
        _ = skip(header.characters + header.leapSeconds * 12 + header.standardMarks + header.utcMarks)
        guard indexes.allSatisfy(offsets.indices.contains), offsets.allSatisfy({ abs($0) < 100_000 }),
            zip(moments, moments.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        let changes = zip(moments, indexes).map { ZoneRules.Change(moment: $0, offset: offsets[$1]) }
        return ZoneRules(name: name, first: offsets[0], changes: changes, rule: footer())
    }

    private static func length(_ header: Header, timeSize: Int) -> Int {
        header.times * (timeSize + 1) + header.types * 6 + header.characters + header.leapSeconds * (timeSize + 4)
            + header.standardMarks + header.utcMarks
    }

    private mutating func header() -> Header? {
        guard rest.count >= 44, rest.starts(with: "TZif".utf8) else { return nil }
        var header = Header()
        _ = skip(4)
        header.version = UInt8(truncatingIfNeeded: number(ofBytes: 1))
        _ = skip(15)
        header.utcMarks = Int(number(ofBytes: 4))
        header.standardMarks = Int(number(ofBytes: 4))
        header.leapSeconds = Int(number(ofBytes: 4))
        header.times = Int(number(ofBytes: 4))
        header.types = Int(number(ofBytes: 4))
        header.characters = Int(number(ofBytes: 4))
        return header
    }

    /// The rule between two line ends.
    private func footer() -> YearlyRule? {
        guard rest.first == 10, let end = rest.dropFirst().firstIndex(of: 10) else { return nil }
        return YearlyRuleReader.rule(rest.dropFirst()[..<end])
    }

    private mutating func skip(_ count: Int) -> Bool {
        guard rest.count >= count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    /// A number with its highest byte first; the caller has seen that its bytes are there.
    private mutating func number(ofBytes count: Int) -> Int64 {
        let bits = rest.prefix(count).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(count)
        return Int64(bitPattern: bits)
    }
}

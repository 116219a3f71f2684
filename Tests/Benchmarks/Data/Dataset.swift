/// The files of one size: a first version as lines and as one array, and a second version as lines.
///
/// The second version has 1 % of the records changed, 0.1 % gone and 0.1 % new ones at the end.
struct Dataset {
    /// Raised whenever the generator writes something else, so that files of an older one are made anew.
    private static let generation = 1

    let label: String
    let count: Int
    let folder: String

    var firstLines: String { folder + "/v1.jsonl" }
    var firstArray: String { folder + "/v1.json" }
    var secondLines: String { folder + "/v2.jsonl" }
    /// As many records are new as are gone, so both versions have the same number.
    var changedCount: Int { count / 100 }
    var goneCount: Int { count / 1000 }

    /// Writes the files unless they are there.
    func prepare() throws(BenchError) {
        let stamp = "\(Self.generation) \(count)"
        let stampFile = folder + "/stamp"
        if (try? TextFile.read(stampFile)) == stamp { return }
        try TextFile.makeFolder(folder)
        var lines = try OutputFile(firstLines)
        var array = try OutputFile(firstArray)
        var second = try OutputFile(secondLines)
        array.bytes.append(UInt8(ascii: "["))
        var record: [UInt8] = []
        for index in 0..<count + goneCount {
            var issue = Issue(index: index, of: count)
            record.removeAll(keepingCapacity: true)
            issue.write(to: &record)
            if index < count {
                try lines.writeLine(record)
                if index > 0 { array.bytes.append(contentsOf: ",\n".utf8) }
                try array.write(record)
                let place = shuffled(index)
                if place < changedCount {
                    issue.edit()
                    record.removeAll(keepingCapacity: true)
                    issue.write(to: &record)
                } else if place < changedCount + goneCount {
                    continue
                }
            }
            try second.writeLine(record)
        }
        array.bytes.append(contentsOf: "]\n".utf8)
        try lines.finish()
        try array.finish()
        try second.finish()
        try TextFile.write(stamp, to: stampFile)
    }

    /// A permutation of the indexes: the factor is prime and divides no sensible count.
    private func shuffled(_ index: Int) -> Int { (index &* 1_000_000_007 &+ 12_345) % count }
}

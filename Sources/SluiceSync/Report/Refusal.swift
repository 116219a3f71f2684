internal import SluiceMerge

/// A record that was decoded and is quarantined all the same; its text is read again from its page.
struct Refusal {
    /// More of the versions of one record than anybody would look at.
    private static let maximumBytes = 1 << 20
    let key: RecordKey
    let reason: Mismatch.Reason
    /// What is wrong and what to do, as sentences.
    let message: String
    /// The record's position in the stream; of several records with one key the first of each content.
    let ordinals: [Int]

    /// The record as it was read, or an array of the different records.
    ///
    /// Their order is that of their bytes, so that the order of the source makes no difference.
    func text(_ texts: [Int: RecordText]) -> [UInt8] {
        let found = ordinals.compactMap { texts[$0]?.bytes }
        if reason != .duplicate { return found.first ?? [] }
        var text: [UInt8] = [UInt8(ascii: "[")]
        for (index, record) in found.sorted(by: { $0.lexicographicallyPrecedes($1) }).enumerated() {
            if index > 0 && text.count + record.count > Self.maximumBytes { break }
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += record
        }
        return text + [UInt8(ascii: "]")]
    }
}

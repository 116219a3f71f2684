package import SluiceModel

/// A record that was decoded and is quarantined all the same; its text is read again from its page.
package struct Refusal {
    /// More of the versions of one record than anybody would look at.
    private static let maximumBytes = 1 << 20
    package let key: RecordKey
    package let reason: Mismatch.Reason
    /// What is wrong and what to do, as sentences.
    package let message: String
    /// The record's position in the stream; of several records with one key the first of each content.
    package let ordinals: [Int]

    /// Makes a value of its parts.
    package init(key: RecordKey, reason: Mismatch.Reason, message: String, ordinals: [Int]) {
        self.key = key
        self.reason = reason
        self.message = message
        self.ordinals = ordinals
    }

    /// The record as it was read, or an array of the different records.
    ///
    /// Their order is that of their bytes, so that the order of the source makes no difference.
    package func text(_ texts: [Int: RecordText]) -> [UInt8] {
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

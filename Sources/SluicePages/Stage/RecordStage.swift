package import SluiceDecode
package import SluiceModel
package import SluiceReport

/// Gives the records of one stream, decoded, from first to last.
package protocol RecordStage: AnyObject {
    /// Begins to work.
    func start()
    /// The next output, waiting for it; nil after the last one.
    func next() -> DecodeOutput?
    /// Ends the work, early or not.
    func stop()
    /// The text and place of some records, by their positions within the stream.
    func texts(at ordinals: Set<Int>) throws -> [Int: RecordText]
}

/// What comes out of a stage.
package enum DecodeOutput: Sendable {
    /// Records, and what stands within them.
    case batch(RecordBatch, parts: [NestedBatch])
    /// Records of which only the keys were read.
    case fingerprinted(FingerprintBatch)
    case failures([DecodeFailure])
    /// The keys of records that are listed and left out.
    case leftOut([RecordKey])
    /// All records were read.
    case end(filtered: Int, bytes: Int, unmapped: UnmappedKeys = UnmappedKeys(), cutLists: [CutList] = [])
    case error(any Error)
}

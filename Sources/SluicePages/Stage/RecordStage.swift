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
    case batch(RecordBatch, parts: [PartBatch])
    /// Records of which only the keys were read.
    case glanced(GlancedBatch)
    case failures([DecodeFailure])
    /// All records were read.
    case end(filtered: Int, bytes: Int, unmapped: UnmappedKeys = UnmappedKeys(), cutLists: [CutList] = [])
    case error(any Error)
}

extension RecordBatch {
    /// Records of a batch: enough to make hand-over cheap, few enough to stay in the cache.
    static let usualCount = 512
    private static let usualBytes = 256 << 10

    /// Whether it is time to hand it over.
    package var isLarge: Bool { count >= Self.usualCount || bytes.count >= Self.usualBytes }
}

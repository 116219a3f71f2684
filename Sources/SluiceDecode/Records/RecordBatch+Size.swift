package import SluiceModel

extension RecordBatch {
    /// Records of a batch: enough to make hand-over cheap, few enough to stay in the cache.
    package static let usualCount = 512
    private static let usualBytes = 256 << 10

    /// Whether it is time to hand it over.
    package var isLarge: Bool { count >= Self.usualCount || bytes.count >= Self.usualBytes }
}

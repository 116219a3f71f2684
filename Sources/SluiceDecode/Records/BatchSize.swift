package import SluiceModel

/// How many records are handed over together.
package struct BatchSize: Sendable {
    /// The number of records with which a batch is full.
    package let records: Int
    /// The bytes of values with which it is full.
    let bytes: Int
    /// The bytes of texts with which one is full of whose records only the keys were read.
    let textBytes: Int

    /// Enough to make hand-over cheap, few enough to stay in the cache, and in memory that the C library keeps for the next batch.
    package static let usual = BatchSize(records: 512, bytes: 256 << 10, textBytes: 256 << 10)

    /// Where each batch is a message to a server and back, which takes as long as a look at some hundred records.
    package static let distant = BatchSize(records: 2_048, bytes: 1 << 20, textBytes: 1 << 20)
}

extension RecordBatch {
    /// Whether it is time to hand it over.
    @inline(__always)
    package func isFull(_ size: BatchSize = .usual) -> Bool { count >= size.records || bytes.count >= size.bytes }
}

internal import SluiceStore

/// The runs of one store that are listed, the newest first.
struct StoreRuns {
    /// How the store is called, after "the".
    let name: String
    /// What tells programs where it is.
    let url: String
    /// What a command must say to use it, with a blank before it.
    let option: String
    var runs: [RunEntry] = []
    /// How tables followed the pipeline in those of them that changed some, by their numbers.
    var tables: [Int64: [SchemaChange]] = [:]
    /// Whether there are earlier ones.
    var isTruncated = false
}

/// What a store remembers of streams besides their records, such as how far a source was read.
package protocol StateLedger: AnyObject {
    /// What is kept under a name; nil where nothing is.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - stream: Its stream.
    ///   - name: What is asked for.
    /// - Returns: The text as it was kept.
    /// - Throws: ``StoreError``.
    func value(pipeline: String, stream: String, name: String) throws -> String?

    /// Keeps a text in the place of what was kept under the name, and writes down that it changed.
    ///
    /// - Parameters:
    ///   - value: What to keep; nil to forget it.
    ///   - pipeline: The pipeline.
    ///   - stream: Its stream.
    ///   - name: Its name.
    /// - Throws: ``StoreError``.
    func set(_ value: String?, pipeline: String, stream: String, name: String) throws

    /// Keeps a text that undoing a run leaves as it is, since it says nothing of records.
    ///
    /// - Parameters:
    ///   - value: What to keep.
    ///   - pipeline: The pipeline.
    ///   - stream: Its stream.
    ///   - name: Its name.
    /// - Throws: ``StoreError``.
    func remember(_ value: String, pipeline: String, stream: String, name: String) throws

    /// The names under which texts of a stream are kept, of those that begin with some words, in the order of their
    /// bytes.
    ///
    /// - Parameters:
    ///   - prefix: How the names begin.
    ///   - pipeline: The pipeline.
    ///   - stream: Its stream.
    /// - Returns: The names.
    /// - Throws: ``StoreError``.
    func names(_ prefix: String, pipeline: String, stream: String) throws -> [String]

    /// Forgets every text of a stream whose name begins with some words, and writes down that it did.
    ///
    /// - Parameters:
    ///   - prefix: How the names begin.
    ///   - pipeline: The pipeline.
    ///   - stream: Its stream.
    /// - Returns: Whether there were any.
    /// - Throws: ``StoreError``.
    func forget(prefix: String, pipeline: String, stream: String) throws -> Bool

    /// Takes back what a run did to a text, where it is still what the run left.
    ///
    /// - Parameter change: What the run did.
    /// - Returns: Whether it is as before now.
    /// - Throws: ``StoreError``.
    func revert(_ change: RecordedEntry) throws -> Bool
}

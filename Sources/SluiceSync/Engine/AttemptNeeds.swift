internal import SluiceFetch
internal import SluiceModel
internal import SluiceReconcile
internal import SluiceReport

/// What an attempt at merging a stream found out that the next attempt needs from its start.
struct AttemptNeeds {
    /// The keys that come more than once, with what becomes of their records; nil where none was found.
    var duplicates: DuplicateIndex?
    /// Marks of unique values that several records want, so that all of them wait; nil where none was found.
    var contested: Set<UInt64>?
    /// Records that the source has to be asked for before the next attempt; nil where there are none.
    var missing: [MissingRecord]?
    /// What it answered; nil where it was not asked.
    var existence: ExistenceAnswers?
    /// Records that this stream lists no longer, by itself or within others, and of which another one says something.
    var elsewhere = RecordsElsewhere()
    /// References that must not be empty.
    var unmet = UnmetNeeds()
    /// Whether every record has to be decoded where it is read, so that an error can say where it stands.
    var decodesAll = false
    /// Whether the records before the run have to be counted before they are merged, since that could not be done beside it.
    var countsFirst = false

    /// These needs with another fact.
    func knowing<Value>(_ fact: WritableKeyPath<AttemptNeeds, Value>, _ value: Value) -> AttemptNeeds {
        var needs = self
        needs[keyPath: fact] = value
        return needs
    }
}

internal import SluiceModel
internal import SluicePlans
internal import SluiceStore

/// Lists that are one value each, of which several sources may give one: the list of the source that goes first stands, whole.
extension OtherSourceLedger {
    /// What a list that is one value is at the first source that goes before and gives it.
    enum ListAbove {
        /// No such source gives it.
        case none
        /// The rows are what that source says.
        case clean
        /// Something of them was changed here, or is to be decided.
        case changed
    }

    /// What is known of the lists of some records at sources that go before.
    ///
    /// - Parameter owners: The records.
    /// - Returns: One for each list.
    /// - Throws: `StoreError`.
    func listsAbove(under owners: [RecordKey]) throws -> [ListAbove] {
        var above = [ListAbove](repeating: .none, count: owners.count)
        guard let conflicts = store?.conflicts else { return above }
        for source in all where source.source.rank == .above {
            let rest = above.indices.filter { above[$0] == .none }
            if rest.isEmpty { break }
            for (index, said) in zip(rest, try source.said(ofLists: rest.map { owners[$0] }, conflicts)) {
                switch said {
                case .none: break
                case .clean: above[index] = .clean
                case .changed, .asked: above[index] = .changed
                }
            }
        }
        return above
    }

    /// Has lists of the sources behind this one give way to those that this one gives now, whether these sources are read in the run
    /// or not.
    ///
    /// - Parameters:
    ///   - owners: The records that the lists belong to.
    ///   - run: The run's number, nil in a plan.
    /// - Returns: The elements that they had.
    /// - Throws: `StoreError`.
    func giveWayBehind(under owners: [RecordKey], run: Int64?) throws -> Set<RecordKey> {
        var elements: Set<RecordKey> = []
        for (source, otherSource) in all.enumerated() where otherSource.source.rank == .below {
            let some = try otherSource.giveWay(under: owners, run: run)
            if !some.isEmpty { try askOnce(source) }
            elements.formUnion(some)
        }
        return elements
    }

    /// Has the sources behind this one read once more that give lists which this one gives now, or asks about: their lists give way.
    func askListsBehind(under owners: [RecordKey]) throws {
        guard !owners.isEmpty, let conflicts = store?.conflicts else { return }
        for (source, otherSource) in all.enumerated() where otherSource.source.rank == .below {
            if try otherSource.givesList(under: owners, conflicts) { try askOnce(source) }
        }
    }

    // MARK: Lists that pass to another source

    /// The sources that have each of some records, by their pipelines and streams.
    func streams(listing records: [RecordKey]) throws -> [Set<StreamName>] {
        try self.records(records).map { others in
            Set(others.filter(\.isLive).map { StreamName(all[$0.source].name) })
        }
    }

    /// The source that each of some lists passes to which the stream gives no longer: the first that still gives one, whether that
    /// gave way or somebody has to decide about it.
    ///
    /// - Parameters:
    ///   - owners: The records that the lists belong to.
    ///   - streams: What still has these records.
    /// - Returns: One for each list; nil where no other source gives it.
    /// - Throws: `StoreError`.
    func heirs(ofLists owners: [RecordKey], among streams: [Set<StreamName>]) throws -> [StreamName?] {
        var heirs = [StreamName?](repeating: nil, count: owners.count)
        guard let conflicts = store?.conflicts else { return heirs }
        for source in all {
            let name = StreamName(source.name)
            let rest = heirs.indices.filter { heirs[$0] == nil && streams[$0].contains(name) }
            if rest.isEmpty { continue }
            for (index, isHeir) in zip(rest, try source.isHeir(under: rest.map { owners[$0] }, conflicts)) where isHeir
            {
                heirs[index] = name
            }
        }
        return heirs
    }

    /// Passes records to another source, which has them from now on as they stand and is read again: what people did to them stays
    /// known, and what it says itself is a change of them.
    ///
    /// - Parameters:
    ///   - records: The records, each with what the stream's source said of its fields.
    ///   - heir: The other source.
    ///   - run: The run's number, nil in a plan.
    /// - Returns: Whether that source gives such records.
    /// - Throws: `StoreError`.
    func pass(_ records: [(key: RecordKey, entries: [BaseEntry])], to heir: StreamName, run: Int64?) throws -> Bool {
        guard let source = all.firstIndex(where: { StreamName($0.name) == heir }) else { return false }
        try all[source].inherit(records, run: run)
        try askOnce(source)
        return true
    }

    /// Has the stream itself merged once more when all of the run are read, where one behind it may begin a list that it gives no
    /// longer.
    ///
    /// - Returns: Whether one may.
    func postpones() -> Bool {
        guard let source, let reading, reading.isShared,
            all.contains(where: { $0.source.rank == .below && $0.name.pipeline == source.pipeline })
        else { return false }
        reading.askAgain(source)
        return true
    }

    /// Has it decided about the list of a record that the stream lists no longer when the stream is merged once more.
    func postpone(_ owner: RecordKey) {
        if let source { reading?.postpone(owner, of: source) }
    }

    /// The records of such lists, by their keys; they are waited for no longer.
    func takePostponed() -> [RecordKey] { source.flatMap { reading?.takePostponed(of: $0) } ?? [] }

    /// A list went away at one source: the next run reads those that may give it now.
    func askAllAgain() throws {
        for source in all.indices { try askOnce(source) }
    }

    // MARK: What belongs to records

    /// The children of each of some records that other sources give.
    func children(under owners: [RecordKey]) throws -> [[(key: RecordKey, base: BaseRow)]] {
        var found = owners.map { _ in [(key: RecordKey, base: BaseRow)]() }
        for source in all {
            for (index, children) in try source.children(under: owners).enumerated() { found[index] += children }
        }
        return found
    }

    /// Has other sources insert what they list of that which belongs to some records and has no row, once they are read.
    ///
    /// - Parameters:
    ///   - owners: The keys of the records.
    ///   - run: The run's number, nil in a plan.
    /// - Returns: Whether there is any such.
    /// - Throws: `StoreError`.
    func forgetAbsent(under owners: [RecordKey], run: Int64?) throws -> Bool {
        var isNews = false
        for source in all.indices where try all[source].forgetAbsent(under: owners, run: run) {
            isNews = true
            try askOnce(source)
        }
        return isNews
    }

    /// Ends what other sources ask about lists whose records are gone.
    ///
    /// - Returns: The conflicts over the lists that are open no longer.
    /// - Throws: `StoreError`.
    func withdrawLists(under owners: [RecordKey], run: Int64?) throws -> [ConflictEntry] {
        guard let conflicts = store?.conflicts else { return [] }
        return try all.indices.flatMap { source in
            let over = try all[source].withdrawLists(under: owners, conflicts: conflicts, run: run)
            // It counted them.
            if !over.isEmpty { try askOnce(source) }
            return over
        }
    }

    /// Whether some element of a list that another source gives, or gave until this run, has no row since people took it out.
    func haveMissingElements(under owner: RecordKey) throws -> Bool {
        try all.contains { source in
            if let reading, let own = source.own(owners: [owner]), reading.wasTakenOut(own[0], by: source.name) {
                return true
            }
            return try source.hasMissingElement(under: owner)
        }
    }

    /// Records that the stream no longer gives a list out of which people took all that it had.
    func recordTakenOut(under owner: RecordKey) {
        if let source, !all.isEmpty { reading?.recordTakenOut(owner, by: source) }
    }
}

/// A stream by the names of its pipeline and its own.
struct StreamName: Hashable, Comparable {
    let pipeline: String
    let stream: String

    /// The stream that a source is.
    init(_ source: RecordMapping) { (pipeline, stream) = (source.pipeline, source.stream) }

    static func < (left: StreamName, right: StreamName) -> Bool {
        (left.pipeline, left.stream) < (right.pipeline, right.stream)
    }
}

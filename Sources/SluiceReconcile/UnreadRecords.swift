package import SluiceDecode
package import SluiceModel
package import SluicePipeline
internal import SluicePlans
package import SluiceStore

/// What a run did not read of a stream: which of the records that are stored may be others at their source by now, and
/// whether it may have some that are not stored. It is known once a stream was merged, and streams that ask for its
/// records go by it.
///
///     read        the run saw the record, or read the list that it would stand in, or left that out as unchanged
///     doubted     its list was asked for changes, and it may have moved into one that could not be read
///     unread      its list could not be read, or no list that was read has it any more, or nothing says which one is its own
package struct UnreadRecords {
    /// What is known of the records that the run did not see.
    private enum Rest {
        /// The same of all of them.
        case all(RecordStanding)
        /// What the partitions tell that they belong to.
        case partitions(Parted)
    }

    fileprivate struct Parted {
        let marks: PartitionMarks
        /// What the records of partitions have in the marked fields.
        let hidden: Set<[FieldSide]>
        let unasked: Set<[FieldSide]>
        /// Of those that were asked for their changes alone.
        let changes: Set<[FieldSide]>
    }

    /// Whether the source may have records that are not stored and that the run did not read.
    package let mayHaveOthers: Bool
    private let seen: SeenKeys?
    private let rest: Rest
    /// What holds at least of a record that the run did not see.
    private let least: RecordStanding

    /// Everything was read.
    package static var none: UnreadRecords { UnreadRecords() }

    private init() { (mayHaveOthers, seen, rest, least) = (false, nil, .all(.read), .read) }

    /// What is unread of a stream once its pages were merged.
    ///
    /// - Parameters:
    ///   - partitions: What became of its partitions; nil where it asks once.
    ///   - coverage: What its pages are of what was asked for.
    ///   - lostKeys: How many records have no readable key; each of them may be any that was not seen.
    ///   - isLimited: Whether the pipeline says how many pages are read, so that those behind them are not expected.
    ///   - entity: What the records are.
    ///   - schema: The schema of their table.
    ///   - seen: The keys that were read.
    /// - Throws: What `seen` throws.
    package init(
        _ partitions: PartitionResult?, coverage: Coverage, lostKeys: Int, isLimited: Bool, entity: EntityDefinition,
        schema: RecordSchema, seen: () throws -> SeenKeys
    ) throws {
        guard let result = partitions else {
            let hasGap = coverage.reason != nil && !(isLimited && coverage.leavesPages)
            mayHaveOthers = lostKeys > 0 || hasGap
            self.seen = mayHaveOthers ? try seen() : nil
            rest = .all(.read)
            least = mayHaveOthers ? .doubted : .read
            return
        }
        let hidden = result.hidden
        let expected = isLimited ? hidden.subtracting(result.truncated) : hidden
        mayHaveOthers = lostKeys > 0 || !expected.isEmpty || result.plan.mayLackParents
        least = lostKeys > 0 ? .doubted : .read
        self.seen = mayHaveOthers || !hidden.isEmpty ? try seen() : nil
        let marks = PartitionMarks(result.plan.shape, entity: entity, schema: schema)
        if hidden.isEmpty && (!result.plan.mayLackParents || marks.keyTellsAll) {
            rest = .all(.read)
        } else if marks.isEmpty {
            rest = .all(.unread)
        } else {
            let asked = Set(result.plan.asked).subtracting(hidden)
            rest = .partitions(
                Parted(
                    marks: marks, hidden: Set(hidden.compactMap(marks.sides)),
                    unasked: Set(result.plan.unasked.filter { !hidden.contains($0) }.compactMap(marks.sides)),
                    changes: Set(result.incomplete.filter(asked.contains).compactMap(marks.sides))))
        }
    }

    /// What is known of a record.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - base: What the source said of it last.
    /// - Returns: Its standing.
    /// - Throws: What reading the keys from their file throws.
    package func standing(_ key: RecordKey, _ base: BaseRow) throws -> RecordStanding {
        guard let seen, try !seen.containsAnywhere(key) else { return .read }
        return switch rest {
        case .all(let standing): max(least, standing)
        case .partitions(let parted): max(least, parted.standing(key, base))
        }
    }
}

extension UnreadRecords.Parted {
    func standing(_ key: RecordKey, _ base: BaseRow) -> RecordStanding {
        let sides = marks.sides(of: key, base)
        let isKnown = sides.allSatisfy { if case .value = $0 { true } else { false } }
        if !isKnown || hidden.contains(sides) { return .unread }
        // With another partition it would be another record.
        if marks.areOfKey || unasked.contains(sides) { return .read }
        return changes.contains(sides) ? .doubted : .unread
    }
}

package import SluiceModel

/// What a scan proves of the records that it did not see.
///
/// Pages, windows of time, partitions, records without a key and resumed scans each have a coverage. ``and(_:)`` combines
/// them, and what is combined never proves more than its weakest part.
package struct Coverage: Sendable, Equatable {
    /// What is missing of what was asked for.
    package struct Gap: Sendable, Equatable {
        /// Why, as a clause; nil where merely nothing said that the last page was read.
        package var reason: String?
        /// Whether pages were left unread, so that a cursor or token must not pass them.
        package var leavesPages = false

        /// Makes a value of its parts.
        package init(reason: String? = nil, leavesPages: Bool = false) {
            (self.reason, self.leavesPages) = (reason, leavesPages)
        }

        /// Both gaps; the reason of the first one is told.
        package func and(_ other: Gap) -> Gap {
            Gap(reason: reason ?? other.reason, leavesPages: leavesPages || other.leavesPages)
        }
    }

    /// The records of which a scan of some partitions says whether they are gone, by the fields that tell partitions apart.
    package struct Scope: Sendable, Hashable {
        /// The positions of these fields.
        package let fields: [Int]
        /// Their values in the partitions that were read to their ends.
        package var read: Set<[FieldSide]>
        /// Their values in the other ones.
        package var unread: Set<[FieldSide]>
        /// Whether a record of no known partition is gone.
        package var takesStrays: Bool

        /// Makes a value of its parts.
        package init(fields: [Int], read: Set<[FieldSide]>, unread: Set<[FieldSide]>, takesStrays: Bool) {
            (self.fields, self.read, self.unread, self.takesStrays) = (fields, read, unread, takesStrays)
        }

        fileprivate func covers(_ side: (Int) -> FieldSide) -> Bool {
            let sides = fields.map(side)
            let isKnown = sides.allSatisfy { if case .value = $0 { true } else { false } }
            if !isKnown || unread.contains(sides) { return false }
            return read.contains(sides) || takesStrays
        }
    }

    /// How much of what was asked for was read.
    package enum Extent: Sendable, Equatable {
        /// All of it.
        case whole
        /// The partitions that each of these scopes has.
        case scoped(Set<Scope>)
        /// Something is missing, and nothing tells what.
        case partial(Gap)
    }

    /// What a coverage comes to.
    package enum Proof: Equatable {
        /// What was not seen is gone.
        case whole
        /// It is gone, unless it slipped past while pages were read by counting.
        case counted
        /// It is gone where its partition was read.
        case scoped
        /// Nothing: only changes were asked for.
        case filtered
        /// Nothing, for this reason.
        case partial(String)
    }

    /// How much of what was asked for was read.
    package private(set) var extent: Extent
    /// Whether a record may have slipped past, since pages were read by counting or one of them was empty.
    package private(set) var isCounted: Bool
    /// Whether less was asked for than there is.
    package private(set) var isFiltered: Bool
    /// The records for which the stream asks at most; nil where it asks for all.
    package private(set) var span: CursorSpan?

    /// Makes a value of its parts.
    package init(_ extent: Extent, isCounted: Bool = false, isFiltered: Bool = false) {
        (self.extent, self.isCounted, self.isFiltered) = (extent, isCounted, isFiltered)
    }

    /// Everything was read.
    package static let whole = Coverage(.whole)
    /// Nothing has said yet that the last page was read.
    package static let unended = Coverage(.partial(Gap()))
    /// Only a part was asked for.
    package static let filtered = Coverage(.whole, isFiltered: true)

    /// Something is missing.
    ///
    /// - Parameter reason: Why, as a clause.
    /// - Returns: The coverage.
    package static func partial(_ reason: String) -> Coverage { Coverage(.partial(Gap(reason: reason))) }

    // MARK: Combining

    /// What two parts of a scan prove together: no more than each of them.
    ///
    /// - Parameter other: The coverage of the other part. Where both have gaps, the reason of the first one is told.
    /// - Returns: The coverage of both.
    package func and(_ other: Coverage) -> Coverage {
        let extent: Extent =
            switch (self.extent, other.extent) {
            // What was not asked for belongs to no partition, so the other ones tell nothing either.
            case (.whole, .scoped) where isFiltered, (.scoped, .whole) where other.isFiltered: .partial(Gap())
            case (.whole, let extent), (let extent, .whole): extent
            case (.scoped(let scopes), .scoped(let others)): .scoped(scopes.union(others))
            case (.scoped, .partial(let gap)), (.partial(let gap), .scoped): .partial(gap)
            case (.partial(let gap), .partial(let next)): .partial(gap.and(next))
            }
        return Coverage(
            extent, isCounted: isCounted || other.isCounted, isFiltered: isFiltered || other.isFiltered
        ).within(span ?? other.span)
    }

    /// The coverage of a scan of a stream that asks for some records at most.
    ///
    /// - Parameter span: These; nil for all.
    /// - Returns: A coverage that tells of these alone.
    package func within(_ span: CursorSpan?) -> Coverage {
        var coverage = self
        coverage.span = span
        return coverage
    }

    /// The coverage of a scan whose gaps are known to lie within some partitions.
    ///
    /// - Parameter scope: What the other partitions tell.
    /// - Returns: A coverage that tells of these alone; a whole one stays whole.
    package func narrowed(to scope: Scope) -> Coverage {
        if case .whole = extent, !isFiltered { return self }
        return Coverage(.scoped([scope]), isCounted: isCounted, isFiltered: isFiltered).within(span)
    }

    // MARK: Reading

    /// Notes that something is missing. Of several reasons of one series of pages the latest one is told.
    package mutating func markIncomplete(_ reason: String, leavesPages: Bool = false) {
        extent = .partial(Gap(reason: reason, leavesPages: leavesPages || self.leavesPages))
    }

    /// Notes that a record may have slipped past, since a page that leads on had none.
    package mutating func suspect() { isCounted = true }

    /// Notes that less was asked for than there is.
    package mutating func filter() { isFiltered = true }

    /// Notes that the last page was read.
    ///
    /// - Parameter isCounted: Whether a record may have slipped past.
    package mutating func end(isCounted: Bool) {
        if case .partial(let gap) = extent, gap.reason == nil, !gap.leavesPages { extent = .whole }
        self.isCounted = self.isCounted || isCounted
    }

    // MARK: Asking

    /// What is missing of what was asked for; nil where nothing is.
    package var gap: Gap? { if case .partial(let gap) = extent { gap } else { nil } }

    /// Why something is missing; nil where nothing is, and where merely nothing said that the last page was read.
    package var reason: String? { gap?.reason }

    /// Whether pages were left unread.
    package var leavesPages: Bool { gap?.leavesPages == true }

    /// Whether everything was read for which the stream asks, be it by counting.
    package var isComplete: Bool { extent == .whole && !isFiltered }

    /// Whether everything was read that there is: the stream asks for no less.
    package var showsAll: Bool { isComplete && span == nil }

    /// Whether it says of any record that it is gone.
    package var provesAbsences: Bool {
        switch proof {
        case .whole, .counted, .scoped: true
        case .filtered, .partial: false
        }
    }

    /// Whether it depends on what a record says whether the scan would have shown it.
    package var dependsOnRecords: Bool { isScoped || isComplete && span != nil }

    private var isScoped: Bool { if case .scoped = extent { true } else { false } }

    /// What it comes to.
    package var proof: Proof {
        if isFiltered, !isScoped { return .filtered }
        return switch extent {
        case .scoped: .scoped
        case .whole: isCounted ? .counted : .whole
        case .partial(let gap): .partial(gap.reason ?? "its pages were not all read")
        }
    }

    /// Whether the scan would have seen a record that is still there.
    ///
    /// - Parameter side: What the record has in the field at a position.
    /// - Returns: False also where its partition is not known.
    package func covers(_ side: (Int) -> FieldSide) -> Bool {
        switch extent {
        case .whole: !isFiltered
        case .scoped(let scopes): scopes.allSatisfy { $0.covers(side) }
        case .partial: false
        }
    }
}

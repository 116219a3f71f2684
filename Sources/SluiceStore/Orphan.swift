package import SluiceModel

/// What a store keeps for a name that a pipeline no longer has.
package struct Orphan: Sendable, Hashable {
    /// What has no name any more.
    package enum Subject: Sendable, Hashable {
        /// A source, with the number of records that its base knows.
        case source(records: Int)
        /// A field with its column; one that is still there and has moved to another column, with the old one, and the field that has that now.
        case field(String, column: String, hasMoved: Bool, taker: String? = nil)
        /// A field whose column, or table of links, other sources fill that go on with it.
        case passed(String, column: String)
        /// A field that comes back, with its column and its links, which other sources may have filled meanwhile.
        case returned(String, column: String, link: RecordLink?)
        /// A field whose column is missing in the table, with those that it may be called now: one where it holds what its source said.
        case missing(String, column: String, now: [String])
        /// A field that is gone, as its column is, with the new fields of which each may be it: one whose column holds what its source said.
        case unsaid(String, column: String, now: [String])
        /// A field that is gone, as the table of its links is, with the new fields of which each may be it.
        case unsaidLinks(String, table: String, now: [String])
        /// A field whose column another pipeline had renamed, with its name of now.
        case renamedElsewhere(String, column: String, now: String)
        /// A field whose table of links is missing, with those that it may be called now.
        case missingLinks(String, table: String, now: [String])
        /// The column that marks rows as deleted is missing.
        case missingMark
        /// The table is missing, or has no row any more, with those that it may be called now.
        case missingTable(now: [String], isEmptied: Bool)
        /// A field whose values are links, with the table of these.
        case links(String, table: String)
        /// A field whose values are links and that has another table of these now: one that is there as well, or its own is that of another field.
        case movedLinks(String, table: String, now: String, taker: String?)
        /// The table, which is another one now, maybe with another identifier. Something else may fill the old one still, or another
        /// entity, which did not before.
        case table(hasOtherKey: Bool, isFilled: Bool, taker: String? = nil)

        /// Whether it is missing in the database, whatever a pipeline's file says.
        package var isMissing: Bool {
            switch self {
            case .missing, .missingLinks, .missingMark, .missingTable: true
            case .source, .field, .passed, .returned, .unsaid, .unsaidLinks, .renamedElsewhere, .links, .movedLinks,
                .table:
                false
            }
        }
    }

    /// What is kept.
    package var subject: Subject
    /// Of what source.
    package var source: RecordMapping
    /// The table that it was kept for.
    package var table: String
    /// Whether people changed something of it.
    package var isEdited: Bool

    /// Makes an orphan.
    package init(subject: Subject, source: RecordMapping, table: String, isEdited: Bool) {
        self.subject = subject
        self.source = source
        self.table = table
        self.isEdited = isEdited
    }
}

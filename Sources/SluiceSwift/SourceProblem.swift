/// What is wrong with a declaration, and where.
package struct SourceProblem: Sendable, Hashable {
    /// An edit that mends it.
    package struct FixIt: Sendable, Hashable {
        /// What it does.
        package let message: String
        /// What it replaces, by the offsets of the source.
        package let range: Range<Int>
        /// What stands there afterwards.
        package let text: String
    }

    /// What is wrong, and what to do.
    package let message: String
    /// Where, by the offset in the source.
    package let offset: Int
    /// The edit that mends it, nil where there is more than one.
    package let fixIt: FixIt?

    /// Makes a problem.
    package init(_ message: String, at offset: Int, fixIt: FixIt? = nil) {
        self.message = message
        self.offset = offset
        self.fixIt = fixIt
    }
}

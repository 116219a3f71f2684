/// What does not hold; a test that throws it fails, whatever framework runs it.
public struct RequirementFailed: Error, Sendable, CustomStringConvertible {
    /// What does not hold, with what was found.
    public let description: String

    init(_ description: String) { self.description = description }
}

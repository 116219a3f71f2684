/// Who asks.
struct Visitor: Sendable {
    /// Their name, nil where nobody has to give one.
    let name: String?
    /// What they may do.
    let role: Role
    /// The value of the session's cookie; nil for a program.
    let session: String?
}

/// What becomes of the other side of a relationship when a record is deleted.
public enum DeleteRule: String, Sendable {
    /// It no longer leads here.
    case nullify
    /// It is deleted as well.
    case cascade
    /// The record is not deleted while there is one.
    case deny
}

/// Tells the initialiser that `@PersistentModel(initializer: true)` writes from the one that the compiler makes of the
/// same properties: an extension cannot declare that one again. It is never named.
public struct MemberwiseInitializer: Sendable {
    /// Makes one.
    public init() {}
}

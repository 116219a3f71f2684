/// What one side says of a field: a digest of the value in canonical form, null, or nothing at all.
package enum FieldSide: Sendable, Hashable {
    /// The base: this source never gave the field. The remote: the key is absent. Never the local side.
    case nothing
    case null
    case value(UInt64)

    /// The side that a digest stands for; 0 says nothing.
    @inlinable
    package init(digest: UInt64) {
        self = digest == 0 ? .nothing : digest == FieldDigest.null ? .null : .value(digest)
    }
}

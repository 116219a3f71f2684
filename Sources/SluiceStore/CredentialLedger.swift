/// What sources gave that proves who is asking, sealed by whoever keeps it here.
///
/// The store never sees what is in it: a copy of the store gives nobody access to a source.
package protocol CredentialLedger: AnyObject {
    /// What is kept under a name; nil where nothing is.
    ///
    /// - Parameter name: A name that tells nothing about what it names.
    /// - Returns: The bytes as they were given.
    /// - Throws: ``StoreError``.
    func sealed(_ name: String) throws -> [UInt8]?

    /// Keeps something in the place of what was kept under the name, in a transaction of its own that is on the disk
    /// when this returns.
    ///
    /// - Parameters:
    ///   - sealed: What to keep.
    ///   - name: Its name.
    ///   - time: When it was given, RFC 3339 in UTC.
    /// - Throws: ``StoreError``.
    func keep(_ sealed: [UInt8], name: String, at time: String) throws
}

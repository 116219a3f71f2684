/// The program.
package enum Sluice {
    /// The version, which requests and `--version` name.
    package static let version = "0.1.0"
}

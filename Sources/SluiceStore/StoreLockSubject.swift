internal import SluiceModel

/// What one program at a time may do on a store.
package enum StoreLockSubject: Sendable {
    /// Run a pipeline, by its name.
    case pipeline(String)
    /// Serve its pipelines.
    case service
    /// Use a refresh token, by a name that tells nothing of it.
    case refreshToken(String)

    /// The number of the lock: in a file the place of its byte, far beyond what a database can reach.
    package var number: Int64 {
        switch self {
        case .pipeline(let name): Int64(1) << 61 | Self.digest(name)
        case .service: Int64(1) << 62
        case .refreshToken(let name): Int64(3) << 60 | Self.digest(name)
        }
    }

    private static func digest(_ name: String) -> Int64 {
        Int64(FieldDigest.text(Array(name.utf8)) & 0xFFFF_FFFF)
    }
}

internal import Synchronization

/// Who is logged in, by the hash of the session's cookie.
final class SessionTable: Sendable {
    private struct Session {
        let name: String
        let role: Role
        var lastUse: Double
    }

    /// How long a session lasts that nobody uses.
    private static let idleSeconds = 12.0 * 3600
    private static let most = 1_000
    private let sessions = Mutex<[String: Session]>([:])

    /// Begins a session, and gives the cookie's value.
    func begin(_ entry: TokenFile.Entry, now: Double) -> String {
        let value = Secret.random()
        sessions.withLock { sessions in
            if sessions.count >= Self.most, let oldest = sessions.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                sessions[oldest.key] = nil
            }
            sessions[Secret.hash(value)] = Session(name: entry.name, role: entry.role, lastUse: now)
        }
        return value
    }

    /// Who has a cookie.
    func visitor(_ value: String, now: Double) -> Visitor? {
        sessions.withLock { sessions in
            let key = Secret.hash(value)
            guard let session = sessions[key] else { return nil }
            if now - session.lastUse > Self.idleSeconds {
                sessions[key] = nil
                return nil
            }
            sessions[key]?.lastUse = now
            return Visitor(name: session.name, role: session.role, session: value)
        }
    }

    /// Ends a session.
    func end(_ value: String) { sessions.withLock { _ = $0.removeValue(forKey: Secret.hash(value)) } }
}

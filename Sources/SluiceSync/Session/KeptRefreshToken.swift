internal import SluiceFetch
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem
internal import Synchronization

/// Uses refresh tokens that may be good for one use only: of two that ask at once one waits, and the token that comes
/// in the place of the used one is in the store before anything else is done.
final class KeptRefreshToken: RefreshTokenExchange {
    private let store: StoreAddress
    private let cancellation: Cancellation
    private var backend: any StoreBackend { store.backend.stoppable(by: cancellation) }
    /// Whether the store has no part in it: the tokens of a recording are none.
    private let isReplayed: Bool
    /// Whether a new token was written to the store.
    var hasKept: Bool { kept.load(ordering: .sequentiallyConsistent) }
    private let kept = Atomic(false)
    /// Whether there was no store before.
    var hasMadeStore: Bool { made.load(ordering: .sequentiallyConsistent) }
    private let made = Atomic(false)

    init(store: StoreAddress, isReplayed: Bool, cancellation: Cancellation) {
        self.isReplayed = isReplayed
        self.store = store
        self.cancellation = cancellation
    }

    /// Uses the newest refresh token of a login.
    ///
    /// - Parameters:
    ///   - login: The login, whose own token was the first one.
    ///   - ask: Uses a token; gives what it brought, and the token that takes its place, nil where it still holds.
    /// - Returns: What it brought.
    /// - Throws: ``SyncError``, `StoreError`, and what `ask` throws.
    func exchange<Answer>(
        for login: SourceDefinition.OAuth2, _ ask: (String) throws -> (Answer, String?)
    ) throws -> Answer {
        let first = login.refreshToken?.revealed ?? ""
        if isReplayed { return try ask(first).0 }
        try checkPlace()
        let name = Self.name(of: login, first)
        let presence = try backend.presence(cancellation: cancellation)
        let lock = try acquireLock(name, presence)
        // What was made for the lock alone is no store.
        defer { withExtendedLifetime(lock) { presence.removeIfBlank() } }
        let secret = Array("refresh token".utf8) + Array(first.utf8)
        let newest = try read(name, secret) ?? first
        let (answer, next) = try ask(newest)
        if let next, next != newest {
            try keep(SealedText.seal(next, secret: secret), name)
            kept.store(true, ordering: .sequentiallyConsistent)
            if presence.isMade { made.store(true, ordering: .sequentiallyConsistent) }
        }
        return answer
    }

    /// A store that cannot be written would lose the token that the login brings.
    private func checkPlace() throws {
        do throws(StoreError) {
            try backend.check(for: .writing)
        } catch {
            throw SyncError(
                .loginFailed,
                "The login may bring a new refresh token, which must be kept in the store, so nothing was asked. \(error.message)"
            )
        }
    }

    private func read(_ name: String, _ secret: [UInt8]) throws -> String? {
        guard let opened = try backend.openToRead(busyMilliseconds: StoreWaiting().busyMilliseconds),
            let sealed = try opened.credentials.sealed(name)
        else { return nil }
        if let token = SealedText.open(sealed, secret: secret) { return token }
        throw SyncError(
            .loginFailed,
            "The refresh token that the store `\(store)` keeps was changed and cannot be read. Get a new one and set it as `auth.refresh_token`."
        )
    }

    private func keep(_ sealed: [UInt8], _ name: String) throws {
        // Another run may be writing for long, and this cannot be asked for again.
        let opened = try backend.open(.running, StoreWaiting(busyMilliseconds: 3_600_000))
        do {
            try opened.credentials.keep(sealed, name: name, at: WallClock.now())
        } catch let error as StoreError {
            throw SyncError(
                .loginFailed,
                "The login returned a new refresh token, and it could not be kept: \(error.message) The old one may no longer be valid. If the next run cannot log in, get a new one and set it as `auth.refresh_token`."
            )
        }
    }

    private func acquireLock(_ name: String, _ presence: any StorePresence) throws -> any StoreLock {
        while true {
            if let lock = try presence.lock(.refreshToken(name)) { return lock }
            try cancellation.check()
            Pause.seconds(backend.traits.lockPollSeconds)
        }
    }

    /// A name that a token given by hand changes, and that tells nothing of it.
    private static func name(of login: SourceDefinition.OAuth2, _ first: String) -> String {
        let parts = ["refresh token", login.tokenURL.revealed, login.clientID.revealed, first]
        let digest = SHA256.hexadecimal(of: Array(parts.joined(separator: "\0").utf8))
        return String(decoding: digest, as: UTF8.self)
    }
}

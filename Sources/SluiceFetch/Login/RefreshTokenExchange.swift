package import SluicePipeline

/// Uses refresh tokens, of which each may be good for one use only, and keeps the ones that take their place.
package protocol RefreshTokenExchange: Sendable {
    /// Uses the newest refresh token of a login.
    ///
    /// - Parameters:
    ///   - login: The login, whose own token was the first one.
    ///   - ask: Uses a token; gives what it brought, and the token that takes its place, nil where it still holds.
    /// - Returns: What it brought.
    /// - Throws: `SyncError`, `StoreError`, and what `ask` throws.
    func exchange<Answer>(
        for login: SourceDefinition.OAuth2, _ ask: (String) throws -> (Answer, String?)
    ) throws -> Answer
}

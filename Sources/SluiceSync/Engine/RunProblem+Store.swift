package import SluiceReport
package import SluiceStores
internal import SluiceSystem

/// What people should know of the file that a command wrote to.
extension RunProblem {
    /// What a plan wrote although it writes nothing.
    static func keptToken(in store: StoreAddress) -> RunProblem {
        RunProblem(
            code: "refresh_token_kept", severity: .warning,
            message:
                "The login returned a new refresh token. The old one may no longer be valid, so the plan kept the new one in the store `\(store)`. It wrote nothing else."
        )
    }

    /// Who may read a store that was made just now.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - hasToken: Whether it keeps a refresh token.
    ///   - quarantined: How many records in quarantine it keeps.
    /// - Returns: Nil where it keeps nothing of the kind, or where others may read it.
    static func privateStore(_ store: StoreAddress, hasToken: Bool, quarantined: Int) -> RunProblem? {
        let kept = (hasToken ? ["a refresh token"] : []) + (quarantined > 0 ? ["records in quarantine"] : [])
        guard !kept.isEmpty, let file = store.file, FileSystem.permissions(of: file) == 0o600 else { return nil }
        return RunProblem(
            code: "store_private", severity: .note,
            message:
                "The new store `\(store)` keeps \(kept.joined(separator: " and ")). Only its owner may read and write it (mode 0600)."
        )
    }
}

extension SourceAccess {
    /// What people should know of a store to which nothing but a login was to write.
    package func tokenProblems(store: StoreAddress) -> [RunProblem] {
        if !hasKeptToken { return [] }
        let made = hasMadeStore ? RunProblem.privateStore(store, hasToken: true, quarantined: 0) : nil
        return [.keptToken(in: store)] + (made.map { [$0] } ?? [])
    }
}

internal import SluicePipeline

/// Which store a URL names.
struct StoreAddress: Sendable, Hashable {
    /// The store where nothing names one.
    static let standard = StoreAddress(path: "sluice.db")

    /// The database file.
    let path: String

    private init(path: String) { self.path = path }

    /// Reads a URL, nil where this program knows no such store.
    init?(_ url: String) {
        guard url.hasPrefix("sqlite:") else { return nil }
        var path = url.dropFirst("sqlite:".count)
        if path.hasPrefix("///") { path = path.dropFirst(2) }
        if path.hasPrefix("//") || StorePathText.reason(against: path) != nil { return nil }
        self.path = String(path)
    }

    /// Why a URL names no store, as the end of a sentence and what follows it.
    static func problem(with url: String) -> String {
        let form = "needs sqlite:FILE, as in `sqlite:shop.db`"
        if url.isEmpty { return "\(form)." }
        guard let colon = url.firstIndex(of: ":") else {
            return "\(form), and got `\(url)`. Did you mean `sqlite:\(url)`?"
        }
        let scheme = url[..<colon]
        if scheme != "sqlite" { return "\(form); stores of the kind `\(scheme):` are not known." }
        let path = url[url.index(after: colon)...]
        guard !path.isEmpty, let reason = StorePathText.reason(against: path) else { return "\(form)." }
        return "\(form), and got `\(url)`. \(reason)"
    }

    /// The store of a command that has no pipeline.
    ///
    /// - Throws: ``Failure`` where `$SLUICE_STORE` names none.
    static func choose(option: StoreAddress?, environment: [String: String]) throws -> StoreAddress {
        if let option { return option }
        guard let url = environment["SLUICE_STORE"], !url.isEmpty else { return .standard }
        guard let address = StoreAddress(url) else {
            throw Failure(.usage, "The variable `SLUICE_STORE` \(problem(with: url))")
        }
        return address
    }

    /// The URL, for commands to copy.
    var url: String { StorePathText.url(of: path) }
}

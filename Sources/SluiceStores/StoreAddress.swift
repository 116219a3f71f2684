internal import SluicePipeline
internal import SluicePostgresStore
internal import SluiceSQLiteStore
package import SluiceStore
internal import SluiceSystem

/// Where a store is: a file of SQLite, or a schema of a PostgreSQL database. It shows no password.
package struct StoreAddress: Sendable, Hashable, CustomStringConvertible {
    private enum Place: Hashable {
        case file(String)
        case database(PostgresStoreAddress)
    }

    /// The store where nothing names one.
    package static let standard = StoreAddress(file: "sluice.db")

    /// The forms of URLs, as the end of a sentence.
    package static let forms = "sqlite:FILE, as in `sqlite:shop.db`, or a URL like `postgres://user@host/shop`"

    private let place: Place

    /// The store in a file.
    package init(file path: String) { place = .file(path) }

    /// Reads a URL, nil where it names no store.
    package init?(_ url: String) {
        if PostgresStoreAddress.isURL(url) {
            guard let address = try? PostgresStoreAddress(url) else { return nil }
            place = .database(address)
            return
        }
        guard url.hasPrefix("sqlite:") else { return nil }
        var path = url.dropFirst("sqlite:".count)
        if path.hasPrefix("///") { path = path.dropFirst(2) }
        if path.hasPrefix("//") || StorePathText.reason(against: path) != nil { return nil }
        place = .file(String(path))
    }

    /// Why a URL names no store, as the end of a sentence and what follows it.
    package static func problem(with url: String) -> String {
        let form = "needs \(forms)"
        if url.isEmpty { return "\(form)." }
        if PostgresStoreAddress.isURL(url) {
            do throws(StoreError) {
                _ = try PostgresStoreAddress(url)
                return "\(form)."
            } catch { return "\(form). \(error.message)" }
        }
        // It may name a password, so it is not shown.
        if url.contains("=") && !url.hasPrefix("sqlite:") {
            return
                "\(form). Write the keywords of a connection string as a URL: `postgres://user@/shop?host=/run/postgresql`."
        }
        guard let colon = url.firstIndex(of: ":") else {
            return "\(form), and got `\(url)`. Did you mean `sqlite:\(url)`?"
        }
        let scheme = url[..<colon]
        if scheme != "sqlite" { return "\(form); stores of the kind `\(scheme):` are not known." }
        let path = url[url.index(after: colon)...]
        guard !path.isEmpty, let reason = StorePathText.reason(against: path) else { return "\(form)." }
        return "\(form), and got `\(url)`. \(reason)"
    }

    /// The file; nil for a store that is none.
    package var file: String? {
        if case .file(let path) = place { return path }
        return nil
    }

    /// The same store without `..` in the path of its file: that of `pipelines/../shop.db` is `shop.db`.
    package var withoutDetours: StoreAddress {
        guard case .file(let path) = place, path.split(separator: "/").contains("..") else { return self }
        let (whole, here) = (FileSystem.normalized(path), FileSystem.normalized(".") + "/")
        return StoreAddress(file: whole.hasPrefix(here) ? String(whole.dropFirst(here.count)) : whole)
    }

    /// The URL, for people and for commands to copy: without a password.
    package var url: String {
        switch place {
        case .file(let path): StorePathText.url(of: path)
        case .database(let address): address.shown
        }
    }

    /// The URL, for programs: with the password where it names one.
    package var wholeURL: String {
        switch place {
        case .file(let path): StorePathText.url(of: path)
        case .database(let address): address.url
        }
    }

    /// The URL as outputs show it: without a password, and of a store whose place is a secret only its kind.
    package func shownURL(isSecret: Bool) -> String {
        if isSecret { return file == nil ? "postgres://***" : "sqlite:***" }
        return url
    }

    /// How messages call it: the path of the file, or the URL without a password.
    package var description: String { file ?? url }

    /// A short name for what belongs to the store: that of the file without its ending, or of the database.
    package var shortName: String {
        switch place {
        case .file(let path): String((path.split(separator: "/").last ?? "").prefix { $0 != "." })
        case .database(let address): address.name
        }
    }

    /// The same store for programs that work in another folder.
    package var absolute: StoreAddress { file.map { StoreAddress(file: FileSystem.absolute($0)) } ?? self }

    /// The same store with its shortest absolute path.
    package var normalized: StoreAddress { file.map { StoreAddress(file: FileSystem.normalized($0)) } ?? self }

    /// What opens it.
    package var backend: any StoreBackend {
        switch place {
        case .file(let path): SQLiteBackend(path: path)
        case .database(let address): PostgresBackend(address: address)
        }
    }

    /// A message without what tells where the store is.
    package func hidden(in message: String) -> String {
        switch place {
        case .file(let path): return message.replacing(path, with: "***")
        case .database(let address):
            // The longest first: one may be a part of another.
            let parts = address.parts.filter { !$0.isEmpty }.sorted { $0.utf8.count > $1.utf8.count }
            return parts.reduce(message) { $0.replacing($1, with: "***") }
        }
    }

    /// The keywords of libpq for which the URL has values; none of a file.
    package var keywords: Set<String> {
        switch place {
        case .file: []
        case .database(let address): address.keywords
        }
    }

    /// The texts that no answer of a source may repeat where the address is a secret.
    package var credentials: [String] {
        switch place {
        case .file(let path): [path]
        case .database(let address): address.credentials
        }
    }

    /// The texts that must not be told where the address is a secret.
    package var secrets: [String] {
        switch place {
        case .file(let path): [path]
        case .database(let address): address.secrets
        }
    }
}

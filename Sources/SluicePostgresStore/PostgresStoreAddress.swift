package import SluicePostgres
package import SluiceStore

/// Where a store on PostgreSQL is: an address as libpq takes it, with one more parameter, `schema`, that is ours:
/// `postgres://user@host/shop?schema=sales`.
///
/// It shows no password.
package struct PostgresStoreAddress: Sendable, CustomStringConvertible, CustomReflectable {
    /// The URL as it was given, for programs that are to open the same store: it may name a password.
    package let url: String
    /// The database.
    package let database: PostgresAddress
    /// The schema that all tables of the store are in.
    package let schema: String

    /// Database and schema, without passwords.
    package var description: String { "\(database) schema=\(schema)" }

    /// Without the URL, which may have a password.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    /// The name of the database, or of the schema where the URL leaves that to the environment.
    package var name: String { database.database ?? schema }
    /// The URL as it may be shown and copied.
    package var shown: String { Self.shown(url) }

    /// Reads an address.
    ///
    /// - Parameter text: A URL.
    /// - Throws: ``StoreError`` where it cannot be read.
    package init(_ text: String) throws(StoreError) {
        url = text
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var kept: [Substring] = []
        var schema = "public"
        for parameter in parts.dropFirst().first?.split(separator: "&", omittingEmptySubsequences: false) ?? [] {
            guard parameter.hasPrefix("schema=") else {
                kept.append(parameter)
                continue
            }
            guard let name = Self.decoded(parameter.dropFirst("schema=".count)), PostgresName.isKept(name) else {
                throw StoreError(
                    .unavailable,
                    "The parameter `schema` of the store's URL is no name of a schema. Give one of 1 to \(PostgresName.maximumLength) bytes."
                )
            }
            if name.hasPrefix("pg_") || name == "information_schema" {
                throw StoreError(
                    .unavailable,
                    "The schema `\(name)` of the store's URL belongs to PostgreSQL itself. Give a name that does not begin with `pg_`."
                )
            }
            schema = name
        }
        self.schema = schema
        let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
        do throws(PostgresError) {
            database = try PostgresAddress((parts.first ?? "") + query)
        } catch { throw StoreError(error, place: "postgres://…") }
    }

    /// The keywords of libpq for which the URL has values.
    package var keywords: Set<String> { database.keywords }

    /// What is too much of the address to stand in any text where it is a secret: names of databases are words as well.
    package var secrets: [String] { credentials + database.hosts }

    /// What no answer of a source may repeat where the address is a secret. A host is no secret there: a source may be on the same one.
    package var credentials: [String] { [url, shown] + database.secrets }

    /// What must not be told where the address is a secret, in texts about the store alone.
    package var parts: [String] { [url, shown] + database.parts + (schema == "public" ? [] : [schema]) }

    /// Whether a text is the URL of a database.
    package static func isURL(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// A URL as it may be shown and copied: without the passwords that it names.
    package static func shown(_ url: String) -> String {
        var parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let halves = parts[0].split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        if halves.count == 2, let end = halves[1].lastIndex(of: "@") {
            let user = halves[1][..<end].prefix { $0 != ":" }
            parts[0] = "\(halves[0])://\(user)\(halves[1][end...])"
        }
        guard parts.count == 2 else { return parts[0] }
        let kept = parts[1].split(separator: "&").filter { !$0.lowercased().contains("password") }
        return parts[0] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }

    /// A text whose bytes may be written as `%20`; nil where they are not written so, or are no UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ ("0123456789abcdefABCDEF".utf8).contains($0) }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension PostgresStoreAddress: Hashable {
    /// Whether both are written alike.
    package static func == (one: PostgresStoreAddress, other: PostgresStoreAddress) -> Bool { one.url == other.url }

    package func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

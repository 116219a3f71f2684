internal import SluiceModel
internal import SluiceSQLite
internal import SluiceSQLiteStore
internal import SluiceSystem

/// What has to be done once to a store that an earlier version of the program made, before its tables are brought in line with
/// the models.
///
/// ```swift
/// var options = StoreOptions()
/// options.migrations = [
///     Migration("2026-11 titles without blanks") { tx in
///         try tx.execute("UPDATE books SET title = trim(title)")
///     }
/// ]
/// let store = try Store("shop.db", models: Book.self, options: options)
/// ```
///
/// A column that was only renamed needs none: `@Attribute(renamedFrom:)` renames it, and what sources said of it goes along.
public struct Migration: Sendable {
    /// The name, under which the store remembers that it was run. It stays as it is.
    public let name: String
    let body: @Sendable (Transaction) throws -> Void

    /// Makes a migration.
    ///
    /// - Parameters:
    ///   - name: The name, which no other migration of the store has.
    ///   - body: Does it, by SQL: the tables need not fit the models yet. What it changes of rows is a local edit.
    public init(_ name: String, _ body: @escaping @Sendable (Transaction) throws -> Void) {
        self.name = name
        self.body = body
    }
}

/// Runs the migrations of a program that a store has not seen yet.
struct MigrationRun {
    let store: SQLiteRecordStore
    let home: StoreHome
    let schema: Schema
    let migrations: [Migration]
    /// How the store is to be opened so that they are run.
    let remedy: String

    /// Runs them, each in a transaction of its own. A store that has none of the models' tables is new, and needs none.
    ///
    /// - Returns: The names of those that were run.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/migration``; those before the one that failed are kept.
    func perform() throws -> [String] {
        try checkNames()
        var names: [String] = []
        for migration in migrations where try run(migration) { names.append(migration.name) }
        return names
    }

    /// Refuses a store in which some were not run.
    ///
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/migration``.
    func verify() throws {
        try checkNames()
        let known = try store.migrations()
        let missing = try isNew() ? [] : migrations.map(\.name).filter { !known.contains($0) }
        if missing.isEmpty { return }
        throw SluiceError(
            .migration,
            "The store needs \(missing.map { "`\($0)`" }.joined(separator: ", ")) first. \(remedy), which runs migrations.",
            problems: missing)
    }

    private func checkNames() throws(SluiceError) {
        var seen: Set<String> = []
        for name in migrations.map(\.name) where name.isEmpty || !seen.insert(name).inserted {
            throw SluiceError(
                .migration,
                name.isEmpty
                    ? "A migration has no name. The store remembers it by one."
                    : "Two migrations are called `\(name)`. Give each a name of its own.")
        }
    }

    /// Whether it was run now. Another program may have run it meanwhile.
    private func run(_ migration: Migration) throws -> Bool {
        if try store.migrations().contains(migration.name) { return false }
        try store.begin()
        do {
            if try store.migrations().contains(migration.name) {
                store.rollback()
                return false
            }
            // What notes the first of them for a new store notes all, before tables are made.
            let isNeeded = try !isNew()
            if isNeeded {
                var marks = DeletionMarks(schema, in: home)
                var tables = try marks.look(store.connection)
                tables.names = nil
                let transaction = Transaction(store, tables, PlainTables(), isTelling: false, run: nil)
                defer { transaction.end() }
                try migration.body(transaction)
                try transaction.settleParts()
            }
            try store.record(migration: migration.name, at: WallClock.now())
            try store.commit()
            return isNeeded
        } catch {
            store.rollback()
            // What an error of the program's own says may hold values.
            let reason = (error as? SluiceError)?.message ?? "its error is `\(type(of: error))`, as `underlying`."
            throw SluiceError(
                .migration,
                "The migration `\(migration.name)` failed: \(reason)\(reason.hasSuffix(".") ? "" : ".") Nothing of it was written, and the store was not opened.",
                underlying: error)
        }
    }

    /// Whether the store has none of the tables, under their names of now or of before.
    private func isNew() throws -> Bool {
        let descriptions = schema.models.map { $0.modelDescription }
        let tables = descriptions.map(\.table) + descriptions.compactMap(\.formerTable)
        return try tables.allSatisfy { try LinkTable.columns(of: $0, store.connection).isEmpty }
    }
}

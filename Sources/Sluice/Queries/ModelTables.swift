/// The tables that a program reads and writes as models.
struct ModelTables {
    /// The store that they are in.
    let home: StoreHome
    /// Their names in lower case; nil for those of any model, as a migration knows former ones.
    var names: Set<String>?
    /// The columns that say which rows are marked as deleted, by table in lower case.
    let marks: [String: String]
    /// What has the records of tables as parts, by these tables in lower case.
    let holders: [String: [PartHolder]]
}

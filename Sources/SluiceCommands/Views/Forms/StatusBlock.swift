/// What is known of the pipelines of one store.
struct StatusBlock {
    /// How the store is called, after "the".
    let name: String
    /// What tells programs where it is.
    let url: String
    let rows: [StatusRow]
}

/// One field of a record as a report shows it. Values are JSON text.
struct FieldRow {
    /// What happens to the field.
    enum Content {
        /// A new value takes the place of another.
        case changed(old: String, new: String)
        /// Some members of a set come, others go.
        case members(added: [String], removed: [String])
        /// The value that the table holds stays; what the source says is nil where it says nothing.
        case kept(local: String, remote: String?)
        /// Base, local and remote, where somebody must decide.
        case sides(FieldSides)
    }

    let name: String
    let content: Content
    /// Why, or which conflict it is; may be empty.
    var note = ""
}

/// What is said to programs in the place of words of the command line and of pipeline files, in sentences of the layers that
/// serve both.
enum ProgramWording {
    /// Words, and what programs have for them.
    private static let words = [
        ("`--take local`", "`.local`"), ("`--take remote`", "`.remote`"), ("`--take base`", "`.base`"),
        ("which takes `.local`, `remote` or `base`", "which takes `.local`, `.remote` or `.base`"),
        ("and take `local`", "and take `.local`"), ("with `--set`", "with `.set`"),
        ("`min_records: ", "`minimumRecords: "), (", or wait with `--wait 10m`", ""),
        // A model has no format.
        (" (`format` reads other spellings)", ""),
    ]

    /// A sentence in the words of programs.
    static func of(_ text: String) -> String {
        let said = words.reduce(text) { text, word in text.replacing(word.0, with: word.1) }
        return said.replacing(
            /allow it once with `(?:--full )?--allow-deletes \d+`/, with: "say so by the limits of `missing`")
    }
}

/// What is said to programs in the place of words of the command line and of pipeline files, in sentences of the layers that
/// serve both.
enum ProgramWording {
    /// Words, and what programs have for them.
    private static let words = [
        ("`--take local`", "`.local`"), ("`--take remote`", "`.remote`"), ("`--take base`", "`.base`"),
        ("which takes `.local`, `remote` or `base`", "which takes `.local`, `.remote` or `.base`"),
        ("and take `local`", "and take `.local`"), ("with `--set`", "with `.set`"),
        ("`min_records: ", "`minimumRecords: "), (", or wait with `--wait 10m`", ""),
        ("Its policy is `fail`, which ends the run", "Its policy is `.fail`, which ends the sync"),
        ("or choose another `on_conflict`", "or choose another `onConflict`"),
        ("`on_duplicate` is `fail`, which ends the run", "`onDuplicate` is `.fail`, which ends the sync"),
        (
            "or set `on_duplicate` to `last`, `first`, `newest` or `quarantine`",
            "or set `onDuplicate` to `.last`, `.first` or `.quarantine`"
        ),
        (": no run has written to it", ": nobody has written to it"),
        ("set `format: jsonl`", "set `format: .jsonLines`"),
        (" If such a record is expected, raise `max_record`.", ""),
        ("`keep_base: full` keeps it", "`keepBase: .full` keeps it"),
        (
            "give the entity `table:` with the name of now and `table_renamed_from:`, and run it first",
            "give the model `table:` with the name of now and `tableRenamedFrom:`, and open the store first"
        ),
        // A model has no format.
        (" (`format` reads other spellings)", ""),
        (" with `--store sqlite:FILE`", ""), (" with `--store`", ""),
        ("Run `sluice run` first, or name another file", "Open it for writing first, or name another file"),
        ("put `primary_key` and its types back", "put the identifier and its types back"),
        ("give the entity another name and another `table:`", "give the model another `entity:` and another `table:`"),
        (", and run once with `--allow-schema drop`", ""), (" and run once with `--allow-schema drop`", ""),
        ("leave such records out with `filter`", "leave such records out before they are merged"),
        (
            "leave such elements out of their list with `records: {jq: …}`: `filter` leaves out all of the record around them",
            "leave such elements out of their list before they are merged"
        ),
    ]

    /// A sentence in the words of programs.
    static func of(_ text: String) -> String {
        let said = words.reduce(text) { text, word in text.replacing(word.0, with: word.1) }
        return said.replacing(
            /allow it once with `(?:--full )?--allow-deletes \d+`/, with: "say so by the limits of `missing`"
        ).replacing(
            /Put `type` of (`[^`]+`) back, and add a field of the new type beside it, such as `[^`]*`.*: the next run fills it, and/
        ) {
            "Put the type of \($0.1) back and add a property of the new type beside it, or change the table in a migration;"
        }
        .replacing(/Run once with `--allow-schema quarantine`, which .*, or correct (it|them)/) { "Correct \($0.1)" }
        .replacing(/The object for (`[^`]+`) has no `_key`, the key of its record\./) {
            "The object for \($0.1) is a record that all its values together identify, which a sync does not take from within another one. Let a property that stands in its JSON identify it, or save the value."
        }
        .replacing(/, or run once with `--allow-schema quarantine`, which [^,]*/, with: "")
    }
}

internal import SluiceDiagnostics
internal import SluiceYAML

/// A place in one of the files that a pipeline is made of, and how what stands there came to where it is used.
struct SourcePlace {
    /// What brought a value away from where it is written.
    struct Step {
        enum Kind {
            case alias
            case merge
        }

        var kind: Kind
        var mark: Mark
    }

    let file: SourceFile
    var mark: Mark
    /// The aliases and merge keys that lead here, the nearest first.
    var steps: [Step] = []

    var line: Int { mark.line }
    var column: Int { mark.column }

    var location: SourceLocation { SourceLocation(file: file.name, line: mark.line, column: mark.column) }

    /// Another place of the same value.
    func moved(to mark: Mark) -> SourcePlace { SourcePlace(file: file, mark: mark, steps: steps) }

    /// How it came to be part of the pipeline: through aliases, merge keys and included files.
    var notes: [Diagnostic.Note] {
        var notes = steps.map { step in
            let text = step.kind == .alias ? "it is used at" : "it is merged in at"
            return Diagnostic.Note(text: text, location: moved(to: step.mark).location)
        }
        var includer = file.includedAt
        while let place = includer {
            notes.append(Diagnostic.Note(text: "its file is included at", location: place.location))
            includer = place.file.includedAt
        }
        return notes
    }

    /// The place as part of a sentence that is about another place: "line 3, column 5", with the file if it differs.
    func words(seenFrom other: SourcePlace) -> String {
        let words = "line \(line), column \(column)"
        return file === other.file ? words : "\(words) of `\(file.name)`"
    }
}

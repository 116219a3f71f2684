internal import SluicePipeline

/// The words of a name, in lower case: `next`, `page` and `token` of `nextPageToken`.
enum NameWords {
    static func of(_ name: String) -> [String] {
        SnakeCase.convert(name).split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
    }
}

internal import SluicePipeline

/// A paginator that a first page gives a reason to suspect.
struct PaginatorCandidate {
    var paginator: StreamDefinition.Paginator
    /// What speaks for it, as the end of a sentence.
    var reason: String
    /// Whether the source names the next page itself, so that no name had to be guessed.
    var isStated = false
    /// Whether the first page says that there is another one; else it can only be noted.
    var hasNext = true
    /// Whether the first page's number was guessed.
    var guessesStart = false

    /// The paginator in a few words.
    var text: String { paginator.rule.summary }
}

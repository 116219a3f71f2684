internal import SluicePipeline

/// A sign that there are further pages.
struct PageSign: Equatable {
    /// What the page says, as the rest of a sentence that begins with it.
    let words: String
    /// The paginator that follows it; nil where none does.
    var paginator: StreamDefinition.Paginator?
}

package import SluicePipeline

/// A sign that there are further pages.
package struct PageSign: Equatable {
    /// What the page says, as the rest of a sentence that begins with it.
    package let words: String
    /// The paginator that follows it; nil where none does.
    package var paginator: StreamDefinition.Paginator?

    /// Makes a value of its parts.
    package init(words: String, paginator: StreamDefinition.Paginator? = nil) {
        self.words = words
        self.paginator = paginator
    }
}

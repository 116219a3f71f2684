/// A text with `{{ … }}` that is filled in at run time.
package struct TextTemplate: Sendable, Hashable {
    /// A run of literal text or one variable.
    package enum Part: Sendable, Hashable {
        /// Literal text.
        case text(String)
        /// The name of the page's file without folder and extension: `{{ file.stem }}`.
        case fileStem
        /// A field of the parent's record: `{{ parent.id }}`.
        case parent(String)
        /// The text that the stream asks for, of the list of this name where lists have names: `{{ item }}`.
        case item(String?)
    }

    /// The parts in order.
    package var parts: [Part]

    /// Makes a template of parts.
    package init(parts: [Part]) { self.parts = parts }
}

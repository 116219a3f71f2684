extension RecordDecoder {
    /// What is the same for all records of a page.
    package struct Page {
        package var number = 0
        /// A path or URL without secrets; nil where it has none.
        package var name: String?
        /// The position within the stream of the page's first record.
        package var firstOrdinal = 0
        package var fileStem = ""
        package var partition: Partition?
        /// What becomes of its records by their cursor; nil for what the plan says.
        package var cursor: CursorFilter?
        /// What the hashes of its records' texts begin with; nil where nobody keeps them.
        package var textSeed: UInt64?
        /// How far lists within its records were read; nil where all that there is stands in them.
        package var lists: ListReadings?

        /// Makes a value of its parts.
        package init(
            number: Int = 0, name: String? = nil, firstOrdinal: Int = 0, fileStem: String = "",
            partition: Partition? = nil,
            cursor: CursorFilter? = nil, textSeed: UInt64? = nil, lists: ListReadings? = nil
        ) {
            self.number = number
            self.name = name
            self.firstOrdinal = firstOrdinal
            self.fileStem = fileStem
            self.partition = partition
            self.cursor = cursor
            self.textSeed = textSeed
            self.lists = lists
        }
    }
}

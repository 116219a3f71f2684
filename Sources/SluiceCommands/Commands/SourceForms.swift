internal import SluiceDiscovery
internal import SluicePipeline

/// What `--input-format` and `--delimiter` say of the form of a source.
enum SourceForms {
    /// - Throws: ``Failure`` where the two do not go together.
    static func of(_ arguments: ParsedArguments) throws -> ImportSource.Form {
        let format = arguments.text(.inputFormat).flatMap(StreamDefinition.Format.init)
        let delimiter = arguments.text(.delimiter).flatMap(StreamDefinition.Delimiter.init)
        if delimiter != nil, let format, format != .csv {
            throw Failure(
                .usage,
                "`--delimiter` belongs to CSV, and `--input-format` says `\(format.rawValue)`. Leave one of them out.")
        }
        return ImportSource.Form(format: format, delimiter: delimiter)
    }
}

/// What commands do with the files and folders that options name.
extension OptionSpec {
    /// Options whose file the command writes.
    package static let filesWritten: [ID] = [.output, .page, .save, .writePipeline]
    /// Options in whose folder the command writes.
    package static let foldersWritten: [ID] = [.recordTo]
    /// Options whose file the command reads.
    package static let filesRead: [ID] = [.environmentFile, .config, .headerTemplate, .tokenFile]
    /// Options whose folder the command reads, with all that is in it.
    package static let foldersRead: [ID] = [.replay, .against, .swift]
    /// Options whose file or folder is for others: a program that units start, and where a service keeps its own.
    package static let filesNamed: [ID] = [.program, .state]
}

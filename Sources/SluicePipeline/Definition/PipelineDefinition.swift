package import SluiceModel

/// One pipeline file, read and checked: where the JSON lives, what its keys mean, and how it is merged.
package struct PipelineDefinition: Sendable {
    /// The key under which base, runs and state are kept.
    package var name: String
    /// What the pipeline is for, in the author's words.
    package var description: String?
    /// The file that it was read from, as given.
    package var file: String
    /// The store's URL from the file, such as `sqlite:/data/shop.db`; a relative path is already resolved against the
    /// file's folder.
    package var store: String?
    /// Whether part of ``store`` came from `${env:}` or `${file:}`, so that it must not be printed.
    package var storeIsSecret: Bool
    /// The place of the JSON, and how to request it.
    package var source: SourceDefinition
    /// The kinds of record, in the order of the file.
    package var entities: [EntityDefinition]
    /// The remote collections, in the order of the file.
    package var streams: [StreamDefinition]

    /// What decides conflicts where neither field nor entity says so.
    package var conflictPolicy = ConflictPolicy.manual
    /// How much of the last sync's values is kept where neither field nor entity says so.
    package var keepsBase = BaseKeeping.short
    /// How long the store keeps what runs changed.
    package var historyKept = Self.usualHistory
    /// How long the history is kept where nothing else is said.
    package static let usualHistory = Duration.seconds(90 * 86_400)
    /// The sources of shared tables as `pipeline/stream`, the first of which goes before all others.
    package var precedence: [String] = []

    /// What is kept of a run that does not come to its end.
    package var commit = CommitMode.run

    /// When it is due, nil where the file says nothing of it.
    package var schedule: ScheduleDefinition?

    /// Who is told how its runs ended, in the order of the file.
    package var notifications: [NotificationDefinition] = []

    /// The name that it had before, nil where it had none.
    package var renamedFrom: String?

    /// A hash of what the file says but for `schedule` and `notify`, by which another definition is told; empty where there is no file.
    package var fingerprint = ""

    /// Makes a definition.
    package init(
        name: String, description: String? = nil, file: String, store: String? = nil, storeIsSecret: Bool = false,
        source: SourceDefinition, entities: [EntityDefinition], streams: [StreamDefinition]
    ) {
        self.name = name
        self.description = description
        self.file = file
        self.store = store
        self.storeIsSecret = storeIsSecret
        self.source = source
        self.entities = entities
        self.streams = streams
    }

    /// Whether values of some fields must not appear in clear.
    package var hasRedactions: Bool { entities.contains(where: \.hasRedactions) }

    /// The entity of a name.
    package func entity(named name: String) -> EntityDefinition? { entities.first { $0.name == name } }
}

import FoundationEssentials
import SluiceDiscovery
import SluiceJSON
import SluicePipeline
import SluiceReport
import SluiceStores
import SluiceSync
import SluiceSystem
import TestSupport

/// What an import finds in a text.
func inspect(
    _ text: String, name: String = "things.json", records: String? = nil, sample: Int? = 1000, table: String? = nil
) throws -> ImportInspection {
    try withTemporaryDirectory { folder in
        let path = folder.file(name)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return try ImportInspection(
            try source(path), path: records.map { try JSONPath(parsing: $0) }, limit: sample, table: table,
            cancellation: Cancellation())
    }
}

/// The source of a file.
func source(_ path: String) throws -> ImportSource {
    let options = SyncOptions(store: .standard, command: .plan, version: "test", cancellation: Cancellation())
    return try ImportSource(.file(path), options: options) { _ in }
}

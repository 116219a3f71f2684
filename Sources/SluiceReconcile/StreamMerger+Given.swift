internal import SluiceModel
internal import SluiceReport

/// Which fields the records of a first reading say anything of.
extension StreamMerger {
    /// Records the fields that records of a batch give.
    mutating func recordGiven(_ batch: borrowing RecordBatch) {
        var rest: [Int] = []
        for field in fieldsNotGiven where !isGiven(field, by: batch) { rest.append(field) }
        fieldsNotGiven = rest
    }

    /// Records where values stand that could not be taken: their fields are given. Of records with ever other places some do.
    mutating func recordGiven(_ failures: [DecodeFailure]) {
        for failure in failures where failure.value != nil && refusedPlaces.count < Self.placesKept {
            refusedPlaces.insert(failure.pointer)
        }
    }

    private static let placesKept = 1_000

    private func isGiven(_ field: Int, by batch: borrowing RecordBatch) -> Bool {
        for record in 0..<batch.count where batch.cells[record * batch.fieldCount + field].kind != .absent {
            return true
        }
        return false
    }
}

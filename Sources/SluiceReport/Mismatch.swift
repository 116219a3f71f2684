/// Why a value could not be taken.
package struct Mismatch: Error {
    /// The reasons that the report names.
    package enum Reason: String, Sendable, CaseIterable {
        case typeMismatch = "type_mismatch"
        case missingKey = "missing_key"
        case missingValue = "missing_value"
        case notAllowed = "not_allowed"
        case notAnObject = "not_an_object"
        case invalidJSON = "invalid_json"
        /// A row of cells does not fit its header, or is no text.
        case invalidRow = "invalid_row"
        /// A jq program failed on the record.
        case programFailed = "jq_failed"
        /// A jq program would have rounded a number.
        case lossyNumber = "lossy_number"
        case uniqueCollision = "unique_collision"
        /// The record that a reference leads to is not there, and the reference must not be empty.
        case unmetReference = "unmet_reference"
        /// A constraint or trigger of the table refuses the record.
        case constraint
        /// A stream that only adds rows did not write the one that has the key.
        case keyTaken = "key_taken"
        /// Several records of one run have one key and differ.
        case duplicate
        /// No field takes a key, and that ends the run; no record is kept for it.
        case unmappedKey = "unmapped_key"
    }

    /// The reason.
    package let reason: Reason
    /// Whether there is a value and it does not fit, rather than none.
    package var isOfValue: Bool { reason == .typeMismatch || reason == .notAllowed }
    /// What is wrong with the value and what would be right, as a sentence.
    package let message: String
    /// The same without values of the record; nil where the message has none.
    package let plain: String?
    /// Where the value stands, where it is one of several that a field is made of.
    package var place: Place?

    /// A value within the record that a field belongs to.
    package struct Place: Sendable {
        /// Its JSON pointer.
        package let pointer: String
        /// It as JSON text.
        package let value: [UInt8]

        /// Makes a place of its parts.
        package init(pointer: String, value: [UInt8]) { (self.pointer, self.value) = (pointer, value) }
    }

    /// That such a value does not fit.
    package func at(_ pointer: String, _ value: [UInt8]) -> Mismatch {
        var found = self
        found.place = Place(pointer: pointer, value: value)
        return found
    }

    /// Makes a value of its parts.
    package init(reason: Reason, message: String, plain: String? = nil) {
        self.reason = reason
        self.message = message
        self.plain = plain
    }
}

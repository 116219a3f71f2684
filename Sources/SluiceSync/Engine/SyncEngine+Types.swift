internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
package import SluiceStore

/// What was stored before a field had another type.
extension SyncEngine {
    /// Has what is stored follow the pipeline: identifiers, names, what is redacted, and types.
    ///
    /// - Returns: What was done.
    /// - Throws: `StoreError` where something would be lost, with all that stands against it and can be known at once.
    func changeSchema(in store: any RecordStore) throws -> [(stream: String?, changes: [SchemaChange])] {
        var refusals: [StoreError] = []
        let keys = try refusals.gather { try changeKeys(in: store) } ?? []
        let names = try refusals.gather { try settleNames(in: store) } ?? []
        if !refusals.isEmpty {
            // What is done to types all the same is taken back with the rest.
            _ = try refusals.gather { try convertStored(in: store) }
            if let refusal = StoreError.together(refusals) { throw refusal }
        }
        let followed = try followNames(in: store)
        // Identifiers whose names have changed get their types now.
        let named = try changeKeys(in: store)
        return try [(nil, keys + names)] + followed
            + [(nil, named + redactStored(in: store) + convertStored(in: store))]
    }

    /// Gives tables the identifiers that entities have now, as far as no name has to change first.
    ///
    /// - Returns: What was done.
    /// - Throws: `StoreError` where records would be told apart no more.
    func changeKeys(in store: any RecordStore) throws -> [SchemaChange] {
        fetched == nil ? try store.changeKeys(schemas, by: .lossless()) : []
    }

    /// Gives columns the types that their fields have now, with all that the store keeps of them. What an import takes for
    /// a type is no wish of anybody.
    ///
    /// - Returns: What was done.
    /// - Throws: `StoreError`, also where a value would be lost.
    package func convertStored(in store: any RecordStore) throws -> [SchemaChange] {
        var conversion = FieldConversion.lossless(pipeline.entities.flatMap(\.fields))
        if options.quarantinesMisfits { conversion.misfits = .quarantine }
        return fetched == nil ? try store.convertStored(schemas, by: conversion) : []
    }
}

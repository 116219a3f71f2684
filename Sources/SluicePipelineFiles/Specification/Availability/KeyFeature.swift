/// A part of the pipeline file that is specified, checked and built before the rest of Sluice can act on it.
///
/// Keys, choices and variants name the feature that they need; ``AvailableKeys`` says which features are there.
package enum KeyFeature: String, Sendable, CaseIterable {
    /// `owner` of a field.
    case fieldOwner
    /// `on_conflict` of a field.
    case fieldPolicy
    /// `on_type_mismatch` of a field.
    case typeMismatch
    /// `compare` of a field.
    case compare
    /// Several `format`s of a field.
    case formatList
    /// `keep_base` of a field.
    case keepBase
    /// `redact` of a field.
    case redact
    /// `expr` of a field.
    case fieldProgram
    /// `owner` of an entity.
    case entityOwner
    /// `on_conflict` of an entity.
    case entityPolicy
    /// `primary_key: content`.
    case contentKey
    /// `newest` of an entity, and the policy `newest_wins`.
    case newest
    /// `merge` of the file.
    case mergePolicy
    /// `write_mode` of a stream.
    case writeMode
    /// `on_duplicate` of a stream.
    case duplicates
    /// `schema_contract` of a stream.
    case schemaContract
    /// `delete_missing` of mode `soft`.
    case softDelete
    /// `deleted_when` of a stream.
    case deletedWhen
    /// `incremental` of a stream.
    case incremental
    /// `filter` of a stream.
    case filter
    /// `records: {jq: …}` of a stream.
    case recordsProgram
    /// `method` and `body` of a stream.
    case requestBody
    /// The paginator `cursor`.
    case cursor
    /// `stop_when` of a paginator.
    case stopWhen
    /// The paginator `json_link`.
    case jsonLink
    /// The paginator `page_number`.
    case pageNumber
    /// The paginator `offset`.
    case offset
    /// `page_size`, `page_size_param` and `max_pages` of the paginator `header_link`.
    case headerLinkLimits
    /// `commit` of the file.
    case commit
    /// `tls` of the source.
    case tls
    /// `history` of the file and of an entity.
    case history
    /// `conditional` of the source.
    case conditional
    /// `proxy` of the source.
    case proxy
    /// The authentication `oauth2`.
    case oauth2
    /// The authentication `session`.
    case session
    /// `rate_limit` of the source.
    case rateLimit
    /// `on_response` of the source.
    case responseRules
    /// `ref` of a field, and what goes with it.
    case reference
    /// `refs` of a field, and what goes with it.
    case references
    /// `children` of an entity.
    case children
    /// `parent` of a stream.
    case parentStream
    /// `for_each` of a stream.
    case forEach
    /// `nested` of a stream.
    case nested
}

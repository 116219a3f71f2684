internal import CSluiceSQLite

/// What an aggregate function has taken so far.
package protocol SQLiteAggregate: AnyObject {
    /// Takes the value of one more row.
    func accept(_ value: SQLiteValue)
    /// What it comes to.
    var result: SQLiteValue { get }
}

/// Functions over the rows of a group.
extension Connection {
    /// Makes an aggregate function of one value known by a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - make: Makes what takes the values of a group.
    /// - Throws: ``SQLiteError``.
    package func define(
        aggregate name: String, _ make: @escaping @Sendable () -> any SQLiteAggregate
    ) throws(SQLiteError) {
        let context = unsafe Unmanaged.passRetained(AggregateFunction(make)).toOpaque()
        // What fails gives the context back by itself. See: sqlite.org/c3ref/create_function.html
        let code = unsafe sqlite3_create_function_v2(
            handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, context, nil,
            { call, count, arguments in
                guard count == 1, let context = unsafe sqlite3_user_data(call),
                    let place = unsafe sqlite3_aggregate_context(
                        call, Int32(MemoryLayout<UnsafeMutableRawPointer?>.size))
                else { return }
                let slot = unsafe place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
                let group: AggregateGroup
                if let known = unsafe slot.pointee {
                    group = unsafe Unmanaged<AggregateGroup>.fromOpaque(known).takeUnretainedValue()
                } else {
                    let function = unsafe Unmanaged<AggregateFunction>.fromOpaque(context).takeUnretainedValue()
                    group = AggregateGroup(function.make())
                    unsafe slot.pointee = Unmanaged.passRetained(group).toOpaque()
                }
                group.aggregate.accept(unsafe SQLiteValue(copying: arguments?[0]))
            },
            { call in
                // It is called for an empty group as well, and after an error, and lets go what the group held.
                guard let place = unsafe sqlite3_aggregate_context(call, 0),
                    let known = unsafe place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee
                else { return unsafe SQLiteValue.null.become(resultOf: call) }
                let group = unsafe Unmanaged<AggregateGroup>.fromOpaque(known).takeRetainedValue()
                unsafe group.aggregate.result.become(resultOf: call)
            },
            { context in
                if let context = unsafe context { unsafe Unmanaged<AggregateFunction>.fromOpaque(context).release() }
            })
        if code != SQLITE_OK { throw error(code: code, sql: nil) }
    }
}

private final class AggregateFunction: Sendable {
    let make: @Sendable () -> any SQLiteAggregate
    init(_ make: @escaping @Sendable () -> any SQLiteAggregate) { self.make = make }
}

private final class AggregateGroup {
    let aggregate: any SQLiteAggregate
    init(_ aggregate: any SQLiteAggregate) { self.aggregate = aggregate }
}

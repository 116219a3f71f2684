extension Row {
    /// The value of a path.
    public subscript<Value: StoredValue>(_ path: KeyPath<M.Paths, Path<M, Value>>) -> Value {
        get throws(UnboxError) { try unbox(Value.self, M.path[keyPath: path].index) }
    }
}

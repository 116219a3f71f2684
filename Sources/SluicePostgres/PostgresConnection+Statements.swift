internal import CSluicePostgres

extension PostgresConnection {
    /// Runs one statement in one round trip.
    ///
    /// - Returns: The rows of a query, none for other statements.
    /// - Throws: ``PostgresError`` with the text of the statement.
    @discardableResult
    package func run(_ statement: PostgresStatement) throws(PostgresError) -> PostgresResult {
        let results = try run(together: [statement])
        guard let result = results.first else { throw failure(sql: statement.sql) }
        return result
    }

    /// Runs statements one after the other in one round trip. Where no transaction is open they are one together: all are
    /// done, or none is. See: postgresql.org/docs/current/libpq-pipeline-mode.html
    ///
    /// - Parameter statements: The statements; none may be a `COPY`.
    /// - Returns: The result of each.
    /// - Throws: ``PostgresError`` of the first that failed, with its text and position; those behind it were not run.
    @discardableResult
    package func run(together statements: [PostgresStatement]) throws(PostgresError) -> [PostgresResult] {
        try settle()
        if statements.isEmpty { return [] }
        for (index, statement) in statements.enumerated() {
            try Self.check(statement.sql)
            if statement.parameters.count > Int(UInt16.max) {
                throw PostgresError(
                    code: .tooLarge, message: "a statement has more than \(UInt16.max) values", sql: statement.sql,
                    position: index)
            }
        }
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw failure(sql: statements.first?.sql) }
        defer { _ = unsafe PQexitPipelineMode(handle) }
        roundTrips += 1
        sentStatements += statements.count
        return try waits.during { () throws(PostgresError) -> [PostgresResult] in
            try answers(to: statements, send(statements))
        }
    }

    /// Forgets the statements that are prepared: after tables have changed, the plans of some may no longer fit.
    ///
    /// - Parameter statement: What is run besides, in the same round trip; nil for nothing.
    /// - Throws: ``PostgresError``.
    package func forgetStatements(alsoRunning statement: String? = nil) throws(PostgresError) {
        try execute([statement, "DEALLOCATE ALL"].compactMap(\.self).joined(separator: "; "))
        self.statements.removeAll()
    }

    /// The number of statements that are kept for the next time.
    package var keptCount: Int { statements.count }

    /// What was sent, and has an answer.
    private enum Step {
        case prepare(PreparedNames.Key, name: String, position: Int)
        case run(position: Int)
        case forget(name: String)
    }

    private func send(_ batch: [PostgresStatement]) throws(PostgresError) -> [Step] {
        var steps: [Step] = []
        // What an earlier statement of the same batch prepares.
        var prepared: [PreparedNames.Key: String] = [:]
        var isSent = true
        for (position, statement) in batch.enumerated() {
            let key = statement.key
            let name: String
            if let known = prepared[key] ?? statements.name(of: key) {
                name = known
            } else {
                name = statements.makeName()
                isSent = sendPrepare(name, statement)
                guard isSent else { break }
                prepared[key] = name
                steps.append(.prepare(key, name: name, position: position))
            }
            isSent = sendRun(name, statement.parameters)
            guard isSent else { break }
            steps.append(.run(position: position))
        }
        // In a transaction that failed, or fails with this batch, the server is told another time.
        if isSent && transactionState != .failed {
            for name in statements.stale {
                isSent =
                    unsafe PQsendQueryParams(
                        handle, "DEALLOCATE " + PostgresName.quoted(name), 0, nil, nil, nil, nil, 1) == 1
                guard isSent else { break }
                steps.append(.forget(name: name))
            }
        }
        let failed = isSent ? nil : failure(sql: batch.first?.sql)
        guard unsafe PQpipelineSync(handle) == 1 else { throw failed ?? failure(sql: batch.first?.sql) }
        if let failed {
            _ = try? answers(to: batch, steps)
            throw failed
        }
        return steps
    }

    private func sendPrepare(_ name: String, _ statement: PostgresStatement) -> Bool {
        let types = statement.parameters.types.map(\.rawValue)
        return unsafe PQsendPrepare(handle, name, statement.sql, Int32(types.count), types) == 1
    }

    private func sendRun(_ name: String, _ parameters: PostgresParameters) -> Bool {
        unsafe parameters.bytes.withUnsafeBytes { bytes in
            // An empty value must not look like null, also where there is no byte at all.
            let empty: StaticString = ""
            let values = unsafe parameters.places.map { place -> UnsafePointer<CChar>? in
                guard let place else { return nil }
                let start = unsafe bytes.baseAddress ?? UnsafeRawPointer(empty.utf8Start)
                return unsafe (start + place.lowerBound).assumingMemoryBound(to: CChar.self)
            }
            let lengths = parameters.places.map { Int32(truncatingIfNeeded: $0?.count ?? 0) }
            let formats = parameters.areBinary.map { $0 ? Int32(1) : 0 }
            return unsafe PQsendQueryPrepared(
                handle, name, Int32(parameters.count), values, lengths, formats, 1) == 1
        }
    }

    /// Reads the answers to what was sent, to the end, so that the connection is ready for more.
    private func answers(to batch: [PostgresStatement], _ steps: [Step]) throws(PostgresError) -> [PostgresResult] {
        var results: [PostgresResult] = []
        var problem: PostgresError?
        for step in steps {
            let (result, isBroken) = nextResult()
            switch step {
            case .prepare(let key, let name, let position):
                if result?.isSuccess == true {
                    statements.add(key, name: name)
                } else if problem == nil {
                    problem = self.problem(result, batch, position)
                }
            case .run(let position):
                if let result, result.isSuccess {
                    results.append(result)
                } else if problem == nil {
                    problem = self.problem(result, batch, position)
                }
            case .forget(let name):
                if result?.isSuccess == true { statements.remove(stale: name) }
            }
            if isBroken { throw problem ?? failure(sql: batch.first?.sql) }
        }
        if let failure = readMark(sql: batch.last?.sql), problem == nil { problem = failure }
        if let problem { throw problem }
        guard results.count == batch.count else { throw failure(sql: batch.first?.sql) }
        return results
    }

    /// Reads up to the mark behind the last answer. A transaction of the batch's own is committed there, which may fail.
    private func readMark(sql: String?) -> PostgresError? {
        var problem: PostgresError?
        // A null result stands behind each answer, and so also behind that failure.
        var nulls = 0
        while nulls < 2 {
            guard let next = unsafe PQgetResult(handle) else {
                nulls += 1
                continue
            }
            let result = unsafe PostgresResult(next)
            if result.status == PGRES_PIPELINE_SYNC { return problem }
            if problem == nil { problem = error(of: result, sql: sql) }
            if unsafe PQstatus(handle) != CONNECTION_OK { return problem }
        }
        return problem ?? failure(sql: sql)
    }

    private func problem(_ result: PostgresResult?, _ batch: [PostgresStatement], _ position: Int) -> PostgresError {
        let sql = batch[position].sql
        // The position of one statement alone says nothing.
        let shown = batch.count == 1 ? nil : position
        return result.map { error(of: $0, sql: sql, position: shown) } ?? failure(sql: sql, position: shown)
    }

    /// The next answer, and whether there will be no other because the connection is gone.
    private func nextResult() -> (PostgresResult?, isBroken: Bool) {
        var first: PostgresResult?
        while let next = unsafe PQgetResult(handle) {
            let result = unsafe PostgresResult(next)
            if first == nil { first = result }
            if unsafe PQstatus(handle) != CONNECTION_OK { break }
        }
        return unsafe (first, PQstatus(handle) != CONNECTION_OK)
    }
}

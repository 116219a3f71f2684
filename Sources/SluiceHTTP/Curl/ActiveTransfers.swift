internal import CSluiceCurl

/// The transfers under way, with the clocks that libcurl does not keep finely enough; lives on the transfer thread.
struct ActiveTransfers {
    private struct Entry {
        let handle: EasyHandle
        let transfer: Transfer
        /// When it began, moved on by the time that it was paused.
        var began: Duration
        var lastMoved: Duration
        var progress: Int64?
        var pausedSince: Duration?
    }

    private let multi: MultiHandle
    private var entries: [Entry] = []

    init(multi: MultiHandle) {
        self.multi = multi
    }

    /// Begins a transfer.
    mutating func start(_ transfer: Transfer, now: Duration) {
        guard let handle = EasyHandle(transfer) else {
            let text = "libcurl could not make a handle"
            return transfer.end(.failed(CurlFailure(code: CURLE_FAILED_INIT.rawValue, text: text, systemError: 0)))
        }
        do throws(EasyHandle.Refused) {
            try handle.configure(transfer.request.configuration)
        } catch {
            return transfer.end(.failed(handle.failure(error.code)))
        }
        guard multi.add(handle) else { return transfer.end(.failed(handle.failure(CURLE_FAILED_INIT))) }
        entries.append(Entry(handle: handle, transfer: transfer, began: now, lastMoved: now))
    }

    /// Lets a paused transfer go on; the time in which its consumer made it wait is not held against the server.
    mutating func resume(_ transfer: Transfer, now: Duration) {
        guard let index = entries.firstIndex(where: { $0.transfer === transfer }) else { return }
        if let since = entries[index].pausedSince {
            entries[index].began += now - since
            entries[index].pausedSince = nil
        }
        entries[index].lastMoved = now
        // This may call back with bytes that libcurl has kept.
        entries[index].handle.resume()
    }

    /// Drops a transfer that nobody waits for, and its connection with it.
    mutating func abandon(_ transfer: Transfer) {
        guard let index = entries.firstIndex(where: { $0.transfer === transfer }) else { return }
        remove(at: index)
    }

    /// Hands over what has ended by itself.
    mutating func collectEnded() {
        while let (pointer, code) = unsafe multi.nextEnded() {
            guard let index = entries.firstIndex(where: { unsafe $0.handle.pointer == pointer }) else { continue }
            let outcome = code == CURLE_OK ? .complete : TransferOutcome.failed(entries[index].handle.failure(code))
            // The connection is free for the next transfer before anybody hears that this one is over.
            let entry = remove(at: index)
            entry.transfer.end(outcome)
        }
    }

    /// Ends what took too long.
    ///
    /// - Returns: How long until the next one may have; nil where nothing is under way.
    mutating func expire(now: Duration) -> Duration? {
        var next: Duration?
        for index in entries.indices.reversed() {
            // The pause lasts until its end was heard of here, though the consumer may have taken the bytes already.
            if entries[index].pausedSince != nil || entries[index].transfer.isPaused {
                entries[index].pausedSince = entries[index].pausedSince ?? now
                continue
            }
            let progress = entries[index].handle.progress
            if progress == nil || progress != entries[index].progress {
                entries[index].progress = progress
                entries[index].lastMoved = now
            }
            let timeout = entries[index].transfer.request.configuration.timeout
            let total = entries[index].began + timeout.total - now
            let idle = entries[index].lastMoved + timeout.idle - now
            if total <= .zero || idle <= .zero {
                let entry = remove(at: index)
                entry.transfer.end(total <= .zero ? .tookTooLong : .idleTooLong)
            } else {
                next = min(next ?? total, min(total, idle))
            }
        }
        return next
    }

    /// Ends everything.
    mutating func endAll(_ outcome: TransferOutcome) {
        while !entries.isEmpty {
            remove(at: entries.count - 1).transfer.end(outcome)
        }
    }

    @discardableResult
    private mutating func remove(at index: Int) -> Entry {
        let entry = entries.remove(at: index)
        multi.remove(entry.handle)
        return entry
    }
}

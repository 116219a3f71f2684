import Synchronization

/// A response that libcurl receives.
struct CurlResponse: IncomingResponse {
    let transfer: Transfer
    let loop: TransferLoop
    /// What unpacks the body, where it was packed for the way.
    private let packed = Packed()

    /// Holds what unpacks the body, for the one thread that waits for it.
    private final class Packed: Sendable {
        let body = Mutex<PackedBody?>(nil)
    }

    init(transfer: Transfer, loop: TransferLoop) {
        self.transfer = transfer
        self.loop = loop
    }

    func next(spare: inout [UInt8]) -> TransferState.Delivery {
        let unpacked = packed.body.withLock { body in body?.next(spare: &spare) }
        if let unpacked { return unpacked }
        let delivery = transfer.next(spare: &spare)
        guard case .head(let head) = delivery, transfer.request.acceptsCompression, let packing = head.packing else {
            return delivery
        }
        guard ["gzip", "x-gzip"].contains(packing) else { return .ended(.packingUnknown(packing)) }
        let maximumBytes = head.isSuccess ? transfer.request.configuration.maximumResponseBytes : .max
        packed.body.withLock { [transfer, loop] in $0 = PackedBody(transfer, loop, maximumBytes: maximumBytes) }
        return delivery
    }

    func resume() { loop.resume(transfer) }
    func cancel() { transfer.cancel() }
    func abandon() { loop.abandon(transfer) }
}

extension TransferLoop: Transport {
    func begin(_ request: TransferRequest) -> any IncomingResponse {
        let transfer = Transfer(
            request, capacity: configuration.bufferBytes, maximumBytes: request.configuration.maximumResponseBytes)
        start(transfer)
        return CurlResponse(transfer: transfer, loop: self)
    }
}

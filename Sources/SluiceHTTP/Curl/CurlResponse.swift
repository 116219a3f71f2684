/// A response that libcurl receives.
struct CurlResponse: IncomingResponse {
    let transfer: Transfer
    let loop: TransferLoop

    func next(spare: inout [UInt8]) -> TransferState.Delivery { transfer.next(spare: &spare) }
    func resume() { loop.resume(transfer) }
    func cancel() { transfer.cancel() }
    func abandon() { loop.abandon(transfer) }
}

extension TransferLoop: Transport {
    func begin(_ request: TransferRequest) -> any IncomingResponse {
        let transfer = Transfer(
            request, capacity: configuration.bufferBytes, maximumBytes: configuration.maximumResponseBytes)
        start(transfer)
        return CurlResponse(transfer: transfer, loop: self)
    }
}

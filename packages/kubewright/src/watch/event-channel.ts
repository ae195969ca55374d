// A queue of events between one writer and one reader, like a channel of Go.

interface Sender<E> {
  readonly event: E
  readonly taken: (taken: boolean) => void
}

interface Receiver<E> {
  readonly resolve: (result: IteratorResult<E, undefined>) => void
  readonly reject: (reason: unknown) => void
}

/** How many places at the start of the buffer may be empty before it is moved together. */
const slack = 1024

export class EventChannel<E> {
  readonly #capacity: number
  #buffer: (E | undefined)[] = []
  /** Index of the first event in the buffer. */
  #head = 0
  /** Wait for room: only while the buffer is full. */
  #senders: Sender<E>[] = []
  /** Wait for an event: only while there is none. */
  #receivers: Receiver<E>[] = []
  #closed = false
  #failure: { reason: unknown } | undefined

  /** @param capacity how many events wait for the reader; 0: each is handed over. */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** Sends if that is possible at once. @returns whether it was. */
  trySend(event: E): boolean {
    if (this.#closed) return false
    const receiver = this.#receivers.shift()
    if (receiver) {
      receiver.resolve({ done: false, value: event })
      return true
    }
    if (this.#buffer.length - this.#head >= this.#capacity) return false
    this.#buffer.push(event)
    return true
  }

  /** Sends once there is room. @returns false when the channel is, or becomes, closed before. */
  async send(event: E): Promise<boolean> {
    if (this.trySend(event)) return true
    if (this.#closed) return false
    return new Promise((taken) => this.#senders.push({ event, taken }))
  }

  /** The next event; rejects with what the channel failed with. */
  async receive(): Promise<IteratorResult<E, undefined>> {
    if (this.#failure) throw this.#failure.reason
    if (this.#head < this.#buffer.length) {
      const value = this.#take()
      const sender = this.#senders.shift()
      if (sender) {
        this.#buffer.push(sender.event)
        sender.taken(true)
      }
      return { done: false, value }
    }
    const sender = this.#senders.shift()
    if (sender) {
      sender.taken(true)
      return { done: false, value: sender.event }
    }
    if (this.#closed) return { done: true, value: undefined }
    return new Promise((resolve, reject) => this.#receivers.push({ resolve, reject }))
  }

  /** Nothing more is sent; what is in the buffer can still be read. Idempotent. */
  close(): void {
    this.#closed = true
    for (const { taken } of this.#senders.splice(0)) taken(false)
    for (const { resolve } of this.#receivers.splice(0)) resolve({ done: true, value: undefined })
  }

  /** Closes, and drops what is in the buffer. Idempotent. */
  discard(): void {
    this.#buffer = []
    this.#head = 0
    this.close()
  }

  /** Drops what is in the buffer; the reader gets the reason. Not after a close. */
  fail(reason: unknown): void {
    if (this.#closed) return
    this.#failure = { reason }
    const receivers = this.#receivers.splice(0)
    this.discard()
    for (const { reject } of receivers) reject(reason)
  }

  #take(): E {
    const event = this.#buffer[this.#head] as E
    this.#buffer[this.#head++] = undefined
    if (this.#head === this.#buffer.length) {
      this.#buffer = []
      this.#head = 0
    } else if (this.#head > slack && this.#head * 2 > this.#buffer.length) {
      this.#buffer = this.#buffer.slice(this.#head)
      this.#head = 0
    }
    return event
  }
}

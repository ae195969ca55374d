// A queue of events between one writer and one reader, like a channel of Go.

import { FifoQueue } from '../workqueue/index.js'

interface Sender<E> {
  readonly event: E
  readonly taken: (taken: boolean) => void
}

interface Receiver<E> {
  readonly resolve: (result: IteratorResult<E, undefined>) => void
  readonly reject: (reason: unknown) => void
}

export class EventChannel<E> {
  readonly #capacity: number
  #buffer = new FifoQueue<E>()
  /** Wait for room: only while the buffer is full. */
  readonly #senders = new FifoQueue<Sender<E>>()
  /** Wait for an event: only while there is none. */
  readonly #receivers = new FifoQueue<Receiver<E>>()
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
    if (this.#receivers.length > 0) {
      this.#receivers.pop().resolve({ done: false, value: event })
      return true
    }
    if (this.#buffer.length >= this.#capacity) return false
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
    if (this.#buffer.length > 0) {
      const value = this.#buffer.pop()
      if (this.#senders.length > 0) this.#buffer.push(this.#takeFromSender())
      return { done: false, value }
    }
    if (this.#senders.length > 0) return { done: false, value: this.#takeFromSender() }
    if (this.#closed) return { done: true, value: undefined }
    return new Promise((resolve, reject) => this.#receivers.push({ resolve, reject }))
  }

  /** Nothing more is sent; what is in the buffer can still be read. Idempotent. */
  close(): void {
    this.#closed = true
    while (this.#senders.length > 0) this.#senders.pop().taken(false)
    while (this.#receivers.length > 0) this.#receivers.pop().resolve({ done: true, value: undefined })
  }

  /** Closes, and drops what is in the buffer. Idempotent. */
  discard(): void {
    this.#buffer = new FifoQueue()
    this.close()
  }

  /** Drops what is in the buffer; the reader gets the reason. Not after a close. */
  fail(reason: unknown): void {
    if (this.#closed) return
    this.#failure = { reason }
    while (this.#receivers.length > 0) this.#receivers.pop().reject(reason)
    this.discard()
  }

  #takeFromSender(): E {
    const { event, taken } = this.#senders.pop()
    taken(true)
    return event
  }
}

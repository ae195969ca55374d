// Turns the operating system's signals into an AbortSignal.

/** Options of {@link setupSignalHandler}. */
export interface SignalHandlerOptions {
  /** Names of the signals to handle. @defaultValue SIGINT and SIGTERM */
  signals?: readonly string[] | undefined
  /** Called at the second signal, with its name. @defaultValue ends the process with code 1 */
  onSecond?: ((name: string) => void) | undefined
}

/** Why a process is to end: it was sent a signal. The reason of the AbortSignal of {@link setupSignalHandler}. */
export class SignalReceived extends Error {
  override readonly name: string = 'SignalReceived'
  /** Which signal: `SIGTERM`, say. */
  readonly signal: string

  constructor(signal: string) {
    super(`received ${signal}`)
    this.signal = signal
  }
}

/** Signals belong to the process, so this does too. */
let installed = false

/**
 * An AbortSignal that aborts when the process is sent SIGINT or SIGTERM, with a {@link SignalReceived} as its reason.
 * The second signal ends the process with code 1.
 *
 * **Guarantees**
 * - Does not keep the process alive.
 *
 * @throws Error when called a second time.
 */
export function setupSignalHandler({
  signals = ['SIGINT', 'SIGTERM'],
  onSecond = () => process.exit(1),
}: SignalHandlerOptions = {}): AbortSignal {
  if (installed) throw new Error('cannot set up the signal handler twice: pass on the AbortSignal of the first call')
  installed = true
  const controller = new AbortController()
  const handle = (name: string): void => {
    if (controller.signal.aborted) onSecond(name)
    else controller.abort(new SignalReceived(name))
  }
  for (const name of signals) process.on(name, () => handle(name))
  return controller.signal
}

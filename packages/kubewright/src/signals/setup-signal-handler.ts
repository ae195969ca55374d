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
 * - A program that lets the reason go uncaught, itself or as the cause of another error, ends without printing it, and
 *   with the exit code of one that the signal has ended: 130 for SIGINT, 143 for SIGTERM. So a short program passes the
 *   AbortSignal on and needs no `catch`. Other errors, and programs with a handler of `uncaughtException`, are left alone.
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
    else {
      process.on('uncaughtExceptionMonitor', endQuietly)
      controller.abort(new SignalReceived(name))
    }
  }
  for (const name of signals) process.on(name, () => handle(name))
  return controller.signal
}

/** Numbers of signals; a process that one has ended has the exit code 128 and it. */
const numbers: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGTERM: 15 }

/** The process ends either way: this is told before the error is printed, and of errors that nobody handles. */
function endQuietly(err: unknown): void {
  const reason = signalIn(err)
  if (reason && process.listenerCount('uncaughtException') === 0) process.exit(128 + (numbers[reason.signal] ?? 0))
}

function signalIn(err: unknown): SignalReceived | undefined {
  const seen = new Set<unknown>()
  for (let e = err; e instanceof Error && !seen.has(e); e = e.cause) {
    if (e instanceof SignalReceived) return e
    seen.add(e)
  }
  return undefined
}

// What a user is told who does not have the plugin; not with each of a thousand failures.

import type { Clock } from '../../../clock/index.js'

/** How often the help is given in each {@link intervalMs}. */
const perInterval = 10
const intervalMs = 3_600_000
const documentation =
  'https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins'

/** The help on installing one plugin. */
export class InstallHint {
  readonly #hint: string | undefined
  readonly #clock: Clock
  #since = Number.NEGATIVE_INFINITY
  #given = 0

  constructor(hint: string | undefined, clock: Clock) {
    this.#hint = hint
    this.#clock = clock
  }

  /** Text to put behind a message; empty when it has been given often enough lately. */
  next(): string {
    const now = this.#clock.monotonic()
    if (now - this.#since >= intervalMs) {
      this.#since = now
      this.#given = 0
    }
    if (this.#given >= perInterval) return ''
    this.#given++
    const help = `\n\nThe user's credentials come from a plugin that is not installed. About such plugins:\n  ${documentation}`
    return this.#hint ? `${help}\n\n${this.#hint}` : help
  }
}

// Writes ConfigMaps of one namespace at random, by a client of its own.

import type { Clientset } from 'kubewright'
import { isAlreadyExists, isConflict, isNotFound } from 'kubewright/meta'
import type { Random } from './random.js'

export interface ChurnOptions {
  clientset: Clientset
  namespace: string
  random: Random
  /** How many names there are. */
  names: number
}

export class Churn {
  readonly #options: ChurnOptions
  /** Writes that succeeded. */
  writes = 0

  constructor(options: ChurnOptions) {
    this.#options = options
  }

  /** One write. @throws what the client throws, but for what two writers do to each other */
  async write(): Promise<void> {
    const { clientset, namespace, random, names } = this.#options
    const configMaps = clientset.coreV1().configMaps(namespace)
    const name = `o${random.int(1, names)}`
    const data = { value: random.pick(['red', 'blue', 'Grün 😀']), big: 'ü'.repeat(random.int(0, 2000)) }
    const labels = { watched: random.pick(['yes', 'no']) }
    const remove = random.percent(15)
    try {
      if (remove) await configMaps.delete(name)
      else await configMaps.update({ metadata: { name, labels }, data })
      this.writes++
    } catch (err) {
      if (isConflict(err)) return
      if (!isNotFound(err)) throw err
      if (!remove) await this.#create({ metadata: { name, labels }, data })
    }
  }

  async #create(configMap: { metadata: { name: string; labels: object }; data: object }): Promise<void> {
    const { clientset, namespace } = this.#options
    try {
      await clientset
        .coreV1()
        .configMaps(namespace)
        .create(configMap as never)
      this.writes++
    } catch (err) {
      if (!isAlreadyExists(err)) throw err
    }
  }
}

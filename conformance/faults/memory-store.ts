// What a server keeps: objects, their versions, and a history that can be compacted, or undone by a restore.

/** A ConfigMap, as far as this store knows it. */
export interface StoredObject {
  metadata: {
    name: string
    namespace: string
    uid: string
    resourceVersion: string
    labels: Record<string, string>
  }
  data: Record<string, string>
}

/** What a write says of an object. */
export interface Content {
  labels: Record<string, string>
  data: Record<string, string>
}

/** One write; `before` is absent for a creation, `after` for a deletion, which has a version of its own all the same. */
export interface Change {
  readonly version: number
  readonly key: string
  readonly before: StoredObject | undefined
  readonly after: StoredObject | undefined
}

export class MemoryStore {
  readonly objects = new Map<string, StoredObject>()
  /** Told of each change. */
  onChange: (change: Change) => void = () => {}
  version = 100
  /** How often it was set back. */
  restores = 0
  #changes: Change[] = []
  /** The oldest version whose successors are known. */
  #oldest = 100
  /** No version is used for two things, not even after a restore. */
  #newestEver = 100
  /** The versions that the last restore undid: those after the one, up to the other. */
  #undone = { after: 0, upTo: 0 }
  #uids = 0

  write(key: string, content: Content): void {
    const [namespace = '', name = ''] = key.split('/')
    const before = this.objects.get(key)
    const resourceVersion = String(this.#newVersion())
    const uid = before?.metadata.uid ?? `uid-${++this.#uids}`
    const { labels, data } = structuredClone(content)
    this.#change(key, { metadata: { name, namespace, uid, resourceVersion, labels }, data })
  }

  delete(key: string): void {
    this.#newVersion()
    this.#change(key, undefined)
  }

  /** Something else was written. */
  touch(): void {
    this.#newVersion()
  }

  /** Versions of a history that a restore undid are unknown, as those are that were compacted. */
  canWatchFrom(version: number): boolean {
    const { after, upTo } = this.#undone
    return version >= this.#oldest && version <= this.version && !(version > after && version <= upTo)
  }

  changesSince(version: number): Change[] {
    return this.#changes.filter((change) => change.version > version)
  }

  /** The versions whose content is known still, in order. */
  get knownVersions(): number[] {
    return [this.#oldest, ...this.#changes.map(({ version }) => version), this.version]
  }

  /** The content as it was. */
  at(version: number): Map<string, StoredObject> {
    const objects = new Map(this.objects)
    for (const { key, before } of this.changesSince(version).reverse()) {
      if (before) objects.set(key, before)
      else objects.delete(key)
    }
    return objects
  }

  /** Forgets all history. */
  compact(): void {
    this.#changes = []
    this.#oldest = this.version
  }

  /**
   * Goes back to the content of an older version. What was before it is compacted, and what came after it never was.
   *
   * @param bump the next version is above all that ever were, as `etcdutl snapshot restore --bump-revision` has it: what goes
   * back are the objects' versions only.
   */
  restore(version: number, { bump }: { bump: boolean }): void {
    const objects = this.at(version)
    this.objects.clear()
    for (const [key, obj] of objects) this.objects.set(key, obj)
    if (bump) this.#newestEver += 1000
    this.version = bump ? this.#newestEver : version
    this.#undone = { after: version, upTo: bump ? this.version - 1 : this.#newestEver }
    this.restores++
    this.compact()
  }

  #newVersion(): number {
    this.#newestEver++
    this.version = this.#newestEver
    return this.version
  }

  #change(key: string, after: StoredObject | undefined): void {
    const change = { version: this.version, key, before: this.objects.get(key), after }
    if (after) this.objects.set(key, after)
    else this.objects.delete(key)
    this.#changes.push(change)
    this.onChange(change)
  }
}

// The versions a reflector has seen, and from which of them it lists or streams next.

export class ResourceVersions {
  /** The newest version seen, `''` before the first. */
  last = ''
  /** The server said that it does not have, or not yet have, the last version. */
  unavailable = false

  /** For lists: any version will do at first (`0`, from the server's cache); the very newest where ours is no use. */
  relist(): string {
    if (this.unavailable) return ''
    return this.last === '' ? '0' : this.last
  }

  /** For streams of the initial objects. */
  rewatch(): string {
    return this.unavailable ? '' : this.last
  }
}

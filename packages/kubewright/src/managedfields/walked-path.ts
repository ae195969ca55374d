// Where a walk through a value is: the elements on the way, with their texts, which sets find them by.

import { type PathElement, serializeElement } from './path-element.js'

/** A path that grows and shrinks with a walk. An item's element is written down once, not for each field below it. */
export class WalkedPath {
  readonly elements: PathElement[] = []
  readonly keys: string[] = []

  push(element: PathElement, key: string = serializeElement(element)): void {
    this.elements.push(element)
    this.keys.push(key)
  }

  pop(): void {
    this.elements.pop()
    this.keys.pop()
  }
}

// Go's sorts, step by step: where items compare equal, or an order contradicts itself, what these steps make of it is part of the
// answer, and patches have to be the server's.

import { compareText } from '../../meta/index.js'

/** Sorts by text, in place. Equal ones change places. */
export function sortByText<T>(list: T[], textOf: (item: T) => string): T[] {
  const sorted = list.map((item) => ({ item, text: textOf(item) }))
  for (let i = 1; i < sorted.length; i++) {
    const moved = sorted[i] as { item: T; text: string }
    let j = i
    while (j > 0 && compareText(moved.text, (sorted[j - 1] as { text: string }).text) <= 0) {
      sorted[j] = sorted[j - 1] as { item: T; text: string }
      j--
    }
    sorted[j] = moved
  }
  return Object.assign(
    list,
    sorted.map(({ item }) => item),
  )
}

/** Blocks of this many items are sorted by insertion before they are merged. */
const blockSize = 20

/** Sorts in place; `less` may contradict itself. */
export function sortStable<T>(list: T[], less: (a: T, b: T) => boolean): void {
  const lessAt = (i: number, j: number) => less(list[i] as T, list[j] as T)
  const swap = (i: number, j: number) => {
    const item = list[i] as T
    list[i] = list[j] as T
    list[j] = item
  }
  const insertionSort = (from: number, to: number) => {
    for (let i = from + 1; i < to; i++) for (let j = i; j > from && lessAt(j, j - 1); j--) swap(j, j - 1)
  }
  const rotate = (from: number, middle: number, to: number) => {
    const moved = list.slice(from, middle)
    list.copyWithin(from, middle, to)
    moved.forEach((item, i) => (list[to - moved.length + i] = item))
  }
  const merge = (from: number, middle: number, to: number): void => {
    if (middle - from === 1) {
      let [i, j] = [middle, to]
      while (i < j) {
        const half = (i + j) >>> 1
        if (lessAt(half, from)) i = half + 1
        else j = half
      }
      for (let k = from; k < i - 1; k++) swap(k, k + 1)
      return
    }
    if (to - middle === 1) {
      let [i, j] = [from, middle]
      while (i < j) {
        const half = (i + j) >>> 1
        if (!lessAt(middle, half)) i = half + 1
        else j = half
      }
      for (let k = middle; k > i; k--) swap(k, k - 1)
      return
    }
    const half = (from + to) >>> 1
    const n = half + middle
    let [start, r] = middle > half ? [n - to, half] : [from, middle]
    const p = n - 1
    while (start < r) {
      const c = (start + r) >>> 1
      if (!lessAt(p - c, c)) start = c + 1
      else r = c
    }
    const end = n - start
    if (start < middle && middle < end) rotate(start, middle, end)
    if (from < start && start < half) merge(from, start, half)
    if (half < end && end < to) merge(half, end, to)
  }
  for (let from = 0; from < list.length; from += blockSize) insertionSort(from, Math.min(from + blockSize, list.length))
  for (let size = blockSize; size < list.length; size *= 2) {
    let from = 0
    for (; from + 2 * size <= list.length; from += 2 * size) merge(from, from + size, from + 2 * size)
    if (from + size < list.length) merge(from, from + size, list.length)
  }
}

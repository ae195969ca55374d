// Options of a list, made into those of a watch that begins with the same objects.

import { type ListOptions, parseFieldSelector, parseLabelSelector } from '../meta/index.js'

/**
 * The options of a watch that streams what a list with these options would answer with, and then ends its initial part
 * with a bookmark; undefined where no stream is the same as that list: a page of it, an exact version, or options that the
 * server would refuse.
 *
 * @throws Error when a selector cannot be parsed.
 */
export function prepareWatchListOptionsFromListOptions(listOptions: ListOptions): ListOptions | undefined {
  parseLabelSelector(listOptions.labelSelector ?? '')
  parseFieldSelector(listOptions.fieldSelector ?? '')
  if (!areValidListOptions(listOptions)) return undefined
  const { limit = 0, ...rest } = listOptions
  // Servers answer lists of version 0 from their cache, and never in pages.
  if (limit > 0 && rest.resourceVersion !== '0') return undefined
  if (rest.resourceVersionMatch === 'Exact' || rest.continue) return undefined
  return {
    ...rest,
    watch: true,
    allowWatchBookmarks: true,
    sendInitialEvents: true,
    resourceVersionMatch: 'NotOlderThan',
  }
}

/** apimachinery's rules of what goes together. */
function areValidListOptions(options: ListOptions): boolean {
  const { resourceVersion = '', resourceVersionMatch: match = '', sendInitialEvents } = options
  if (options.watch) {
    if (sendInitialEvents !== undefined && match !== 'NotOlderThan') return false
    return match === '' || (sendInitialEvents !== undefined && match === 'NotOlderThan' && !options.continue)
  }
  if (sendInitialEvents !== undefined) return false
  if (match === '') return true
  if (resourceVersion === '' || options.continue) return false
  return match === 'NotOlderThan' || (match === 'Exact' && resourceVersion !== '0')
}

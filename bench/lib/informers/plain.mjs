// What node gives and no more: lines of the answer through JSON.parse into a Map. It recovers from nothing.
import { get } from 'node:http'
import { measure, options } from './measure.mjs'

const { host, classic, drop } = options
const cache = new Map()
let request

const keyOf = ({ metadata }) => `${metadata.namespace}/${metadata.name}`

function keep(pod) {
  if (drop) delete pod.metadata.managedFields
  cache.set(keyOf(pod), pod)
}

async function list({ onAdd }) {
  const response = await open('')
  const chunks = []
  for await (const chunk of response) chunks.push(chunk)
  const { items, metadata } = JSON.parse(Buffer.concat(chunks).toString())
  for (const pod of items) {
    keep(pod)
    onAdd(pod.metadata.resourceVersion)
  }
  return metadata.resourceVersion
}

function open(query) {
  return new Promise((resolve, reject) => {
    request = get(`${host}/api/v1/pods${query}`, resolve).on('error', reject)
  })
}

/** Calls back with each event. */
async function watch(query, onEvent) {
  const response = await open(`?watch=1&allowWatchBookmarks=true&${query}`)
  let rest = []
  response.on('data', (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      const part = chunk.subarray(start, end)
      onEvent(JSON.parse((rest.length > 0 ? Buffer.concat([...rest, part]) : part).toString()))
      rest = []
      start = end + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  })
  response.on('error', () => {})
}

await measure({
  start: ({ onAdd, onUpdate }) =>
    new Promise((resolve, reject) => {
      const onEvent = ({ type, object }) => {
        if (type === 'BOOKMARK') return resolve()
        keep(object)
        if (type === 'ADDED') onAdd(object.metadata.resourceVersion)
        else onUpdate(object.metadata.resourceVersion)
      }
      if (classic) {
        list({ onAdd })
          .then((version) => watch(`resourceVersion=${version}`, onEvent))
          .then(resolve, reject)
      } else {
        watch('sendInitialEvents=true&resourceVersionMatch=NotOlderThan', onEvent).catch(reject)
      }
    }),
  size: () => cache.size,
  stop: () => request.destroy(),
})

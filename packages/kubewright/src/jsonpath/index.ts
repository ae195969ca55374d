// kubewright/jsonpath: kubectl's JSONPath, and the orders that kubectl knows: by a path, of pods and of events. No I/O.
export { sortableEvents } from './event-order.js'
export { type JSONPath, type JSONPathOptions, jsonPath } from './json-path.js'
export { activePods, byLogging, isPodReady } from './pod-order.js'
export { relaxedJSONPathExpression } from './relaxed-expression.js'
export { sortBy } from './sort-by.js'

// kubewright/clock: injectable time.
export { abortable } from './abortable.js'
export { type Clock, realClock, type Timer } from './clock.js'
export { FakeClock } from './fake-clock.js'
export { othersTurn } from './others-turn.js'
export { SingleFlight } from './single-flight.js'
export { type SleepOptions, sleep } from './sleep.js'
export { sharedByMany, whenAborted } from './when-aborted.js'

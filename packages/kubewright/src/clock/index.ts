// kubewright/clock: injectable time.
export { type Clock, realClock, type Timer } from './clock.js'
export { FakeClock } from './fake-clock.js'
export { type SleepOptions, sleep } from './sleep.js'
export { whenAborted } from './when-aborted.js'

// kubewright/signals: a clean end on SIGINT and SIGTERM.
export { type SignalHandlerOptions, SignalReceived, setupSignalHandler } from './setup-signal-handler.js'

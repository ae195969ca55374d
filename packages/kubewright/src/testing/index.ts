// kubewright/testing: clients for tests, without a server; client-go's testing, and the fakes of its clients.
//
//   const clientset = new FakeClientset({ objects: [deployment] })   // is a Clientset: give it to the program
//   clientset.prependReactor('update', 'deployments', ({ resource }) => { throw newConflict(resource, 'web', 'too late') })
//   clientset.actions()                                              // what it was asked
//   clientset.tracker.get(Deployment, 'default', 'web')              // what there is now
export type {
  Action,
  ActionBase,
  CreateAction,
  DeleteAction,
  DeleteCollectionAction,
  GetAction,
  ListAction,
  PatchAction,
  ProxyGetAction,
  Restrictions,
  UpdateAction,
  WatchAction,
} from './action.js'
export {
  type FieldProblem,
  newAlreadyExists,
  newBadRequest,
  newConflict,
  newForbidden,
  newInternalError,
  newInvalid,
  newMethodNotSupported,
  newNotFound,
  newResourceExpired,
  newServerTimeout,
  newServiceUnavailable,
  newTimeoutError,
  newTooManyRequests,
  newUnauthorized,
} from './api-errors.js'
export { FakeClientset, type FakeClientsetOptions } from './fake-clientset.js'
export { FakeControllerSource, type FakeControllerSourceOptions } from './fake-controller-source.js'
export type { ObjectTracker } from './object-tracker.js'
export type { ProxyReaction, Reaction, Reactors, WatchReaction } from './reaction-chains.js'
export type { ListKind } from './resources.js'
export type { ResourceOf, TrackedList, TrackerApplyOptions, TrackerWriteOptions } from './tracked.js'

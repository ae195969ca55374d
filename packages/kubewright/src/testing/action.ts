// Actions: what a fake was asked to do, in client-go's terms.

import {
  type CreateOptions,
  type DeleteOptions,
  deepCopy,
  type FieldSelector,
  type GetOptions,
  type GroupVersionKind,
  type GroupVersionResource,
  type ListOptions,
  type PatchOptions,
  parseFieldSelector,
  parseLabelSelector,
  type Selector,
  type UnstructuredInput,
  type UpdateOptions,
} from '../meta/index.js'

/** What every action says. */
export interface ActionBase {
  readonly resource: GroupVersionResource
  /** `''` for what is in no namespace, and for all namespaces. */
  readonly namespace: string
  /** `status`, `scale`, …; `''` for the object itself. */
  readonly subresource: string
  /** Of the client that asked. Not enumerable: two clients' actions are equal. */
  readonly userAgent: string
  /**
   * Whether it is of this verb and resource: `matches('update', 'deployments')`, which any subresource matches too, or
   * `matches('update', 'deployments/status')`. Upper and lower case are the same.
   */
  matches(verb: string, resource: string): boolean
}

/** Which objects are asked for. */
export interface Restrictions {
  readonly labels: Selector
  readonly fields: FieldSelector
}

/** Of an object, or of a subresource such as `log`. */
export interface GetAction extends ActionBase {
  readonly verb: 'get'
  readonly name: string
  /** Of subresources, what else the request's query says. */
  readonly options: GetOptions & Readonly<Record<string, unknown>>
}

/** Of a collection. */
export interface ListAction extends ActionBase {
  readonly verb: 'list'
  /** Of the items. */
  readonly kind: GroupVersionKind
  readonly options: ListOptions
  /** What the options' selectors say. */
  listRestrictions(): Restrictions
}

/** Of a collection. */
export interface WatchAction extends ActionBase {
  readonly verb: 'watch'
  readonly options: ListOptions
  /** What the options' selectors say. */
  listRestrictions(): Restrictions
}

/** Of an object; or of a subresource, such as `eviction`, of the object that `name` names. */
export interface CreateAction extends ActionBase {
  readonly verb: 'create'
  /** `''` where the object is created: it names itself. */
  readonly name: string
  /** May be changed by a reactor: those after it see what it did, the recorded action does not. */
  readonly object: UnstructuredInput
  readonly options: CreateOptions
}

/** Of an object or a subresource. */
export interface UpdateAction extends ActionBase {
  readonly verb: 'update'
  readonly name: string
  /** May be changed by a reactor: those after it see what it did, the recorded action does not. */
  readonly object: UnstructuredInput
  readonly options: UpdateOptions
}

/** Of an object or a subresource; applying is a patch of the type `application/apply-patch+yaml`. */
export interface PatchAction extends ActionBase {
  readonly verb: 'patch'
  readonly name: string
  /** The patch's media type: `application/merge-patch+json`, … */
  readonly patchType: string
  /** As it was sent. */
  readonly patch: Uint8Array
  /** The same, decoded. */
  readonly body: unknown
  readonly options: Omit<PatchOptions, 'subresource'>
}

/** Of one object. */
export interface DeleteAction extends ActionBase {
  readonly verb: 'delete'
  readonly name: string
  readonly options: DeleteOptions
}

/** Of many objects. */
export interface DeleteCollectionAction extends ActionBase {
  readonly verb: 'delete-collection'
  readonly options: DeleteOptions
  readonly listOptions: ListOptions
  /** What the options' selectors say. */
  listRestrictions(): Restrictions
}

/** Of what a Pod or Service serves: see {@link ProxyReaction}. */
export interface ProxyGetAction extends ActionBase {
  readonly verb: 'get'
  readonly subresource: 'proxy'
  readonly scheme: string
  readonly name: string
  readonly port: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
}

/** What a fake was asked to do. `verb` tells which. */
export type Action =
  | GetAction
  | ListAction
  | WatchAction
  | CreateAction
  | UpdateAction
  | PatchAction
  | DeleteAction
  | DeleteCollectionAction

type Fields<A> = A extends ActionBase ? Omit<A, 'matches' | 'listRestrictions' | 'userAgent'> : never

type ActionFields = Fields<Action> | Fields<ProxyGetAction>

/** The fields are its own, so that actions can be compared with plain objects; the methods are not. */
class RecordedAction implements ActionBase {
  declare readonly verb: string
  declare readonly namespace: string
  declare readonly userAgent: string
  declare readonly resource: GroupVersionResource
  declare readonly subresource: string
  declare readonly options: ListOptions
  declare readonly listOptions?: ListOptions

  constructor(fields: object, userAgent: string) {
    Object.assign(this, fields)
    Object.defineProperty(this, 'userAgent', { value: userAgent })
  }

  matches(verb: string, resource: string): boolean {
    const [top = '', ...rest] = resource.split('/')
    const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
    if (!isSame(verb, this.verb) || !isSame(top, this.resource.resource)) return false
    return !resource.includes('/') || isSame(rest.join('/'), this.subresource)
  }

  listRestrictions(): Restrictions {
    const { labelSelector = '', fieldSelector = '' } = this.listOptions ?? this.options
    return { labels: parseLabelSelector(labelSelector), fields: parseFieldSelector(fieldSelector) }
  }
}

/** Makes an action, which shares nothing with the fields. */
export function actionOf(fields: Fields<ProxyGetAction>, userAgent: string): ProxyGetAction
export function actionOf(fields: Fields<Action>, userAgent: string): Action
export function actionOf(fields: ActionFields, userAgent: string): ActionBase {
  const copied = Object.entries(fields).map(([key, value]) => [key, copiedField(value)])
  return new RecordedAction(Object.fromEntries(copied) as object, userAgent)
}

function copiedField(value: unknown): unknown {
  return value instanceof Uint8Array ? value.slice() : deepCopy(value as object)
}

/** A copy that shares nothing with it. */
export function copyOf<A extends Action | ProxyGetAction>(action: A): A {
  return actionOf(action as Fields<Action>, action.userAgent) as A
}

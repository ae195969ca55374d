// Tables: objects as rows, with the columns that kubectl shows.

import type { PartialObjectMetadata, Table, TableColumnDefinition, TableRow } from '../gen/api/meta/v1.js'
import {
  type CallOptions,
  filterWatch,
  type GetOptions,
  type KubernetesObject,
  type ListOptions,
  type Watch,
} from '../meta/index.js'
import type { RESTClient, Request } from '../rest/index.js'
import { ResourceClientImpl } from './resource-client.js'
import type { Gets, Watches } from './verbs.js'

/** What each row of a table carries beside its cells. */
export interface TableOptions<I extends IncludeObject = IncludeObject> {
  /** `Metadata`: the object's; `Object`: the whole of it; `None`: nothing. @defaultValue `Metadata` */
  readonly includeObject?: I | undefined
}

/** See {@link TableOptions}. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

/** A table whose rows carry objects of type `O`. */
export interface TableOf<O> extends Omit<Table, 'rows'> {
  rows: (Omit<TableRow, 'object'> & { object: O })[]
}

type Included<T, I extends IncludeObject> = { None: null; Metadata: PartialObjectMetadata; Object: T }[I]

/** Reads the objects of a resource as tables. */
export interface TableClient<T extends object> {
  /** One object, as a table of one row. @throws ApiError: {@link isNotFound}, … as `get` */
  get<I extends IncludeObject = 'Metadata'>(
    name: string,
    opts?: GetOptions & TableOptions<I>,
  ): Promise<TableOf<Included<T, I>>>
  /** Many objects; pages as those of `list`. */
  list<I extends IncludeObject = 'Metadata'>(opts?: ListOptions & TableOptions<I>): Promise<TableOf<Included<T, I>>>
  /**
   * Follows changes, each as a table of one row. All of them have their columns, which the server names once.
   *
   * Give the `resourceVersion` of the table that was listed.
   */
  watch<I extends IncludeObject = 'Metadata'>(
    opts?: ListOptions & TableOptions<I>,
  ): Promise<Watch<TableOf<Included<T, I>>>>
}

/**
 * The same resource as `client`, read as tables: what `kubectl get` shows, made by the server.
 *
 * ```ts
 * const { columnDefinitions, rows } = await tables(clientset.coreV1().pods('default')).list({ includeObject: 'None' })
 * for (const { cells } of rows) console.log(cells.join('\t'))
 * ```
 *
 * **Caveats**: cells are for people; their number and meaning belong to the server's version. Columns with a `priority` above 0
 * are those of `kubectl get -o wide`. A FakeClientset knows no columns but the two that any object has, its name and its age.
 *
 * @param client of a resource, typed or dynamic.
 * @throws TypeError for a client that no Clientset or DynamicClient has made
 */
export function tables<T extends object>(client: Gets<T> & Watches<T>): TableClient<T> {
  if (client instanceof ResourceClientImpl) return new ServerTables<T>(client)
  throw new TypeError(
    'tables are made by a server: give the client of a resource that a Clientset or DynamicClient has made',
  )
}

class ServerTables<T extends object> implements TableClient<T> {
  readonly #client: ResourceClientImpl<KubernetesObject>

  constructor(client: ResourceClientImpl<KubernetesObject>) {
    this.#client = client
  }

  get<O>(name: string, opts: GetOptions & TableOptions = {}): Promise<TableOf<O>> {
    return this.#read(this.#client.named(ask(this.#client.rest, opts), 'get', name), opts)
  }

  list<O>(opts: ListOptions & TableOptions = {}): Promise<TableOf<O>> {
    return this.#read(this.#client.scoped(ask(this.#client.rest, opts)), opts)
  }

  async watch<O>({ signal, timeout, ...opts }: ListOptions & TableOptions = {}): Promise<Watch<TableOf<O>>> {
    const request = this.#client.scoped(ask(this.#client.rest, { ...opts, watch: true }))
    return withColumns(await request.watch<TableOf<O>>({ signal, timeout }))
  }

  async #read<O>(request: Request, { signal, timeout }: CallOptions): Promise<TableOf<O>> {
    const { object } = await request.do<TableOf<O>>({ signal, timeout })
    if ((object as Partial<Table> | null)?.kind !== 'Table') {
      throw new Error(
        `${request.url()}: the answer is no Table; is the host an API server of Kubernetes 1.15 or newer?`,
      )
    }
    // Servers written in Go send null for no rows.
    object.rows ??= []
    return object
  }
}

function ask(rest: RESTClient, opts: object): Request {
  return rest.get().setHeader('accept', 'application/json;as=Table;v=v1;g=meta.k8s.io').versionedParams(opts)
}

/** The columns, which come with the first table only, given to all. */
function withColumns<O>(watch: Watch<TableOf<O>>): Watch<TableOf<O>> {
  let columns: TableColumnDefinition[] | null = null
  return filterWatch(watch, (event) => {
    const object = event.object as Partial<TableOf<O>>
    if (object.kind === 'Table') {
      columns ??= object.columnDefinitions ?? null
      if (columns) object.columnDefinitions ??= columns
    }
    return event
  })
}

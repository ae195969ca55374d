// An informer under a connection that keeps breaking: at the end its cache is the server's state, and every handler was
// told of every final state.

import {
  type Clientset,
  type DeepReadonly,
  type DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  metaNamespaceKeyFunc,
  SharedInformerFactory,
} from 'kubewright'
import type { ConfigMap } from 'kubewright/api/core/v1'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, kubectl, testNamespace } from '../control-plane/fixture.js'
import type { TcpProxy } from '../faults/tcp-proxy.js'
import { eventually } from './eventually.js'
import { clientsetFor } from './helpers.js'
import { type Proxied, proxiedClientset } from './proxied.js'

/** Remembers the last notification of each key: the version, or undefined after a delete. */
class LastSeen {
  readonly versions = new Map<string, string | undefined>()
  readonly onAdd = (obj: DeepReadonly<ConfigMap>): void => this.#saw(obj)
  readonly onUpdate = (_old: DeepReadonly<ConfigMap>, obj: DeepReadonly<ConfigMap>): void => this.#saw(obj)
  readonly onDelete = (obj: DeepReadonly<ConfigMap> | DeletedFinalStateUnknown<ConfigMap>): void => {
    this.versions.set(deletionHandlingMetaNamespaceKeyFunc(obj), undefined)
  }
  #saw(obj: DeepReadonly<ConfigMap>): void {
    this.versions.set(metaNamespaceKeyFunc(obj), obj.metadata.resourceVersion)
  }
  /** The keys whose last notification was no delete, with their versions. */
  present(): Map<string, string | undefined> {
    return new Map([...this.versions].filter(([, version]) => version !== undefined))
  }
}

describeWithControlPlane('an informer behind a connection that breaks', () => {
  let direct: Clientset
  let proxied: Clientset
  let proxy: TcpProxy
  let behind: Proxied
  beforeAll(async () => {
    direct = await clientsetFor()
    behind = await proxiedClientset()
    proxied = behind.clientset
    proxy = behind.proxy
  })
  afterAll(async () => {
    await behind.close()
    await direct.close()
  })

  const manifests = (namespace: string, names: string[], round: string): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: names.map((name) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace, labels: { suite: 'informer', round } },
        data: { round },
      })),
    })

  it('500 ConfigMaps created, relabelled and deleted in rounds while the watch is cut five times', async () => {
    const namespace = await testNamespace()
    const stop = new AbortController()
    const factory = new SharedInformerFactory(proxied, { namespace, resyncPeriod: 0 })
    const { informer, lister } = factory.coreV1().configMaps()
    const handlers = [new LastSeen(), new LastSeen(), new LastSeen()]
    for (const handler of handlers) informer.addEventHandler(handler)
    factory.start({ signal: stop.signal })
    await factory.waitForCacheSync({ signal: stop.signal })

    const names = Array.from({ length: 500 }, (_, i) => `cm-${String(i).padStart(3, '0')}`)
    let cuts = 0
    /** Cuts while the command runs: as soon as the informer has heard of the first of its changes. */
    const cutDuring = async (work: Promise<unknown>): Promise<void> => {
      const before = informer.lastSyncResourceVersion()
      await eventually(() => informer.lastSyncResourceVersion() !== before)
      expect(proxy.cut()).toBeGreaterThan(0)
      cuts++
      await work
    }
    const run = async (args: string[], input?: string): Promise<void> => {
      const result = await kubectl(args, input === undefined ? {} : { input })
      expect(result.code, result.stderr).toBe(0)
    }

    await cutDuring(run(['create', '-f', '-'], manifests(namespace, names, '1')))
    await cutDuring(run(['label', 'configmaps', '-n', namespace, '-l', 'suite=informer', 'round=2', '--overwrite']))
    await cutDuring(run(['delete', '-n', namespace, '--wait=false', 'configmaps', ...names.slice(0, 250)]))
    await cutDuring(run(['create', '-f', '-'], manifests(namespace, names.slice(0, 100), '3')))
    await cutDuring(run(['label', 'configmaps', '-n', namespace, '-l', 'suite=informer', 'round=4', '--overwrite']))
    expect(cuts).toBe(5)

    const server = await direct.coreV1().configMaps(namespace).list()
    const expected = new Map(server.items.map((cm) => [metaNamespaceKeyFunc(cm), cm.metadata.resourceVersion]))
    expect(expected.size).toBeGreaterThanOrEqual(350)
    const cached = () => new Map(lister.list().map((cm) => [metaNamespaceKeyFunc(cm), cm.metadata.resourceVersion]))
    const same = (a: Map<string, unknown>, b: Map<string, unknown>): boolean =>
      a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
    await eventually(() => same(cached(), expected) && handlers.every((h) => same(h.present(), expected)))
    for (const handler of handlers) {
      // Every object that ever was has been heard of, and the deleted ones ended with a delete.
      for (const name of names) expect(handler.versions.has(`${namespace}/${name}`)).toBe(true)
      expect(handler.present()).toEqual(expected)
    }
    expect(lister.configMaps(namespace).get('cm-000')?.metadata.labels).toMatchObject({ round: '4' })
    expect(lister.configMaps(namespace).get('cm-200')).toBeUndefined()
    expect(lister.list('round=4').length).toBe(350)

    stop.abort()
    await factory.shutdown()
    await eventually(() => informer.isStopped())
  }, 180_000)
})

// A controller, as a user writes it: it is enough that this compiles.

import {
  deletionHandlingMetaNamespaceKeyFunc,
  metaNamespaceKeyFunc,
  splitMetaNamespaceKey,
  waitForCacheSync,
} from '../cache/index.js'
import type { Deployment } from '../gen/api/apps/v1.js'
import type { Clientset } from '../kubernetes/index.js'
import type { DeepReadonly } from '../meta/index.js'
import type { RateLimitingQueue } from '../workqueue/index.js'
import { SharedInformerFactory } from './index.js'

export async function controller(
  clientset: Clientset,
  queue: RateLimitingQueue<string>,
  signal: AbortSignal,
): Promise<void> {
  const factory = new SharedInformerFactory(clientset, { resyncPeriod: 10 * 60_000 })
  const deployments = factory.appsV1().deployments()
  const registration = deployments.informer.addEventHandler({
    onAdd: (d) => queue.add(metaNamespaceKeyFunc(d)),
    onUpdate: (_old, d) => queue.add(metaNamespaceKeyFunc(d)),
    onDelete: (d) => queue.add(deletionHandlingMetaNamespaceKeyFunc(d)),
  })
  const tooSmall = (d: DeepReadonly<Deployment>): boolean =>
    d.metadata.labels?.['demo/min-replicas'] === 'true' && (d.spec.replicas ?? 1) < 2
  const { namespace, name } = splitMetaNamespaceKey('default/web')
  const cached = deployments.lister.deployments(namespace).get(name)
  if (!cached || !tooSmall(cached)) return
  factory.start({ signal })
  await factory.waitForCacheSync({ signal })
  await waitForCacheSync({ signal }, deployments.informer, registration)
  deployments.informer.setTransform((d) => {
    delete d.metadata.managedFields
    return d
  })
  // @ts-expect-error what a deletion brings may be no object, so the plain function is not enough
  deployments.informer.addEventHandler({ onDelete: (d) => queue.add(metaNamespaceKeyFunc(d)) })
}

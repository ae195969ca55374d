import { describe, expect, it } from 'vitest'
import {
  AlreadyOwnedError,
  getControllerOf,
  hasControllerReference,
  hasOwnerReference,
  isControlledBy,
  type MutableOwnedObject,
  newControllerRef,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './owner-references.js'

const Deployment = { group: 'apps', version: 'v1', kind: 'Deployment' }
const web = { metadata: { name: 'web', namespace: 'shop', uid: '1' } }
const api = { metadata: { name: 'api', namespace: 'shop', uid: '2' } }
const webRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: '1' }
const apiRef = { ...webRef, name: 'api', uid: '2' }

const configMap = (...ownerReferences: (typeof webRef & { controller?: boolean })[]): MutableOwnedObject => ({
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop', ...(ownerReferences.length > 0 && { ownerReferences }) },
})

describe('newControllerRef', () => {
  it('controls, and blocks the owner’s deletion', () => {
    expect(newControllerRef(web, Deployment)).toEqual({ ...webRef, controller: true, blockOwnerDeletion: true })
    const node = { group: '', version: 'v1', kind: 'Node' }
    expect(newControllerRef({ metadata: { name: 'n', uid: '3' } }, node)).toMatchObject({ apiVersion: 'v1' })
  })

  it('needs the uid, which only the server gives', () => {
    expect(() => newControllerRef({ metadata: { name: 'web', uid: '' } }, Deployment)).toThrow(
      'Deployment web cannot own an object: it has no uid',
    )
  })
})

describe('getControllerOf and isControlledBy', () => {
  it('give the one owner that controls, as a copy', () => {
    const object = configMap(apiRef, { ...webRef, controller: true })
    const controller = getControllerOf(object)
    expect(controller).toEqual({ ...webRef, controller: true })
    expect(controller).not.toBe(object.metadata?.ownerReferences?.[1])
    expect(getControllerOf(configMap(apiRef))).toBeUndefined()
    expect(getControllerOf({})).toBeUndefined()
    expect([hasControllerReference(object), hasControllerReference(configMap(apiRef))]).toEqual([true, false])
  })

  it('know the owner by its uid', () => {
    const object = configMap({ ...webRef, controller: true })
    expect(isControlledBy(object, web)).toBe(true)
    expect(isControlledBy(object, { metadata: { ...web.metadata, uid: 'another of that name' } })).toBe(false)
    expect(isControlledBy(configMap(webRef), web)).toBe(false)
    expect(isControlledBy({}, {})).toBe(false)
  })
})

describe('setControllerReference', () => {
  it('adds a reference, to objects without metadata too', () => {
    const object = configMap(apiRef)
    setControllerReference(web, object, Deployment)
    const expected = { ...webRef, controller: true, blockOwnerDeletion: true }
    expect(object.metadata?.ownerReferences).toEqual([apiRef, expected])
    const bare: MutableOwnedObject = {}
    setControllerReference({ metadata: { name: 'web', uid: '1' } }, bare, Deployment, { blockOwnerDeletion: false })
    expect(bare).toEqual({ metadata: { ownerReferences: [{ ...expected, blockOwnerDeletion: false }] } })
  })

  it('replaces one to the same owner, of any version and uid, and changes nothing the second time', () => {
    const object = configMap({ ...webRef, apiVersion: 'apps/v1beta1', uid: 'old' })
    setControllerReference(web, object, Deployment)
    setControllerReference(web, object, Deployment)
    expect(object.metadata?.ownerReferences).toEqual([{ ...webRef, controller: true, blockOwnerDeletion: true }])
  })

  it('takes kinds of one name in different groups for different owners', () => {
    const object = configMap({ ...webRef, apiVersion: 'example.com/v1' })
    setControllerReference(web, object, Deployment)
    expect(object.metadata?.ownerReferences).toHaveLength(2)
  })

  it('leaves an object alone that has another controller', () => {
    const object = configMap({ ...apiRef, controller: true })
    const before = structuredClone(object)
    const set = () => setControllerReference(web, object, Deployment)
    expect(set).toThrow(AlreadyOwnedError)
    expect(set).toThrow('Object shop/settings is already owned by another Deployment controller api')
    expect(set).toThrow(expect.objectContaining({ object, owner: { ...apiRef, controller: true } }))
    expect(object).toEqual(before)
  })

  it('refuses owners that the garbage collector would not find', () => {
    const clusterWide = { kind: 'ClusterRole', metadata: { name: 'x' } }
    const elsewhere = { metadata: { name: 'x', namespace: 'office' } }
    for (const set of [setControllerReference, setOwnerReference]) {
      expect(() => set(web, clusterWide, Deployment)).toThrow(
        "cluster-scoped resource must not have a namespace-scoped owner, owner's namespace shop",
      )
      expect(() => set(web, elsewhere, Deployment)).toThrow(
        "cross-namespace owner references are disallowed, owner's namespace shop, obj's namespace office",
      )
    }
    expect(elsewhere.metadata).not.toHaveProperty('ownerReferences')
  })

  it('lets a cluster-wide owner own anything', () => {
    const object = configMap()
    setControllerReference({ metadata: { name: 'n', uid: '3' } }, object, { group: '', version: 'v1', kind: 'Node' })
    expect(hasControllerReference(object)).toBe(true)
  })
})

describe('setOwnerReference', () => {
  it('adds one that does not control', () => {
    const object = configMap({ ...apiRef, controller: true })
    setOwnerReference(web, object, Deployment)
    setOwnerReference(web, object, Deployment, { blockOwnerDeletion: true })
    expect(object.metadata?.ownerReferences).toEqual([
      { ...apiRef, controller: true },
      { ...webRef, blockOwnerDeletion: true },
    ])
  })
})

describe('removing', () => {
  it('removes the owner in whatever version', () => {
    const object = configMap(apiRef, { ...webRef, apiVersion: 'apps/v1beta1', controller: true })
    expect(hasOwnerReference(object.metadata?.ownerReferences, web, Deployment)).toBe(true)
    removeOwnerReference(web, object, Deployment)
    expect(object.metadata?.ownerReferences).toEqual([apiRef])
    expect(hasOwnerReference(object.metadata?.ownerReferences, web, Deployment)).toBe(false)
    expect(hasOwnerReference(undefined, web, Deployment)).toBe(false)
  })

  it('says when there is nothing to remove', () => {
    expect(() => removeOwnerReference(web, configMap(), Deployment)).toThrow(
      'ConfigMap shop/settings does not have any owner references',
    )
    expect(() => removeOwnerReference(web, configMap(apiRef), Deployment)).toThrow(
      'ConfigMap shop/settings does not have an owner reference for Deployment shop/web',
    )
  })

  it('removes a controller only when it is one', () => {
    const object = configMap(webRef, { ...apiRef, controller: true })
    expect(() => removeControllerReference(web, object, Deployment)).toThrow('is not the controller reference')
    removeControllerReference(api, object, Deployment)
    expect(object.metadata?.ownerReferences).toEqual([webRef])
    expect(() => removeControllerReference(api, object, Deployment)).toThrow('controller equals true')
    expect(() => removeControllerReference(web, configMap({ ...apiRef, controller: true }), Deployment)).toThrow(
      'does not have an controller reference for Deployment shop/web',
    )
  })

  it('leaves references alone that it cannot read', () => {
    expect(hasOwnerReference([{ ...webRef, apiVersion: 'a/b/c' }], web, Deployment)).toBe(false)
  })
})

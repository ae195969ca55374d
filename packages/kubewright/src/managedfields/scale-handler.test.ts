import { describe, expect, it } from 'vitest'
import { FieldSet } from './field-set.js'
import { makePath, type PathPart } from './path-element.js'
import { ScaleHandler } from './scale-handler.js'

const entry = (manager: string, apiVersion: string, ...paths: PathPart[][]) => ({
  manager,
  operation: 'Apply',
  apiVersion,
  fieldsType: 'FieldsV1',
  fieldsV1: FieldSet.of(...paths.map((path) => makePath(...path))).toFieldsV1(),
})
const paths = { 'apps/v1': makePath('spec', 'replicas'), 'apps/v1beta1': null }

describe('ScaleHandler', () => {
  it('shows who owns the replicas', () => {
    const parent = [
      entry('a', 'apps/v1', ['spec', 'replicas'], ['spec', 'paused']),
      entry('b', 'apps/v1', ['spec', 'paused']),
      entry('c', 'old/v1', ['spec', 'replicas']),
    ]
    expect(new ScaleHandler(parent, 'apps/v1', paths).toSubresource()).toEqual([
      entry('a', 'autoscaling/v1', ['spec', 'replicas']),
    ])
    expect(new ScaleHandler(undefined, 'apps/v1', paths).toSubresource()).toBeUndefined()
  })

  it('gives the replicas to who took them through the scale', () => {
    const parent = [
      entry('a', 'apps/v1', ['spec', 'replicas'], ['spec', 'paused']),
      entry('b', 'apps/v1', ['spec', 'replicas']),
      entry('c', 'old/v1', ['spec', 'paused']),
      entry('d', 'apps/v1beta1', ['spec', 'replicas']),
    ]
    const scale = [entry('autoscaler', 'autoscaling/v1', ['spec', 'replicas'])]
    expect(new ScaleHandler(parent, 'apps/v1', paths).toParent(scale)).toEqual([
      entry('a', 'apps/v1', ['spec', 'paused']),
      entry('autoscaler', 'apps/v1', ['spec', 'replicas']),
      entry('d', 'apps/v1beta1', ['spec', 'replicas']),
    ])
  })
})

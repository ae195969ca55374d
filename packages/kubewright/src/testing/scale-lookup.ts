// How a fake's scale client finds resources and their Scales without asking.

import { formatGroupVersionResource } from '../meta/index.js'
import { NoResourceMatchError } from '../restmapper/index.js'
import type { ScaleClientOptions } from '../scale/index.js'
import { compareVersions } from './discovery-documents.js'
import type { ResourceRegistry } from './resources.js'

/** What a `ScaleClient` over these resources is made with. */
export function scaleLookup(resources: ResourceRegistry): Required<ScaleClientOptions> {
  return {
    mapper: {
      async resourceFor({ group = '', version = '', resource }) {
        const found = resources.all().filter((info) => {
          const isVersion = version === '' || info.version === version
          return info.resource === resource && info.group === group && isVersion
        })
        const [best] = found.sort(
          (a, b) => Number(b.served) - Number(a.served) || compareVersions(a.version, b.version),
        )
        if (!best) throw new NoResourceMatchError({ group, version, resource })
        return { group: best.group, version: best.version, resource: best.resource }
      },
    },
    scaleKindResolver: {
      async scaleForResource(resource) {
        const scale = resources.find(resource)?.subresources['scale']
        if (scale) return scale.kind ?? { group: 'autoscaling', version: 'v1', kind: 'Scale' }
        const name = formatGroupVersionResource(resource)
        throw new Error(`could not find scale subresource for ${name} in discovery information`)
      },
    },
  }
}

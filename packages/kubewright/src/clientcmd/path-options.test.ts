import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadFromFile } from './load.js'
import { ClientConfigLoadingRules } from './loading-rules.js'
import { modifyConfig } from './modify-config.js'
import { newDefaultPathOptions, PathOptions } from './path-options.js'
import { directoryWith, kubeconfig } from './testdata/files.mjs'

describe('the files', () => {
  const of = (list: string | undefined, explicitPath = ''): PathOptions =>
    new PathOptions({
      globalFile: '/global',
      envVar: 'FILES',
      loadingRules: new ClientConfigLoadingRules({ explicitPath, precedence: ['/ignored'] }),
      env: { FILES: list },
      platform: 'linux',
    })

  it.each<[string, PathOptions, string[], string]>([
    ['an explicit one', of('/a:/b', '/x'), ['/x'], '/x'],
    ['one of the environment', of('/a'), ['/a'], '/a'],
    ['several, none of which exists', of('/a:/b:/a'), ['/a', '/b'], '/b'],
    ['several, one of which exists', of('/a:/dev/null:/b'), ['/a', '/dev/null', '/b'], '/dev/null'],
    ['none of the environment', of(undefined), ['/global'], '/global'],
    ['an empty list', of(''), ['/global'], '/global'],
  ])('of %s', async (_name, paths, precedence, file) => {
    expect(paths.getLoadingPrecedence()).toEqual(precedence)
    expect(await paths.getDefaultFilename()).toBe(file)
    expect(paths.isExplicitFile()).toBe(precedence[0] === '/x')
  })
})

describe('the usual ones', () => {
  it('are empty where there is none, and written into the last of the list', async () => {
    const directory = await directoryWith({})
    const [first, last] = [join(directory, 'first'), join(directory, 'last')]
    const paths = newDefaultPathOptions({ env: { KUBECONFIG: `${first}:${last}`, HOME: directory }, platform: 'linux' })
    const config = await paths.getStartingConfig()
    expect(config.contexts.size).toBe(0)
    config.clusters.set('c', { server: 'https://c' })
    await modifyConfig(paths, config)
    expect((await loadFromFile(last)).clusters.get('c')?.server).toBe('https://c')
    await expect(loadFromFile(first)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('are changed where they are, with their paths as they stand', async () => {
    const directory = await directoryWith({})
    const file = join(directory, 'config')
    await writeFile(
      file,
      kubeconfig('a').replace('clusters:', 'clusters:\n- {name: r, cluster: {certificate-authority: ca.crt}}'),
    )
    const paths = newDefaultPathOptions({ explicitPath: file, env: {}, platform: 'linux' })
    const config = await paths.getStartingConfig()
    expect(config.clusters.get('r')?.['certificate-authority']).toBe('ca.crt')
    config.currentContext = 'other'
    await modifyConfig(paths, config)
    expect((await loadFromFile(file)).currentContext).toBe('other')
  })

  it('without KUBECONFIG are the one in the home directory', () => {
    const paths = newDefaultPathOptions({ env: { HOME: '/home/me' }, platform: 'linux' })
    expect(paths.getLoadingPrecedence()).toEqual(['/home/me/.kube/config'])
  })
})

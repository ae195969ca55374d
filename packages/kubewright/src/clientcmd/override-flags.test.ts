import { inspect, parseArgs } from 'node:util'
import { describe, expect, it } from 'vitest'
import { overrideFlags, overridesFromFlags } from './override-flags.js'

const parse = (...args: string[]): ReturnType<typeof overridesFromFlags> =>
  overridesFromFlags(parseArgs({ args, options: overrideFlags() }).values)

describe('flags', () => {
  it('change nothing when none is given', () => {
    expect(parse()).toEqual({ authInfo: {}, clusterInfo: {}, context: {} })
  })

  it('change cluster, user, context and timeout', () => {
    const args = [
      ...['--context=x', '--cluster=c', '--user', 'u', '-n', 'team', '--request-timeout=5s', '--server=https://h'],
      ...['--token=t', '--as=jane', '--as-uid=1', '--as-group=a', '--as-group=b', '--username=n', '--password=p'],
      ...['--certificate-authority=ca', '--insecure-skip-tls-verify', '--tls-server-name=s', '--proxy-url=http://p'],
      ...['--disable-compression', '--client-certificate=cert', '--client-key=key', '--kubeconfig=file'],
    ]
    expect(parse(...args)).toEqual({
      currentContext: 'x',
      timeout: '5s',
      context: { cluster: 'c', user: 'u', namespace: 'team' },
      clusterInfo: {
        server: 'https://h',
        'certificate-authority': 'ca',
        'insecure-skip-tls-verify': true,
        'tls-server-name': 's',
        'proxy-url': 'http://p',
        'disable-compression': true,
      },
      authInfo: {
        token: 't',
        as: 'jane',
        'as-uid': '1',
        'as-groups': ['a', 'b'],
        username: 'n',
        password: 'p',
        'client-certificate': 'cert',
        'client-key': 'key',
      },
    })
  })

  it.each([
    ['namespaces/foo', 'foo'],
    ['NAMESPACES/foo', 'foo'],
    ['NameSpaces/foo', 'foo'],
    ['namespace/foo', 'foo'],
    ['NAMESPACE/foo', 'foo'],
    ['nameSpace/foo', 'foo'],
    ['ns/foo', 'foo'],
    ['NS/foo', 'foo'],
    ['namespaces/', 'namespaces/'],
    ['namespace/', 'namespace/'],
    ['namespace/ns/a', 'ns/a'],
    ['ns/', 'ns/'],
    ['a/ns/b', 'a/ns/b'],
  ])('--namespace %s is %s', (given, namespace) => {
    expect(parse('--namespace', given).context?.namespace).toBe(namespace)
  })

  it('have a prefix for programs that talk to two clusters', () => {
    const options = { ...overrideFlags({ prefix: 'from-' }), ...overrideFlags({ prefix: 'to-' }) }
    const { values } = parseArgs({ args: ['--from-context=a', '--to-context=b', '--to-namespace=n'], options })
    expect(overridesFromFlags(values, { prefix: 'from-' }).currentContext).toBe('a')
    expect(overridesFromFlags(values, { prefix: 'to-' })).toMatchObject({
      currentContext: 'b',
      context: { namespace: 'n' },
    })
  })

  it('leave a program its own, and say what each is for', () => {
    const options = { ...overrideFlags(), verbose: { type: 'boolean' as const } }
    const { values } = parseArgs({ args: ['--verbose', '--kubeconfig=f'], options })
    const kubeconfig: string | undefined = values.kubeconfig
    expect([kubeconfig, values.verbose]).toEqual(['f', true])
    for (const { description } of Object.values(overrideFlags())) expect(description).toMatch(/\w/)
  })

  it('parsed by other means are refused where they are of another type', () => {
    expect(() => overridesFromFlags({ token: true })).toThrow(
      '--token: parse it with the options that overrideFlags() gives',
    )
    expect(() => overridesFromFlags({ 'as-group': 'a' })).toThrow('--as-group')
  })

  it('show no secret when printed', () => {
    expect(inspect(parse('--token=S3CRET', '--password=S3CRET'))).not.toContain('S3CRET')
  })
})

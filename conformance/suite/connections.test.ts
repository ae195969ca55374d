// Getting in: every kind of credential, one connection for many requests, and clear errors when it cannot work.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Clientset, getConfig, isForbidden, isUnauthorized } from 'kubewright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  controlPlane,
  describeWithControlPlane,
  mintClientCertificate,
  mintServiceAccountToken,
  mintToken,
  testNamespace,
} from '../control-plane/fixture.js'
import { clientsetFor } from './helpers.js'
import { proxiedClientset } from './proxied.js'

describeWithControlPlane('connections and credentials', () => {
  let admin: Clientset
  beforeAll(async () => {
    admin = await clientsetFor()
  })
  afterAll(() => admin.close())

  const whoAmI = async (clientset: Clientset) => {
    const review = await clientset.authenticationV1().selfSubjectReviews().create({})
    return review.status.userInfo
  }

  it('100 concurrent GETs share one TLS connection', async () => {
    const { clientset, proxy, close } = await proxiedClientset()
    try {
      const names = await Promise.all(
        Array.from({ length: 100 }, async () => (await clientset.coreV1().namespaces().get('default')).metadata.name),
      )
      expect(names).toEqual(Array(100).fill('default'))
      expect(proxy.accepted).toBe(1)
    } finally {
      await close()
    }
  })

  it('a token, a client certificate and a ServiceAccount token each say who they are', async () => {
    const namespace = await testNamespace()
    await admin
      .coreV1()
      .serviceAccounts(namespace)
      .create({ metadata: { name: 'robot' } })
    const kubeconfigs = {
      limited: await mintToken('limited'),
      'cert-user': await mintClientCertificate({ user: 'cert-user', groups: ['testers'] }),
      [`system:serviceaccount:${namespace}:robot`]: await mintServiceAccountToken({ namespace, name: 'robot' }),
    }
    for (const [user, kubeconfig] of Object.entries(kubeconfigs)) {
      const clientset = await clientsetFor(kubeconfig)
      try {
        expect((await whoAmI(clientset))?.username).toBe(user)
        const failure = await clientset
          .coreV1()
          .secrets(namespace)
          .list()
          .catch((err: unknown) => err)
        expect(failure).toSatisfy(isForbidden)
        expect(String(failure)).toContain(`User "${user}" cannot list resource "secrets"`)
      } finally {
        await clientset.close()
      }
    }
  })

  it('the server knows the program by its User-Agent: it names the field manager', async () => {
    const namespace = await testNamespace()
    const config = await getConfig({ kubeconfig: controlPlane().kubeconfigPath })
    const clientset = new Clientset({ ...config, userAgent: 'my-tool/1.2 (linux/amd64) kubewright/0.0.0' })
    try {
      const created = await clientset
        .coreV1()
        .configMaps(namespace)
        .create({ metadata: { name: 'x' }, data: { a: '1' } })
      expect(created.metadata.managedFields?.[0]?.manager).toBe('my-tool')
    } finally {
      await clientset.close()
    }
  })

  it('a wrong CA: the error names the host and what is wrong with the certificate', async () => {
    const other = await getConfig({ kubeconfig: controlPlane().kubeconfigPath })
    const clientset = new Clientset({ ...other, tlsClientConfig: {} })
    try {
      await expect(clientset.coreV1().namespaces().list()).rejects.toThrow(/127\.0\.0\.1:\d+.*(certificate|CA)/is)
    } finally {
      await clientset.close()
    }
  })

  it('a refused connection: the error names the host', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    const clientset = new Clientset({ host: `http://127.0.0.1:${port}` })
    try {
      await expect(clientset.coreV1().namespaces().list()).rejects.toThrow(
        new RegExp(`127\\.0\\.0\\.1:${port}.*refused`, 'is'),
      )
    } finally {
      await clientset.close()
    }
  })

  it('an expired or wrong token is Unauthorized, and is not in the message', async () => {
    const config = await getConfig({ kubeconfig: controlPlane().kubeconfigPath })
    const clientset = new Clientset({ ...config, bearerToken: 'expired-token', bearerTokenFile: undefined })
    try {
      const failure = await clientset
        .coreV1()
        .namespaces()
        .list()
        .catch((err: unknown) => err)
      expect(failure).toSatisfy(isUnauthorized)
      expect(String(failure)).not.toContain('expired-token')
    } finally {
      await clientset.close()
    }
  })

  it('a missing kubeconfig, an unreadable one and an unknown context each name the file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'kubewright-'))
    try {
      const missing = join(directory, 'missing')
      await expect(getConfig({ kubeconfig: missing })).rejects.toThrow(missing)
      const broken = join(directory, 'broken')
      await writeFile(broken, 'clusters: [\n')
      await expect(getConfig({ kubeconfig: broken })).rejects.toThrow(broken)
      await expect(getConfig({ kubeconfig: controlPlane().kubeconfigPath, context: 'nope' })).rejects.toThrow(
        /nope.*contexts of kubeconfig .*admin\.kubeconfig.*control-plane/s,
      )
    } finally {
      await rm(directory, { recursive: true })
    }
  })

  it('a name with a slash is refused before it becomes another path', async () => {
    await expect(admin.coreV1().pods('default').get('a/b')).rejects.toThrow(/a\/b.*may not contain '\/'/s)
  })

  it('the server version', async () => {
    expect((await admin.discovery().serverVersion()).gitVersion).toBe('v1.36.3')
  })
})

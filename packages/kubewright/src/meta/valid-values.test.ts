import { describe, expect, it } from 'vitest'
import {
  annotationsProblems,
  cidrProblems,
  configMapKeyProblems,
  dns1123LabelProblems,
  dns1123SubdomainWithUnderscoreProblems,
  domainPrefixedKeyProblems,
  domainPrefixedPathProblems,
  envVarNameProblems,
  finalizersProblems,
  fullyQualifiedDomainNameProblems,
  fullyQualifiedNameProblems,
  generateNameProblems,
  httpHeaderNameProblems,
  interfaceAddressProblems,
  ipProblems,
  ownerReferencesProblems,
  percentProblems,
  portNameProblems,
  portNumProblems,
  relaxedEnvVarNameProblems,
  userIDProblems,
  wildcardDNS1123SubdomainProblems,
} from './index.js'

type Check = (value: string) => string[]

describe('values of fields', () => {
  it.each<[Check, string[], string[]]>([
    [portNameProblems, ['http', 'a', 'https-2'], ['', '80', 'HTTP', '-a', 'a--b', 'x'.repeat(16), 'a_b']],
    [percentProblems, ['0%', '150%'], ['', '%', '-5%', '5', '5.5%']],
    [httpHeaderNameProblems, ['X-Header', 'a'], ['', 'a_b', 'é']],
    [envVarNameProblems, ['A', '_a.b-C', '-'], ['', '1a', 'a=b', '..', '.', '..a']],
    [relaxedEnvVarNameProblems, ['1', 'a b', '..', '~'], ['', 'a=b', 'é', 'a\n']],
    [configMapKeyProblems, ['a', 'A_b-c.d', '.a'], ['', '.', '..', '..a', 'a/b', 'x'.repeat(254)]],
    [wildcardDNS1123SubdomainProblems, ['*.a', '*.a.b'], ['', '*', 'a', '*.*.a', 'a.*.b']],
    [dns1123SubdomainWithUnderscoreProblems, ['_a._tcp.b', 'a'], ['', '_', 'A', 'a_']],
    [fullyQualifiedNameProblems, ['a.b.c'], ['', 'a.b', 'A.b.c', 'a.b.c.']],
    [fullyQualifiedDomainNameProblems, ['a.b', 'a.b.'], ['', 'a', 'a.', `a.${'b'.repeat(64)}`]],
    [domainPrefixedPathProblems, ['a.io/b', 'a/b/c%20d'], ['', 'a', '/b', 'a/', 'A/b', 'a/b?']],
    [domainPrefixedKeyProblems, ['a.io/b'], ['', 'a', 'a/b/c', '/b']],
    [
      ipProblems,
      ['1.2.3.4', '::', '2001:db8::ffff'],
      ['', '1.2.3', '01.2.3.4', '::ffff:1.2.3.4', 'FE80::1', '1::0', '::1%lo'],
    ],
    [
      cidrProblems,
      ['10.0.0.0/8', '::/0'],
      ['', '10.0.0.1/8', '10.0.0.0/33', '10.0.0.0', '10.0.0.0/08', '2001:DB8::/32'],
    ],
    [interfaceAddressProblems, ['10.0.0.1/8', '::1/64'], ['', '10.0.0.1', '10.0.0.01/8', '::1/064']],
  ])('%o', (problems, good, bad) => {
    expect(good.flatMap((value) => problems(value))).toEqual([])
    expect(bad.filter((value) => problems(value).length === 0)).toEqual([])
  })

  it('numbers', () => {
    expect([1, 65535].flatMap(portNumProblems)).toEqual([])
    expect([0, 65536, 1.5, Number.NaN].flatMap(portNumProblems)).toEqual(
      Array(4).fill('must be between 1 and 65535, inclusive'),
    )
    expect(userIDProblems(2 ** 31)).toEqual(['must be between 0 and 2147483647, inclusive'])
  })

  it('says what an address should be', () => {
    expect(ipProblems('FE80:0::1')).toEqual(['must be in canonical form ("fe80::1")'])
    expect(cidrProblems('2001:DB8::/32')).toEqual(['must be in canonical form ("2001:db8::/32")'])
  })
})

describe('metadata', () => {
  it('a name to be generated may end in a dash', () => {
    expect(generateNameProblems('web-', dns1123LabelProblems)).toEqual([])
    expect(generateNameProblems('-', dns1123LabelProblems)).toHaveLength(1)
    expect(generateNameProblems('Web-', dns1123LabelProblems)).toHaveLength(1)
  })

  it('annotations', () => {
    expect(annotationsProblems(undefined)).toEqual([])
    expect(annotationsProblems({ 'Example.COM/A': 'anything' })).toEqual([])
    expect(annotationsProblems({ 'a b': '' })).toHaveLength(1)
    expect(annotationsProblems({ a: 'x'.repeat(2 ** 18) })).toEqual(['Too long: may not be more than 262144 bytes'])
  })

  it('finalizers', () => {
    expect(finalizersProblems(['example.com/a', 'orphan'])).toEqual([])
    expect(finalizersProblems(['a b'])).toHaveLength(1)
    expect(finalizersProblems(['orphan', 'foregroundDeletion'])).toHaveLength(1)
  })

  it('owner references', () => {
    const reference = { apiVersion: 'v1', kind: 'Node', name: 'a', uid: '1', controller: true }
    expect(ownerReferencesProblems([reference, { ...reference, controller: false }])).toEqual([])
    expect(ownerReferencesProblems([reference, { ...reference, name: 'b' }])).toEqual([
      'Only one reference can have Controller set to true. Found "true" in references for Node/a and Node/b',
    ])
    expect(ownerReferencesProblems([{ apiVersion: '', kind: '', name: '', uid: '' }])).toHaveLength(4)
    expect(ownerReferencesProblems([{ ...reference, kind: 'Event' }])).toHaveLength(1)
  })
})

import { describe, expect, it } from 'vitest'
import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  pathSegmentNameProblems,
} from './names.js'

describe('names', () => {
  it.each([
    [dns1123LabelProblems, ['a', 'my-name', '123-abc', 'a'.repeat(63)]],
    [dns1123SubdomainProblems, ['a', 'example.com', '1.2.3', `${'a.'.repeat(126)}a`]],
    [dns1035LabelProblems, ['a', 'my-name', 'abc-123', 'a'.repeat(63)]],
    [pathSegmentNameProblems, ['a', 'MyTeam:View', 'a b', 'é', '...', '']],
  ])('%o accepts good names', (problems, good) => {
    expect(good.flatMap(problems)).toEqual([])
  })

  it.each([
    [dns1123LabelProblems, ['', '-a', 'a-', 'A', 'a_b', 'a'.repeat(64), 'é']],
    [dns1123SubdomainProblems, ['', '.', 'a..b', 'A.b', 'a.', 'a'.repeat(254)]],
    [dns1035LabelProblems, ['', '1a', 'a-', 'A', 'a.b', 'a'.repeat(64)]],
    [pathSegmentNameProblems, ['.', '..', 'a/b', '50%']],
  ])('%o finds one problem in each bad name', (problems, bad) => {
    expect(bad.map((name) => problems(name).length)).toEqual(bad.map(() => 1))
  })

  it('says what is wrong in the API server’s words', () => {
    expect(dns1123LabelProblems('a.b')).toEqual(['must not contain dots'])
    expect(dns1123LabelProblems('a'.repeat(64))).toEqual(['must be no more than 63 characters'])
    expect(dns1035LabelProblems('1')).toEqual([
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
        "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', " +
        "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ])
    expect(pathSegmentNameProblems('..')).toEqual(["may not be '..'"])
    expect(pathSegmentNameProblems('/%')).toEqual(["may not contain '/'", "may not contain '%'"])
  })

  it('counts bytes', () => {
    expect(dns1123SubdomainProblems('é'.repeat(127))).toHaveLength(2)
  })
})

import { describe, expect, it } from 'vitest'
import { decodeYAMLOrJSON, YAMLSyntaxError } from './index.js'

describe('the objects of a text', () => {
  it('are those of its documents, in their order', async () => {
    const text = '# two\n---\nkind: A\n---\n---\nnull\n---\nkind: B\n...\n'
    expect(await decodeYAMLOrJSON(text)).toEqual([{ kind: 'A' }, { kind: 'B' }])
    expect(await decodeYAMLOrJSON('')).toEqual([])
  })

  it('may be JSON', async () => {
    expect(await decodeYAMLOrJSON('{"kind":"A","data":{"a":"yes","b":"\\u00e9\\n"},\n\t"n":[1,null]}')).toEqual([
      { kind: 'A', data: { a: 'yes', b: 'é\n' }, n: [1, null] },
    ])
  })

  it('have the values that kubectl sees', async () => {
    const text = 'mode: 0644\non: yes\nversion: 1.10\nat: 2026-01-01\nname: "0644"\nport: 8_080\n'
    expect(await decodeYAMLOrJSON(text)).toEqual([
      { mode: 420, true: true, version: 1.1, at: '2026-01-01', name: '0644', port: 8080 },
    ])
  })

  it('keep integers of 64 bits', async () => {
    const text = 'a: 9007199254740993\nb: -9007199254740993\nc: 9007199254740991\nd: {"e": 18446744073709551615}\n'
    expect(await decodeYAMLOrJSON(text)).toEqual([
      { a: 9007199254740993n, b: -9007199254740993n, c: 9007199254740991, d: { e: 2 ** 64 } },
    ])
  })
})

describe('a text is refused', () => {
  it('that is neither, with the place and without the text', async () => {
    const err = await decodeYAMLOrJSON('kind: A\ndata: {password: s3cret\n').catch((e: unknown) => e)
    expect(err).toBeInstanceOf(YAMLSyntaxError)
    expect(err).toMatchObject({ line: 3 })
    expect(String(err)).not.toContain('s3cret')
  })

  it('that holds something else than objects', async () => {
    await expect(decodeYAMLOrJSON('kind: A\n---\n- s3cret\n')).rejects.toThrow('document 2 is no object but a list')
    await expect(decodeYAMLOrJSON('s3cret')).rejects.toThrow('document 1 is no object but a string')
    await expect(decodeYAMLOrJSON(undefined as never)).rejects.toThrow('YAML or JSON is read of text, not of undefined')
  })
})

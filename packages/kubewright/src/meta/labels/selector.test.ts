import { describe, expect, it } from 'vitest'
import { everything, newRequirement, nothing, parseLabelSelector, selectorFromSet } from './index.js'

const badName =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const badValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

/** Selectors and how they are written back, as apimachinery 0.36 does it. */
const valid: [text: string, normal: string][] = [
  ['', ''],
  ['x=a,y=b,z=c', 'x=a,y=b,z=c'],
  ['x!=a,y=b', 'x!=a,y=b'],
  ['x=', 'x='],
  ['x= ', 'x='],
  ['x=,z= ', 'x=,z='],
  ['x= ,z= ', 'x=,z='],
  ['!x', '!x'],
  ['x>1', 'x>1'],
  ['x>1,z<5', 'x>1,z<5'],
  ['x in (a,b)', 'x in (a,b)'],
  ['x notin (a,b), y', 'x notin (a,b),y'],
  ['x in ()', 'x in ()'],
  ['x in (,)', 'x in ()'],
  ['x in (a,,b)', 'x in (,a,b)'],
  ['x in (in)', 'x in (in)'],
  ['in in (in)', 'in in (in)'],
  ['notin notin (in)', 'notin notin (in)'],
  ['x==a', 'x==a'],
  ['x == a', 'x==a'],
  ['  x  =  a  ', 'x=a'],
  ['a,b', 'a,b'],
  ['z,a=1,b!=2', 'a=1,b!=2,z'],
  ['x in (b,a,a)', 'x in (a,b)'],
  ['in', 'in'],
  ['example.com/foo=bar', 'example.com/foo=bar'],
  ['!example.com/foo', '!example.com/foo'],
  ['x!=', 'x!='],
  ['! x', '!x'],
  ['x=in', 'x=in'],
  ['x!=notin', 'x!=notin'],
  ['x>007', 'x>007'],
  ['x in (a, b) , y', 'x in (a,b),y'],
  ['x  notin(a)', 'x notin (a)'],
  ['k=v,k=v2', 'k=v,k=v2'],
]

/** Texts that are no selectors, and apimachinery 0.36's words for it. */
const invalid: [text: string, message: string][] = [
  ['x<-5', `unable to parse requirement: values[0][x]: Invalid value: "-5": ${badValue}`],
  ['x=a||y=b', `unable to parse requirement: values[0][x]: Invalid value: "a||y": ${badValue}`],
  ['x==a==b', "found '==', expected: ',' or 'end of string'"],
  ['!x=a', "found '=', expected: ',' or 'end of string'"],
  [
    'x<a',
    "unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
  [
    'x>a',
    "unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
  [
    'x>1.5',
    "unable to parse requirement: values[0]: Invalid value: \"1.5\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
  [',', "found ',', expected: !, identifier, or 'end of string'"],
  ['x,', "found '', expected: identifier after ','"],
  [',x', "found ',', expected: !, identifier, or 'end of string'"],
  ['x in', "unable to parse requirement: found '' expected: '('"],
  ['x in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
  ['x in (a', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['x in (a b)', "unable to parse requirement: found 'b', expected: ',' or ')'"],
  ['x in a', "unable to parse requirement: found 'a' expected: '('"],
  ['x notin', "unable to parse requirement: found '' expected: '('"],
  ['x ~ a', "unable to parse requirement: found '~', expected: in, notin, =, ==, !=, gt, lt"],
  ['(', "found '(', expected: !, identifier, or 'end of string'"],
  ['x=(', "unable to parse requirement: found '(', expected: identifier"],
  ['!', "unable to parse requirement: found '', expected: identifier"],
  ['!!x', "unable to parse requirement: found '!', expected: identifier"],
  ['x y', "unable to parse requirement: found 'y', expected: in, notin, =, ==, !=, gt, lt"],
  ['x in (a,(', "unable to parse requirement: found '(', expected: ',', or identifier"],
  [
    'a/b/c=d',
    `unable to parse requirement: <nil>: Invalid value: "a/b/c": a valid label key ${badName} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
  ],
  ['/b=1', 'unable to parse requirement: <nil>: Invalid value: "/b": prefix part must be non-empty'],
  [
    'a/=1',
    `unable to parse requirement: <nil>: Invalid value: "a/": name part must be non-empty; name part ${badName}`,
  ],
  [
    'A.com/x=1',
    "unable to parse requirement: <nil>: Invalid value: \"A.com/x\": prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  ['-x=1', `unable to parse requirement: <nil>: Invalid value: "-x": name part ${badName}`],
  ['x=-a', `unable to parse requirement: values[0][x]: Invalid value: "-a": ${badValue}`],
  ['x=a b', "found 'b', expected: ',' or 'end of string'"],
  ['x=éa', `unable to parse requirement: values[0][x]: Invalid value: "éa": ${badValue}`],
  [
    'x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'unable to parse requirement: values[0][x]: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 bytes',
  ],
  [
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'unable to parse requirement: <nil>: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": name part must be no more than 63 bytes',
  ],
  ['x in (a,-b)', `unable to parse requirement: values[0][x]: Invalid value: "-b": ${badValue}`],
  ['x=a,-y', `unable to parse requirement: <nil>: Invalid value: "-y": name part ${badName}`],
  [
    'x>9223372036854775808',
    "unable to parse requirement: values[0]: Invalid value: \"9223372036854775808\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
  ['x>+5', `unable to parse requirement: values[0][x]: Invalid value: "+5": ${badValue}`],
  [
    'x>',
    "unable to parse requirement: values[0]: Invalid value: \"\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
  ['x=!', "unable to parse requirement: found '!', expected: identifier"],
  ['x<>1', "unable to parse requirement: found '>', expected: identifier"],
  ['x=>1', "unable to parse requirement: found '>', expected: identifier"],
  ['x in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
  ['x)', "unable to parse requirement: found ')', expected: in, notin, =, ==, !=, gt, lt"],
  ['x in (a))', "found ')', expected: ',' or 'end of string'"],
  ['x in (a,b) y', "found 'y', expected: ',' or 'end of string'"],
]

const matching: [selector: string, labels: Record<string, string>, matches: boolean][] = [
  ['', {}, true],
  ['x=y', { x: 'y' }, true],
  ['x=y,z=w', { x: 'y', z: 'w' }, true],
  ['x=y,z=w', { x: 'y' }, false],
  ['x!=y,z!=w', { x: 'z', z: 'a' }, true],
  ['x!=y', {}, true],
  ['x!=y', { x: 'y' }, false],
  ['x', { x: 'z' }, true],
  ['x', { y: 'z' }, false],
  ['!x', { y: 'z' }, true],
  ['!x', { x: '' }, false],
  ['x=', { x: '' }, true],
  ['x=', {}, false],
  ['x>1', { x: '2' }, true],
  ['x>1', { x: '0' }, false],
  ['x>1', { x: '1' }, false],
  ['x>1', { x: 'two' }, false],
  ['x>1', {}, false],
  ['x<1', { x: '0' }, true],
  ['x<7', { x: '8' }, false],
  ['x>9223372036854775806', { x: '9223372036854775807' }, true],
  ['x in (a,b)', { x: 'a' }, true],
  ['x in (a,b)', { x: 'c' }, false],
  ['x in (a,b)', {}, false],
  ['x notin (a,b)', { x: 'c' }, true],
  ['x notin (a,b)', { x: 'b' }, false],
  ['x notin (a,b)', {}, true],
  ['x in ()', { x: '' }, true],
  ['constructor', {}, false],
]

describe('parseLabelSelector', () => {
  it.each(valid)('%j is written back as %j', (text, normal) => {
    expect(parseLabelSelector(text).toString()).toBe(normal)
  })

  it.each(invalid)('%j is refused', (text, message) => {
    let error: unknown
    try {
      parseLabelSelector(text)
    } catch (err) {
      error = err
    }
    expect((error as Error).message).toBe(message)
  })

  it.each(matching)('%j on %j: %j', (text, labels, matches) => {
    expect(parseLabelSelector(text).matches(labels)).toBe(matches)
  })

  it('takes absent labels for none', () => {
    expect(parseLabelSelector('!x').matches(undefined)).toBe(true)
    expect(parseLabelSelector('x').matches(undefined)).toBe(false)
  })
})

describe('newRequirement', () => {
  it.each([
    ['in', [], "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty"],
    ['=', ['a', 'b'], 'values: Invalid value: ["a","b"]: exact-match compatibility requires one single value'],
    ['exists', ['a'], 'values: Invalid value: ["a"]: values set must be empty for exists and does not exist'],
    ['gt', ['1', '2'], 'values: Invalid value: ["1","2"]: for \'Gt\', \'Lt\' operators, exactly one value is required'],
  ] as const)('%s with %j is refused', (operator, values, message) => {
    expect(() => newRequirement('x', operator, values)).toThrow(message)
  })

  it('lists all that is wrong', () => {
    expect(() => newRequirement('-k', '=', ['-v'])).toThrow(
      `[key: Invalid value: "-k": name part ${badName}, values[0][-k]: Invalid value: "-v": ${badValue}]`,
    )
  })
})

describe('other selectors', () => {
  it('selects by a set of labels', () => {
    const selector = selectorFromSet({ b: '2', a: '1' })
    expect(selector.toString()).toBe('a=1,b=2')
    expect(selector.matches({ a: '1', b: '2', c: '3' })).toBe(true)
    expect(selector.matches({ a: '1' })).toBe(false)
  })

  it('selects everything or nothing', () => {
    expect([everything.empty, everything.matches({ a: '1' })]).toEqual([true, true])
    expect([nothing.empty, nothing.matches({}), nothing.matches(undefined)]).toEqual([false, false, false])
  })
})

it.each([undefined, null, true, ['app=web'], [undefined]])('is read of text only, not %j', (value) => {
  expect(() => parseLabelSelector(value as never)).toThrow(
    new TypeError("a label selector is one text, such as 'app=web,tier in (a,b)'"),
  )
})

// IP addresses and CIDR blocks in text, as Go's net package reads and writes them.

/** An address: a number of 32 bits, or of 128. */
export interface IPAddress {
  readonly family: 4 | 6
  readonly value: bigint
  /** Whether the text had zeros in front of a part, or more digits than a part may have: some read that as octal. */
  readonly hasLeadingZeros: boolean
}

/** An address and the number of leading bits that are its network. */
export interface CIDR {
  readonly address: IPAddress
  readonly prefixLength: number
  readonly hasLeadingZeros: boolean
}

/** Undefined when the text is no address. */
export function parseIP(text: string): IPAddress | undefined {
  return text.includes(':') ? parseIPv6(text) : parseIPv4(text)
}

/** Undefined when the text is none. */
export function parseCIDR(text: string): CIDR | undefined {
  const slash = text.indexOf('/')
  const address = slash < 0 ? undefined : parseIP(text.slice(0, slash))
  const length = text.slice(slash + 1)
  if (address === undefined || !/^0*[0-9]{1,3}$/.test(length)) return undefined
  const prefixLength = Number(length)
  if (prefixLength > bitsOf(address)) return undefined
  return { address, prefixLength, hasLeadingZeros: address.hasLeadingZeros || String(prefixLength) !== length }
}

/** An IPv4 address written as one of IPv6: `::ffff:1.2.3.4`. */
export function isIPv4Mapped({ family, value }: IPAddress): boolean {
  return family === 6 && value >> 32n === 0xffffn
}

/** The canonical text; mapped IPv4 addresses as IPv4. */
export function formatIP(address: IPAddress): string {
  if (address.family === 4 || isIPv4Mapped(address)) return formatIPv4(address.value & 0xffff_ffffn)
  const groups = Array.from({ length: 8 }, (_, i) => Number((address.value >> BigInt(112 - 16 * i)) & 0xffffn))
  const { start, length } = longestZeros(groups)
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':')
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`
}

/** The address with all bits behind the network's cleared. */
export function networkOf({ address, prefixLength }: CIDR): IPAddress {
  const hostBits = BigInt(bitsOf(address) - prefixLength)
  return { ...address, value: (address.value >> hostBits) << hostBits }
}

export function bitsOf({ family }: IPAddress): 32 | 128 {
  return family === 4 ? 32 : 128
}

function parseIPv4(text: string): IPAddress | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let value = 0n
  for (const part of parts) {
    if (!/^[0-9]+$/.test(part) || Number(part) > 255) return undefined
    value = (value << 8n) | BigInt(Number(part))
  }
  return { family: 4, value, hasLeadingZeros: parts.some((part) => part.length > 1 && part.startsWith('0')) }
}

function parseIPv6(text: string): IPAddress | undefined {
  const [front = '', back, ...more] = text.split('::')
  if (more.length > 0) return undefined
  const head = parseGroups(front, back === undefined)
  const tail = back === undefined ? { groups: [], hasLeadingZeros: false } : parseGroups(back, true)
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.groups.length - tail.groups.length
  if (back === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...head.groups, ...Array<number>(missing).fill(0), ...tail.groups]
  const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n)
  return { family: 6, value, hasLeadingZeros: head.hasLeadingZeros || tail.hasLeadingZeros }
}

/** Groups of hexadecimal digits, and an IPv4 address at the end where that may be. */
function parseGroups(text: string, isEnd: boolean): { groups: number[]; hasLeadingZeros: boolean } | undefined {
  const groups: number[] = []
  let hasLeadingZeros = false
  if (text === '') return { groups, hasLeadingZeros }
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    if (isEnd && i === parts.length - 1 && part.includes('.')) {
      const embedded = parseIPv4(part)
      if (embedded === undefined) return undefined
      groups.push(Number(embedded.value >> 16n), Number(embedded.value & 0xffffn))
      hasLeadingZeros ||= embedded.hasLeadingZeros
      continue
    }
    const group = /^[0-9a-fA-F]+$/.test(part) ? Number.parseInt(part, 16) : Number.NaN
    if (!(group <= 0xffff)) return undefined
    groups.push(group)
    hasLeadingZeros ||= part.length > 4
  }
  return { groups, hasLeadingZeros }
}

function formatIPv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
}

/** The first of the longest runs of zeros. */
function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 }
  for (let start = 0; start < groups.length; start++) {
    let length = 0
    while (groups[start + length] === 0) length++
    if (length > longest.length) longest = { start, length }
  }
  return longest
}

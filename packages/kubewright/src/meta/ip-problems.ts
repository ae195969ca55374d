// Which IP addresses and CIDR blocks fields of objects may hold. Each check lists what is wrong, in the API server's
// words; an empty list is a good value.

import { goQuote } from './go-quote.js'
import { bitsOf, formatIP, isIPv4Mapped, networkOf, parseCIDR, parseIP } from './ip-address.js'

/** What is wrong with an IP address: it has to be canonical, as `10.9.8.7` or `2001:db8::ffff`. */
export function ipProblems(value: string): string[] {
  const address = parseIP(value)
  if (address === undefined) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']
  if (address.hasLeadingZeros) return ['must not have leading 0s']
  if (isIPv4Mapped(address)) return ['must not be an IPv4-mapped IPv6 address']
  return canonicalProblems(value, formatIP(address))
}

/** What is wrong with a network in CIDR notation: it has to be canonical, as `10.9.8.0/24`, without an address in it. */
export function cidrProblems(value: string): string[] {
  const cidr = parseCIDR(value)
  if (cidr === undefined) return ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']
  if (cidr.hasLeadingZeros) return ['must not have leading 0s in IP or prefix length']
  if (isIPv4Mapped(cidr.address)) return ['must not have an IPv4-mapped IPv6 address']
  const network = networkOf(cidr)
  if (network.value !== cidr.address.value) return ['must not have bits set beyond the prefix length']
  return canonicalProblems(value, `${formatIP(network)}/${cidr.prefixLength}`)
}

/** What is wrong with an address and its network, in CIDR notation: it has to be canonical, as `10.9.8.7/24`. */
export function interfaceAddressProblems(value: string): string[] {
  const cidr = parseCIDR(value)
  if (cidr === undefined) return ['must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)']
  const { address, prefixLength } = cidr
  const isMapped = isIPv4Mapped(address) && prefixLength > 32
  return canonicalProblems(
    value,
    `${formatIP(address)}/${isMapped ? prefixLength - (bitsOf(address) - 32) : prefixLength}`,
  )
}

function canonicalProblems(value: string, canonical: string): string[] {
  return value === canonical ? [] : [`must be in canonical form (${goQuote(canonical)})`]
}

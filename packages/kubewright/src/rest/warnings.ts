// Warning headers: the server's hints about deprecated APIs, unknown fields and the like.

import type { Config, Warning, WarningHandler } from './config.js'

/** Drops every warning. */
export const noWarnings: WarningHandler = () => {}

/** How many different texts the default handler remembers, so that a flood of them cannot grow without end. */
const maxRemembered = 1000

const defaultHandlers = new WeakMap<Config, WarningHandler>()

/** The Config's handler; by default one that logs each text once for each Config. */
export function warningHandlerFor(config: Config): WarningHandler {
  if (config.warningHandler) return config.warningHandler
  let handler = defaultHandlers.get(config)
  if (handler === undefined) {
    const seen = new Set<string>()
    handler = ({ code, text }) => {
      if (code !== 299 || text === '' || seen.has(text)) return
      if (seen.size >= maxRemembered) seen.clear()
      seen.add(text)
      config.logger.warn(text)
    }
    defaultHandlers.set(config, handler)
  }
  return handler
}

/** Reads `Warning` headers (RFC 7234). The rest of a header that is malformed is skipped. */
export function parseWarningHeaders(headers: readonly string[]): Warning[] {
  const warnings: Warning[] = []
  for (const header of headers) {
    let rest = header.trim()
    while (rest !== '') {
      const parsed = parseOne(rest)
      if (parsed === undefined) break
      warnings.push(parsed.warning)
      rest = parsed.rest
    }
  }
  return warnings
}

/** `code agent "text" ["date"]`, then a comma when another one follows. */
const warningPattern = /^(\d{3}) (\S+) "((?:[^"\\]|\\[^])*)"\s*(?:"[^"]*"\s*)?(?:,\s*([^]*))?$/

function parseOne(header: string): { warning: Warning; rest: string } | undefined {
  const match = warningPattern.exec(header)
  if (match === null) return undefined
  const [, code = '', agent = '', quoted = '', rest = ''] = match
  const text = decodeWords(fromLatin1(quoted.replace(/\\([^])/g, '$1')))
  if (text === undefined || /\p{Cc}/u.test(agent + text)) return undefined
  return { warning: { code: Number(code), agent, text }, rest }
}

/** Node reads header bytes as Latin-1; Kubernetes writes UTF-8. Undefined when the bytes are not that. */
function fromLatin1(text: string): string | undefined {
  if (!/[\x80-\xff]/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(text, (c) => c.charCodeAt(0)))
  } catch {
    return undefined
  }
}

/** Words encoded by RFC 2047, as RFC 2616 had it: `=?utf-8?q?caf=C3=A9?=`. */
function decodeWords(text: string | undefined): string | undefined {
  return text
    ?.replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(
      /=\?(utf-8|us-ascii|iso-8859-1)\?([bq])\?([^?]*)\?=/gi,
      (word, charset: string, encoding: string, body: string) => {
        const bytes =
          encoding.toLowerCase() === 'b'
            ? Buffer.from(body, 'base64')
            : Buffer.from(
                body
                  .replaceAll('_', ' ')
                  .replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
                'latin1',
              )
        try {
          return new TextDecoder(charset, { fatal: true }).decode(bytes)
        } catch {
          return word
        }
      },
    )
}

// The YAML of a kubeconfig.

import { parseYAML, YAMLSyntaxError } from '../meta/index.js'
import { KubeconfigError } from './errors.js'

/**
 * The first document of a YAML text, as JSON values; null when the text holds none. The last of several equal keys wins.
 *
 * @throws KubeconfigError with line and column, and without any text of the document.
 */
export async function parseYaml(text: string, file?: string): Promise<unknown> {
  try {
    return (await parseYAML(text))[0] ?? null
  } catch (err) {
    if (!(err instanceof YAMLSyntaxError)) throw err
    throw new KubeconfigError(err.message, { file, line: err.line, column: err.column })
  }
}

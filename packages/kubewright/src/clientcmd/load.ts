// A kubeconfig from text or from one file.

import { decodeKubeConfig } from './decode.js'
import { KubeconfigError } from './errors.js'
import { fileErrorCode, fileProblem, type ReadOptions, readText } from './files.js'
import type { KubeConfig } from './types.js'
import { parseYaml } from './yaml.js'

/**
 * The kubeconfig that a YAML or JSON text holds; empty text is an empty kubeconfig.
 *
 * **Caveats**: relative paths in it stay relative to the working directory, as the text has no file.
 *
 * @throws KubeconfigError when the text is not YAML, or not a kubeconfig; TypeError when it is no text.
 */
export async function load(text: string): Promise<KubeConfig> {
  if (typeof text !== 'string') {
    throw new TypeError(
      `cannot load a kubeconfig from what is no string (${typeof text}): give its text, or its path to loadFromFile`,
    )
  }
  return decodeKubeConfig(await parseYaml(text))
}

/**
 * The kubeconfig in a file, as it stands: every stanza carries the file's path as `locationOfOrigin`, and relative
 * paths are not resolved (see {@link resolveLocalPaths}).
 *
 * @throws KubeconfigError naming the file: it cannot be read (`code` tells why), is not YAML or not a kubeconfig.
 */
export async function loadFromFile(path: string, options: ReadOptions = {}): Promise<KubeConfig> {
  if (typeof path !== 'string') {
    throw new TypeError(`cannot load a kubeconfig: the path of the file must be a string, not ${typeof path}`)
  }
  let text: string
  try {
    text = await readText(path, options)
  } catch (err) {
    options.signal?.throwIfAborted()
    throw unreadable(path, err)
  }
  return decodeKubeConfig(await parseYaml(text, path), path)
}

/** The error of a kubeconfig file that cannot be read. */
export function unreadable(path: string, err: unknown): KubeconfigError {
  const hint = path.startsWith('~') ? '; "~" is expanded by shells only, give the whole path' : ''
  return new KubeconfigError(`open ${path}: ${fileProblem(err)}${hint}`, { file: path, code: fileErrorCode(err) })
}

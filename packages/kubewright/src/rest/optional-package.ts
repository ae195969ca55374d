// Packages that few need: loaded when one is wanted, and told of when it is not there.

/**
 * Loads an optional package.
 *
 * @param load imports it
 * @param facts `cannot`: what is not possible without it, for the message
 * @throws Error that says how to install it, when it is missing; what loading it throws.
 */
export async function loadPackage<T>(
  load: () => Promise<T>,
  { name, cannot }: { name: string; cannot: string },
): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new Error(`${cannot}: the package ${name} is not installed; add it with: npm install ${name}`, { cause })
  }
}

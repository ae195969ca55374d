// What can be wrong with a kubeconfig. Messages name files, fields and entries; they never quote a value that may be
// a credential.

/** Where in a kubeconfig a {@link KubeconfigError} is. */
export interface KubeconfigErrorPlace {
  readonly file?: string | undefined
  /** Path of the field, such as `users[0].user.token`. */
  readonly field?: string | undefined
  /** From 1; for errors of YAML syntax. */
  readonly line?: number | undefined
  /** From 1; for errors of YAML syntax. */
  readonly column?: number | undefined
  /** The system's code, such as `ENOENT`, where reading the file failed. */
  readonly code?: string | undefined
}

/** A kubeconfig that cannot be read, or is not one. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError'
  /** Undefined: the text came from no file. */
  readonly file: string | undefined
  /** Path of the field, such as `users[0].user.token`. */
  readonly field: string | undefined
  /** From 1; for errors of YAML syntax. */
  readonly line: number | undefined
  /** From 1; for errors of YAML syntax. */
  readonly column: number | undefined
  /** The system's code, such as `ENOENT`, where reading the file failed. */
  readonly code: string | undefined

  constructor(problem: string, place: KubeconfigErrorPlace = {}) {
    const where = place.file === undefined ? 'error loading kubeconfig' : `error loading config file "${place.file}"`
    super(`${where}: ${problem}`)
    this.file = place.file
    this.field = place.field
    this.line = place.line
    this.column = place.column
    this.code = place.code
  }
}

/** None of the files that should hold a kubeconfig exists. */
export class MissingConfigError extends Error {
  override readonly name = 'MissingConfigError'
  /** Their paths. */
  readonly missing: readonly string[]

  constructor(missing: readonly string[]) {
    super(`Config not found: ${missing.join(', ')}`)
    this.missing = missing
  }
}

/** Nothing says which server to talk to. See {@link isEmptyConfig}. */
export class EmptyConfigError extends Error {
  override readonly name = 'EmptyConfigError'

  constructor(message = 'no configuration has been provided, try setting KUBERNETES_MASTER environment variable') {
    super(message)
  }
}

/** A cluster stanza with nothing in it. */
export class EmptyClusterError extends Error {
  override readonly name = 'EmptyClusterError'

  constructor() {
    super('cluster has no server defined')
  }
}

/** No context was asked for, and the kubeconfig has no current one. */
export class NoContextError extends Error {
  override readonly name = 'NoContextError'

  constructor(message = 'no context chosen') {
    super(message)
  }
}

/** A context was asked for that the kubeconfig does not have. */
export class ContextNotFoundError extends Error {
  override readonly name = 'ContextNotFoundError'
  /** The name that was asked for. */
  readonly contextName: string

  constructor(contextName: string, message = `context was not found for specified context: ${contextName}`) {
    super(message)
    this.contextName = contextName
  }
}

/** A kubeconfig that can be read but not used; all that is wrong with it is in {@link errors}. */
export class ConfigurationInvalidError extends Error {
  override readonly name = 'ConfigurationInvalidError'
  /** One for each thing that is wrong. */
  readonly errors: readonly Error[]

  constructor(errors: readonly Error[], hint = '') {
    super(`invalid configuration: ${aggregateMessage(errors)}${hint}`)
    this.errors = errors
  }
}

/** A user whose `auth-provider` this library does not run. */
export class UnsupportedAuthProviderError extends Error {
  override readonly name = 'UnsupportedAuthProviderError'
  /** Its name in the kubeconfig: `gcp`, `azure`. */
  readonly provider: string

  constructor(provider: string, message: string) {
    super(message)
    this.provider = provider
  }
}

/** The messages of several errors as one: each once, in brackets when there is more than one. */
export function aggregateMessage(errors: readonly Error[]): string {
  const messages = [...new Set(errors.map((err) => err.message))]
  return messages.length === 1 ? (messages[0] as string) : `[${messages.join(', ')}]`
}

/** Whether `err` says that no configuration was given at all, as opposed to a wrong one. */
export function isEmptyConfig(err: unknown): boolean {
  if (err instanceof ConfigurationInvalidError) return err.errors.length === 1 && isEmptyConfig(err.errors[0])
  return err instanceof EmptyConfigError
}

/** Whether `err` says that a context is missing, or that none was chosen. */
export function isContextNotFound(err: unknown): boolean {
  if (err instanceof ConfigurationInvalidError) return err.errors.some((inner) => isContextNotFound(inner))
  return err instanceof ContextNotFoundError || err instanceof NoContextError
}

/** Whether `err` says that a kubeconfig can be read but not used. */
export function isConfigurationInvalid(err: unknown): boolean {
  return err instanceof ConfigurationInvalidError || isContextNotFound(err)
}

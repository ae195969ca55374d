// Who asks the user for credentials, however that is done.

/** What is asked for. */
export type PromptedField = 'Username' | 'Password'

/** Asks the user: on a terminal, in a window. */
export interface CredentialReader {
  /**
   * Resolves to the answer.
   *
   * @param options `hidden`: do not show what is typed.
   */
  read(field: PromptedField, options: { hidden: boolean; signal?: AbortSignal | undefined }): Promise<string>
}

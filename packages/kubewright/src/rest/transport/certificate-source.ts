// Where the certificate comes from that proves to a server who we are: data, files, or a credential plugin.

/** PEM texts. */
export interface ClientCertificate {
  readonly certData: string
  readonly keyData: string
}

/** A certificate that may change while a program runs. */
export interface CertificateSource {
  /** The one for a new connection; undefined: none. */
  currentCertificate(): ClientCertificate | undefined
  /**
   * Calls the listener when another one is there: connections made before it prove the wrong identity.
   *
   * @returns ends it.
   */
  onCertificateChange(listener: () => void): () => void
  /** Looks for a change by itself until the returned function is called; absent where the source knows of it anyway. */
  watch?(): () => void
}

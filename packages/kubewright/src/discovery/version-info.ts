// What a server says of its own version.

/** The answer of `/version`. */
export interface VersionInfo {
  /** `1`. */
  major: string
  /** `36`; some servers add a `+`. */
  minor: string
  /** The whole version: `v1.36.3`. */
  gitVersion: string
  gitCommit: string
  gitTreeState: string
  /** As `2026-01-31T12:00:00Z`. */
  buildDate: string
  goVersion: string
  /** `gc`. */
  compiler: string
  /** `linux/amd64`. */
  platform: string
  /** Present when the server behaves as an earlier version. */
  emulationMajor?: string
  emulationMinor?: string
  /** The oldest version that the server stays compatible with. */
  minCompatibilityMajor?: string
  minCompatibilityMinor?: string
}

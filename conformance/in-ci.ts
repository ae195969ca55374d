// Where what a test needs is missing: skipped on somebody's machine, a failure in CI.

/** Whether this run is CI's: the environment variable CI is set, and to something other than `0` and `false`. */
export const inCI: boolean = !['', '0', 'false'].includes(process.env['CI'] ?? '')

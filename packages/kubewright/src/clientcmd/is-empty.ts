// Emptiness, as Go's `omitempty` has it: an empty field is neither written to a kubeconfig nor wins over another.

/** Whether a field's value says nothing. The 0 of a field that no kubeconfig knows does say something. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  )
}

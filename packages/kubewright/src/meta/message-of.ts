// What was thrown, as part of another message.

/** The message of an Error; anything else that was thrown, as text. */
export function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err)
}
